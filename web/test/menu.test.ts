// SPDX-License-Identifier: MIT
// The entries of the context menu, and what is copied.
import assert from 'node:assert/strict'
import test from 'node:test'
import { csvField, csvLine } from '../src/copy'
import { entriesFor, entryLabel, filterOf, menuEntries } from '../src/menu'
import type { Target } from '../src/menu'
import { matches } from '../src/recordbook'
import type { View } from '../src/view'

const view = {
  hello: { hz: 1000 }, rows: [
    { kind: 'task', thing: 2, name: 'producer', core: -1, tracks: [{ id: 7, kind: 'states', level: 0 }] },
    { kind: 'irq', thing: 3, name: 'timer', core: 0, tracks: [] }
  ],
  things: [{}, {}, { kind: 'task', name: 'producer' }, { kind: 'irq', name: 'timer' }],
  pinned: [], hidden: new Set(), folded: new Set(), expanded: new Set(), notes: { keeps: 'file', renames: [] }, source: {}, changed() {}
} as unknown as View
const nothing: Target = { row: -1, slice: null, record: null }
const labels = (at: Target) => entriesFor(view, at).map(entry => entryLabel(entry, view, at))
const run = (at: Target, label: string) => entriesFor(view, at).find(entry => entryLabel(entry, view, at) === label)!.run(view, at)
const slice = { row: 0, track: 7, begin: 1500, end: 1750, value: 2, more: 0 }

test('a slice, a name and a record have the entries that apply to them', () => {
  const ofSlice = labels({ ...nothing, row: 0, slice }), ofRow = labels({ ...nothing, row: 0 })
  const ofRecord = labels({ ...nothing, record: { number: 4, t: 12, kind: 'record', name: 'TICK', group_name: 'timer' } })
  for (const label of ['Zoom to it', 'Next of the same kind', 'Select its time', 'Hide the row', 'Rename the row…', 'Copy as a line of CSV']) assert(ofSlice.includes(label), label)
  assert(!ofRow.includes('Zoom to it') && ofRow.includes('Statistics of the row') && ofRow.includes('Show only tasks'), ofRow.join())
  assert(ofRecord.includes('Show on the time line') && ofRecord.includes('Records of the group timer') && !ofRecord.includes('Hide the row'), ofRecord.join())
  assert.deepEqual(labels(nothing), [])
  const groups = menuEntries.map(entry => entry.group)
  assert.deepEqual(groups.filter((group, i) => group !== groups[i - 1]), [...new Set(groups)], 'entries of a group stand together')
})

test('one row, or one group, is shown alone, and all again', () => {
  run({ ...nothing, row: 1 }, 'Show only this row')
  assert.deepEqual([...view.hidden], [0])
  run({ ...nothing, row: 1 }, 'Show all rows')
  assert.deepEqual([...view.hidden], [])
  run({ ...nothing, row: 0 }, 'Show only tasks')
  assert.deepEqual([...view.hidden], [1])
})

test('the filter of a name finds records with the name', () => {
  assert.equal(filterOf('  -idle  task '), 'idle task')
  assert(matches({ number: 1, t: 0, kind: 'record', words: 'switch to -idle task' }, filterOf('-idle task')))
})

test('a line of CSV has time, length, name and text, and no formula', () => {
  assert.equal(csvLine(view, { ...nothing, row: 0, slice }), '1.500,250,producer,running on core 0')
  assert.equal(csvField('=1+1'), "'=1+1")
  assert.equal(csvField('a,"b"'), '"a,""b"""')
  assert.equal(csvField(-5), '-5')
})
