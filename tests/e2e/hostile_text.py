# SPDX-License-Identifier: MIT
"""Hostile names and texts in all output that is ours. Usage: hostile_text.py WALLFLY"""
import json
import os
import pty
import re
import subprocess
import sys

WALLFLY = sys.argv[1]
HIDDEN = [*range(1, 0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
HOSTILE = [chr(c).encode() for c in HIDDEN] + [b'\x80', b'\x9b2J', b'\xff', b'\xc2', b'\xe2\x80', b'\xed\xa0\x80']
HOSTILE += [b'\x1b]0;owned\x07', b'\x1b[2J\x1b[31m', b'a\n     9.9 s  FAIL forged']
FORBIDDEN = re.compile('[%s]' % ''.join(re.escape(chr(c)) for c in HIDDEN if c != 10))
SM, USER = 1, 100


def frames():
    out, seq = bytearray(), 0

    def put(record, payload):
        nonlocal seq
        seq = seq + 1 & 255
        body = bytes([seq, record]) + payload
        for byte in body + bytes([~sum(body) & 255]):
            out.extend([0x7D, byte ^ 0x20] if byte in (0x7D, 0x7E) else [byte])
        out.append(0x7E)

    def u(value, size):
        return value.to_bytes(size, 'little')

    head = open(os.path.join(os.environ['SRC'], 'tests/data/regress/17/term-injection.bin'), 'rb').read()
    info = [f for f in head.split(b'\x7e') if f[1:2] == b'@'][0] # the target's sizes: T4 O4 F4 S2
    put(64, info[2:-1].replace(b'\x7d\x5d', b'\x7d').replace(b'\x7d\x5e', b'\x7e'))
    tick = 1000
    for i, text in enumerate(HOSTILE):
        text = b'<' + text + b'>'
        put(61, u(0x1000 + i, 4) + text + b'\0')                    # object
        put(62, u(0x2000 + i, 4) + text + b'\0')                    # function
        put(60, u(5 + i, 2) + u(0x1000 + i, 4) + text + b'\0')      # signal
        put(63, u(USER + i % 25, 1) + text + b'\0')                 # record
        put(SM, u(0x1000 + i, 4) + u(0x2000 + i, 4))
        tick += 10
        put(USER + i % 25, u(tick, 4) + b'\x08' + text + b'\0')
    return bytes(out)


def piped(*args, stdin=None):
    p = subprocess.run([WALLFLY, *args], capture_output=True, stdin=stdin, timeout=60)
    return p.stdout, p.stderr


def on_terminal(*args):
    master, slave = pty.openpty()
    p = subprocess.Popen([WALLFLY, *args], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                         env={**os.environ, 'NO_COLOR': '1'})
    os.close(slave)
    out = b''
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError: # its other end has gone
            break
        if not piece:
            break
        out += piece
    os.close(master)
    p.wait(60)
    out = out.replace(b'\r\n', b'\n') # of the terminal itself
    # Of progress, which is taken away again.
    return re.sub(rb'\rwallfly: [^\r\n]*\x1b\[K|\r\x1b\[K', b'', out)


def check(what, out):
    text = out.decode() # UTF-8 or an exception
    bad = FORBIDDEN.search(text)
    assert not bad, (what, hex(ord(bad[0])), text[max(0, bad.start() - 80):bad.end() + 20])
    assert not re.search(r'^ *9\.9 s +FAIL', text, re.M), (what, 'a line is forged')


open('h.bin', 'wb').write(frames())
rows = {name: piped('convert', '--to=jsonl', 'h.bin')[0] for name in ('jsonl',)}
assert rows['jsonl'].count(b'\n') > 4 * len(HOSTILE), 'the stream is what it should be'
ours = [('print', 'h.bin'), ('print', '--strict', 'h.bin'), ('convert', '--to=text', 'h.bin'), ('info', 'h.bin'),
        ('info', '--json', 'h.bin'), ('stats', 'h.bin'), ('stats', '--json', 'h.bin'), ('convert', '--to=jsonl', 'h.bin'),
        ('query', 'h.bin', 'select name, words from record'), ('query', '--json', 'h.bin', 'select name, words from record')]
for args in ours:
    for out in piped(*args):
        check(args, out)
    check(args, on_terminal(*args))
text = piped('print', '-q', 'h.bin')[0].decode()
for c in HIDDEN:
    assert (r'<\x%02x>' if c < 0x80 else r'<\u%04x>') % c in text, hex(c)
assert r'<\x9b2J>' in text and r'<\xff>' in text and r'<\xe2\x80>' in text
# JSON loses nothing.
words = ''.join(json.loads(line).get('words') or '' for line in rows['jsonl'].splitlines())
for c in HIDDEN:
    assert '<%s>' % chr(c) in words, hex(c)

# QSPY's text is what QSPY writes, but for a terminal.
assert b'<\x1b[2J\x1b[31m>' in piped('print', '-q', '--style=qspy', 'h.bin')[0]
check('qspy', on_terminal('print', '-q', '--style=qspy', 'h.bin'))

# Names of files, options, what a file of names or a map has in it.
for hostile in HOSTILE:
    name = b'no\x1b' + hostile.replace(b'/', b'')
    for args in ((b'print', name), (b'convert', b'--to=' + name, b'h.bin'), (b'print', b'--' + name), (b'print', b'-' + name[2:]), (name,),
                 (b'print', b'--rate=' + name, b'h.bin'), (b'query', b'h.bin', b'select ' + name), (b'print', b'--only=' + name, b'h.bin'),
                 (b'print', b'--dic=' + name, b'h.bin'), (b'send', name), (b'help', name), (b'record', b'tcp:' + name),
                 (b'print', b'--hide=' + name, b'h.bin')):
        p = subprocess.run([WALLFLY, *args], capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
        check(args, p.stderr)
for bad in (b'<\x1b[2J\xc2\x9b>', b'\xff\xfe', b'\xe2\x80\xae'):
    open('bad.map', 'wb').write(b'Archive member\n\n .text  0x0000000000000100  0x10 ' + bad + b'.o\n                0x00000000000000zz  ' + bad + b'\n')
    open('bad.dic', 'wb').write(bad + b'\n')
    for option in ('--map=bad.map', '--dic=bad.dic', '--elf=bad.map'):
        for out in piped('print', option, 'h.bin'):
            check(option, out)
for name in ('kev-counts.kev', 'map-control-chars.map', 'term-injection.bin'):
    path = os.path.join(os.environ['SRC'], 'tests/data/regress/17', name)
    for args in (('print', path), ('print', '--style=traceprinter', path), ('info', path), ('print', '--map=' + path, 'h.bin')):
        for out in piped(*args):
            check(args, out)
print('text only')
