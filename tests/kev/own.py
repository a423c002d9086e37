# SPDX-License-Identifier: MIT
# Slot files as made by wallfly's slot recorder (docs/slots.md), with exactly known losses: dropped chunks, an
# overwritten end of a chunk, refused events, missing pieces of the file.
import struct

from slots import *


class Core:
    """The ring of one core, as chunks; then the part of them that reached the file."""

    def __init__(self, rng, order, index, sw):
        self.rng, self.order, self.index, self.sw = rng, order, index, sw
        self.now = (sw['high'] << 32) + rng.randrange(1 << 32)
        self.offset = rng.choice([0, 5, -7, -(1 << 33), 1 << 40]) if sw['offsets'] else 0
        self.made = sw['before'] * rng.randrange(1, 1 << 36)
        self.refused = 0
        self.number = sw['before'] and rng.randrange(1, 1 << 20)
        self.chunk, self.chunks, self.told = [], [], None
        self.mean = max(8, (sw['rollovers'] << 32) // sw['events'])

    def own(self, event, n):
        return Slot(self.index, OWN, event, self.now, pair64(self.order, n))

    def time(self):
        self.told = self.now >> 32
        return Slot(self.index, CONTROL, TIME, self.now, pair(self.order, self.told, self.now))

    def begin(self):
        buffer = Slot(self.index, CONTROL, BUFFER, self.now, pair(self.order, self.number, self.sw['chunk']))
        self.chunk = [buffer, self.time(), self.own(MADE, self.made), self.own(REFUSED, self.refused)]
        if self.offset:
            self.chunk.append(self.own(OFFSET, self.offset))
        self.chunks.append({'number': self.number, 'made': self.made, 'refused': self.refused, 'slots': self.chunk})
        self.number = self.number + 1 & M32

    def fill(self):
        while len(self.chunk) < self.sw['chunk']:
            time = self.rng.choice([0, self.now])
            self.chunk.append(Slot(self.index, EMPTY, 0, time, bytes(8)))

    def payload(self, room):
        r = self.rng
        if r.random() < .75:
            used = r.choice([1, 2, 7, 8, 9, 15, 16, 17, r.randrange(1, 8 * room + 1)])
            return RECORD, r.randrange(1024), bytes(r.getrandbits(8) for _ in range(min(used, 8 * room))), min(used, 8 * room)
        words = r.choice([2, 2, 3, min(5, 2 * room)])
        raw = struct.pack('%s%dI' % (self.order, words), *[r.getrandbits(32) for _ in range(words)])
        return r.choice([2, 3, 4, 6, 7]), r.randrange(1024), raw, None

    def add(self):
        self.now += self.rng.choice([0, 1, 9, self.rng.randrange(2 * self.mean)])  # also equal stamps
        if self.sw['refuse'] and self.rng.random() < .1:
            self.refused += self.rng.randrange(1, 50)
            if self.rng.random() < .5:
                return
        cls, event, raw, used = self.payload(min(12, self.sw['chunk'] - 6))
        need = max(1, (len(raw) + 7) // 8)
        wrap = self.chunk and self.now >> 32 != self.told
        if not self.chunk or len(self.chunk) + need + bool(wrap) > self.sw['chunk']:
            self.fill()
            if self.sw['offsets'] and self.rng.random() < .3 and self.chunk:
                # Measured again; stamps with it still do not go back.
                self.offset = 0 if self.offset < 0 else self.offset + self.rng.randrange(100)
            self.begin()
        elif wrap:
            self.chunk.append(self.time())
        made = Event(self.index, cls, event, self.now, raw, None, self.offset)
        if cls == RECORD:
            made = Event(self.index, cls, event, self.now, raw, used, self.offset)
        self.chunk += made.slots
        self.made += 1

    def pieces(self):
        """Returns the pieces that reach the file, and the expected loss before each."""
        out, delivered, known, gone, next_number = [], 0, None, 0, None
        hidden, i, chunk = False, 0, self.sw['chunk']
        first = self.chunks[0] if self.chunks else None
        if first and first['number'] and self.rng.random() < .5:
            gone = first['number'] * chunk
            out.append([Slot(self.index, OWN, GONE, first['slots'][0].full, pair64(self.order, gone))])
        while i < len(self.chunks):
            c = self.chunks[i]
            begins = known is None
            was = (0, 0) if begins else known
            missing = '?' if begins and c['number'] else (0 if begins else c['number'] - next_number)
            lost = c['made'] - was[0] - delivered
            slots = '?' if hidden or (begins and c['number'] and not gone) else gone
            loss = (self.index, lost, 1, slots, c['refused'] - was[1], missing)
            if lost or c['refused'] != was[1] or gone or missing not in (0, '?'):
                c['slots'][3].loss = loss
            known, delivered, gone, hidden, next_number = (c['made'], c['refused']), 0, 0, False, c['number'] + 1
            keep = chunk
            if self.sw['loss'] and i + 1 < len(self.chunks) and self.rng.random() < .35:
                kind = self.rng.choice(['end', 'whole', 'piece'])
                more = self.rng.randrange(0 if kind == 'end' else 1, 4)
                more = min(more, len(self.chunks) - i - 2)
                if kind == 'end':
                    keep = self.rng.randrange(4 + bool(c['slots'][4].event == OFFSET and c['slots'][4].cls == OWN), chunk)
                    gone = chunk - keep
                if kind == 'piece' and more > 0:
                    hidden = True
                elif more > 0:
                    gone += more * chunk
                i += max(0, more)
            piece = c['slots'][:keep]
            out.append(piece)
            whole = {id(s.of) for s in piece if s.of and s is s.of.slots[-1]}
            delivered = len(whole)
            if gone:
                out.append([Slot(self.index, OWN, GONE, piece[-1].full or c['slots'][0].full, pair64(self.order, gone))])
            i += 1
        if self.sw['ends_well']:
            was = known or (0, 0)
            end = [self.own(MADE, self.made), self.own(REFUSED, self.refused)]
            if self.made - was[0] - delivered or self.refused != was[1] or gone:
                end[1].loss = (self.index, self.made - was[0] - delivered, 1, gone, self.refused - was[1], 0)
            out.append(end)
        return out


def make(rng, order, sw, header):
    cores = [Core(rng, order, i, sw) for i in range(sw['cpus'])]
    for core in cores:
        for _ in range(sw['events']):
            core.add()
        core.fill()
    lists, slots = [core.pieces() for core in cores], []
    ends = [l.pop() for l in lists] if sw['ends_well'] else []
    while any(lists):
        slots += rng.choice([l for l in lists if l]).pop(0)
    for end in ends:
        slots += end
    attributes, page = header
    return Trace(order, attributes, page, slots, clock='global', tail=bytes(sw['tail']))
