# SPDX-License-Identifier: MIT
"""Profiles of devices, with a real broker and engine. See fleet_profile.sh. Usage: fleet_profile.py BUILD [CHDB]"""
import atexit
import re
import signal
import socket
import subprocess
import sys
import threading
import time

from clickhouse import Newest, Server
from fleet import load, setup, url_of
from fleet_net import LIMIT, Agent, Broker, Gateway, Process, bytes_of, chunk, tcp_port
from wf_links import WALLFLY

BUILD = sys.argv[1]


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
    for device, text in ("d1", "stream"), ("d2", "stats=1/2"), ("never-seen", "stream"):
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
    watch = Watch(broker, "told")
    watch.wait_to_see(("d3", "stats=7/8"), hello="d3")
    agent.end()
    watch.kill()
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


class LiveGateway(Gateway):
    """A gateway for targets on TCP, or for a file."""

    def __init__(self, to, *options, source=None):
        self.port = tcp_port()
        super().__init__(source or "tcp-listen:%d" % self.port, to, *options, secret="secret" if to.startswith("http") else None)

    def send(self, data, piece=None):
        """A target that sends, and leaves when the gateway has read all. piece: so many bytes each 20 ms or later."""
        self.wait_for("waiting for a target")
        with socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT) as s:
            for at in range(0, len(data), piece or len(data)):
                s.sendall(data[at:at + (piece or len(data))])
                time.sleep(0.02 if piece else 0)
            s.shutdown(socket.SHUT_WR)
            assert s.recv(1) == b""


def fleet_hash(name):
    """wf_fleet_hash: where the periods of a gateway's device begin."""
    h, most = 14695981039346656037, 2 ** 64 - 1
    for at in range(0, len(name), 8):
        h = (h ^ int.from_bytes(name[at:at + 8], "little")) * 1099511628211 & most
        h ^= h >> 32
    h = (h ^ len(name)) * 1099511628211 & most
    return h ^ h >> 29


def device_where(name, least, most):
    """A device whose day has so many seconds behind it."""
    return next(d for d in ("%s-%d" % (name, n) for n in range(100000)) if least < (time.time() + fleet_hash(d.encode())) % 86400 < most)


def streams(server, project, device):
    """Returns records, missing, damaged, begin and end of each stream, in the order of their numbers."""
    return [tuple(map(int, row)) for row in server.rows(
        "SELECT sum(records), sum(missing), sum(damaged), min(begin_ns), max(end_ns) FROM %s.segment FINAL WHERE device = '%s' "
        "GROUP BY stream ORDER BY stream" % (project, device))]


def numbers(said):
    """The bytes that were sent, given up, left out."""
    found = re.search(r" (\d+) bytes; (\d+) given up(?:; (\d+) left out by the profile)?; ", said)
    return [int(n or 0) for n in found.groups()]


def nothing_is_sent(server, project, url, device, data, *options, wait=None):
    gateway = LiveGateway(url + device, "--once", "--strict", *options)
    if wait:
        gateway.wait_for("the profile is " + wait)
    gateway.send(data)
    assert numbers(gateway.ends()) == [0, 0, len(data)], gateway.words()


# By a window or nothing, at a time that is in it or not; with one that the command line says in place of the fleet's.
def gateways_obey(server):
    broker = Broker()
    setup(server, "obey")
    data = bytes_of("0.bin")
    load(server, "made", "0.bin", device="d")
    [whole] = streams(server, "made", "d")
    agent = Agent(server, "obey", broker, "--grow=1", tokens={"secret": None})
    urls = {"mqtt": broker.url + "/obey/", "http": "http://127.0.0.1:%d/obey/" % agent.port}
    profile(server, "obey", "stats=40000/86400")
    watch = Watch(broker, "obey")
    watch.wait_to_see(("hello", "stats=40000/86400"), hello="hello")  # it is connected
    sent = []
    for way, url in urls.items():
        closed, opened = device_where(way, 41000, 70000), device_where(way, 1000, 30000)
        nothing_is_sent(server, "obey", url, closed, data, wait="stats=40000/86400")
        gateway = LiveGateway(url + opened, "--once", "--strict")
        gateway.wait_for("the profile is stats=40000/86400")
        gateway.send(data)
        assert numbers(gateway.ends()) == [len(data), 0, 0], gateway.words()
        # What the command line says has priority.
        nothing_is_sent(server, "obey", url, opened, data, "--profile=box")
        said = LiveGateway(url + way + "-file", "--strict", source="0.bin").ends()  # a file is sent whole
        assert numbers(said) == [len(data), 0, 0] and "the profile" not in said, said
        gateway = LiveGateway(url + closed, "--once", "--strict", "--profile=stream")
        gateway.send(data)
        assert numbers(gateway.ends()) == [len(data), 0, 0] and "the profile" not in gateway.words(), gateway.words()
        sent += [opened, closed, way + "-file"]
    agent.end()
    watch.kill()
    broker.kill()
    assert server.rows("SELECT DISTINCT device FROM obey.stream ORDER BY device") == [[device] for device in sorted(sent)]
    for device in sent:
        assert streams(server, "obey", device) == [whole], (device, streams(server, "obey", device), whole)


# Each window is a stream of whole frames without losses; with --stream they are one, and what is between counts as lost.
def windows(server):
    broker = Broker()
    setup(server, "windows")
    data = bytes_of("0.bin")
    agent = Agent(server, "windows", broker, "--grow=1", tokens={"secret": None})
    urls = {"mqtt": broker.url + "/windows/", "http": "http://127.0.0.1:%d/windows/" % agent.port}
    gateways = {}
    for way, url in urls.items():
        for device, options in ((way, ()), (way + "-one", ("--stream=9",))):
            gateways[device] = LiveGateway(url + device, "--once", "--strict", "--profile=stats=1/2", *options)
    threads = [threading.Thread(target=gateway.send, args=(data, len(data) // 400)) for gateway in gateways.values()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for gateway in gateways.values():
        count, given_up, left_out = numbers(gateway.ends())
        assert count + left_out == len(data) and not given_up and count and left_out, gateway.words()
    agent.end()
    broker.kill()
    [(records, missing, *_)] = streams(server, "made", "d")
    assert missing == 0
    for device in gateways:
        found = streams(server, "windows", device)
        sums = [sum(column) for column in list(zip(*found))[:3]]
        print(device, len(found), sums, records)
        assert 0 < sums[0] < records and sums[2] == 0, found
        if device.endswith("-one"):
            assert len(found) == 1 and 0 < sums[1] <= records - sums[0], found
        else:
            assert len(found) >= 3 and sums[1] == 0, found
            assert all(a[4] < b[3] for a, b in zip(found, found[1:])), found  # time has passed in between


# While it runs; texts that are none change nothing.
def changes(server):
    broker = Broker()
    setup(server, "changes")
    data = bytes_of("0.bin")
    agent = Agent(server, "changes", broker, "--grow=1", tokens={"secret": None})
    profile(server, "changes", "box")
    watch = Watch(broker, "changes")
    watch.wait_to_see(("hello", "box"), hello="hello")
    gateways = {"mqtt": LiveGateway(broker.url + "/changes/mqtt"), "http": LiveGateway("http://127.0.0.1:%d/changes/http" % agent.port)}
    for gateway in gateways.values():
        gateway.wait_for("the profile is box")
        gateway.send(data)
    subprocess.run(["mosquitto_pub", "-p", str(broker.port), "-t", "wf/1/changes/mqtt/profile", "-q", "1", "-r", "-m", "stats=2/1"], check=True)
    subprocess.run(["mosquitto_pub", "-p", str(broker.port), "-t", "wf/1/changes/mqtt/profile", "-q", "1", "-r", "-n"], check=True)
    gateways["mqtt"].wait_for("the profile 'stats=2/1' is not stream, box or stats=SECONDS/PERIOD with 1 <= SECONDS < PERIOD <= 86400; it is left out")
    gateways["mqtt"].send(data)
    profile(server, "changes", "stream")
    for way, gateway in gateways.items():
        gateway.wait_for("the profile is stream")
        gateway.send(data)
        while not streams(server, "changes", way) or streams(server, "changes", way)[0][0] < streams(server, "made", "d")[0][0]:
            time.sleep(0.1)
        gateway.process.send_signal(signal.SIGTERM)
        assert numbers(gateway.ends()) == [len(data), 0, len(data) * (2 if way == "mqtt" else 1)], gateway.words()
        assert gateway.words().count("the profile is") == 2, gateway.words()
    agent.end()
    watch.kill()
    broker.kill()
    for way in gateways:
        assert streams(server, "changes", way) == streams(server, "made", "d"), way
    for options, words in ((["--to=http://h/p/d", "--profile=Box"], "--profile: 'Box' is not stream, box or"), (["--profile=box"], "--profile: only with --to")):
        p = subprocess.run([WALLFLY, "record", "udp:0", *options], capture_output=True, text=True)
        assert p.returncode == 2 and words in p.stderr, p
    p = subprocess.run([WALLFLY, "record", "0.bin", "--to=http://h/p/d", "--profile=box"], capture_output=True, text=True)
    assert p.returncode == 2 and "--profile: not with a file, which is sent whole" in p.stderr, p


# A device with a network of its own: nothing is sent with box, with stats a stream for each window.
def example(server):
    broker = Broker()
    setup(server, "example")
    profile(server, "example", "stats=1/2")
    profile(server, "example", "--device=boxed", "box")
    watch = Watch(broker, "example")
    agent = Agent(server, "example", broker, "--grow=1")
    watch.wait_to_see(("boxed", "box"), hello="boxed")
    command = [BUILD + "/bin/mqtt_device", "127.0.0.1", str(broker.port), "example"]
    p = subprocess.run([*command, "boxed", "2"], capture_output=True, text=True, timeout=LIMIT)
    assert p.returncode == 0 and int(p.stdout.split()[0]) > 100, p
    device = subprocess.Popen([*command, "windows", "100000"], stdout=subprocess.DEVNULL)
    atexit.register(device.kill)
    while len(streams(server, "example", "windows")) < 4:
        assert device.poll() is None
        time.sleep(0.1)
    device.kill()
    device.wait()
    agent.end()
    watch.kill()
    broker.kill()
    *found, _ = streams(server, "example", "windows")  # the last one was cut when it was killed
    assert len(found) >= 3 and all(records > 0 and damaged == 0 for records, _, damaged, *_ in found), found
    assert server.rows("SELECT DISTINCT device FROM example.stream") == [["windows"]]


with Newest("engine", sys.argv[2]) if len(sys.argv) > 2 else Server("engine") as engine:
    for test in command, agent_tells, shares, older, gateways_obey, windows, changes, example:
        test(engine)
        print("ok", test.__name__, flush=True)
