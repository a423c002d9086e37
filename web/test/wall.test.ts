// SPDX-License-Identifier: MIT
// The time of day: of a tick, as text, and as labels of the ruler.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Wall } from '../src/protocol'
import { errorText, wallAt, wallRuler, wallText, wallWords } from '../src/wall'

process.env.TZ = 'Asia/Kolkata' // UTC+05:30
const plain = (text: string) => text.replace(/\u202f/g, '')
const start = BigInt(Date.UTC(2026, 8, 21, 14, 13, 20)) * 1000000n

// A clock of 1 MHz that is slower by 100 ppm, and its restart an hour later.
const wall: Wall = {
  start: String(start),
  pieces: [
    { basis: 'one-way', drift: [100, 90, 110], shortest: 1000, blocks: 900, times: [[0, 5e8, 300], [5e6, 5.5005e9, 100], [10e6, 10.501e9, 300]] },
    { basis: 'one-way', drift: [100, 90, 110], shortest: 1000, blocks: 900, times: [[10000001, 3600e9, 300], [20000001, 3610.001e9, 300]] }
  ]
}

test('a tick has a time of day and its error', () => {
  assert.deepEqual(wallAt(wall, 5e6), { ns: start + 5500500000n, error: 100 })
  assert.deepEqual(wallAt(wall, 2.5e6), { ns: start + 3000250000n, error: 200 })
  assert.deepEqual(wallAt(wall, 10000001), { ns: start + 3600000000000n, error: 300 })
})

test('outside the recording, or without one, it is not known', () => {
  assert.equal(wallAt(wall, -1), null)
  assert.equal(wallAt(wall, 30e6), null)
  assert.equal(wallAt(null, 0), null)
  assert.equal(wallAt({ start: '0', pieces: [] }, 0), null)
})

test('texts are in UTC or local time, with the date if wanted', () => {
  const time = wallAt(wall, 5e6)!
  assert.equal(plain(wallText(time, 'utc')), '14:13:25.500500 UTC')
  assert.equal(plain(wallText(time, 'utc', 3, true)), '2026-09-21 14:13:25.500 UTC')
  assert.equal(plain(wallText(time, 'local', 0)), '19:43:25 +05:30')
  const old = { ns: -1n, error: 0 }
  assert.equal(plain(wallText(old, 'utc', 9, true)), '1969-12-31 23:59:59.999999999 UTC')
})

test('errors are rounded up', () => {
  assert.equal(errorText(616999), '± 617 µs')
  assert.equal(errorText(1234567), '± 1.24 ms')
  assert.equal(errorText(12), '± 12 ns')
  assert.equal(errorText(2e9), '± 2 s')
})

test('labels are at full seconds of the day', () => {
  const { base, labels } = wallRuler(wall, 'utc', 0, 10e6, 1200)
  assert.equal(base, '2026-09-21')
  assert.equal(labels[0].text, '14:13:22')
  for (const { t, text } of labels) {
    assert.ok(t >= 0 && t <= 10e6)
    const { ns } = wallAt(wall, t)!
    const away = Number(ns - start) / 1e9 + 20 - Number(text.slice(6))
    assert.ok(Math.abs(away) < 1e-6, `${text}: ${away}`)
  }
  assert.ok(labels.length >= 4 && labels.length <= 11, String(labels.length))
})

test('labels of parts of a second, and below 1 ms distances from a base', () => {
  const ms = wallRuler(wall, 'utc', 1e6, 1.1e6, 1200)
  assert.equal(ms.labels[0].text, '14:13:21.52')
  const us = wallRuler(wall, 'local', 1000000, 1000100, 1200)
  assert.match(plain(us.base), /^19:43:21\.5\d* \+05:30$/)
  for (const { t, text } of us.labels) assert.match(text, /^\+\d+ µs$/, `${t}`)
  const gaps = us.labels.slice(1).map(({ t }, i) => t - us.labels[i].t)
  for (const gap of gaps) assert.ok(Math.abs(gap - gaps[0]) < 0.01)
})

test('each connection has its own labels', () => {
  const { labels } = wallRuler(wall, 'utc', 0, 20e6, 1200)
  const before = labels.filter(({ t }) => t < 10000001), after = labels.filter(({ t }) => t >= 10000001)
  assert.ok(before.length >= 2 && after.length >= 2)
  assert.match(before[0].text, /^14:13/)
  assert.match(after[0].text, /^15:13/)
})

test('words state drift and condition', () => {
  const [title, drift, condition] = wallWords(wall, 0)
  assert.equal(title, 'Time of day, from the arrival of 900 blocks')
  assert.match(drift, /slower than the computer’s by 100 ppm \(90 to 110 ppm\)/)
  assert.match(condition, /not above 1 µs/)
  const fast: Wall = { ...wall, pieces: [{ ...wall.pieces[0], drift: [-20, -50, 10] }] }
  assert.match(wallWords(fast, 0)[1], /faster than the computer’s by 20 ppm \(-10 to 50 ppm\)/)
})
