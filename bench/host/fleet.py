#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `wallfly fleet load` into ClickHouse, in processor seconds of the loader and of the engine, so that other work
on the machine changes little; the bytes that a record takes on disk; and a window of 10 s of a device with 10^7 records:
printed, and drawn in Chromium. The engine is Debian's with fleet/compression.xml.
Usage: fleet.py WALLFLY PHILOSOPHERS BUILD DIR [--newest] [--packed=FILE] [--window] [--check]
BUILD: the folder of the build, for kernel_packed and the browser. DIR: an empty folder, which gets 1 GB.
--newest: bytes and time of the newest engine, too; it is downloaded into BUILD (550 MB). --packed: measure this trace of
packed frames, too. --window: only the window. --check: exit code 1 if a goal is missed."""
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.join(here, "../..")
options = dict((a.split("=", 1) + [""])[:2] for a in sys.argv[1:] if a.startswith("--"))
wallfly, philosophers, build, folder = [os.path.abspath(a) for a in sys.argv[1:] if not a.startswith("--")]
packed = [os.path.abspath(options["--packed"])] if "--packed" in options else []
os.environ["WALLFLY"] = wallfly
sys.path.insert(0, os.path.join(top, "tests/e2e"))
from clickhouse import Newest, Server
from fleet import command, setup

SECONDS, LONG = 6000, 20000  # of the philosophers: 3 and 10 million records
PACKED_MS = 2000000  # of each demo of the RTOS example
RUNS, PICTURES = 3, 10
# Records a second and core: of the loader, of the engine; and bytes a record on disk.
GOALS = {"segments": (4e6, 2e6, 8.5), "record rows": (2e6, 0.7e6, 7.0), "packed frames": (0, 0, 4.0),
         "newest: segments": (0, 0, 8.5), "newest: record rows": (0, 0, 5.0)}
PICTURE_S = 0.5
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


def debian(name):
    os.makedirs(name + "/config.d")
    shutil.copy(os.path.join(top, "fleet/compression.xml"), name + "/config.d")
    return Server(name)


def load(server, project, files, records=None):
    """Loads files, each as a device. Returns the number of records, and processor seconds of the loader and the engine."""
    setup(server, project)
    loader, engine, count = of_children(), of_process(server.process.pid), 0
    for n, file in enumerate(files):
        out = subprocess.run(command(server, project, file, device="d%d" % n, records=records), check=True, capture_output=True, text=True).stdout
        count += int(out.split()[1])
    return count, of_children() - loader, of_process(server.process.pid) - engine


def bytes_of(server, project, table):
    server.ask("OPTIMIZE TABLE %s.%s FINAL" % (project, table))
    [(size,)] = server.rows("SELECT sum(bytes_on_disk) FROM system.parts WHERE database = '%s' AND table = '%s' AND active" % (project, table))
    return int(size)


def measure(server, name, project, files, records=None):
    """Loads files several times, each time into a project of its own: other work makes processor time longer, never shorter."""
    count, *seconds = zip(*(load(server, "%s%d" % (project, n), files, records) for n in range(RUNS)))
    rates = [count[0] / min(s) for s in seconds]
    most = bytes_of(server, project + "0", "record" if records else "segment") / count[0]
    good = [rates[0] >= GOALS[name][0], rates[1] >= GOALS[name][1], most <= GOALS[name][2]]
    print("%-20s loader %5.2f M records/s%s, engine %5.2f M/s%s, %5.2f bytes a record%s (%.2f on the wire)" % (
        name, rates[0] / 1e6, goal(name + ": loader", good[0]), rates[1] / 1e6, goal(name + ": engine", good[1]), most,
        goal(name + ": bytes", good[2]), sum(map(os.path.getsize, files)) / count[0]), flush=True)


def windows(server):
    """The addresses of windows of 10 s, far from each other."""
    for n in range(PICTURES):
        begin = LONG * (n + 0.5) / PICTURES
        yield server.url.replace("http://", "clickhouse://") + "long/d0?from=%d&until=%d" % (begin, begin + 10)


def printed(server):
    times, used = [], of_children()
    for url in windows(server):
        begin = time.monotonic()
        subprocess.run([wallfly, "print", "-q", url], check=True, stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - begin)
    print("%-20s %.3f s, at best %.3f s; %.3f s of processor time" % (
        "window printed", statistics.median(times), min(times), (of_children() - used) / PICTURES), flush=True)


class Page:
    """A running `wallfly serve`. seconds: until it had said its address."""

    def __init__(self, source):
        begin = time.monotonic()
        self.p = subprocess.Popen([wallfly, "serve", source], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.p.stdout.readline().split()[-1]
        self.seconds = time.monotonic() - begin

    def end(self):
        used = of_process(self.p.pid)
        self.p.terminate()
        self.p.wait()
        return used


def draw(pages):
    """Opens pages in the browser, one after the other. Yields seconds from the start of `wallfly serve` to its first frame, and until
    all is drawn."""
    out = subprocess.run(["node", os.path.join(here, "page_browser.mjs"), "paint", *[page.url for page in pages]], check=True,
                         stdout=subprocess.PIPE, text=True, env=dict(os.environ, BUILD=build)).stdout
    for page, line in zip(pages, out.splitlines(), strict=True):
        drawn = json.loads(line)
        yield page.seconds + drawn["frame"] / 1000, page.seconds + drawn["paint"] / 1000


def pictures(server):
    """The page of a file that has as many records as the window's segments shows what of the time is the table's."""
    file, engine = make("short.bin", philosophers, "--fast", "-s", "85"), of_process(server.process.pid)
    pages = [Page(source) for url in windows(server) for source in (url, file)]
    try:
        times = list(draw(pages))
    finally:
        engine, used = of_process(server.process.pid) - engine, [page.end() for page in pages]
    for name, first in ("first picture", 0), ("the same of a file", 1):
        frame, drawn = zip(*times[first::2])
        print("%-20s %.2f s, at best %.2f s%s; its first frame %.2f s, at best %.2f s; %.3f s of processor time of wallfly%s" % (
            name, statistics.median(drawn), min(drawn), "" if first else goal(name, statistics.median(drawn) <= PICTURE_S), statistics.median(frame),
            min(frame), sum(used[first::2]) / PICTURES, "" if first else ", %.3f s of the engine" % (engine / PICTURES)), flush=True)


def make(name, *args):
    subprocess.run([*args, "-o", name], check=True)
    return name


def of_window():
    subprocess.run([os.path.join(top, "web/install.sh"), build], check=True, stdout=subprocess.DEVNULL)
    with debian("window") as engine:
        files = [make("long.bin", philosophers, "--fast", "-s", str(LONG))]
        print("window of 10 s in a table of %d records of a device:" % load(engine, "long", files)[0])
        printed(engine)
        pictures(engine)
    os.remove("long.bin")


def of_bytes():
    files = [make("big.bin", philosophers, "--fast", "-s", str(SECONDS))]
    demos = [make(demo + ".bin", os.path.join(build, "bin/kernel_packed"), "--ms=%d" % PACKED_MS, demo)
             for demo in ("preemptive", "round-robin", "mutex")]
    with debian("engine") as engine:
        measure(engine, "segments", "a", files)
        measure(engine, "record rows", "b", files, True)
        measure(engine, "packed frames", "p", demos)
        if packed:
            measure(engine, "packed frames", "q", packed)
    if "--newest" in options:
        program = subprocess.check_output([os.path.join(top, "tests/e2e/chdb/install.sh"), build], text=True).strip()
        with Newest("newest", program) as engine:
            measure(engine, "newest: segments", "a", files)
            measure(engine, "newest: record rows", "b", files, True)


os.makedirs(folder, exist_ok=True)
os.chdir(folder)
if "--window" not in options:
    of_bytes()
of_window()
if failed:
    print("fleet.py: goals missed: " + ", ".join(failed))
sys.exit("--check" in options and bool(failed))
