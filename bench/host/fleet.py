#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `wallfly fleet load` into ClickHouse (Debian's), in processor seconds of both, so that other work on the machine
changes little; the bytes that a record takes on disk with Zstandard, and the time of a window that is read out of the tables.
Usage: fleet.py WALLFLY PHILOSOPHERS DIR [--check]
--check: exit code 1 if a goal is missed. DIR: an empty folder."""
import os
import resource
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
wallfly, philosophers, folder = [os.path.abspath(a) for a in sys.argv[1:4]]
os.environ["WALLFLY"] = wallfly
sys.path.insert(0, os.path.join(here, "../../tests/e2e"))
from clickhouse import WORDS, Server
from fleet import command, setup

SECONDS = 6000  # of the target: 3 million records
ZSTD = """<compression><case><min_part_size>0</min_part_size><min_part_size_ratio>0</min_part_size_ratio>
  <method>zstd</method></case></compression>"""
# Records a second and core: of the loader, of the engine; and bytes a record on disk.
GOALS = {"segments": (4e6, 2e6, 8.5), "record rows": (2e6, 0.7e6, 7.0)}
failed = []


def goal(name, good):
    if not good:
        failed.append(name)
    return "" if good else " (goal missed)"


def of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_process(pid):
    with open("/proc/%d/stat" % pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load(server, name, project, records):
    setup(server, project)
    loader, engine = of_children(), of_process(server.process.pid)
    out = subprocess.run(command(server, project, "big.bin", device="d", records=records), check=True, capture_output=True, text=True).stdout
    loader, engine = of_children() - loader, of_process(server.process.pid) - engine
    count = int(out.split()[1])
    table = "record" if records else "segment"
    for t in "record", "segment", "figure":
        server.ask("OPTIMIZE TABLE %s.%s FINAL" % (project, t))
    [(size,)] = server.rows("SELECT sum(bytes_on_disk) FROM system.parts WHERE database = '%s' AND active AND table IN ('%s')" % (
        project, table))
    rates, most = [count / loader, count / engine], int(size) / count
    good = [rates[0] >= GOALS[name][0], rates[1] >= GOALS[name][1], most <= GOALS[name][2]]
    print("%-12s loader %5.2f M records/s%s, engine %5.2f M/s%s, %5.2f bytes a record%s" % (
        name, rates[0] / 1e6, goal(name + ": loader", good[0]), rates[1] / 1e6, goal(name + ": engine", good[1]), most,
        goal(name + ": bytes", good[2])))


def window(server):
    url = server.url.replace("http://", "clickhouse://") + "a/d?from=3000&until=3010"
    begun = time.monotonic()
    subprocess.run([wallfly, "print", "-q", url], check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - begun
    print("window       10 s of a device printed in %.2f s%s" % (seconds, goal("window", seconds < 0.5)))


os.makedirs(folder, exist_ok=True)
os.chdir(folder)
subprocess.run([philosophers, "--fast", "-s", str(SECONDS), "-o", "big.bin"], check=True)
with Server("engine", profile=WORDS, more=ZSTD) as engine:
    load(engine, "segments", "a", None)
    load(engine, "record rows", "b", True)
    window(engine)
if failed and "--check" in sys.argv:
    sys.exit(", ".join(failed))
