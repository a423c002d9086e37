// SPDX-License-Identifier: MIT
// Priorities of a task over time: a line on top of its states where it has inherited one, and in an
// expanded row the priority as steps, with who raised it and for which object.

import { css } from './colours'
import { drawLevel, levelY } from './draw_levels'
import type { Scale } from './draw_levels'
import type { Lane } from './layout'
import type { Row } from './protocol'
import type { Sheet } from './sheet'

const NAMED = 40 // pixels of an inherited priority with its text

// Returns the priority at the cursor, or else at the end of the view: "4 (1)".
export function priorityNow(sheet: Sheet, lane: Lane, cursor: number | null): string {
  const { pen } = sheet
  const at = cursor !== null && cursor >= pen.from && cursor <= pen.until ? cursor : pen.until
  let now = ''
  sheet.each(lane.track.id, p => {
    const raised = p.more > 0 ? pen.name(p.more) : ''
    if (p.begin <= at) now = p.end >= at || p.end >= pen.until ? priorityText(p.value, raised) : ''
  })
  return now
}

// The line on top of the states.
export function drawRaises(sheet: Sheet, lane: Lane, top: number): void {
  const { pen } = sheet
  const strip = sheet.raster.strip(top + lane.y, 2)
  sheet.each(lane.track.id, p => {
    if (p.more === 0 || p.count > 1) return
    const x0 = pen.x(p.begin), x1 = pen.x(p.end)
    sheet.fill(strip, x0, x1, pen.pack(p.more, 1))
    if (x1 - x0 > NAMED) sheet.label(raiseWords(p.value, pen.name(p.more)), x0, x1, top + lane.y + 11, pen.theme.text, 10)
  })
}

// Priorities as steps; an inherited one is hatched down to the scale's foot.
export function drawPriority(sheet: Sheet, row: Row, lane: Lane, top: number): Scale {
  const { pen } = sheet
  const scale = drawLevel(sheet, row, lane, top)
  const foot = top + lane.y + lane.height
  sheet.each(lane.track.id, p => {
    if (p.more === 0 || p.count > 1) return
    const x0 = pen.x(p.begin), x1 = pen.x(p.end), y = levelY(scale, lane, p.value) + top
    sheet.area({ pattern: 'hatch', colour: css(pen.colour(p.more), 0.8), x: x0, y, width: x1 - x0, height: foot - y })
    if (x1 - x0 > NAMED) sheet.label(raiseWords(p.value, pen.name(p.more)), x0, x1, Math.min(y + 13, foot - 3), pen.theme.text, 10)
  })
  return scale
}

// raised: the name of a RAISE, "1, raised by high for printer"; '': its own priority
export function priorityText(value: number, raised: string, whole = false): string {
  if (!raised) return String(value)
  return `${value} (${whole ? raised : raised.split(',')[0]})`
}

// "raised to 4 by high for printer"
export function raiseWords(value: number, raised: string): string {
  const found = /^(?:-?\d+|\?), raised (by .*)$/s.exec(raised)
  return `raised to ${value}${found ? ` ${found[1]}` : ''}`
}
