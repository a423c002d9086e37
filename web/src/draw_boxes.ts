// SPDX-License-Identifier: MIT
// Lanes of boxes: tasks running on a core, interrupts, states of machines, steps, holders, spans
// and the bars of mutexes. A box has the colour and the name of the thing it shows.

import { css, inkOn } from './colours'
import { Dense } from './dense'
import type { Lane } from './layout'
import type { Row, TrackKind } from './protocol'
import type { Piece, Sheet } from './sheet'

const IDLE = 1
const NO_EXIT = 2 // value of an interrupt's slice

// Returns the thing that a box shows; for an interrupt it is the thing of its row.
export function boxThing(kind: TrackKind, row: Row, value: number): number {
  return kind === 'irqs' ? row.thing : value
}

export function drawBoxes(sheet: Sheet, row: Row, lane: Lane, top: number): void {
  const { pen } = sheet
  const { kind } = lane.track
  const y = top + lane.y, named = kind !== 'irqs' // the row has an interrupt's name
  const size = lane.height >= 13 ? 11 : 9
  const base = y + lane.height / 2 + size * 0.36
  const strip = sheet.raster.strip(y, lane.height)
  const low = kind === 'runs' ? sheet.raster.strip(y + lane.height - 3, 3) : strip
  const foot = sheet.raster.strip(y + lane.height - 2, 2)
  const dense = new Dense(sheet)
  sheet.each(lane.track.id, p => {
    const x0 = pen.x(p.begin), x1 = pen.x(p.end)
    const thing = boxThing(kind, row, p.value)
    if (kind === 'runs' && p.value <= IDLE) {
      sheet.fill(low, x0, x1, pen.pack(IDLE, 1))
      if (p.count > 1 && p.share > 0) dense.add(p, x0, x1, pen.pack(p.max, 1))
      return
    }
    if (notKnown(kind, p)) {
      drawNotKnown(sheet, kind, x0, x1, y, lane.height)
      return
    }
    if (dense.holds(p, x0, x1)) {
      dense.add(p, x0, x1, pen.pack(thing, 1))
      return
    }
    sheet.fill(strip, x0, x1, pen.pack(thing, 1), pen.edge(thing))
    if (named && x1 - x0 > 16) {
      sheet.label(pen.name(thing), x0, x1, base, inkOn(pen.colour(thing)), size)
    }
  })
  dense.paint(strip, foot)
}

// Returns whether a state, a holder or the end of an interrupt is not known.
function notKnown(kind: TrackKind, p: Piece): boolean {
  return p.count === 1 && ((kind === 'machine' && p.value === 0) || (kind === 'holder' && p.value === 0)
    || (kind === 'irqs' && p.value === NO_EXIT))
}

function drawNotKnown(sheet: Sheet, kind: TrackKind, x0: number, x1: number, y: number, height: number): void {
  const { pen } = sheet
  if (x1 - x0 >= 4) {
    sheet.area({ pattern: 'hatch', colour: css(pen.theme.grey, 0.25), x: x0, y, width: x1 - x0, height })
  }
  const text = kind === 'holder' ? '? holder not known' : kind === 'irqs' ? '? its exit is missing' : ''
  if (text && x1 - x0 > 90) sheet.label(text, x0, x1, y + height / 2 + 4, pen.theme.muted, 10)
  else if (x1 - x0 > 14 && text) sheet.label('?', x0, x1, y + height / 2 + 4, pen.theme.muted, 10)
  else sheet.unknown(x0, x1, y, height)
}

// The bar of a mutex along its holder: solid while it is held, as in the figures of textbooks.
export function drawHolds(sheet: Sheet, lane: Lane, top: number): void {
  const { pen } = sheet
  const strip = sheet.raster.strip(top + lane.y, lane.height)
  const foot = sheet.raster.strip(top + lane.y + lane.height - 1, 1)
  const dense = new Dense(sheet)
  sheet.each(lane.track.id, (p: Piece) => {
    const x0 = pen.x(p.begin), x1 = pen.x(p.end)
    if (dense.holds(p, x0, x1)) dense.add(p, x0, x1, pen.pack(p.value, 1))
    else sheet.fill(strip, x0, x1, pen.pack(p.value, 1))
  })
  dense.paint(strip, foot)
}
