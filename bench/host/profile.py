#!/usr/bin/env python3
"""Counts the instructions that statistics take a record, without and with a profile, by callgrind: those of a longer
trace minus those of a shorter one. Usage: profile.py BENCH_PROFILE KERNEL. Prints "host-KIND,instructions"."""
import os
import re
import subprocess
import sys
import tempfile

bench, kernel = sys.argv[1:]


def count(trace, kind):
    """Returns the numbers of records and instructions."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", bench, kind, trace],
                         check=True, capture_output=True, text=True)
    return int(run.stdout), int(re.search(r"Collected : (\d+)", run.stderr)[1])


with tempfile.TemporaryDirectory() as folder:
    short, long = os.path.join(folder, "short"), os.path.join(folder, "long")
    subprocess.run([kernel, "--ms=20000", "-o", short, "mutex"], check=True)
    subprocess.run([kernel, "--ms=100000", "-o", long, "mutex"], check=True)
    for kind in "stats", "profile":
        a, b = count(short, kind), count(long, kind)
        print("host-%s,%.1f" % (kind, (b[1] - a[1]) / (b[0] - a[0])))
