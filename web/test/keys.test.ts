// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actions, keyOf, panels } from '../src/actions'
import { canvasKeys } from '../src/keys'

const event = (key: string, more: object = {}) =>
  ({ key, ctrlKey: false, metaKey: false, shiftKey: false, ...more }) as KeyboardEvent

test('no key does two things, and each says what it does', () => {
  const all = [...actions, ...canvasKeys]
  const keys = all.flatMap(one => one.keys)
  assert.equal(new Set(keys).size, keys.length)
  assert.ok(all.every(one => one.says.length > 3))
  // The time line also takes letters with shift, so the tables must not share a letter.
  const low = actions.flatMap(one => one.keys).filter(key => key.length === 1).map(key => key.toLowerCase())
  assert.deepEqual(low.filter(key => canvasKeys.some(one => one.keys.includes(key))), [])
})

test('keys are named as the table has them', () => {
  assert.equal(keyOf(event('k', { ctrlKey: true })), 'Ctrl+k')
  assert.equal(keyOf(event('k', { metaKey: true })), 'Ctrl+k')
  assert.equal(keyOf(event('F3', { shiftKey: true })), 'Shift+F3')
  assert.equal(keyOf(event('?', { shiftKey: true })), '?')
  assert.equal(keyOf(event('T', { shiftKey: true })), 'T')
})

test('every panel has a key', () => {
  const opens = actions.flatMap(action => (action.opens ? [action.opens] : []))
  assert.deepEqual(opens, panels.map(panel => panel.title))
})
