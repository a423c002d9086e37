#!/usr/bin/env python3
"""Compares the processor time of `wallfly stats` with that of `wallfly info` on the same trace of an
RTOS, and checks that its memory does not grow with the trace. Usage: stats.py WALLFLY KERNEL DIR"""
import json
import os
import re
import subprocess
import sys

wallfly, kernel, folder = sys.argv[1:]


def seconds_of(command, file):
    """Returns processor seconds, the best of three runs."""
    best = 1e9
    for _ in range(3):
        p = subprocess.Popen([wallfly, command, "--json", file], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        assert p.returncode == 0
        best = min(best, used.ru_utime)
    return best


def memory_of(file):
    """Returns the peak MiB when all but the end of the file has arrived."""
    p = subprocess.Popen([wallfly, "stats", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    p.stdin.write(open(file, "rb").read())
    p.stdin.flush()
    peak = re.search(r"VmHWM:\s+(\d+) kB", open(f"/proc/{p.pid}/status").read())
    p.stdin.close()
    assert p.wait() == 0
    return int(peak[1]) / 1024


long, short = os.path.join(folder, "long.trace"), os.path.join(folder, "short.trace")
subprocess.run([kernel, "--ms=4000000", "-o", long, "mutex"], check=True)
subprocess.run([kernel, "--ms=40000", "-o", short, "mutex"], check=True)
records = sum(r["count"] for r in json.loads(subprocess.check_output(
    [wallfly, "info", "--json", long]))["records"])
seconds, peak, least = seconds_of("stats", long), memory_of(long), memory_of(short)
print("host-stats,%.1f M records/s,%.1f times the time of info,%.1f MiB (%.1f with a 100th of the trace)"
      % (records / seconds / 1e6, seconds / seconds_of("info", long), peak, least))
sys.exit(peak > least + 1)
