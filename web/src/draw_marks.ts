// SPDX-License-Identifier: MIT
// Marks: records as ticks with a diamond, named when there is room up to the next. Where they are
// too close, the opacity of a column grows with their number.

import { css, packed, rgb } from './colours'
import type { Rgb } from './colours'
import type { Lane } from './layout'
import { recordName } from './record_names'
import type { Sheet } from './sheet'
import type { View } from './view'

interface Mark { x: number; value: number; at: number; room: number } // room: up to the next one

export function drawMarks(sheet: Sheet, view: View, lane: Lane, top: number, alone: boolean): void {
  const { pen } = sheet
  const strip = sheet.raster.strip(top + lane.y + (alone ? 2 : 0), alone ? lane.height - 4 : 5)
  const single: Mark[] = []
  let last: Mark | null = null
  sheet.each(lane.track.id, p => {
    const x = pen.x(p.begin)
    const colour = markColour(sheet, p.value)
    if (last) last.room = x - last.x
    last = p.count === 1 ? { x, value: p.value, at: p.begin, room: Infinity } : null
    if (last) single.push(last)
    else sheet.fill(strip, x, pen.x(p.end), packed(colour, Math.min(0.9, 0.4 + Math.log10(p.count) * 0.2)))
  })
  if (single.length > pen.width / 3) {
    for (const { x, value } of single) sheet.fill(strip, x, x, packed(markColour(sheet, value), 0.8))
  } else drawSingle(sheet, view, single, top + lane.y, lane.height, alone)
}

// Draws an interrupt's enters and exits that do not pair, in the colour of losses. Returns how many
// are in view.
export function drawUnpaired(sheet: Sheet, lane: Lane, top: number): number {
  const { pen } = sheet
  const strip = sheet.raster.strip(top + lane.y, 4)
  const colour = rgb(pen.theme.loss)
  let count = 0, last = -Infinity
  sheet.each(lane.track.id, p => {
    const x0 = pen.x(p.begin), x1 = pen.x(p.end)
    sheet.fill(strip, x0, Math.max(x1, x0 + 2), packed(colour, 0.9))
    count += p.count
    if (p.count === 1 && x0 - last > 60) sheet.label('unpaired', x0 + 1, x0 + 60, top + lane.y + 12, css(colour), 9)
    last = x0
  })
  return count
}

function markColour(sheet: Sheet, number: number): Rgb {
  const { things } = sheet.pen.theme
  return things[(number * 5 + 1) % things.length]
}

function drawSingle(sheet: Sheet, view: View, marks: Mark[], y: number, height: number, alone: boolean): void {
  const { pen } = sheet
  const { ctx } = pen
  const middle = alone ? y + height / 2 : y + 3, size = alone ? 4 : 3
  marks.forEach(({ x, value, at, room }) => {
    const colour = markColour(sheet, value)
    ctx.fillStyle = css(colour, 0.8)
    if (alone) pen.rect(x, y, 1 / pen.scale, height)
    ctx.fillStyle = css(colour)
    ctx.beginPath()
    ctx.moveTo(x, middle - size)
    ctx.lineTo(x + size, middle)
    ctx.lineTo(x, middle + size)
    ctx.lineTo(x - size, middle)
    ctx.fill()
    if (alone) sheet.label(recordName(view, value, at), x + 3, x + room - 4, middle + 4, pen.theme.text, 10)
  })
}
