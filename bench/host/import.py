#!/usr/bin/env python3
"""Makes long recordings of other tracers from the captures in tests/data/import, and measures how fast they are decoded:
records per second, the ratio to memcpy of the same bytes in the same run, and instructions per record (callgrind).
Usage: import.py BENCH_IMPORT [--count] FORMAT...; --count: only the instructions, as "host-import-FORMAT,instructions"."""
import os
import re
import struct
import subprocess
import sys
import tempfile

CAPTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tests/data/import')
NAMES = {'systemview': 'full.rtt.bin', 'tracerecorder': 'full.psf', 'threadx': 'full.trx', 'tonbandgeraet': 'full.tband'}


def again(data, times):
    """A stream whose recording starts again and again."""
    return data * times


def tracerecorder(data, times):
    """The events again and again, with continuous counts."""
    slots, symbol, states = struct.unpack_from('<3I', data, 60)
    at = 60 + 12 + slots * (4 + 4 * states + 4 + symbol)
    events, head = data[at:], data[:at]
    offsets, at = [], 0
    while at < len(events):
        offsets.append(at)
        at += 8 + 4 * (events[at + 1] >> 4)
    count, block, out = struct.unpack_from('<H', events, 2)[0], bytearray(events), [head]
    for _ in range(times):
        for at in offsets:
            struct.pack_into('<H', block, at + 2, count & 0xFFFF)
            count += 1
        out.append(bytes(block))
    return b''.join(out)


def threadx(data, times):
    """A longer ring."""
    head = list(struct.unpack_from('<4IHH4I', data))
    base, start, end = head[2], head[7 - 0] - 0, head[8]
    begin, stop = start - base, end - base
    events = b''.join(data[i:i + 32] for i in range(begin, stop, 32) if any(data[i:i + 4]) and data[i + 8:i + 12] != b'\xff' * 4)
    body = events * times
    head[8] = start + len(body)
    head[9] = start
    out = bytearray(data[:begin])
    struct.pack_into('<4IHH4I', out, 0, *head)
    return bytes(out) + body


MAKERS = {'tracerecorder': tracerecorder, 'threadx': threadx}


def main():
    bench, formats = sys.argv[1], [a for a in sys.argv[2:] if a != '--count']
    with tempfile.TemporaryDirectory() as folder:
        def make(name, times):
            path = os.path.join(folder, '%s.%d' % (name, times))
            data = open(os.path.join(CAPTURES, name, NAMES[name]), 'rb').read()
            open(path, 'wb').write(MAKERS.get(name, again)(data, times))
            return path

        def count(path):
            run = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', bench, '--once', path],
                                 check=True, capture_output=True, text=True)
            return int(run.stdout), int(re.search(r'Collected : (\d+)', run.stderr)[1])
        for name in formats:
            if '--count' in sys.argv:
                short, long = count(make(name, 10)), count(make(name, 30))
                print('host-import-%s,%.1f' % (name, (long[1] - short[1]) / (long[0] - short[0])))
            else:
                print(subprocess.run([bench, make(name, 400)], check=True, capture_output=True, text=True).stdout, end='')


main()
