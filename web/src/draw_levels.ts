// SPDX-License-Identifier: MIT
// Numbers as steps: counters, what is in a queue, what is free of a heap. Where a pixel has several
// values, a band from the least to the greatest of them.

import { css } from './colours'
import type { Lane } from './layout'
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
  const { ctx } = pen
  let min = Infinity, max = -Infinity
  sheet.each(lane.track.id, p => {
    min = Math.min(min, p.min)
    max = Math.max(max, p.max)
  })
  const scale = scaleOf(min, max)
  const foot = top + lane.y + lane.height, high = lane.height - 2
  const yOf = (value: number) => foot - (value - scale.low) / (scale.high - scale.low) * high
  const colour = pen.colour(row.thing)
  const zero = yOf(Math.min(Math.max(0, scale.low), scale.high))
  const line = new Path2D(), area = new Path2D(), band = new Path2D()
  const right = pen.left + pen.width
  let last = NaN, lastY = NaN
  sheet.each(lane.track.id, p => {
    const x0 = Math.max(pen.left, pen.x(p.begin)), x1 = Math.min(right, pen.x(p.end))
    const y = pen.snap(yOf(p.value)) - 0.5 / pen.scale
    if (last >= x0 - 0.5) line.lineTo(x0, y)
    else line.moveTo(x0, y)
    line.lineTo(x1, y)
    area.rect(x0, Math.min(y, zero), x1 - x0, Math.abs(zero - y))
    if (p.count > 1) band.rect(x0, yOf(p.max), Math.max(1, x1 - x0), Math.max(1, yOf(p.min) - yOf(p.max)))
    last = x1
    lastY = y
  })
  if (Number.isNaN(lastY)) return scale
  ctx.fillStyle = css(colour, 0.22)
  ctx.fill(area)
  ctx.fillStyle = css(colour, 0.55)
  ctx.fill(band)
  ctx.strokeStyle = css(colour)
  ctx.lineWidth = 1.2
  ctx.stroke(line)
  return scale
}
