// SPDX-License-Identifier: MIT
// Numbers as steps: counters, queue fill levels, low-water marks of heaps. A pixel with several
// values shows a band from the least to the greatest.

import type { Lane } from './layout'
import { niceStep } from './ruler'
import type { Row } from './protocol'
import type { Sheet } from './sheet'
import { grouped } from './times'

export interface Scale { low: number; high: number; unit?: string }

// Includes zero unless the values would then be a thin line far from it.
export function scaleOf(min: number, max: number): Scale {
  if (!(min <= max)) return { low: 0, high: 1 }
  let low = min, high = max
  if (low >= 0 && low <= (high - low) * 2) low = 0
  if (high <= 0 && -high <= (high - low) * 2) high = 0
  if (low === high) return low === 0 ? { low: 0, high: 1 } : { low: Math.min(0, low), high: Math.max(0, high) }
  const step = niceStep((high - low) / 4)
  return { low: Math.floor(low / step) * step, high: Math.ceil(high / step) * step }
}

export function levelText(value: number, digits = 4): string {
  const size = Math.abs(value)
  if (size >= 1e6) return Number((value / 1e6).toPrecision(digits)) + 'M'
  return grouped(String(Number(value.toPrecision(6))))
}

// Values with as many digits as tell them apart.
export function levelTexts(values: number[]): string[] {
  for (let digits = 4; ; digits++) {
    const texts = values.map(value => levelText(value, digits))
    if (digits === 15 || new Set(texts).size === new Set(values).size) return texts
  }
}

// The greatest and the least value.
export function scaleTexts({ low, high }: Scale): [string, string] {
  const [from, to] = levelTexts([low, high])
  return [to, from]
}

// Returns the y of a value's line, from the row's top.
export function levelY(scale: Scale, lane: Lane, value: number): number {
  return lane.y + lane.height * (1 - (value - scale.low) / (scale.high - scale.low))
}

export function drawLevel(sheet: Sheet, row: Row, lane: Lane, top: number): Scale {
  const { pen } = sheet
  let min = Infinity, max = -Infinity
  sheet.each(lane.track.id, p => {
    min = Math.min(min, p.min)
    max = Math.max(max, p.max)
  })
  const scale = scaleOf(min, max)
  const block = sheet.raster.block(top + lane.y, lane.height)
  const { columns } = sheet.raster
  const lines = block.length / columns, thick = Math.max(1, Math.round(1.25 * pen.scale))
  const lineOf = (value: number) =>
    Math.round((lines - thick) * (1 - (value - scale.low) / (scale.high - scale.low)))
  const plot: Plot = {
    block, columns, lines, thick, zero: lineOf(Math.min(Math.max(0, scale.low), scale.high)),
    colours: [0.2, 0.55, 1].map(alpha => pen.pack(row.thing, alpha)), end: -1, before: 0
  }
  sheet.each(lane.track.id, p => {
    const begin = sheet.column(pen.x(p.begin)), end = sheet.column(pen.x(p.end))
    drawStep(plot, begin, Math.max(begin + 1, end), lineOf(p.value), lineOf(p.max), lineOf(p.min))
  })
  return scale
}

interface Plot {
  block: Uint32Array
  columns: number
  lines: number
  thick: number
  zero: number // the line of 0
  colours: number[] // of the area below, of the band, of the line
  end: number // where the last step ended; `before` is its line
  before: number
}

const FEW = 12 // up to this many columns a loop is faster than fill()

function fillBlock(plot: Plot, begin: number, end: number, from: number, until: number,
                   colour: number): void {
  const { block, columns } = plot
  const first = Math.max(0, begin), width = Math.min(columns, end) - first
  if (width <= 0) return
  const low = Math.max(0, from) * columns + first, high = Math.min(plot.lines, until) * columns
  for (let at = low; at < high; at += columns) {
    if (width > FEW) block.fill(colour, at, at + width)
    else for (let i = at; i < at + width; i++) block[i] = colour
  }
}

// Pixels, not paths: long paths take many times as long to fill.
function drawStep(plot: Plot, begin: number, end: number, line: number, top: number, foot: number): void {
  const { thick, zero } = plot
  const [area, band, strong] = plot.colours
  fillBlock(plot, begin, end, Math.min(line, zero), Math.max(line, zero + thick), area)
  if (foot > top) fillBlock(plot, begin, end, top, foot + thick, band)
  fillBlock(plot, begin, end, line, line + thick, strong)
  if (plot.end >= begin - 1 && plot.before !== line) {
    fillBlock(plot, begin, begin + 1, Math.min(line, plot.before), Math.max(line, plot.before) + thick, strong)
  }
  plot.end = end
  plot.before = line
}
