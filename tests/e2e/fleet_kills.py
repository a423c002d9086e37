# SPDX-License-Identifier: MIT
"""Kills ClickHouse and the loader at random moments. See fleet_kills.sh. Usage: fleet_kills.py KILLS [CHDB]"""
import random
import subprocess
import sys
import threading
import time

from clickhouse import Newest, Server
from fleet import checksums, command, load, rows_once, setup
from wf_links import info

KILLS = int(sys.argv[1])
FILES = "whole.bin", "lossy.bin"
LIMIT_S = 900
rnd = random.Random(KILLS)


class Killer(threading.Thread):
    """Kills the engine at random moments, and starts it again."""

    def __init__(self, server, kills):
        super().__init__(daemon=True)
        self.server, self.kills, self.done, self.error = server, kills, threading.Event(), None

    def run(self):
        try:
            for _ in range(self.kills):
                time.sleep(rnd.uniform(0.02, 0.5))
                self.server.stop()
                time.sleep(rnd.uniform(0, 0.2))
                self.server.restart()
        except BaseException as error:  # the main thread ends with it
            self.error = error
        self.done.set()


def loader(server):
    return subprocess.Popen(command(server, "killed", *FILES, device="{file}", records=True, batch=5000), stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


# Each loader is killed at a random moment of the time that a whole load takes; the last one of a round may end.
def load_until_killed(server, killer, whole_s):
    killed = finished = waited = 0
    while killed < KILLS or not killer.done.is_set():
        p = loader(server)
        try:
            _, words = p.communicate(timeout=rnd.uniform(0, whole_s) if killed < KILLS else LIMIT_S)
            assert p.returncode == 0, words
            finished += 1
            waited += "trying again" in words
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            assert killed < KILLS, "the loader does not end"
            killed += 1
    return killed, finished, waited


def run(engine):
    setup(engine, "killed")
    load(engine, "quiet", *FILES, device="{file}", records=True)
    begun = time.monotonic()
    load(engine, "quiet", *FILES, device="{file}", records=True, batch=5000)
    killer = Killer(engine, KILLS)
    killer.start()
    counts = load_until_killed(engine, killer, time.monotonic() - begun)
    if killer.error:
        raise killer.error
    load(engine, "killed", *FILES, device="{file}", records=True, batch=5000, make=False)
    rows = int(engine.rows("SELECT count() FROM killed.record")[0][0])
    got, wanted = checksums(engine, "killed"), checksums(engine, "quiet")
    assert got == wanted, (got, wanted)
    made = sum(info(name)["ledger"]["records"] for name in FILES)
    assert int(got["record"][0]) == made, (got, made)
    # The newest engine knows a retry by its token; the other one has doubles until it merges them.
    assert rows == made if isinstance(engine, Newest) else rows >= made, (rows, made)
    rows_once(engine, "killed")
    print("%d records; killed: engine %d times, loader %d times; %d loads ended, %d of them waited for the engine; %d rows before merging"
          % (made, KILLS, *counts, rows))


with Newest("engine", sys.argv[2]) if len(sys.argv) > 2 else Server("engine") as server:
    run(server)
