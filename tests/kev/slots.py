# SPDX-License-Identifier: MIT
# Slot files as generated: slots with their event, the header, the bytes, and the expected output of a reader, for whole
# and truncated files. Nothing here reads a file.
import struct

SIMPLE, FIRST, MIDDLE, LAST = range(4)
EMPTY, CONTROL, RECORD, OWN = 0, 1, 24, 25
TIME, BUFFER, BUFFER_END, DROPPED = 1, 2, 4, 8
MADE, REFUSED, GONE, OFFSET = 1, 2, 3, 4
M32 = 0xFFFFFFFF
WORDS_MAX = 2048  # of one delivered event


class Event:
    """One event; `raw` are its words in memory order, `used` of those bytes count."""

    def __init__(self, core, cls, event, full, raw, used=None, offset=0, flags=0):
        self.core, self.cls, self.event, self.full, self.offset, self.flags = core, cls, event, full, offset, flags
        self.raw = raw + bytes(-len(raw) % 8) or bytes(8)
        self.used = len(self.raw) if used is None else used
        count = len(self.raw) // 8
        shape = [SIMPLE] if count == 1 else [FIRST] + [MIDDLE] * (count - 2) + [LAST]
        self.slots = [Slot(core, cls, event, full, self.raw[8 * i:8 * i + 8], s, self, flags) for i, s in enumerate(shape)]
        if cls == RECORD:
            self.slots[-1].flags |= (len(self.raw) - self.used) << 15

    def tick(self):
        return (self.full + self.offset) & (1 << 64) - 1


class Slot:
    def __init__(self, core, cls, event, full, raw, shape=SIMPLE, of=None, flags=0):
        self.core, self.cls, self.event, self.full, self.raw = core, cls, event, full, raw
        self.shape, self.of, self.flags = shape, of, flags
        self.loss = None  # (core, events, exact, slots, refused, chunks) is known when this is read
        self.at = None

    def pack(self, order):
        head = self.event | self.cls << 10 | self.flags | self.core << 24 | self.shape << 30
        return struct.pack(order + 'II', head, self.full & M32) + self.raw

    def is_time(self):
        return (self.cls, self.event) == (CONTROL, TIME)


def pair(order, a, b):
    return struct.pack(order + 'II', a & M32, b & M32)


def pair64(order, n):
    """A 64-bit number of wallfly's own slots: low word first in either byte order."""
    return pair(order, n, n >> 32)


class Trace:
    """A file: `attributes` are (key, value) with HEADER_BEGIN and HEADER_END, `slots` its slots."""

    def __init__(self, order, attributes, page, slots, lead=b'', clock='percpu', tail=b'', losses='each'):
        self.order, self.attributes, self.page, self.slots, self.clock = order, attributes, page, slots, clock
        self.tail, self.lead = tail, lead
        self.losses = losses  # known losses: each, the sum of buffers, or open
        self.spans = []  # (from, to, key, is it the value) of the header's text
        text = lead
        for key, value in attributes:
            at = len(text)
            text += b'TRACE_' + key + b'::'
            self.spans += [(at, len(text), key, False), (len(text), len(text) + len(value), key, True)]
            text += value
        self.head_len = len(text)
        self.start = len(text) + len(page)
        for i, slot in enumerate(slots):
            slot.at = self.start + 16 * i
        self.data = text + page + b''.join(s.pack(order) for s in slots) + tail

    def first_times(self, slots):
        first = {}
        for slot in slots:
            if slot.is_time():
                first.setdefault(slot.core, slot.at)
        if self.clock == 'global' and first:
            return dict.fromkeys(range(64), min(first.values()))
        return first

    def expected(self, cut=None):
        """Returns the lines for the first `cut` bytes. A ? marks items that the reference leaves open."""
        cut = len(self.data) if cut is None else cut
        slots = self.slots[:max(0, cut - self.start) // 16]
        times = self.first_times(slots)
        here = {}
        for slot in slots:
            if slot.of and slot.cls != EMPTY:
                here.setdefault(id(slot.of), []).append(slot)
        lines, damage = [], []
        for slot in slots:
            if slot.loss:
                lines.append('L ' + ' '.join(map(str, slot.loss)))
            e = slot.of
            if not e:
                continue
            mine = here[id(e)]
            if len(e.raw) > 4 * WORDS_MAX:
                if slot is mine[0]:
                    damage.append((slot.at, 'D too_long %d ?' % slot.at))
            elif len(mine) == len(e.slots):
                if slot is e.slots[-1]:
                    lines.append(event_line(self.order, e, e.core in times))
            elif mine[0] is not e.slots[0]:
                damage.append((slot.at, 'D no_first %d 16' % slot.at))
            elif slot is mine[0]:
                assert e.slots[:len(mine)] == mine, 'a chain without a part in the middle'
                damage.append((slot.at, 'D no_last %d %d' % (slot.at, 16 * len(mine))))
        rest = cut - self.start - 16 * len(slots)
        if rest > 0:
            damage.append((cut - rest, 'D cut %d %d' % (cut - rest, rest)))
        return lines, [line for _, line in sorted(damage)]


def event_line(order, e, timed=True):
    words = struct.unpack('%s%dI' % (order, len(e.raw) // 4), e.raw)
    return 'E %s %d %d %d %s =%s' % (e.tick() if timed else '?', e.core, e.cls, e.event, ' '.join('%08x' % w for w in words),
                                    e.raw[:e.used].hex())


def merged(lines):
    """Events of all cores in the order of time: by tick; equal ticks by core; otherwise as in the file."""
    events = [line.split(' ', 3) for line in lines if line.startswith('E') and not line.startswith('E ?')]
    return [' '.join(f) for f in sorted(events, key=lambda f: (int(f[1]), int(f[2])))]
