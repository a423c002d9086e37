#!/usr/bin/env python3
"""Counts the instructions that decode a record without output, by callgrind: those of a longer trace minus those of a
shorter one, per record. Frames and packed frames of the same program; and those that also search a record for a text:
a name, which is decided by few values, and digits, for which sentences are made. Usage: decode.py BENCH_DECODE KERNEL
KERNEL_PACKED. Prints "host-decode-KIND,instructions" and "host-search-KIND,instructions"."""
import os
import re
import subprocess
import sys
import tempfile

bench, *kernels = sys.argv[1:]


def count(trace, kernel, seconds, task):
    """Returns the numbers of records and instructions of a task for a trace of so many seconds."""
    subprocess.run([kernel, "--ms=%d000" % seconds, "-o", trace, "mutex"], check=True)
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", bench, task, trace],
                         check=True, capture_output=True, text=True)
    return int(run.stdout), int(re.search(r"Collected : (\d+)", run.stderr)[1])


def measure(name, kernel, task):
    trace = os.path.join(folder, "trace")
    short, long = count(trace, kernel, 20, task), count(trace, kernel, 60, task)
    print("host-%s,%.1f" % (name, (long[1] - short[1]) / (long[0] - short[0])))


with tempfile.TemporaryDirectory() as folder:
    measure("decode-frames", kernels[0], "--once")
    measure("decode-packed", kernels[1], "--once")
    measure("search-name", kernels[0], "--search=printer")
    measure("search-digits", kernels[0], "--search=321")
