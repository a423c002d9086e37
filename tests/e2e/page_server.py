# SPDX-License-Identifier: MIT
"""Messages and answers for pages. Usage: page_server.py WALLFLY PHILOSOPHERS FOLDER_OF_WS_CLIENT"""
import json
import random
import signal
import socket
import struct
import subprocess
import sys

sys.path.insert(0, sys.argv[3])
from wf_serve import Server, status
from ws_client import Client, LIMIT

WALLFLY, PHILOSOPHERS = sys.argv[1:3]


def pieces(client, track, level, index):
    """Returns the tile's flags, and (begin, end, busy, value, min, max, count, more, flags) of each piece."""
    b = client.ask('tiles', level=level, tiles=[[track, index]])
    magic, n, tiles, of = struct.unpack_from('<4I', b)
    assert (magic, n, tiles, of) == (0x31746677, client.n, 1, level), b
    t, count, i, flags, zero = struct.unpack_from('<IIdII', b, 16)
    assert (t, i, zero) == (track, index, 0) and len(b) % 8 == 0
    columns = [struct.unpack_from('<%dd' % count, b, 40 + 8 * k * count) for k in range(6)]
    columns += [struct.unpack_from('<%dI' % count, b, 40 + 48 * count + 4 * k * count) for k in range(3)]
    assert len(b) == 40 + 60 * count + count % 2 * 4
    return flags, list(zip(*columns))


def whole_level(last):
    level = 0
    while 512 << level <= last:
        level += 1
    return level


def a_file():
    server = Server('p.bin')
    page, other = Client(server.url), Client(server.url)
    hello = page.expect(lambda m: 'hello' in m)['hello']
    assert hello['source'] == 'p.bin' and not hello['live'] and not hello['commands'] and not hello['kept']
    end = status(page, lambda s: s['progress'] is None)
    info = json.loads(subprocess.check_output([WALLFLY, 'info', '--json', 'p.bin']))
    assert end['records'] == sum(r['count'] for r in info['records']), (end, info['records'])
    assert end['missing'] == end['bad'] == 0 and end['exact'] and end['error'] is None
    late = Client(server.url) # receives the same
    hello = late.expect(lambda m: 'hello' in m)['hello']
    assert int(hello['t0']) > 0 and hello['hz'] > 0 and 'SM' in hello['groups'] and 'sync' in hello['records'], hello
    assert status(late, lambda s: True) == end
    rows = page.ask('rows')
    assert rows['rev'] == end['rev']
    names = [row['name'] for row in rows['rows']]
    assert all(n in names for n in ('philo[0]', 'philo[4]', 'table')), names
    things = page.ask('things', **{'from': 0})['things']
    assert page.ask('things', **{'from': 3})['things'] == things[3:]
    for row in rows['rows']:
        assert not row['thing'] or things[row['thing']][1] == row['name']
    level = whole_level(end['last'])
    for track in [t['id'] for row in rows['rows'] for t in row['tracks'] if t['kind'] != 'load']: # it has no slices
        compare_levels(page, track, level)
    assert other.ask('rows') == {**rows, 'n': 1}
    errors(page)
    arrows(page, end['last'])
    jobs(page)
    server.stop()


def compare_levels(page, track, level):
    """A tile, the two tiles below it, and steps from slice to slice give the same."""
    flags, top = pieces(page, track, level, 0)
    assert flags == 0, 'nothing grows any more'
    halves = [pieces(page, track, level - 1, i)[1] for i in (0, 1)]
    # A slice across the middle is in both.
    over = [p for p in halves[0] if p in halves[1]]
    assert sum(p[6] for p in top) == sum(p[6] for h in halves for p in h) - sum(p[6] for p in over), track
    assert min(p[4] for p in top) == min(p[4] for h in halves for p in h)
    at, count = -1, 0
    while (s := page.ask('step', track=track, at=at, way=1, value=None)['slice']) is not None:
        assert s[0] > at
        at, count = s[0], count + 1
    most = sum(p[6] for p in top) # several may begin at one time; a step returns one of them
    assert 0 < count <= most and count > most // 2, (track, count, most)
    back = page.ask('step', track=track, at=at + 1, way=-1, value=None)['slice']
    assert back[0] == at
    value = top[-1][3] if top[-1][6] == 1 else back[2]
    with_value = page.ask('step', track=track, at=at + 1, way=-1, value=value)['slice']
    assert with_value[2] == value, (with_value, value)


def arrows(page, last):
    answer = page.ask('arrows', **{'from': 0, 'until': last + 1, 'most': 100000})
    assert answer['count'] == len(answer['arrows']) > 0 and {a[0] for a in answer['arrows']} >= {'post'}, answer['count']
    assert all(a[1] <= a[2] for a in answer['arrows'])
    few = page.ask('arrows', **{'from': 0, 'until': last + 1, 'most': 1})
    assert few['count'] > 1 and few['arrows'] == []


def errors(page):
    for op, fields, words in [
            ('nothing', {}, 'unknown query'), ('tiles', {}, 'level'), ('tiles', {'level': 53, 'tiles': []}, 'level'),
            ('tiles', {'level': 3, 'tiles': 7}, 'tiles'), ('tiles', {'level': 3, 'tiles': [[0]]}, 'tiles'),
            ('tiles', {'level': 3, 'tiles': [[0, -1]]}, 'tiles'), ('tiles', {'level': 3, 'tiles': [[9999, 0]]}, 'tiles'),
            ('tiles', {'level': 3, 'tiles': [[0, 1e300]]}, 'tiles'), ('tiles', {'level': 3, 'tiles': [[0, 0.5]]}, 'tiles'),
            ('tiles', {'level': 3, 'tiles': [[0, 0]] * 513}, '512'), ('things', {'from': -1}, 'from'),
            ('things', {'from': 1e300}, 'from'), ('step', {'track': 'x', 'at': 0, 'way': 1}, 'track'),
            ('arrows', {'from': 5, 'until': 1, 'most': 1}, 'until'), ('arrows', {'from': 0, 'until': 1, 'most': 1e9}, 'most'),
            ('command', {'line': 'info'}, '--allow-commands'), ('command', {}, '--allow-commands')]:
        answer = page.ask(op, **fields)
        assert isinstance(answer, dict) and words in answer.get('error', ''), (op, fields, answer)
    for text in ('', 'x', '[]', '7', '{}', '{"n":1}', '{"op":"rows"}', '{"n":"1","op":"rows"}', '{"n":1.5,"op":"rows"}',
                 '{"n":1e400,"op":"rows"}', '{"n":NaN,"op":"rows"}', '[' * 100000, '{"n":' * 5000, '"\\ud800"', '\x00'):
        page.send(text)
        page.expect(lambda m: isinstance(m, dict) and 'error' in m)
    rng = random.Random(1)
    good = ['{"n":1,"op":"tiles","level":20,"tiles":[[0,0],[1,1]]}', '{"n":2,"op":"step","track":0,"at":5,"way":1,"value":null}',
            '{"n":3,"op":"records","at":0,"before":1,"after":1}', '{"n":4,"op":"find","text":"x","at":0,"way":1}']
    for _ in range(2000):
        text = list(rng.choice(good))
        for _ in range(rng.randrange(1, 5)):
            text[rng.randrange(len(text))] = chr(rng.randrange(32, 127))
        page.send(''.join(text))
    assert page.ask('rows')['rows'], 'it goes on'


def jobs(page):
    records = page.ask('records', at=0, before=0, after=3)
    assert len(records['records']) >= 3, records
    page.send(json.dumps({'n': 1000000, 'op': 'stats', 'from': 0, 'until': 1e12}))
    page.send(json.dumps({'n': 1000001, 'op': 'stats', 'from': 0, 'until': 1e12}))
    page.send(json.dumps({'n': 1000001, 'op': 'cancel'}))
    answers = {}
    while len(answers) < 2: # that of a job that has not begun comes at once
        answer = page.expect(lambda m: isinstance(m, dict) and m.get('n') in (1000000, 1000001) and 'progress' not in m)
        answers[answer['n']] = answer
    first, second = answers[1000000], answers[1000001]
    assert 'stats' in first, first
    assert 'cancelled' in second.get('error', '') or 'stats' in second, second
    for n in range(50): # a client that asks and disconnects leaves nothing behind
        page.send(json.dumps({'n': n, 'op': 'stats', 'from': 0, 'until': 1e12}))
    page.close()


def start(port):
    return subprocess.Popen([PHILOSOPHERS, '-s', '120', '-o', 'tcp:127.0.0.1:' + port], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def a_target(*options):
    server = Server('tcp-listen:0', '--quiet', '--allow-commands', '--keep=16M', *options)
    first, second = Client(server.url), Client(server.url)
    hello = first.expect(lambda m: 'hello' in m)['hello']
    assert hello['live'] and hello['commands'] and hello['t0'] is None, hello
    status(first, lambda s: not s['up'] and s['records'] == 0)
    assert 'error' not in first.ask('command', line='info')
    assert first.expect(lambda m: 'said' in m)['said']['end'] == 'link'
    target = start(server.target())
    try:
        status(first, lambda s: s['up'] and s['records'] > 100)
        hello = first.ask('rows') and Client(server.url).expect(lambda m: 'hello' in m)['hello']
        assert hello['t0'] is not None and hello['hz'] > 0, hello
        second.expect(lambda m: 'hello' in m and m['hello']['t0'] == hello['t0'])
        assert 'error' not in first.ask('command', line='info; nonsense; filter all')
        for client in (first, second):
            said = [client.expect(lambda m: 'said' in m and m['said']['command'] == c)['said']
                    for c in ('info', 'nonsense', 'filter all')]
            assert [s['end'] for s in said] == ['good', 'wrong', 'good'], said
        assert 'error' not in second.ask('command', line='filter none')
        assert second.expect(lambda m: 'said' in m and m['said']['command'] == 'filter none')['said']['end'] == 'good'
        filters = [t['id'] for row in second.ask('rows')['rows'] for t in row['tracks'] if t['kind'] == 'filters']
        assert filters, 'where filters are off is shown'
    finally:
        target.kill()
        target.wait()
    gone = status(first, lambda s: not s['up'])
    target = start(server.target())
    try:
        more = status(first, lambda s: s['up'] and s['records'] > gone['records'] + 50)
        # Its time has restarted: its records come after the earlier ones.
        assert more['last'] > gone['last'] and more['kept'] == 0, (gone, more)
        rows = first.ask('records', number=gone['records'], before=50, after=100)['records']
        times = [r['t'] for r in rows if 'tick' in r and 'untimed' not in r.get('flags', '')]
        assert times == sorted(times) and times[0] <= gone['last'] < times[-1], times
        loss = [t['id'] for row in first.ask('rows')['rows'] for t in row['tracks'] if t['kind'] == 'loss']
        hole = first.ask('step', track=loss[0], at=-1, way=1, value=None)['slice']
        assert hole[0] == gone['last'], (hole, gone)
    finally:
        target.kill()
        target.wait()
    server.stop(signal.SIGINT)


def a_target_of_slots():
    data = open('slots.kev', 'rb').read()
    want = subprocess.run([WALLFLY, 'print', 'slots.kev'], capture_output=True, text=True).stderr.split(': ')[-1].strip()
    server = Server('tcp-listen:0', '--front=off', '--strict')
    page = Client(server.url)
    with socket.create_connection(('127.0.0.1', int(server.target()))) as target:
        target.sendall(data)
    page.expect(lambda m: isinstance(m, dict) and 'status' in m and m['status']['records'] > 100 and not m['status']['up'])
    server.stop(signal.SIGINT, 4 if ' 0 lost, 0 found no room; 0 damages' not in want else 0)
    assert any(line.endswith(want) for line in server.said), (want, server.said)
    assert not any('bytes damaged' in line for line in server.said), server.said


def others():
    # Lines of QSPY on standard output: the address is on standard error.
    server = Server('tcp-listen:0', '--front=0', out=False)
    Client(server.url).expect(lambda m: 'hello' in m)
    server.stop()
    assert server.process.stdout.closed
    # A port in use.
    with socket.create_server(('127.0.0.1', 0)) as taken:
        run = subprocess.run([WALLFLY, 'serve', 'p.bin', '--page=%d' % taken.getsockname()[1]], capture_output=True,
                             text=True, timeout=LIMIT)
    assert run.returncode == 3 and 'is in use by another program' in run.stderr and not run.stdout, run
    # The page is switched off.
    with subprocess.Popen([WALLFLY, 'serve', 'tcp-listen:0', '--front=0', '--page=off'], stderr=subprocess.PIPE, text=True) as p:
        p.stderr.readline(), p.stderr.readline()
        p.terminate()
        assert 'http' not in p.stderr.read()


a_file()
a_target('--front=0')
a_target('--front=off')
a_target_of_slots()
others()
print('pages are told, and answered')
