# SPDX-License-Identifier: MIT
"""Checks and tidies tables. See fleet_check.sh. Usage: fleet_check.py [CHDB]"""
import os
import re
import subprocess
import sys

from clickhouse import Newest, Server
from fleet import load
from wf_links import WALLFLY, info


def fleet(command, server, *options, code=0, words=""):
    p = subprocess.run([WALLFLY, "fleet", command, server.url, "--project=p", *options], capture_output=True, text=True)
    assert p.returncode == code and words in p.stderr, (command, options, p)
    return p.stdout


def whole_and_lossy(server):
    load(server, "p", "whole.bin", device="whole", records=True)
    out = fleet("check", server)
    ledger = info("whole.bin")["ledger"]
    assert out.splitlines() == ["p: 1 stream, %s segments, %d records, 0 missing, 0 bytes damaged, 0 lost" % (out.split()[3], ledger["records"])], out
    load(server, "p", "lossy.bin", device="lossy")
    out = fleet("check", server, code=4, words="records are missing or damaged")
    ledger = info("lossy.bin")["ledger"]
    assert out.startswith("lossy, stream ") and "%d records, %d missing, 0 bytes damaged, 0 lost\n" % (ledger["records"], ledger["missing"]) in out, out
    fleet("check", server, "--device=whole")
    fleet("check", server, "--device=nobody", code=3, words="p: has no device nobody")
    fleet("check", server, "--device=a'b", code=2, words="is no name of a device")


def copy(server, table, device, where):
    """Copies rows of a device, but some, to a device of another name."""
    columns = ", ".join("'%s' AS device" % device if c == "device" else "`%s`" % c for c, in server.rows(
        "SELECT name FROM system.columns WHERE database = 'p' AND table = '%s'" % table))
    server.ask("INSERT INTO p.%s SELECT %s FROM (SELECT * FROM p.%s FINAL WHERE %s)" % (table, columns, table, where))


def not_whole(server):
    [(middle, length)] = server.rows("SELECT offset, length FROM p.segment FINAL WHERE device = 'whole' AND offset > 0 ORDER BY offset LIMIT 1")
    copy(server, "segment", "gap", "device = 'whole' AND offset != " + middle)
    out = fleet("check", server, "--device=gap", code=4, words="the tables are not whole: load the traces again")
    assert "%s bytes of it are not in the tables" % length in out, out
    copy(server, "segment", "untold", "device = 'lossy'")
    out = fleet("check", server, "--device=untold", code=4, words="the tables are not whole")
    assert re.search(r"; [1-9]\d* losses have 0 rows", out), out
    load(server, "p", "lossy.bin", device="untold")  # another stream's rows: it was copied under the same number
    out = fleet("check", server, "--device=untold", code=4, words="records are missing or damaged")
    assert "rows" not in out, out


def old_days(server):
    day = 20 * 365 * 86400
    os.utime("whole.bin", (day, day))
    if isinstance(server, Newest):
        assert "rows expire by themselves" in fleet("tidy", server)
        return
    load(server, "p", "whole.bin", device="old", records=True)
    listed = fleet("tidy", server, "--list")
    assert listed == "".join("p.%s: 1989-12-27\n" % t for t in ("segment", "figure", "record")), listed
    before = server.rows("SELECT count() FROM p.segment")
    assert fleet("tidy", server) == listed.replace("\n", " dropped\n")
    assert fleet("tidy", server) == ""
    assert server.rows("SELECT count() FROM p.segment WHERE device = 'old'") == [["0"]] != before
    assert int(server.rows("SELECT count() FROM p.record WHERE device = 'whole'")[0][0]) > 0


with Newest("engine", sys.argv[1]) if len(sys.argv) > 1 else Server("engine") as engine:
    for test in whole_and_lossy, not_whole, old_days:
        test(engine)
        print("ok", test.__name__, flush=True)
