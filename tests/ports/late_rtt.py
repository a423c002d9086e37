# SPDX-License-Identifier: MIT
# A debug probe that only reads the RTT up buffer of tests/ports/late_rtt.c, whose memory it shares, and is disconnected
# most of the time: late_rtt.py WALLFLY BOARD_PROGRAM NAMES
# NAMES: all, or none. A turn is 10 ms of the target's clock.
import json
import mmap
import os
import struct
import subprocess
import sys

wallfly, program, wanted = sys.argv[1:]
BASE, RAM = 0x21000000, 16 << 20
SECOND = 100  # turns
STAYS = SECOND + 20
NAMES = {"STEP", "RED", "on_button", "PRESSED", "an_object", "of_arm[0]", "of_arm[1]", "of_arm[2]", "SysTick", "idle_task",
         "main_task", "the_mutex", "the_sema", "the_queue", "the_flags", "the_cond", "the_timer", "the_heap"}
# Turn of the connect, whether it skips the buffer's contents then, bytes it reads in a turn.
VISITS = [(0, False, 512), (400, False, 512), (700, True, 512), (1000, False, 40), (1300, True, 40)]


class Probe:
    def __init__(self, memory):
        self.memory = memory
        at = memory.find(b"SEGGER RTT" + bytes(6))
        assert at >= 0 and memory.find(b"SEGGER RTT" + bytes(6), at + 1) < 0
        self.up = at + 24
        name, self.buffer, self.size = struct.unpack_from("<III", memory, self.up)
        assert self.size == 512, self.size

    def offsets(self):
        return struct.unpack_from("<II", self.memory, self.up + 12)

    def set_read(self, read):
        struct.pack_into("<I", self.memory, self.up + 16, read)

    def skip(self):
        self.set_read(self.offsets()[0])

    def is_full(self):
        write, read = self.offsets()
        return (write + 1) % self.size == read

    def take(self, most):
        write, read = self.offsets()
        start, taken = self.buffer - BASE, bytearray()
        while read != write and len(taken) < most:
            taken.append(self.memory[start + read])
            read = (read + 1) % self.size
        self.set_read(read)
        return bytes(taken)


def run():
    """Returns the data that each visit read, turn by turn."""
    with open("ram.bin", "wb") as f:
        f.truncate(RAM)
    for name in ("to_probe", "to_target"):
        if os.path.exists(name):
            os.unlink(name)
        os.mkfifo(name)
    target = subprocess.Popen(
        ["qemu-system-arm", "-M", "mps2-an385,memory-backend=psram", "-object",
         f"memory-backend-file,id=psram,size={RAM},mem-path=ram.bin,share=on", "-nographic", "-monitor", "none", "-serial", "none",
         "-semihosting-config", "enable=on,target=native", "-icount", "shift=6", "-kernel", program], stdin=subprocess.DEVNULL)
    try:
        read = [[] for _ in VISITS]
        with open("to_probe", "rb", buffering=0) as turns, open("to_target", "wb", buffering=0) as go, \
                open("ram.bin", "r+b") as f, mmap.mmap(f.fileno(), RAM) as memory:
            probe = None
            for turn in range(VISITS[-1][0] + STAYS):
                assert turns.read(1) == b"\1", "the target has ended"
                probe = probe or Probe(memory)
                for (comes, skips, most), got in zip(VISITS, read):
                    if turn == comes and comes:
                        assert probe.is_full(), "the probe was away, and the buffer has room"
                    if turn == comes and skips:
                        probe.skip()
                    if comes <= turn < comes + STAYS:
                        got.append(probe.take(most))
                go.write(b"\1")
            assert turns.read(1) == b"\1"
            go.write(b"\0")
            assert turns.read(1) == b""
        assert target.wait(timeout=300) == 0, target.returncode
        return read
    finally:
        if target.poll() is None:
            target.kill()
        target.wait()


def records(stream):
    p = subprocess.run([wallfly, "convert", "--to=jsonl", "-o", "-", "-"], input=stream, capture_output=True)
    assert p.returncode == 0, p.stderr
    return [json.loads(line) for line in p.stdout.splitlines()]


def names_in(stream):
    return {r["fields"]["name"] for r in records(stream) if r.get("name", "").endswith("_dict") and "name" in r["fields"]}


for visit, turns in zip(VISITS, run()):
    comes, skips, most = visit
    known = names_in(b"".join(turns[:SECOND]))
    if wanted == "none":  # names announced at the start may still be in the buffer
        assert skips is False or not known, (visit, known)
        continue
    assert known == NAMES, (visit, NAMES ^ known)
    print(f"{program}: joined after {comes / SECOND:.0f} s, {most} bytes a turn: has {len(known)} names within a second")
