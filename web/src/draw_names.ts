// SPDX-License-Identifier: MIT
// The column of names: groups with a triangle to fold them, rows with a sign of their kind in their
// colour, the scale of numbers, and signs to pin and to hide the row under the pointer.

import { css } from './colours'
import { scaleTexts } from './draw_levels'
import type { Scale } from './draw_levels'
import { expands, groupNames } from './layout'
import type { Lane, Line } from './layout'
import type { Pen } from './pen'
import type { Row } from './protocol'
import { clean } from './text'
import type { View } from './view'
import { curveName } from './words'

export const SIGN = 18 // width of a sign to pin or hide, at the column's right end
const INDENT = 12
export const EXPAND = 14 // width of the sign that expands a row, at the column's left end

const CURVE_NAMED = 24 // least height of a curve that has its name and scale

export interface Hover { row: number; sign: 'pin' | 'hide' | 'expand' | 'window' | null; heading: string | null }

export interface NameOf {
  view: View
  column: number
  scales: Map<number, Scale> // by track
  window: string // the windows of loads
  priorities: Map<number, string> // of tasks whose priority changes: at the cursor, or the end of the view
  unpaired: Map<number, number> // of interrupts: enters and exits in view that do not pair
  hover: Hover | null
  cores: boolean // there are several cores
}

export function drawHeading(pen: Pen, of: NameOf, line: Line, top: number, width: number): void {
  const { ctx, theme } = pen
  ctx.fillStyle = theme.heading
  pen.rect(0, top, width, line.height)
  const folded = of.view.folded.has(line.kind), middle = top + line.height / 2
  ctx.fillStyle = theme.muted
  drawTriangle(pen, 8.5, middle, 4, !folded)
  pen.bold()
  pen.text(groupNames[line.kind], 18, middle + 4, theme.text, of.column - 60)
  const wide = pen.textWidth(groupNames[line.kind])
  pen.plain(10)
  const text = line.hidden > 0 ? `${line.rows - line.hidden} of ${line.rows}, show all` : String(line.rows)
  pen.text(text, 24 + wide, middle + 4, line.hidden > 0 ? theme.accent : theme.faint, of.column - 28 - wide)
  pen.plain()
}

// Points down if what it stands at is open, else to the right.
function drawTriangle({ ctx }: Pen, x: number, y: number, size: number, open: boolean): void {
  ctx.beginPath()
  if (open) {
    ctx.moveTo(x - size, y - size * 0.6)
    ctx.lineTo(x + size, y - size * 0.6)
    ctx.lineTo(x, y + size * 0.6)
  } else {
    ctx.moveTo(x - size * 0.6, y - size)
    ctx.lineTo(x + size * 0.6, y)
    ctx.lineTo(x - size * 0.6, y + size)
  }
  ctx.fill()
}

export function drawName(pen: Pen, of: NameOf, line: Line, top: number, pinned: boolean): void {
  const { ctx, theme } = pen
  const row = of.view.rows[line.row]
  const hovered = of.hover?.row === line.row
  ctx.fillStyle = hovered ? theme.heading : theme.column
  pen.rect(0, top, of.column, line.height)
  const lane = line.lanes.find(one => one.height > 0)
  const middle = top + Math.min(line.height / 2, lane ? lane.y + lane.height / 2 : Infinity)
  drawSign(pen, row, INDENT, middle)
  let room = of.column - INDENT - 20
  const load = lane?.track.kind === 'load'
  const scale = lane && of.scales.get(lane.track.id)
  if (hovered) room -= 2 * SIGN
  else if (scale) room -= drawScale(pen, scale, lane, top, of.column)
  else room -= drawEnd(pen, of, line.row, row, middle, pinned)
  pen.text(clean(row.name) || groupNames[row.kind], INDENT + 16, middle + (load ? -3 : 4), theme.text, room)
  if (load) drawWindow(pen, of, hovered, middle, room)
  for (const curve of line.lanes.slice(1)) drawCurveName(pen, of, row, curve, top)
  if (expands(row)) {
    ctx.fillStyle = hovered && of.hover?.sign === 'expand' ? theme.accent : theme.faint
    drawTriangle(pen, 5.5, middle, 3, of.view.expanded.has(line.row))
  }
  if (hovered) drawSigns(pen, of, middle, pinned)
  else if (pinned) drawPin(pen, of.column - SIGN / 2 - 2, middle, theme.accent)
}

// Draws a task's priority, or an interrupt's core if there are several. Returns the width used.
function drawEnd(pen: Pen, of: NameOf, line: number, row: Row, middle: number, pinned: boolean): number {
  const prio = row.kind === 'task' ? of.view.things[row.thing]?.prio : null
  const text = row.kind === 'irq' && of.cores ? 'core ' + row.core : (of.priorities.get(line) ?? String(prio ?? ''))
  const room = pinned ? SIGN : 0
  const unpaired = of.unpaired.get(line)
  if (unpaired !== undefined) return drawUnpairedCount(pen, of, unpaired, middle, room)
  if (!text) return room
  pen.plain(10)
  const wide = pen.textWidth(text)
  pen.text(text, of.column - 8 - room - wide, middle + 4, pen.theme.faint, 60)
  pen.plain()
  return wide + 8 + room
}

function drawUnpairedCount(pen: Pen, of: NameOf, count: number, middle: number, room: number): number {
  const text = count > 0 ? `${count} unpaired` : 'unpaired'
  pen.plain(10)
  const wide = pen.textWidth(text)
  pen.text(text, of.column - 8 - room - wide, middle + 4, pen.theme.loss, 100)
  pen.plain()
  return wide + 8 + room
}

// The windows of a load, below its name; a click on it takes the next ones.
function drawWindow(pen: Pen, of: NameOf, hovered: boolean, middle: number, room: number): void {
  pen.plain(10)
  const colour = hovered && of.hover?.sign === 'window' ? pen.theme.accent : pen.theme.muted
  pen.text(of.window, INDENT + 16, middle + 11, colour, room)
  pen.plain()
}

// The name and the scale of a curve below the row's first lane, if it is high enough for them.
function drawCurveName(pen: Pen, of: NameOf, row: Row, lane: Lane, top: number): void {
  const scale = of.scales.get(lane.track.id)
  if (!scale || lane.height < CURVE_NAMED) return
  const room = of.column - INDENT - 20 - drawScale(pen, scale, lane, top, of.column)
  pen.plain(10)
  pen.text(curveName(of.view, row, lane.track.kind), INDENT + 16, top + lane.y + lane.height / 2 + 4, pen.theme.muted, room)
  pen.plain()
}

function drawScale(pen: Pen, scale: Scale, lane: Lane, top: number, column: number): number {
  pen.plain(9)
  const [high, low] = scaleTexts(scale)
  const texts: [string, number][] = [[high + (scale.unit ?? ''), top + lane.y + 7], [low, top + lane.y + lane.height]]
  let wide = 0
  for (const [text, y] of texts) {
    const width = pen.textWidth(text)
    pen.text(text, column - 6 - width, y, pen.theme.faint, 80)
    wide = Math.max(wide, width)
  }
  pen.plain()
  return wide + 8
}

function drawSigns(pen: Pen, of: NameOf, middle: number, pinned: boolean): void {
  const { theme } = pen
  const on = of.hover?.sign
  const pinX = of.column - SIGN * 1.5 - 2, hideX = of.column - SIGN / 2 - 2
  drawPin(pen, pinX, middle, on === 'pin' || pinned ? theme.accent : theme.muted)
  const { ctx } = pen
  ctx.strokeStyle = on === 'hide' ? theme.accent : theme.muted
  ctx.lineWidth = 1.4
  ctx.beginPath()
  ctx.moveTo(hideX - 3.5, middle - 3.5)
  ctx.lineTo(hideX + 3.5, middle + 3.5)
  ctx.moveTo(hideX + 3.5, middle - 3.5)
  ctx.lineTo(hideX - 3.5, middle + 3.5)
  ctx.stroke()
}

function drawPin(pen: Pen, x: number, y: number, colour: string): void {
  const { ctx } = pen
  ctx.fillStyle = colour
  ctx.fillRect(x - 2.5, y - 5, 5, 5)
  ctx.fillRect(x - 4, y, 8, 1.5)
  ctx.fillRect(x - 0.6, y + 1.5, 1.2, 4)
}

type Shape = (path: Path2D) => void
const polygon = (...points: [number, number][]): Shape => path => {
  points.forEach(([x, y], i) => i === 0 ? path.moveTo(x, y) : path.lineTo(x, y))
  path.closePath()
}

// A sign for each kind of row, within -5..5.
const signs: Record<Row['kind'], Shape> = {
  load: polygon([-5, 4.5], [-5, 0], [-1.7, 0], [-1.7, -4.5], [1.7, -4.5], [1.7, -1.5], [5, -1.5], [5, 4.5]),
  core: path => {
    path.rect(-4, -4, 8, 8)
    for (const at of [-2.5, 1.5]) {
      path.rect(at, -6, 1, 12)
      path.rect(-6, at, 12, 1)
    }
  },
  irq: polygon([1, -5], [-4, 1], [-0.5, 1], [-1, 5], [4, -1], [0.5, -1]),
  task: path => path.roundRect(-4.5, -4.5, 9, 9, 2),
  machine: path => path.arc(0, 0, 4.8, 0, 7),
  object: polygon([0, -5.5], [5.5, 0], [0, 5.5], [-5.5, 0]),
  counter: polygon([-5, 4.5], [-5, 1], [-2, 1], [-2, -3], [2, -3], [2, -1], [5, -1], [5, 4.5]),
  records: path => {
    for (const x of [-4.5, -0.75, 3]) path.rect(x, -4.5, 1.5, 9)
  },
  link: path => {
    path.roundRect(-5.5, -2, 5, 4, 2)
    path.roundRect(0.5, -2, 5, 4, 2)
  }
}

function drawSign(pen: Pen, row: Row, x: number, y: number): void {
  const { ctx, theme } = pen
  const path = new Path2D()
  signs[row.kind](path)
  ctx.save()
  ctx.translate(Math.round(x + 4), Math.round(y))
  const plain = row.kind === 'load' || row.kind === 'core' || row.kind === 'link' || row.kind === 'records'
  ctx.fillStyle = plain ? theme.muted : css(pen.colour(row.thing))
  ctx.fill(path)
  ctx.restore()
}
