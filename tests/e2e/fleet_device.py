# SPDX-License-Identifier: MIT
"""A device that sends chunks, with a real broker and engine. See fleet_device.sh. Usage: fleet_device.py BUILD"""
import os
import random
import re
import subprocess
import sys
import time

from clickhouse import Server
from fleet import rows_once, setup
from fleet_net import Agent, Broker

BUILD = sys.argv[1]
KILLS = int(os.environ.get("KILLS", "5"))


def main(server):
    broker = Broker()
    setup(server, "pilot")
    agent = Agent(server, "pilot", broker, "--records=82")
    devices = [subprocess.Popen([BUILD + "/bin/mqtt_device", "127.0.0.1", str(broker.port), "pilot", "board-%d" % n, str(5 + 2 * KILLS)],
                                stdout=subprocess.PIPE, text=True) for n in range(3)]
    chances, done = random.Random(5), {"broker": 0, "agent": 0}
    while min(done.values()) < KILLS:
        time.sleep(chances.random())
        what = chances.choice([name for name in done if done[name] < KILLS])
        {"broker": broker, "agent": agent}[what].again()
        done[what] += 1
    made = []
    for device in devices:
        out, _ = device.communicate(timeout=900)
        made.append([int(n) for n in re.match(r"(\d+) records, (\d+) of them given up\n", out).groups()])
    agent.end()
    broker.kill()
    for n, (count, given_up) in enumerate(made):
        [[records, missing, streams]] = server.rows(
            "SELECT sum(records), sum(missing), uniq(stream) FROM pilot.segment FINAL WHERE device = 'board-%d'" % n)
        # SYNCs at holes have the number of the record before them (docs/wire-format.md): at_hole is their seventh field.
        [[more]] = server.rows("SELECT sum(bitAnd(args[7], 1)) FROM pilot.record FINAL WHERE device = 'board-%d' AND id = 82" % n)
        assert int(records) - int(more) + int(missing) == count > 1000, (records, more, missing, made[n])
        assert int(missing) == given_up and streams == "1", (missing, streams, made[n])
        print("board-%d: %s records, %s missing" % (n, records, missing))
    rows_once(server, "pilot")
    print("killed:", done)


with Server("engine") as engine:
    main(engine)
