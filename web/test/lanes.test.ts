// SPDX-License-Identifier: MIT
// Several traces on a common clock: conversions, errors, orders, kinds, and the address.
import assert from 'node:assert/strict'
import test from 'node:test'
import { arrivalClocks, lineClock, madeAt, orderBeyond, orderOf, orderWords, wallClock } from '../src/lanes/clocks'
import { groupKinds, pairClocks, kindsText, parseKinds } from '../src/lanes/pairs'
import type { PairKind, PairAnswer } from '../src/lanes/pairs'
import type { Wall } from '../src/protocol'

const all = Array<number>(9).fill(1e12) // traces without end
const plain = (text: string) => text.replace(/\u202f/g, '')
type Times = Wall['pieces'][number]['times']
const piece = (times: Times) => ({ basis: 'one-way', drift: [0, 0, 0] as [number, number, number], shortest: 0, blocks: 99, times })
const walled = (start: string, ...times: Times[]): Wall => ({ start, pieces: times.map(piece) })

function randomOf(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
}

// Some connections with pauses between them, of which each time has an error of its own.
function randomWall(random: () => number): Wall {
  let t = Math.floor(random() * 300)
  const pieces = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const times: Times = Array.from({ length: 2 + Math.floor(random() * 4) }, () => {
      t += 1 + Math.floor(random() * 200)
      return [t, t * 1000, Math.floor(random() * 1e5)]
    })
    t += Math.floor(random() * 100)
    return times
  })
  return walled('0', ...pieces)
}

test('recordings share the time of day, with the errors of both', () => {
  const a = walled('1790000000000000000', [[0, 5e8, 100], [1e6, 15e8, 300]])
  const b = walled('1790000001000000000', [[0, 0, 50], [2e6, 2e9, 50]]) // 1 s later
  const [one, two, none] = arrivalClocks([a, b, null])
  assert.equal(none, null)
  assert.deepEqual(one!.at(5e5), { ns: 1e9, error: 200 })
  assert.deepEqual(two!.at(1e6), { ns: 2e9, error: 50 })
  assert.equal(two!.back(one!.at(1e6).ns), 5e5)
  assert.equal(one!.back(2e9), 15e5)
})

test('beyond the first and last time, and between connections, the error is not known', () => {
  const clock = wallClock(walled('0', [[0, 0, 10], [100, 1000, 10]], [[500, 9000, 10], [600, 10000, 10]]), 0)
  assert.equal(clock.at(-1).error, null)
  assert.equal(clock.at(300).error, null)
  assert.equal(clock.at(550).error, 10)
  assert.equal(clock.back(9500), 550)
  assert.equal(clock.back(500), 50)
})

test('an order is known only beyond the errors of both and the tick of the first one', () => {
  const made = (ns: number, error: number | null, tick = 0) => ({ ns, error, tick })
  assert.equal(orderOf(made(0, 10), made(21, 10)), -1)
  assert.equal(orderOf(made(0, 10), made(20, 10)), 0)
  assert.equal(orderOf(made(21, 10), made(0, 10)), 1)
  assert.equal(orderOf(made(0, null), made(1e12, 0)), 0)
  assert.equal(orderOf(made(0, 10, 5), made(25, 10, 99)), 0)
  assert.equal(orderOf(made(0, 10, 5), made(26, 10, 99)), -1)
  assert.equal(orderOf(made(119, 10, 5), made(0, 10, 99)), 0)
  assert.equal(orderOf(made(120, 10, 5), made(0, 10, 99)), 1)
  const words = (ns: number, error: number | null, tick = 0) =>
    plain(orderWords({ name: 'a', at: made(0, 1000) }, { name: 'b', at: made(ns, error, tick) }))
  assert.equal(words(1e7, 1000, 2e6), 'b is 10 ms after a ± 2.01 ms')
  assert.equal(words(5e6, 1000), 'b is 5 ms after a ± 2 µs')
  assert.equal(words(-5e6, 1000), 'a is 5 ms after b ± 2 µs')
  assert.equal(words(1500, 1000), 'a and b: the order is not known, 1.5 µs apart ± 2 µs')
  assert.equal(words(5e6, null), 'a and b: 5 ms apart, the error is not known')
})

test('records are known in order beyond the greatest errors in the view, and the longest tick', () => {
  const a = walled('0', [[0, 0, 10], [500, 5e5, 10], [501, 5.01e5, 700], [502, 5.02e5, 10], [1000, 1e6, 10]]) // 1000 ns a tick
  const b = walled('0', [[0, 0, 100], [4000, 1e6, 300]])
  const clocks = arrivalClocks([a, b, null])
  assert.deepEqual(madeAt(clocks[0]!, 100), { ns: 1e5, error: 10, tick: 1000 })
  assert.deepEqual(orderBeyond(clocks, all, 0, 1e5), { ns: 10 + 120 + 1000, without: [2], partly: [] })
  assert.deepEqual(orderBeyond(clocks, all, 4.9e5, 5.1e5), { ns: 700 + 202 + 1000, without: [2], partly: [] })
  assert.deepEqual(orderBeyond(clocks, all, 2e6, 3e6), { ns: null, without: [0, 1, 2], partly: [] })
  assert.deepEqual(orderBeyond([null, lineClock(0, 1e9)], all, 0, 1), { ns: null, without: [0, 1], partly: [] })
})

test('errors that are known in different parts of the view count as well', () => {
  const a = walled('0', [[0, 0, 10], [100, 1e5, 10]], [[400, 4e5, 10], [410, 4.1e5, 90], [500, 5e5, 10]])
  const b = walled('0', [[600, 6e5, 300], [700, 7e5, 400]])
  const clocks = arrivalClocks([a, b])
  assert.deepEqual(orderBeyond(clocks, all, 0, 7e5), { ns: 90 + 400 + 1000, without: [], partly: [0, 1] })
  assert.deepEqual(orderBeyond(clocks, all, 0, 3e5), { ns: null, without: [1], partly: [0] })
  assert.equal(orderOf(madeAt(clocks[0]!, 410), madeAt(clocks[1]!, 700)), -1)
  // Where a trace has no records, nothing is missing; nor is what is too short to be seen.
  assert.deepEqual(orderBeyond(clocks, [90, 1e4], 0, 7e5), { ns: 10 + 400 + 1000, without: [], partly: [1] })
  assert.deepEqual(orderBeyond(clocks, [90, 1e4], 2e5, 7e5), { ns: null, without: [], partly: [1] })
  assert.deepEqual(orderBeyond(clocks.slice(1), [700.5], 6e5, 7e5), { ns: null, without: [], partly: [] })
})

test('no two records in view are closer than the distance beyond which their order is known', () => {
  const random = randomOf(7)
  for (let turn = 0; turn < 300; turn++) {
    const clocks = arrivalClocks(Array.from({ length: 2 + turn % 3 }, () => randomWall(random)))
    const [from, until] = [random() * 1e6, random() * 1e6].sort((a, b) => a - b)
    const { ns } = orderBeyond(clocks, all, from, until)
    for (let i = 0; i < 50; i++) {
      const [a, b] = clocks.map(clock => madeAt(clock!, clock!.back(from + random() * (until - from)))).slice(0, 2)
      if (a.error === null || b.error === null) continue
      assert.ok(ns !== null)
      if (Math.abs(a.ns - b.ns) > ns + 1e-6) assert.notEqual(orderOf(a, b), 0)
    }
  }
})

test('a clock that starts at a chosen moment', () => {
  const clock = lineClock(500, 1000)
  assert.deepEqual(clock.at(1500), { ns: 1e9, error: null })
  assert.equal(clock.back(1e9), 1500)
  assert.equal(lineClock(0, 0).at(7).ns, 7)
})

const kind = (from: number, how: PairKind['how'], to: number): PairKind => ({ from, how, text: 'sent', to, other: 'got' })
// The other trace's clock runs twice as fast: 1000 of its ticks are 5 ms here, where a tick is 10 us.
const answer = (bounded: boolean): PairAnswer => ({
  counts: [], full: false, pairs: [], left: 0, basis: 'both-ways', bounded, clock: piece([[0, 1e6, 20], [1000, 6e6, 20]])
})

test('kinds give clocks, also over a third trace, and the errors add up', () => {
  const groups = groupKinds([kind(0, 'sent', 1), kind(0, 'received', 1), kind(2, 'same', 1)])
  assert.deepEqual(groups.map(({ from, to, kinds }) => [from, to, kinds.length]), [[0, 1, 2], [2, 1, 1]])
  const clocks = pairClocks([1e5, 2e5, 1e5, 1e5], groups.map(group => ({ group, answer: answer(true) })))
  assert.deepEqual(clocks[0]!.at(100), { ns: 1e6, error: 0 })
  assert.deepEqual(clocks[1]!.at(1000), { ns: 6e6, error: 20 })
  assert.equal(clocks[1]!.back(6e6), 1000)
  assert.deepEqual(clocks[2]!.at(600), { ns: 6e6, error: 40 })
  assert.equal(clocks[2]!.back(6e6), 600)
  assert.equal(clocks[3], null)
  const unknown = pairClocks([1e5, 2e5], [{ group: groups[0], answer: answer(false) }])
  assert.equal(unknown[1]!.at(1000).error, null)
  assert.deepEqual(pairClocks([1, 1], []), [null, null])
  const rated = (rates: number[]) => pairClocks(rates, [{ group: groups[0], answer: answer(true) }]).map(clock => clock !== null)
  assert.deepEqual(rated([1e5, 0]), [true, false])
  assert.deepEqual(rated([0, 2e5]), [false, false])
})

test('both directions of two traces are one group', () => {
  const there: PairKind = { from: 1, how: 'sent', text: 'reply', to: 0, other: 'answer' }
  assert.deepEqual(groupKinds([kind(0, 'sent', 1), there]), [
    { from: 0, to: 1, kinds: [kind(0, 'sent', 1), { from: 0, how: 'received', text: 'answer', to: 1, other: 'reply' }] }
  ])
})

test('kinds in an address come back, whatever their words are', () => {
  const kinds: PairKind[] = [{ from: 0, how: 'sent', text: 'a:b,c&d#e', to: 1, other: 'π %' }, kind(2, 'same', 0)]
  assert.deepEqual(parseKinds(kindsText(kinds), 3), kinds)
  assert.ok(!/[&#]/.test(kindsText(kinds)))
})

test('invalid kinds in an address are ignored', () => {
  for (const text of ['', '0:sent:a:1', '0:sent:a:1:b:c', '0:sent:a:0:b', '0:sent:a:3:b', '-1:sent:a:1:b', '0:posts:a:1:b', '0:sent::1:b',
                      '0:sent:%ff:1:b', '0.5:sent:a:1:b', ':sent:a:1:b', '0:sent:a::b', '0x0:sent:a:1:b', `0:sent:${'x'.repeat(257)}:1:b`])
    assert.deepEqual(parseKinds(text, 3), [], text)
  assert.equal(parseKinds(Array(99).fill('0:sent:a:1:b').join(), 2).length, 32)
})
