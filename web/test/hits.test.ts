// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HitList, stepHit } from '../src/hits'
import type { Source } from '../src/protocol'

// Each tenth of 10,000 records is a hit; those from `at` on are known first, the others once `whole` is set.
function trace() {
  const all = Array.from({ length: 1000 }, (_, i) => ({ number: 10 * (i + 1), t: 100 * (i + 1), kind: 'record' }))
  const source = {
    at: 0, whole: true, asked: [] as string[],
    open: () => undefined,
    tiles: async () => [],
    async ask<T>(op: string, fields: object = {}): Promise<T> {
      const { text, at, number, first, most, which } = fields as { [name: string]: number } & { text: string }
      source.asked.push(op)
      assert.equal(which, 0)
      if (op === 'search') {
        source.at = at ?? 0
        return { begun: !!text } as T
      }
      const known = source.whole ? all : all.filter(hit => hit.t >= source.at)
      if (op === 'found') {
        return { count: known.length, start: source.whole ? all.findIndex(hit => hit.t >= source.at) : 0, done: source.whole,
                 searched: 1, of: 2, width: 10, bins: [[1, 2]] } as T
      }
      assert.equal(op, 'hits')
      const found = number !== undefined ? known.findIndex(hit => hit.number >= number) : at !== undefined ? known.findIndex(hit => hit.t >= at) : first
      const place = found < 0 ? known.length : found
      return { first: place, hits: known.slice(place, place + most) } as T
    }
  }
  return source as typeof source & Source
}

test('all hits are there by their place, a page at a time', async () => {
  const source = trace(), list = new HitList(source, () => undefined)
  await list.begin('x', 50000)
  assert.deepEqual([list.state.count, list.state.start, list.state.done], [1000, 499, true])
  assert.equal(list.get(0), undefined)
  await new Promise(go => setTimeout(go, 5))
  assert.deepEqual([list.get(0)?.number, list.get(199)?.number], [10, 2000])
  assert.equal(source.asked.filter(op => op === 'hits').length, 1)
  assert.equal(await list.place({ at: 450 }), 4)
  assert.equal(await list.place({ number: 10000 }), 999)
  assert.equal(await list.place({ number: 10001 }), 1000)
})

test('steps go around, and say so', async () => {
  const list = new HitList(trace(), () => undefined)
  await list.begin('x', 0)
  const step = async (number: number, way: 1 | -1) => {
    const { record, around } = await stepHit(list, { number }, way, () => true)
    return [record?.number, around]
  }
  assert.deepEqual(await step(10, 1), [20, false])
  assert.deepEqual(await step(20, -1), [10, false])
  assert.deepEqual(await step(10000, 1), [10, true])
  assert.deepEqual(await step(10, -1), [10000, true])
})

test('a step waits for hits that are not known yet', async () => {
  const source = trace(), list = new HitList(source, () => undefined)
  source.whole = false
  const end = list.begin('x', 99900) // the last two are known first
  setTimeout(() => { source.whole = true }, 150)
  const { record, around } = await stepHit(list, { number: 9990 }, -1, () => true)
  assert.deepEqual([record?.number, around], [9980, false])
  await end
  assert.equal((await stepHit(list, { number: 5 }, -1, () => false)).record, null)
})

test('what a live trace has got since is searched to its end', async () => {
  const source = trace(), list = new HitList(source, () => undefined)
  await list.begin('x', 0)
  source.whole = false // more has come
  setTimeout(() => { source.whole = true }, 150)
  await list.again()
  assert.deepEqual([list.state.done, list.state.count], [true, 1000])
})

test('a newer search replaces the one before', async () => {
  const list = new HitList(trace(), () => undefined)
  const first = list.begin('x', 0)
  await list.begin('y', 7)
  await first
  assert.deepEqual([list.state.text, list.state.at], ['y', 7])
  list.end()
  assert.equal(list.state.text, '')
})
