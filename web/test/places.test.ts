// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitOf, rowsOfFigure, ticksOf, wayOf } from '../src/places'
import type { Hello } from '../src/protocol'
import { firstOf, kinds, placeOf } from '../src/statistics'
import type { View } from '../src/view'

const hello = (hz: number, t0: string | null) => ({ hz, t0 }) as Hello

test('places become ticks', () => {
  assert.deepEqual(ticksOf([600_000, 1_100_000], 'ns', hello(1_000_000, '400')), [600, 1100])
  assert.deepEqual(ticksOf([23.81, 5952380.952], 'ns', hello(168_000_000, '0')), [4, 1_000_000])
  assert.deepEqual(ticksOf([10, 30], 'ticks', hello(0, '60')), [10, 30])
  assert.deepEqual(ticksOf([7, 9], 'ticks', hello(0, null)), [7, 9])
})

test('the slice that shares most with an interval fits best', () => {
  assert.equal(fitOf([10, 20], 10, 20), 1)
  assert.equal(fitOf([10, 10], 10, 10), 1)
  assert.ok(fitOf([10, 20], 10, 15) > fitOf([10, 20], 10, 12))
  assert.equal(fitOf([10, 20], 20, 30), 0)
  assert.ok(fitOf([10, 20], 15, 15) > 0) // a moment in it
  assert.equal(fitOf([10, 20], 25, 25), 0)
})

test('every kind of figures that has intervals leads somewhere', () => {
  for (const { name } of kinds) assert.equal(wayOf(name, 'any') !== undefined, name !== 'core', name)
})

test('rows are found by key, ended tasks of one name by that, interrupts by core', () => {
  const thing = (kind: string, name: string, key: string) => ({ kind, name, key, sub: '', prio: null })
  const row = (kind: string, of: number, core = -1) => ({ kind, thing: of, name: '', core, tracks: [] })
  const view = {
    things: [thing('special', '', ''), thing('task', 'child', '0x20'), thing('task', 'child', '0x30'), thing('task', 'other', '0x40'),
      thing('irq', '15', '0xf')],
    rows: [row('task', 1), row('task', 2), row('task', 3), row('irq', 4, 0), row('irq', 4, 1), row('core', 0, 0)]
  } as unknown as View
  assert.deepEqual(rowsOfFigure(view, 'task', 'run', { marked: false, name: 'child', key: '0x00000020' }), [0, 1])
  assert.deepEqual(rowsOfFigure(view, 'hold', 'hold', { marked: false, task: 'other', key: '0x99' }), [2])
  assert.deepEqual(rowsOfFigure(view, 'interrupt', 'duration', { marked: false, name: '15', key: '0xF', core: 1 }), [4])
  assert.deepEqual(rowsOfFigure(view, 'object', 'wait', { marked: false, name: 'q', key: '0x99' }), [0, 1, 2])
})

test('minimum, maximum and the first of a count have places', () => {
  const spread = { count: 1, min: 1, mean: 1, max: 1, min_at: [1, 2] as [number, number], max_at: null }
  assert.deepEqual(placeOf(spread, 'min'), [1, 2])
  assert.equal(placeOf(spread, 'max'), null)
  assert.equal(placeOf(spread, 'p50'), null)
  assert.deepEqual(firstOf({ marked: false, gave_up: 1, gave_up_at: [3, 4] }, 'gave_up'), [3, 4])
  assert.equal(firstOf({ marked: false, gave_up: 0 }, 'gave_up'), null)
})
