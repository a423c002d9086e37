// SPDX-License-Identifier: MIT
// The strip on top: load and losses of the whole trace, with a box around the range shown below.

import { packed } from './colours'
import { density } from './dense'
import { drawOverviewMarks } from './draw_flags'
import type { Flags } from './draw_flags'
import { drawStack, IDLE, unknownArea } from './draw_load'
import { OVERVIEW } from './geometry'
import { windowTicks } from './loads'
import type { HitsState } from './hits'
import type { Loads } from './loads'
import { Patterns } from './patterns'
import type { Pen } from './pen'
import type { Row, Track } from './protocol'
import type { Raster } from './raster'
import { eachPiece } from './sheet'
import { levelFor, tileRange } from './tiles'
import type { Tiles } from './tiles'
import { shortLength } from './times'
import type { View } from './view'

const TRACKS_MOST = 8
const FINER = 4 // windows of the load are this much shorter than in rows
const TOP = 5, FOOT = 6 // free above, and for the losses below

// Returns tracks that show the load, by kind, the best kind first. Kinds without tracks are left
// out.
export function overviewTracks(rows: Row[]): Track[][] {
  const kinds = ['runs', 'steps', 'states', 'irqs', 'marks', 'level', 'used', 'machine'] as const
  return kinds
    .map(kind => rows.flatMap(row => row.tracks.filter(track => track.kind === kind)).slice(0, TRACKS_MOST))
    .filter(found => found.length > 0)
}

// Returns the row of the load of all cores, or of the only one.
export function overviewLoad(rows: Row[]): Row | undefined {
  const loads = rows.filter(row => row.kind === 'load')
  return loads.find(row => row.core < 0) ?? loads[0]
}

// What the load was drawn of, and how: pixels, and [from, until, height] of unknown time.
interface Drawn { of: unknown[]; pixels: Uint32Array; lost: [number, number, number][] }

export class Overview {
  private readonly patterns: Patterns
  private drawn: Drawn | null = null
  first = 0 // the whole trace, or the part of it in a file
  last = 1

  constructor(private readonly pen: Pen, private readonly raster: Raster,
              private readonly tiles: Tiles, private readonly loads: Loads) {
    this.patterns = new Patterns(pen.ctx)
  }

  x(t: number): number {
    return this.pen.left + (t - this.first) / (this.last - this.first) * this.pen.width
  }

  time(x: number): number {
    return this.first + (x - this.pen.left) / this.pen.width * (this.last - this.first)
  }

  draw(view: View, first: number, last: number, what: string): void {
    const { pen } = this, { rows } = view
    const { ctx, theme } = pen
    this.first = first
    this.last = Math.max(first + 1, last)
    ctx.fillStyle = theme.column
    pen.rect(0, 0, pen.left + pen.width, OVERVIEW)
    const level = levelFor((this.last - first) / pen.width)
    if (!this.drawLoad(view)) overviewTracks(rows).some(tracks => this.drawTracks(tracks, level))
    this.raster.paint()
    this.drawLosses(rows, level)
    pen.text(shortLength(last - first, pen.hz), 10, 16, theme.text, pen.left - 16)
    pen.plain(10)
    pen.text(what, 10, 31, theme.muted, pen.left - 16)
    pen.plain()
    ctx.fillStyle = theme.line
    pen.rect(0, OVERVIEW - 1, pen.left + pen.width, 1)
  }

  // Draws the load of all cores, stacked. Returns false if nothing ran, or it is not loaded yet. The
  // pixels are kept as long as they would be the same.
  private drawLoad(view: View): boolean {
    const { pen, raster, loads } = this
    const row = overviewLoad(view.rows)
    if (!row) return false
    const width = windowTicks(0, 0, (this.last - this.first) / pen.width / FINER, loads.step)
    const at = { core: row.core, width, from: this.first, until: this.last, top: TOP, height: OVERVIEW - TOP - FOOT }
    let seen = false
    const whole = loads.each(at.core, width, at.from, at.until, ({ parts }) => {
      seen ||= parts.some((thing, i) => i % 2 === 0 && thing !== IDLE)
    })
    if (!whole || !seen) return false
    const now = [loads.version, width, this.first, this.last, pen.left, pen.width, pen.scale, pen.theme, view.things, view.rows]
    if (this.drawn && now.every((value, i) => value === this.drawn!.of[i])) raster.block(at.top, at.height).set(this.drawn.pixels)
    else {
      const lost: Drawn['lost'] = []
      const pixels = drawStack(pen, raster, loads, view, at, t => this.x(t), (from, until, height) => lost.push([from, until, height]))
      this.drawn = { of: now, pixels: pixels.slice(), lost }
    }
    raster.paint()
    for (const [from, until, height] of this.drawn.lost) {
      const { colour, x, y, width, height: high } = unknownArea(pen, TOP, this.x(from), this.x(until), height)
      pen.ctx.fillStyle = this.patterns.get('hatch', colour, pen.scale, 0, y)
      pen.rect(x, y, width, high)
    }
    return true
  }

  // Returns false when the tracks are loaded and have nothing to show.
  private drawTracks(tracks: Track[], level: number): boolean {
    const height = Math.max(2, Math.floor((OVERVIEW - TOP - FOOT) / tracks.length))
    return tracks.map((track, i) => this.drawTrack(track, level, TOP + i * height, height)).some(seen => seen)
  }

  private drawTrack(track: Track, level: number, y: number, height: number): boolean {
    const strip = this.raster.strip(y, height > 4 ? height - 1 : height)
    const shown = this.tiles.look(track.id, level, this.first, this.last)
    const [begin, end] = tileRange(level, this.first, this.last)
    let seen = shown.length < end - begin + 1 // it may be in a tile that is not loaded yet
    eachPiece(shown, this.first, this.last, p => {
      const colour = this.colour(track, p.value, p.count, p.share, p.max)
      if (colour === 0) return
      seen = true
      const column = (t: number) => Math.round((this.x(t) - this.pen.left) * this.pen.scale)
      const first = Math.max(0, column(p.begin)), end = Math.max(first + 1, column(p.end))
      strip.fill(colour, first, Math.min(end, strip.length))
    })
    return seen
  }

  // Idle is transparent; pieces of several slices are fainter.
  private colour(track: Track, value: number, count: number, share: number, max: number): number {
    const { pen } = this
    if (track.kind === 'runs') {
      const thing = value > 1 ? value : count > 1 && share > 0 ? max : 0
      return thing ? pen.pack(thing, count > 1 ? density(share) : 1) : 0
    }
    if (track.kind === 'states') return share > 0 ? packed(pen.theme.grey, density(share)) : 0
    return packed(pen.theme.grey, count > 1 ? density(share) : 0.6)
  }

  private drawLosses(rows: Row[], level: number): void {
    const { pen } = this
    pen.ctx.fillStyle = pen.theme.loss
    for (const track of rows.flatMap(row => row.tracks.filter(t => t.kind === 'loss'))) {
      eachPiece(this.tiles.look(track.id, level, this.first, this.last), this.first, this.last, p => {
        const x0 = this.x(p.begin)
        pen.rect(x0, OVERVIEW - FOOT, Math.max(2, this.x(p.end) - x0), 4)
      })
    }
  }

  // Draws the box around the visible range, dims the rest, and draws the marks over both.
  drawWindow(pen: Pen, from: number, until: number, flags: Flags, hits: HitsState): void {
    const { ctx, theme } = pen
    const right = pen.left + pen.width
    const x0 = Math.max(pen.left, this.x(from)), x1 = Math.min(right, Math.max(this.x(until), x0 + 3))
    ctx.fillStyle = theme.dark ? 'rgba(8,10,13,0.6)' : 'rgba(225,230,235,0.72)'
    pen.rect(pen.left, 0, x0 - pen.left, OVERVIEW - 1)
    pen.rect(x1, 0, right - x1, OVERVIEW - 1)
    ctx.strokeStyle = theme.accent
    ctx.lineWidth = 1.5
    ctx.strokeRect(pen.snap(x0) + 0.75, 1, Math.max(2, pen.snap(x1 - x0) - 1.5), OVERVIEW - 3)
    drawOverviewMarks(pen, flags, t => this.x(t))
    this.drawHits(pen, hits)
  }

  // Ticks of the hits of a search; their height shows where there are many.
  private drawHits(pen: Pen, { bins, width }: HitsState): void {
    const most = bins.reduce((least, [, count]) => Math.max(least, count), 1)
    pen.ctx.fillStyle = pen.theme.accent
    for (const [bin, count] of bins) {
      const high = 4 + Math.round(5 * Math.log(count) / Math.max(1, Math.log(most)))
      pen.rect(Math.round(this.x((bin + 0.5) * width)) - 1, OVERVIEW - 2 - high, 2, high)
    }
  }
}
