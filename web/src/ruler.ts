// SPDX-License-Identifier: MIT
// The ruler of times: steps of 1, 2 or 5 times a power of ten of a second (of ticks, if their rate
// is unknown), with labels that are not too close.

import { css, rgb } from './colours'
import { absolute, frequencyText, grouped, lengthText, timeText, zeroWithin } from './times'
import type { Pen } from './pen'

// Returns the smallest 1, 2 or 5 * 10^k that is not below `least`. whole: not below 1 (ticks).
export function niceStep(least: number, whole = false): number {
  if (whole && least <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].find(factor => factor * power >= least * (1 - 1e-9))! * power
  return whole ? Math.round(step) : step
}

export interface Ruler {
  base: string // time to add to the labels; empty: none
  labels: { t: number; text: string }[] // t in ticks
  step: number // ticks
  start: number // zero of the steps, in ticks before time 0
}

const LABEL = 110 // pixels from one label to the next, at least, if there is room for several
const DIGITS = 5 // with more, labels are distances from a base

const units: [string, number][] = [['s', 0], ['ms', 3], ['µs', 6], ['ns', 9]]

// Returns the unit that suits `step` (seconds) and `most`, and the digits after the point.
function unitFor(step: number, most: number): { unit: string; power: number; digits: number } {
  const found = units.find(([, power]) => most * 10 ** power >= 1) ?? units[3]
  const digits = Math.max(0, -Math.floor(Math.log10(step * 10 ** found[1]) + 1e-9))
  return { unit: found[0], power: found[1], digits }
}

// Returns the distance from the start of time 0's ten steps, or from the shown zero, to time 0.
function startOf(step: number, rate: number): number {
  const parts = 10 ** Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  return zeroWithin(Math.round(10 * step * parts) * rate, parts)
}

export function rulerOf(from: number, until: number, pixels: number, hz: number): Ruler {
  const rate = hz > 0 ? hz : 1
  const step = niceStep((until - from) / rate / Math.max(pixels / LABEL, 2.5), !(hz > 0)) // a step of the view's width has a label
  const start = startOf(step, rate)
  const first = Math.ceil((from + start) / rate / step - 1e-9) + 0 // never -0
  const end = Math.floor((until + start) / rate / step + 1e-9)
  const far = start !== absolute(0) || Math.max(Math.abs(first), Math.abs(end)) >= 10 ** DIGITS
  const origin = far ? Math.floor(first / 10) * 10 : 0
  const most = far ? (end - origin) * step : Math.max(Math.abs(first), Math.abs(end)) * step
  const { unit, power, digits } = unitFor(step, most)
  const labels: Ruler['labels'] = []
  for (let i = first; i <= end; i++) {
    const value = (i - origin) * step
    const number = hz > 0 ? (value * 10 ** power).toFixed(digits) : String(value)
    const zero = Number(number) === 0
    labels.push({
      t: i * step * rate - start,
      text: (far ? '+' : '') + (zero ? '0' : grouped(number)) + (hz > 0 ? ' ' + unit : '')
    })
  }
  return { base: far ? timeText(origin * step * rate - start, hz) : '', labels, step: step * rate, start }
}

// Draws the lines, below everything else; drawRuler draws the texts.
export function drawGrid(pen: Pen, ruler: Ruler, top: number, bottom: number): void {
  pen.ctx.fillStyle = pen.theme.grid
  for (const { t } of ruler.labels) pen.rect(pen.x(t), top, 1 / pen.scale, bottom - top)
}

export function drawRuler(pen: Pen, ruler: Ruler, top: number, height: number): void {
  const { ctx, theme, left, width } = pen
  ctx.fillStyle = theme.column
  pen.rect(left, top, width, height)
  const small = ruler.step / (pen.perTick(ruler.step) > 140 ? 10 : 5)
  ctx.fillStyle = theme.line
  const { start } = ruler
  for (let t = Math.ceil((pen.from + start) / small) * small - start; t <= pen.until; t += small) {
    pen.rect(pen.x(t), top + height - 4, 1 / pen.scale, 4)
  }
  ctx.fillStyle = theme.faint
  for (const { t } of ruler.labels) pen.rect(pen.x(t), top + height - 9, 1 / pen.scale, 9)
  for (const { t, text } of ruler.labels) {
    const x = pen.x(t) + 4, room = left + width - x - 2, wide = pen.textWidth(text)
    const before = ruler.labels.length === 1 && wide > room // the only one is never cut
    pen.text(text, before ? x - wide - 8 : x, top + height - 11, theme.muted, before ? wide : room)
  }
  ctx.fillStyle = theme.line
  pen.rect(left, top + height - 1, width, 1)
}

// Draws the selection on the ruler: its length and, as if it were a period, its frequency.
export function drawMeasure(pen: Pen, begin: number, end: number, top: number, height: number): void {
  const { ctx, theme, left, width } = pen
  const x0 = Math.max(left, pen.x(begin)), x1 = Math.min(left + width, pen.x(end))
  if (x1 <= left || x0 >= left + width) return
  ctx.fillStyle = theme.accent
  pen.rect(x0, top + height - 3, Math.max(1, x1 - x0), 3)
  const often = frequencyText(end - begin, pen.hz)
  const text = lengthText(end - begin, pen.hz) + (often ? '   ' + often : '')
  const wide = pen.textWidth(text) + 12
  const x = Math.min(Math.max((x0 + x1 - wide) / 2, left), left + width - wide)
  ctx.fillStyle = theme.accent
  ctx.beginPath()
  ctx.roundRect(x, top + 3, wide, 18, 3)
  ctx.fill()
  pen.text(text, x + 6, top + 16, theme.dark ? '#0c0f13' : css(rgb('#ffffff')), wide)
}
