// SPDX-License-Identifier: MIT
// Numbers as steps: counters, what is in a queue, what is free of a heap. Where a pixel has several
// values, a band from the least to the greatest of them.

import { css } from './colours'
import type { Rgb } from './colours'
import type { Lane } from './layout'
import type { Pen } from './pen'
import { niceStep } from './ruler'
import type { Row } from './protocol'
import type { Sheet } from './sheet'
import { grouped } from './times'

export interface Scale { low: number; high: number }

// Zero is in it unless that makes the values a thin line far from it.
export function scaleOf(min: number, max: number): Scale {
  if (!(min <= max)) return { low: 0, high: 1 }
  let low = min, high = max
  if (low >= 0 && low <= (high - low) * 2) low = 0
  if (high <= 0 && -high <= (high - low) * 2) high = 0
  if (low === high) return low === 0 ? { low: 0, high: 1 } : { low: Math.min(0, low), high: Math.max(0, high) }
  const step = niceStep((high - low) / 4)
  return { low: Math.floor(low / step) * step, high: Math.ceil(high / step) * step }
}

export function levelText(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e6) return Number((value / 1e6).toPrecision(4)) + 'M'
  return grouped(String(Number(value.toPrecision(6))))
}

export function drawLevel(sheet: Sheet, row: Row, lane: Lane, top: number): Scale {
  const { pen } = sheet
  let min = Infinity, max = -Infinity
  sheet.each(lane.track.id, p => {
    min = Math.min(min, p.min)
    max = Math.max(max, p.max)
  })
  const scale = scaleOf(min, max)
  const foot = top + lane.y + lane.height, high = lane.height - 2
  const yOf = (value: number) => foot - (value - scale.low) / (scale.high - scale.low) * high
  const zero = yOf(Math.min(Math.max(0, scale.low), scale.high))
  const steps: Step[] = []
  const right = pen.left + pen.width
  sheet.each(lane.track.id, p => {
    const x0 = pen.snap(Math.max(pen.left, pen.x(p.begin))), x1 = pen.snap(Math.min(right, pen.x(p.end)))
    const width = Math.max(1 / pen.scale, x1 - x0)
    steps.push({ x: x0, width, y: yOf(p.value), top: yOf(p.max), foot: yOf(p.min) })
  })
  drawSteps(pen, steps, zero, pen.colour(row.thing))
  return scale
}

interface Step { x: number; width: number; y: number; top: number; foot: number }

// Rectangles only: long paths take many times as long to fill.
function drawSteps(pen: Pen, steps: Step[], zero: number, colour: Rgb): void {
  const { ctx } = pen
  const thick = 1.25, thin = 1 / pen.scale
  ctx.fillStyle = css(colour, 0.2)
  for (const { x, width, y } of steps) ctx.fillRect(x, Math.min(y, zero), width, Math.abs(zero - y))
  ctx.fillStyle = css(colour, 0.55)
  for (const { x, width, top, foot } of steps) if (foot > top) ctx.fillRect(x, top, width, foot - top)
  ctx.fillStyle = css(colour)
  let end = NaN, before = 0
  for (const { x, width, y } of steps) {
    ctx.fillRect(x, y - thick / 2, width, thick)
    const jump = Math.abs(y - before)
    if (x - end < 1 && jump > thick) ctx.fillRect(x, Math.min(y, before), thin, jump)
    end = x + width
    before = y
  }
}
