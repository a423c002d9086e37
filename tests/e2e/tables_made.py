# SPDX-License-Identifier: MIT
"""Generated traces for tables.py: frames that every format must quote, damaged ones, and a random schedule whose spans,
counters, queues and wake-ups are known."""
import random
import struct


class Frames:
    def __init__(self, seed):
        self.out, self.seq, self.any = bytearray(), 0, random.Random(seed)

    def put(self, number, payload):
        self.seq = self.seq + 1 & 255
        body = bytes([self.seq, number]) + payload
        body += bytes([~sum(body) & 255])
        for byte in body:
            self.out += bytes([0x7D, byte ^ 0x20]) if byte in (0x7D, 0x7E) else bytes([byte])
        self.out.append(0x7E)


HOSTILE = [b"", b'"', b"a,b", b"a\nb", b"\r\n", b"\x1b[31m", b"\xff\xfe", b"\xed\xa0\x80", b"caf\xc3\xa9", b"\xc3",
           b"\\", b"'; drop table record; --", b"x" * 5000, b'"",\x80' * 700, b"\xf0\x9f\x98\x80", b" a ", b"\x7f\t",
           b"\xed\xb2\x80", b"NULL", b"=1+1", b"name\xf5"]


def hostile(f):
    """Names that every format must quote, for objects, signals and functions, and records that use them."""
    for key, name in enumerate(HOSTILE):
        f.put(61, struct.pack("<I", 0x20000000 + 4 * key) + name + b"\0")
        f.put(62, struct.pack("<I", 0x08000000 + 4 * key) + name + b"\0")
        f.put(60, struct.pack("<HI", 10 + key, 0x20000000 + 4 * key) + name + b"\0")
        f.put(63, bytes([100 + key % 25]) + name + b"\0")
    time = 0
    for key in range(len(HOSTILE)):
        for number in (1, 2):
            f.put(number, struct.pack("<II", 0x20000000 + 4 * key, 0x08000000 + 4 * key))
        time += 100
        f.put(6, struct.pack("<IHIII", time, 10 + key, 0x20000000 + 4 * key, 0x08000000 + 4 * key, 0x08000000))
        f.put(100 + key % 25, struct.pack("<I", time) + b"\x08" + HOSTILE[key] + b"\0")


def elements(f):
    """Application records of all elements, whole and cut, and invalid records."""
    any_ = f.any
    for time in range(400):
        payload = struct.pack("<I", time * 7)
        for _ in range(any_.randrange(6)):
            code = any_.randrange(16)
            payload += bytes([code | any_.randrange(16) << 4])
            if code == 8:
                payload += any_.choice(HOSTILE) + b"\0"
            elif code == 9:
                n = any_.randrange(20)
                payload += bytes([n]) + any_.randbytes(n)
            else:
                payload += any_.randbytes({0: 1, 1: 1, 2: 2, 3: 2, 7: 8, 10: 6, 13: 8, 14: 8}.get(code, 4))
        if any_.random() < 0.1:
            payload = payload[:any_.randrange(len(payload) + 1)]
        f.put(any_.choice([100, 101, 110, 124, 125]), payload)
        if any_.random() < 0.2:
            f.put(any_.randrange(100), any_.randbytes(any_.randrange(30)))
        if any_.random() < 0.02:
            f.seq += any_.randrange(300)
        if any_.random() < 0.02:
            f.out += any_.randbytes(any_.randrange(40))


def make(kind, seed, file):
    f = Frames(seed)
    if kind in ("hostile", "damaged"):
        hostile(f)
    if kind in ("elements", "damaged"):
        elements(f)
    if kind == "damaged":
        for _ in range(60):
            f.out[f.any.randrange(len(f.out))] ^= 1 << f.any.randrange(8)
    open(file, "wb").write(bytes(f.out))


class Schedule:
    """Three tasks on one core, a queue, a semaphore."""
    QUEUE, SEMA, ROOM = 0x20001000, 0x20002000, 4
    TEXTS = {0x08000100: "fetch", 0x08000200: "store", 0x08000300: "load", 0x08000400: "temperature"}

    def __init__(self, seed):
        self.f = Frames(seed)
        self.any = self.f.any
        self.now, self.first_irq = 0, 1 << 62
        self.tasks = {0x20000000 + 0x100 * n: "task%d" % n for n in (1, 2, 3)}
        self.runs = 0
        self.ready = list(self.tasks)
        self.waits = {}  # task: (object, since)
        self.woken = {}  # task: (time, waker)
        self.spans = {t: [] for t in self.tasks}
        self.count = {self.QUEUE: 0, self.SEMA: 0}
        self.items = []
        self.want = {"span": [], "counter": [], "level": [], "message": [], "wakeup": [], "wait": []}
        self.begin()

    def put(self, number, form, *values):
        self.f.put(number, struct.pack("<I" + form, self.now, *values))

    def begin(self):
        for number, key in ((91, self.QUEUE), (90, self.SEMA)):
            self.put(number, "BII", 0, key, self.ROOM if number == 91 else 0)
        for key, name in [(self.QUEUE, "mailbox"), (self.SEMA, "signal"), *self.TEXTS.items()]:
            self.f.put(61, struct.pack("<I", key) + name.encode() + b"\0")
        for prio, (key, name) in enumerate(self.tasks.items()):
            self.put(85, "BIh", 0, key, prio)
            self.f.put(61, struct.pack("<I", key) + name.encode() + b"\0")
            self.put(86, "IB", key, 0)
        self.switch(0)

    def switch(self, reason):
        """Switches to a ready task, or to none."""
        self.runs = self.any.choice(self.ready) if self.ready else 0
        if self.runs:
            self.ready.remove(self.runs)
        self.put(87, "IBB", self.runs, reason, 0)
        if self.runs in self.woken:
            when, waker = self.woken.pop(self.runs)
            self.want["wakeup"].append((self.tasks[self.runs], waker, when, self.now))

    def wake(self, task):
        self.put(86, "IB", task, 0)
        self.woken[task] = (self.now, self.tasks.get(self.runs))
        self.ready.append(task)

    def take(self, thing):
        number = 91 if thing == self.QUEUE else 90
        if not self.count[thing]:
            if self.runs not in self.waits:
                self.put(number, "BII", 2, thing, self.runs)
                self.waits[self.runs] = (thing, self.now)
            self.now += 1
            self.switch(4)
            return
        self.level(number, 1, thing, -1)
        if thing == self.QUEUE:
            self.want["message"].append((self.items.pop(0), self.now))
        if self.runs in self.waits:
            thing, since = self.waits.pop(self.runs)
            self.want["wait"].append((self.tasks[self.runs], since, self.now))

    def level(self, number, which, thing, by):
        self.count[thing] += by
        self.put(number, "BIII", which, thing, self.runs, self.count[thing])
        self.want["level"].append(("mailbox" if thing == self.QUEUE else "signal", self.now, self.count[thing]))

    def give(self, thing):
        if thing == self.QUEUE and self.count[thing] == self.ROOM:
            return
        if thing == self.QUEUE:
            self.items.append(self.now)
        self.level(91 if thing == self.QUEUE else 90, 5, thing, 1)
        for task, (of, _) in self.waits.items():
            if of == thing and task not in self.ready and task != self.runs:
                self.wake(task)
                return

    def span(self):
        open_, text = self.spans[self.runs], self.any.choice([0x08000100, 0x08000200])
        if open_ and self.any.random() < 0.6:
            text, since = open_.pop()
            self.put(95, "BII", 1, self.runs, text)
            self.want["span"].append((self.TEXTS[text], self.tasks[self.runs], since, self.now))
        elif len(open_) < 8:
            open_.append((text, self.now))
            self.put(95, "BII", 0, self.runs, text)

    def step(self):
        self.now += self.any.randrange(1, 50)
        if not self.runs:  # an interrupt acts
            self.first_irq = min(self.first_irq, self.now)
            self.put(88, "BHBB", 0, 7, 1, 0)
            self.give(self.any.choice([self.QUEUE, self.SEMA]))
            self.put(88, "BHBB", 1, 7, 0, 0)
            if self.ready:
                self.switch(0)
        elif self.runs in self.waits:
            self.take(self.waits[self.runs][0])
        else:
            what = self.any.randrange(6)
            if what < 2:
                self.give(self.any.choice([self.QUEUE, self.SEMA]))
            elif what < 4:
                self.take(self.any.choice([self.QUEUE, self.SEMA]))
            elif what == 4:
                self.span()
            else:
                text, value = self.any.choice([0x08000300, 0x08000400]), self.any.randrange(-5, 1000)
                self.put(96, "Ii", text, value)
                self.want["counter"].append((self.TEXTS[text], self.now, value))
            if self.runs and self.ready and self.any.random() < 0.2:
                self.now += 1
                self.ready.append(self.runs)
                self.switch(1)
