# SPDX-License-Identifier: MIT
"""Uploads to the agent, with a real engine and broker. See fleet_http.sh. Usage: fleet_http.py BUILD [CHDB]"""
import http.client
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

from clickhouse import Newest, Server, free_ports
from fleet import load, same_rows, setup, url_of
from fleet_net import Agent, Broker, chunk, size, wanted
from wf_links import WALLFLY

BUILD = sys.argv[1]
KILLS = int(os.environ.get("KILLS", "5"))
FILES = ["%d.bin" % n for n in range(3)]
BEGINS = 1
TOKENS = {"secret": None, "secret of dev-1": "dev-1"}


class Device(threading.Thread):
    """Sends a file in uploads on a connection that it keeps, as long as it is answered, and goes where the agent wants it.
    again: one of so many uploads is sent twice, one begins earlier, one behind a gap. told: what was answered."""

    def __init__(self, agent, n, least=500, most=20000, again=0):
        super().__init__()
        self.agent, self.name, self.stream = agent, "dev-%d" % n, 1000 + n
        with open(FILES[n % len(FILES)], "rb") as f:
            self.bytes = f.read()
        self.least, self.most, self.again, self.chances = least, most, again, random.Random(n)
        self.next, self.unsure, self.told, self.failed, self.c = 0, False, {}, None, None
        self.start()

    def post(self, body):
        if not self.c:
            self.c = http.client.HTTPConnection("127.0.0.1", self.agent.port, timeout=300)
        try:
            self.c.request("POST", "/v1/%s/%s" % (self.agent.project, self.name), body, {"Authorization": "Bearer secret"})
            answer = self.c.getresponse()
            status, retry, text = answer.status, answer.headers["Retry-After"], answer.read()
        except (OSError, http.client.HTTPException):  # the agent was killed
            self.c.close()
            self.c, status, retry, text = None, 0, "1", b""
        self.told[status] = self.told.get(status, 0) + 1
        if status in (200, 409):
            stream, offset = wanted(text)
            assert stream == self.stream, (stream, self.stream)
            return status, offset
        assert status in (0, 503) and retry == "1", (status, retry, text)
        time.sleep(0.1)
        self.unsure = True  # a part of it may be stored
        return status, None

    def ask(self):
        """A chunk without content is answered, too."""
        status, offset = self.post(chunk(self.stream, 0, b""))
        if offset is not None:
            assert status == 200 and offset >= self.next, (status, offset, self.next)
            self.next, self.unsure = offset, False

    def odd(self):
        """What a network and a device do that they need not do."""
        at = self.chances.randrange(self.next + 1)
        status, offset = self.post(chunk(self.stream, at, self.bytes[at:self.next]))
        assert self.unsure or (status == 200 and offset == self.next), (status, offset, self.next)
        beyond = self.next + 1 + self.chances.randrange(100000)
        status, offset = self.post(chunk(self.stream, beyond, b"never stored"))
        assert self.unsure or (status == 409 and offset == self.next), (status, offset, self.next)

    def run(self):
        try:
            while self.next < len(self.bytes):
                if self.unsure:
                    self.ask()
                    continue
                if self.again and self.chances.randrange(self.again) == 0:
                    self.odd()
                body, at = b"", self.next
                for _ in range(self.chances.choice((1, 1, 3))):
                    content = self.bytes[at:at + self.chances.randint(self.least, self.most)]
                    body += chunk(self.stream, at, content, 0 if at else BEGINS) if content else b""
                    at += len(content)
                status, offset = self.post(body)
                assert self.unsure or (status == 200 and offset == at), (status, offset, at)
                if offset is not None:
                    self.next = offset
        except BaseException as error:
            self.failed = error
            raise

    def ended(self):
        self.join(900)
        assert not self.is_alive() and not self.failed, (self.failed, self.told)
        return self.told


def expected(server, project, count):
    for n in range(count):
        load(server, project, FILES[n % len(FILES)], device="dev-%d" % n, stream=1000 + n)


# Uploads of six devices, and six others over MQTT at the same time.
def both(server):
    broker = Broker()
    setup(server, "both")
    agent = Agent(server, "both", broker, "--grow=2", tokens=TOKENS)
    others = subprocess.Popen([BUILD + "/bin/fleet_devices", broker.url, "both", "6", "3000", *FILES])
    told = [device.ended() for device in [Device(agent, n, again=3) for n in range(6, 12)]]
    assert others.wait(900) == 0
    agent.end()
    broker.kill()
    assert all(set(t) == {200, 409} and t[409] > 2 for t in told), told
    expected(server, "files", 12)
    same_rows(server, "both", "files", but_last=True)


def kills(server):
    setup(server, "kills")
    agent = Agent(server, "kills", None, "--grow=2", tokens=TOKENS)
    chances, devices = random.Random(3), [Device(agent, n, 100, 900, again=20) for n in range(12)]
    done = 0
    while done < KILLS and any(device.is_alive() for device in devices):
        time.sleep(chances.random() * 3.5 / KILLS)
        agent.again()
        done += 1
    told = [device.ended() for device in devices]
    agent.end()
    assert done == KILLS and any(0 in t for t in told), (done, told)
    same_rows(server, "kills", "files", but_last=True)
    print("killed %d times, %d uploads without an answer" % (done, sum(t.get(0, 0) for t in told)))


# The engine is away and the spool gets full, then the disk does: uploads are refused with 503 meanwhile.
def full(server):
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    setup(server, "full")
    agent = Agent(server, "full", None, "--spool-size=1", tokens=TOKENS, preexec_fn=limited)
    assert Device(agent, 0).ended()
    server.stop()
    devices = [Device(agent, n, again=20) for n in range(1, 6)]
    agent.wait_for("spool-full: is full; devices wait, and count what they give up")
    while not any(device.told.get(503) for device in devices):
        time.sleep(0.05)
    assert 400000 < size("spool-full") <= 1000000
    server.restart()
    agent.wait_for("spool-full: takes chunks again")
    assert all(device.ended() for device in devices)
    # Of each file: those of the spool are larger, its table and the messages are not.
    resource.prlimit(agent.process.pid, resource.RLIMIT_FSIZE, (60000, resource.RLIM_INFINITY))
    devices = [Device(agent, n) for n in range(6, 12)]
    while not all(device.told.get(503) for device in devices):
        time.sleep(0.05)
    assert "File too large; devices wait" in agent.words(), agent.words()
    resource.prlimit(agent.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert all(device.ended() for device in devices)
    agent.end()
    same_rows(server, "full", "files", but_last=True)


def raw(agent, request):
    """Sends bytes, and returns all that comes until the agent ends the connection or has answered."""
    with socket.create_connection(("127.0.0.1", agent.port), timeout=300) as s:
        s.sendall(request)
        s.shutdown(socket.SHUT_WR)
        out = b""
        try:
            while more := s.recv(65536):
                out += more
        except ConnectionResetError:
            pass
        return out


def until(agent, device, body, wanted, *before):
    """Sends an upload again until it has the status that is wanted. Returns the answer."""
    for _ in range(6000):
        answer = agent.post(device, body)
        if answer[0] == wanted:
            return answer
        assert answer[0] in before, answer
        time.sleep(0.05)
    sys.exit("no upload has the status %d" % wanted)


def refused(server):
    setup(server, "odd")
    agent = Agent(server, "odd", None, tokens=TOKENS, name="odd")
    good = chunk(5, 0, b"some bytes", BEGINS)
    ours = {"Authorization": "Bearer secret"}
    for what, status, words in (
            ({"token": None}, 401, b"a token"), ({"token": "wrong"}, 401, b"a token"), ({"token": "secret "}, 200, None), ({"token": "secre"}, 401, b"a token"),
            ({"token": "secret of dev-1"}, 401, b"a token"), ({"token": "secret of dev-1", "device": "dev-1"}, 200, None),
            ({"token": None, "headers": {"Authorization": "Basic secret"}}, 401, b"a token"), ({"token": "t" * 300}, 400, b"too long"),
            ({"path": "/v1/other/dev"}, 404, b"another project"), ({"path": "/v1/odd"}, 404, b"/v1/PROJECT/DEVICE"), ({"path": "/v1/odd/"}, 404, b"/v1/PROJECT"),
            ({"path": "/v1/odd/dev/frames"}, 404, b"/v1/PROJECT"), ({"path": "/v2/odd/dev"}, 404, b"/v1/PROJECT"), ({"path": "/"}, 404, b"/v1/PROJECT"),
            ({"path": "/v1/o-d/dev"}, 400, b"no name of a project"), ({"path": "/v1/odd/it's"}, 400, b"no name of a device"),
            ({"path": "/v1/odd/%27%3B%20drop%20table"}, 400, b"no name of a device"), ({"path": "/v1/odd/" + "d" * 65}, 400, b"no name of a device"),
            ({"path": "/v1/odd/" + "d" * 300}, 400, b"too long"), ({"path": "/v1/odd/dev?x=" + "y" * 300}, 200, None), ({"body": b""}, 400, b"empty"),
            ({"body": b"no chunk"}, 400, b"no chunk begins here"), ({"body": good[:-1]}, 400, b"not whole"), ({"body": good + b"x"}, 400, b"no chunk begins here"),
            ({"body": chunk(5, 0, b"some bytes", BEGINS, good=False)}, 400, b"checksum is wrong"), ({"body": chunk(5, 0, b"x", 64)}, 400, b"flags"),
            ({"body": chunk(5, 2 ** 64 - 5, b"x", BEGINS)}, 400, b"beyond the end of any stream"), ({"body": chunk(5, 2 ** 60, b"x")}, 409, None),
            ({"body": good + chunk(6, 0, b"x", BEGINS)}, 400, b"two streams"), ({"body": chunk(5, 0, b"not packed", 4)}, 400, b"cannot be unpacked"),
            ({"body": bytes((1 << 20) + 57)}, 413, b"too long"), ({"body": bytes(5 << 20)}, 413, b"too long"), ({"body": bytes(2 << 20), "token": "x"}, 401, b"a token")):
        what = {"device": "dev", "body": good, **what}
        found = agent.post(**what)
        assert found[0] == status and (words or b"") in found[2], (what, found)
        assert (found[1]["WWW-Authenticate"] == "Bearer") == (status == 401), found[1]
    # A chunk of a MiB is taken, and one that begins at a high offset: what is before it is a gap.
    assert agent.post("large", chunk(7, 0, bytes(1 << 20), BEGINS))[0] == 200
    status, _, body = agent.post("high", chunk(8, 2 ** 60, b"frames", BEGINS))
    assert status == 200 and wanted(body) == (8, 2 ** 60 + 6), (status, body)
    # Not HTTP as it should be; the agent goes on.
    head = b"POST /v1/odd/dev HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer secret\r\n"
    for request, words in (
            (b"GET /v1/odd/dev HTTP/1.1\r\nHost: h\r\n\r\n", b" 405 "), (b"PUT /v1/odd/dev HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", b" 405 "),
            (head + b"\r\n", b" 411 "), (head + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", b" 411 "), (head + b"Content-Length: -1\r\n\r\n", b""),
            (head + b"Content-Length: 99999999999\r\n\r\n", b" 413 "), (head + b"Content-Length: 10\r\n\r\nshort", b""), (b"\x16\x03\x01\x02\x00\x01\x00", b""),
            (b"GET " + b"/" * 100000 + b" HTTP/1.1\r\n\r\n", b""), (b"\0" * 5000, b""),
            (b"GET /v1/odd/dev HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
             b"Sec-WebSocket-Version: 13\r\n\r\n", b""),
            # What comes before the answer ends the connection.
            ((head + b"Content-Length: %d\r\n\r\n" % len(good) + good) * 2, b""), (head + b"Content-Length: %d\r\n\r\n" % len(good) + good + b"x" * 50000, b""),
            ((head.replace(b"secret", b"wrong") + b"Content-Length: %d\r\n\r\n" % len(good) + good) * 3, b""),
            ((head + b"Content-Length: 0\r\n\r\n") * 3, b" 400 "), (head.replace(b"secret", b"wrong") + b"Content-Length: 0\r\n\r\n", b" 401 ")):
        found = raw(agent, request)
        assert words in found and b" 101 " not in found, (request[:200], found)
    assert agent.post("dev", good)[0] == 200
    # A client that leaves before its answer, many that say nothing, many uploads that never end.
    for n in range(20):
        with socket.create_connection(("127.0.0.1", agent.port)) as s:
            s.sendall(head + b"Content-Length: %d\r\n\r\n" % len(good) + good)
    held = [socket.create_connection(("127.0.0.1", agent.port)) for _ in range(400)]
    for n, s in enumerate(held[:100]):
        s.sendall(head.replace(b"/dev ", b"/held-%d " % n) + b"Content-Length: %d\r\n\r\n" % (1 << 20))
    large = chunk(9, 0, bytes(900000), BEGINS)
    until(agent, "dev", large, 503, 200, 429)  # there is no room for so many bodies
    for s in held:
        s.close()
    until(agent, "dev", good, 200, 503, 429)
    # One device that uploads on many connections at once is told to wait; others are not.
    held = [socket.create_connection(("127.0.0.1", agent.port)) for _ in range(100)]
    for s in held:
        s.sendall(head + b"Content-Length: %d\r\n\r\n" % (1 << 20))
    status, headers, body = until(agent, "dev", good, 429, 200)
    assert headers["Retry-After"] == "1" and body == b"too many uploads of this device at once\n", (headers, body)
    for n in range(20):
        assert agent.post("large", large)[0] == 200
    for s in held:
        s.close()
    until(agent, "dev", good, 200, 429)
    assert ours and "dev: an upload without a token for it is refused" in agent.words()
    agent.end()
    devices = server.rows("SELECT DISTINCT device FROM odd.stream ORDER BY device")
    assert {d for d, in devices} <= {"dev", "dev-1", "large", "high"}, devices


def words(server):
    [port] = free_ports(1)
    held = socket.create_server(("127.0.0.1", port))
    for name, text in (("none", ""), ("short", "abc\n"), ("name", "0" * 64 + " it's\n"), ("more", "0" * 64 + " dev x\n"), ("good", "0" * 64 + "\r\n# x\n" + "F" * 64)):
        with open("tokens-" + name, "w") as f:
            f.write(text)
    for options, words in (
            (["--http=0"], "--tokens=FILE is missing"), (["--http=0", "--tokens=absent"], "absent: No such file"), (["--http=0", "--tokens=tokens-none"], "has no token"),
            (["--http=0", "--tokens=tokens-short"], "tokens-short: line 1: is no SHA-256"), (["--http=0", "--tokens=tokens-name"], "line 1: is no SHA-256"),
            (["--http=0", "--tokens=tokens-more"], "line 1: is no SHA-256"), (["--http=x", "--tokens=tokens-good"], "--http: "),
            (["--http=99999", "--tokens=tokens-good"], "--http: "), (["--http=%d" % port, "--tokens=tokens-good"], "is in use by another program; --http=PORT")):
        p = subprocess.run([WALLFLY, "fleet", "agent", url_of(server), "--project=odd", "--spool=spool-words", *options], capture_output=True, text=True)
        assert p.returncode in (2, 3) and words in p.stderr, (options, p)
    held.close()


with Newest("engine", sys.argv[2]) if len(sys.argv) > 2 else Server("engine") as engine:
    for test in both, kills, full, refused, words:
        test(engine)
        print("ok", test.__name__, flush=True)
