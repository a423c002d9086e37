#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Makes slot traces (.kev, and wallfly's own) from a seed, and the expected output of a correct reader:
#   generate.py SEED FILE.kev [--order=big] [--kind=own] [NAME=VALUE...] >expected
# `--merged` prints the events of all cores in the order of time instead. README.md has the rules.
import random, sys

import kev, own

# Every switch with its default; `switches` draws them from a seed.
KEV = dict(version=6, cpus=1, events=60, rollovers=0, high=0x37B0, buffer=24, first_number=1, clock='percpu', nested=0, gaps=0,
           few_times=0, shared=0, skew=0, overrun=0, disorder=0, late=0, early=0, long=0, zeros=0, tail=0, lead=b'', page=2264, extra=1)
OWN = dict(version=0, cpus=2, events=80, rollovers=0, high=2, chunk=16, before=0, offsets=0, refuse=0, loss=0, ends_well=1,
           tail=0, lead=b'', page=0, extra=0)


def switches(seed):
    """Returns a seed's kind, byte order, switches. 64 seeds have everything in both orders."""
    r = random.Random(seed)
    order, kind = '<>'[seed & 1], 'own' if seed % 8 >= 6 else 'kev'
    if kind == 'own':
        sw = dict(OWN, cpus=r.choice([1, 2, 4, 8]), events=r.randrange(30, 300), rollovers=r.choice([0, 1, 5, 20]),
                  chunk=r.choice([8, 16, 64]), before=r.choice([0, 0, 1]), offsets=r.choice([0, 1]), refuse=r.choice([0, 1]),
                  loss=r.choice([0, 1, 1]), ends_well=r.choice([0, 1, 1]), tail=r.choice([0, 0, 3]))
        return kind, order, sw
    cpus = r.choice([1, 1, 2, 3, 4, 8])
    sw = dict(KEV, version=r.choice([6, 6, 7, 8]), cpus=cpus, events=r.randrange(60, 400), high=r.choice([0, 1, 0x37B0]),
              rollovers=r.choice([0, 1, 3, 10, 30, 100]), gaps=r.choice([0, 1]), few_times=r.choice([0, 1]),
              shared=r.choice([0, 1]), overrun=r.choice([0, 0, 1]), disorder=r.choice([0, 0, 0, 1]), early=r.choice([0, 0, 1]),
              first_number=r.choice([1, 1, 0, 77]), tail=r.choice([0, 0, 1, 15]), zeros=r.choice([0, 0, 9]),
              page=r.choice([0, 2264, 1001]), extra=r.choice([0, 1, 2]), long=int(seed % 16 == 3), buffer=r.choice([8, 30, 500]))
    sw['nested'] = int(sw['version'] == 6)
    if sw['version'] == 8:  # its header has at most 512 bytes
        sw['extra'] = min(sw['extra'], 1)
    if sw['rollovers'] == 100:
        sw['events'] = 1000
    if seed % 16 == 5:  # one clock, reported by one CPU
        sw.update(clock='global', rollovers=0, gaps=0, few_times=0, early=0, overrun=0, disorder=0, skew=0)
    if cpus == 1:
        sw['clock'] = 'global'
    sw['skew'] = int(sw['clock'] == 'percpu' and r.random() < .5)
    sw['late'] = int(sw['disorder'] and r.random() < .5)
    if sw['disorder'] or sw['late']:
        sw['overrun'] = sw['early'] = 0
    if sw['late']:
        sw['first_number'] = 1
    if sw['version'] == 6 and r.random() < .2:
        sw['lead'] = b'\0' * r.randrange(1, 90)
    return kind, order, sw


def header(rng, kind, order, sw):
    """Returns the attributes in the order of section 3.1, and the system page."""
    name = b'all_classes.kev' if sw['extra'] < 2 else b'/tmp/a b::c.kev'
    release = {0: b'0', 6: b'6.4.1', 7: b'7.1.0', 8: b'8.0.0'}[sw['version']]
    list_ = [(b'HEADER_BEGIN', b''), (b'FILE_NAME', name), (b'DATE', b'Wed Jun 24 10:52:58 2009'), (b'VER_MAJOR', b'1'),
             (b'VER_MINOR', b'01'), (b'LITTLE_ENDIAN' if order == '<' else b'BIG_ENDIAN', b'TRUE'),
             (b'ENCODING', b'16 byte events'), (b'BOOT_DATE', b'Tue Jun 23 11:47:46 2009'), (b'CYCLES_PER_SEC', b'736629000'),
             (b'CPU_NUM', b'%d' % sw['cpus']), (b'SYSNAME', b'QNX'), (b'NODENAME', b'localhost'), (b'SYS_RELEASE', release),
             (b'SYS_VERSION', b'2009/05/20-17:35:56EDT'), (b'MACHINE', b'x86pc')]
    page = bytes(rng.getrandbits(8) for _ in range(sw['page']))
    if sw['page'] > 100:  # the page's contents are not read
        page = page[:7] + b'TRACE_HEADER_END::' + page[25:]
    if page:
        list_.append((b'SYSPAGE_LEN', b'%d' % len(page)))
    if sw['extra']:
        list_.append((b'TRACELOGGER_ARGS', b' tracelogger -d1 -n 3 -f all_classes.kev' if sw['version'] < 8 else b' tracelogger -w'))
    if sw['extra'] > 1:
        list_ += [(b'run', b'7, TRACE of a: test \xfc'), (b'empty', b'')]
    if kind == 'own':
        list_ += [(b'WALLFLY', b'T8O8F8S2E2Q1P2B2C4'), (b'BUILD_ID', b'0')]
    if sw['version'] == 8:
        list_.append((b'NORMALIZED', b'TRUE'))
    return list_ + [(b'HEADER_END', b'')], page


def make(seed, kind=None, order=None, **changed):
    """Returns a Trace: .data are the file's bytes, .expected() the lines."""
    if kind is None:
        kind, drawn, sw = switches(seed)
    else:
        drawn, sw = '<', dict(KEV if kind == 'kev' else OWN)
    order = order or drawn
    unknown = set(changed) - set(sw)
    if unknown:
        raise SystemExit('generate: no such switch: ' + ', '.join(sorted(unknown)))
    sw.update(changed)
    rng = random.Random('%s %d' % (kind, seed))
    trace = (kev if kind == 'kev' else own).make(rng, order, sw, header(rng, kind, order, sw))
    trace.kind, trace.switches = kind, sw
    return trace


def main():
    plain = [a for a in sys.argv[1:] if not a.startswith('--') and '=' not in a]
    if len(plain) != 2 or not plain[0].isdigit():
        raise SystemExit('usage: generate.py SEED FILE [--kind=kev|own] [--order=little|big] [--merged] [NAME=VALUE...]')
    options = dict(a[2:].partition('=')[::2] for a in sys.argv[1:] if a.startswith('--'))
    changed = {k: int(v) if v.isdigit() else v for k, _, v in (a.partition('=') for a in sys.argv[1:] if '=' in a and a[0] != '-')}
    order = {'little': '<', 'big': '>', None: None}[options.get('order')]
    trace = make(int(plain[0]), options.get('kind'), order, **changed)
    with open(plain[1], 'wb') as f:
        f.write(trace.data)
    events, damage = trace.expected()
    for line in kev.merged(events) if 'merged' in options else events + damage:
        print(line)


if __name__ == '__main__':
    main()
