// SPDX-License-Identifier: MIT
// The report of two time lines: corresponding times, and the order of changes.
import assert from 'node:assert/strict'
import test from 'node:test'
import { nextChange } from '../src/report/report'
import { across } from '../src/report/scale'

test('times correspond at one place, and from there on by the clocks', () => {
  const scale = { at: [1000, 5000] as [number, number], hz: [1e6, 4e6] as [number, number] }
  assert.equal(across(scale, 0, 1000), 5000)
  assert.equal(across(scale, 0, 1100), 5400)
  assert.equal(across(scale, 0, 0), 1000)
  assert.equal(across(scale, 1, 5400), 1100)
  assert.equal(across({ at: [0, 7], hz: [1e6, 0] }, 0, 5), 12)
})

test('next and previous go to changes that have a place, and around', () => {
  const here = { from: 1, until: 2 }
  const changes = [{ at: [null, null] }, { at: [here, null] }, { at: [null, null] }, { at: [here, here] }] as const
  const from = (at: number, way: 1 | -1) => nextChange(changes, at, way)
  assert.deepEqual([from(-1, 1), from(1, 1), from(3, 1), from(3, -1), from(1, -1), from(0, -1)], [1, 3, 1, 1, 3, 3])
  assert.equal(nextChange([{ at: [null, null] }], -1, 1), -1)
  assert.equal(nextChange([], -1, 1), -1)
})
