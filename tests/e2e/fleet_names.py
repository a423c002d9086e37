# SPDX-License-Identifier: MIT
"""Names of programs in the tables. See fleet_names.sh. Usage: fleet_names.py [CHDB]"""
import glob
import os
import random
import re
import subprocess
import sys
import time

from clickhouse import Newest, Server
from fleet import checksums, load, rows_once, setup, url_of
from wf_links import WALLFLY

PROGRAM = os.environ["PHILOSOPHERS"]
WHEN = "names", "revision"  # when a program was bound
TOLD = "philo[1]"


def run(*args, code=0, err=""):
    p = subprocess.run([WALLFLY, *args], capture_output=True, text=True)
    assert p.returncode == code and (err in p.stderr if err else not p.stderr), (args, p)
    return p.stdout


def fleet(server, what, project, *args, **more):
    return run("fleet", what, url_of(server), "--project=" + project, *args, **more)


def build_of(file):
    return re.search(r"build id ([0-9A-F]{8})", run("info", file))[1]


def figures(server, project, device):
    """Returns kinds and names with their counts; those that were replaced have none."""
    return server.rows("SELECT kind, name, sum(count), sum(sum) FROM %s.figure FINAL WHERE device = '%s' GROUP BY kind, name "
                       "HAVING sum(count) + sum(open) + sum(in_holes) > 0 ORDER BY kind, name" % (project, device))


def words(server, project, device):
    """Returns the names in rows of records, each once."""
    return {text for row in server.rows("SELECT DISTINCT who, what, signal, state FROM %s.record FINAL WHERE device = '%s'" % (
        project, device)) for text in row}


def versions(server, project, device):
    found = [server.rows("SELECT DISTINCT version FROM %s.%s FINAL WHERE device = '%s'" % (project, table, device))
             for table in ("stream", "segment", "record")]
    found.append(server.rows("SELECT DISTINCT version FROM %s.figure FINAL WHERE device = '%s' AND count + open + in_holes > 0" % (
        project, device)))
    assert all(f == found[0] for f in found), found
    return [version for version, in found[0]]


def has_addresses(names):
    return any(re.match("0x[0-9A-F]+$", name) for name in names)


# First the traces, then their program.
def late(server):
    for name, more in ("told", {}), ("untold", {}), ("lossy", {"version": "1.9"}):
        load(server, "late", name + ".bin", device=name, records=True, **more)
    assert TOLD in words(server, "late", "told")
    names = words(server, "late", "untold"), figures(server, "late", "untold")
    assert not any("philo[" in w for w in names[0]) and has_addresses(name for _, name, *_ in names[1]), names
    said = fleet(server, "names", "late", "--version=2.1.0", PROGRAM)
    assert said.startswith("late: build %s, version 2.1.0: philosophers, " % BUILD), said
    segments = re.search(r"^(\d+) segments were loaded without it: `wallfly (fleet again .*)` names them$", said, re.M)
    [(count,)] = server.rows("SELECT count() FROM late.segment FINAL")
    assert segments[1] == count and int(count) > 8, said
    # A trace that is loaded once more in between has each figure once.
    before = figures(server, "late", "told")
    load(server, "late", "untold.bin", device="untold", records=True)
    assert {n for _, n, *_ in figures(server, "late", "untold")} == {n for _, n, *_ in before}
    sums = server.rows("SELECT sum(count), sum(open), sum(in_holes) FROM late.figure FINAL WHERE device = 'lossy'")
    said = run(*segments[2].split())
    assert re.match(r"late: 3 streams, 2 loaded again: \d+ records\n", said), said
    assert server.rows("SELECT sum(count), sum(open), sum(in_holes) FROM late.figure FINAL WHERE device = 'lossy'") == sums
    for device in "untold", "lossy":
        assert TOLD in words(server, "late", device), device
        assert not has_addresses(name for _, name, *_ in figures(server, "late", device)), figures(server, "late", device)
    assert figures(server, "late", "told") == before
    assert [versions(server, "late", d) for d in ("told", "untold", "lossy")] == [["2.1.0"], ["2.1.0"], ["1.9"]]
    assert fleet(server, "again", "late") == "late: 3 streams, 0 loaded again: 0 records\n"


# First the program: the same rows.
def early(server):
    setup(server, "early")
    fleet(server, "names", "early", "--version=2.1.0", PROGRAM)
    for name, more in ("told", {}), ("untold", {}), ("lossy", {"version": "1.9"}):
        load(server, "early", name + ".bin", device=name, records=True, make=False, **more)
    alike("early", "late", server)
    assert fleet(server, "again", "early") == "early: 3 streams, 0 loaded again: 0 records\n"


def alike(a, b, server):
    found = [checksums(server, project, but=WHEN) for project in (a, b)]
    for sums in found:
        sums.pop("figure")  # those that were replaced are rows without intervals
    assert found[0] == found[1], found
    for device in "told", "untold", "lossy":
        assert figures(server, a, device) == figures(server, b, device), device


# Ended at any moment and started again, and where segments are missing, the rest is the same.
def ended(server):
    for name, more in ("told", {}), ("untold", {}), ("lossy", {"version": "1.9"}):
        load(server, "ended", name + ".bin", device=name, records=True, **more)
    fleet(server, "names", "ended", "--version=2.1.0", PROGRAM)
    for n in range(4):
        p = subprocess.Popen([WALLFLY, "fleet", "again", url_of(server), "--project=ended"], stdout=subprocess.DEVNULL)
        time.sleep(random.Random(n).random() * 0.4)
        p.kill()
        p.wait()
    fleet(server, "again", "ended")
    alike("ended", "late", server)
    rows_once(server, "ended")


def gaps(server):
    load(server, "gaps", "untold.bin", device="untold", records="state_entry")
    offsets = [int(o) for o, in server.rows("SELECT offset FROM gaps.segment FINAL ORDER BY offset")]
    assert len(offsets) >= 4, offsets
    for table in "segment", "figure":
        server.ask("ALTER TABLE gaps.%s DELETE WHERE offset IN (0, %d)" % (table, offsets[2]))
    while server.rows("SELECT count() FROM gaps.segment WHERE offset = 0") != [["0"]]:
        time.sleep(0.05)
    def rest():
        return server.rows("SELECT offset, length, number, records, missing, cityHash64(at_begin, bytes) FROM gaps.segment FINAL ORDER BY offset")
    before = rest()
    fleet(server, "names", "gaps", PROGRAM)
    fleet(server, "again", "gaps")
    assert rest() == before and len(before) == len(offsets) - 2
    assert {id for [id] in server.rows("SELECT DISTINCT name FROM gaps.record FINAL")} == {"state_entry"}
    assert TOLD in words(server, "gaps", "untold")
    assert server.rows("SELECT count() FROM gaps.segment FINAL WHERE toUInt32(names) = 0") == [["0"]]


# The files of a split adjoin, but the rows of each are counted anew.
def split(server):
    subprocess.run([WALLFLY, "record", "-q", "--split=400K", "-o", "part.wfr", "untold.bin"], check=True)
    names = sorted(glob.glob("part-*.wfr"))
    assert len(names) >= 3, names
    load(server, "split", *names[::-1], device="two", records="state_entry")
    setup(server, "named")
    for project in "split", "named":
        fleet(server, "names", project, PROGRAM)
    load(server, "named", *names[::-1], device="two", records="state_entry", make=False)
    assert re.match(r"split: 1 streams, 1 loaded again: ", fleet(server, "again", "split"))
    found = [checksums(server, project, but=WHEN) for project in ("split", "named")]
    for sums in found:
        sums.pop("figure")
    assert found[0] == found[1] and figures(server, "split", "two") == figures(server, "named", "two"), found


# Ended between the stream's new version and the rows: they get it the next time, and figures count once.
def mixed_versions(server):
    load(server, "mixed", "told.bin", device="told", records=True)
    before = figures(server, "mixed", "told")
    server.ask("INSERT INTO mixed.stream SELECT device, stream, origin_ns, '3.0', rate, qs_version, sizes, source, now() + 5 FROM mixed.stream")
    assert re.match(r"mixed: 1 streams, 1 loaded again: ", fleet(server, "again", "mixed"))
    assert versions(server, "mixed", "told") == ["3.0"] and figures(server, "mixed", "told") == before
    assert fleet(server, "again", "mixed") == "mixed: 1 streams, 0 loaded again: 0 records\n"


# A stream that cannot be loaded again does not keep others from it.
def one_refused(server):
    load(server, "odd", "untold.bin", device="a", records="state_entry")
    load(server, "odd", "lossy.bin", device="b", records="state_entry")
    columns = [c for c, in server.rows("SELECT name FROM system.columns WHERE database = 'odd' AND table = 'segment'")]
    values = ", ".join("records + 1" if c == "records" else "length + 1" if c == "length" else "`%s`" % c for c in columns)
    server.ask("INSERT INTO odd.segment SELECT %s FROM odd.segment WHERE device = 'a' AND offset = 0" % values)
    fleet(server, "names", "odd", PROGRAM)
    said = fleet(server, "again", "odd", code=3, err="a, stream ")
    assert said.startswith("odd: 2 streams, ") and TOLD in words(server, "odd", "b"), said


# A window out of the tables has the names of its build, as a file with its program; one that is given has priority.
def windows(server):
    source = url_of(server).rstrip("/").replace("http:", "clickhouse:") + "/early/untold"
    assert run("print", "-q", source) == run("print", "-q", "--elf=" + PROGRAM, "untold.bin")
    assert run("print", "-q", source + "?from=70&until=71") == run(
        "print", "-q", "--elf=" + PROGRAM, "--from=70", "--until=71", "untold.bin")
    assert "0x" in run("print", "-q", "--elf=other", source + "?until=1", err="has the build id 44332211")
    assert "philo+0x" in run("print", "-q", "--map=listing", source + "?until=1")


def refused(server):
    setup(server, "p")
    for args, message in (
            (["told.bin"], "told.bin: "),
            (["absent"], "absent: No such file"),
            (["--build=" + BUILD, "other"], "other: has the build id 44332211, not that of --build"),
            (["--build=xyz", "listing"], "--build: 'xyz' is no build id"),
            (["--build=123456789", "listing"], "--build: '123456789' is no build id"),
            (["--build=" + BUILD, "listing", "other"], "--build is of one FILE, not of 2"),
            (["no_id"], "no_id: has no build id: give that of the traces by --build=ID"),
            (["--version=" + "v" * 256, "no_id"], "--version: has more than 255 bytes")):
        p = subprocess.run([WALLFLY, "fleet", "names", url_of(server), "--project=p", *args], capture_output=True, text=True)
        assert p.returncode in (2, 3) and p.stderr.startswith("wallfly: " + message), (args, p)
    assert server.rows("SELECT count() FROM p.build") == [["0"]]
    for args in "--device=it's", "--build=0", "--version=" + "v" * 256:
        p = subprocess.run([WALLFLY, "fleet", "again", url_of(server), "--project=p", args], capture_output=True, text=True)
        assert p.returncode == 2 and p.stderr.startswith("wallfly: " + args.split("=")[0]), p
    # Of another build: nothing is taken from it. The version is any text.
    odd = "it's \\ '); drop table build; --\xff"
    said = fleet(server, "names", "p", "--version=" + odd, "other")
    assert "build 44332211, version it's" in said, said
    load(server, "p", "untold.bin", device="untold", records=True, make=False)
    assert not any("philo[" in w for w in words(server, "p", "untold")) and versions(server, "p", "untold") == [""]
    # A listing for a build, and a program for a version whose traces have no build.
    fleet(server, "names", "p", "--build=" + BUILD, "--version=" + odd, "listing")
    fleet(server, "again", "p", "--device=untold")
    assert server.rows("SELECT DISTINCT version FROM p.segment FINAL") == server.rows("SELECT DISTINCT version FROM p.build FINAL")
    assert any(n.startswith("philo+0x") for n in words(server, "p", "untold")), words(server, "p", "untold")


BUILD = build_of("told.bin")
with Newest("engine", sys.argv[1]) if len(sys.argv) > 1 else Server("engine") as engine:
    for test in late, early, ended, gaps, split, mixed_versions, one_refused, windows, refused:
        test(engine)
        print("ok", test.__name__, flush=True)
