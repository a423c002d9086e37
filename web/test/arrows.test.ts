// SPDX-License-Identifier: MIT
// The arrow under the pointer, and its description.
import assert from 'node:assert/strict'
import test from 'node:test'
import { arrowsMost } from '../src/draw_arrows'
import { arrowAt, arrowLine } from '../src/arrow_lines'
import type { Arrow, ArrowKind } from '../src/protocol'
import type { View } from '../src/view'
import { arrowTimes, arrowWords } from '../src/words'

const places = new Map([[0, 100], [1, 200], [2, 300]]) // the middles of rows
const x = (t: number) => t * 2
const down: Arrow = ['post', 10, 60, 0, 1, 3] // from 20|106 to 120|194
const up: Arrow = ['wake', 100, 100, 2, 1, 0] // vertical at x 200
const arc: Arrow = ['give', 200, 300, 2, 2, 3] // from 400 to 600, up to 10.5 above 300
const tiny: Arrow = ['post', 200, 201, 0, 0, 3]
const all = [down, up, arc, tiny, ['post', 10, 60, 0, 9, 3] as Arrow]
const at = (px: number, py: number) => arrowAt(all, places, x, px, py)

test('an arrow is found along its line, a few pixels to its side, and nowhere else', () => {
  assert.equal(at(70, 150), down)
  assert.equal(at(20, 106), down)
  assert.equal(at(72, 150), down)
  assert.equal(at(76, 150), null)
  assert.equal(at(20, 101), null, 'before it begins')
  assert.equal(at(202, 250), up)
  assert.equal(at(206, 250), null)
  assert.equal(at(200, 300), null)
})

test('an arc is found where it is drawn', () => {
  assert.equal(at(500, 289), arc)
  assert.equal(at(500, 300), null, 'below it')
  assert.equal(at(400, 300), arc)
  assert.equal(arrowLine(tiny, places, x), null, 'no room for it')
})

test('of two the nearest is taken', () => {
  const other: Arrow = ['preempt', 101, 101, 1, 2, 0] // vertical at x 202
  assert.equal(arrowAt([up, other], places, x, 201.8, 250), other)
  assert.equal(arrowAt([up, other], places, x, 200.2, 250), up)
})

const view = {
  rows: [{ name: 'idle\u202ex', kind: 'task' }, { name: 'table', kind: 'machine' }, { name: '', kind: 'irq' }],
  things: [{ name: '' }, { name: '' }, { name: '' }, { name: 'EAT', kind: 'signal' }]
} as unknown as View

test('it says what it is', () => {
  const said = (kind: ArrowKind, from: number, to: number, thing: number) => arrowWords(view, [kind, 1, 2, from, to, thing])
  assert.deepEqual(said('preempt', 0, 1, 0), ['table preempts idle\\u202ex', 'preemption'])
  assert.deepEqual(said('post', 0, 1, 3), ['EAT from idle\\u202ex to table', 'post to get'])
  assert.deepEqual(said('post', 1, 1, 3), ['EAT within table', 'post to get'])
  assert.deepEqual(said('give', 2, 1, 0), ['something from irq to table', 'give to take'])
  assert.deepEqual(said('wake', 2, 1, 0), ['irq wakes table', 'wake-up, and when it runs'])
  for (const kind of ['preempt', 'post', 'give', 'wake'] as const) assert.equal(new Set(arrowTimes[kind]).size, 3)
})

test('as many arrows as can be told apart', () => {
  assert.deepEqual([0, 200, 390, 1200, 4000].map(arrowsMost), [0, 66, 130, 400, 400])
})
