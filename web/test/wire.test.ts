// SPDX-License-Identifier: MIT
// Binary answers, and the lookup of tiles in a file.
import assert from 'node:assert/strict'
import test from 'node:test'
import { KeptTiles } from '../src/kept_tiles'
import { parseTiles, parseTilesAt, pauseAfter } from '../src/wire'

// As in docs/page-protocol.md.
function answer(n: number, level: number, tiles: { track: number; index: number; pieces: number[][] }[]): ArrayBuffer {
  const size = tiles.reduce((sum, t) => sum + 24 + t.pieces.length * 60 + t.pieces.length % 2 * 4, 16)
  const data = new DataView(new ArrayBuffer(size))
  let at = 0
  const u32 = (v: number) => {
    data.setUint32(at, v, true)
    at += 4
  }
  const f64 = (v: number) => {
    data.setFloat64(at, v, true)
    at += 8
  }
  for (const v of [0x31746677, n, tiles.length, level]) u32(v)
  for (const { track, index, pieces } of tiles) {
    u32(track)
    u32(pieces.length)
    f64(index)
    u32(1)
    u32(0)
    for (let i = 0; i < 6; i++) for (const piece of pieces) f64(piece[i])
    for (let i = 6; i < 9; i++) for (const piece of pieces) u32(piece[i])
    if (pieces.length % 2) u32(0)
  }
  return data.buffer as ArrayBuffer
}

const piece = [10, 20, 10, 3, 3, 4, 1, 7, 8]
const other = [30, 50, 15, -5, -6, 9, 2, 0, 0]

test('tiles are read as they are written, odd or even', () => {
  const bytes = answer(77, 3, [
    { track: 4, index: 9, pieces: [piece] }, { track: 5, index: 2 ** 40, pieces: [piece, other] },
    { track: 6, index: 0, pieces: [] }
  ])
  const { n, tiles } = parseTiles(bytes)
  assert.equal(n, 77)
  assert.deepEqual(tiles.map(t => [t.track, t.level, t.index, t.pieces, t.flags]),
                   [[4, 3, 9, 1, 1], [5, 3, 2 ** 40, 2, 1], [6, 3, 0, 0, 1]])
  const [, two] = tiles
  assert.deepEqual([two.begin[1], two.end[1], two.busy[1], two.value[1], two.min[1], two.max[1], two.count[1]],
                   [30, 50, 15, -5, -6, 9, 2])
  assert.deepEqual([two.more[0], two.pieceFlags[0]], [7, 8])
})

test('answers one behind the other are read one by one', () => {
  const one = answer(0, 1, [{ track: 1, index: 0, pieces: [piece] }]), two = answer(0, 1, [])
  const both = new Uint8Array(one.byteLength + two.byteLength)
  both.set(new Uint8Array(one))
  both.set(new Uint8Array(two), one.byteLength)
  const first = parseTilesAt(both.buffer, 0)
  assert.equal(first.next, one.byteLength)
  assert.equal(parseTilesAt(both.buffer, first.next).next, both.length)
})

test('what is cut or something else is refused', () => {
  const bytes = answer(1, 0, [{ track: 1, index: 0, pieces: [piece, other, piece] }])
  for (let size = 0; size < bytes.byteLength - 4; size += 4) {
    assert.throws(() => parseTiles(bytes.slice(0, size)), /tiles/, `${size} bytes`)
  }
  assert.throws(() => parseTiles(new ArrayBuffer(64)), /not tiles/)
})

test('pauses between tries grow, to a few seconds', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 60].map(pauseAfter)
  assert.deepEqual(pauses, [...pauses].sort((a, b) => a - b))
  assert.ok(pauses[0] <= 500 && pauses[6] <= 10000 && pauses[1] > pauses[0])
})

test('a tile that a file has not is made of a coarser one, or of those below', () => {
  const kept = new KeptTiles()
  const single = (begin: number, end: number) => [begin, end, end - begin, 1, 1, 1, 1, 0, 0]
  const put = (level: number, index: number, pieces: number[][]) =>
    parseTiles(answer(0, level, [{ track: 1, index, pieces }])).tiles.forEach(tile => kept.put(tile))
  put(2, 0, [single(0, 100), single(600, 700), single(1900, 2100)])
  put(2, 1, [single(1900, 2100), single(3000, 3001)])
  assert.deepEqual([...kept.get(2, 1, 1).begin], [1900, 3000])
  assert.deepEqual([...kept.get(0, 1, 1).begin], [600])
  assert.deepEqual([...kept.get(0, 1, 2).begin], [])
  assert.deepEqual([...kept.get(3, 1, 0).begin], [0, 600, 1900, 3000])
  assert.equal(kept.get(0, 9, 0).pieces, 0)
  assert.equal(kept.get(2, 1, 0).flags, 0)
  assert.deepEqual(kept.slices(1).map(slice => slice[0]), [0, 600, 1900, 3000])
})
