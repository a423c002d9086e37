// SPDX-License-Identifier: MIT
// The strip on top: it is never blank where the trace has something to show.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Overview, overviewTracks } from '../src/overview'
import type { LoadWindow } from '../src/loads'
import type { Row, Tile, TrackKind } from '../src/protocol'
import { levelFor, tileTicks } from '../src/tiles'

const WIDTH = 100, LAST = 1000
const row = (...kinds: TrackKind[]): Row => ({
  kind: 'task', thing: 0, name: '', core: -1, tracks: kinds.map(kind => ({ id: kinds.indexOf(kind) + 10 * kind.length, kind, level: 0 }))
})

function tile(track: number, at: number[], value: number): Tile {
  const all = (n: number) => new Float64Array(at.length).fill(n), none = () => new Uint32Array(at.length)
  return {
    track, level: 0, index: 0, flags: 0, pieces: at.length, begin: new Float64Array(at), end: new Float64Array(at.map(t => t + 1)),
    busy: all(0), value: all(value), min: all(value), max: all(value), count: none().fill(1), more: none(), pieceFlags: none()
  }
}

// Draws rows whose tracks have slices of a value at given times; returns the filled columns of the
// strips. A track that is not in `slices` is not loaded yet.
function drawn(rows: Row[], slices: { [kind in TrackKind]?: [number[], number] }, windows?: number[][]): number[][] {
  const strips: Uint32Array[] = []
  const raster = { strip: () => (strips.push(new Uint32Array(WIDTH)), strips[strips.length - 1]), paint: () => {}, columns: WIDTH,
                   block: (_: number, lines: number) => (strips.push(new Uint32Array(WIDTH * lines)), strips[strips.length - 1]) }
  const nothing = () => {}
  const pen = {
    ctx: {}, theme: { grey: [1, 2, 3] }, left: 0, width: WIDTH, scale: 1, hz: 0, rect: nothing, text: nothing, plain: nothing, pack: () => 7, edge: () => 8
  }
  const kinds = new Map(rows.flatMap(r => r.tracks).map(t => [t.id, t.kind]))
  const tiles = {
    look: (track: number, level: number) => {
      const of = slices[kinds.get(track)!]
      assert.ok(tileTicks(level) > LAST, 'one tile')
      return of ? [{ tile: tile(track, ...of), from: 0, until: tileTicks(level) }] : []
    }
  }
  const loads = {
    step: 1,
    each: (_core: number, _width: number, _from: number, _until: number, take: (window: LoadWindow) => void) => {
      windows?.forEach(parts => take({ from: 500, until: 600, parts, exact: true }))
      return !!windows
    }
  }
  assert.equal(levelFor(LAST / WIDTH), 3)
  new Overview(pen as never, raster as never, tiles as never, loads as never).draw({ rows } as never, 0, LAST, '')
  return strips.map(strip => [...strip.keys()].filter(i => strip[i] !== 0))
}

test('what says best how busy it is comes first', () => {
  const kinds = overviewTracks([row('marks'), row('states', 'holds'), row('runs'), row('states')]).map(t => t.map(({ kind }) => kind))
  assert.deepEqual(kinds, [['runs'], ['states', 'states'], ['marks']])
})

test('only that is drawn', () => {
  assert.deepEqual(drawn([row('runs'), row('marks')], { runs: [[500], 2], marks: [[100], 5] }), [[50]])
})

test('where nothing runs the records are drawn', () => {
  const rows = [row('runs'), row('states'), row('marks')]
  assert.deepEqual(drawn(rows, { runs: [[], 0], states: [[], 0], marks: [[100, 900], 5] }).at(-1), [10, 90])
  assert.deepEqual(drawn(rows, { runs: [[0], 1], states: [[], 0], marks: [[100, 900], 5] }).at(-1), [10, 90], 'all idle')
})

test('what has not come yet is waited for', () => {
  assert.deepEqual(drawn([row('runs'), row('marks')], { marks: [[100], 5] }), [[]])
})

test('the load of all is drawn as a stack when it is loaded, unless nothing ran', () => {
  const load: Row = { kind: 'load', thing: 0, name: '', core: 0, tracks: [] }, rows = [row('runs'), load]
  const [stack] = drawn(rows, {}, [[2, 50, 1, 50]])
  assert.deepEqual([stack.length % 10, Math.min(...stack) % WIDTH, Math.max(...stack) % WIDTH], [0, 50, 59])
  assert.ok(Math.min(...stack) >= 12 * WIDTH, 'the lower half')
  assert.equal(drawn(rows, {}, [[2, 1e-6, 1, 100]])[0].length, 10, 'a line for hardly any')
  assert.deepEqual(drawn(rows, { runs: [[700], 2] }), [[70]], 'not loaded')
  assert.deepEqual(drawn(rows, { runs: [[700], 2] }, [[1, 100]]), [[70]], 'all idle')
})
