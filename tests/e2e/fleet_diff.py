# SPDX-License-Identifier: MIT
"""Compares versions in the tables. See fleet_diff.sh. Usage: fleet_diff.py [CHDB]"""
import glob
import json
import subprocess
import sys
import xml.etree.ElementTree

from clickhouse import Newest, Server
from fleet import load, url_of
from wf_links import WALLFLY

ODD = "it's \\ '); drop table figure; --"
VERSIONS = {"a": "2.0.3", "b": "2.0.4", "c": "2.1.0", "lossy": ODD}


def diff(server, good, now, *more, code=0, err=""):
    p = subprocess.run([WALLFLY, "fleet", "diff", url_of(server), "--project=p", "--version=" + good, "--version=" + now, *more],
                       capture_output=True, text=True)
    assert p.returncode == code and (err in p.stderr if err else not p.stderr), (good, now, more, p)
    return p.stdout


def same(server):
    text = diff(server, "2.0.3", "2.0.4")
    assert text.startswith("good  version 2.0.3: 12 devices, ") and text.endswith("verdict: nothing changed beyond chance\n"), text
    [(records,)] = server.rows("SELECT sum(records) FROM p.segment FINAL WHERE version = '2.0.3'")
    assert " %s records, 0 missing\n" % records in text, text
    assert "behaviour was not compared: the tables have no sequences\n" in text, text


# Steps take an eighth longer, for all six, as in the files themselves.
def slower(server):
    text = diff(server, "2.0.3", "2.1.0", code=1)
    assert text.endswith("verdict: changed\n") and "\nchanged, the most important first\n   1  philo[" in text, text
    found = json.loads(diff(server, "2.0.3", "2.1.0", "--all", "--json", code=1))
    steps = [f for f in found["changes"] if f["figure"] == "step"]
    assert len(steps) == 6 and all(f["state"] == "changed" for f in steps), steps
    for f in steps:
        assert 10 < f["measures"]["mean"]["effect"] < 16, f
    files = subprocess.run([WALLFLY, "diff", "a-1.bin", "c-1.bin", "--all", "--json", *["--good=a-%d.bin" % n for n in range(2, 13)],
                            *["--new=c-%d.bin" % n for n in range(2, 13)]], capture_output=True, text=True)
    of_files = {f["name"]: f for f in json.loads(files.stdout)["changes"] if f.get("figure") == "step"}
    for f in steps:
        want, got = of_files[f["name"]]["measures"], f["measures"]
        for measure in "mean", "max", "min":
            for side in "good", "new":
                assert abs(got[measure][side] - want[measure][side]) < 1e-9, (f["name"], measure, want, got)
        for measure in "median", "p99": # classes are within a 64th
            assert abs(got[measure]["new"] / want[measure]["new"] - 1) < 1 / 64, (f["name"], measure, want, got)
    # A trace that is loaded again counts once.
    load(server, "p", "c-1.bin", device="c-1", version="2.1.0", make=False)
    assert json.loads(diff(server, "2.0.3", "2.1.0", "--all", "--json", code=1)) == found


def conditions(server):
    assert "step mean +20 %: holds\n" in diff(server, "2.0.3", "2.1.0", "--fail-on=step mean +20 %")
    out = diff(server, "2.0.3", "2.1.0", "--fail-on=step[philo*] mean +5 %", "--junit=result.xml", code=1)
    assert "step[philo*] mean +5 %: FAILS\n" in out, out
    assert xml.etree.ElementTree.parse("result.xml").getroot().findall(".//failure")
    diff(server, "2.0.3", "2.1.0", "--fail-on=steps of all", code=2, err="--fail-on")


# Segments with holes are left out; what is left has no verdict if that is much.
def losses(server):
    text = diff(server, "2.0.3", ODD, "--all", code=1)
    [(records, missing, segments)] = server.rows("SELECT sum(records), sum(missing), count() FROM p.segment FINAL WHERE device LIKE 'lossy%'")
    assert "new   version %s: 8 devices, %s records, %s missing; " % (ODD, records, missing) in text, text
    assert " of %s segments left out, with holes\n" % segments in text and int(missing) > 1000, text
    assert "lost" in text, text


def refused(server):
    diff(server, "2.0.3", "9.9", code=3, err="nothing has the version '9.9'")
    for versions in [], ["--version=1"], ["--version=1"] * 3:
        p = subprocess.run([WALLFLY, "fleet", "diff", url_of(server), "--project=p", *versions], capture_output=True, text=True)
        assert p.returncode == 2 and "two versions are compared" in p.stderr, p
    diff(server, "2" * 256, "1", code=2, err="--version: has more than 255 bytes")


with Newest("engine", sys.argv[1]) if len(sys.argv) > 1 else Server("engine") as engine:
    for kind, version in VERSIONS.items():
        load(engine, "p", *glob.glob(kind + "-*.bin"), device="{file}", version=version)
    for test in same, slower, conditions, losses, refused:
        test(engine)
        print("ok", test.__name__, flush=True)
