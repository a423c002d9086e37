// SPDX-License-Identifier: MIT
// Bands over rows: where records are missing (hatched), where groups were filtered out (dotted),
// and the time before the first and after the last record.

import { css, rgb } from './colours'
import type { Line } from './layout'
import type { Row, RowKind, Thing } from './protocol'
import type { Sheet } from './sheet'

export interface Band { begin: number; end: number; value: number; more: number }

const LEAST = 3 // pixels, so that the shortest hole is visible

// Returns whether a hole in this core's stream (-1: in the only stream) makes the row uncertain.
// Rows of another core and of its interrupts depend on that core's own records.
export function lossTouches(row: Row, core: number): boolean {
  return core < 0 || row.core < 0 || row.core === core || (row.kind !== 'core' && row.kind !== 'irq' && row.kind !== 'load')
}

// The kinds of rows, and of objects, that a group's records describe.
const concerns: Record<string, { rows: RowKind[]; objects?: string[] }> = {
  SM: { rows: ['machine'] },
  AO: { rows: ['machine'] },
  EQ: { rows: ['object'], objects: ['event queue', 'queue'] },
  MP: { rows: ['object'], objects: ['pool', 'heap'] },
  TE: { rows: ['object'], objects: ['timer'] },
  QF: { rows: ['irq'] },
  SC: { rows: ['load', 'core', 'task'] },
  SEM: { rows: ['object'], objects: ['semaphore'] },
  MTX: { rows: ['object'], objects: ['mutex'] },
  USER: { rows: ['records'] },
  TASK: { rows: ['load', 'core', 'task'] },
  ISR: { rows: ['irq'] },
  MUT: { rows: ['object'], objects: ['mutex'] },
  SEMA: { rows: ['object'], objects: ['semaphore'] },
  QUE: { rows: ['object'], objects: ['queue'] },
  EVT: { rows: ['object'], objects: ['event group'] },
  TMR: { rows: ['object'], objects: ['timer'] },
  HEAP: { rows: ['object'], objects: ['heap', 'pool'] },
  NOTE: { rows: ['counter', 'records'] }
}

export function groupsOf(bits: number, groups: string[]): string[] {
  return groups.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1)
}

export function filterTouches(row: Row, thing: Thing | undefined, bits: number, groups: string[]): boolean {
  return groupsOf(bits, groups).some(name => {
    const of = concerns[name]
    if (!of?.rows.includes(row.kind)) return false
    return row.kind !== 'object' || (of.objects ?? []).includes(thing?.sub ?? '')
  })
}

export function bandsOf(sheet: Sheet, track: number): Band[] {
  const bands: Band[] = []
  sheet.each(track, ({ begin, end, value, more }) => bands.push({ begin, end, value, more }))
  return bands
}

// Merges adjacent lines into one area.
function stacks(lines: Line[], scroll: number): { y: number; height: number }[] {
  const made: { y: number; height: number }[] = []
  for (const line of lines) {
    const y = line.y + scroll, top = made[made.length - 1]
    if (top && Math.abs(top.y + top.height - y) < 0.5) top.height += line.height
    else made.push({ y, height: line.height })
  }
  return made
}

function spread(sheet: Sheet, band: Band): [number, number] | null {
  const { left, width } = sheet.pen
  const x0 = sheet.pen.x(band.begin), x1 = Math.max(sheet.pen.x(band.end), x0 + LEAST)
  const from = Math.max(left, x0), until = Math.min(left + width, x1)
  return until > from ? [from, until] : null
}

export function drawLosses(sheet: Sheet, bands: Band[], lines: Line[], scroll: number): void {
  const { pen, patterns } = sheet
  const parts = stacks(lines, scroll)
  const hatch = patterns.get('loss', css(rgb(pen.theme.loss), 0.55), pen.scale, sheet.shift)
  for (const band of bands) {
    const at = spread(sheet, band)
    if (!at) continue
    for (const { y, height } of parts) {
      for (const style of [pen.theme.lossBack, hatch]) {
        pen.ctx.fillStyle = style
        pen.rect(at[0], y, at[1] - at[0], height)
      }
    }
  }
}

export function drawFilters(sheet: Sheet, bands: Band[], lines: Line[], scroll: number): void {
  const { pen, patterns } = sheet
  const dots = patterns.get('dots', css(rgb(pen.theme.off), 0.5), pen.scale, sheet.shift)
  for (const band of bands) {
    const at = spread(sheet, band)
    if (!at) continue
    for (const { y, height } of stacks(lines, scroll)) {
      for (const style of [css(rgb(pen.theme.off), 0.1), dots]) {
        pen.ctx.fillStyle = style
        pen.rect(at[0], y, at[1] - at[0], height)
      }
    }
  }
}

// Shades the time before the first record and after the last.
export function drawOutside(sheet: Sheet, begin: number, last: number, top: number, bottom: number): void {
  const { pen } = sheet
  const right = pen.left + pen.width
  const first = Math.min(right, pen.x(begin)), end = Math.max(pen.left, pen.x(last))
  pen.ctx.fillStyle = pen.theme.outside
  if (first > pen.left) pen.rect(pen.left, top, first - pen.left, bottom - top)
  if (end < right) pen.rect(end, top, right - end, bottom - top)
}
