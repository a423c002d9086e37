# SPDX-License-Identifier: MIT
"""Traces of two targets that send each other messages, and when that was in truth.
Usage: exchange.py WALLFLY NUMBER SEED [HZ]: writes one.bin, two.bin and truth.json.
  one.bin    its clock is the true time: ticks of 1 us
  two.bin    its clock is 50 ppm fast, and 3 s behind; HZ: its ticks per second (1000000)
  truth.json sent: [id, true us of the sending, of the receiving] by one, replies: the same by two; offset, drift, hz
Some records of two.bin are missing. A task of its own sends, another one receives; both record a moment `pulse`
every 16th time, at once."""
import json
import math
import random
import subprocess
import sys

import random_system

wallfly, number, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random_system.Frames.schema = json.loads(subprocess.check_output([wallfly, "schema", "--json"]))
OFFSET, DRIFT, US = 3_000_000, 50e-6, 1_000_000
hz = int(sys.argv[4]) if len(sys.argv) > 4 else US
SENDER, RECEIVER = 0x2000, 0x2010
SENT, RECEIVED, PULSE = 100, 101, 102
U32 = 0x05  # of an application record: an unsigned number of 4 bytes
rnd = random.Random(seed)


class Target(random_system.Frames):
    def __init__(self, hz, clock):
        super().__init__(seed, 1, False)
        self.hz, self.clock, self.events = hz, clock, []

    def begin(self, at):
        self.now = self.clock(at)
        numbers = ((3, 8), (self.now, 8), (self.hz, 4), (0, 8), (0, 4), (0, 8), (0, 1), (0, 1), (0, 4))
        sizes = bytes([0x22, 0x41, 0x22, 0x44, 4])
        self.frame(0, b"")
        self.frame(64, bytes([0xFF]) + (740).to_bytes(2, "little") + sizes + bytes([64, 0x13]) + bytes([0, 0, 12, 1, 1, 26]))
        self.frame(82, b"".join(value.to_bytes(size, "little") for value, size in numbers) + sizes)
        for key, name, prio in ((SENDER, b"sender", 2), (RECEIVER, b"receiver", 3)):
            self.put("task_create", key, prio)
            self.put("obj_dict", key, name)
        for record, name in ((SENT, b"sent"), (RECEIVED, b"received"), (PULSE, b"pulse")):
            self.put("usr_dict", record, name)

    def write(self, path):
        for at, record, number in sorted(self.events):
            self.now = self.clock(at)
            if record != PULSE:
                self.put("task_switch", SENDER if record == SENT else RECEIVER, 1, 0)
            self.frame(record, (self.now % 2 ** 32).to_bytes(4, "little") + bytes([U32]) + number.to_bytes(4, "little"))
        with open(path, "wb") as f:
            f.write(self.out)


one = Target(US, int)
two = Target(hz, lambda at: math.floor((at - OFFSET) * (1 + DRIFT) * hz / US))
truth = {"sent": [], "replies": [], "offset": OFFSET, "drift": DRIFT, "hz": hz}
at = 4_000_000
one.begin(at - 1000)
two.begin(at - 1000)
for i in range(number):
    at += rnd.randrange(2000, 9000)
    received, replied = at + rnd.randrange(60, 900), at + rnd.randrange(1000, 1500)
    back = replied + rnd.randrange(40, 400)
    one.events += [(at, SENT, i), (back, RECEIVED, i)]
    two.events += [(received, RECEIVED, i), (replied, SENT, i)] if rnd.random() > 0.02 else []
    truth["sent"].append([i, at, received])
    truth["replies"].append([i, replied, back])
    if i % 16 == 0:
        one.events.append((back + 500, PULSE, i))
        two.events.append((back + 500 + rnd.randrange(0, 4), PULSE, i))
one.write("one.bin")
two.write("two.bin")
with open("truth.json", "w") as f:
    json.dump(truth, f)
