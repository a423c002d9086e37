// SPDX-License-Identifier: MIT
// Descriptions of pieces.
import assert from 'node:assert/strict'
import test from 'node:test'
import { PIECE_END_CUT, PIECE_OPEN } from '../src/protocol'
import type { Row, Status, Thing, TrackKind } from '../src/protocol'
import type { Piece } from '../src/sheet'
import type { View } from '../src/view'
import { cutWords, lossWords, missingWords, pieceWords } from '../src/words'

const thing = (kind: Thing['kind'], name: string): Thing => ({ kind, name, key: '', sub: '', prio: null })
const things = [thing('special', ''), thing('special', ''), thing('task', 'keys'), thing('object', 'display'),
                thing('text', 'REPLY'), thing('task', 'a\u202eb\nc'), thing('raise', '?, raised by high for printer')]
const view = { things, hello: { records: ['none', 'start'], groups: ['SM', 'AO', 'MUT'] } } as unknown as View
const row: Row = { kind: 'task', thing: 2, name: 'keys', core: -1, tracks: [] }

function words(kind: TrackKind, value: number, more = 0, rest: Partial<Piece> = {}): string {
  const piece = { begin: 0, end: 10, share: 1, value, min: value, max: value, count: 1, more, flags: 0, ...rest }
  return pieceWords(view, row, kind, piece).replace(/\u202f/g, ' ')
}

test('one slice says what it is', () => {
  assert.equal(words('states', 2, 1), 'running on core 1')
  assert.equal(words('states', 3, 3), 'blocked, waits for display')
  assert.equal(words('states', 3, 4), 'blocked: REPLY')
  assert.equal(words('states', 3), 'blocked')
  assert.equal(words('states', 77), 'unknown')
  assert.equal(words('runs', 1), 'idle')
  assert.equal(words('holds', 3), 'holds display')
  assert.equal(words('steps', 2, 1), 'handles keys, with a transition')
  assert.equal(words('marks', 1), 'start')
  assert.equal(words('priority', 4), 'priority 4')
  assert.equal(words('priority', 4, 6), 'raised to 4 by high for printer')
  assert.equal(words('level', 96), '96 bytes never used')
  assert.equal(words('irqs', 1), 'runs')
  assert.equal(words('irqs', 1, 2), 'runs, on top of 2 more')
  assert.equal(words('filters', 5), 'filtered out: SM, MUT')
})

test('several say how many and what most of it is', () => {
  assert.equal(words('states', 3, 0, { count: 1234, share: 0.374 }), '1 234 slices, 37 % running, mostly blocked')
  assert.equal(words('states', 3, 0, { count: 9, share: 0 }), '9 slices, 0 % running, mostly blocked')
  assert.equal(words('runs', 1, 0, { count: 9, share: 1e-5 }), '9 slices, less than 1 % busy, mostly idle')
  assert.equal(words('runs', 5, 0, { count: 9, share: 0.9999 }), '9 slices, more than 99 % busy, mostly a\\u202eb\\x0ac')
  assert.equal(words('holds', 3, 0, { count: 2, share: 0.5 }), '2 slices, 50 % of the time, mostly display')
  assert.equal(words('machine', 4, 0, { count: 2 }), '2 slices, mostly REPLY')
  assert.equal(words('level', 3, 0, { count: 20, min: 1, max: 7 }), '20 values, 1 to 7 bytes never used')
  assert.equal(words('marks', 3, 0, { count: 20 }), '20 records')
})

test('a number says what it counts', () => {
  const level = (sub: string, count = 1) => {
    const own = { ...view, things: [{ ...thing('object', 'o'), sub }] } as unknown as View
    const piece = { begin: 0, end: 10, share: 1, value: 3, min: 1, max: 7, count, more: 0, flags: 0 }
    return pieceWords(own, { ...row, kind: 'object', thing: 0 }, 'level', piece)
  }
  assert.equal(pieceWords(view, { ...row, kind: 'counter' }, 'level',
    { begin: 0, end: 1, share: 1, value: -1234567, min: 0, max: 0, count: 1, more: 0, flags: 0 }), '-1.235M')
  assert.deepEqual(['mutex', 'queue', 'active object', 'pool', 'heap', '', 'constructor'].map(sub => level(sub)),
                   ['3 waiting', '3 in it', '3 free', '3 free', '3 never used', '3', '3'])
  assert.equal(level('pool', 20), '20 values, 1 to 7 free')
})

test('holes say what is known of them', () => {
  assert.equal(lossWords(1, true), '1 record is missing')
  assert.equal(lossWords(12, false), 'at least 12 records are missing')
  assert.equal(lossWords(0, false), 'records may be missing, it is not known how many')
})

test('what is not certain is told, names stay on their line', () => {
  const piece = { begin: 0, end: 1, share: 1, value: 0, min: 0, max: 0, count: 1, more: 0, flags: 0 }
  assert.equal(cutWords({ ...piece, flags: PIECE_END_CUT | PIECE_OPEN }), 'may have continued, has not ended')
  assert.equal(cutWords(piece), '')
  assert.equal(words('runs', 5), 'a\\u202eb\\x0ac runs')
})

test('what is missing of a trace: nothing is said that is not known', () => {
  const say = (missing: number, exact: boolean, bad: number, holes: boolean) => {
    const { text, good } = missingWords({ missing, exact, bad } as Status, holes)
    return (good ? '+ ' : '- ') + text.replace(/\u202f/g, ' ')
  }
  assert.equal(say(0, true, 0, false), '+ nothing missing')
  assert.equal(say(0, false, 0, false), '+ nothing seen missing')
  const of = missingWords({ missing: 0, exact: false, bad: 0 } as Status, false, { title: 'Best\u202e', lacks: [] })
  assert.equal(of.title, 'Best\\u202e records no loss in this trace')
  assert.equal(say(0, true, 0, true), '- some may be missing')
  assert.equal(say(0, false, 0, true), '- some may be missing')
  assert.equal(say(0, true, 9, true), '- 9 bytes damaged')
  assert.equal(say(0, false, 1, true), '- some may be missing, 1 byte damaged')
  assert.equal(say(1234, true, 0, true), '- 1 234 missing, located')
  assert.equal(say(5, false, 220, true), '- at least 5 missing, 220 bytes damaged')
})
