# SPDX-License-Identifier: MIT
# Shared by the tests of links: a recorder as a process whose output is waited for, and the bytes in a recording, read
# by a reader of its own (docs/recording.md) with the zstd command.
import json
import os
import re
import signal
import subprocess
import threading
import time

WALLFLY = os.environ['WALLFLY']
LIMIT = 300  # maximum seconds of any action before it counts as hanging


class Tool:
    def __init__(self, *args, stdin=subprocess.DEVNULL):
        self.said = ''
        self.p = subprocess.Popen([WALLFLY, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  stdin=stdin, text=True)
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        for line in self.p.stderr:
            self.said += line

    def wait_for(self, pattern, count=1):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            found = re.findall(pattern, self.said)
            if len(found) >= count:
                return found[-1]
            time.sleep(0.01)
        raise AssertionError('never said %r %d times:\n%s' % (pattern, count, self.said))

    def port(self):
        return int(self.wait_for(r'waiting for a target on .*:(\d+)\n'))

    def bytes_read(self):
        """Returns the number of bytes it has read so far from any source."""
        with open('/proc/%d/io' % self.p.pid) as f:
            return int(re.search(r'rchar: (\d+)', f.read())[1])

    def wakes(self):
        """Returns how often it has waited for an event or a time so far."""
        with open('/proc/%d/status' % self.p.pid) as f:
            return int(re.search(r'^voluntary_ctxt_switches:\s+(\d+)', f.read(), re.M)[1])

    def wait_read(self, before, count):
        wait_until(lambda: self.bytes_read() - before >= count)

    def end(self, number=signal.SIGINT, code=0):
        if number:
            self.p.send_signal(number)
        got = self.p.wait(timeout=LIMIT)
        self.thread.join(LIMIT)
        assert got == code, (got, self.said)
        return self.said

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.p.poll() is None:
            self.p.kill()
            self.p.wait()
            if error[0]:
                print(self.said)


def run(*args, code=0):
    r = subprocess.run([WALLFLY, *args], capture_output=True, text=True, timeout=LIMIT)
    assert r.returncode == code, (args, r.returncode, r.stderr)
    return r.stdout


def info(name, *args):
    return json.loads(run('info', '--json', *args, name))


def varint(data, at):
    """Returns a number and the place behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def chunks(name):
    """Returns (kind, lane, bytes) of every chunk except the blocks' heads."""
    data = subprocess.run(['zstd', '-dcq', name], capture_output=True, check=True).stdout
    at, out = 0, []
    while at < len(data):
        kind = data[at]
        lane, at = varint(data, at + 1)
        _, at = varint(data, at)
        size, at = varint(data, at)
        if kind:
            out.append((kind, lane, data[at:at + size]))
        at += size
    return out


def lane_bytes(name, lane=0):
    return b''.join(b for kind, number, b in chunks(name) if kind == 1 and number == lane)


def places(name):
    """Returns {lane: (ns of the start of the first file, bytes of the lane before this one)} of a file of a split."""
    return {lane: (int.from_bytes(b[:8], 'little'), varint(b, 8)[0]) for kind, lane, b in chunks(name) if kind == 7}


def start_ns(name):
    with open(name, 'rb') as f:
        head = f.read(64)
    assert head[8:16] == b'wallfly\n' and head[16] == 1, head
    return int.from_bytes(head[17:25], 'little')


def wait_udp_read(port):
    """Waits until the UDP socket of that port has no unread data."""
    socket_of = re.compile(r': \w+:%04X \w+:\w+ \w+ \w+:(\w+)' % port)

    def empty():
        with open('/proc/net/udp') as f:
            return all(int(waiting, 16) == 0 for waiting in socket_of.findall(f.read()))

    wait_until(empty)


def wait_until(true):
    end = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < end, 'waited in vain'
        time.sleep(0.01)


def streams():
    """Returns two different whole streams of a target."""
    out = []
    for seconds in ('3', '7'):
        name = 'target%s.bin' % seconds
        subprocess.run([os.environ['PHILOSOPHERS'], '--fast', '-s', seconds, '-o', name], check=True)
        out.append(open(name, 'rb').read())
    return out
