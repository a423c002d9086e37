// SPDX-License-Identifier: MIT
// Marks of rules: flags in the ruler, bands on their rows, ticks in the overview, and the requests
// for them. Kinds differ in shape, too: a failure has a full flag, what could not be decided an
// empty one, a note a disc.

import { Asked } from './asked'
import { css, rgb } from './colours'
import type { Theme } from './colours'
import { OVERVIEW, RULER } from './geometry'
import type { Geometry } from './geometry'
import type { Line } from './layout'
import { markOf, rowOfMark } from './marks'
import type { Mark } from './marks'
import { markKinds } from './protocol'
import type { MarkBin, MarkKind, MarkWindow, Row } from './protocol'
import type { Pen } from './pen'
import { countText } from './times'
import type { View } from './view'

const MOST = 500 // single marks; of more, only the number in each part of the view
const BINS = 512
const FLAG = 8 // pixels
const NEAR = 6 // pixels from the pointer
const LEAST = 3 // pixels of a band

interface Found { count: number; marks: Mark[]; bins: MarkBin[] }
const none: Found = { count: 0, marks: [], bins: [] }

export class Flags {
  private readonly near: Asked<Found>
  private readonly all: Asked<Found>
  private found: Mark[] = []
  private chosen: Mark | null = null
  private drawn: Mark[] = []
  private rows: Row[] = []
  private placed: Mark[] = []
  private byRow = new Map<number, Mark[]>()

  constructor(private readonly view: View, came: () => void) {
    const ask = async (from: number, until: number): Promise<Found> => {
      const found = await view.source.ask<MarkWindow>('marks', { from, until, most: MOST, bins: BINS })
      return { ...found, marks: found.marks.map(markOf) }
    }
    this.near = new Asked<Found>(view, came, none, ask)
    this.all = new Asked<Found>(view, came, none, ask)
  }

  // Called for each frame. Data without marks is not asked for them again and again.
  want(from: number, until: number, first: number, last: number): void {
    const { rev, counts } = this.view.rules
    const any = counts.some(count => count > 0)
    const { near, all } = this
    if (any || near.data.count > 0) near.want(from, until, rev, rev !== near.version)
    const news = rev !== all.version || first !== all.from
    if ((any || all.data.count > 0) && news) all.want(first, last, rev, true)
  }

  get busy(): boolean {
    return this.near.busy || this.all.busy
  }

  get window(): Asked<Found> {
    return this.near
  }

  get whole(): Asked<Found> {
    return this.all
  }

  // Returns the marks that are drawn one by one: those in view, and the chosen one in any case.
  singles(): Mark[] {
    const { data: { marks } } = this.near, { mark } = this.view
    if (marks !== this.found || mark !== this.chosen) {
      this.found = marks
      this.chosen = mark
      this.drawn = mark && !marks.some(one => one.number === mark.number) ? [...marks, mark] : marks
    }
    return this.drawn
  }

  // Returns the marks of each row.
  onRows(): Map<number, Mark[]> {
    const marks = this.singles()
    if (marks === this.placed && this.view.rows === this.rows) return this.byRow
    this.placed = marks
    this.rows = this.view.rows
    this.byRow = new Map()
    const rowOf = new Map<string, number>()
    for (const mark of marks) {
      const key = `${mark.rowKind} ${mark.core} ${mark.rowName}`
      if (!rowOf.has(key)) rowOf.set(key, rowOfMark(this.rows, mark))
      const row = rowOf.get(key)!
      if (row >= 0) this.byRow.set(row, [...this.byRow.get(row) ?? [], mark])
    }
    return this.byRow
  }

  // Returns the mark at a place of the ruler or of a row: the most severe, then the shortest.
  at(pen: Pen, geometry: Geometry, x: number, y: number): Mark | null {
    if (x < geometry.left) return null
    const part = geometry.part(y)
    if (part === 'overview') return null
    const marks = part === 'ruler' ? this.singles() : this.onRows().get(geometry.lineAt(y)?.line.row ?? -1) ?? []
    const touches = (mark: Mark) => x >= pen.x(mark.from) - NEAR &&
      x <= (part === 'ruler' ? pen.x(mark.from) + FLAG : pen.x(mark.until)) + NEAR
    const severe = (mark: Mark) => markKinds.indexOf(mark.kind)
    return marks.filter(touches).sort((a, b) =>
      severe(a) - severe(b) || (a.until - a.from) - (b.until - b.from))[0] ?? null
  }
}

function colourOf(theme: Theme, kind: MarkKind): string {
  return kind === 'fail' ? theme.fail : kind === 'note' ? theme.accent : theme.unsure
}

function drawFlag(pen: Pen, kind: MarkKind, x: number, top: number): void {
  const { ctx } = pen
  pen.rect(x, top, 1, RULER)
  ctx.beginPath()
  if (kind === 'note') ctx.arc(x + 0.5, top + FLAG / 2 + 1, FLAG / 2 - 1, 0, 2 * Math.PI)
  else {
    ctx.moveTo(x, top + 1)
    ctx.lineTo(x + FLAG + 1, top + 1 + FLAG / 2)
    ctx.lineTo(x, top + 1 + FLAG)
  }
  if (kind === 'cannot tell') {
    ctx.fillStyle = pen.theme.column
    ctx.fill()
    ctx.lineWidth = 1.5
    ctx.stroke()
  } else ctx.fill()
}

// In the ruler: a flag at each mark's begin and a line up to its end; the least severe first, so
// that failures lie on top.
export function drawFlags(pen: Pen, flags: Flags): void {
  const { ctx, theme } = pen
  const { data, from, until } = flags.window
  const right = pen.left + pen.width
  ctx.save()
  ctx.beginPath()
  ctx.rect(pen.left, OVERVIEW, pen.width, RULER)
  ctx.clip()
  markKinds.map((kind, i) => ({ kind, i })).reverse().forEach(({ kind, i }) => {
    ctx.fillStyle = ctx.strokeStyle = colourOf(theme, kind)
    for (const mark of flags.singles()) {
      const x0 = pen.x(mark.from), x1 = pen.x(mark.until)
      if (mark.kind !== kind || x1 < pen.left || x0 > right) continue
      ctx.fillStyle = colourOf(theme, kind)
      pen.rect(Math.max(x0, pen.left), OVERVIEW, Math.min(x1, right) - Math.max(x0, pen.left), 2)
      if (x0 >= pen.left - FLAG) drawFlag(pen, kind, x0, OVERVIEW)
    }
    drawBins(pen, data.bins, i, t => pen.x(t), from, until, OVERVIEW, 5)
  })
  ctx.restore()
  if (data.bins.length === 0) return
  pen.plain(10)
  const text = countText(data.count) + ' marks'
  const wide = pen.textWidth(text) + 8
  ctx.fillStyle = theme.column
  pen.rect(right - wide, OVERVIEW + 6, wide, 14)
  pen.text(text, right - wide + 4, OVERVIEW + 17, theme.muted, wide)
  pen.plain()
}

// Draws which parts of a range have marks of the kind with this number, fainter where they are few.
function drawBins(pen: Pen, bins: MarkBin[], kind: number, x: (t: number) => number, from: number, until: number,
                  y: number, height: number): void {
  const wide = (until - from + 1) / BINS
  const most = bins.reduce((most, bin) => Math.max(most, bin[kind + 1]), 1)
  for (const bin of bins) {
    if (!bin[kind + 1]) continue
    pen.ctx.globalAlpha = 0.4 + 0.6 * Math.log(bin[kind + 1] + 1) / Math.log(most + 1)
    const x0 = x(from + bin[0] * wide)
    pen.rect(x0, y, Math.max(2, x(from + (bin[0] + 1) * wide) - x0), height)
  }
  pen.ctx.globalAlpha = 1
}

export function drawOverviewMarks(pen: Pen, flags: Flags, x: (t: number) => number): void {
  const { data, from, until } = flags.whole
  markKinds.map((kind, i) => ({ kind, i })).reverse().forEach(({ kind, i }) => {
    pen.ctx.fillStyle = colourOf(pen.theme, kind)
    for (const mark of data.marks) {
      const x0 = x(mark.from)
      if (mark.kind === kind) pen.rect(x0, 0, Math.max(2, x(mark.until) - x0), 4)
    }
    drawBins(pen, data.bins, i, x, from, until, 0, 4)
  })
}

// On the rows: a band over the whole row, stronger for the one that was chosen.
export function drawMarkBands(pen: Pen, view: View, flags: Flags, lines: Line[], offset: number): void {
  const { ctx, theme } = pen
  const byRow = flags.onRows()
  ctx.save()
  ctx.beginPath()
  ctx.rect(pen.left, 0, pen.width, ctx.canvas.height)
  ctx.clip()
  for (const line of lines) {
    for (const mark of byRow.get(line.row) ?? []) {
      const x0 = Math.max(pen.left - 4, pen.x(mark.from))
      const x1 = Math.min(pen.left + pen.width + 4, Math.max(pen.x(mark.until), pen.x(mark.from) + LEAST))
      if (x1 < x0) continue
      const colour = rgb(colourOf(theme, mark.kind)), chosen = view.mark?.number === mark.number
      ctx.fillStyle = css(colour, chosen ? 0.22 : 0.12)
      pen.rect(x0, line.y + offset, x1 - x0, line.height - 1)
      ctx.strokeStyle = css(colour)
      ctx.lineWidth = chosen ? 2 : 1
      ctx.setLineDash(mark.kind === 'cannot tell' ? [3, 2] : [])
      ctx.strokeRect(pen.snap(x0) + 0.5, line.y + offset + 0.5, Math.max(1, pen.snap(x1 - x0) - 1), line.height - 2)
      ctx.setLineDash([])
    }
  }
  ctx.restore()
}

// The place that the page's address points at: a line over all rows with a triangle in the ruler.
export function drawPlace(pen: Pen, geometry: Geometry, t: number): void {
  const { ctx, theme } = pen
  const x = pen.snap(pen.x(t)) + 0.5
  ctx.fillStyle = theme.accent
  pen.rect(x - 0.5, geometry.pinnedTop - 8, 1, geometry.height)
  ctx.beginPath()
  ctx.moveTo(x - 5, geometry.pinnedTop - 8)
  ctx.lineTo(x + 5, geometry.pinnedTop - 8)
  ctx.lineTo(x, geometry.pinnedTop)
  ctx.fill()
}

// When a moment of another trace may be: a band as wide as the error, or a dashed line if it is not known.
export function drawOther(pen: Pen, geometry: Geometry, from: number, until: number): void {
  const { ctx, theme } = pen
  const x = pen.x((from + until) / 2), top = geometry.pinnedTop
  ctx.fillStyle = theme.accent
  if (until > from) {
    ctx.globalAlpha = 0.25
    pen.rect(pen.x(from), top, Math.max(1, pen.x(until) - pen.x(from)), geometry.height - top)
    ctx.globalAlpha = 1
    return
  }
  ctx.strokeStyle = theme.accent
  ctx.setLineDash([3, 3])
  ctx.beginPath()
  ctx.moveTo(x, top)
  ctx.lineTo(x, geometry.height)
  ctx.stroke()
  ctx.setLineDash([])
}
