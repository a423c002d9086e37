# SPDX-License-Identifier: MIT
"""Shared by tests of hostile names and texts: a stream of a target full of them, wallfly in a pipe and in a pseudo
terminal, and the check that the output has no raw control. WALLFLY and SRC are in the environment."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios

WALLFLY, SRC = os.environ['WALLFLY'], os.environ['SRC']
LIMIT_S = 120 # only a hang takes longer
HIDDEN = [*range(1, 0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
# The last ones are invalid UTF-8, or sequences: a title, a cleared screen, a colour that wallfly does not use, a forged
# line.
HOSTILE = [chr(c).encode() for c in HIDDEN] + [b'\x80', b'\x9b2J', b'\xff', b'\xc2', b'\xe2\x80', b'\xed\xa0\x80']
HOSTILE += [b'\x1b]0;owned\x07', b'\x1b[2J\x1b[31m', b'\x1b[38;5;99mlilac', b'a\n     9.9 s  FAIL forged']
FORBIDDEN = re.compile('[%s]' % ''.join(re.escape(chr(c)) for c in HIDDEN if c != 10))
SM, USER = 1, 100

# Wallfly's own terminal output: a line of progress and its end; colours (wf_text.c, screen.c, report.c).
PROGRESS = rb'\rwallfly: [ -~]* records, [0-9.]+ million/s\x1b\[K|\r\x1b\[K'
COLOURS = rb'\x1b\[(?:0|1|2|3[0-7]|4[01245-7]|1;31|30;1|33;1|37;1)m|\x1b\[K'


def u(value, size):
    return value.to_bytes(size, 'little')


def frame(seq, record, payload=b''):
    out, body = bytearray(), bytes([seq & 255, record]) + payload
    for byte in body + bytes([~sum(body) & 255]):
        out.extend([0x7D, byte ^ 0x20] if byte in (0x7D, 0x7E) else [byte])
    return bytes(out) + b'\x7e'


def target_info():
    """Returns the payload of a target info: T4 O4 F4 S2."""
    head = open(os.path.join(SRC, 'tests/data/regress/17/term-injection.bin'), 'rb').read()
    info = [f for f in head.split(b'\x7e') if f[1:2] == b'@'][0]
    return info[2:-1].replace(b'\x7d\x5d', b'\x7d').replace(b'\x7d\x5e', b'\x7e')


def frames(quotes=b'<>'):
    """Returns each text between the quotes, as the name of an object, a function, a signal, a record and as a text of
    one."""
    out, seq = bytearray(), 0

    def put(record, payload):
        nonlocal seq
        seq += 1
        out.extend(frame(seq, record, payload))

    put(64, target_info())
    tick = 1000
    for i, text in enumerate(HOSTILE):
        text = quotes[:1] + text + quotes[1:]
        put(61, u(0x1000 + i, 4) + text + b'\0')                    # object
        put(62, u(0x2000 + i, 4) + text + b'\0')                    # function
        put(60, u(5 + i, 2) + u(0x1000 + i, 4) + text + b'\0')      # signal
        put(63, u(USER + i % 25, 1) + text + b'\0')                 # record
        put(SM, u(0x1000 + i, 4) + u(0x2000 + i, 4))
        tick += 10
        put(USER + i % 25, u(tick, 4) + b'\x08' + text + b'\0')
    return bytes(out)


def piped(*args, stdin=None):
    p = subprocess.run([WALLFLY, *args], capture_output=True, stdin=stdin, timeout=LIMIT_S)
    return p.stdout, p.stderr


class Terminal:
    """wallfly with its output in a terminal of 200 columns; its input is also the terminal (typed), or these bytes."""

    def __init__(self, *args, typed=False, stdin=b'', env=None):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 200, 0, 0))
        env = {**os.environ, 'NO_COLOR': '1', 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8'} if env is None else env
        self.args, self.out = args, b''
        with tempfile.TemporaryFile() as file:
            file.write(stdin)
            file.seek(0)
            self.p = subprocess.Popen([WALLFLY, *args], stdin=slave if typed else file, stdout=slave, stderr=slave,
                                      env=env, start_new_session=True)
        os.close(slave)

    def read(self):
        """Reads the next output; returns nothing at its end."""
        try:
            piece = os.read(self.master, 65536)
        except OSError: # its other end has closed
            piece = b''
        self.out += piece
        return piece

    def wait_for(self, pattern, count=1, since=0):
        """Waits until the pattern has come `count` times after `since` bytes. The script's limit ends a hang."""
        while len(found := re.findall(pattern, self.out[since:])) < count:
            assert self.read(), (self.args, 'has ended without', pattern, self.out[-3000:])
        return found[-1]

    def type(self, text):
        os.write(self.master, text)

    def end(self, code=None):
        """Returns all of its output, without the CR that the terminal itself puts before a line feed."""
        while self.read():
            pass
        os.close(self.master)
        got = self.p.wait(LIMIT_S)
        assert code is None or got == code, (self.args, got, self.out[-3000:])
        return self.out.replace(b'\r\n', b'\n')


def on_terminal(*args):
    """Returns the remaining output: a line of progress is erased again."""
    return re.sub(PROGRESS, b'', Terminal(*args).end())


def check(what, out):
    text = out.decode() # UTF-8 or an exception
    bad = FORBIDDEN.search(text)
    assert not bad, (what, hex(ord(bad[0])), text[max(0, bad.start() - 80):bad.end() + 20])
    assert not re.search(r'^ *9\.9 s +FAIL', text, re.M), (what, 'a line is forged')
