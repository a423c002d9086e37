// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rulerOf } from '../src/ruler'
import { absolute, countText, lengthText, momentTicks, parseTime, setZero, shortLength, timeText } from '../src/times'

import type { Hello } from '../src/protocol'

const clock = (t0: string | null, hz: number, of: 'start' | 'target') =>
  setZero({ t0, hz, clock: of } as Hello)

const plain = (text: string) => text.replaceAll('\u202f', ' ')

test('numbers have groups of three', () => {
  assert.equal(plain(countText(1234567)), '1 234 567')
  assert.equal(plain(countText(999)), '999')
})

test('a time has the digits that its clock has', () => {
  assert.equal(plain(timeText(1234567, 1e6)), '1.234 567 s')
  assert.equal(plain(timeText(5, 1)), '5 s')
  assert.equal(plain(timeText(-3, 1000)), '-0.003 s')
  assert.equal(plain(timeText(1234567, 0)), '1 234 567 ticks')
})

test('lengths have the unit that fits', () => {
  assert.equal(plain(lengthText(234567, 1e9)), '234.567 µs')
  const cases: [number, number, string][] = [
    [0, 1e9, '0 s'], [1, 1e9, '1 ns'], [999, 1e9, '999 ns'], [1000, 1e9, '1 µs'],
    [12345, 1e9, '12.35 µs'], [1e9, 1e9, '1 s'], [3.6e12, 1e9, '3 600 s'], [-2500, 1e6, '-2.5 ms'],
    [168, 168e6, '1 µs'], [7, 0, '7 ticks'], [1, 0, '1 tick'],
    [6012500, 1e9, '6.013 ms'] // as printf: rounded once
  ]
  for (const [ticks, hz, text] of cases) assert.equal(plain(shortLength(ticks, hz)), text)
})

test('times of a part count from the beginning of its stream', () => {
  setZero({ t0: '5000000', hz: 1e6, clock: 'start', before: '2500000' } as Hello)
  assert.equal(plain(timeText(500000, 1e6)), '3.000 000 s')
  assert.equal(parseTime('3 s', 1e6), 500000)
  assert.equal(parseTime('5000007 ticks', 1e6), 7)
  clock('5000000', 1e6, 'start')
  assert.equal(plain(timeText(500000, 1e6)), '0.500 000 s')
})

test('what is shown can be typed', () => {
  for (const ticks of [0, 1, 17, 1234567, 98765432101]) {
    assert.equal(parseTime(timeText(ticks, 1e6), 1e6), ticks)
    assert.equal(parseTime(timeText(ticks, 0), 0), ticks)
  }
})

test("moments are shown and typed by the target's clock", () => {
  clock('6009565', 1e6, 'target')
  try {
    assert.equal(plain(timeText(1000, 1e6)), '6.010 565 s')
    assert.equal(plain(timeText(-6009565, 1e6)), '0.000 000 s')
    assert.equal(plain(timeText(5, 0)), '6 009 570 ticks')
    assert.equal(absolute(5), 6009570)
    assert.equal(parseTime('6.010565 s', 1e6), 1000)
    assert.equal(parseTime(timeText(77, 1e6), 1e6), 77)
    assert.equal(plain(lengthText(5, 1e6)), '5 µs') // a length, not a moment
    const { labels, base } = rulerOf(0, 5e6, 1000, 1e6)
    assert.deepEqual([labels[0].t, plain(labels[0].text), base], [990435, '7 s', ''])
    const far = rulerOf(0, 50, 1000, 1e6)
    assert.deepEqual([plain(far.base), plain(far.labels[0].text), Math.round(far.labels[0].t)], ['6.009 500 s', '+70 µs', 5])
  } finally {
    clock(null, 0, 'start')
  }
})

test("moments count from the trace's beginning, ticks are the target's own", () => {
  clock('6009565', 1e6, 'start')
  try {
    assert.equal(plain(timeText(1000, 1e6)), '0.001 000 s')
    assert.equal(plain(timeText(-10, 1e6)), '-0.000 010 s')
    assert.equal(plain(momentTicks(1000)), '6 010 565 ticks')
    assert.equal(parseTime('0.001 s', 1e6), 1000)
    assert.equal(parseTime('6010565 ticks', 1e6), 1000)
    assert.deepEqual(rulerOf(0, 5e6, 1000, 1e6).labels[0], { t: 0, text: '0' + ' s' })
    clock('6009565', 0, 'start') // without a rate there are only ticks
    assert.equal(plain(timeText(5, 0)), '6 009 570 ticks')
    assert.equal(parseTime('6009570', 0), 5)
    clock('18014398509481985', 1e9, 'start')
    assert.equal(plain(timeText(2, 1e9)), '0.000 000 002 s')
    assert.equal(plain(momentTicks(2)), '18 014 398 509 481 987 ticks')
    assert.equal(parseTime('18014398509481987 ticks', 1e9), 2)
  } finally {
    clock(null, 0, 'start')
  }
})

test('moments that numbers cannot hold are exact', () => {
  clock('18014398509481985', 1e9, 'target') // 2^54 + 1
  try {
    assert.deepEqual([0, 1, 2].map(t => plain(momentTicks(t))), [
      '18 014 398 509 481 985 ticks', '18 014 398 509 481 986 ticks', '18 014 398 509 481 987 ticks'])
    assert.equal(plain(timeText(2, 0)), '18 014 398 509 481 987 ticks')
    assert.equal(plain(timeText(2, 1e9)), '18 014 398.509 481 987 s')
    assert.equal(plain(timeText(2, 1)), '18 014 398 509 481 987 s')
    assert.equal(plain(timeText(0, 3)), '6 004 799 503 160 661.7 s') // rounded up
    for (const [hz, t] of [[1e9, 0], [1e9, 3], [1e9, 123456789], [0, 7], [1e6, 5]]) {
      assert.equal(parseTime(timeText(t, hz), hz), t, `${hz} ${t}`)
    }
    assert.equal(parseTime('18014398509481990 ticks', 1e9), 5)
    const { labels, base, step } = rulerOf(0, 20, 1000, 1e9)
    assert.equal(plain(base), '18 014 398.509 481 950 s')
    assert.deepEqual(labels.slice(0, 2).map(l => [plain(l.text), Math.round(l.t)]), [['+35 ns', 0], ['+40 ns', 5]])
    assert.equal(Math.round(step), 5)
    const ticks = rulerOf(0, 20, 1000, 0)
    assert.equal(plain(ticks.base), '18 014 398 509 481 950 ticks')
    assert.deepEqual(ticks.labels.slice(0, 2).map(l => [l.text, l.t]), [['+35', 0], ['+40', 5]])
    const wide = rulerOf(0, 60e9, 1000, 1e9) // labels at whole seconds of the clock
    for (const { t } of wide.labels) assert.match(timeText(t, 1e9), /\.000\u202f000\u202f000 s$/)
  } finally {
    clock(null, 0, 'start')
  }
})

test('times as they are typed', () => {
  const cases: [string, number, number | null][] = [
    ['t=12.5ms', 1e6, 12500], ['T = 12.5 MS', 1e6, 12500], ['12.5', 1000, 12500], ['12', 0, 12],
    ['3us', 1e6, 3], ['3 µs', 1e6, 3], ['40 ticks', 1e6, 40], ['2:03.5', 1000, 123500],
    ['1e3ms', 1000, 1000], ['1.5h', 1, 5400], ['-1ms', 1000, -1], ['.5s', 1000, 500],
    ['12ms', 0, null], ['', 1000, null], ['ms', 1000, null], ['12 bananas', 1000, null],
    ['1.2.3', 1000, null], ['3 constructor', 1000, null], ['task 7', 1000, null], ['1e999', 10, null]
  ]
  for (const [text, hz, ticks] of cases) assert.equal(parseTime(text, hz), ticks, text)
})
