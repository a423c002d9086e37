# SPDX-License-Identifier: MIT
# Kernel-event logs as written by a QNX kernel and its tracelogger: versions 6, 7 and 8.
import struct

from slots import *

HALF = 1 << 31
KERCALLS = [1, 2, 10, 11, 12, 14, 15, 20, 26, 35, 39, 46, 55, 65, 72, 80, 81, 84, 88, 90, 101]
NAMES = ['proc/boot/procnto', 'a', '', 'abc', 'abcd', 'usr/sbin/a longer name of a program', '\xb5-controller', 'x' * 127]


class Cpu:
    """Makes the slots of one CPU: its stamps grow, chains are interrupted, wraps are reported."""

    def __init__(self, rng, order, index, sw):
        self.rng, self.order, self.index, self.sw = rng, order, index, sw
        low = rng.choice([0x1000, 0x80000000, 0xFFFFF000]) if sw['rollovers'] else 0x1000
        self.now = (sw['high'] << 32 | low) + rng.randrange(99)
        if sw['skew']:  # independent clocks of CPUs
            self.now += index * 0x7123456789 * sw['skew']
        self.base = self.now
        self.told = self.now >> 32
        self.mean = max(40, (sw['rollovers'] << 32) // sw['events'])
        self.slots = []

    def numbers(self, count):
        return struct.pack('%s%dI' % (self.order, count),
                           *[self.rng.choice([0, 1, 7, 0xFFFFFFFF, self.rng.getrandbits(32)]) for _ in range(count)])

    def text(self):
        text = self.rng.choice(NAMES).encode('latin-1') + b'\0'
        return text + bytes(-len(text) % 4)

    def payload(self):
        """Returns class, event, bytes of one event, by section 6 of the notes on QNX."""
        r, n = self.rng, self.numbers
        big = self.sw['version'] >= 7 and r.random() < .2
        kinds = ['enter', 'exit', 'int', 'INT', 'handler', 'process', 'thread', 'vthread', 'system', 'comm', 'user', 'cuser',
                 'suser', 'strange', 'map']
        if self.sw['version'] >= 7:
            kinds += ['quip', 'sec', 'qvm', 'pmu']
        kind = r.choice(kinds)
        call = r.choice(KERCALLS)
        wide = 0x200 if big else 0
        if kind == 'enter': return 2, call | wide, n(r.randrange(0, 12))
        if kind == 'exit': return 2, call + 128 | wide, n(r.randrange(0, 20))
        if kind == 'int': return 2, call + 256 | wide, n(2)
        if kind == 'INT': return 3, r.choice([1, 2, 5 if big else 1, 7 if self.sw['version'] == 8 else 2]), n(2)
        if kind == 'handler': return r.choice([(3, 3, n(4)), (3, 4, n(2)), (3, 4, n(5))])
        if kind == 'process':
            k = r.randrange(1, 6)
            return 4, 64 * k, n(2) + (self.text() if k > 2 else b'')
        if kind in ('thread', 'vthread'):
            return 4, r.randrange(26) + (26 if kind == 'vthread' else 0), n(r.choice([2, 4, 5, 6]))
        if kind == 'system': return r.choice([(5, 2, n(2) + self.text()), (5, 9, n(2)), (5, 12, n(2) + self.text())])
        if kind == 'map':
            return 5, r.choice([6, 7]) | wide, n(1) + struct.pack(self.order + 'QQ', r.getrandbits(48), r.getrandbits(20)) + n(1)
        if kind == 'comm': return 7, r.randrange(12), n(r.choice([2, 2, 2, 10]))
        if kind == 'user': return 6, r.choice([0, 1023, r.randrange(1024)]), n(2)
        if kind == 'cuser': return 6, r.randrange(1024), n(r.randrange(3, 60))
        if kind == 'suser': return 6, r.randrange(1024), self.text()
        if kind == 'quip': return 8, r.randrange(1024), n(r.randrange(1, 5))
        if kind == 'sec': return 9, r.randrange(8), n(r.randrange(1, 5))
        if kind == 'qvm': return 10, r.randrange(8), n(r.randrange(1, 5))
        if kind == 'pmu': return 11, r.randrange(2), n(2)
        return r.choice([12, 17, 23, 24, 26, 31]), r.randrange(1024), n(r.randrange(1, 9))

    def advance(self, depth):
        """Returns the stamp of the next event, after a TIME where one is due."""
        was, r = self.now, self.rng
        if depth or r.random() < .2:
            self.now += r.randrange(4, 400)
        elif self.sw['gaps'] and r.random() < .03:
            self.now += (r.randrange(1, 9) << 32) + r.randrange(-HALF, HALF)
        elif self.sw['rollovers'] and r.random() < .04:
            self.now = max(self.now + 4, self.now | 0xFFFFFFF0)  # a wrap is near, inside of the following slots
        else:
            self.now += r.randrange(4, min(2 * self.mean, 1 << 30))
        if self.now >> 32 != self.told:
            self.told = self.now >> 32
            if not self.sw['few_times'] or self.now - was >= 1 << 30 or r.random() < .3:
                self.time()
                self.now += 1

    def time(self):
        if self.sw['clock'] == 'global' and self.index:
            return
        written = self.now - self.rng.randrange(min(4, (self.now & M32) + 1))
        self.slots.append(Slot(self.index, CONTROL, TIME, self.now, pair(self.order, written >> 32, written)))

    def emit(self, depth=0, cls=None, event=None, raw=None):
        self.advance(depth)
        if cls is None:
            cls, event, raw = self.payload()
        flags = 0x10000 if self.sw['version'] == 8 and cls == 6 else 0  # made by a process
        made = Event(self.index, cls, event, self.now, raw, flags=flags)
        for slot in made.slots:
            self.slots.append(slot)
            nested = self.sw['nested'] and depth < 3 and slot is not made.slots[-1]
            while nested and self.rng.random() < .15:
                self.emit(depth + 1)

    def run(self):
        for i in range(self.sw['events']):
            self.emit()
            if self.sw['long'] and i in (5, 9):
                self.emit(0, 6, 500 + i, self.numbers(2048 if self.sw['long'] < i else 2050))


class Border:
    """Cuts slots into buffers: BUFFER, TIME, slots, and BUFFER_END in version 8."""

    def __init__(self, rng, order, sw):
        self.rng, self.order, self.sw = rng, order, sw
        self.latest = {}

    def time(self, opener):
        now = self.latest.get(opener.core, 0) if opener.shape in (MIDDLE, LAST) else opener.full - self.rng.choice([0, 0, 2, 5])
        return Slot(opener.core, CONTROL, TIME, opener.full, pair(self.order, now >> 32, now))

    def buffers(self, slots, shared):
        made, at, number = [], 0, self.sw['first_number']
        while at < len(slots):
            part = slots[at:at + self.rng.randrange(6, 2 * self.sw['buffer'])]
            at += len(part)
            buffer, seen = [Slot(part[0].core, CONTROL, BUFFER, part[0].full, b'')], set()
            for slot in part:
                timed = not (self.sw['clock'] == 'global' and slot.core)
                if slot.core not in seen and timed:  # each CPU reports its time in each buffer
                    buffer.append(self.time(slot))
                seen.add(slot.core)
                buffer.append(slot)
                self.latest[slot.core] = max(slot.full, self.latest.get(slot.core, 0))
            if self.sw['version'] == 8:
                if self.rng.random() < .2:  # words without a known meaning
                    buffer.insert(2, Slot(slot.core, CONTROL, DROPPED, part[0].full, bytes(range(8))))
                end = pair(self.order, 0xE6E6E6E6, 0xE6E6E6E6)
                buffer.append(Slot(slot.core, CONTROL, BUFFER_END, self.latest[slot.core] + 1, end))
            made.append([number, buffer])
            number += 1
        return made


def spans(buffers):
    """For each buffer, the first and the last one that hold slots of its events."""
    homes = {}
    for i, (_, buffer) in enumerate(buffers):
        for slot in buffer:
            if slot.of:
                homes.setdefault(id(slot.of), []).append(i)
    reach = [[i, i] for i in range(len(buffers))]
    for home in homes.values():
        for i in set(home):
            reach[i] = [min(reach[i][0], home[0]), max(reach[i][1], home[-1])]
    return reach


def lose(rng, buffers):
    """Removes buffers; never the middle of a chain, whose loss cannot be detected."""
    reach = spans(buffers)
    kept, lost = [], 0
    for i, (number, buffer) in enumerate(buffers):
        inner = any(reach[j][0] < i < reach[j][1] for j in range(len(buffers)))
        if 0 < i < len(buffers) - 1 and not inner and rng.random() < .3:
            lost += 1
            continue
        if lost:
            buffer[0].loss = (buffer[0].core, '?', 0, '?', 0, lost)
        lost = 0
        kept.append([number, buffer])
    # A chain may have lost its middle with two adjacent buffers.
    for event in {id(s.of): s.of for _, b in buffers for s in b if s.of}.values():
        here = [s for _, b in kept for s in b if s.of is event]
        if here and here[0] is event.slots[0] and event.slots[:len(here)] != here:
            return buffers_without_loss(buffers)
    return kept


def buffers_without_loss(buffers):
    for _, buffer in buffers:
        buffer[0].loss = None
    return buffers


def disorder(rng, buffers, renumber):
    """Buffers written later with earlier stamps. `renumber`: their numbers are still in order."""
    reach = spans(buffers)
    i = 1
    while i + 1 < len(buffers):
        if reach[i] == [i, i] and reach[i + 1] == [i + 1, i + 1] and rng.random() < .5:
            a, b = buffers[i], buffers[i + 1]
            if renumber:
                a[0], b[0] = b[0], a[0]
            buffers[i], buffers[i + 1] = b, a
            i += 1
        i += 1


def begin_late(order, buffers):
    """The first buffer lost its beginning: a few slots come before a TIME defines their time."""
    first, second = buffers[0][1], buffers[1][1]
    times = [i for i, s in enumerate(first) if s.is_time()]
    until = times[1] if len(times) > 1 else len(first)
    anchor = (first + second)[until if len(times) > 1 else until + 1]
    high, low = struct.unpack(order + 'II', anchor.raw)
    keep = until
    while keep > 2 and until - keep < 12:
        slot = first[keep - 1]
        back = (slot.full & M32) > low and (slot.full & M32) - low > HALF
        if slot.cls != CONTROL and (high - back) << 32 | slot.full & M32 != slot.full:
            break
        keep -= 1
    del first[:keep]


def since(cpus, slot):
    return slot.full - cpus[slot.core].base


def put_together(rng, cpus, lists):
    """Puts the buffers of several CPUs together, nearly in the order of time."""
    out, lists = [], [list(l) for l in lists]
    while any(lists):
        alive = [l for l in lists if l]
        out.append(min(alive, key=lambda l: since(cpus, l[0][1][0]) + rng.randrange(5000)).pop(0))
    return out


def interlace(rng, cpus):
    """Puts the slots of several CPUs together, with small steps back."""
    out, queues = [], [list(reversed(c.slots)) for c in cpus]
    while any(queues):
        out.append(min((q for q in queues if q), key=lambda q: since(cpus, q[-1]) + rng.randrange(300)).pop())
    return out


def make(rng, order, sw, header):
    cpus = [Cpu(rng, order, i, sw) for i in range(sw['cpus'])]
    for cpu in cpus:
        cpu.run()
    shared = sw['shared'] and sw['cpus'] > 1
    lists = []
    for slots in [interlace(rng, cpus)] if shared else [c.slots for c in cpus]:
        buffers = Border(rng, order, sw).buffers(slots, shared)
        if sw['overrun']: buffers = lose(rng, buffers)
        if sw['disorder']: disorder(rng, buffers, not sw['late'])
        lists.append(buffers)
    if sw['early'] and not shared and len(lists[-1]) > 1: begin_late(order, lists[-1])
    if sw['disorder']:  # in their order, one CPU after the other in turn
        together = [b for i in range(max(map(len, lists))) for b in (l[i] for l in lists if i < len(l))]
    else:
        together = put_together(rng, cpus, [[b for b in l if b[1]] for l in lists])
    for number, buffer in together:
        for slot in buffer:
            if (slot.cls, slot.event) == (CONTROL, BUFFER):
                slot.raw = pair(order, number, len(buffer))
    slots = [s for _, buffer in together for s in buffer]
    if sw['zeros']:  # a log of a fixed size, not full
        slots += [Slot(0, EMPTY, 0, 0, bytes(8)) for _ in range(sw['zeros'])]
    attributes, page = header
    return Trace(order, attributes, page, slots, lead=sw['lead'], clock=sw['clock'], tail=bytes(sw['tail']),
                 losses='open' if sw['late'] else 'sum' if shared else 'each')
