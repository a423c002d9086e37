# SPDX-License-Identifier: MIT
# A target's UART on a pseudo-terminal. A pseudo-terminal has no line, but it has a baud rate: the test reads the rate
# that the host has set, makes the levels of the target's line bit by bit, and samples them as a receiver of that rate.
import fcntl
import os
import select
import struct
import subprocess
import termios
import threading
import time
import tty

TCGETS2 = 0x802C542A


def levels(data, bits=8, parity=None, inverted=False):
    """The line in bit times of the sender: start bit, data, parity (0: even, 1: odd), stop bit; high around them."""
    out = [1] * 12
    for byte in data:
        word = [byte >> k & 1 for k in range(bits)]
        out += [0] + word + ([] if parity is None else [(sum(word) + parity) & 1]) + [1]
    out += [1] * 12
    return [1 - level for level in out] if inverted else out


def sample(line, ratio=1.0):
    """What a receiver with 8N1 gets; ratio: bit times of the sender in one of the receiver's. A byte with a wrong stop
    bit is kept, a break is not (IGNBRK); then the receiver waits for a high level."""
    out, at, end = bytearray(), 0.0, len(line)

    def level(time):
        return line[int(time)] if time < end else line[-1]

    while at < end:
        start = int(at)
        while start < end and line[start] == 1:
            start += 1
        if start >= end:
            break
        start = max(float(start), at)
        if level(start + ratio / 2):
            at = start + ratio / 2
            continue
        byte = sum(level(start + ratio * (1.5 + k)) << k for k in range(8))
        stop = level(start + ratio * 9.5)
        if stop or byte:
            out.append(byte)
        at = start + ratio * 9.5
        while not stop and at < end and not level(at):
            at = int(at) + 1.0
    return bytes(out)


class Uart(threading.Thread):
    """Sends the data again and again while the host has the device open. data: bytes, or a command whose standard
    output and input are the target's TX and RX; it runs all the time, and what it sends meanwhile is gone.
    plain: no line, all bytes arrive as they are at any rate. The other arguments: those of levels()."""

    def __init__(self, data, baud=115200, plain=False, load=0.8, damage=None, **line):
        super().__init__(daemon=True)
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.device = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self.master, False)
        self.process = None
        if isinstance(data, list):
            self.process = subprocess.Popen(data, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            os.set_blocking(self.process.stdout.fileno(), False)
        self.data, self.baud, self.plain, self.load, self.damage = data, baud, plain, load, damage
        self.line, self.at, self.ended, self.waiting = line, 0, False, b""
        self.rates = []  # that the host has set
        self.start()

    def is_open(self):
        poll = select.poll()
        poll.register(self.master, select.POLLIN)
        events = poll.poll(0)
        return not (events and events[0][1] & select.POLLHUP)

    def host_rate(self):
        settings = bytearray(44)
        fcntl.ioctl(self.master, TCGETS2, settings)
        rate = struct.unpack_from("I", settings, 40)[0]
        if not self.rates or self.rates[-1] != rate:
            self.rates.append(rate)
            if not self.plain:  # what was on the line is noise at another rate
                self.waiting = b""
        return rate

    def receive(self):
        """Passes commands of the host to the target."""
        try:
            command = os.read(self.master, 4096)
        except OSError:
            return
        if command and self.process and not self.sees_garbage():
            self.process.stdin.write(command)
            self.process.stdin.flush()

    def sees_garbage(self):
        return not self.plain and self.rates[-1] != self.baud

    def piece(self, size):
        if self.process:
            return os.read(self.process.stdout.fileno(), 65536) if self.has_output() else b""
        if self.at >= len(self.data):
            self.at = 0
        piece = self.data[self.at:self.at + min(size, 4000)]
        self.at += size
        return piece

    def has_output(self):
        return select.select([self.process.stdout], [], [], 0)[0]

    def send(self, piece, rate):
        if not self.plain:
            piece = sample(levels(piece, **self.line), self.baud / rate if rate else 1)
        if self.damage:
            piece = self.damage(piece)
        self.waiting += piece
        try:
            self.waiting = self.waiting[os.write(self.master, self.waiting):]
        except OSError:  # the host is slow on a busy computer, or has closed the device
            pass

    def run(self):
        period, begin, sent = 0.01, None, 0
        while not self.ended:
            time.sleep(period)
            if not self.is_open():
                begin, self.waiting = None, b""
                termios.tcflush(self.master, termios.TCOFLUSH)  # a line keeps nothing for the next one
                if self.process:
                    self.piece(0)
                continue
            rate = self.host_rate()
            self.receive()
            if begin is None:  # the device was opened
                begin, sent = time.monotonic(), 0
            due = int((time.monotonic() - begin) * self.baud / 10 * self.load) - sent
            sent += max(due, 0)
            if due > 0:
                self.send(self.piece(due), rate)

    def source(self, baud=None):
        return "serial:%s" % self.device + ("@%d" % baud if baud else "")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended = True
        self.join()
        os.close(self.master)
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
