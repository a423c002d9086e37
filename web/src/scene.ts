// SPDX-License-Identifier: MIT
// Draws a frame: the visible lines, the pieces in each, the layers over all of them, and the parts
// that follow the pointer.

import { arrowAt, middles } from './arrow_lines'
import { Arrows, drawArrows, drawCount } from './draw_arrows'
import { bandsOf, drawFilters, drawLosses, drawOutside, filterTouches, lossTouches } from './draw_bands'
import type { Band } from './draw_bands'
import { drawBoxes, drawHolds } from './draw_boxes'
import { drawFlags, drawMarkBands, drawOther, drawPlace } from './draw_flags'
import type { Flags } from './draw_flags'
import { drawJobs } from './draw_jobs'
import { drawLevel } from './draw_levels'
import type { Scale } from './draw_levels'
import { coresOf, drawStack, partsOf, Stacking, unknownArea } from './draw_load'
import { drawMarkers } from './draw_markers'
import { drawMarks, drawUnpaired } from './draw_marks'
import { drawPriority, drawRaises, priorityNow } from './draw_priority'
import { drawHeading, drawName } from './draw_names'
import type { Hover, NameOf } from './draw_names'
import { drawStates } from './draw_states'
import { BAR, OVERVIEW, RULER } from './geometry'
import type { Geometry } from './geometry'
import { linesWithin } from './layout'
import type { Lane, Line } from './layout'
import { windowTicks } from './loads'
import type { Loads } from './loads'
import { saysNothing } from './nothing'
import type { Overview } from './overview'
import type { Pen } from './pen'
import type { Arrow, Row, TrackKind } from './protocol'
import { drawGrid, drawMeasure, drawRuler, rulerOf } from './ruler'
import type { Ruler } from './ruler'
import type { Sheet } from './sheet'
import { firstTick } from './store'
import { levelFor } from './tiles'
import { shortLength, timeText } from './times'
import type { LoadUnder } from './tip'
import type { View } from './view'
import { clockNames, wallAt, wallRuler, wallText } from './wall'

export interface Pointer { x: number; y: number; busy: boolean } // busy: a drag is under way

// Tracks that have gaps only where the state is unknown.
const toldAgain = new Set<TrackKind | undefined>(['runs', 'states', 'machine'])
const HOLES_MOST = 40 // with more, the gaps between them are too small to mark

interface Loss { core: number; bands: Band[] }

export class Scene {
  private losses: Loss[] = []
  private cores = false // are there several?
  private filters: Band[] = []
  readonly stacking = new Stacking()
  private ruler: Ruler = { base: '', labels: [], step: 1, start: 0 }

  constructor(private readonly view: View, private readonly geometry: Geometry,
              private readonly sheet: Sheet, private readonly overview: Overview,
              private readonly arrows: Arrows, private readonly flags: Flags, private readonly loads: Loads) {}

  draw(hover: Hover | null): void {
    const { geometry, sheet, view } = this
    const { pen } = sheet
    const last = view.status?.last ?? 0
    sheet.begin(levelFor((pen.until - pen.from) / geometry.plot))
    const { clock, hello } = view
    this.ruler = clock !== 'trace' && hello?.wall ? wallRuler(hello.wall, clock, pen.from, pen.until, geometry.plot)
      : rulerOf(pen.from, pen.until, geometry.plot, pen.hz)
    pen.ctx.fillStyle = pen.theme.back
    pen.rect(0, 0, geometry.width, geometry.height)
    this.findBands()
    this.cores = view.rows.filter(row => row.kind === 'core').length > 1
    const of: NameOf = { view, column: geometry.column, scales: new Map(), window: this.windowText(), priorities: new Map(), unpaired: new Map(), hover,
                         cores: this.cores }
    this.drawPart('rows', of, last)
    this.drawPart('pinned', of, last)
    drawArrows(pen, geometry, this.arrows.arrows)
    this.drawFrame()
    if (saysNothing(view)) this.drawNothing()
    this.overview.draw(view, firstTick(view), last, view.hello?.part ? 'all of this file' : 'whole trace')
  }

  // Requests what belongs to the frame besides tiles and loads; after those, which are seen first.
  send(): void {
    const { view, geometry, sheet: { pen } } = this
    this.arrows.want(pen.from, pen.until, geometry.plot)
    this.flags.want(pen.from, pen.until, firstTick(view), view.status?.last ?? 0)
  }

  private findBands(): void {
    this.losses = []
    this.filters = []
    for (const row of this.view.rows) {
      if (row.kind !== 'link') continue
      for (const track of row.tracks) {
        const bands = track.kind === 'loss' || track.kind === 'filters' ? bandsOf(this.sheet, track.id) : []
        if (track.kind === 'loss') this.losses.push({ core: row.core, bands })
        if (track.kind === 'filters') this.filters.push(...bands)
      }
    }
  }

  // Returns the hole of a row at time t, within two pixels; null if there is none.
  lossAt(row: Row, t: number): Band | null {
    const near = 2 * (this.sheet.pen.until - this.sheet.pen.from) / this.geometry.plot
    for (const { core, bands } of this.losses) {
      if (!lossTouches(row, core)) continue
      const band = bands.find(b => t >= b.begin - near && t <= b.end + near)
      if (band) return band
    }
    return null
  }

  arrowAt(x: number, y: number): Arrow | null {
    const { geometry, sheet: { pen } } = this
    if (x < geometry.left || y < geometry.pinnedTop) return null
    return arrowAt(this.arrows.arrows, middles(geometry), t => pen.x(t), x, y)
  }

  // The length of the windows of loads, in ticks.
  private get window(): number {
    const { pen } = this.sheet
    return windowTicks(this.view.loadWindow, pen.hz, (pen.until - pen.from) / this.geometry.plot, this.loads.step)
  }

  private windowText(): string {
    const text = `window ${shortLength(this.window, this.sheet.pen.hz)}`
    return this.view.loadWindow ? text : text + ', auto'
  }

  private drawLoad(row: Row, lane: Lane, top: number): Scale {
    const { sheet, view } = this, { pen } = sheet, y = top + lane.y
    const at = { core: row.core, width: this.window, from: pen.from, until: pen.until, top: y, height: lane.height }
    drawStack(pen, sheet.raster, this.loads, view, at, t => pen.x(t),
              (from, until, height) => {
                if (!this.isLost(row, from, until)) sheet.area(unknownArea(pen, y, pen.x(from), pen.x(until), height))
              })
    return { low: 0, high: 100 * coresOf(view.rows, row.core), unit: ' %' }
  }

  // Returns whether a hole, which is hatched itself, has all of a stretch of time.
  private isLost(row: Row, from: number, until: number): boolean {
    return this.losses.some(({ core, bands }) => lossTouches(row, core) && bands.some(band => band.begin <= from && band.end >= until))
  }

  // Returns the window of a load under the pointer.
  loadAt(x: number, y: number): LoadUnder | null {
    const { geometry, view, sheet: { pen } } = this
    const line = x < geometry.left ? null : geometry.lineAt(y)?.line, row = line && view.rows[line.row]
    if (!row || row.kind !== 'load') return null
    const t = pen.time(x), cores = coresOf(view.rows, row.core)
    let under: LoadUnder | null = null
    this.loads.each(row.core, this.window, t, t + 1e-9, window => {
      if (t >= window.from && t < window.until) under = { row, t, window, ...partsOf(window, cores) }
    })
    return under
  }

  // Draws the pinned rows or the others, clipped to their part.
  private drawPart(part: 'pinned' | 'rows', of: NameOf, last: number): void {
    const { geometry, sheet } = this
    const { pen } = sheet
    const top = part === 'pinned' ? geometry.pinnedTop : geometry.rowsTop
    const bottom = part === 'pinned' ? geometry.rowsTop : geometry.height
    if (bottom <= top) return
    const offset = geometry.offset(part)
    const lines = linesWithin(part === 'pinned' ? geometry.layout.pinned : geometry.layout.lines,
                              top - offset, bottom - offset)
    pen.ctx.save()
    pen.ctx.beginPath()
    pen.ctx.rect(0, top, geometry.width, bottom - top)
    pen.ctx.clip()
    drawOutside(sheet, firstTick(this.view), last, top, bottom)
    drawGrid(pen, this.ruler, top, bottom)
    for (const line of lines) if (line.row >= 0) this.drawLine(line, line.y + offset, of)
    sheet.paint()
    this.drawBands(lines, offset)
    drawMarkBands(pen, this.view, this.flags, lines, offset)
    this.drawColumn(lines, offset, of, part === 'pinned', top, bottom)
    pen.ctx.restore()
  }

  private drawLine(line: Line, top: number, of: NameOf): void {
    const row = this.view.rows[line.row]
    this.sheet.pen.ctx.fillStyle = this.sheet.pen.theme.grid
    this.sheet.pen.rect(this.geometry.left, top + line.height - 1, this.geometry.plot, 1)
    for (const lane of line.lanes) this.drawLane(row, line, lane, top, of)
    if (toldAgain.has(line.lanes[0]?.track.kind)) this.drawUnknown(row, line.lanes[0], top)
  }

  // Marks a lane as unknown from the end of a hole to the next piece.
  private drawUnknown(row: Row, lane: Lane, top: number): void {
    const { sheet } = this
    const end = Math.min(sheet.pen.until, this.view.status?.last ?? 0)
    for (const { core, bands } of this.losses) {
      if (bands.length > HOLES_MOST || !lossTouches(row, core)) continue
      bands.forEach((band, i) => {
        const until = Math.min(end, bands[i + 1]?.begin ?? end)
        const next = sheet.nextAfter(lane.track.id, band.end, until)
        sheet.unknown(sheet.pen.x(band.end), sheet.pen.x(next), top + lane.y, lane.height)
      })
    }
  }

  private drawLane(row: Row, line: Line, lane: Lane, top: number, of: NameOf): void {
    const { sheet } = this
    switch (lane.track.kind) {
      case 'states': return drawStates(sheet, row, lane, top, this.cores)
      case 'jobs': return drawJobs(sheet, row, lane, top)
      case 'holds': return drawHolds(sheet, lane, top)
      case 'level': case 'used':
        return void of.scales.set(lane.track.id, drawLevel(sheet, row, lane, top))
      case 'marks': return drawMarks(sheet, this.view, lane, top, line.lanes[0] === lane)
      case 'unpaired': return void of.unpaired.set(line.row, drawUnpaired(sheet, lane, top))
      case 'priority':
        of.priorities.set(line.row, priorityNow(sheet, lane, this.view.cursor))
        if (lane.y > line.lanes[0].y) return void of.scales.set(lane.track.id, drawPriority(sheet, row, lane, top))
        return drawRaises(sheet, lane, top)
      case 'load': return void of.scales.set(lane.track.id, this.drawLoad(row, lane, top))
      case 'loss': case 'filters': return // as bands
      default: return drawBoxes(sheet, row, lane, top)
    }
  }

  private drawBands(lines: Line[], offset: number): void {
    const { view, sheet } = this
    const rows = lines.filter(line => line.row >= 0)
    const groups = view.hello?.groups ?? []
    for (const band of this.filters) {
      const touched = rows.filter(({ row }) =>
        view.rows[row].tracks.some(t => t.kind === 'filters') ||
        filterTouches(view.rows[row], view.things[view.rows[row].thing], band.value, groups))
      drawFilters(sheet, [band], touched, offset)
    }
    for (const { core, bands } of this.losses) {
      drawLosses(sheet, bands, rows.filter(line => lossTouches(view.rows[line.row], core)), offset)
    }
    this.drawFilterNames(rows, offset, groups)
  }

  private drawFilterNames(lines: Line[], offset: number, groups: string[]): void {
    const { view, sheet } = this
    const { pen } = sheet
    for (const line of lines) {
      const lane = line.lanes.find(l => l.track.kind === 'filters')
      if (!lane || !view.rows[line.row]) continue
      for (const band of this.filters) {
        const x0 = Math.max(pen.left, pen.x(band.begin)), x1 = pen.x(band.end)
        const names = groups.filter((_, bit) => Math.floor(band.value / 2 ** bit) % 2 === 1).join(' ')
        pen.plain(10)
        if (x1 - x0 > 30) pen.text('off: ' + names, x0 + 4, line.y + offset + lane.y + 10, pen.theme.muted, x1 - x0 - 8)
        pen.plain()
      }
    }
  }

  private drawColumn(lines: Line[], offset: number, of: NameOf, pinned: boolean, top: number, bottom: number): void {
    const { geometry, sheet: { pen } } = this
    pen.ctx.fillStyle = pen.theme.column
    pen.rect(0, top, geometry.column, bottom - top)
    for (const line of lines) {
      if (line.row < 0) drawHeading(pen, of, line, line.y + offset, geometry.width)
      else {
        drawName(pen, of, line, line.y + offset, pinned)
        pen.ctx.fillStyle = pen.theme.grid
        pen.rect(0, line.y + offset + line.height - 1, geometry.column, 1)
      }
    }
    pen.ctx.fillStyle = pen.theme.line
    pen.rect(geometry.column - 1, top, 1, bottom - top)
    if (pinned) {
      pen.ctx.fillStyle = pen.theme.faint
      pen.rect(0, bottom - 1, geometry.width, 1)
    }
  }

  // The ruler, its corner and the scroll bar.
  private drawFrame(): void {
    const { geometry, sheet: { pen }, ruler } = this
    drawRuler(pen, ruler, OVERVIEW, RULER)
    drawFlags(pen, this.flags)
    pen.ctx.fillStyle = pen.theme.column
    pen.rect(0, OVERVIEW, geometry.column, RULER)
    pen.ctx.fillStyle = pen.theme.line
    pen.rect(0, OVERVIEW + RULER - 1, geometry.column, 1)
    pen.rect(geometry.column - 1, OVERVIEW, 1, RULER)
    this.drawForgotten()
    const width = shortLength(pen.until - pen.from, pen.hz)
    const { more } = this.arrows
    if (more > 0) drawCount(pen, geometry, more)
    pen.text(ruler.base || width + ' shown', 10, OVERVIEW + (more > 0 ? 11 : 18), ruler.base ? pen.theme.text : pen.theme.muted,
             geometry.column - 16 - this.drawClock())
    const bar = geometry.bar()
    if (!bar) return
    pen.ctx.fillStyle = pen.theme.dark ? 'rgba(160,172,184,0.35)' : 'rgba(70,80,92,0.28)'
    pen.ctx.beginPath()
    pen.ctx.roundRect(geometry.width - BAR + 1, bar.y + 1, BAR - 3, bar.height - 2, 3)
    pen.ctx.fill()
  }

  // The name of the ruler's clock at the end of its corner, where another can be chosen. Returns its width.
  private drawClock(): number {
    const { view, geometry, sheet: { pen } } = this
    if (!view.hello?.wall) return 0
    pen.plain(10)
    const text = view.clock === 'trace' ? 'clock' : clockNames[view.clock], wide = pen.textWidth(text)
    pen.text(text, geometry.column - 8 - wide, OVERVIEW + 18, pen.theme.accent, wide + 4)
    pen.plain()
    return wide + 6
  }

  private drawNothing(): void {
    const { geometry, sheet: { pen } } = this
    pen.text('None of its records tells of a task, an interrupt or an object: see the table below.', geometry.left + 16,
             geometry.rowsTop + 32, pen.theme.muted, geometry.plot - 32)
  }

  // A bar below the ruler where details are no longer kept.
  private drawForgotten(): void {
    const { geometry, sheet: { pen } } = this
    const kept = this.view.status?.kept ?? 0
    const end = Math.min(pen.x(kept), geometry.width)
    if (kept <= firstTick(this.view) || end <= geometry.left) return // all are kept
    pen.ctx.fillStyle = pen.theme.faint
    pen.rect(geometry.left, OVERVIEW + RULER - 4, end - geometry.left, 3)
    pen.plain(10)
    pen.text('details are no longer kept', geometry.left + 6, OVERVIEW + 11, pen.theme.muted, end - geometry.left - 12)
    pen.plain()
  }

  // Draws the upper canvas: the overview's window, the picked slice, the selection, the cursor.
  drawTop(pen: Pen, pointer: Pointer | null): void {
    const { view, geometry } = this
    this.overview.drawWindow(pen, pen.from, pen.until, this.flags, view.hits.state)
    pen.ctx.save()
    pen.ctx.beginPath()
    pen.ctx.rect(geometry.left, OVERVIEW, geometry.plot, geometry.height - OVERVIEW)
    pen.ctx.clip()
    if (view.picked) this.drawPicked(pen)
    if (view.selection) this.drawSelection(pen, ...view.selection)
    if (view.place?.from === view.place?.until && view.place) drawPlace(pen, geometry, view.place.from)
    if (view.other) drawOther(pen, geometry, ...view.other)
    if (view.markers.length > 0) drawMarkers(pen, geometry, view)
    const t = pointer && pointer.x >= geometry.left ? pen.time(pointer.x) : view.cursor
    if (t !== null) this.drawCursor(pen, t, view.selection !== null)
    pen.ctx.restore()
  }

  private drawSelection(pen: Pen, begin: number, end: number): void {
    const { ctx, theme } = pen
    const { geometry } = this
    const x0 = pen.x(begin), x1 = pen.x(end)
    ctx.fillStyle = theme.select
    pen.rect(x0, geometry.pinnedTop, x1 - x0, geometry.height)
    ctx.fillStyle = theme.accent
    for (const x of [x0, x1]) pen.rect(x, geometry.pinnedTop, 1, geometry.height)
    drawMeasure(pen, begin, end, OVERVIEW, RULER)
  }

  private drawPicked(pen: Pen): void {
    const { view, geometry } = this
    const picked = view.picked!
    for (const part of ['rows', 'pinned'] as const) {
      const lines = part === 'rows' ? geometry.layout.lines : geometry.layout.pinned
      const line = lines.find(l => l.row === picked.row)
      const lane = line?.lanes.find(l => l.track.id === picked.track)
      if (!line || !lane) continue
      const top = part === 'rows' ? geometry.rowsTop : geometry.pinnedTop
      const y = line.y + geometry.offset(part) + lane.y
      if (y < top - lane.height || y > geometry.height) continue
      const x0 = Math.max(geometry.left - 4, pen.x(picked.begin))
      const x1 = Math.min(geometry.left + geometry.plot + 4, pen.x(picked.end))
      pen.ctx.strokeStyle = pen.theme.text
      pen.ctx.lineWidth = 2
      pen.ctx.strokeRect(x0 - 1, Math.max(top, y - 1), Math.max(4, x1 - x0 + 2), lane.height + 2)
    }
  }

  private drawCursor(pen: Pen, t: number, quiet: boolean): void {
    const { ctx, theme } = pen
    const { geometry, view } = this
    if (t < pen.from || t > pen.until) return
    const x = pen.x(t)
    ctx.fillStyle = theme.faint
    pen.rect(x, geometry.pinnedTop, 1 / pen.scale, geometry.height)
    if (quiet) return
    const wall = view.clock === 'trace' ? null : wallAt(view.hello?.wall, t)
    const text = wall ? wallText(wall, view.clock) : timeText(t, pen.hz), wide = pen.textWidth(text) + 10
    const at = Math.min(Math.max(x - wide / 2, geometry.left), geometry.left + geometry.plot - wide)
    ctx.fillStyle = theme.text
    ctx.beginPath()
    ctx.roundRect(at, OVERVIEW + 4, wide, 17, 3)
    ctx.fill()
    pen.text(text, at + 5, OVERVIEW + 16, theme.back, wide)
  }
}
