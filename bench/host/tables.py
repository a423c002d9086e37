#!/usr/bin/env python3
"""Measures the speed and memory of converting traces to tables.
Usage: tables.py WALLFLY KERNEL PHILOSOPHERS FOLDER [RECORDS] [--check]
Converts RECORDS (10^7) of a kernel's schedule (at most 2 million) and of QP's philosophers to
SQLite with all tables and indexes, to JSON lines and to CSV. Rates are this machine's, by
wall-clock and by processor time (more, as a thread writes the database). --check: memory below
64 MiB, the database intact, its processor time below 25 times that of `wallfly print`."""
import os
import resource
import subprocess
import sys
import time


def run(*args):
    """Returns wall-clock and processor seconds, and peak MiB (of the largest child so far)."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used, after.ru_maxrss / 1024


def query(wallfly, file, sql):
    return subprocess.run([wallfly, "query", "--csv", file, sql], check=True, capture_output=True,
                          text=True).stdout.split()[-1]


def main():
    args = [a for a in sys.argv[1:] if a != "--check"]
    wallfly, kernel, philosophers, folder = args[:4]
    want = int(args[4]) if len(args) > 4 else 10**7
    traces = {"kernel": (kernel, "--ms=%d" % min(want // 570 * 1000, 4000000), "mutex", "-o"),
              "philosophers": (philosophers, "--fast", "--seconds=%d" % (want // 500), "-o")}
    failed = False
    for name, (program, *options) in traces.items():
        trace, out = (os.path.join(folder, "tables-bench." + end) for end in ("trace", "out"))
        subprocess.run([program, *options, trace], check=True, capture_output=True)
        plain = run(wallfly, "print", "-q", trace)
        for to in ("sqlite", "jsonl", "csv"):
            wall, used, peak = run(wallfly, "convert", "--to=" + to, "-o", out, trace)
            if to == "sqlite":
                records = int(query(wallfly, out, "select count(*) from record"))
                whole = query(wallfly, out, "pragma integrity_check") == "ok"
                failed |= not whole or used > 25 * plain[1]
            failed |= peak > 64
            print("%s,%s,%.2f million records/s,%.2f a processor,%.2f times print's,%d bytes a record,%.0f MiB at most" %
                  (name, to, records / wall / 1e6, records / used / 1e6, used / plain[1],
                   os.path.getsize(out) / records, peak), flush=True)
            os.remove(out)
        os.remove(trace)
    return "--check" in sys.argv and failed


sys.exit(main())
