# SPDX-License-Identifier: MIT
"""Hostile names and texts in every format of convert, from the program's own table of formats: a new one needs a row in
RULES. Text has no raw control, binary formats are marked as such, QSPY's are raw except on a terminal."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ['SRC'], 'tests/lib'))
from hostile import FORBIDDEN, PROGRESS, SRC, WALLFLY, Terminal, check, frames, piped


def text(what, data):
    check(what, data)


def json_lines(what, data):
    check(what, data)
    for line in data.splitlines():
        json.loads(line)


def json_whole(what, data):
    check(what, data)
    json.loads(data)


def rows_of_csv(what, data):
    check(what, data.replace(b'\r\n', b'\n')) # RFC 4180
    lines = io.StringIO(data.decode(), newline='')
    rows = list(csv.reader(lines, strict=True))
    assert data.count(b'\n') == len(rows) and {len(row) for row in rows} == {len(rows[0])}, what


def ctf(what, data):
    if not what[-1].endswith('metadata'):
        return # streams of packets: binary
    check(what, re.sub(rb'^\t+', b'', data, flags=re.M))


def qspy(what, data):
    """As written by QSPY, byte for byte."""
    assert FORBIDDEN.search(data.decode(errors='replace')), (what, 'the target sent controls')


def binary(what, data):
    assert b'\0' in data, what


# The check of a format's files, and whether it may go to a terminal.
RULES = {'text': (text, True), 'qspy': (qspy, True), 'mat': (qspy, True), 'seq': (qspy, True), 'dic': (qspy, True),
         'grasp': (text, True), 'perfetto': (binary, False), 'ctf': (ctf, False), 'vcd': (text, True), 'octave': (binary, False),
         'mscgen': (text, True), 'mermaid': (text, True), 'sequence': (json_whole, True), 'jsonl': (json_lines, True),
         'csv': (rows_of_csv, True), 'tables': (rows_of_csv, False), 'sqlite': (binary, False)}
OBJECTS = b'--objects=<\x1b[2J\x1b[31m>,<\xc2\x9b>,?' # two of the names are in the header of seq

table = re.findall(r'^\| `(\w+)` \| .* \| (?:file|folder|database), `[^`]*` \|$', piped('help', '--md', 'convert')[0].decode(), re.M)
table.remove('wfr') # a recording has the bytes as they are
assert len(table) == len(set(table)) and set(table) == set(RULES), ('formats without a rule, or rules without a format', set(table) ^ set(RULES))

open('names.bin', 'wb').write(frames())
for kind in ('rtos', 'qp'):
    subprocess.run([sys.executable, '-B', os.path.join(SRC, 'tests/web/hostile.py'), WALLFLY, '7', kind, kind + '.bin'], check=True)
named = dict.fromkeys(RULES, False)
for trace in ('names.bin', 'rtos.bin', 'qp.bin'):
    for name, (rule, shown) in RULES.items():
        shutil.rmtree('out', ignore_errors=True) if os.path.isdir('out') else os.path.exists('out') and os.remove('out')
        objects = [OBJECTS] if name == 'seq' else []
        p = subprocess.run([WALLFLY, 'convert', '--to=' + name, *objects, trace, '-o', 'out'], capture_output=True, timeout=300)
        assert p.returncode == 0, (name, trace, p.stderr)
        check((name, trace), p.stderr)
        for file in [os.path.join('out', one) for one in os.listdir('out')] if os.path.isdir('out') else ['out']:
            data = open(file, 'rb').read()
            if rule is not qspy or trace == 'names.bin':
                rule((name, trace, file), data)
            named[name] |= b'hacked' in data or b'FAIL forged' in data or name in ('seq', 'octave') # it has them
        if trace == 'qp.bin':
            continue # long; the others have all characters
        screen = Terminal('convert', '--to=' + name, *objects, trace, '-o', '-')
        out = re.sub(PROGRESS, b'', screen.end(0 if shown else 2))
        assert shown or re.fullmatch(rb'wallfly: --to=.* give --output=NAME\n', out), (name, out)
        check((name, trace, 'terminal'), out.replace(b'\r\n', b'\n').replace(b'\r\n', b'\n'))
assert all(named.values()), named

# --csv-raw is unchanged from the target, except on a terminal; so is query's.
for args in (('convert', '--to=csv', '--csv-raw', 'names.bin', '-o', '-'), ('query', '--csv-raw', 'names.bin', 'select words from record')):
    assert b'<\x1b[2J\x1b[31m>' in piped(*args)[0] and b'<\x9b2J>' in piped(*args)[0], args
    check(args, Terminal(*args).end(0).replace(b'\r\n', b'\n'))
for args in (('query', '--csv', 'names.bin', 'select words from record'), ('stats', '--csv', 'rtos.bin'), ('stats', '--csv', 'qp.bin')):
    check(args, piped(*args)[0].replace(b'\r\n', b'\n'))
print(len(RULES), 'formats')
