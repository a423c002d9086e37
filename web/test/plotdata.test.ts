// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsOf, valueAt } from '../src/plotdata'
import type { Tile } from '../src/protocol'

// Pieces as [begin, end, value, count, min, max].
function tile(pieces: number[][]): Tile {
  const column = (i: number, otherwise: number) => Float64Array.from(pieces, piece => piece[i] ?? piece[otherwise])
  const busy = Float64Array.from(pieces, piece => piece[1] - piece[0])
  const count = Uint32Array.from(pieces, piece => piece[3] ?? 1)
  const none = new Uint32Array(pieces.length)
  return {
    track: 0, level: 0, index: 0, flags: 0, pieces: pieces.length, begin: column(0, 0), end: column(1, 1), busy,
    value: column(2, 2), min: column(4, 2), max: column(5, 2), count, more: none, pieceFlags: none
  }
}

test('values hold up to the next one, and to the end of the last', () => {
  const steps = stepsOf([{ tile: tile([[0, 10, 1], [10, 30, 5]]), from: 0, until: 100 }])
  assert.deepEqual(steps[0], [0, 10, 30])
  assert.deepEqual(steps[1], [1, 5, 5])
  assert.equal(valueAt(steps, 9), 1)
  assert.equal(valueAt(steps, 10), 5)
  assert.equal(valueAt(steps, 29), 5)
})

test('in a hole there is no value, but there is one up to it', () => {
  const steps = stepsOf([{ tile: tile([[0, 10, 1], [20, 30, 2]]), from: 0, until: 100 }])
  assert.deepEqual(steps[0], [0, 10, 10, 20, 30])
  assert.deepEqual(steps[1], [1, 1, null, 2, 2])
  assert.equal(valueAt(steps, 5), 1)
  assert.equal(valueAt(steps, 15), null)
  assert.equal(valueAt(steps, 25), 2)
  assert.equal(valueAt(steps, -1), null)
  assert.equal(valueAt(steps, 31), null)
})

test('a piece in two tiles is taken once, several values have a band', () => {
  const first = tile([[0, 10, 1], [10, 120, 7, 4, 2, 9]])
  const second = tile([[10, 120, 7, 4, 2, 9], [120, 130, 3]])
  const steps = stepsOf([{ tile: first, from: 0, until: 100 }, { tile: second, from: 100, until: 200 }])
  assert.deepEqual(steps, [[0, 10, 120, 130], [1, 7, 3, 3], [1, 2, 3, 3], [1, 9, 3, 3]])
  assert.deepEqual(stepsOf([]), [[], [], [], []])
})
