// SPDX-License-Identifier: MIT
// The view in the page's address.
import assert from 'node:assert/strict'
import test from 'node:test'
import { parts, readHash, writeHash } from '../src/hash'
import type { Addressed } from '../src/hash'

const nothing = (): Addressed => ({
  range: undefined, followed: undefined, selection: null, placeText: '', record: null, pick: undefined, userOrder: [], pinned: [],
  hidden: new Set(), folded: new Set(), expanded: new Set(), loadWindow: 0, panel: '', filter: '', find: '', markers: [], theme: undefined,
  clock: 'trace'
})

function read(hash: string): Addressed {
  const into = nothing()
  readHash(hash, into)
  return into
}

test('what is written is read again', () => {
  const all: Addressed = {
    range: [12345678901234, 12345678901300.5], followed: 500, selection: [1, 2.25], placeText: '1.5', record: 17, pick: [3, 12345678901234],
    userOrder: [2, 0, 1], pinned: [3, 1], hidden: new Set([7]), folded: new Set(['task', 'link']), expanded: new Set([5, 4]), loadWindow: 0.01,
    panel: 'stats', filter: 'a&b=c#d -é%"\'<b>', find: ' mutex ,..',
    markers: [{ t: 0, note: '' }, { t: 12345678901234, note: 'a;b\\~c é; ' }], theme: 'dark', clock: 'local'
  }
  const written = writeHash(all)
  assert.deepEqual(read(written), all)
  assert.match(written, /^[!-~]+$/)
  for (const { names } of parts) for (const name of names) assert.match(written, new RegExp(`[#&]${name}=`))
  for (const text of ['0', '1.25', '1.25..1.300', '12345678901234567890.000000001']) {
    assert.equal(read(writeHash({ ...nothing(), placeText: text })).placeText, text)
  }
  assert.equal(writeHash(nothing()), '')
})

test('what does not fit is left out', () => {
  const bad = '#from=9&until=3&select=5..5&order=&pin=-1,x,2,2&hide=1e9&expand=-1,<b>,1e9&load=0.3&fold=nothing&panel=<b>&theme=red' +
    '&follow=-1&at=1e3..<b>&record=-1&pick=1,2,3'
  assert.deepEqual(read(bad), { ...nothing(), pinned: [2] })
  assert.deepEqual(read('#from=NaN&until=Infinity&__proto__=1&from=1'), nothing())
  assert.deepEqual(read('#from=1'), nothing())
  assert.equal(read(`#filter=${'x'.repeat(1000)}`).filter.length, 200)
  assert.deepEqual(read('#' + 'x'.repeat(1 << 17) + '&panel=stats'), nothing())
})

test('the clock of the ruler is UTC or local time, else that of the trace', () => {
  assert.equal(read('#clock=utc').clock, 'utc')
  for (const bad of ['trace', '%3Cb%3E', '']) assert.equal(read(`#clock=${bad}`).clock, 'trace')
})
