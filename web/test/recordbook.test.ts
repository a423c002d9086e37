// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Source, TraceRecord } from '../src/protocol'
import { BLOCK, matches, RecordBook } from '../src/recordbook'

// A trace of `count` records, each fifth one of group SM; records before `lowest` are not kept.
function trace(count: number, lowest = 1): Source & { count: number; asked: number } {
  const record = (number: number): TraceRecord =>
    ({ number, t: number * 10, kind: 'record', group_name: number % 5 ? 'AO' : 'SM', name: 'n' + number, words: 'says ' + number })
  return {
    count, asked: 0,
    open: () => undefined,
    tiles: async () => [],
    async ask<T>(op: string, fields: object = {}): Promise<T> {
      assert.equal(op, 'records')
      this.asked++
      const { number, at, before, after } = fields as { [name: string]: number }
      assert.ok(before <= 500 && after <= 500)
      const place = number ?? Math.min(Math.ceil(at / 10), this.count + 1)
      const from = Math.max(lowest, place - before), end = Math.min(this.count + 1, place + after)
      const records = Array.from({ length: Math.max(0, end - from) }, (_, i) => record(from + i))
      return { records, first: from === lowest, last: end > this.count } as T
    }
  }
}

const settled = () => new Promise(done => setTimeout(done, 20))

test('records come in blocks, each is asked for once', async () => {
  const source = trace(1000)
  const book = new RecordBook(source, () => undefined)
  book.grow(1000)
  assert.equal(book.get(1), undefined)
  assert.equal(book.get(2), undefined)
  await settled()
  assert.equal(source.asked, 1)
  assert.equal(book.get(BLOCK)?.name, 'n' + BLOCK)
  assert.equal(book.get(BLOCK + 1), undefined)
  await settled()
  assert.equal(book.get(BLOCK + 1)?.name, `n${BLOCK + 1}`)
})

test('the last block grows', async () => {
  const source = trace(10)
  const book = new RecordBook(source, () => undefined)
  book.grow(8) // two of them are losses
  book.get(1)
  await settled()
  assert.equal(book.total, 10)
  source.count = 14
  await new Promise(done => setTimeout(done, 350)) // a block is requested again only after a pause
  book.grow(12)
  assert.equal(book.total, 14)
  await settled()
  assert.equal(book.get(14)?.name, 'n14')
})

test('what is not kept is told apart from what has not come', async () => {
  const book = new RecordBook(trace(1000, 101), () => undefined)
  book.get(1)
  await settled()
  assert.equal(book.get(100), null)
  assert.equal(book.get(101)?.number, 101)
})

test('a time has the record that comes next', async () => {
  const book = new RecordBook(trace(100), () => undefined)
  assert.equal(await book.place(55), 6)
  assert.equal(await book.place(0), 1)
  assert.equal(await book.place(100000), 100)
})

test('filters take groups, names, words, and leave out', () => {
  const record = { number: 1, t: 0, kind: 'record', group_name: 'SM', name: 'state_entry', words: 'lamp enters On' }
  assert.ok(matches(record, 'sm lamp'))
  assert.ok(matches(record, 'ENTRY'))
  assert.ok(!matches(record, 'sm -lamp'))
  assert.ok(!matches(record, 'ao'))
  assert.ok(matches({ number: 2, t: 0, kind: 'loss' }, 'loss'))
})

test('a file has some of the records: its table has these', async () => {
  const source = trace(720, 600)
  const book = new RecordBook(source, () => undefined, { first: 600, last: 720, left: 50 })
  book.grow(9000) // of the whole trace
  assert.deepEqual([book.first, book.total, book.count], [600, 720, 121])
  assert.equal((await book.fetch(600))?.name, 'n600')
  assert.equal((await book.newest())?.name, 'n720')
  assert.equal(book.get(599), null)
  assert.equal(await book.place(6005), 601)
  assert.deepEqual([book.total, book.count], [720, 121])
  const none = new RecordBook(trace(0), () => undefined, { first: 1, last: 0, left: 9 })
  none.grow(9)
  assert.equal(none.count, 0)
})
