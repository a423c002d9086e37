#!/usr/bin/env python3
"""Compares wallfly.open and wallfly.rows with `wallfly convert --to=jsonl`; files that cannot be read. Usage:
python_files.py WALLFLY FILE..."""
import json
import os
import socket
import subprocess
import sys
import types

import wallfly

tool, *files = sys.argv[1:]


def tables_of(file):
    out = subprocess.run([tool, 'convert', '--to=jsonl', '-o', '-', file], capture_output=True, check=True).stdout
    tables = {}
    for line in out.decode('utf-8', 'surrogateescape').splitlines()[1:]:
        row = json.loads(line)
        tables.setdefault(row.pop('table'), []).append(row)
    return tables


for file in files:
    trace, want = wallfly.open(file), tables_of(file)
    assert len(want['record']) >= 2, file
    assert set(want) <= set(trace.tables), (file, set(want) - set(trace.tables))
    for name, table in trace.tables.items():
        rows = [{k: v for k, v in row.items() if v is not None} for row in table]
        if name == 'meta':  # the tool's has the name of the source
            rows, want[name] = [[r for r in t if r['name'] != 'source'] for t in (rows, want[name])]
        assert rows == want.get(name, []), (file, name, len(rows), len(want.get(name, [])),
                                            [x for x in zip(rows, want.get(name, [])) if x[0] != x[1]][:2])
        assert all(row.table == name and list(row) == list(table.columns) for row in table)
    streamed = [row for row in wallfly.rows(file) if row.table == 'record']
    assert streamed == list(trace.tables['record']), file

# One row is enough: the rest of the file is not read.
assert next(wallfly.rows(files[0]))['number'] == 1

# Several lanes.
server = subprocess.Popen([tool, 'record', '-o', 'lanes.wfr', 'tcp-listen:127.0.0.1:0'], stderr=subprocess.PIPE, text=True)
port = int(server.stderr.readline().rsplit(':', 1)[1])
links = [socket.create_connection(('127.0.0.1', port)) for _ in range(2)]
for link in links:
    link.sendall(open(files[2], 'rb').read())
    link.close()
for _ in range(4):  # two connected, two disconnected
    server.stderr.readline()
server.terminate()
server.communicate()
assert server.returncode == 0
trace = wallfly.open('lanes.wfr')
assert sorted(trace.lanes) == [0, 1]
assert len(trace.lanes[0]['record']) == len(trace.lanes[1]['record']) == len(wallfly.open(files[2]).tables['record'])
try:
    trace.tables
    raise AssertionError('two lanes have one list of tables')
except wallfly.Error as e:
    assert '2 lanes' in str(e), e

# pandas, if it is there: here one that only keeps what it is given.
sys.modules['pandas'] = types.SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns))
rows, columns = wallfly.open(files[0]).tables['run'].frame()
assert rows and list(rows[0]) == columns

# Errors.
for path, error, text in (('nowhere', FileNotFoundError, 'nowhere'), ('.', OSError, '')):
    try:
        wallfly.open(path)
        raise AssertionError(path)
    except error as e:
        assert text in str(e), e
open('empty', 'wb').close()
assert not wallfly.open('empty').lanes
p = subprocess.run([sys.executable, '-c', 'import wallfly; wallfly.open("x")'], capture_output=True, text=True,
                   env=dict(os.environ, WALLFLY_LIBRARY='/nowhere/libwallfly.so', LD_LIBRARY_PATH=''))
assert p.returncode == 1 and ('libwallfly.so.0 cannot be loaded' in p.stderr or 'No such file' in p.stderr), p.stderr
