#!/usr/bin/env python3
"""Counts the instructions that decode a record without output, by callgrind: those of a longer trace minus those of a
shorter one, per record. Frames and packed frames of the same program. Usage: decode.py BENCH_DECODE KERNEL
KERNEL_PACKED. Prints "host-decode-KIND,instructions"."""
import os
import re
import subprocess
import sys
import tempfile

bench, *kernels = sys.argv[1:]


def count(trace, kernel, seconds):
    """Returns the numbers of records and instructions for a trace of so many seconds."""
    subprocess.run([kernel, "--ms=%d000" % seconds, "-o", trace, "mutex"], check=True)
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", bench, "--once", trace],
                         check=True, capture_output=True, text=True)
    return int(run.stdout), int(re.search(r"Collected : (\d+)", run.stderr)[1])


with tempfile.TemporaryDirectory() as folder:
    for kind, kernel in zip(["frames", "packed"], kernels):
        trace = os.path.join(folder, kind)
        short, long = count(trace, kernel, 20), count(trace, kernel, 60)
        print("host-decode-%s,%.1f" % (kind, (long[1] - short[1]) / (long[0] - short[0])))
