// SPDX-License-Identifier: MIT
// History of an object: words of its events, and pages of rows that come from the server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endWords, EventBook, lengthOf } from '../src/history'
import type { EventFields, EventEnd, EventKind } from '../src/history'
import type { Source } from '../src/protocol'

const event = (kind: EventKind, how: EventEnd, end: number | null = 15, flags = 0): EventFields =>
  [0, kind, 10, end, 'a task', how, null, null, 1, flags]

test('a length is shown only if begin and end are known', () => {
  assert.equal(lengthOf(event('wait', 'timed out')), 5)
  assert.equal(lengthOf(event('take', 'got')), 5)
  for (const one of [event('wait', 'open', null), event('wait', 'cut'), event('wait', 'timed out', 15, 1), event('give', '', null)]) {
    assert.equal(lengthOf(one), null)
  }
})

test('how it ended is said by kind, and what is not known is said so', () => {
  assert.equal(endWords(event('wait', 'got')), 'got it')
  assert.equal(endWords(event('wait', 'timed out', 15, 1)), 'timed out, began earlier')
  assert.equal(endWords(event('wait', 'cut')), 'not known how it ended')
  assert.equal(endWords(event('take', 'got')), 'given back')
  assert.equal(endWords(event('take', 'cut')), 'not known when it was given')
  assert.equal(endWords(event('give', '', null)), '')
})

test('rows are requested in pages, once each, and only some pages are kept', async () => {
  const asked: number[] = []
  const source = {
    ask: (_: string, { first, most }: { first: number; most: number }) => {
      asked.push(first)
      return Promise.resolve({ rows: Array.from({ length: most }, (_, i) => [first + i]) })
    }
  } as unknown as Source
  const book = new EventBook(source, { thing: 2, only: '', task: -1 }, () => undefined)
  assert.equal(book.get(450), undefined)
  assert.equal(book.get(451), undefined)
  await new Promise(done => setImmediate(done))
  assert.deepEqual(asked, [400])
  assert.equal(book.get(450)?.[0], 450)
  for (let page = 10; page < 100; page++) {
    book.get(page * 200)
    await new Promise(done => setImmediate(done))
  }
  assert.equal(book.get(99 * 200)?.[0], 99 * 200)
  assert.equal(book.get(450), undefined) // dropped, requested again
  await new Promise(done => setImmediate(done))
  assert.equal(asked.filter(first => first === 400).length, 2)
})
