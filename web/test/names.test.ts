// SPDX-License-Identifier: MIT
// Names that are not known, and what helps.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Hello, Row } from '../src/protocol'
import { applyNames, canRename, ownName } from '../src/names'
import type { View } from '../src/view'
import { namesHelp, unnamed } from '../src/words'

test('rows with an address in place of a name are counted', () => {
  const row = (kind: Row['kind'], name: string) => ({ kind, name, thing: 1, core: -1, tracks: [] }) as Row
  const rows = [row('task', 'keys'), row('task', '0x0000000000433120'), row('object', '0x20001234'), row('irq', '0x15'), row('machine', ''), row('task', '0xyz')]
  assert.deepEqual(unnamed(rows), { of: 5, count: 3 })
})

test('what helps depends on where the trace comes from', () => {
  const help = (hello: Partial<Hello>) => namesHelp({ live: false, kept: false, commands: false, format: null, ...hello } as Hello).join(' ')
  assert.match(help({}), /--elf=PROGRAM.*recording that begins before/)
  assert.match(help({ live: true }), /--allow-commands/)
  assert.match(help({ live: true, commands: true }), /The command info asks/)
  assert.match(help({ kept: true }), /wallfly page/)
  assert.doesNotMatch(help({ format: { title: 'x', lacks: [] } }), /--elf/)
})

test('rows and things get the names of the notes, and their own again', () => {
  const view = {
    hello: { kept: false }, source: {}, notes: { keeps: 'file', renames: [['task', '0x20', 'logger'], ['object', 'idle', 'x']] },
    rows: [{ kind: 'task', thing: 1, name: '0x20', core: -1, tracks: [] }, { kind: 'task', thing: 0, name: 'idle', core: -1, tracks: [] }],
    things: [{ kind: 'special', name: 'idle' }, { kind: 'task', name: '0x20' }]
  } as unknown as View
  applyNames(view)
  applyNames(view)
  const names = () => [...view.rows, ...view.things].map(one => [one.name, ownName(one)].join('/'))
  assert.deepEqual(names(), ['logger/0x20', 'idle/idle', 'idle/idle', 'logger/0x20'])
  assert(canRename(view, 0) && !canRename(view, 2))
  view.notes = { ...view.notes, renames: [] }
  applyNames(view)
  assert.deepEqual(names(), ['0x20/0x20', 'idle/idle', 'idle/idle', '0x20/0x20'])
  assert.equal(view.rows[0].own, undefined)
  assert(!canRename({ ...view, notes: { keeps: 'nothing' } } as unknown as View, 0))
})
