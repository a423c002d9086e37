#!/usr/bin/env python3
"""Measures `wallfly convert --to=perfetto` (processor time, user and system); its memory must not
grow with the trace: ten million records of QP and as many of an RTOS, to /dev/null and to a file.
Fails below 5 M records/s or above 64 MiB. Usage: perfetto.py WALLFLY PHILOSOPHERS KERNEL DIR"""
import json
import os
import subprocess
import sys

wallfly, philosophers, kernel, folder = sys.argv[1:]
LEAST, MOST = 5e6, 64


def convert(trace, out):
    """Returns seconds and peak MiB."""
    p = subprocess.Popen([wallfly, "convert", trace, "--to=perfetto", "-o", out], stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    assert p.returncode == 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(what, make, times):
    """times: number of copies of the trace in the file, each a start of the target."""
    trace, out = os.path.join(folder, what + ".trace"), os.path.join(folder, what + ".pftrace")
    subprocess.run([*make, "-o", trace + ".once"], check=True)
    with open(trace, "wb") as f:  # by cat: a child process starts with the memory of this one
        subprocess.run(["cat"] + times * [trace + ".once"], stdout=f, check=True)
    os.remove(trace + ".once")
    records = sum(r["count"] for r in json.loads(subprocess.check_output(
        [wallfly, "info", "--json", trace], stderr=subprocess.DEVNULL))["records"])
    assert records >= 1e7
    good = True
    for name, target in (("to nowhere", "/dev/null"), ("to a file", out)):
        seconds, peak = min(convert(trace, target) for _ in range(2))
        rate = records / seconds
        print("host-perfetto-%s,%.1f M records %s at %.1f M records/s,%.1f MiB"
              % (what, records / 1e6, name, rate / 1e6, peak))
        good = good and rate >= LEAST and peak <= MOST
    print("host-perfetto-%s,%.1f bytes a record of %.1f" % (what, os.path.getsize(out) / records,
                                                            os.path.getsize(trace) / records))
    os.remove(trace)
    os.remove(out)
    return good


good = measure("qp", [philosophers, "--fast", "--seconds=20000"], 1)
good = measure("rtos", [kernel, "--ms=4000000", "mutex"], 5) and good
sys.exit(not good)
