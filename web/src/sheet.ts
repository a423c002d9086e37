// SPDX-License-Identifier: MIT
// The drawing of a frame in layers: strips of colour, then patterns, then labels. Drawing functions
// add to them; paint() draws one layer after the other.

import { Patterns } from './patterns'
import { Pen } from './pen'
import { Raster } from './raster'
import { tileTicks } from './tiles'
import type { Shown, Tiles } from './tiles'

interface Area { pattern: 'hatch' | 'dots' | 'dashes' | 'unknown'; colour: string; x: number; y: number
                 width: number; height: number }
interface Label { text: string; x: number; y: number; room: number; colour: string; size: number }

// A piece as it is drawn. The same object is reused for each piece: copy what you need.
export interface Piece {
  begin: number // clipped to the range that its tile shows, if it has several slices
  end: number
  share: number // of the time from begin to end that is busy (docs/page-protocol.md)
  value: number
  min: number
  max: number
  count: number
  more: number
  flags: number
}

const piece: Piece = {
  begin: 0, end: 0, share: 1, value: 0, min: 0, max: 0, count: 0, more: 0, flags: 0
}

// Sets `piece` to piece i of a tile.
function load(shown: Shown, i: number): void {
  const { tile } = shown
  const begin = tile.begin[i], end = tile.end[i]
  piece.count = tile.count[i]
  piece.value = tile.value[i]
  piece.min = tile.min[i]
  piece.max = tile.max[i]
  piece.more = tile.more[i]
  piece.flags = tile.pieceFlags[i]
  piece.share = end > begin ? Math.min(1, tile.busy[i] / (end - begin)) : 1
  const cut = piece.count > 1
  piece.begin = cut ? Math.max(begin, shown.from) : begin
  piece.end = cut ? Math.min(end, shown.until) : end
}

// Calls `take` for each piece shown, in order; once for a slice that lies in several tiles.
export function eachPiece(shown: Shown[], from: number, until: number, take: (p: Piece) => void): void {
  let begin = NaN, end = NaN
  for (const part of shown) {
    const { tile } = part
    const low = Math.max(from, part.from), high = Math.min(until, part.until)
    for (let i = firstAt(tile.end, low); i < tile.pieces && tile.begin[i] < high; i++) {
      if (tile.begin[i] === begin && tile.end[i] === end && tile.count[i] === 1 && begin !== end) continue
      load(part, i)
      if (piece.end < piece.begin) continue
      begin = tile.begin[i]
      end = tile.end[i]
      take(piece)
    }
  }
}

// Returns the index of the first piece that does not end before `at`; pieces are in order.
export function firstAt(ends: Float64Array, at: number): number {
  let low = 0, high = ends.length
  while (low < high) {
    const middle = low + high >> 1
    if (ends[middle] < at) low = middle + 1
    else high = middle
  }
  return low
}

const UNKNOWN_LEAST = 16 // pixels

export class Sheet {
  readonly raster: Raster
  readonly patterns: Patterns
  private areas: Area[] = []
  private labels: Label[] = []
  level = 0

  constructor(readonly pen: Pen, readonly tiles: Tiles) {
    this.raster = new Raster(pen.ctx)
    this.patterns = new Patterns(pen.ctx)
  }

  begin(level: number): void {
    this.level = level
    this.areas = []
    this.labels = []
    this.raster.begin(this.pen.left, this.pen.width, this.pen.scale)
  }

  look(track: number): Shown[] {
    return this.tiles.look(track, this.level, this.pen.from, this.pen.until)
  }

  // Returns the begin of the first piece that ends after `at`, or `until` if that is earlier.
  nextAfter(track: number, at: number, until: number): number {
    for (const { tile, until: end } of this.look(track)) {
      const i = end <= at ? tile.pieces : firstAt(tile.end, at + 1e-9)
      if (i < tile.pieces) return Math.min(until, tile.begin[i])
    }
    return until
  }

  each(track: number, take: (p: Piece) => void): void {
    eachPiece(this.look(track), this.pen.from, this.pen.until, take)
  }

  // Returns the column of a strip at x: where pen.snap() puts a line of the ruler.
  column(x: number): number {
    return Math.round(x * this.pen.scale) - Math.round(this.pen.left * this.pen.scale)
  }

  // Fills columns of a strip from x0 to x1 (CSS pixels), at least one.
  fill(strip: Uint32Array, x0: number, x1: number, colour: number, edge = colour): void {
    const first = this.column(x0)
    const end = Math.min(strip.length, Math.max(first + 1, this.column(x1)))
    if (end <= 0 || first >= strip.length) return
    strip.fill(colour, Math.max(0, first), end)
    if (edge !== colour && first >= 0 && end - first >= 4) strip[first] = edge
  }

  // Draws question marks where the state is unknown.
  unknown(x0: number, x1: number, y: number, height: number): void {
    if (x1 - x0 < UNKNOWN_LEAST) return
    this.area({ pattern: 'unknown', colour: this.pen.theme.faint, x: x0, y, width: x1 - x0, height })
  }

  area(area: Area): void {
    this.areas.push(area)
  }

  // Adds a text within x0..x1; it stays visible as long as there is room for it.
  label(text: string, x0: number, x1: number, y: number, colour: string, size = 11): void {
    const { left, width } = this.pen
    const from = Math.max(x0, left) + 4, until = Math.min(x1, left + width) - 3
    if (!text || until - from < 10) return
    const last = this.labels[this.labels.length - 1] // the same slice in the next tile, longer by now?
    if (last?.text === text && last.y === y && last.x === from) last.room = until - from
    else this.labels.push({ text, x: from, y, room: until - from, colour, size })
  }

  paint(): void {
    this.raster.paint()
    for (const area of this.areas) this.paintArea(area)
    this.labels.sort((a, b) => a.size - b.size) // changing the font takes time
    for (const { text, x, y, room, colour, size } of this.labels) {
      this.pen.plain(size)
      this.pen.text(text, x, y, colour, room)
    }
    this.pen.plain()
  }

  private paintArea(area: Area): void {
    const { ctx, scale, left, width } = this.pen
    const x0 = Math.max(left, area.x), x1 = Math.min(left + width, area.x + area.width)
    if (x1 <= x0) return
    const shift = area.pattern === 'unknown' ? x0 : this.shift
    ctx.fillStyle = this.patterns.get(area.pattern, area.colour, scale, shift, area.y)
    this.pen.rect(x0, area.y, x1 - x0, area.height)
  }

  // Returns the x of a fixed time, so that patterns move with time.
  get shift(): number {
    const { pen } = this
    const ticks = tileTicks(this.level)
    return pen.x(Math.floor(pen.from / ticks) * ticks)
  }
}
