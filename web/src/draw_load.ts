// SPDX-License-Identifier: MIT
// The load of a core or of all as a stack: interrupts at the foot, then tasks in the order of their
// rows. Idle time is empty, unknown time is hatched from the top; tasks that ran for less than a pixel
// are one area. Lines separate the areas, for people who cannot distinguish their colours.

import { css } from './colours'
import type { Loads, LoadWindow } from './loads'
import type { Pen } from './pen'
import type { Raster } from './raster'
import type { Row } from './protocol'
import type { View } from './view'

export const IDLE = 1 // the thing that has a core when no task runs
const LINED = 3 // least lines of a part with a line on top

// How many cores a row of loads is of.
export function coresOf(rows: Row[], core: number): number {
  return core >= 0 ? 1 : Math.max(1, rows.filter(row => row.kind === 'load' && row.core >= 0).length)
}

// The place of each thing in the stack, from the foot; idle time is on top.
export class Stacking {
  private rows: Row[] = []
  private order: number[] = []
  private place: (thing: number) => number = thing => thing

  // Returns the same function until rows or their order change.
  of(view: View): (thing: number) => number {
    if (view.rows === this.rows && view.order === this.order) return this.place
    const places: number[] = [], irqs = new Set<number>()
    view.order.forEach((row, i) => {
      const { thing, kind } = view.rows[row] ?? {}
      if (thing === undefined) return
      places[thing] = i
      if (kind === 'irq') irqs.add(thing)
    })
    this.rows = view.rows
    this.order = view.order
    this.place = thing => thing === IDLE ? Infinity : (irqs.has(thing) ? 0 : 1e6) + (places[thing] ?? 1e5 + thing)
    return this.place
  }
}

export interface LoadPart { thing: number; ticks: number }

// The parts of a window from the foot of the stack, without idle time; the idle and the unknown time.
export function partsOf(window: LoadWindow, cores: number): { parts: LoadPart[]; idle: number; unknown: number; all: number } {
  const parts: LoadPart[] = [], all = (window.until - window.from) * cores
  let idle = 0, known = 0
  for (let i = 0; i < window.parts.length; i += 2) {
    const thing = window.parts[i], ticks = window.parts[i + 1]
    known += ticks
    if (thing === IDLE) idle = ticks
    else parts.push({ thing, ticks })
  }
  return { parts, idle, unknown: Math.max(0, all - known), all }
}

export interface LoadPlace { core: number; width: number; from: number; until: number; top: number; height: number }

// Draws the windows of from..until, each from its x to the next, and returns their pixels. unknown: is
// called for each stretch of unknown time with its height from the top.
export function drawStack(pen: Pen, raster: Raster, loads: Loads, view: View, at: LoadPlace, x: (t: number) => number,
                          unknown: (from: number, until: number, height: number) => void): Uint32Array {
  const block = raster.block(at.top, at.height), { columns } = raster, lines = block.length / columns
  const left = Math.round(pen.left * pen.scale), cores = coresOf(view.rows, at.core)
  const column = (t: number) => Math.round(x(t) * pen.scale) - left
  loads.each(at.core, at.width, at.from, at.until, ({ from, until, parts }) => {
    const first = Math.max(0, column(from)), end = Math.min(columns, Math.max(first + 1, column(until)))
    const all = (until - from) * cores
    let sum = 0, known = 0, foot = lines, most = -1
    for (let i = 0; i < parts.length; i += 2) {
      known += parts[i + 1]
      if (parts[i] === IDLE) continue
      if (most < 0 || parts[i + 1] > parts[most + 1]) most = i
      sum += parts[i + 1]
      const line = Math.max(0, Math.round(lines * (1 - sum / all)))
      if (line >= foot) continue
      const lined = foot - line >= LINED ? 1 : 0
      if (lined) fillLines(block, columns, line, line + 1, first, end, pen.edge(parts[i]))
      fillLines(block, columns, line + lined, foot, first, end, pen.pack(parts[i], 1))
      foot = line
    }
    // Hardly any time, but not none.
    if (foot === lines && most >= 0) fillLines(block, columns, lines - 1, lines, first, end, pen.pack(parts[most], 1))
    if (all - known > all * 1e-9) unknown(from, until, at.height * (all - known) / all)
  })
  return block
}

const FEW = 12 // up to this many columns a loop is faster than fill()

function fillLines(block: Uint32Array, columns: number, line: number, foot: number, first: number, end: number, colour: number): void {
  for (let at = line * columns; line < foot; line++, at += columns) {
    if (end - first > FEW) block.fill(colour, at + first, at + end)
    else for (let i = at + first; i < at + end; i++) block[i] = colour
  }
}

// Unknown time is hatched, as it is not idle; at least 2 pixels, so that it is seen.
export function unknownArea(pen: Pen, top: number, from: number, until: number, height: number) {
  return { pattern: 'hatch' as const, colour: css(pen.theme.grey, 0.75), x: from, y: top, width: until - from, height: Math.max(2, height) }
}
