#!/usr/bin/env python3
"""Damages a trace after its names: drops whole frames and flips single bits.
Usage: stats_damage.py TRACE SEED COUNT OUT"""
import random
import sys

source, seed, count, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
frames = [f + b"\x7e" for f in open(source, "rb").read().split(b"\x7e")[:-1]]
any_ = random.Random(seed)
for _ in range(count):
    at = any_.randrange(40, len(frames))
    if any_.random() < 0.5:
        del frames[at]
    else:
        frame = bytearray(frames[at])
        frame[any_.randrange(len(frame))] ^= 1 << any_.randrange(8)
        frames[at] = bytes(frame)
open(out, "wb").write(b"".join(frames))
