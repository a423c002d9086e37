# SPDX-License-Identifier: MIT
# Who is heard where one target is heard at a time. See one_place.sh.
import fcntl
import socket
import struct
import subprocess
import sys
import threading
import time

from wf_links import WALLFLY, Tool, lane_bytes, streams, wait_udp_read, wait_until

SHORT, LONG = streams()
TCP_REPAIR = 19
network = 'network' in sys.argv
if network:  # its loopback is down
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    fcntl.ioctl(s, 0x8914, struct.pack('16sH14x', b'lo', 1))  # SIOCSIFFLAGS, IFF_UP


class Serve(Tool):
    def __init__(self, source):
        self.said = ''
        args = ['serve', '--every=99', '--front=127.0.0.1:0', '--force', '--record=one.wfr', source]
        self.p = subprocess.Popen([WALLFLY, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, text=True)
        self.p.stderr = self.p.stdout
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()


def timer(s):
    """Seconds until the server's end of a connection asks for its peer; None: it does not."""
    port = ':%04X' % s.getsockname()[1]
    for row in open('/proc/net/tcp'):
        row = row.split()
        if row[2].endswith(port) and row[3] == '01':
            kind, left = row[5].split(':')
            return int(left, 16) / 100 if kind == '02' else None


# A live target keeps its place, even a silent one; who waits is heard when it has left, from its first byte on.
def tcp_waits():
    with Serve('tcp-listen:0') as t:
        address = ('127.0.0.1', t.port())
        a = socket.create_connection(address)
        t.wait_for('Connected to')
        wait_until(lambda: (timer(a) or 0) > 3)
        b = socket.create_connection(address)
        b.sendall(LONG)
        t.wait_for(r'another target waits to be heard until 127\.0\.0\.1:%d has left' % a.getsockname()[1])
        wait_until(lambda: (timer(a) or 9) <= 1.1)  # it is asked now
        time.sleep(4)  # it answers
        assert t.said.count('Connected to') == 1 and 'Disconn' not in t.said, t.said
        a.sendall(SHORT)
        a.close()
        t.wait_for('Connected to', 2)
        b.close()
        t.wait_for('Disconn from', 2)
        t.end()
    assert lane_bytes('one.wfr') == SHORT + LONG


def vanish(s):
    """The peer is no more, and nobody is told."""
    s.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    s.close()


# Half an hour of silence is not waited for, nor half a minute.
def tcp_vanishes():
    with Serve('tcp-listen:0') as t:
        address = ('127.0.0.1', t.port())
        a = socket.create_connection(address)
        a.sendall(SHORT)
        t.wait_for('Connected to')
        wait_until(lambda: (timer(a) or 0) > 3)
        vanish(a)
        began = time.monotonic()
        b = socket.create_connection(address)
        b.sendall(LONG)
        t.wait_for('Connected to', 2)
        assert time.monotonic() - began < 20  # 25 s without being asked
        b.close()
        t.wait_for('Disconn from', 2)
        t.end()
    assert lane_bytes('one.wfr') == SHORT + LONG


def datagrams(s, address, data):
    for n, i in enumerate(range(0, len(data), 700)):
        s.sendto(data[i:i + 700], address)
        if n % 20 == 0:
            wait_udp_read(address[1])  # a full socket drops them


# The target starts anew, with another port, while the old one has just been heard; all that it sends is heard.
# One that comes while the other one speaks is not heard, which is said once. False: it is.
def udp_newcomer_once():
    with Serve('udp:0') as t:
        address = ('127.0.0.1', t.port())
        a, b, c = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3))
        datagrams(a, address, SHORT)
        t.wait_for('Connected to')
        datagrams(b, address, LONG)
        t.wait_for('Disconn from')
        t.wait_for('Connected to', 2)
        for n in range(15):
            b.sendto(LONG[n:n + 1], address)
            c.sendto(SHORT[:100], address)
            time.sleep(0.1)
        b.sendto(b'\x7e', address)
        words = 'another target sends, too, and is not heard while 127.0.0.1:%d does' % b.getsockname()[1]
        wait_until(lambda: words in t.said or t.said.count('Connected to') > 2)
        wait_udp_read(address[1])
        t.end()
    if t.said.count('Connected to') > 2:
        return False
    assert t.said.count('not heard') == 1, t.said
    assert lane_bytes('one.wfr') == SHORT + LONG + LONG[:15] + b'\x7e'
    return True


# A second without a word of the old one gives its place away. If the machine stops one of us for that long it is
# right that the place goes, so this is tried again; a server that gives it away too early always does.
def udp_newcomer():
    assert any(udp_newcomer_once() for _ in range(5))


# Two places or more have room for both; a link that ends with its first target does not take another.
def udp_others():
    with Tool('record', 'udp:0', '-f', '-o', 'one.wfr') as t:
        address = ('127.0.0.1', t.port())
        for data in (SHORT, LONG):
            datagrams(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), address, data)
        t.wait_for('target connected', 2)
        wait_udp_read(address[1])
        t.end()
    assert lane_bytes('one.wfr', 0) == SHORT and lane_bytes('one.wfr', 1) == LONG


for test in (tcp_waits, udp_newcomer, udp_others) + ((tcp_vanishes,) if network else ()):
    test()
    print('ok', test.__name__, flush=True)
