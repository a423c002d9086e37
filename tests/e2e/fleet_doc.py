# SPDX-License-Identifier: MIT
"""Runs what docs/fleet.md shows. See fleet_doc.sh. Usage: fleet_doc.py [CHDB]"""
import glob
import os
import re
import subprocess
import sys

from clickhouse import Newest, Server
from fleet import load

SRC = os.environ["SRC"]
COLUMNS = {"figures_by_device": 9, "figures_by_version": 9, "largest_losses": 10, "last_seen": 6, "longest_intervals": 7, "loss_by_day": 3,
           "loss_by_version": 6, "loss_over_time": 3, "loss_rate_by_device": 5, "newest_segments": 10, "p99_by_day": 3, "records_by_name": 3,
           "restarts_by_device": 6, "streams": 6, "totals": 6}


# In a shell whose clickhouse-client asks the test's server.
def commands(server):
    with open(SRC + "/docs/fleet.md") as f:
        text = f.read()
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) == 4, blocks
    with open(SRC + "/scripts/packages.txt") as f:
        known = f.read().split()
    [packages] = re.findall(r"^    apt install (.*)$", text, re.M)
    assert len(packages.split()) == 5 and all(name in known for name in packages.split()), packages
    with open(SRC + "/Makefile") as f:
        targets = set(re.findall(r"^([a-z%-]+):", f.read(), re.M))
    assert {"fleet-demo", "setup-%", "build"} <= targets
    host = server.url[len("http://"):-1]
    script = "set -e\nclickhouse-client() { command clickhouse-client --port %d \"$@\"; }\n" % server.tcp
    # The version that is compared with.
    older = "wallfly fleet load http://localhost:8123 --project=pilot --device=board-6 --version=2.0.3 trace.bin\n"
    script += "".join(blocks).replace("wallfly fleet diff", older + "wallfly fleet diff").replace("localhost:8123", host)
    path = os.path.abspath("bin") + ":" + os.environ["PATH"]
    p = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env={**os.environ, "PATH": path})
    assert p.returncode == 0, p
    for words in "pilot: 8 tables", "30303 records, 0 missing", "pilot: 1 stream,", "philo[", "version 2.1.0: firmware.elf, ", " loaded again: ", "verdict: ", "board-7\t30303\t0\t0\t0\n":
        assert words in p.stdout, (words, p.stdout[:2000])


def questions(server):
    load(server, "pilot", "lossy.bin", device="board-8", version="2.2.0", records=True)
    load(server, "pilot", "trace.bin", device="board-9", version="2.2.0", records=True)
    load(server, "pilot", "mutex.bin", device="board-5", version="2.2.0")
    load(server, "pilot", "restart.bin", device="board-4", version="2.2.0", stream=4)
    names = [os.path.basename(name)[:-4] for name in glob.glob(SRC + "/fleet/questions/*.sql")]
    assert sorted(names) == sorted(COLUMNS), names
    for name in names:
        with open("fleet/questions/%s.sql" % name) as f:
            query = f.read()
        # The newest engine of the tests has no parameter for the database.
        rows = server.rows(re.sub(r"\b(FROM|from) (stream|segment|figure|loss|hole|record)\b", r"\1 pilot.\2", query))
        assert rows and all(len(row) == COLUMNS[name] for row in rows), (name, rows[:3])
        if name == "figures_by_version":
            for row in rows:
                assert 0 <= int(row[4]) <= int(row[5]) <= int(row[6]), row
        if name == "loss_rate_by_device":
            assert rows[0][0] == "board-8" and float(rows[0][4]) > 0.05, rows


with Newest("engine", sys.argv[1]) if len(sys.argv) > 1 else Server("engine") as engine:
    if isinstance(engine, Server):
        commands(engine)
    questions(engine)
