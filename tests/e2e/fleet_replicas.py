# SPDX-License-Identifier: MIT
"""Kills one of two replicas, then the other one, during loads. See fleet_replicas.sh."""
import os
import shutil
import socket
import subprocess
import sys
import threading
import time

from clickhouse import WORDS, Server, free_ports
from fleet import checksums, command, load, rows_once
from fleet_net import Broker
from wf_links import WALLFLY, info

JAR = "/usr/share/java/zookeeper.jar"
LIMIT_S = 900
FILES = "first.bin", "second.bin"
ORIGIN = "origin_ns", "day", "second"  # of a pipe when its bytes arrive, of a file when it was written
# By default an engine does not start if half of the rows on its disk are in parts that ZooKeeper does not know, as those
# that were written when it was killed: in tables as small as these they can be.
MORE = """<merge_tree><replicated_max_ratio_of_wrong_parts>1</replicated_max_ratio_of_wrong_parts></merge_tree>
  <interserver_http_port>%d</interserver_http_port><zookeeper><node><host>127.0.0.1</host><port>%d</port></node></zookeeper>
  <macros><shard>1</shard><replica>%s</replica></macros>"""


class ZooKeeper:
    def __init__(self):
        if not os.path.exists(JAR) or not shutil.which("java"):
            sys.exit("zookeeper is missing: install the packages of the part 'cli' (make setup-cli)")
        [self.port] = free_ports(1)
        os.mkdir("zookeeper")
        with open("zoo.cfg", "w") as f:
            f.write("tickTime=500\ndataDir=%s\nclientPort=%d\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n" % (
                os.path.abspath("zookeeper"), self.port))
        with open("zookeeper.out", "w") as out:
            self.process = subprocess.Popen(["java", "-cp", JAR, "org.apache.zookeeper.server.quorum.QuorumPeerMain", "zoo.cfg"],
                                            stdout=out, stderr=out)
        wait_for("ZooKeeper", self.answers)

    def answers(self):
        if self.process.poll() is not None:
            sys.exit("ZooKeeper ends; see its log:\n" + open("zookeeper.out").read()[-2000:])
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as s:
                s.sendall(b"srvr")
                return b"Mode: standalone" in s.makefile("rb").read()
        except OSError:
            return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def wait_for(what, condition):
    end = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > end:
            sys.exit("%s: not within %d s" % (what, LIMIT_S))
        time.sleep(0.05)


def idle(server):
    return server.rows("SELECT sum(is_readonly) + sum(queue_size) FROM system.replicas") == [["0"]]


def same(a, b):
    """Waits until both have the same rows, and returns their checksums, but for what follows from the time of arrival."""
    wait_for("the same rows", lambda: idle(a) and idle(b) and checksums(a, "p") == checksums(b, "p"))
    return checksums(a, "p", but=ORIGIN)


class Loader:
    """Loads a file, its second half at go_on()."""

    def __init__(self, server, name):
        with open(name, "rb") as f:
            self.data = f.read()
        self.process = subprocess.Popen(command(server, "p", "-", device=name, records=True, batch=5000), stdin=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.process.stdin.write(self.data[:len(self.data) // 2])
        self.process.stdin.flush()
        wait_for("the first rows", lambda: server.rows("SELECT count() > 0 FROM p.segment WHERE device = '%s'" % name) == [["1"]])

    def go_on(self):
        with self.process.stdin as pipe:
            pipe.write(self.data[len(self.data) // 2:])

    def end(self):
        assert self.process.wait(LIMIT_S) == 0, self.process.stderr.read()


# The other server is killed when the first rows are there, and started again when all are.
def kill_one(writes, other, name):
    loader = Loader(writes, name)
    other.stop()
    loader.go_on()
    loader.end()
    rows = writes.rows("SELECT count() FROM p.record")
    other.restart()
    return int(rows[0][0])


# The server that is written to is killed: the loader waits for it.
def kill_writing(writes, name):
    loader = Loader(writes, name)
    writes.stop()
    thread = threading.Thread(target=loader.go_on)
    thread.start()
    words = loader.process.stderr.readline()
    assert b"trying again" in words, words
    writes.restart()
    thread.join()
    loader.end()


# Commands that are sent through either are written down in both, also the same one in the same second.
def commands(a, b):
    broker = Broker()
    for server in a, b:
        subprocess.run([WALLFLY, "fleet", "setup", server.url, "--project=p", "--replicated", "--commands"], check=True, stdout=subprocess.DEVNULL)
    for server in a, b, a:
        subprocess.run([WALLFLY, "fleet", "send", server.url, "--project=p", "--device=" + FILES[0], "--mqtt=" + broker.url, "tick; tick"], check=True)
    for server in a, b:
        wait_for("the rows of commands", lambda server=server: server.rows(
            "SELECT device, user, text, count() FROM p.command GROUP BY device, user, text") == [[FILES[0], "default", "tick", "6"]])
    broker.kill()


with ZooKeeper() as zookeeper:
    ports = free_ports(2)
    with Server("a", WORDS, more=MORE % (ports[0], zookeeper.port, "a")) as a, Server("b", WORDS, more=MORE % (ports[1], zookeeper.port, "b")) as b:
        for server in a, b:
            subprocess.run([WALLFLY, "fleet", "setup", server.url, "--project=p", "--replicated"], check=True, stdout=subprocess.DEVNULL)
        load(a, "alone", *FILES, device="{file}.bin", records=True)
        wanted = checksums(a, "alone", but=ORIGIN)
        made = sum(info(name)["ledger"]["records"] for name in FILES)
        assert int(wanted["record"][0]) == made > 200000, (wanted, made)

        first = kill_one(a, b, FILES[0])
        same(a, b)
        kill_writing(b, FILES[1])
        assert same(a, b) == wanted, (same(a, b), wanted)
        print("%d records, of them %d with one server; both have %s" % (made, first, wanted))
        # A load that is repeated adds nothing, whichever server it is sent to. (Nothing is deleted here: 18.16 may end with a
        # segmentation fault in ReplicatedMergeTreeQueue::tryFinalizeMutations.)
        load(b, "p", *FILES, device="{file}.bin", records=True, make=False)
        assert same(a, b) == wanted, (same(a, b), wanted)
        rows_once(a, "p")
        assert same(a, b) == wanted
        commands(a, b)
