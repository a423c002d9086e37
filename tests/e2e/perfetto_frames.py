# SPDX-License-Identifier: MIT
"""Frames of random records: any record of an RTOS and of QP, with a few tasks, objects and cores, in an order that may
be meaningless; every fourth trace has losses, every fifth long pauses, in which the stamp wraps."""
import random

NAMES = [b"alpha", b"beta", b"\xce\xb3 gamma", b"del\xff\xc0ta", b"e\"psi\\lon", b"z\xe2\x82 eta", b"same", b"same"]
TASKS = [0x2000 + 16 * i for i in range(5)]
MACHINES = [0x3000 + 16 * i for i in range(3)]
GROUPS = ["SM", "AO", "EQ", "MP", "QF", "TE", "SC", "SEM", "MTX", "TASK", "ISR", "MUT", "SEMA", "QUE", "EVT", "TMR",
          "HEAP", "NOTE", "FAIL"]
QP, RTOS = ["SC", "SEM", "MTX"], ["TASK", "MUT", "SEMA", "QUE", "EVT", "TMR", "HEAP"]
OBJECTS = {group: [0x4000 + 0x100 * i + 16 * j for j in range(2)] for i, group in enumerate(GROUPS)}
OBJECTS.update(SM=MACHINES, AO=MACHINES)
STATES, TEXTS, SIGNALS = [0x8000, 0x8010, 0x8020], [0x9000, 0x9010, 0x9020], [4, 5, 6]
OFTEN = ["task_switch", "task_ready", "irq_enter", "irq_exit", "dispatch", "tran", "active_post", "active_get",
         "queue_send", "queue_receive", "mutex_take", "mutex_give", "sched_next", "sched_idle", "span_begin", "span_end"]


class Frames:
    schema = None

    def __init__(self, seed):
        self.rnd, self.out, self.seq, self.now = random.Random(seed), bytearray(), 0, 1000
        self.lossy, self.pauses, self.cores = seed % 4 == 3, seed % 5 == 4, 1 + seed % 3
        self.depth, self.count = [0] * self.cores, {}
        self.bytes = {t["name"]: t["bytes"] for t in self.schema["types"]}
        self.rows = {r["name"]: r for r in self.schema["records"]}
        other = QP if seed % 2 else RTOS  # a target has one kernel
        self.names = [r["name"] for r in self.schema["records"] if self.wanted(r) and r["group"] not in other]
        self.often = [name for name in OFTEN if name in self.names]

    @staticmethod
    def wanted(row):
        """Returns true for rows that a target of QS 7.4 sends."""
        return row["group"] in GROUPS and row["since"] <= 740 <= row["until"] and row["name"] != "sched_resume"

    # ---- bytes

    def frame(self, number, payload):
        self.seq = (self.seq + 1) % 256
        if self.lossy and self.rnd.random() < 0.01:
            return
        body = bytes([self.seq, number]) + payload
        if self.lossy and self.rnd.random() < 0.003:
            body = body[:-1]  # too short for its type
        body += bytes([~sum(body) % 256])
        for byte in body:
            self.out += bytes([0x7D, byte ^ 0x20]) if byte in (0x7D, 0x7E) else bytes([byte])
        self.out.append(0x7E)

    def name(self, row, key, text, with_=None):
        size = {"sig_dict": 2, "usr_dict": 1}.get(row, 4)
        payload = key.to_bytes(size, "little") + (b"" if with_ is None else with_.to_bytes(4, "little"))
        self.frame(self.rows[row]["id"], payload + text + b"\0")

    # ---- a record

    def pick(self, field, row, core):
        """Returns a value for a field, by its kind."""
        rnd, kind, group = self.rnd, field["kind"], row["group"]
        if kind == "OBJECT" and group in OBJECTS:
            self.object = rnd.choice(OBJECTS[group])
            return self.object
        if kind == "DEPTH" and group == "QUE" and rnd.random() < 0.9:
            step = {"queue_send": 1, "queue_receive": -1}.get(row["name"], 0)
            self.count[self.object] = max(0, self.count.get(self.object, 0) + step)
            return self.count[self.object]
        if kind == "NESTING" and group in ("ISR", "QF"):
            return self.nesting(row["name"], core)
        choices = {"TASK": TASKS + [0], "ACTOR": TASKS + [0], "SENDER": MACHINES + [0], "TEXT": TEXTS, "STATE": STATES,
                   "SIGNAL": SIGNALS, "CORE": [core], "IRQ": [3, 15, 40, 0xFFFF], "REASON": range(8),
                   "PRIO": range(4), "PRIORITY": [-5, 0, 7, -32768], "SIGNED": [-7, 0, 2 ** 31 - 1]}
        if kind in choices:
            return rnd.choice(list(choices[kind]))
        if field["type"] == "OBJ":
            return rnd.choice(MACHINES + [0xA000, 0])
        return rnd.randrange(5)

    def nesting(self, name, core):
        begins = name in ("irq_enter", "isr_entry")
        if self.rnd.random() < 0.05:
            return self.rnd.randrange(1, 5)
        if begins:
            self.depth[core] += 1
            return self.depth[core]
        depth = self.depth[core]
        self.depth[core] = max(0, depth - 1)
        return depth if name == "irq_exit" else max(0, depth - 1)

    def elements(self, log):
        rnd = self.rnd
        out = b"\x0b" + rnd.choice(TEXTS).to_bytes(4, "little") if log else b""
        for _ in range(rnd.randrange(3)):
            out += rnd.choice([b"\x05\x07\0\0\0", b"\x08text \xc3\xa4\0", b"\x00\xfe"])
        return out

    def put(self, name):
        row, payload, core = self.rows[name], b"", self.rnd.randrange(self.cores)
        for field in row["fields"]:
            kind, size = field["type"], self.bytes[field["type"]]
            if kind == "STR":
                payload += b"module\0"
            elif kind == "ELEMS":
                payload += self.elements(name == "log")
            else:
                value = (self.now if kind == "TIME" else row["select"] if kind == "WHICH" else
                         self.pick(field, row, core))
                payload += (value % 256 ** size).to_bytes(size, "little")
        self.frame(row["id"], payload)

    def step(self):
        rnd = self.rnd
        self.now += rnd.choice([0, 0, 1, 7, 100, 5000])
        if self.pauses and rnd.random() < 0.01:
            self.now += rnd.choice([2 ** 30, 2 ** 31])
        if rnd.random() < 0.05:
            self.frame(100 + rnd.randrange(2), (self.now % 2 ** 32).to_bytes(4, "little") + self.elements(False))
        else:
            self.put(rnd.choice(self.often if rnd.random() < 0.5 else self.names))

    def make(self):
        self.put("empty")
        for i, key in enumerate(sum(OBJECTS.values(), []) + TEXTS + TASKS[:3]):
            self.name("obj_dict", key, NAMES[i % len(NAMES)] + b" %d" % i if i % 5 else NAMES[i % len(NAMES)])
        for key in STATES:
            self.name("fun_dict", key, b"state %x" % key)
        for key in SIGNALS:
            self.name("sig_dict", key, b"SIG_%d" % key, 0)
        self.name("usr_dict", 100, b"NAMED")
        steps = self.rnd.randrange(600, 1200)
        for i in range(steps):
            if i == steps // 2:  # a late name
                self.name("obj_dict", TASKS[3], b"late")
            self.step()
        return bytes(self.out)
