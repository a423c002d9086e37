# SPDX-License-Identifier: MIT
# Which target is accepted when one is accepted at a time. See one_place.sh.
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
    """Returns the seconds until the server's end of a connection probes its peer; None: it does not."""
    port = ':%04X' % s.getsockname()[1]
    for row in open('/proc/net/tcp'):
        row = row.split()
        if row[2].endswith(port) and row[3] == '01':
            kind, left = row[5].split(':')
            return int(left, 16) / 100 if kind == '02' else None


# A live target keeps its place, even a silent one; a waiting one is accepted when it has left, without losing bytes.
def tcp_waits():
    with Serve('tcp-listen:0') as t:
        address = ('127.0.0.1', t.port())
        a = socket.create_connection(address)
        t.wait_for('Connected to')
        wait_until(lambda: (timer(a) or 0) > 3)
        b = socket.create_connection(address)
        b.sendall(LONG)
        t.wait_for(r'another target waits until 127\.0\.0\.1:%d disconnects' % a.getsockname()[1])
        wait_until(lambda: (timer(a) or 9) <= 1.1)  # it is probed now
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
    """Removes the peer without a close."""
    s.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    s.close()


# The server does not wait for half an hour of silence, nor for half a minute.
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
        assert time.monotonic() - began < 20  # 25 s without probes
        b.close()
        t.wait_for('Disconn from', 2)
        t.end()
    assert lane_bytes('one.wfr') == SHORT + LONG


def datagrams(s, address, data):
    for n, i in enumerate(range(0, len(data), 700)):
        s.sendto(data[i:i + 700], address)
        if n % 20 == 0:
            wait_udp_read(address[1])  # a full socket drops datagrams


# The target restarts with another port just after the old one was active; all its data is received. One that comes
# while the other is active is refused, which is reported once. Returns false if it was accepted.
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
        words = 'another target sends too; it is ignored while 127.0.0.1:%d sends' % b.getsockname()[1]
        wait_until(lambda: words in t.said or t.said.count('Connected to') > 2)
        wait_udp_read(address[1])
        t.end()
    if t.said.count('Connected to') > 2:
        return False
    assert t.said.count('is ignored') == 1, t.said
    assert lane_bytes('one.wfr') == SHORT + LONG + LONG[:15] + b'\x7e'
    return True


# After one second without data from the old one its place is free. If the machine stops one of the processes for that
# long, freeing the place is right, so the test is repeated; a server that frees it too early always fails.
def udp_newcomer():
    assert any(udp_newcomer_once() for _ in range(5))


# With two places or more both are accepted; a link that ends with its first target does not accept another.
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
