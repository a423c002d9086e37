// SPDX-License-Identifier: MIT
// The view in the page's address.
import assert from 'node:assert/strict'
import test from 'node:test'
import { readHash, writeHash } from '../src/hash'
import type { Kept } from '../src/hash'

test('what is written is read again', () => {
  const kept: Kept = {
    from: 12345678901234, until: 12345678901300.5, select: [1, 2.25], at: '1.5', order: [2, 0, 1], pin: [3, 1], hide: [7], fold: ['task', 'link'],
    expand: [5, 4],
    panel: 'stats', filter: 'a b&c=#%', theme: 'dark'
  }
  assert.deepEqual({ ...readHash(writeHash(kept)) }, kept)
  assert.equal(readHash(writeHash({ follow: 500 })).follow, 500)
  for (const at of ['0', '1.25', '1.25..1.300', '12345678901234567890.000000001']) {
    assert.equal(readHash(writeHash({ at })).at, at)
  }
  assert.equal(writeHash({}), '')
  assert.equal(writeHash({ order: [], pin: [], hide: [], fold: [], expand: [], panel: '' }), '')
})

test('what does not fit is left out', () => {
  const bad = readHash('#from=9&until=3&select=5..5&order=&pin=-1,x,2,2&hide=1e9&expand=-1,<b>,1e9&fold=nothing&panel=<b>&theme=red&follow=-1&at=1e3..<b>')
  assert.deepEqual(bad, { select: undefined, at: undefined, order: undefined, pin: [2], hide: undefined, fold: [], expand: undefined })
  assert.deepEqual(readHash('#from=NaN&until=Infinity&__proto__=1').from, undefined)
})
