# SPDX-License-Identifier: MIT
"""Every loss is in a track of losses, at any place, and nothing is before time 0.
Usage: page_losses.py WALLFLY FOLDER_OF_WS_CLIENT TRACE...: prints the total number of missing records"""
import struct
import subprocess
import sys

sys.path.insert(0, sys.argv[2])
from ws_client import Client


def steps(page, track):
    at = -1
    while (s := page.ask('step', track=track, at=at, way=1, value=None)['slice']) is not None:
        assert s[0] > at and s[1] >= s[0], (at, s)
        at = s[0]
        yield s


def tile(page, track, last):
    """Returns the first slice of a track, and its number of slices, from one tile that covers all."""
    level = 0
    while 512 << level <= last:
        level += 1
    b = page.ask('tiles', level=level, tiles=[[track, 0]])
    count, = struct.unpack_from('<I', b, 20)
    begins = struct.unpack_from('<%dd' % count, b, 40)
    return begins[0] if count else 0, sum(struct.unpack_from('<%dI' % count, b, 40 + 48 * count))


def look_at(page):
    end = page.expect(lambda m: isinstance(m, dict) and 'status' in m and m['status']['progress'] is None)['status']
    tracks = [t for row in page.ask('rows')['rows'] for t in row['tracks']]
    sums = 0
    for track in tracks:
        first, count = tile(page, track['id'], end['last'])
        assert first >= 0, (track, first)
        if track['kind'] != 'loss':
            continue
        holes = list(steps(page, track['id']))
        assert len(holes) == count, (track, len(holes), count)
        sums += sum(h[2] for h in holes)
    assert sums == end['missing'], (sums, end)
    records = page.ask('records', number=0, after=500)['records']
    times = [r['t'] for r in records if 'tick' in r]
    t0 = int(Client(url).expect(lambda m: 'hello' in m)['hello']['t0'])
    assert min(times) >= 0 and all(r['tick'] - t0 == r['t'] for r in records if 'tick' in r), (t0, times[:5])
    assert min(times) == 0, times[:5]
    return sums


total = 0
for trace in sys.argv[3:]:
    with subprocess.Popen([sys.argv[1], 'serve', trace], stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().strip()
            total += look_at(Client(url))
        except AssertionError:
            print(trace)
            raise
        finally:
            server.terminate()
print(total)
