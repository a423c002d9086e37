// SPDX-License-Identifier: MIT
// The tiles of a file of `wallfly page`. A missing tile is made from the nearest coarser one, which
// has all slices of its range one by one. Above the coarsest level, its few tiles are combined.

import { PIECE_COARSE, TILE_GROWS } from './protocol'
import type { Tile } from './protocol'
import { tileTicks } from './tiles'

export type Slice = [number, number, number, number, number] // begin, end, value, more, flags

// Makes a tile with another number from the pieces at these indexes.
function chosen(parts: [Tile, number[]][], track: number, level: number, index: number): Tile {
  const pieces = parts.reduce((sum, [, places]) => sum + places.length, 0)
  const doubles = (member: 'begin' | 'end' | 'busy' | 'value' | 'min' | 'max') =>
    Float64Array.from(parts.flatMap(([tile, places]) => places.map(i => tile[member][i])))
  const words = (member: 'count' | 'more' | 'pieceFlags') =>
    Uint32Array.from(parts.flatMap(([tile, places]) => places.map(i => tile[member][i])))
  return {
    track, level, index, pieces,
    flags: parts.reduce((flags, [tile]) => flags | tile.flags, 0) & ~TILE_GROWS,
    begin: doubles('begin'), end: doubles('end'), busy: doubles('busy'), value: doubles('value'),
    min: doubles('min'), max: doubles('max'), count: words('count'), more: words('more'),
    pieceFlags: words('pieceFlags')
  }
}

function touching(tile: Tile, from: number, until: number): number[] {
  const places: number[] = []
  for (let i = 0; i < tile.pieces; i++) {
    if (tile.begin[i] < until && tile.end[i] >= from) places.push(i)
  }
  return places
}

export class KeptTiles {
  private readonly tiles = new Map<string, Tile>()
  private readonly byTrack = new Map<number, Tile[]>()
  private readonly sliced = new Map<number, Slice[]>()
  private coarsest = 0

  put(tile: Tile): void {
    tile.flags &= ~TILE_GROWS
    this.tiles.set(`${tile.level} ${tile.track} ${tile.index}`, tile)
    if (!this.byTrack.has(tile.track)) this.byTrack.set(tile.track, [])
    this.byTrack.get(tile.track)!.push(tile)
    this.coarsest = Math.max(this.coarsest, tile.level)
  }

  get(level: number, track: number, index: number): Tile {
    const from = index * tileTicks(level), until = from + tileTicks(level)
    if (level > this.coarsest) return this.above(level, track, index, from, until)
    for (let up = level; up <= this.coarsest; up++) {
      const tile = this.tiles.get(`${up} ${track} ${Math.floor(index / 2 ** (up - level))}`)
      if (!tile) continue
      return up === level ? tile : chosen([[tile, touching(tile, from, until)]], track, level, index)
    }
    return chosen([], track, level, index)
  }

  // A slice that lies in several tiles is taken once.
  private above(level: number, track: number, index: number, from: number, until: number): Tile {
    const below = (this.byTrack.get(track) ?? [])
      .filter(tile => tile.level === this.coarsest && tile.index * tileTicks(tile.level) >= from &&
              tile.index * tileTicks(tile.level) < until)
      .sort((a, b) => a.index - b.index)
    const parts = below.map((tile, i): [Tile, number[]] => {
      const begin = tile.index * tileTicks(tile.level)
      const again = (place: number) => i > 0 && tile.begin[place] < begin
      return [tile, touching(tile, from, until).filter(place => !again(place))]
    })
    return chosen(parts, track, level, index)
  }

  // Returns the slices of a track that are present one by one, in order.
  slices(track: number): Slice[] {
    const known = this.sliced.get(track)
    if (known) return known
    const found = new Map<string, Slice>()
    for (const tile of this.byTrack.get(track) ?? []) {
      for (let i = 0; i < tile.pieces; i++) {
        if (tile.count[i] !== 1 || tile.pieceFlags[i] & PIECE_COARSE) continue
        const slice: Slice = [tile.begin[i], tile.end[i], tile.value[i], tile.more[i], tile.pieceFlags[i]]
        found.set(slice.slice(0, 3).join(), slice)
      }
    }
    const slices = [...found.values()].sort((a, b) => a[0] - b[0])
    this.sliced.set(track, slices)
    return slices
  }
}
