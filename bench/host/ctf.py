#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the speed and memory of converting a recording of 10^7 records to CTF; and in the same run
the time of babeltrace2 to print that as text, and of `wallfly print` of the recording (processor
time of each). Usage: ctf.py WALLFLY PHILOSOPHERS. Exit code 1: more than 64 MiB, print is less than
5 times as fast as babeltrace2, or writing the CTF takes more than an eighth of its time."""
import os
import re
import subprocess
import sys
import tempfile

wallfly, philosophers = (os.path.abspath(name) for name in sys.argv[1:])


def run(*args, times=1):
    """Returns processor seconds (the best of `times` runs) and peak MiB."""
    best = 1e9
    for _ in range(times):
        p = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = p.stderr.read()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        assert p.returncode == 0, (args, said)
        best = min(best, used.ru_utime + used.ru_stime)
    return best, used.ru_maxrss / 1024


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    subprocess.run([philosophers, "--fast", "--seconds=20000", "-o", "long.bin"], check=True)
    write, memory = run(wallfly, "convert", "long.bin", "--to=ctf", "-o", "long.ctf", times=3)
    text, _ = run(wallfly, "print", "--quiet", "long.bin", times=3)
    theirs, _ = run("babeltrace2", "long.ctf")
    counter = subprocess.check_output(["babeltrace2", "long.ctf", "--component=sink.utils.counter"], text=True)
    records = int(re.findall(r"(\d+) Event messages", counter)[-1])
    size = sum(os.path.getsize(os.path.join("long.ctf", name)) for name in os.listdir("long.ctf"))
    os.chdir("/")
assert records >= 10 ** 7, counter
print("host-ctf,%.1f M records/s,%.1f bytes a record,%.1f MiB at most" % (records / write / 1e6, size / records, memory))
print("host-print,%.1f times as fast as babeltrace2's text of the CTF (%.1f M records/s beside %.1f)"
      % (theirs / text, records / text / 1e6, records / theirs / 1e6))
sys.exit(memory > 64 or theirs < 5 * text or theirs < 8 * write)
