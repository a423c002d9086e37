// SPDX-License-Identifier: MIT
// The view in the page's address.
import assert from 'node:assert/strict'
import test from 'node:test'
import { noChoices } from '../src/choices'
import { parts, readHash, SQL_MOST, writeHash } from '../src/hash'
import type { Addressed } from '../src/hash'

const nothing = (): Addressed => ({
  range: undefined, followed: undefined, selection: null, placeText: '', record: null, pick: undefined, userOrder: [], pinned: [],
  hidden: new Set(), folded: new Set(), expanded: new Set(), loadWindow: 0, panel: '', filter: '', find: '', markers: [], theme: undefined,
  markerBase: null, clock: 'trace', choices: noChoices()
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
    markers: [{ t: 0, note: '' }, { t: 12345678901234, note: 'a;b\\~c é; ' }], theme: 'dark', clock: 'local',
    markerBase: 12345678901234,
    choices: { ...noChoices(), object: 0, events: 'time-outs', task: 12, figures: 'hold', query: "select '+&#%;é'\nfrom x", text: "select '+&#%;é'\nfrom x" }
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
    '&follow=-1&at=1e3..<b>&record=-1&pick=1,2,3&base=x&object=-1&events=all&task=12345678&figures=constructor&sql=' + 'x'.repeat(SQL_MOST + 1)
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

test('the first marker is the base without a choice, and so it is when there is none at the time of the address', () => {
  const markers = [{ t: 10, note: '' }, { t: 20, note: '' }], base = (markerBase: number | null) => writeHash({ ...nothing(), markers, markerBase })
  assert.match(base(20), /&base=20$/)
  for (const none of [null, 10, 15]) assert.doesNotMatch(base(none), /base/)
  assert.equal(read('#markers=10~;20~').markerBase, null)
})

test('a query of the address is for the editor and not run; a draft stays unless the address has another query', () => {
  const view = nothing()
  readHash('#sql=select+1', view)
  assert.deepEqual([view.choices.text, view.choices.asked], ['select 1', null])
  view.choices.text = 'a draft'
  readHash('#sql=select+1', view)
  readHash('#', view)
  assert.deepEqual([view.choices.text, view.choices.query], ['a draft', ''])
  readHash('#sql=select+2', view)
  assert.deepEqual([view.choices.text, view.choices.asked], ['select 2', null])
})

test('a text that is no Unicode, or too long a query, does not make the address invalid', () => {
  const query = 'x'.repeat(SQL_MOST + 1), long = { ...nothing(), choices: { ...noChoices(), query } }
  assert.equal(writeHash(long), '')
  const cut = { ...nothing(), filter: 'x'.repeat(199) + '\u{1f600}', find: '\udc00y' } // the filter is cut within the pair
  assert.equal(read(writeHash(cut)).filter, 'x'.repeat(199))
  assert.equal(read(writeHash(cut)).find, 'y')
})
