// SPDX-License-Identifier: MIT
// Bars of a distribution: all values, in order, bounded by their classes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf, placeOf } from '../src/distribution'
import type { ValueClass } from '../src/distribution'

test('bars have all values once, in order', () => {
  const classes = Array.from({ length: 500 }, (_, i): ValueClass => [i * i, i * i + i, i + 1])
  for (const log of [false, true]) {
    const bars = barsOf(classes, 48, log)
    assert.equal(bars.reduce((sum, bar) => sum + bar.count, 0), classes.reduce((sum, [, , count]) => sum + count, 0))
    assert.equal(bars[0].low, 0)
    assert.equal(bars[bars.length - 1].high, 499 * 500)
    bars.forEach((bar, i) => assert.ok(bar.low <= bar.high && (i === 0 || (bar.low > bars[i - 1].high && bar.left >= bars[i - 1].right))))
  }
})

test('one value and no value', () => {
  assert.deepEqual(barsOf([], 48, true), [])
  assert.deepEqual(barsOf([[7, 7, 3]], 48, true).map(bar => [bar.low, bar.high, bar.count]), [[7, 7, 3]])
  assert.equal(placeOf(5, 5, 5, false), 0.5)
})

test('places are within the axis', () => {
  assert.equal(placeOf(0, 0, 1000, true), 0)
  assert.equal(placeOf(1000, 0, 1000, true), 1)
  assert.equal(placeOf(2000, 0, 1000, false), 1)
  assert.equal(placeOf(250, 0, 1000, false), 0.25)
})
