// SPDX-License-Identifier: MIT
// The page must state nothing wrong: densities, priorities, missing records, an empty trace.

import { test } from 'node:test'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { addShare, density } from '../src/dense'
import { priorityText } from '../src/draw_priority'
import { saysNothing } from '../src/nothing'
import { missingOf } from '../src/missing'

test('a column is as dense as it is busy, and never solid for less than all', () => {
  equal(density(1), 1)
  equal(density(0.5), 0.5)
  ok(density(0.0001) <= 0.05 && density(0.0001) > 0)
  for (let a = 0.05; a < 1; a += 0.05) ok(density(a) < density(a + 0.04))
})

test('shares of columns add up to what was put in', () => {
  for (let seed = 1; seed < 200; seed++) {
    const shares = new Float32Array(40), from = (seed * 7.31) % 38, until = from + (seed * 0.173) % 5
    const touched: number[] = []
    addShare(shares, from, until, 0.5, i => touched.push(i))
    const want = 0.5 * (Math.min(until, 40) - from)
    ok(Math.abs(shares.reduce((a, b) => a + b, 0) - want) < 1e-4)
    deepEqual(touched, [...shares.keys()].filter(i => shares[i] > 0))
  }
})

test('a priority that is inherited has its own one beside it', () => {
  equal(priorityText(4, ''), '4')
  equal(priorityText(4, '1, raised by high for printer'), '4 (1)')
  equal(priorityText(4, '1, raised by high for printer', true), '4 (1, raised by high for printer)')
})

test('what is missing is said once, and does not contradict itself', () => {
  equal(missingOf(0, 0, []), '')
  equal(missingOf(0, 0, [{ missing: 0 }]), ', it is not known how many records are missing')
  equal(missingOf(3, 3, [{ missing: 3 }]), ', 3 missing records')
  equal(missingOf(2, 3, [{ missing: 2 }]), ', 2 of 3 missing records')
  equal(missingOf(1, 1, [{ missing: 1 }, { missing: 0 }]), ', 1 missing record, and some of which it is not known how many')
})

test('that there is nothing is said when all is read and asked for', () => {
  const of = (records: number, progress: [number, number] | null, rev: number, rows: unknown[]) =>
    saysNothing({ status: { records, progress, rev: 5 }, rev, rows } as never)
  equal(of(9, null, 5, []), true)
  equal(of(9, [1, 2], 5, []), false)
  equal(of(9, null, -1, []), false)
  equal(of(0, null, 5, []), false)
  equal(of(9, null, 5, [{}]), false)
})
