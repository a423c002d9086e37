// SPDX-License-Identifier: MIT
// Tiles: wanted tiles, the cache, stand-ins, repeated requests.
import assert from 'node:assert/strict'
import test from 'node:test'
import { TILE_GROWS } from '../src/protocol'
import type { Source, Tile } from '../src/protocol'
import { eachPiece } from '../src/sheet'
import { levelFor, TileCache, tileBytes, tileRange, Tiles, tileTicks } from '../src/tiles'
import { Made } from './made'

function tile(level: number, track: number, index: number, slices: [number, number][], flags = 0): Tile {
  const f = (what: (s: [number, number]) => number) => Float64Array.from(slices, what)
  const u = (n: number) => Uint32Array.from(slices, () => n)
  return {
    track, level, index, flags, pieces: slices.length, begin: f(s => s[0]), end: f(s => s[1]),
    busy: f(s => s[1] - s[0]), value: f(() => 1), min: f(() => 1), max: f(() => 1), count: u(1), more: u(0),
    pieceFlags: u(0)
  }
}

// A source whose answers wait until they are released.
class Held implements Source {
  asked: [number, [number, number][]][] = []
  flags = 0
  private let: (() => void)[] = []
  fails = false

  open(): void {}
  ask<T>(): Promise<T> {
    return Promise.reject(new Error('no'))
  }
  tiles(level: number, tiles: [number, number][]): Promise<Tile[]> {
    this.asked.push([level, tiles])
    return new Promise((done, fail) => this.let.push(() => {
      if (this.fails) fail(new Error('lost'))
      else done(tiles.map(([track, index]) => tile(level, track, index, [], this.flags)))
    }))
  }
  async go(): Promise<void> {
    for (const let_ of this.let.splice(0)) let_()
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
}

test('a bucket is about a pixel', () => {
  for (const perPixel of [1, 3, 17, 1000, 1e9]) {
    const bucket = 2 ** levelFor(perPixel)
    assert.ok(bucket >= perPixel / 1.5 && bucket <= perPixel * 1.5, `${perPixel}: ${bucket}`)
  }
  assert.equal(levelFor(0.001), 0)
})

test('a stretch is covered by its tiles and by no others', () => {
  assert.equal(tileTicks(3), 4096)
  assert.deepEqual(tileRange(0, 0, 512), [0, 0])
  assert.deepEqual(tileRange(0, 0, 513), [0, 1])
  assert.deepEqual(tileRange(0, -100, 511), [0, 0])
  assert.deepEqual(tileRange(3, 4096, 12288), [1, 2])
})

test('the tiles that were used least go first when there are too many', () => {
  const one = tile(0, 1, 0, [[0, 1]]), bytes = tileBytes(one)
  const cache = new TileCache(3 * bytes)
  for (let i = 0; i < 3; i++) cache.put(tile(0, 1, i, [[0, 1]]), 0)
  assert.equal(cache.bytes, 3 * bytes)
  cache.get(0, 1, 0)
  cache.put(tile(0, 1, 3, [[0, 1]]), 0)
  assert.ok(cache.get(0, 1, 0) && cache.get(0, 1, 2) && cache.get(0, 1, 3))
  assert.equal(cache.get(0, 1, 1), undefined)
  cache.put(tile(0, 1, 3, [[0, 1], [2, 3]]), 0) // again, larger
  assert.ok(cache.bytes <= 3 * bytes)
  assert.equal(cache.size, 2)
})

test('one batch at a time, and each tile once', async () => {
  const source = new Held()
  let came = 0
  const tiles = new Tiles(source, () => came++)
  const frame = () => {
    tiles.begin(10000)
    tiles.look(1, 0, 0, 1024)
    tiles.look(2, 0, 0, 1024)
    tiles.look(1, 0, 0, 1024)
    tiles.send(0)
  }
  frame()
  frame()
  assert.deepEqual(source.asked, [[0, [[1, 0], [1, 1], [2, 0], [2, 1]]]])
  assert.ok(tiles.busy)
  await source.go()
  assert.equal(came, 1)
  frame()
  assert.equal(source.asked.length, 1)
  assert.ok(!tiles.busy)
})

test('tiles that grow are asked for again when there is more, others are not', async () => {
  const source = new Held()
  source.flags = TILE_GROWS
  const tiles = new Tiles(source, () => undefined)
  const frame = (last: number) => {
    tiles.begin(last)
    tiles.look(1, 0, 0, 512)
    tiles.send(0)
  }
  frame(100)
  await source.go()
  frame(100)
  assert.equal(source.asked.length, 1)
  source.flags = 0
  frame(200)
  assert.equal(source.asked.length, 2)
  await source.go()
  frame(900)
  assert.equal(source.asked.length, 2)
})

test('after an error it is asked again, but not at once', async () => {
  const source = new Held()
  source.fails = true
  const tiles = new Tiles(source, () => undefined)
  const frame = (now: number) => {
    tiles.begin(100)
    tiles.look(1, 0, 0, 512)
    tiles.send(now)
  }
  frame(performance.now())
  await source.go()
  frame(performance.now())
  assert.equal(source.asked.length, 1)
  frame(performance.now() + 10000)
  assert.equal(source.asked.length, 2)
  await source.go()
})

test('what was asked before the trace began anew is not kept', async () => {
  const source = new Held()
  const tiles = new Tiles(source, () => undefined)
  tiles.begin(100)
  tiles.look(1, 0, 0, 512)
  tiles.send(0)
  tiles.forget()
  await source.go()
  tiles.begin(100)
  assert.equal(tiles.look(1, 0, 0, 512).length, 0)
})

test('a coarser tile stands in, else finer ones do', async () => {
  const source = new Held()
  const tiles = new Tiles(source, () => undefined)
  const get = async (level: number, from: number, until: number) => {
    tiles.begin(1e6)
    tiles.look(1, level, from, until)
    tiles.send(0)
    await source.go()
  }
  await get(2, 0, 2048)
  tiles.begin(1e6)
  assert.deepEqual(tiles.look(1, 0, 512, 1024).map(s => [s.tile.level, s.from, s.until]), [[2, 512, 1024]])
  await get(4, 16384, 24576)
  tiles.begin(1e6)
  assert.deepEqual(tiles.look(1, 5, 16384, 32768).map(s => [s.tile.level, s.from, s.until]), [[4, 16384, 24576]])
})

test('a slice in several tiles is drawn once, several slices only where their tile is', () => {
  const long = tile(0, 1, 0, [[0, 10], [20, 600]]), next = tile(0, 1, 1, [[20, 600], [700, 710]])
  const pieces: [number, number][] = []
  eachPiece([{ tile: long, from: 0, until: 512 }, { tile: next, from: 512, until: 1024 }], 0, 1024,
            p => pieces.push([p.begin, p.end]))
  assert.deepEqual(pieces, [[0, 10], [20, 600], [700, 710]])
  const several = tile(4, 1, 0, [[100, 700]])
  several.count[0] = 5
  const cut: [number, number][] = []
  eachPiece([{ tile: several, from: 0, until: 512 }], 0, 1024, p => cut.push([p.begin, p.end]))
  assert.deepEqual(cut, [[100, 512]])
})

test('whatever is looked at, the time that slices take is that of the trace', async () => {
  const made = new Made(3000)
  const track = made.rows[0].tracks[0].id, last = made.last
  const whole = made.tracks[track].reduce((sum, s) => sum + s.end - s.begin, 0)
  for (const pixels of [100, 700, 3000]) {
    const tiles = new Tiles(made, () => undefined)
    const level = levelFor(last / pixels)
    const look = () => {
      tiles.begin(last)
      return tiles.look(track, level, 0, last)
    }
    look()
    tiles.send(0)
    await new Promise(done => setTimeout(done, 40))
    let busy = 0
    eachPiece(look(), 0, last, p => busy += (p.end - p.begin) * p.share)
    assert.ok(Math.abs(busy - whole) < whole * 0.03, `${pixels}: ${busy} of ${whole}`)
  }
})
