# SPDX-License-Identifier: MIT
# A second, slow reading of slot traces by the letter of the notes on QNX (sections 2, 3, 4) and of docs/slots.md. It
# checks the generator, and shows the readable part of a damaged file.
import re, struct

from slots import *

def parse_header(data):
    """(attributes, where the slots begin)"""
    begin = data.index(b'TRACE_HEADER_BEGIN::', 0, 128)
    end = data.index(b'TRACE_HEADER_END::') + len(b'TRACE_HEADER_END::')
    parts = re.split(b'TRACE_', data[begin:end])[1:]
    attributes = dict(p.split(b'::', 1) for p in parts)
    return attributes, end + int(attributes.get(b'SYSPAGE_LEN', 0))


class Read:
    """Decoded by `order`, slots from `start` on; slots at `left_out` are not taken as slots."""

    def __init__(self, data, order, start, clock, own, left_out=()):
        self.order, self.clock, self.own = order, clock, own
        count = max(0, len(data) - start) // 16
        self.slots = [struct.unpack_from(order + '4I', data, start + 16 * i) + (start + 16 * i,) for i in range(count)]
        self.slots = [s for s in self.slots if s[4] not in left_out]
        self.data = data
        self.events, self.no_first, self.no_last, self.too_long = [], [], [], []
        self.first_times()
        self.walk()
        self.rest = len(data) - start - 16 * count

    def cores(self, core):
        return range(64) if self.clock == 'global' else (core,)

    def first_times(self):
        """Rule 4: slots before the first TIME of a CPU get its time."""
        self.high, self.last, self.first = {}, {}, {}
        for head, _, w0, w1, at in self.slots:
            if (head >> 10 & 31, head & 1023, head >> 30) == (CONTROL, TIME, SIMPLE):
                for core in self.cores(head >> 24 & 63):
                    self.first.setdefault(core, (w0, w1, at))

    def full(self, core, x):
        """Rule 3."""
        if core not in self.high:
            if core not in self.first:
                return None
            high, low, _ = self.first[core]
            return ((high - (x > low and x - low > 1 << 31)) << 32 | x) & (1 << 64) - 1
        if x < self.last[core] and self.last[core] - x > 1 << 31:
            self.high[core] = self.high[core] + 1 & M32
        self.last[core] = x
        return self.high[core] << 32 | x

    def walk(self):
        open_, offset = {}, {}
        for head, x, w0, w1, at in self.slots:
            event, cls, core, shape = head & 1023, head >> 10 & 31, head >> 24 & 63, head >> 30
            if cls == CONTROL and shape == SIMPLE:
                if event == TIME:
                    for c in self.cores(core):
                        self.high[c], self.last[c] = w0, w1
                if event == BUFFER and self.own:
                    offset[core] = 0
                continue
            if self.own and cls == OWN and shape == SIMPLE:
                if event == OFFSET:
                    offset[core] = w0 | w1 << 32
                continue
            if cls == EMPTY:
                continue
            key, raw = (core, cls, event, x), self.data[at + 8:at + 16]
            if shape in (SIMPLE, FIRST):
                tick = self.full(core, x)
                if tick is not None:
                    tick = tick + offset.get(core, 0) & (1 << 64) - 1
                one = {'key': key, 'tick': tick, 'raw': raw, 'at': [at], 'head': head}
            if shape == SIMPLE:
                self.deliver(one, head)
            elif shape == FIRST:
                if key in open_:
                    self.no_last.append(open_[key])
                open_[key] = one
            elif key not in open_:
                self.no_first.append(at)
            else:
                one = open_[key]
                one['raw'] += raw
                one['at'].append(at)
                if shape == LAST:
                    self.deliver(open_.pop(key), head)
        self.no_last += open_.values()

    def deliver(self, one, head):
        if len(one['raw']) > 4 * WORDS_MAX:
            self.too_long.append(one['at'][0])
            return
        core, cls, event, _ = one['key']
        used = len(one['raw']) - ((head >> 15 & 7) if self.own and cls == RECORD else 0)
        words = struct.unpack('%s%dI' % (self.order, len(one['raw']) // 4), one['raw'])
        tick = '?' if one['tick'] is None else one['tick']
        line = 'E %s %d %d %d %s =%s' % (tick, core, cls, event, ' '.join('%08x' % w for w in words), one['raw'][:used].hex())
        self.events.append((line, one['at']))

    def lines(self):
        return [line for line, _ in self.events]

    def damage(self):
        out = [(at, 'D no_first %d 16' % at) for at in self.no_first]
        out += [(o['at'][0], 'D no_last %d %d' % (o['at'][0], 16 * len(o['at']))) for o in self.no_last]
        out += [(at, 'D too_long %d ?' % at) for at in self.too_long]
        if self.rest > 0:
            at = len(self.data) - self.rest
            out.append((at, 'D cut %d %d' % (at, self.rest)))
        return [line for _, line in sorted(out)]


def read(trace):
    attributes, start = parse_header(trace.data)
    assert start == trace.start, (start, trace.start)
    order = '<' if attributes.get(b'LITTLE_ENDIAN') == b'TRUE' else '>'
    return Read(trace.data, order, start, trace.clock, trace.kind == 'own')
