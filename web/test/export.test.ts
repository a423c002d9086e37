// SPDX-License-Identifier: MIT
// Stretches to export, and the names of their files.
import assert from 'node:assert/strict'
import test from 'node:test'
import { canExport, fileName, forms, stretchOf } from '../src/export'
import { entriesFor } from '../src/menu'
import { setZero } from '../src/times'
import type { Hello } from '../src/protocol'
import type { View } from '../src/view'

const hello = { hz: 1000, t0: '500', clock: 'start', source: '/home/a/b c.bin', kept: false } as unknown as Hello
const view = {
  hello, status: { last: 10000 }, source: {}, selection: null, from: -20.5, until: 1234.25, rows: [], things: [], pinned: [],
  hidden: new Set([1]), folded: new Set(), expanded: new Set()
} as unknown as View

test('the selection is exported, or what is in view of the trace', () => {
  assert.deepEqual(stretchOf(view), [0, 1235])
  assert.deepEqual(stretchOf({ ...view, selection: [7.5, 20000] } as unknown as View), [7, 10000])
  assert.deepEqual(stretchOf({ ...view, selection: [20000, 30000] } as unknown as View), [10000, 10000])
  assert(canExport(view))
  assert(!canExport({ ...view, hello: { ...hello, kept: true } } as unknown as View))
})

test('a file has the name of the source and the times that are shown', () => {
  setZero(hello)
  assert.equal(fileName(view, [250, 1500], forms[1]), 'b_c-0.25s-1.5s.csv')
  setZero({ ...hello, clock: 'target' })
  assert.equal(fileName(view, [250, 1500], forms[4]), 'b_c-0.75s-2s.wfr')
  setZero({ ...hello, hz: 0 })
  assert.equal(fileName({ ...view, hello: { ...hello, hz: 0, source: 'tcp:127.0.0.1:70' } } as unknown as View, [0, 5], forms[0]), 'tcp_127.0.0.1_70-500-505.html')
  setZero(hello)
  for (const [source, name] of [['tcp-listen:0', 'tcp-listen_0'], ['-', 'trace'], ['C:\\traces\\a.bin', 'a'], ['/dev/ttyACM0', 'ttyACM0']])
    assert.equal(fileName({ ...view, hello: { ...hello, source } } as unknown as View, [250, 500], forms[1]), `${name}-0.25s-0.5s.csv`)
  setZero(hello)
})

test('the menu of a stretch has the forms alone', () => {
  const at = { row: -1, slice: null, record: null, stretch: [0, 5] as [number, number] }
  assert.deepEqual(entriesFor(view, at).map(entry => entry.label), forms.map(form => form.label))
})
