// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import test from 'node:test'
import { barParts, lookOf, partsOf } from '../src/explain'
import type { Cause, Explained } from '../src/explain'

const job = { parts: [[10, 0], [20, 1], [21, 0]], parts_until: 40 } as unknown as Explained

test('parts have their ends', () => {
  assert.deepEqual(partsOf(job), [{ from: 10, to: 20, cause: 0 }, { from: 20, to: 21, cause: 1 }, { from: 21, to: 40, cause: 0 }])
})

test('a bar joins parts shorter than a pixel, and has all of the time', () => {
  assert.deepEqual(barParts(partsOf(job), 30).length, 3)
  const many = Array.from({ length: 10000 }, (_, i) => ({ from: i, to: i + 1, cause: i % 3 }))
  const bar = barParts([...many, { from: 10000, to: 20000, cause: 7 }], 100)
  assert.ok(bar.length <= 102, String(bar.length))
  assert.equal(bar[bar.length - 1].cause, 7)
  bar.forEach((part, i) => assert.equal(part.from, i ? bar[i - 1].to : 0))
  assert.equal(bar[bar.length - 1].to, 20000)
  assert.deepEqual(barParts([], 100), [])
})

test('causes are told apart by more than colour', () => {
  const look = (cause: string, blocks = 0) => lookOf({ cause, blocks: Array(blocks).fill({}) } as unknown as Cause)
  assert.deepEqual([look('execution'), look('task'), look('interrupt'), look('unknown'), look('idle')], ['plain', 'plain', 'irq', 'unknown', 'waits'])
  assert.deepEqual([look('execution', 1), look('task', 2), look('sleep', 1), look('interrupt', 1)], ['blocked', 'blocked', 'waits', 'irq'])
})
