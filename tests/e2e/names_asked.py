# SPDX-License-Identifier: MIT
# A target announced its names long before the host connects, and sends none of them by itself: the host requests them,
# once in each connection, and has all of them within a second of the target's clock. Over TCP only where commands are
# sent anyway, so that a target that never reads loses nothing.
import json
import os
import re
import socket
import subprocess
import time

from wf_links import LIMIT, WALLFLY, Tool, chunks, lane_bytes, run, streams, wait_until

NAMES = {'worker_%02d' % i for i in range(60)} | {'STEP'}
SENT = 4
HZ = 1000000


class Target:
    def __init__(self, kind):
        self.p = subprocess.Popen(['./program', kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.source = self.p.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.p.stdin.close()
        assert self.p.wait(timeout=LIMIT) == 0 or error[0]


class Shown:
    """A command whose standard output is read until it has the wanted text."""

    def __init__(self, *args):
        self.text = ''
        self.p = subprocess.Popen([WALLFLY, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, bufsize=0)
        os.set_blocking(self.p.stdout.fileno(), False)

    def read(self):
        self.text += (self.p.stdout.read() or b'').decode()
        return self.text

    def end(self):
        self.p.terminate()
        out, _ = self.p.communicate(timeout=LIMIT)
        self.text += (out or b'').decode()
        return self.text


def has_names(text):
    return NAMES <= set(re.findall(r'worker_\d\d|STEP', text))


def named(name):
    """Returns the names in a recording, and the target's seconds from the first to the last."""
    known, ticks = set(), []
    for line in run('convert', '--to=jsonl', '--sizes=O8F8', '-o', '-', name).splitlines():
        r = json.loads(line)
        if r.get('name') in ('obj_dict', 'usr_dict') and not known >= NAMES:
            known.add(r['fields']['name'])
            ticks.append(r['tick'])
    return known & NAMES, (ticks[-1] - ticks[0]) / HZ if ticks else 0


def sent(name):
    return [b for kind, _, b in chunks(name) if kind == SENT]


def recorded(source, *options):
    with Tool('record', '--force', '-o', 'late.wfr', *options, source) as t:
        t.wait_for('target connected')
        before = t.bytes_read()
        t.wait_read(before, 40000)
        t.end()
    return named('late.wfr')


def serial():
    with Target('pty') as t:
        for visit in range(2):  # each connection
            known, took = recorded(t.source)
            assert known == NAMES and took < 1, (NAMES - known, took)
            assert sent('late.wfr') == [b'\0'], sent('late.wfr')
        for options in (['print', '-q'], ['attach'], ['serve', '--page=off', '--front=127.0.0.1:0']):
            s = Shown(*options, t.source)
            wait_until(lambda: has_names(s.read()))
            s.end()
        known, took = recorded(t.source, '--ask=never')
        assert not known and not sent('late.wfr'), known


def tcp():
    with Target('tcp') as t:
        known, took = recorded(t.source)
        assert not known and not sent('late.wfr'), known
        known, took = recorded(t.source, '--ask=always')
        assert known == NAMES and took < 1, (NAMES - known, took)
        assert sent('late.wfr') == [b'\0'], sent('late.wfr')
        # The server of a debug probe reads all bytes sent to it.
        assert recorded(t.source.replace('tcp:', 'rtt:'))[0] == NAMES
        for options in (['attach'], ['print', '-q', '--ask=always'],
                        ['serve', '--page=off', '--front=127.0.0.1:0', '--allow-commands']):
            s = Shown(*options, t.source)
            wait_until(lambda: has_names(s.read()))
            s.end()


# No request for a trace from its start on, or for a stream of other bytes.
def begun():
    short, _ = streams()
    for data in (short, bytes(range(126)) * 400):
        with Tool('record', '--force', '--once', '--ask=always', 'tcp-listen:0', '-o', 'begun.wfr') as t:
            with socket.create_connection(('127.0.0.1', t.port())) as c:
                c.sendall(data)
                c.shutdown(socket.SHUT_WR)
                c.settimeout(LIMIT)
                assert c.recv(100) == b''
            t.end(number=None)
        assert not sent('begun.wfr')


# A target that never reads and closes its socket at once, with much unread data in it: a byte sent to it would make its
# system drop the rest.
def one_way():
    short, long = streams()
    late = long[len(long) // 2:]
    data = late[late.index(b'\x7e') + 1:] + long * (8000000 // len(long))
    for command in (['record', '--force', '-o', 'way.wfr'], ['print', '-q'],
                    ['serve', '--page=off', '--front=127.0.0.1:0', '--record=way.wfr', '--force']):
        with Tool(*command, '--once', 'tcp-listen:0') as t:
            with socket.create_connection(('127.0.0.1', t.port())) as c:
                os.kill(t.p.pid, 19)  # SIGSTOP: much data is unread when the target closes
                c.setblocking(False)
                at = c.send(data[:400000])
                os.kill(t.p.pid, 18)
                c.setblocking(True)
                c.sendall(data[at:])
            said = t.end(number=None)
        assert 'reset' not in said, said
        if command[0] != 'print':
            assert lane_bytes('way.wfr') == data, command


begun()
one_way()
serial()
tcp()
bad = subprocess.run([WALLFLY, 'print', '--ask=perhaps', 'tcp-listen:0'], capture_output=True, text=True)
assert bad.returncode == 2 and "--ask: 'perhaps' is not auto, always or never" in bad.stderr, bad
