#!/usr/bin/env python3
"""Compares the time of `wallfly diff` of two traces with that of `wallfly stats` of one: at most 3 times, on two
processors. Usage: diff.py WALLFLY TRACE DIR"""
import os
import shutil
import subprocess
import sys
import time

wallfly, trace, folder = sys.argv[1:]
LIMIT = 3


def seconds_of(*args):
    """Returns the time that a command takes, the best of three runs."""
    best = 1e9
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([wallfly, *args], check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


copy = os.path.join(folder, "copy.bin")
shutil.copy(trace, copy)
ratio = seconds_of("diff", trace, copy) / seconds_of("stats", trace)
os.remove(copy)
print("host-diff,%.2f times the time of statistics of one of both traces (at most %d)" % (ratio, LIMIT))
sys.exit(ratio > LIMIT)
