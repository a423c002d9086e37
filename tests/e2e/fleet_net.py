# SPDX-License-Identifier: MIT
"""What tests of the agent, and scripts/fleet_demo.py, share: a broker, an agent, gateways and their targets, chunks."""
import atexit
import hashlib
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from clickhouse import free_ports
from fleet import load, url_of
from wf_links import WALLFLY

LIMIT = 600


def wait_until(done, what):
    for _ in range(6000):
        got = done()
        if got:
            return got
        time.sleep(0.05)
    sys.exit(what + " does not come")


class Process:
    """One that is killed when the test fails. start() sets `process`, whose messages are in the file `said`."""
    process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def again(self):
        self.kill()
        self.start()

    def words(self):
        with open(self.said.name) as f:
            return f.read()

    def wait_for(self, text, count=1):
        for _ in range(6000):
            if self.words().count(text) >= count:
                return
            assert self.process.poll() is None, self.words()
            time.sleep(0.05)
        sys.exit("%s does not say '%s':\n%s" % (type(self).__name__, text, self.words()))


class Broker(Process):
    def __init__(self):
        atexit.register(self.kill)
        if not shutil.which("mosquitto"):
            sys.exit("mosquitto is missing: install the packages of the part 'cli' (make setup-cli)")
        [self.port] = free_ports(1)
        self.url = "mqtt://127.0.0.1:%d" % self.port
        with open("broker.conf", "w") as f:
            f.write("listener %d 127.0.0.1\nallow_anonymous true\nmax_queued_messages 100000\n" % self.port)
        self.start()

    def start(self):
        self.process = subprocess.Popen(["mosquitto", "-c", "broker.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(6000):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
            if self.process.poll() is not None:
                break
        sys.exit("mosquitto does not start")


class Agent(Process):
    """broker: null: it takes uploads alone. tokens: {token: device or None}: it takes uploads."""

    def __init__(self, server, project, broker, *options, name=None, tokens=None, **process):
        atexit.register(self.kill)
        name = name or project
        self.project = project
        self.command = [WALLFLY, "fleet", "agent", url_of(server), "--project=" + project, "--spool=spool-" + name, *options]
        if broker:
            self.command.append("--mqtt=" + broker.url)
        if tokens:
            [self.port] = free_ports(1)
            with open("tokens-" + name, "w") as f:
                f.write("# who may upload\n\n")
                for token, device in tokens.items():
                    f.write("%s  %s\n" % (hashlib.sha256(token.encode()).hexdigest(), device or "-"))
            self.command += ["--http=127.0.0.1:%d" % self.port, "--tokens=tokens-" + name]
        self.tokens, self.more = tokens, process
        self.said = open("agent-%s.err" % name, "ab")
        self.start()

    def start(self):
        before = self.words().count("takes uploads")
        self.process = subprocess.Popen(self.command, stderr=self.said, **self.more)
        if self.tokens:
            self.wait_for("takes uploads", before + 1)

    def end(self):
        """Ends it as a user does: what it has received is in the tables then."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(600) == 0, self.words()
        self.said.close()

    def post(self, device, body, token="secret", path=None, headers={}):
        """Sends an upload on a connection of its own. Returns the status, the headers and the body of the answer."""
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            c.request("POST", path or "/v1/%s/%s" % (self.project, device), body,
                      {**({"Authorization": "Bearer " + token} if token else {}), **headers})
            answer = c.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            c.close()


class Gateway(Process):
    def __init__(self, source, url, *options, secret=None, stdin=subprocess.DEVNULL):
        atexit.register(self.kill)
        self.command = [WALLFLY, "record", source, "--to=" + url, *options]
        self.env = {**os.environ, **({"WALLFLY_SECRET": secret} if secret else {})}
        self.stdin = stdin
        self.said = open("gateway-%d.err" % free_ports(1)[0], "ab")
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=self.said, env=self.env, stdin=self.stdin)

    def ends(self, code=0):
        assert self.process.wait(LIMIT) == code, (code, self.process.returncode, self.words())
        return self.words()


class Target(threading.Thread):
    """Sends a file over TCP, and connects again when the gateway is gone: a recorder, which goes on where it was. Bytes that were on
    their way are lost then. In small pieces, and three quarters of it before let() says more, so that it lasts as long as the test."""

    def __init__(self, port, name, piece=2000):
        super().__init__(daemon=True)
        self.port, self.bytes, self.piece, self.at, self.failed = port, bytes_of(name), piece, 0, None
        self.let(0.75)
        self.start()

    def let(self, share):
        """So much of the file may be sent by now."""
        self.most = int(len(self.bytes) * share)

    def ended(self):
        self.join(LIMIT)
        assert not self.failed and self.at == len(self.bytes), (self.failed, self.at)

    def connect(self):
        for _ in range(6000):
            try:
                return socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT)
            except OSError:
                time.sleep(0.05)
        raise AssertionError("no gateway listens")

    def send(self, s):
        while self.at < len(self.bytes):
            if self.most < len(self.bytes):
                time.sleep(0.02)
            piece = self.bytes[self.at:min(self.at + self.piece, self.most)]
            s.sendall(piece)
            self.at += len(piece)
        s.shutdown(socket.SHUT_WR)
        assert s.recv(1) == b""  # the gateway has read all

    def run(self):
        try:
            while self.at < len(self.bytes):
                with self.connect() as s:
                    try:
                        self.send(s)
                    except OSError:
                        pass
        except BaseException as error:
            self.failed = error
            raise


def bytes_of(name):
    with open(name, "rb") as f:
        return f.read()


def sums(server, project, device):
    [[records, missing]] = server.rows("SELECT sum(records), sum(missing) FROM %s.segment FINAL WHERE device = '%s'" % (project, device))
    return int(records), int(missing)


def made(server, name):
    """What a recorder has made: records of its file, and those that it has given up."""
    project = "made_" + name[0]
    load(server, project, name, device="d")
    return sum(sums(server, project, "d"))


def tcp_port():
    return free_ports(1)[0]


def size(folder):
    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".spool"))


CRC = []
for _n in range(256):
    for _ in range(8):
        _n = _n >> 1 ^ (0x82F63B78 if _n & 1 else 0)
    CRC.append(_n)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def chunk(stream, offset, content, flags=0, good=True):
    head = b"wfc1" + varint(flags) + stream.to_bytes(8, "little") + varint(offset) + varint(0) + varint(len(content))
    return head + content + (crc32c(head + content).to_bytes(4, "little") if good else bytes(4))


def wanted(answer):
    """Returns the stream and the offset of an answer."""
    offset = 0
    for n, byte in enumerate(answer[8:]):
        offset |= (byte & 127) << 7 * n
    return int.from_bytes(answer[:8], "little"), offset
