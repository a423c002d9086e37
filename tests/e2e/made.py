# SPDX-License-Identifier: MIT
"""Small traces with one subject each. Usage: made.py WALLFLY WHAT FILE [NUMBER]
  twice      NUMBER interrupts whose exit is recorded twice, the depth counted in a byte
  missing    NUMBER interrupts, one in four without an exit; the depth grows
  nests      nested interrupts on two cores, all in pairs
  children   NUMBER tasks "child" that end one after the other, and a task that creates them
  raised     a mutex holder of priority 1 that is raised to 4; NUMBER times, and once more at the end
  foreign    raised, and interrupts that do not pair; names with controls and with characters of 3 bytes
  extremes   tasks, interrupts, objects with figures of all magnitudes; NUMBER: the seed
  hole       a mutex that is free, then a loss, then no record of the mutex for a long time
  startup    a mutex, a queue and NUMBER times interrupts before the scheduler runs
  heaps      NUMBER marks of a heap, half as many of one of unknown size, two of one without a name
  blocks     NUMBER random blocks of a heap that was created in the trace, and of one that was there before
  rare       a task that runs for NUMBER ppm of the time, and one that runs for the rest"""
import json
import random
import subprocess
import sys

import random_system

wallfly, what, path = sys.argv[1:4]
number = int(sys.argv[4]) if len(sys.argv) > 4 else 1
random_system.Frames.schema = json.loads(subprocess.check_output([wallfly, "schema", "--json"]))
f = random_system.Frames(number, 1, False)
LOW, HIGH, OTHER, PRINTER = 0x2000, 0x2010, 0x2020, 0x4000
PREEMPTED, BLOCKED, DELAYED, ENDED = 1, 4, 5, 7


def at(ticks, name, *values):
    f.now += ticks
    f.put(name, *values)


def sync(hz=1000000):
    """The start records of a target: clock, loss counts of 0, sizes."""
    numbers = ((3, 8), (f.now, 8), (hz, 4), (0, 8), (0, 4), (0, 8), (0, 1), (0, 1), (0, 4))
    sizes = bytes([0x22, 0x41, 0x22, 0x44, 4])
    f.frame(0, b"")
    f.frame(64, bytes([0xFF]) + (740).to_bytes(2, "little") + sizes + bytes([64, 0x13]) + bytes([0, 0, 12, 1, 1, 26]))
    f.frame(82, b"".join(value.to_bytes(size, "little") for value, size in numbers) + sizes)


def task(key, name, prio):
    at(1, "task_create", key, prio)
    f.put("obj_dict", key, name)
    at(1, "task_ready", key, 0)


def two_tasks():
    task(LOW, b"low", 1)
    task(HIGH, b"high", 4)
    at(1, "task_switch", HIGH, 0, 0)


def twice():
    nest = 0
    for _ in range(number):
        at(900, "task_switch", LOW, DELAYED, 0)
        nest += 1
        at(100, "irq_enter", 15, nest, 0)
        at(10, "irq_exit", 15, nest, 0)
        nest -= 1
        f.put("irq_exit", 15, nest, 0)
        nest -= 1
        at(1, "task_ready", HIGH, 0)
        at(1, "task_switch", HIGH, PREEMPTED, 0)


def missing():
    nest = 0
    for i in range(number):
        at(400, "task_switch", LOW, DELAYED, 0)
        nest += 1
        at(100, "irq_enter", 15, nest, 0)
        at(1, "task_ready", HIGH, 0)
        if i % 4:
            at(10, "irq_exit", 15, nest, 0)
            nest -= 1
        at(1, "task_switch", HIGH, PREEMPTED, 0)
        at(50, "task_switch", 0, BLOCKED, 0)


def nests():
    for i in range(200):
        for core in (0, 1):
            for depth in range(1, 2 + i % 9):
                at(3, "irq_enter", 3 + depth // 2, depth, core)
            for depth in range(1 + i % 9, 0, -1):
                at(5, "irq_exit", 3 + depth // 2, depth, core)


def children():
    f.put("obj_dict", PRINTER, b"printer")
    at(1, "mutex_create", PRINTER)
    for i in range(number):
        child = 0x8000 + 16 * i
        task(child, b"child", 2)
        at(100, "task_switch", child, BLOCKED, 0)
        at(10, "mutex_take", PRINTER, child, 1)
        at(10 + i, "mutex_give", PRINTER, child, 0)
        at(10, "task_switch", HIGH, ENDED, 0)
        at(1, "task_delete", child)


def raised():
    f.put("obj_dict", PRINTER, b"printer")
    at(1, "mutex_create", PRINTER)
    for i in range(number + 1):
        at(100, "task_switch", LOW, BLOCKED, 0)
        at(10, "mutex_take", PRINTER, LOW, 1)
        at(100, "task_ready", HIGH, 0)
        at(1, "task_switch", HIGH, PREEMPTED, 0)
        at(10, "mutex_wait", PRINTER, HIGH)
        at(1, "task_priority", LOW, 4)
        at(1, "task_switch", LOW, BLOCKED, 0)
        at(500, "irq_enter", 15, 1, 0)
        at(10, "irq_exit", 15, 1, 0)
        if i < number:
            at(500, "mutex_give", PRINTER, LOW, 0)
            at(1, "task_priority", LOW, 1)
            at(1, "task_ready", HIGH, 0)
            at(1, "task_switch", HIGH, PREEMPTED, 0)
            at(1, "mutex_take", PRINTER, HIGH, 1)
            at(5, "mutex_give", PRINTER, HIGH, 0)


def foreign():
    names = (b"{\x1b[2J}", b"{\x07\xe2\x80\xae\xc2\x9b}", "\u6e2c\u5b9a\u4efb\u52a1".encode() * 12)
    f.put("irq_dict", 15, b"{\n  raised by \x7f}")
    raised()
    for _ in range(2):
        at(100, "irq_enter", 15, 1, 0)
        at(3, "irq_exit", 15, 1, 0)
        at(3, "irq_exit", 15, 0, 0)
    for key, name in zip((LOW, HIGH, PRINTER), names):
        f.put("obj_dict", key, name)


def extremes():
    rnd = random.Random(number)

    def length():
        return rnd.randrange(1 << rnd.randrange(31)) + 1

    heap, queue, sema, timer = 0x5000, 0x5010, 0x5020, 0x5030
    at(1, "heap_create", heap, 0xFFFFFFFF)
    at(1, "queue_create", queue, 0xFFFF)
    at(1, "sema_create", sema, rnd.randrange(1 << 16))
    at(1, "mutex_create", PRINTER)
    for key, name in ((heap, b"h" * 200), (queue, b"q"), (sema, b"s"), (PRINTER, b"1 2 3"), (0x7000, b"9")):
        f.put("obj_dict", key, name)
    for _ in range(rnd.randrange(20, 400)):
        at(length(), "task_switch", LOW, rnd.choice([PREEMPTED, BLOCKED, DELAYED]), 0)
        at(length(), "mutex_take", PRINTER, LOW, 1)
        at(length(), "irq_enter", rnd.choice([1, 65534, 77]), 1, 0)
        at(length(), "counter", 0x7000, rnd.choice([-(1 << 31), (1 << 31) - 1, 0, 7]))
        at(length(), "queue_send", queue, 0, rnd.randrange(1 << 16))
        at(length(), "irq_exit", rnd.choice([1, 65534, 77]), 1, 0)
        at(length(), "span_begin", LOW, 0x7000)
        at(length(), "span_end", LOW, 0x7000)
        at(length(), "mutex_give", PRINTER, LOW, 0)
        at(length(), "task_ready", HIGH, 0)
        at(length(), "task_switch", HIGH, rnd.choice([PREEMPTED, BLOCKED, DELAYED]), 0)
        at(1, "task_priority", HIGH, rnd.choice([-32767, 32767, 4]))
        at(length(), "task_ready", LOW, 0)
        if rnd.random() < 0.1 * (number % 3):
            f.seq += rnd.randrange(250)  # records are missing


def hole():
    f.put("obj_dict", PRINTER, b"printer")
    at(1, "mutex_create", PRINTER)
    at(1000, "mutex_take", PRINTER, HIGH, 1)
    at(1000, "mutex_give", PRINTER, HIGH, 0)
    at(3000, "task_switch", LOW, DELAYED, 0)
    f.seq += 3
    at(1000, "task_ready", HIGH, 0)
    at(4000, "task_switch", HIGH, PREEMPTED, 0)
    at(4000, "task_switch", LOW, DELAYED, 0)
    at(1, "mutex_take", PRINTER, LOW, 1)
    at(1000, "mutex_give", PRINTER, LOW, 0)
    at(1000, "task_switch", HIGH, DELAYED, 0)


def startup():
    f.put("obj_dict", PRINTER, b"printer")
    at(1, "mutex_create", PRINTER)
    at(1000, "span_begin", 0, 0x7000)
    at(2000, "span_end", 0, 0x7000)
    at(1, "queue_create", 0x5010, 4)
    f.put("obj_dict", 0x5010, b"jobs")
    at(1, "queue_send", 0x5010, 0, 1)
    for _ in range(number):
        at(1, "irq_enter", 3, 1, 0)
        at(1, "queue_send", 0x5010, 0, 2)
        at(1, "irq_exit", 3, 1, 0)
        if number > 1:
            at(1, "queue_send", 0x5010, 0, 3)
    two_tasks()
    at(1000, "irq_enter", 15, 1, 0)
    at(10, "span_begin", 0, 0x7000)
    at(10, "span_end", 0, 0x7000)
    at(100, "queue_send", 0x5010, 0, 3)
    at(100, "irq_exit", 15, 1, 0)
    at(1000, "task_switch", LOW, DELAYED, 0)


def heaps():
    at(1, "heap_create", 0x5000, 8192)
    at(1, "heap_create", 0x5020, 2)
    for key, name in ((0x5000, b"heap"), (0x5010, b"pool")):
        f.put("obj_dict", key, name)
    for i in range(number):
        at(100, "task_switch", LOW if i % 2 else HIGH, DELAYED, 0)
        at(100, "heap_low", 0x5000, max(8000 - i, 0))
        if i % 2:
            at(100, "heap_low", 0x5010, 2 ** 32 - 1 - i)
        if i in (0, number // 2):
            at(100, "heap_low", 0x5020, 2 if i == 0 else 1)
    at(100 * number, "task_switch", LOW, DELAYED, 0)


def blocks():
    at(1, "heap_create", 0x5000, 65536)
    for key, name in ((0x5000, b"heap"), (0x5010, b"older")):
        f.put("obj_dict", key, name)
    rng, used = random.Random(number), {}
    at(100, "heap_free", 0x5010, LOW, 0x70000, 64)  # allocated before
    for i in range(number):
        place = (0x5000 if rng.random() < 0.7 else 0x5010, LOW, 0x60000 + 64 * rng.randrange(200))
        size = used.pop(place, None)
        if size is None:
            used[place] = 1 + rng.randrange(300)
            at(100, "heap_alloc", *place, used[place])
        else:
            at(100, "heap_free", *place, size if i % 2 else 0)
        if i % 50 == 0:
            at(10, "heap_low", 0x5000, max(60000 - i, 0))
    at(1000, "task_switch", LOW, DELAYED, 0)


def rare():
    for _ in range(2000):
        at(1000000 - number, "task_switch", LOW, DELAYED, 0)
        at(number, "task_switch", HIGH, DELAYED, 0)


sync([1000000, 1, 7, 1000000000, 32768][number % 5] if what == "extremes" else 1000000)
if what not in ("nests", "startup"):
    two_tasks()
globals()[what]()
open(path, "wb").write(f.out)
