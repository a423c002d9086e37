# SPDX-License-Identifier: MIT
"""The agent with a real broker and engine. See fleet_mqtt.sh. Usage: fleet_mqtt.py BUILD [CHDB]"""
import os
import random
import re
import subprocess
import sys
import time

from clickhouse import Newest, Server
from fleet import load, same_rows, setup, url_of
from fleet_net import Agent, Broker, Gateway, Target, chunk, made, size, sums, tcp_port, wait_until
from wf_links import WALLFLY

BUILD = sys.argv[1]
KILLS = int(os.environ.get("KILLS", "5"))
AWAY = int(os.environ.get("AWAY", "0"))
DEVICES, BEHIND = 50, 4  # of them behind gateways
FILES = ["%d.bin" % n for n in range(5)]
WHOLE = FILES[::2]  # without losses


def devices(broker, project, count, *files, chunk=2000):
    return subprocess.Popen([BUILD + "/bin/fleet_devices", broker.url, project, str(count), str(chunk), *files],
                            stdout=subprocess.PIPE, text=True)


def ends(process):
    out, _ = process.communicate(timeout=900)
    assert process.returncode == 0, out
    return re.match(r"(\d+) messages, (\d+) of them again, (\d+) answers, (\d+) backwards\n", out)


def expected(server, project, numbers):
    for n in numbers:
        load(server, project, FILES[n % len(FILES)], device="dev-%d" % n, stream=1000 + n)


def behind_gateways(broker, agent):
    """Devices without a network, half of them behind gateways over MQTT, half over HTTP. Returns gateways and targets. They have given
    nothing up: a SYNC at a hole, which is no record that was made, counts as one when it comes (docs/wire-format.md)."""
    gateways, targets = {}, {}
    for n in range(BEHIND):
        port, device = tcp_port(), "behind-%d" % n
        url, secret = ("http://127.0.0.1:%d" % agent.port, "secret") if n % 2 else (broker.url, None)
        gateways[device] = Gateway("tcp-listen:%d" % port, "%s/kills/%s" % (url, device), "--stream=1", "--buffer=64", secret=secret)
        targets[device] = Target(port, WHOLE[n % len(WHOLE)], 500)
    return gateways, targets


# Bytes that a killed gateway had, or that were on their way to it, are lost, and counted: it goes on with the same stream.
def check_behind(server, device, total):
    records, missing = sums(server, "kills", device)
    assert records + missing == total and records > total / 5, (device, records, missing, total)
    segments = [tuple(map(int, row)) for row in server.rows(
        "SELECT stream, number, records_span, offset, length FROM kills.segment FINAL WHERE device = '%s' ORDER BY offset" % device)]
    for before, after in zip(segments, segments[1:]):
        assert before[1] + before[2] == after[1] and before[3] + before[4] <= after[3], (device, before, after)
    assert {row[0] for row in segments} == {1}, (device, segments)
    return "%s: %d records, %d missing" % (device, records, missing)


def kills(server):
    broker = Broker()
    setup(server, "kills")
    agent = Agent(server, "kills", broker, "--grow=2", tokens={"secret": None})
    sending = devices(broker, "kills", DEVICES - BEHIND, *FILES, chunk=2000 if KILLS < 20 else 700)
    gateways, targets = behind_gateways(broker, agent)
    chances, done, early = random.Random(7), {"broker": 0, "agent": 0, "engine": 0, "gateway": 0}, 0
    while min(done.values()) < KILLS:
        for target in targets.values():  # there is always something on its way; the other half comes after the kills
            target.let((sum(done.values()) + 1) / len(done) / KILLS / 2)
        time.sleep(chances.random() * 1.5)
        what = chances.choice([name for name in done if done[name] < KILLS])
        early += sending.poll() is None
        if what == "engine":
            server.stop()
            time.sleep(chances.random() * 0.3)
            server.restart()
        else:
            {"broker": broker, "agent": agent, "gateway": chances.choice(list(gateways.values()))}[what].again()
        done[what] += 1
    for target in targets.values():
        target.let(1)
    for target in targets.values():
        target.ended()
    said = ends(sending)
    totals = {device: made(server, WHOLE[n % len(WHOLE)]) for n, device in enumerate(targets)}
    for device, total in totals.items():
        wait_until(lambda: sum(sums(server, "kills", device)) >= total, "all of " + device)
    for gateway in gateways.values():
        assert gateway.process.poll() is None, gateway.words()
        gateway.kill()
    agent.end()
    broker.kill()
    expected(server, "files", range(DEVICES - BEHIND))
    same_rows(server, "kills", "files", but_last=True, where="device LIKE 'dev-%'")
    print("killed: %s, %d times while others than targets sent; %s messages, %s again" % (done, early, said[1], said[2]))
    print("\n".join(check_behind(server, *device) for device in totals.items()))


# The spool grows, and is worked off; when it is full, devices wait.
def engine_away(server):
    broker = Broker()
    setup(server, "away")
    agent = Agent(server, "away", broker, "--spool-size=2")
    sending = devices(broker, "away", 2, *FILES)
    assert ends(sending)
    server.stop()
    sending = devices(broker, "away", 10, *FILES)
    agent.wait_for("spool-away: is full; devices wait, and count what they give up")
    agent.wait_for("trying again")
    assert 1000000 < size("spool-away") <= 2000000 and sending.poll() is None
    server.restart()
    said = ends(sending)
    assert int(said[2]) > 0
    agent.wait_for("spool-away: takes chunks again")
    agent.end()
    broker.kill()
    expected(server, "ten", range(10))
    same_rows(server, "away", "ten", but_last=True)


def files(spool):
    return sorted(name for name in os.listdir(spool) if name.endswith(".spool"))


# No device waits while the engine is away, for AWAY seconds; later all of it is worked off, and the files of the spool are dropped.
def engine_away_long(server):
    broker = Broker()
    setup(server, "long")
    # It has files of 64 MiB; with a bound, which is not reached here, smaller ones.
    agent = Agent(server, "long", broker, "--grow=2", *([] if AWAY else ["--spool-size=100"]))
    server.stop()
    end, count, messages = time.monotonic() + AWAY, 0, 0
    while not count or time.monotonic() < end or len(files("spool-long")) < 2:
        count += 50  # those that were there before ask again
        said = ends(devices(broker, "long", count, *FILES, chunk=2000 if AWAY else 4000))
        messages += int(said[1])
    agent.wait_for("trying again")
    [first, *_] = files("spool-long")
    sent = sum(os.path.getsize(FILES[n % len(FILES)]) for n in range(count))
    assert "devices wait" not in agent.words() and size("spool-long") > sent, (agent.words(), size("spool-long"), sent)
    server.restart()
    wait_until(lambda: len(files("spool-long")) == 1, "the end of the spool")
    assert files("spool-long") != [first]
    agent.end()
    broker.kill()
    expected(server, "files", range(count))
    same_rows(server, "long", "files", but_last=True)
    print("%d devices, %d messages, a spool of %.1f MB" % (count, messages, sent / 1e6))


def refused(server):
    broker = Broker()
    setup(server, "odd")
    agent = Agent(server, "odd", broker)
    agent_topics = {"wf/1/odd/dev-1/frames": b"no chunk", "wf/1/odd/it's/frames": b"x", "wf/1/odd/" + "d" * 65 + "/frames": b"x",
                    "wf/1/odd/dev-2/frames": b""}
    assert ends(devices(broker, "odd", 1, "0.bin"))  # it is connected
    for topic, text in agent_topics.items():
        subprocess.run(["mosquitto_pub", "-p", str(broker.port), "-t", topic, "-q", "1", *(["-m", text.decode()] if text else ["-n"])], check=True)
    # 2 MiB of content; an offset at the end of all numbers.
    for n, (offset, content) in enumerate(((0, bytes(2 << 20)), (2 ** 64 - 5, bytes(10)))):
        with open("message", "wb") as f:
            f.write(chunk(9, offset, content, 1, good=False))
        subprocess.run(["mosquitto_pub", "-p", str(broker.port), "-t", "wf/1/odd/dev-%d/frames" % (3 + n), "-q", "1", "-f", "message"], check=True)
    for words in ("dev-1: no chunk begins here", "message: no topic of a device", "dev-2: an empty message", "dev-3: a chunk of over 1 MiB",
                  "dev-4: a chunk beyond the end of any stream"):
        agent.wait_for(words)
    sending = devices(broker, "odd", 1, "0.bin")  # it goes on
    assert ends(sending)
    agent.end()
    broker.kill()
    assert server.rows("SELECT DISTINCT device FROM odd.segment") == [["dev-0"]]
    for options, words in ((["--spool=s"], "--mqtt=URL or --http=PORT is missing"), (["--mqtt=mqtt://h"], "--spool=DIR is missing"),
                           (["--mqtt=http://h", "--spool=s"], "'http://h' is no mqtt://"), (["--mqtt=mqtt://u:p@h", "--spool=s"], "is no mqtt://"),
                           (["--mqtt=mqtt://h:0", "--spool=s"], "is no mqtt://"), (["--mqtt=mqtt://h", "--spool=s", "--share=3/2"], "--share: '3/2' is no I/N"),
                           (["--mqtt=mqtt://h", "--spool=absent/s"], "absent/s: No such file")):
        p = subprocess.run([WALLFLY, "fleet", "agent", url_of(server), "--project=odd", *options], capture_output=True, text=True)
        assert p.returncode in (2, 3) and words in p.stderr, (options, p)


# Two agents share the devices.
def shares(server):
    broker = Broker()
    setup(server, "shared")
    agents = [Agent(server, "shared", broker, "--share=%d/2" % n, name="shared-%d" % n) for n in (1, 2)]
    assert ends(devices(broker, "shared", 10, *FILES))
    for agent in agents:
        agent.end()
    assert all(size(folder) > 100000 for folder in ("spool-shared-1", "spool-shared-2"))
    broker.kill()
    same_rows(server, "shared", "ten", but_last=True)


with Newest("engine", sys.argv[2]) if len(sys.argv) > 2 else Server("engine") as engine:
    for test in kills, engine_away, engine_away_long, shares, refused:
        test(engine)
        print("ok", test.__name__, flush=True)
