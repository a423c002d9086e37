# SPDX-License-Identifier: MIT
"""Rows of streams that came in chunks. See fleet_agent.sh. Usage: fleet_agent.py BUILD"""
import re
import subprocess
import sys

from clickhouse import Server
from fleet import load, same_rows, setup

BUILD = sys.argv[1]
FILES = ["dev-%d.bin" % n for n in range(5)]


def run(program, *args):
    p = subprocess.run([BUILD + "/bin/" + program, *args], capture_output=True, text=True)
    assert p.returncode == 0 and not p.stderr, (program, args, p)
    return p.stdout


def goes_on(server):
    for name in "dev-3", "dev-4":
        load(server, "whole_" + name[-1], name + ".bin", device=name, stream=7)
    loaders = grown = 0
    for seed in range(1, 7):
        for name in "dev-3", "dev-4":
            project = "pieces_%s_%d" % (name[-1], seed)
            setup(server, project)
            said = run("fleet_resume", server.url, project, name, "7", name + ".bin", str(seed))
            counts = re.match(r"(\d+) loaders, (\d+) times grown$", said)
            loaders, grown = loaders + int(counts[1]), grown + int(counts[2])
            same_rows(server, project, "whole_" + name[-1])
    assert loaders > 40 and grown > 40, (loaders, grown)


def agents(server):
    for n, file in enumerate(FILES):
        load(server, "files", file, device="dev-%d" % n, stream=77 + n)
    restarts = [0, 0]
    for seed in range(1, 5):
        project = "agent_%d" % seed
        setup(server, project)
        said = run("fleet_agent", server.url, project, "spool-%d" % seed, str(seed), *FILES)
        counts = re.match(r"(\d+) restarts of the intake, (\d+) of the other; spool (\d+) to (\d+), done (\d+)$", said)
        restarts = [restarts[0] + int(counts[1]), restarts[1] + int(counts[2])]
        # All but what is not whole is done, and files that are worked off were removed.
        assert 0 < int(counts[3]) <= int(counts[5]) <= int(counts[4]), said
        assert int(counts[4]) > sum(len(open(f, "rb").read()) for f in FILES), said
        same_rows(server, project, "files")
    [(most,)] = server.rows("SELECT max(n) FROM (SELECT count() AS n FROM files.segment FINAL GROUP BY device)")
    assert int(most) > 5, most  # more than are kept of a stream
    assert min(restarts) > 10, restarts


with Server("engine") as engine:
    for test in goes_on, agents:
        test(engine)
        print("ok", test.__name__, flush=True)
