"""Traces with every kind of figure, for `wallfly check`. Usage: check_traces.py WALLFLY FOLDER
Writes good.bin, 40 rounds of 10 ms at 1 MHz, and lossy.bin, the same with 3 records missing in round 20. A round:
  uart_rx (interrupt 15) runs for 20 us and wakes comm, which runs 30 us later; comm puts an entry into a queue and works
  for 2 ms; control takes the bus for 400 us, waits once for the lock of logger (low, mid runs meanwhile: an inversion),
  and mid for the gate of logger (none);
  a timer, a span, a counter that counts from -3, marks of stack and heap, a machine that goes from idle to busy and back."""
import json
import subprocess
import sys

wallfly, folder = sys.argv[1:3]
sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/e2e")
import random_system  # noqa: E402

random_system.Frames.schema = json.loads(subprocess.check_output([wallfly, "schema", "--json"]))
COMM, CONTROL, LOGGER, MID = 0x2000, 0x2010, 0x2020, 0x2030
BUS, LOCK, GATE, QUEUE, TIMER, HEAP, MACHINE = 0x4000, 0x4010, 0x4020, 0x5000, 0x6000, 0x7000, 0x8000
PARSE, TEMPERATURE, IDLE, BUSY, FAULT = 0x9000, 0x9010, 0xA000, 0xA010, 0xA020
PREEMPTED, BLOCKED, DELAYED = 1, 4, 5
ROUNDS, PERIOD = 40, 10000


def sync(f):
    """The start records of a target: clock, loss counts of 0, sizes."""
    numbers = ((3, 8), (f.now, 8), (1000000, 4), (0, 8), (0, 4), (0, 8), (0, 1), (0, 1), (0, 4))
    sizes = bytes([0x22, 0x41, 0x22, 0x44, 4])
    f.frame(0, b"")
    f.frame(64, bytes([0xFF]) + (740).to_bytes(2, "little") + sizes + bytes([64, 0x13]) + bytes([0, 0, 12, 1, 1, 26]))
    f.frame(82, b"".join(value.to_bytes(size, "little") for value, size in numbers) + sizes)


def make(path, missing):
    f = random_system.Frames(1, 1, False)

    def at(ticks, name, *values):
        f.now += ticks
        f.put(name, *values)

    sync(f)
    for key, prio in ((COMM, 1), (CONTROL, 2), (MID, 3), (LOGGER, 4)):
        at(0, "task_create", key, prio)
    at(0, "task_switch", LOGGER, DELAYED, 0)  # at the first time, so that the core is never unknown
    for key, name in ((COMM, b"comm"), (CONTROL, b"control"), (LOGGER, b"logger"), (MID, b"mid"), (BUS, b"bus"),
                      (LOCK, b"lock"), (GATE, b"gate"), (QUEUE, b"rx"), (TIMER, b"beat"), (HEAP, b"heap"), (MACHINE, b"pump"),
                      (PARSE, b"parse"), (TEMPERATURE, b"temperature")):
        f.put("obj_dict", key, name)
    for key, name in ((IDLE, b"idle"), (BUSY, b"busy"), (FAULT, b"fault")):
        f.put("fun_dict", key, name)
    f.put("irq_dict", 15, b"uart_rx")
    f.put("usr_dict", 100, b"FAULT")
    for mutex in (BUS, LOCK, GATE):
        at(1, "mutex_create", mutex)
    at(1, "queue_create", QUEUE, 4)
    at(1, "timer_create", TIMER, PERIOD)
    at(1, "heap_create", HEAP, 8192)
    at(1, "init_tran", MACHINE, IDLE)
    for i in range(ROUNDS):
        begin = f.now = 2000 + i * PERIOD
        at(0, "timer_expire", TIMER)
        if i == missing:
            f.seq += 3
        at(10, "irq_enter", 15, 1, 0)
        at(10, "task_ready", COMM, 0)
        at(10, "irq_exit", 15, 1, 0)
        at(10, "task_switch", COMM, PREEMPTED, 0)
        at(10, "span_begin", COMM, PARSE)
        at(100, "queue_send", QUEUE, COMM, 1)
        at(100, "queue_send", QUEUE, COMM, 2)
        at(1000, "span_end", COMM, PARSE)
        at(10, "counter", TEMPERATURE, i - 3)
        at(10, "dispatch", 5, MACHINE, IDLE)
        at(50, "tran", 5, MACHINE, IDLE, BUSY)
        at(690, "task_stack", COMM, 300 - i, 1024)
        at(10, "task_switch", LOGGER, BLOCKED, 0)
        at(10, "mutex_take", LOCK, LOGGER, 1)
        at(10, "mutex_take", GATE, LOGGER, 1)
        at(100, "task_ready", CONTROL, 0)
        at(10, "task_switch", CONTROL, PREEMPTED, 0)
        at(10, "mutex_take", BUS, CONTROL, 1)
        at(400, "mutex_give", BUS, CONTROL, 0)
        at(10, "queue_receive", QUEUE, CONTROL, 1)
        at(10, "queue_receive", QUEUE, CONTROL, 0)
        at(10, "mutex_wait", LOCK, CONTROL)
        at(10, "task_switch", LOGGER, BLOCKED, 0)
        at(100, "task_ready", MID, 0)
        at(10, "task_switch", MID, PREEMPTED, 0)
        at(500, "heap_low", HEAP, 4096 - i)
        at(10, "mutex_wait", GATE, MID)
        at(10, "task_switch", LOGGER, BLOCKED, 0)
        at(100, "mutex_give", GATE, LOGGER, 0)
        at(10, "task_ready", MID, 0)
        at(10, "task_switch", MID, PREEMPTED, 0)
        at(10, "mutex_take", GATE, MID, 1)
        at(10, "mutex_give", GATE, MID, 0)
        at(10, "task_switch", LOGGER, BLOCKED, 0)
        at(100, "mutex_give", LOCK, LOGGER, 0)
        at(10, "task_ready", CONTROL, 0)
        at(10, "task_switch", CONTROL, PREEMPTED, 0)
        at(10, "mutex_take", LOCK, CONTROL, 1)
        at(10, "mutex_give", LOCK, CONTROL, 0)
        at(10, "dispatch", 6, MACHINE, BUSY)
        at(50, "tran", 6, MACHINE, BUSY, IDLE)
        at(10, "task_switch", LOGGER, BLOCKED, 0)
        assert f.now - begin < PERIOD
    f.now += 5000
    at(0, "task_switch", 0, DELAYED, 0)
    open(path, "wb").write(f.out)


make(folder + "/good.bin", -1)
make(folder + "/lossy.bin", ROUNDS // 2)
