// SPDX-License-Identifier: MIT
// Tiles of tracks: which ones a time range needs, a cache of them (the least recently used are
// dropped first), and requests for missing ones, one batch at a time. Until a tile comes, a coarser
// one or finer ones of the same range stand in for it.

import { TILE_BUCKETS, TILE_GROWS } from './protocol'
import type { Source, Tile } from './protocol'

const BYTES_MOST = 64 * 1024 * 1024
const BATCH = 512 // tiles in one request, the limit of the protocol
const COARSER = 14, FINER = 3 // levels that are searched for a stand-in
const LEVEL_MOST = 44 // 512 * 2^44 is what a double holds exactly
const RETRY_MS = 500 // before a tile that failed is requested again
const REST_MS = 50 // without a frame, before tiles of the next zoom step are requested
const AHEAD = 32 // such tiles in one request; few, as a tile that is needed now waits for it

export function tileTicks(level: number): number {
  return TILE_BUCKETS * 2 ** level
}

// The level whose buckets are about a pixel wide.
export function levelFor(ticksPerPixel: number): number {
  const level = Math.round(Math.log2(Math.max(ticksPerPixel, 1)))
  return Math.min(level, LEVEL_MOST)
}

// First and last tile that touch from..until; none lies before 0.
export function tileRange(level: number, from: number, until: number): [number, number] {
  const ticks = tileTicks(level)
  return [Math.max(0, Math.floor(from / ticks)), Math.max(0, Math.ceil(until / ticks) - 1)]
}

export function tileBytes(tile: Tile): number {
  return 200 + tile.pieces * 60
}

function keyOf(level: number, track: number, index: number): string {
  return level + ' ' + track + ' ' + index
}

interface Entry { tile: Tile; bytes: number; last: number } // last: the trace's end when it was requested

// Tiles by key; the least recently used are dropped above `most` bytes.
export class TileCache {
  private entries = new Map<string, Entry>() // in the order of use
  bytes = 0

  constructor(private readonly most = BYTES_MOST) {}

  get(level: number, track: number, index: number): Entry | undefined {
    const key = keyOf(level, track, index)
    const entry = this.entries.get(key)
    if (entry) {
      this.entries.delete(key)
      this.entries.set(key, entry)
    }
    return entry
  }

  has(level: number, track: number, index: number): boolean {
    return this.entries.has(keyOf(level, track, index))
  }

  put(tile: Tile, last: number): void {
    const key = keyOf(tile.level, tile.track, tile.index)
    this.remove(key)
    const bytes = tileBytes(tile)
    this.entries.set(key, { tile, bytes, last })
    this.bytes += bytes
    for (const old of this.entries.keys()) {
      if (this.bytes <= this.most || old === key) break
      this.remove(old)
    }
  }

  clear(): void {
    this.entries.clear()
    this.bytes = 0
  }

  get size(): number {
    return this.entries.size
  }

  private remove(key: string): void {
    const entry = this.entries.get(key)
    if (!entry) return
    this.bytes -= entry.bytes
    this.entries.delete(key)
  }
}

// A tile and the part of time for which it is shown.
export interface Shown { tile: Tile; from: number; until: number }

export class Tiles {
  private cache: TileCache
  private wanted = new Map<string, [number, number, number]>() // level, track, index
  private flying: Promise<void> | null = null
  private failed = -RETRY_MS // time of the last failed request, in ms
  private retry = 0
  private last = 0
  private looked = new Map<string, [number, number, number, number]>() // track, level, from, until
  private resting = 0
  private frame = 0
  private generation = 0
  lacks = false // this frame wanted tiles that are not loaded, not even an older version

  // came: called when a request has ended, or may be repeated
  constructor(private readonly source: Source, private readonly came: () => void, most?: number) {
    this.cache = new TileCache(most)
  }

  // Drops all tiles: they are of another trace, or the trace has begun again.
  forget(): void {
    this.cache.clear()
    this.generation++
  }

  // Begins a frame: only tiles that it looks up are wanted. last: the newest tick.
  begin(last: number): void {
    this.last = last
    this.wanted.clear()
    this.looked.clear()
    this.frame++
    clearTimeout(this.resting)
    this.lacks = false
  }

  // Returns the tiles to draw for a track, in order; missing ones become wanted.
  look(track: number, level: number, from: number, until: number): Shown[] {
    const shown: Shown[] = []
    this.looked.set(track + ' ' + level, [track, level, from, until])
    const [first, end] = tileRange(level, from, Math.min(until, this.last + 1))
    for (let index = first; index <= end; index++) this.lookTile(track, level, index, shown)
    return shown
  }

  private lookTile(track: number, level: number, index: number, shown: Shown[]): void {
    const ticks = tileTicks(level)
    const from = index * ticks, until = from + ticks
    const entry = this.cache.get(level, track, index)
    if (!entry || (entry.tile.flags & TILE_GROWS && entry.last < this.last)) {
      this.wanted.set(keyOf(level, track, index), [level, track, index])
    }
    this.lacks ||= !entry
    if (entry) shown.push({ tile: entry.tile, from, until })
    else this.standIn(track, level, index, from, until, shown)
  }

  private standIn(track: number, level: number, index: number, from: number, until: number,
                  shown: Shown[]): void {
    for (let up = 1; up <= COARSER && level + up <= LEVEL_MOST; up++) {
      const entry = this.cache.get(level + up, track, Math.floor(index / 2 ** up))
      if (!entry) continue
      shown.push({ tile: entry.tile, from, until })
      return
    }
    for (let down = 1; down <= FINER && level - down >= 0; down++) {
      const ticks = tileTicks(level - down)
      const before = shown.length
      for (let i = index * 2 ** down; i < (index + 1) * 2 ** down; i++) {
        const entry = this.cache.get(level - down, track, i)
        if (entry) shown.push({ tile: entry.tile, from: i * ticks, until: (i + 1) * ticks })
      }
      if (shown.length > before) return
    }
  }

  // Called at the end of a frame: requests the tiles that it wanted, if no request is under way.
  send(now: number): void {
    if (this.flying) return
    if (this.wanted.size === 0) {
      this.rest(REST_MS)
      return
    }
    const pause = this.failed + RETRY_MS - now
    if (pause > 0) {
      this.retry ||= setTimeout(() => {
        this.retry = 0
        this.came()
      }, pause) as unknown as number
      return
    }
    this.flying = this.fetch([...this.wanted.values()]).finally(() => {
      this.flying = null
      this.came()
    })
  }

  // At rest: requests the tiles that a zoom step in or out would want, so that its first frame has
  // them.
  private goAhead(): void {
    const { frame } = this
    const ahead: [number, number, number][] = []
    for (const step of [1, -1]) {
      for (const look of this.looked.values()) this.missing(look, step, ahead)
    }
    if (ahead.length === 0) return
    const before = this.cache.size
    void this.fetch(ahead).then(() => {
      if (frame === this.frame && this.cache.size > before) this.rest(0)
    })
  }

  private rest(ms: number): void {
    this.resting = setTimeout(() => this.goAhead(), ms) as unknown as number
  }

  // Adds the missing tiles of the level next to the one that was looked up.
  private missing([track, level, from, until]: [number, number, number, number], step: number,
                  to: [number, number, number][]): void {
    const next = level + step
    if (next < 0 || next > LEVEL_MOST) return
    const margin = step > 0 ? (until - from) / 2 : 0
    const [first, end] = tileRange(next, from - margin, Math.min(until + margin, this.last + 1))
    for (let index = first; index <= end && to.length < AHEAD; index++) {
      if (!this.cache.has(next, track, index)) to.push([next, track, index])
    }
  }

  get busy(): boolean {
    return this.flying !== null || this.wanted.size > 0
  }

  // One request per level, for the tiles wanted first (those of the rows, then of the overview).
  private async fetch(wanted: [number, number, number][]): Promise<void> {
    const { generation, last } = this
    const levels = new Map<number, [number, number][]>()
    for (const [level, track, index] of wanted.slice(0, BATCH)) {
      if (!levels.has(level)) levels.set(level, [])
      levels.get(level)!.push([track, index])
    }
    const asked = [...levels].map(([level, tiles]) => this.source.tiles(level, tiles))
    try {
      const answers = await Promise.all(asked)
      if (generation !== this.generation) return
      for (const tile of answers.flat()) this.cache.put(tile, last)
    } catch {
      this.failed = performance.now()
    }
  }
}
