#!/usr/bin/env python3
"""Counts the instructions of `wallfly convert --to=perfetto --to=vcd --to=sqlite`, by callgrind: those
of a longer trace minus those of a shorter one, per record, so that the start does not count.
Usage: convert.py WALLFLY PHILOSOPHERS KERNEL. Prints "host-convert-TRACE,instructions"."""
import json
import os
import re
import subprocess
import sys
import tempfile

wallfly, philosophers, kernel = sys.argv[1:]
TRACES = {"qp": [philosophers, "--fast", "--seconds=%d"], "rtos": [kernel, "--ms=%d000", "mutex"]}


def count(folder, make, seconds):
    """Returns the numbers of records and instructions for a trace of so many seconds."""
    trace, out = os.path.join(folder, "trace"), os.path.join(folder, "out")
    make = [arg.replace("%d", str(seconds)) for arg in make]
    subprocess.run([*make, "-o", trace], check=True, capture_output=True)
    info = json.loads(subprocess.check_output([wallfly, "info", "--json", trace]))
    log = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", wallfly,
                          "convert", "--to=perfetto", "--to=vcd", "--to=sqlite", "-o", out, trace],
                         check=True, capture_output=True, text=True).stderr
    instructions = int(re.search(r"Collected : (\d+)", log)[1])
    return sum(r["count"] for r in info["records"]), instructions


with tempfile.TemporaryDirectory() as folder:
    for name, make in TRACES.items():
        short, long = count(folder, make, 20), count(folder, make, 60)
        print("host-convert-%s,%.1f" % (name, (long[1] - short[1]) / (long[0] - short[0])))
