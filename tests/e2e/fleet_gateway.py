# SPDX-License-Identifier: MIT
"""The gateway with a real broker and engine. See fleet_gateway.sh."""
import os
import re
import signal
import socket
import subprocess
import threading
import time

from clickhouse import Server, free_ports
from fleet import load, same_rows, setup, url_of
from fleet_net import LIMIT, Agent, Broker, Gateway, Target, bytes_of, made, sums, tcp_port, wait_until
from wf_links import WALLFLY

FILES = ["0.bin", "1.bin"]


def serve(name):
    """Sends a file to the first one that connects. Returns the port."""
    server = socket.create_server(("127.0.0.1", 0))

    def send():
        s, _ = server.accept()
        with server, s:
            s.sendall(bytes_of(name))
    threading.Thread(target=send, daemon=True).start()
    return server.getsockname()[1]


# A lane over each way, at once and with pieces of all sizes: the rows of the file.
def whole(server):
    broker = Broker()
    setup(server, "whole")
    agent = Agent(server, "whole", broker, tokens={"secret": None})
    ways = {"mqtt": (broker.url + "/whole/%s", None), "http": ("http://127.0.0.1:%d/whole/%%s" % agent.port, "secret")}
    for n, (way, (url, secret)) in enumerate(ways.items()):
        for m, name in enumerate(FILES):
            device = "%s-%d" % (way, m)
            # A file and a pipe are held while the small buffer is full.
            with open(name, "rb") if way == "mqtt" else subprocess.Popen(["cat", name], stdout=subprocess.PIPE).stdout as f:
                said = Gateway("-", url % device, "--stream=%d" % (7000 + m), "--strict", "--buffer=1", secret=secret, stdin=f).ends()
            assert "-: 1 session, %d bytes; 0 given up" % len(bytes_of(name)) in said, said
    # So is a target that is connected to.
    said = Gateway("tcp:127.0.0.1:%d" % serve("0.bin"), ways["http"][0] % "tcp-0", "--stream=7000", "--once", "--strict", "--buffer=1", secret="secret").ends()
    assert ": 1 session, %d bytes; 0 given up" % len(bytes_of("0.bin")) in said, said
    # Two targets at once, each a stream.
    port = tcp_port()
    gateway = Gateway("tcp-listen:%d" % port, ways["mqtt"][0] % "two")
    gateway.wait_for("waiting for a target")
    targets = [Target(port, name, piece) for name, piece in zip(FILES, (1500, 60000))]
    for target in targets:
        target.let(1)
        target.ended()
    gateway.process.send_signal(signal.SIGTERM)
    gateway.ends()
    agent.end()
    broker.kill()
    for m, name in enumerate(FILES):
        for way in ways:
            load(server, "files", name, device="%s-%d" % (way, m), stream=7000 + m)
    load(server, "files", "0.bin", device="tcp-0", stream=7000)
    same_rows_of(server, "whole", "files", "device != 'two'")
    found = server.rows("SELECT stream, sum(length), sum(records), sum(missing) FROM whole.segment FINAL WHERE device = 'two' GROUP BY stream")
    wanted = [list(row) for m in range(2) for row in server.rows(
        "SELECT sum(length), sum(records), sum(missing) FROM files.segment FINAL WHERE device = 'mqtt-%d'" % m)]
    assert abs(int(found[0][0]) - int(found[1][0])) == 1 and sorted(row[1:] for row in found) == sorted(wanted), (found, wanted)


def end_live(gateway, code=0):
    gateway.process.send_signal(signal.SIGTERM)
    return gateway.ends(code)


def wait_for_bytes(server, project, device, count):
    """What a gateway has of live targets is not waited for long at its end. The tables have no frame that was cut."""
    question = "SELECT sum(length) FROM %s.segment FINAL WHERE device = '%s'" % (project, device)
    wait_until(lambda: int(server.rows(question)[0][0]) > count - 100, "%s of %s" % (device, project))


def send_one(port, data):
    """A target that sends, and leaves when the gateway has read all."""
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as s:
        s.sendall(data)
        s.shutdown(socket.SHUT_WR)
        assert s.recv(1) == b""


# One target after another, each on the same lane: the first one is cut in a frame. What follows is not taken for the rest of it.
def one_after_another(server):
    setup(server, "turns")
    agent = Agent(server, "turns", None, "--grow=1", tokens={"secret": None})
    url = "http://127.0.0.1:%d/turns/" % agent.port
    data = bytes_of("0.bin")
    cut = data[:len(data) // 2 - next(n for n in range(1, 100) if data[len(data) // 2 - n] == 0x7E) - 3]
    parts = [cut, bytes_of("1.bin"), cut]
    wanted = []
    for n, part in enumerate(parts):
        with open("part", "wb") as f:
            f.write(part)
        load(server, "parts", "part", device="part-%d" % n)
        wanted.append(sums(server, "parts", "part-%d" % n))
    for device, options in ("each", []), ("one", ["--stream=9"]):
        port = tcp_port()
        gateway = Gateway("tcp-listen:%d" % port, url + device, *options, secret="secret")
        gateway.wait_for("waiting for a target")
        for n, part in enumerate(parts):
            send_one(port, part)
            gateway.wait_for(": target disconnected", n + 1)
        wait_for_bytes(server, "turns", device, sum(map(len, parts)))
        assert ": 3 sessions, %d bytes; 0 given up" % sum(map(len, parts)) in end_live(gateway), gateway.words()
    agent.end()
    found = server.rows("SELECT sum(records), sum(missing) FROM turns.segment FINAL WHERE device = 'each' GROUP BY stream ORDER BY stream")
    assert [tuple(map(int, row)) for row in found] == wanted, (found, wanted)
    # A gap of a byte for each connection but the first.
    [[gap]] = server.rows("SELECT max(offset + length) - sum(length) FROM turns.segment FINAL WHERE device = 'one'")
    assert int(gap) == 2, gap
    records, missing = sums(server, "turns", "one")
    assert [records, missing] == [sum(column) for column in zip(*wanted)], (records, missing, wanted)


# The agent is away, and targets come and go: the streams of the last ones wait.
def many_after_another(server):
    setup(server, "many")
    agent = Agent(server, "many", None, "--grow=1", tokens={"secret": None})
    port, count, most = tcp_port(), 20, 16
    gateway = Gateway("tcp-listen:%d" % port, "http://127.0.0.1:%d/many/d" % agent.port, "--strict", secret="secret")
    gateway.wait_for("waiting for a target")
    agent.kill()
    data = bytes_of("1.bin")[:20000]
    for n in range(count):
        send_one(port, data)
        gateway.wait_for(": target disconnected", n + 1)
    assert "more than %d streams that targets have left wait" % most in gateway.words()
    agent.start()
    wait_for_bytes(server, "many", "d", most * (len(data) - 40))
    said = end_live(gateway, 4)
    assert ": %d sessions, %d bytes; %d given up" % (count, count * len(data), (count - most) * len(data)) in said, said
    agent.end()
    streams = server.rows("SELECT stream, sum(records) FROM many.segment FINAL GROUP BY stream")
    assert len(streams) == most and len({row[1] for row in streams}) == 1, streams


# What is surely no frames is not sent: a file ends the gateway, a target only itself.
def other_formats(server):
    setup(server, "others")
    agent = Agent(server, "others", None, "--grow=1", tokens={"secret": None})
    url = "http://127.0.0.1:%d/others/" % agent.port
    foreign = os.path.join(os.environ["SRC"], "tests/data/import/systemview/full.rtt.bin")
    said = Gateway(foreign, url + "file", secret="secret").ends(3)
    assert "full.rtt.bin: is SystemView; `wallfly fleet load` takes it" in said and ", 0 bytes; " in said, said
    with open("chrome.json", "w") as f:
        f.write('{"traceEvents": [%s]}' % ",".join('{"name": "a", "ph": "X", "ts": %d, "dur": 1, "pid": 1, "tid": 1}' % n for n in range(3000)))
    said = Gateway("chrome.json", url + "file", secret="secret").ends(3)
    assert "chrome.json: is Chrome trace events; " in said and ", 0 bytes; " in said, said
    port = tcp_port()
    gateway = Gateway("tcp-listen:%d" % port, url + "live", secret="secret")
    gateway.wait_for("waiting for a target")
    for n, part in enumerate((bytes_of(foreign), bytes_of("1.bin"))):
        send_one(port, part)
        gateway.wait_for(": target disconnected", n + 1)
    wait_for_bytes(server, "others", "live", len(part))
    said = end_live(gateway, 3)
    assert "is SystemView; `wallfly fleet load` takes it; it is not sent" in said, said
    agent.end()
    load(server, "alone", "1.bin", device="d")
    assert sums(server, "others", "live") == sums(server, "alone", "d")
    assert server.rows("SELECT DISTINCT device FROM others.stream") == [["live"]]


def same_rows_of(server, project, wanted, where):
    found = [server.rows("SELECT device, stream, offset, length, number, records, missing, damaged, cityHash64(bytes), cityHash64(at_begin) FROM %s.segment FINAL "
                         "WHERE %s ORDER BY device, stream, offset" % (name, where)) for name in (project, wanted)]
    assert found[0] == found[1] and len(found[0]) > 3, (found[0][:3], found[1][:3])


def send_datagrams(port, data):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        s.connect(("127.0.0.1", port))
        for at in range(0, len(data), 1000):
            s.send(data[at:at + 1000])
            time.sleep(0.0005)
            yield at


# The agent is away. A target on TCP is held, and nothing of it is lost; one that cannot be held loses its oldest bytes, which are a
# gap of counted records.
def full(server):
    broker = Broker()
    setup(server, "full")
    agent = Agent(server, "full", broker, "--grow=1")
    ports = [tcp_port(), tcp_port()]
    gateways = [Gateway("%s:%d" % (kind, port), broker.url + "/full/" + kind, "--stream=1", "--buffer=16", "--strict") for kind, port in zip(("tcp-listen", "udp"), ports)]
    for gateway in gateways:
        gateway.wait_for("waiting for a target")
    target = Target(ports[0], "0.bin", 100000)
    data = bytes_of("0.bin")
    for at in send_datagrams(ports[1], data):
        if at == 100000:
            while not server.rows("SELECT 1 FROM full.stream WHERE device = 'udp'"):
                time.sleep(0.1)
            agent.kill()
            target.let(1)
    gateways[1].wait_for("its oldest bytes are given up, and counted")
    agent.start()
    target.ended()
    for gateway, code in zip(gateways, (0, 4)):
        gateway.process.send_signal(signal.SIGTERM)
        said = gateway.ends(code)
    given_up = int(re.search(r"(\d+) given up", said)[1])
    agent.end()
    broker.kill()
    total = made(server, "0.bin")
    assert "bytes given up (--strict)" in said and given_up > 0
    records, missing = sums(server, "full", "tcp-listen")
    assert records + missing == total and missing == 0, (records, missing, total)
    # Datagrams may be lost before the gateway, too, also the last ones.
    records, missing = sums(server, "full", "udp")
    assert missing > 0 and total // 2 < records + missing <= total, (records, missing, total)
    [[gap]] = server.rows("SELECT max(offset + length) - sum(length) FROM full.segment FINAL WHERE device = 'udp'")
    assert int(gap) == given_up, (gap, given_up)


def refused(server):
    setup(server, "odd")
    agent = Agent(server, "odd", None, tokens={"secret": None})
    url = "http://127.0.0.1:%d" % agent.port
    subprocess.run([WALLFLY, "record", "0.bin", "-o", "0.wfr", "-q"], check=True)
    for source, to, options, code, words in (
            ("0.bin", url + "/odd/dev", [], 3, "the agent refuses: HTTP 401: a token"), ("0.bin", url + "/other/dev", ["secret"], 3, "HTTP 404: this agent has another project"),
            ("0.wfr", url + "/odd/dev", ["secret"], 2, "is a recording; `wallfly fleet load`"), ("absent.bin", url + "/odd/dev", ["secret"], 3, "absent.bin"),
            ("0.bin", url + "/odd", ["secret"], 2, "--to: '"), ("0.bin", url + "/odd/it's", ["secret"], 2, "--to: '"), ("0.bin", "ftp://h/odd/dev", [], 2, "is no mqtt:// and no http://"),
            ("0.bin", "h/odd/dev", [], 2, "--to: '"), ("0.bin", "mqtt://u:p@h/odd/dev", [], 2, "is no mqtt://"), ("0.bin", "http://u@h/odd/dev", [], 2, "is no http://HOST"),
            ("0.bin", url + "/odd/dev", ["--raw"], 2, "--raw: not with --to"), ("0.bin", url + "/odd/dev", ["-o", "x"], 2, "--output: not with --to"),
            ("0.bin", url + "/odd/dev", ["--stream=0"], 2, "--stream"), ("0.bin", url + "/odd/dev", ["--buffer=0"], 2, "--buffer"),
            ("0.bin", url + "/odd/dev", ["--secret-file=absent"], 3, "absent: No such file"), ("0.bin", url + "/odd/dev", ["to ken"], 2, "a character that HTTP forbids")):
        secret = next((o for o in options if o[0] != "-" and o != "x"), None)
        p = subprocess.run([WALLFLY, "record", source, "--to=" + to, *[o for o in options if o != secret]], capture_output=True, text=True,
                           env={**os.environ, **({"WALLFLY_SECRET": secret} if secret else {})})
        assert p.returncode == code and words in p.stderr, (source, to, options, p)
    # An agent that is away at the end: a signal ends the wait.
    gateway = Gateway("0.bin", "http://127.0.0.1:%d/odd/away" % free_ports(1)[0])
    gateway.wait_for("the agent does not answer: ")
    gateway.process.send_signal(signal.SIGTERM)
    assert re.search(r"[1-9]\d* bytes were not taken by the agent", gateway.ends(3)), gateway.words()
    for option in "--stream=1", "--buffer=1", "--secret-file=x":
        p = subprocess.run([WALLFLY, "record", "0.bin", "-o", "x.wfr", option], capture_output=True, text=True)
        assert p.returncode == 2 and option.split("=")[0] + ": only with --to" in p.stderr and not os.path.exists("x.wfr"), p
    with open("token", "w") as f:
        f.write("secret\n")
    subprocess.run([WALLFLY, "record", "1.bin", "--to=%s/odd/dev" % url, "--secret-file=token", "-q"], check=True)
    agent.end()
    [[device, count]] = server.rows("SELECT device, count() FROM odd.stream FINAL GROUP BY device")
    assert (device, count) == ("dev", "1"), (device, count)


with Server("engine") as engine:
    for test in whole, one_after_another, many_after_another, other_formats, full, refused:
        test(engine)
        print("ok", test.__name__, flush=True)
