# SPDX-License-Identifier: MIT
"""Hostile names and texts in all of our own output."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ['SRC'], 'tests/lib'))
from hostile import HIDDEN, HOSTILE, SRC, WALLFLY, check, frames, on_terminal, piped

open('h.bin', 'wb').write(frames())
rows = piped('convert', '--to=jsonl', 'h.bin')[0]
assert rows.count(b'\n') > 4 * len(HOSTILE), 'the stream is what it should be'
ours = [('print', 'h.bin'), ('print', '--strict', 'h.bin'), ('convert', '--to=text', 'h.bin'), ('info', 'h.bin'),
        ('info', '--json', 'h.bin'), ('stats', 'h.bin'), ('stats', '--json', 'h.bin'),
        ('query', 'h.bin', 'select name, words from record'), ('query', '--json', 'h.bin', 'select name, words from record')]
for args in ours:
    for out in piped(*args):
        check(args, out)
    check(args, on_terminal(*args))
text = piped('print', '-q', 'h.bin')[0].decode()
for c in HIDDEN:
    assert (r'<\x%02x>' if c < 0x80 else r'<\u%04x>') % c in text, hex(c)
assert r'<\x9b2J>' in text and r'<\xff>' in text and r'<\xe2\x80>' in text
# JSON preserves everything.
words = ''.join(json.loads(line).get('words') or '' for line in rows.splitlines())
for c in HIDDEN:
    assert '<%s>' % chr(c) in words, hex(c)

# QSPY's text is unchanged, except on a terminal.
assert b'<\x1b[2J\x1b[31m>' in piped('print', '-q', '--style=qspy', 'h.bin')[0]
check('qspy', on_terminal('print', '-q', '--style=qspy', 'h.bin'))

# Names of files, options, contents of a file of names or a map.
for hostile in HOSTILE:
    name = b'no\x1b' + hostile.replace(b'/', b'')
    for args in ((b'print', name), (b'convert', b'--to=' + name, b'h.bin'), (b'print', b'--' + name), (b'print', b'-' + name[2:]), (name,),
                 (b'print', b'--rate=' + name, b'h.bin'), (b'query', b'h.bin', b'select ' + name), (b'print', b'--only=' + name, b'h.bin'),
                 (b'print', b'--dic=' + name, b'h.bin'), (b'send', name), (b'help', name), (b'record', b'tcp:' + name),
                 (b'print', b'--hide=' + name, b'h.bin')):
        p = subprocess.run([WALLFLY, *args], capture_output=True, stdin=subprocess.DEVNULL, timeout=300)
        check(args, p.stderr)
for bad in (b'<\x1b[2J\xc2\x9b>', b'\xff\xfe', b'\xe2\x80\xae'):
    open('bad.map', 'wb').write(b'Archive member\n\n .text  0x0000000000000100  0x10 ' + bad + b'.o\n                0x00000000000000zz  ' + bad + b'\n')
    open('bad.dic', 'wb').write(bad + b'\n')
    for option in ('--map=bad.map', '--dic=bad.dic', '--elf=bad.map'):
        for out in piped('print', option, 'h.bin'):
            check(option, out)
for name in ('kev-counts.kev', 'map-control-chars.map', 'term-injection.bin'):
    path = os.path.join(SRC, 'tests/data/regress/17', name)
    for args in (('print', path), ('print', '--style=traceprinter', path), ('info', path), ('print', '--map=' + path, 'h.bin')):
        for out in piped(*args):
            check(args, out)
print('text only')
