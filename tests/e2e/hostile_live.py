# SPDX-License-Identifier: MIT
"""Hostile names and texts of a live target, of files and of arguments, in the commands that run live, in a pseudo
terminal: attach, send, serve, record, print, test; lines of progress and messages. The only controls are wallfly's own:
line ends, its lines of progress, colours, and cursor movements of the input line."""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.environ['SRC'], 'tests/lib'))
from hostile import COLOURS, HIDDEN, HOSTILE, LIMIT_S, PROGRESS, SRC, Terminal, check, frame, frames, on_terminal, piped, target_info, u

EMPTY, INFO, RESET, QUERY, TARGET_INFO, STATUS, QUERY_DATA = 0, 0, 2, 15, 64, 66, 67
MARKED = [b'{' + text + b'}' for text in HOSTILE]
SOME = MARKED[:-9:9] + MARKED[-9:]
ESCAPED = rb'\{\\x1b\[2J\\x1b\[31m\}' # one of them as it must be shown
# Controls of wallfly record, of wallfly serve --page, and of attach's input line: up, to its beginning, erase; redraw,
# set the cursor, delete or insert a character (libedit).
RECORDING = rb'\r\x1b\[K(?:[0-9.]+ s  [ -~]*)?'
TYPED = rb'\x1b\[\d+A|\r\x1b\[J|\r|\x1b\[\d*[CDGK@P]|\x1b\[[JK]|\x08|\x1b\[[?]1[hl]\x1b[=>]|\x07'


class Target:
    """Sends the whole stream and answers commands; a query for an object gets the names in turn."""

    def __init__(self):
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.source = 'tcp:127.0.0.1:%d' % self.listener.getsockname()[1]
        self.stream = frames(b'{}') + frame(0, 61, u(0x3000, 4) + b'{plain_one}\0') + frame(0, 61, u(0x3004, 4) + b'{plain_two}\0')
        self.sent = threading.Event()
        threading.Thread(target=self.listen, daemon=True).start()

    def take(self):
        """Waits until a client has connected and the whole stream has been sent."""
        assert self.sent.wait(LIMIT_S), 'no client'
        self.sent.clear()

    def listen(self):
        while True:
            threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def serve(self, link):
        try:
            with link:
                self.talk(link)
        except OSError:
            pass # the other end has disconnected

    def talk(self, link):
        seq, asked, got = self.stream.count(b'\x7e'), 0, b''
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.sendall(self.stream)
        self.sent.set()
        while more := link.recv(4096):
            *commands, got = (got + more).split(b'\x7e')
            for command in commands:
                number = command[1] if len(command) > 2 else None
                if number is None:
                    continue
                seq += 1
                if number == RESET:
                    link.sendall(frame(1, EMPTY) + frame(2, TARGET_INFO, target_info()))
                    seq = 2
                    continue
                if number == INFO:
                    link.sendall(frame(seq, TARGET_INFO, target_info()))
                    continue
                link.sendall(frame(seq, STATUS, bytes([number])))
                if number == QUERY:
                    seq += 1
                    which = asked % len(HOSTILE)
                    asked += 1
                    link.sendall(frame(seq, QUERY_DATA, u(5000, 4) + b'\0' + u(0x1000 + which, 4) + u(0x2000 + which, 4)))


target = Target()
queries = ['query sm'] * len(HOSTILE)
wrong = [start + text for start in (b'', b'help ', b'peek ', b'filter ', b'current ao "') for text in SOME if b'\n' not in text]


def send():
    """Answers, and errors of commands, from arguments and from a file."""
    args = ('send', '--timeout=60', '--to=' + target.source)
    out, _ = piped(*args, '; '.join(queries))
    check('send', out)
    assert out.count(b'query: obj {') == len(HOSTILE) and re.search(ESCAPED, out), out
    out = on_terminal(*args, '; '.join(queries))
    check('send', out)
    assert out.count(b'query: obj {') == len(HOSTILE), out
    out, _ = piped(*args, '--json', '; '.join(queries))
    check('send --json', out)
    assert any('{\x1b[2J\x1b[31m}' in json.loads(line)['text'] for line in out.splitlines()), 'JSON loses nothing'
    # Does not wait for names.
    quick = (b'send', b'-k', b'--timeout=0.01', b'--to=' + target.source.encode())
    for text in SOME:
        check(text, on_terminal(*quick, text + b'; peek ' + text + b'; filter ' + text + b'; query "' + text))
    name = b'{\x1b[2J\xc2\x9b}.txt'
    open(name, 'wb').write(b'\n'.join(wrong))
    check('send --file', on_terminal(*quick, b'--file=' + name))


def attach():
    """Not typed: the scrolling trace, answers, help and errors, by lines, also in QSPY's style."""
    for style in ('wallfly', 'qspy'):
        args = ('attach', '--style=' + style, target.source)
        out = Terminal(*args, '--timeout=60', stdin='\n'.join(queries).encode()).end(0)
        check(args, out)
        assert out.count(b'> query: obj {') == len(HOSTILE) and re.search(ESCAPED, out), out
        out = Terminal(*args, '--timeout=0.01', stdin=b'\n'.join(wrong)).end(1)
        check(args, out)
        assert out.count(b'\n> ') > len(SOME), 'what is wrong is reported'
    for out in piped('attach', '--timeout=0.01', target.source, stdin=open(b'{\x1b[2J\xc2\x9b}.txt')):
        check('attach', out)


def type_in():
    """attach with the terminal as its input: answers, `help WORD`, Tab, with and without colours."""
    coloured = {**os.environ, 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8'}
    coloured.pop('NO_COLOR', None)
    for more, env in ((), None), (('--color=always',), coloured):
        screen = Terminal('attach', *more, '--timeout=60', target.source, typed=True, env=env)
        screen.wait_for(rb'FAIL forged')
        screen.wait_for(rb'wallfly> ')
        for _ in range(3):
            at = len(screen.out)
            screen.type(b'query sm\r')
            screen.wait_for(rb'(?s)> query: obj \{.*wallfly> ', since=at) # it reads single keys again
        # Ctrl-V inserts a control in the line. Other characters that control a terminal are rejected.
        directions = ''.join(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))).encode()
        for text in b'\x16\x1b[2J', b'\x16\x07', b'\xc2\x9b2J', b'\x16\x7f', directions, '\u00fc\u20ac'.encode():
            at = len(screen.out)
            screen.type(b'help {' + text + b'}\r')
            screen.wait_for(rb'(?s)no command [^\r\n]*\{.*wallfly> ', since=at)
        assert screen.out[at:].decode().count('\u00fc\u20ac') > 1, screen.out[at:] # as typed, and in the answer
        at = len(screen.out)
        screen.type(b'help pee\t\r')
        screen.wait_for(rb'(?s)reads.*wallfly> ', since=at)
        # Names with this prefix are only offered if they are safe for a terminal.
        at = len(screen.out)
        screen.type(b'current ao {\t\t')
        screen.wait_for(rb'plain_two', since=at)
        screen.type(b'o\t')
        screen.wait_for(rb'ne\}', since=at)
        screen.type(b'\x15quit\r')
        out = screen.end(0)
        offered = re.sub(TYPED, b'', screen.out[at:])
        assert b'plain_one' in offered and b'FAIL' not in offered, offered
        check('typed', re.sub(TYPED + b'|' + COLOURS, b'', out))


def servers():
    """The server's messages and file names; print and record of the same."""
    for text in SOME:
        name = b'r' + text + b'.wfr'
        target.sent.clear()
        screen = Terminal(b'serve', b'--front=off', b'--page=0', b'--record=' + name, target.source.encode())
        screen.wait_for(rb'in a browser')
        target.take()
        screen.p.send_signal(signal.SIGINT)
        out = screen.end(0)
        check(('serve', name), out)
        assert re.search(rb'r\{.*\}\.wfr: \d+ bytes received', out), out
        for args in ((b'info', name), (b'print', b'--strict', name), (b'convert', b'--to=vcd', b'-o', name, name), (b'page', name, b'-o', name + b'/'),
                     (b'record', name, b'-o', name)):
            check(args, on_terminal(*args))
    screen = Terminal(b'serve', b'--page=0', name)
    screen.wait_for(rb'records read')
    screen.p.send_signal(signal.SIGINT)
    check('serve', screen.end(0))
    for text in SOME:
        for option in (b'--page=', b'--front=', b'--record=nowhere/', b'--dic=', b'--elf='):
            check(option + text, on_terminal(b'serve', option + text, b'tcp-listen:' + text))
        check(text, on_terminal(b'attach', b'spy:' + text))


def live():
    """print and record of a target, in all styles, with and without colours; QNX's style for a slot trace."""
    for args in (('print', '--style=wallfly'), ('print', '--style=qspy'), ('print', '--style=wallfly', '--color=always'), ('record', '-f', '-o', 'live.wfr')):
        screen = Terminal(*args, target.source)
        screen.wait_for(rb'FAIL forged' if args[0] == 'print' else rb'[1-9][0-9]* records/s .* MB') # a line of progress
        screen.p.send_signal(signal.SIGINT)
        check(args, re.sub(RECORDING + b'|' + COLOURS if '--color=always' in args else RECORDING, b'', screen.end(0)))
    path = os.path.join(SRC, 'tests/data/regress/17/kev-counts.kev')
    for args in (('print', path), ('print', '--style=traceprinter', path), ('print', '--style=traceprinter', '-n', path), ('print', '--style=wallfly', path)):
        check(args, on_terminal(*args))


def lua(text):
    return ''.join('\\%03d' % byte for byte in text)


def tests():
    """Titles, texts and errors, names of scripts, output of the program; as TAP and as JUnit."""
    script = b'{\x1b[2J\xe2\x80\xae\xc2\x9b}.lua'
    with open(script, 'w') as f:
        every = ''.join(map(lua, MARKED))
        for verb in ('error', 'note', 'expect', 'expect_none'):
            f.write('test("%s", NORESET, function() %s("%s") end)\n' % (verb, verb, every))
        f.write('skip()\n') # skipped tests need no target: only titles
        for text in MARKED:
            f.write('test("%s", function() end)\n' % lua(text))
    open('target.py', 'w').write('''import socket, sys
link = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
sys.stdout.buffer.write(b'{\\x1b[2J}\\n{\\xc2\\x9b}\\n')
sys.stdout.flush()
link.sendall(open('stream.bin', 'rb').read())
while link.recv(4096):
    pass
''')
    open('stream.bin', 'wb').write(frame(0, EMPTY) + target.stream)
    ours = '--to=' + target.source
    run = '--run=exec "%s" target.py {port}' % sys.executable
    one = b'one' + script
    open(one, 'w').write('test("%s", function() error("%s") end)\n' % (lua(HOSTILE[-3]), lua(HOSTILE[-1])))
    for of, *form in ((ours, script), (ours, b'--tap', script), (ours, b'--junit=j.xml', script), (run, one), (run, b'--tap', one)):
        out = Terminal(b'test', b'--timeout=0.2', of.encode(), *form).end(1).replace(b'\t', b' ')
        check(form, out)
        assert re.search(rb'\{\\x1b\[2J\\u202e\\u009b\}\.lua', out), out
    check('JUnit', open('j.xml', 'rb').read())
    names = [case.get('name') for case in ElementTree.parse('j.xml').getroot().iter('testcase')]
    for c in HIDDEN:
        shown = '{%s}' % (chr(c) if c in (9, 10) else (r'\x%02x' if c < 0x80 else r'\u%04x') % c)
        assert shown in names, (shown, names)
    assert r'{\x9b2J}' in names and '?' not in ''.join(names), names


def progress():
    """For a large file: one line each half second, so perhaps none."""
    big = b'{\x1b[2J\xc2\x9b}.bin'
    with open(big, 'wb') as f:
        for _ in range(2000):
            f.write(target.stream)
    for args in ((b'convert', b'--to=jsonl', b'-o', b'{\x1b]0;t\x07}.jsonl', big), (b'record', big, b'-o', b'{\x1b[2J}.wfr')):
        check(args, re.sub(PROGRESS + b'|' + RECORDING, b'', Terminal(*args).end(0)))


for do in (send, attach, type_in, servers, live, tests, progress):
    began = time.monotonic()
    do()
    print('%s: %.1f s' % (do.__name__, time.monotonic() - began), flush=True)
print('text only')
