#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Compares the reader of slot traces with the generator's expectation: whole files, files cut at every byte, files
# damaged at every byte. Usage: compare.py EVENTS [whole|cuts|flips|model|reads]...
# reads: the cuts and flips are read, and nothing is compared (for sanitizers).
# README.md describes the comparison, and the freedom of a reader.
import functools, itertools, os, struct, subprocess, sys, tempfile
from collections import Counter

import generate, kev, model
from slots import *

SEEDS = int(os.environ.get('SEEDS', '64'))
CHUNKS = [1, 7, 16, 4096]
failures = []


class Wrong(Exception):
    pass


def expect(good, *what):
    if not good:
        raise Wrong(' '.join(str(w)[:300] for w in what))


def run(events, trace, *options, data=None):
    """Returns the lines of `events`; several lists if it was told to cut or flip."""
    with tempfile.NamedTemporaryFile(suffix='.kev') as f:
        f.write(trace.data if data is None else data)
        f.flush()
        guess = 'global' if trace.kind == 'own' or trace.switches['cpus'] == 1 else 'percpu'
        clock = ['--clock=' + trace.clock] if guess != trace.clock or data is not None else []
        p = subprocess.run([events, *clock, *options, f.name], capture_output=True, timeout=300)
    out = p.stdout.decode('latin-1').splitlines()
    last = next((l for l in reversed(out) if l.startswith('=')), '')
    expect(p.returncode == 0, 'exit', p.returncode, last, p.stderr.decode('latin-1')[-200:])
    return out


def sections(lines):
    out = {}
    for line in lines:
        if line.startswith('= '):
            now = out[int(line[2:])] = []
        else:
            now.append(line)
    return out


def of_trace_itself(trace, line):
    """A reader may deliver events of the trace itself or not."""
    cls = int(line.split(' ', 4)[3])
    return cls == CONTROL or cls == OWN and trace.kind == 'own'


def delivered(trace, lines):
    return [l for l in lines if l[0] == 'E' and not of_trace_itself(trace, l)]


def damaged(trace, lines):
    """Returns (kind, offset, len) by offset; damage before the header is optional."""
    parts = [l.split() for l in lines if l[0] == 'D']
    return sorted((int(p[2]), p[1], p[3]) for p in parts if int(p[2]) >= len(trace.lead))


def fits(want, got):
    return all(w == '?' or w == g for w, g in zip(want, got))


def compare_events(want, got, ticks=lambda n: 'exact'):
    for n, (w, g) in enumerate(zip(want, got)):
        w, g, how = w.split(' ', 2), g.split(' ', 2), ticks(n)
        same = w[2] == g[2] and (w[1] == '?' or how == 'free' or w[1] == g[1] or
                                 (how == 'low' and g[1] != '?' and (int(w[1]) ^ int(g[1])) & M32 == 0))
        expect(same, 'event', n, 'is', ' '.join(g), 'not', ' '.join(w))
    expect(len(want) == len(got), len(got), 'events, not', len(want), '; first of the rest is', max(got, want, key=len)[min(len(want), len(got)):][:1])


def compare_damage(want, got, free=()):
    """Each place must be reported, and no other except those in `free`."""
    got = list(got)
    for w in want:
        hit = next((g for g in got if fits(w, g)), None)
        expect(hit, 'no damage line', w, 'in', got[:4])
        got.remove(hit)
    got = [g for g in got if not any(a <= g[0] < b for a, b in free)]
    expect(not got, 'damage that is none:', got[:4])


def losses(trace, lines):
    """Returns core -> [[events of it before, events, exact, slots, refused, chunks]], neighbours joined."""
    before, out = Counter(), {}
    for line in lines:
        p = line.split()
        if p[0] == 'E' and not of_trace_itself(trace, line):
            before[p[2]] += 1
        if p[0] != 'L':
            continue
        mine = out.setdefault(p[1], [])
        if mine and mine[-1][0] == before[p[1]]:
            both = list(zip(mine[-1][1:], p[2:]))
            mine[-1][1:] = ['?' if '?' in two else str(int(two[0]) + int(two[1])) for two in both]
            mine[-1][2] = str(int(both[1] == ('1', '1')))
        else:
            mine.append([before[p[1]]] + p[2:])
    return out


def compare_losses(trace, want, got, more=0):
    want, got = losses(trace, want), losses(trace, got)
    for core in set(want) | set(got):
        w, g = want.get(core, []), got.get(core, [])
        expect(len(w) <= len(g) <= len(w) + more, 'losses of core', core, 'are', g, 'not', w)
        for a, b in zip(w, g):
            expect(fits(a, b) and (a[1] != '?' or int(b[1]) > 0), 'loss of core', core, 'is', b, 'not', a)


def compare_all(trace, lines, cut=None):
    want, damage = trace.expected(cut)
    compare_events([l for l in want if l[0] == 'E'], delivered(trace, lines))
    free = [(e.slots[0].at, e.slots[-1].at + 16) for e in {s.of for s in trace.slots if s.of} if len(e.raw) > 4 * WORDS_MAX]
    compare_damage(damaged(trace, damage), damaged(trace, lines), free)
    if trace.losses == 'sum':
        want, got = ([sum(int(l.split()[6]) for l in lines_ if l[0] == 'L')] for lines_ in (want, lines))
        expect(want == got, 'buffers lost are', got, 'not', want)
    if trace.losses == 'each':  # a cut may leave half of a loss report
        has = cut is not None and any(s.loss for s in trace.slots)
        compare_losses(trace, want, lines, more=1 if has else 0)


def compare_header(trace, lines):
    got = [l[2:] for l in lines if l.startswith('A ') and l.split()[1] not in ('HEADER_BEGIN', 'HEADER_END')]
    want = [(k + b' ' + v).decode('latin-1') for k, v in trace.attributes if k not in (b'HEADER_BEGIN', b'HEADER_END')]
    expect(got == want, 'attributes', [x for x in zip(got, want) if x[0] != x[1]][:2] or (len(got), len(want)))
    page = trace.data[trace.head_len:trace.start]
    expect('P ' + page.hex() in lines, 'the system page')
    swapped = (trace.order == '<') != (sys.byteorder == 'little')
    expect('R 736629000 %d' % swapped in lines, [l for l in lines if l.startswith('R')])


def check(name, function, *args):
    try:
        function(*args)
    except (Wrong, subprocess.TimeoutExpired, ValueError, IndexError) as e:
        failures.append(name)
        print('FAILED %s: %s' % (name, e))


# Whole files.

def one_key_twice(order):
    """A chain that is never closed, and one with the same 32 bits one rollover later."""
    sw = dict(generate.KEV, version=6, cpus=1, page=0)
    time = [Slot(0, CONTROL, TIME, h << 32 | 5, pair(order, h, 5)) for h in (1, 2)]
    a, b = (Event(0, 6, 7, h << 32 | 99, bytes(range(h, h + 24))) for h in (1, 2))
    slots = time[:1] + a.slots[:2] + time[1:] + b.slots
    attributes, page = generate.header(generate.random.Random(1), 'kev', order, sw)
    trace = Trace(order, attributes, page, slots, clock='global')
    trace.kind, trace.switches = 'kev', sw
    return trace


@functools.lru_cache
def whole_files():
    made = [('seed %d' % seed, generate.make(seed)) for seed in range(SEEDS)]
    for order in '<>':
        made.append(('one key twice ' + order, one_key_twice(order)))
        made.append(('too long ' + order, generate.make(900, 'kev', order, long=8, events=20, cpus=2)))
    return made


def check_whole(events):
    for n, (name, trace) in enumerate(whole_files()):
        name = '%s %s' % (name, trace.switches)
        chunk = CHUNKS[n % len(CHUNKS)] if n >= 8 or len(trace.data) > 30000 else None
        for size in [chunk] if chunk else CHUNKS:
            check('%s chunk %d' % (name, size), lambda: compare_all(trace, run(events, trace, '--chunk=%d' % size)))
        check(name + ' header', lambda: compare_header(trace, run(events, trace, '--header')))
        if trace.kind == 'kev':  # like a capture without attributes
            raw = '--raw=' + ('little' if trace.order == '<' else 'big')
            check(name + ' raw', lambda: compare_events([l for l in trace.expected()[0] if l[0] == 'E'], delivered(
                trace, run(events, trace, raw, data=trace.data[trace.start:]))))


def check_model(_):
    """The generator's lines against the second reading, without any reader of wallfly's."""
    for name, trace in whole_files():
        read = model.read(trace)
        want, damage = trace.expected()
        check('model ' + name, compare_events, [l for l in want if l[0] == 'E'], read.lines())
        check('model ' + name, lambda: compare_damage(damaged(trace, damage), damaged(trace, read.damage())))


# Cuts and flips, of small files.

def small_files():
    for order in '<>':
        yield 'kev ' + order, generate.make(11, 'kev', order, cpus=2, events=12, page=40, nested=1, rollovers=2, buffer=8, shared=1)
        yield 'ours ' + order, generate.make(12, 'own', order, cpus=2, events=12, chunk=16, rollovers=1, offsets=1)
    yield 'early', generate.make(17, 'kev', '>', cpus=2, events=14, page=0, early=1, buffer=6, rollovers=1)
    yield 'ours with losses', generate.make(14, 'own', '<', cpus=2, events=24, chunk=8, loss=1, refuse=1)


def compare_cut(trace, at, lines):
    if at >= trace.start:
        return compare_all(trace, lines, at)
    expect(not delivered(trace, lines), 'events in front of the slots')
    expect(at == 0 or at == trace.head_len or damaged(trace, lines), 'nothing told of a cut header')


def cuts(events):
    """Yields (name, trace, chunk, the lines of each cut)."""
    for name, trace in small_files():
        for chunk in (4096, 5):
            out = {}
            check('cuts ' + name, lambda: out.update(sections(run(events, trace, '--cuts', '--chunk=%d' % chunk))))
            yield name, trace, chunk, out


def check_cuts(events):
    for name, trace, chunk, out in cuts(events):
        for at, lines in out.items():
            check('cut %s at %d, slots from %d, chunk %d' % (name, at, trace.start, chunk), compare_cut, trace, at, lines)


PLAIN = {b'FILE_NAME', b'DATE', b'ENCODING', b'BOOT_DATE', b'CYCLES_PER_SEC', b'SYSNAME', b'NODENAME', b'SYS_VERSION', b'MACHINE',
         b'TRACELOGGER_ARGS', b'BUILD_ID'}


def compare_flip_header(trace, at, lines):
    """A value without meaning for slots changes none; otherwise all is unchanged, or damage is reported."""
    _, _, key, value = next(s for s in trace.spans if s[0] <= at < s[1])
    want = [l for l in trace.expected()[0] if l[0] == 'E']
    if key in PLAIN and value:
        compare_events(want, delivered(trace, lines))
    elif key not in (b'SYSPAGE_LEN', b'WALLFLY'):
        expect(damaged(trace, lines) or delivered(trace, lines) == want, 'header changed, nothing told')


def fields(trace, data, at):
    head, _, _, _ = struct.unpack_from(trace.order + '4I', data, at)
    return head, head >> 10 & 31, head & 1023, head >> 24 & 63, head >> 30


def doubtful(trace, head, cls, event, core, shape):
    """Returns true if a reader may reject this as a slot."""
    unused = 7 << 15 if cls == RECORD and shape in (SIMPLE, LAST) and trace.kind == 'own' else 0
    itself = cls == CONTROL or cls == OWN and trace.kind == 'own'
    return bool(head & 0xFF8000 & ~unused or core >= trace.switches['cpus'] or
                itself and (shape != SIMPLE or event not in (1, 2, 3, 4, 8)) or cls == EMPTY)


def flip_ticks(trace, read, place, old, new):
    """Until the next TIME of a CPU, a changed stamp, TIME or core may give wrong times."""
    cores = set(range(64)) if trace.clock == 'global' else {old[3], new[3]}
    itself = any(f[1] in (CONTROL, OWN) and f[2] != TIME or f[1] == OWN for f in (old, new)) and trace.kind == 'own'
    times = [s for s in read.slots if (s[0] >> 10 & 31, s[0] & 1023, s[0] >> 30) == (CONTROL, TIME, SIMPLE) and s[4] > place]
    until, first = {}, {}
    for s in times:
        until.setdefault(s[0] >> 24 & 63, s[4])
    for s in read.slots:
        if (s[0] >> 10 & 31, s[0] & 1023) == (CONTROL, TIME):
            first.setdefault(s[0] >> 24 & 63, s[4])
    timing = any((f[1], f[2]) == (CONTROL, TIME) for f in (old, new))

    def how(n):
        line, ats = read.events[n]
        core = int(line.split()[2])
        if core not in cores:
            return 'exact'
        after = place <= ats[0] < until.get(core, 1 << 60)
        early = timing and (core not in first or ats[0] < max(first[core], until.get(core, 0)) and ats[0] < place)
        if timing and core not in first:
            return 'free'
        return ('free' if itself else 'low') if after or early else 'exact'
    return how


def compare_flip_slot(trace, at, mask, lines):
    place = trace.start + (at - trace.start) // 16 * 16
    data = bytearray(trace.data)
    old = fields(trace, data, place)
    data[at] ^= mask
    new = fields(trace, data, place)
    got_e, got_d = delivered(trace, lines), damaged(trace, lines)
    touched = trace.slots[(place - trace.start) // 16].of
    free = [(place, place + 16)]
    inside = new[1] in (CONTROL, OWN) and trace.kind == 'own' and touched
    if inside:  # an event lies within one chunk: an apparent new one may end it
        free.append((touched.slots[0].at, touched.slots[-1].at + 16))
    readings = [()]
    if doubtful(trace, *new):
        readings.append((place,))
    if inside:
        readings += [tuple(s.at for s in touched.slots), tuple(s.at for s in touched.slots) + (place,)]
    wrong = None
    for left_out in readings:
        read = model.Read(bytes(data), trace.order, trace.start, trace.clock, trace.kind == 'own', left_out)
        read.rest = (len(trace.data) - trace.start) % 16
        try:
            compare_events(read.lines(), got_e, flip_ticks(trace, read, place, old, new))
            compare_damage(damaged(trace, read.damage()), got_d, free)
            expect(not left_out or any(a <= d[0] < b for d in got_d for a, b in free), 'a slot left out in silence')
            break
        except Wrong as e:
            wrong = wrong or e
    else:
        raise wrong
    # Without the second reading: all untouched events are there.
    have = Counter(l.split(' ', 2)[2] for l in got_e)
    for e in {s.of for s in trace.slots if s.of and s.of is not touched}:
        if all(s.at is not None for s in e.slots):
            line = event_line(trace.order, e).split(' ', 2)[2]
            expect(have[line], 'an event that was not touched is missing:', line)


def flips(events):
    """Yields (name, trace, mask, the lines of each flip)."""
    for name, trace in small_files():
        if name == 'ours with losses':
            continue  # a loss there hides the effect of a flip
        for mask in (0xFF, 0x01, 0x40) if '<' in name else (0x80, 0x04):
            out = {}
            check('flips ' + name, lambda: out.update(sections(run(events, trace, '--flips=%d' % mask))))
            yield name, trace, mask, out


def check_flips(events):
    for name, trace, mask, out in flips(events):
        for at, lines in out.items():
            where = 'flip %s at %d ^ %02x, slots from %d' % (name, at, mask, trace.start)
            if at < trace.head_len:
                check(where, compare_flip_header, trace, at, lines)
            elif at < trace.start or at >= trace.start + 16 * len(trace.slots):
                check(where, compare_all, trace, lines)
            else:
                check(where, compare_flip_slot, trace, at, mask, lines)


def check_reads(events):
    """Every cut and flip is read to its end."""
    for name, trace, how, out in itertools.chain(cuts(events), flips(events)):
        check('reads %s, %s' % (name, how), expect, len(out) >= len(trace.data), len(out), 'of', len(trace.data))


def main():
    checks = {'model': check_model, 'whole': check_whole, 'cuts': check_cuts, 'flips': check_flips,
              'reads': check_reads}
    if len(sys.argv) < 2 or set(sys.argv[2:]) - set(checks):
        raise SystemExit('usage: compare.py EVENTS [%s]...' % '|'.join(checks))
    for name in sys.argv[2:] or list(checks)[:4]:
        before = len(failures)
        checks[name](sys.argv[1])
        print('%s: %d failed' % (name, len(failures) - before))
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
