# SPDX-License-Identifier: MIT
"""Profiles of devices, with a real broker and engine. See fleet_profile.sh. Usage: fleet_profile.py BUILD [CHDB]"""
import atexit
import subprocess
import sys
import time

from clickhouse import Newest, Server
from fleet import setup, url_of
from fleet_net import Agent, Broker, Process, chunk
from wf_links import WALLFLY

BUILD = sys.argv[1]
LIMIT = 600


def profile(server, project, *args, code=0, words=""):
    """Returns the output of the command; words: what its message has."""
    p = subprocess.run([WALLFLY, "fleet", "profile", url_of(server), "--project=" + project, *args], capture_output=True, text=True)
    assert p.returncode == code and words in p.stderr and bool(code) == bool(p.stderr), (args, p)
    return p.stdout


class Watch(Process):
    """What is published of profiles in a project, as [device, profile]; retained messages only when it begins."""

    def __init__(self, broker, project):
        atexit.register(self.kill)
        self.broker, self.project = broker, project
        self.said = open("watch-" + project, "wb")
        self.process = subprocess.Popen(["mosquitto_sub", "-p", str(broker.port), "-q", "1", "-t", "wf/1/%s/+/profile" % project, "-F", "%t %p"],
                                        stdout=self.said)

    def seen(self):
        return [[line.split("/")[3], line.split(" ")[1]] for line in self.words().splitlines()]

    def wait_to_see(self, *wanted, hello=None):
        """All that was seen, in this order. hello: a device that sends again and again, as messages for an agent that has not yet
        connected are lost."""
        for n in range(6000):
            if hello and n % 20 == 0:
                send_hello(self.broker, self.project, hello)
            if len(self.seen()) >= len(wanted):
                break
            time.sleep(0.05)
        assert self.seen() == [list(w) for w in wanted], (self.seen(), wanted)


def send_hello(broker, project, device):
    with open("hello", "wb") as f:
        f.write(chunk(1, 0, b""))
    subprocess.run(["mosquitto_pub", "-p", str(broker.port), "-t", "wf/1/%s/%s/frames" % (project, device), "-q", "1", "-f", "hello"], check=True)


def kept(broker, project, device):
    """Waits for the retained profile of a device."""
    p = subprocess.run(["mosquitto_sub", "-p", str(broker.port), "-q", "1", "-t", "wf/1/%s/%s/profile" % (project, device), "-C", "1", "-F", "%r %p"],
                       check=True, capture_output=True, text=True, timeout=LIMIT)
    return p.stdout.split()


def command(server):
    setup(server, "said")
    assert profile(server, "said") == "said: no profile is set\n"
    assert profile(server, "said", "--device=d1") == "said: no profile is set for d1\n"
    for text in "box", "stats=10/3600", "stream", "stats=86399/86400":  # one after the other in the same second
        assert profile(server, "said", text) == "said: all others: %s\n" % text
        assert profile(server, "said", "--device=d1", text) == "said: d1: %s\n" % text
        assert profile(server, "said") == "said: all others: {0}\nsaid: d1: {0}\n".format(text)
    profile(server, "said", "--device=d0", "box")
    assert profile(server, "said") == "said: all others: {0}\nsaid: d0: box\nsaid: d1: {0}\n".format(text)
    assert profile(server, "said", "--device=d0") == "said: d0: box\n"
    # As from a host whose clock is ahead: what is set later is newer.
    server.ask("INSERT INTO said.device VALUES ('d2', 'box', 4000000000)")
    profile(server, "said", "--device=d2", "stream")
    profile(server, "said", "--device=d1", "stream")
    assert profile(server, "said", "--device=d2") == "said: d2: stream\n"
    assert server.rows("SELECT device, toUInt32(changed) FROM said.device FINAL WHERE device IN ('d1', 'd2') ORDER BY device") == [
        ["d1", "4000000001"], ["d2", "4000000001"]]
    server.ask("INSERT INTO said.device VALUES ('it\\'s', '\\x1b[31m', 4000000000)")
    assert "\x1b" not in profile(server, "said")
    for args, words in ((["Box"], "'Box' is not stream, box or stats=SECONDS/PERIOD"), ([""], "'' is not stream"), (["stats=0/2"], "'stats=0/2' is not"),
                        (["stats=2/2"], "1 <= SECONDS < PERIOD <= 86400"), (["stats=1/86401"], "'stats=1/86401' is not"), (["box", "box"], "usage: "),
                        (["'); drop table device"], "is not stream"), (["--device=it's", "box"], "--device: 'it's' is no name of a device"),
                        (["--device=", "box"], "--device: '' is no name of a device")):
        profile(server, "said", *args, code=2, words=words)
    profile(server, "absent", "box", code=3, words="has no table absent.stream; `wallfly fleet setup` makes it")
    # A project of an earlier version of wallfly.
    setup(server, "older")
    server.ask("DROP TABLE older.device")
    profile(server, "older", "box", code=3, words="has no table older.device; `wallfly fleet setup` makes it")
    setup(server, "older")
    profile(server, "older", "box")


# A device is told once by each agent and connection, and when its profile changes.
def agent_tells(server):
    broker = Broker()
    setup(server, "told")
    watch = Watch(broker, "told")
    profile(server, "told", "--device=d1", "stats=10/3600")
    profile(server, "told", "--device=never-seen", "box")
    agent = Agent(server, "told", broker, tokens={"secret": None})
    seen = [("d1", "stats=10/3600")]
    watch.wait_to_see(*seen, hello="d1")
    assert kept(broker, "told", "d1") == ["1", "stats=10/3600"]
    for device in "d1", "d2":  # one that has none
        send_hello(broker, "told", device)
    for device, header in ("d1", "stats=10/3600"), ("d2", None), ("never-seen", "box"):
        for body, wanted in (chunk(1, 0, b""), 200), (chunk(1, 100, b"beyond"), 409), (b"no chunk", 400):
            status, headers, _ = agent.post(device, body)
            assert status == wanted and headers["Wallfly-Profile"] == (header if status != 400 else None), (device, status, headers)
    profile(server, "told", "box")  # of all others that were seen
    seen.append(("d2", "box"))
    watch.wait_to_see(*seen)
    for device, text in ("d1", "stream"), ("d2", "stats=1/2"):
        profile(server, "told", "--device=" + device, text)
        seen.append((device, text))
        watch.wait_to_see(*seen)
    # What is no profile in the table changes nothing.
    server.ask("INSERT INTO told.device VALUES ('d1', '\\'); drop', 4000000000), ('it\\'s', 'box', 4000000000)")
    agent.wait_for("d1: its profile '")
    profile(server, "told", "stats=7/8")
    while agent.post("d4", chunk(1, 0, b""))[1]["Wallfly-Profile"] != "stats=7/8":
        time.sleep(0.1)
    seen.append(("d3", "stats=7/8"))
    watch.wait_to_see(*seen, hello="d3")
    profile(server, "told", "--device=d1", "stream")  # as it is
    # An agent that begins anew.
    agent.again()
    seen.append(("d1", "stream"))
    watch.wait_to_see(*seen, hello="d1")
    # The engine is away: nothing changes, and what is not yet known comes later.
    server.stop()
    seen.append(("d2", "stats=1/2"))
    watch.wait_to_see(*seen, hello="d2")
    away = "the engine does not answer"
    count = agent.words().count(away)
    agent.again()
    agent.wait_for(away, count + 1)
    send_hello(broker, "told", "d3")
    server.restart()
    seen.append(("d3", "stats=7/8"))
    watch.wait_to_see(*seen, hello="d3")
    # A broker that has forgotten what it kept.
    watch.kill()
    broker.again()
    agent.wait_for("connected")
    send_hello(broker, "told", "d2")
    assert kept(broker, "told", "d2")[1] == "stats=1/2"
    agent.end()
    broker.kill()


# Each of two agents tells its devices.
def shares(server):
    broker = Broker()
    setup(server, "shared")
    watch = Watch(broker, "shared")
    profile(server, "shared", "box")
    agents = [Agent(server, "shared", broker, "--share=%d/2" % n, name="shared-%d" % n) for n in (1, 2)]
    names = ["d%d" % n for n in range(8)]
    for name in names:
        count = len(watch.seen())
        while len(watch.seen()) == count:
            send_hello(broker, "shared", name)
            time.sleep(0.2)
    profile(server, "shared", "--device=d0", "stream")
    profile(server, "shared", "stats=1/9")
    while len(watch.seen()) < 2 * len(names):
        time.sleep(0.05)
    assert watch.seen()[:8] == [[name, "box"] for name in names], watch.seen()
    assert sorted(watch.seen()[8:]) == [["d0", "stream"]] + [[name, "stats=1/9"] for name in names[1:]], watch.seen()
    for agent in agents:
        agent.end()
    watch.kill()
    broker.kill()


# An agent says what the tables of an older project lack.
def older(server):
    setup(server, "old")
    server.ask("DROP TABLE old.device")
    agent = Agent(server, "old", None, tokens={"secret": None})
    assert agent.process.wait(LIMIT) == 3 and "has no table old.device; `wallfly fleet setup` makes it" in agent.words(), agent.words()


with Newest("engine", sys.argv[2]) if len(sys.argv) > 2 else Server("engine") as engine:
    for test in command, agent_tells, shares, older:
        test(engine)
        print("ok", test.__name__, flush=True)
