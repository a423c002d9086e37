# SPDX-License-Identifier: MIT
"""Frames of a random system for the tests of writers: cores, interrupts, all kinds of objects, and names that are
special for readers. Frames.schema must be set: wallfly schema --json."""
import random
import re
from collections import defaultdict

HOSTILE = ["[exec touch pwned]", "$env(HOME)", "\\", '"', "{", "}", ";exec touch pwned", "a\nexec touch pwned\n",
           "\\\n", '"; exec touch pwned; "', "}; exec touch pwned; {", "#", "\u00e4\u20ac\U0001f600", "$x(", "[", "]",
           "\r\nexit", "\x1b[31m", "\\u005bexec touch pwned\\u005d", "task1", "exit", "a b", "${x}", "%s%n", b"\x81\\", b"\xff[exec touch pwned]", b"\xe2\x82"]
SIZES = {"TIME": 4, "OBJ": 4, "FUN": 4, "SIG": 2, "EQC": 1, "WHICH": 1, "CORE": 1, "U8": 1, "U16": 2, "U32": 4}


class Frames:
    schema = None

    def __init__(self, seed, cores, lossy):
        self.rnd, self.cores, self.lossy = random.Random(seed), cores, lossy
        self.out, self.seq, self.now = bytearray(), 0, 1000
        self.rows = {r["name"]: r for r in self.schema["records"]}

    def put(self, name, *values):
        """Appends a record; values of all fields but time and selector."""
        row, payload, values = self.rows[name], b"", list(values)
        for field in row["fields"]:
            if field["type"] == "STR":
                payload += values.pop(0) + b"\0"
                continue
            value = self.now if field["type"] == "TIME" else row["select"] if field["type"] == "WHICH" else values.pop(0)
            payload += (value % 256 ** SIZES[field["type"]]).to_bytes(SIZES[field["type"]], "little")
        assert not values, name
        self.frame(row["id"], payload)

    def frame(self, number, payload):
        self.seq = (self.seq + 1) % 256
        if self.lossy and self.rnd.random() < 0.01:
            return
        body = bytes([self.seq, number]) + payload
        body += bytes([~sum(body) % 256])
        for byte in body:
            self.out += bytes([0x7D, byte ^ 0x20]) if byte in (0x7D, 0x7E) else bytes([byte])
        self.out.append(0x7E)

    def start(self):
        rnd = self.rnd
        self.names = {}
        self.tasks = [0x2000 + 16 * i for i in range(rnd.randrange(3, 9))]
        self.mutexes, self.sems, self.queues = [0x4000, 0x4010], [0x5000], [0x6000]
        self.state = {}
        self.running = [0] * self.cores
        self.irqs = [[] for _ in range(self.cores)]
        self.holds = defaultdict(list)  # by task
        self.holder = {}
        self.count = {0x5000: 1, 0x6000: 0}
        for task in self.tasks:
            self.put("task_create", task, rnd.randrange(256))
            self.name(task)
            self.put("task_ready", task, 0)
            self.state[task] = "ready"
        for mutex in self.mutexes:
            self.put("mutex_create", mutex)
            self.name(mutex)
        self.put("sema_create", 0x5000, 1)
        self.put("queue_create", 0x6000, 4)
        self.name(0x6000)

    def name(self, thing):
        text = self.rnd.choice(HOSTILE + ["plain%x" % thing])
        raw = text if isinstance(text, bytes) else text.encode()
        self.put("obj_dict", thing, raw)
        # Bytes of invalid UTF-8 are read one by one; Tcl 8 has no characters beyond 16 bits.
        text = raw.decode("latin-1") if raw is text else text
        self.names[thing] = re.sub("[\U00010000-\U0010ffff]", "\ufffd", text)

    def switch(self, core, reason, state):
        ready = [t for t in self.tasks if self.state[t] == "ready"]
        was = self.running[core]
        to = self.rnd.choice(ready + [0])
        if was:
            self.state[was] = state
        self.running[core] = to
        if to:
            self.state[to] = "running"
        self.put("task_switch", to, reason, core)

    def task_step(self, core):
        rnd, task = self.rnd, self.running[core]
        what = rnd.random()
        held = self.holds[task]
        if not task or what < 0.35:
            self.switch(core, rnd.choice([1, 2, 3]), "ready")
        elif what < 0.45 and not held:
            self.put("sema_wait", 0x5000, task)
            self.switch(core, 4, "blocked")
        elif what < 0.55:
            self.switch(core, 5, "delayed")
        elif what < 0.58:
            self.put("task_suspend", task)
            self.switch(core, 6, "suspended")
        elif what < 0.75:
            free = [m for m in self.mutexes if m not in self.holder]
            if free and (not held or rnd.random() < 0.5):
                mutex = rnd.choice(free)
                self.put("mutex_take", mutex, task, 1)
                self.holder[mutex] = task
                held.append(mutex)
            elif held:
                mutex = held.pop()
                del self.holder[mutex]
                self.put("mutex_give", mutex, task, 0)
            else:
                self.put("mutex_wait", self.mutexes[0], task)
                self.switch(core, 4, "blocked")
        elif what < 0.85:
            if self.count[0x5000] and rnd.random() < 0.5:
                self.count[0x5000] -= 1
                self.put("sema_take", 0x5000, task, self.count[0x5000])
            else:
                self.count[0x5000] += 1
                self.put("sema_give", 0x5000, task, self.count[0x5000])
        elif self.count[0x6000] and (self.count[0x6000] == 4 or rnd.random() < 0.5):
            self.count[0x6000] -= 1
            self.put("queue_receive", 0x6000, task, self.count[0x6000])
        else:
            self.count[0x6000] += 1
            self.put("queue_send", 0x6000, task, self.count[0x6000])

    def wake(self, core):
        sleeping = [t for t in self.tasks if self.state[t] not in ("ready", "running")]
        if sleeping:
            task = self.rnd.choice(sleeping)
            self.state[task] = "ready"
            self.put("task_ready", task, core)

    def step(self):
        rnd = self.rnd
        self.now += rnd.choice([0, 1, 7, 100, 5000])
        core = rnd.randrange(self.cores)
        irqs, what = self.irqs[core], rnd.random()
        if what < 0.15 and len(irqs) < 4:
            irqs.append(rnd.choice([3, 15, 40, 0xFFFF - 1]))
            self.put("irq_enter", irqs[-1], len(irqs), core)
        elif irqs and what < 0.55:
            self.put("irq_exit", irqs[-1], len(irqs), core)
            irqs.pop()
        elif what < 0.7:
            self.wake(core)
        elif irqs and what < 0.75:
            self.switch(core, 1, "ready")
        elif not irqs:
            self.task_step(core)
