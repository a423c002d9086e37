# SPDX-License-Identifier: MIT
"""Makes traces with hostile names and texts: script, markup, members of every object, characters
that change the direction of writing, control characters, broken UTF-8, 10 kB in a row. Usage:
hostile.py WALLFLY SEED rtos|qp FILE"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../e2e"))
import random_system

HACK = "window.__hacked=%d"
TEMPLATES = ["<script>%s</script>", "</script><script>%s</script>", '"><img src=x onerror="%s">', "javascript:%s",
             "<svg onload=%s>", "'-%s-'", "${%s}", '{{constructor.constructor("%s")()}}', "<iframe srcdoc='<script>parent.%s</script>'>",
             "</style></title></textarea><script>%s</script>", "\\u003cscript\\u003e%s", "<style>@import'data:,%s'</style>",
             "<a href='http://192.0.2.1/' ping='http://192.0.2.1/%s'>", "<meta http-equiv=refresh content='0;url=http://192.0.2.1/%s'>"]
NAMES = [template % (HACK % (i + 1)) for i, template in enumerate(TEMPLATES)]
NAMES += ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "null", "undefined", "NaN", "-0", "1e999",
          "\u202egnp.exe\u202d", "\u2066\u2067\u2068", "\u061cab\u200f", "\u2028\u2029", "\x01\x02\x1b[31mred\x7f\x08\x08", "a\nb\r\nc\td",
          "\x1b]0;owned\x07", "\x9b2J\x85\x9d0;owned\x9c", "", " ", "&lt;b&gt;&amp;",
          "<!--", "]]>", "%3Cscript%3E", "%s%n%x", "a" + "\u0301" * 300, "\U0001f600" * 40, "\ufeff\u200b\u200d", "W" * 10000, "x y " * 2500]
RAW = [n.encode() for n in NAMES] + [b"\xff\xfe<img src=x onerror=window.__hacked=90>", b"\xc3", b"\xed\xa0\x80", b"\xe2\x82", b"\x80\x9b2J",
                                     b"\xf8\x88\x80\x80\x80",
                                     b"\xc0\xbcscript\xc0\xbewindow.__hacked=91"]
TEXTS, MACHINES, STATES = range(0x7000, 0x7000 + 8 * 6, 8), range(0x8000, 0x8000 + 16 * 8, 16), range(0x9000, 0x9000 + 8 * 9, 8)


class Hostile(random_system.Frames):
    def __init__(self, seed):
        super().__init__(seed, 2, False)
        self.left = []
        self.frame(0, b"")
        sizes = bytes([0x22, 0x41, 0x22, 0x44, 4])  # addresses and time stamps of 4 bytes
        self.frame(64, bytes([0xFF]) + (740).to_bytes(2, "little") + sizes + bytes([64, 0x13]) + bytes([0, 0, 12, 1, 1, 26]))
        numbers = ((3, 8), (self.now, 8), (1000000, 4), (0, 8), (0, 4), (0, 8), (0, 1), (0, 1), (0, 4))
        self.frame(82, b"".join(value.to_bytes(size, "little") for value, size in numbers) + sizes)

    def text(self):
        """Returns the next name: all are used once before any is repeated."""
        if not self.left:
            self.left = list(RAW)
            self.rnd.shuffle(self.left)
        return self.left.pop()

    def name(self, thing):
        self.put("obj_dict", thing, self.text())

    def name_all(self):
        for text in TEXTS:
            self.name(text)
        for machine in MACHINES:
            self.name(machine)
        for state in STATES:
            self.put("fun_dict", state, self.text())
        for sig in range(4, 12):
            self.put("sig_dict", sig, 0, self.text())
        for record in range(100, 106):
            self.put("usr_dict", record, self.text())
        for value in range(4):
            self.put("enum_dict", value, 0, self.text())

    def user(self):
        """Adds a record of the application, or a log, with texts in it as well as in its name."""
        rnd, time = self.rnd, self.now.to_bytes(4, "little")
        elements = b"\x08" + self.text() + b"\0" + b"\x80" + bytes([rnd.randrange(4)])
        elements += b"\x0b" + rnd.choice(MACHINES).to_bytes(4, "little") + b"\x0c" + rnd.choice(STATES).to_bytes(4, "little")
        if rnd.random() < 0.3:
            self.frame(97, time + b"\x0b" + rnd.choice(TEXTS).to_bytes(4, "little") + elements)
        else:
            self.frame(rnd.randrange(100, 106), time + elements)

    def note(self, running):
        what, text = self.rnd.random(), self.rnd.choice(TEXTS)
        if what < 0.4:
            self.put("counter", text, self.rnd.randrange(1000))
        elif running:
            self.put("span_begin" if what < 0.7 else "span_end", running, text)

    def machine(self):
        rnd, now = self.rnd, self.rnd.choice(MACHINES)
        sig, state, to = rnd.randrange(4, 12), rnd.choice(STATES), rnd.choice(STATES)
        self.put("active_post", rnd.choice(MACHINES), sig, now, 1, 1, rnd.randrange(9), 2)
        self.put("active_get_last", sig, now, 1, 1)
        self.put("dispatch", sig, now, state)
        self.now += rnd.choice([1, 50, 900])
        self.put("tran", sig, now, state, to)
        if rnd.random() < 0.1:
            self.put("timeevt_post", rnd.choice(TEXTS), sig, now, 0)

    def run(self, kind, steps):
        self.name_all()
        if kind == "rtos":
            self.start()
        for n in range(steps):
            if kind == "rtos":
                self.step()
            else:
                self.now += self.rnd.choice([3, 20, 400])
                self.machine()
            if n % 7 == 0:
                self.user()
            if n % 5 == 0:
                self.note(self.running[0] if kind == "rtos" else 0)
            if n % 97 == 0 and n:  # new names in the middle of the trace
                self.name_all()


def main():
    wallfly, seed, kind, file = sys.argv[1:]
    Hostile.schema = json.loads(subprocess.check_output([wallfly, "schema", "--json"]))
    trace = Hostile(int(seed))
    trace.run(kind, 600)
    with open(file, "wb") as out:
        out.write(trace.out)


main()
