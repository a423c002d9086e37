// SPDX-License-Identifier: MIT
// Lanes of boxes: who runs on a core, interrupts, states of machines, steps, holders, spans and the
// bars of mutexes. A box is in the colour of the thing it shows and has its name.

import { inkOn } from './colours'
import type { Lane } from './layout'
import type { Row, TrackKind } from './protocol'
import type { Piece, Sheet } from './sheet'

const IDLE = 1

const faintest = 0.35 // how strong a piece is that is hardly busy

export function strength(share: number): number {
  return faintest + (1 - faintest) * share
}

// What a box shows and is called; an interrupt's is its row's.
export function boxThing(kind: TrackKind, row: Row, value: number): number {
  return kind === 'irqs' ? row.thing : value
}

export function drawBoxes(sheet: Sheet, row: Row, lane: Lane, top: number): void {
  const { pen } = sheet
  const { kind } = lane.track
  const y = top + lane.y, named = kind !== 'irqs' // the row says it
  const size = lane.height >= 13 ? 11 : 9
  const base = y + lane.height / 2 + size * 0.36
  const strip = sheet.raster.strip(y, lane.height)
  const low = kind === 'runs' ? sheet.raster.strip(y + lane.height - 3, 3) : strip
  sheet.each(lane.track.id, p => {
    const x0 = pen.x(p.begin), x1 = pen.x(p.end)
    const thing = boxThing(kind, row, p.value)
    if (kind === 'runs' && p.value <= IDLE) {
      sheet.fill(low, x0, x1, pen.pack(IDLE, 1))
      if (p.count > 1 && p.share > 0) sheet.fill(strip, x0, x1, pen.pack(p.max, strength(p.share)))
      return
    }
    if (kind === 'machine' && p.value === 0) {
      sheet.unknown(x0, x1, y, lane.height)
      return
    }
    const alpha = p.count > 1 ? strength(p.share) : 1
    sheet.fill(strip, x0, x1, pen.pack(thing, alpha), pen.edge(thing))
    if (named && p.count === 1 && x1 - x0 > 16) {
      sheet.label(pen.name(thing), x0, x1, base, inkOn(pen.colour(thing)), size)
    }
  })
}

// The bar of a mutex along its holder: solid while it is held, as in the figures of textbooks.
export function drawHolds(sheet: Sheet, lane: Lane, top: number): void {
  const { pen } = sheet
  const strip = sheet.raster.strip(top + lane.y, lane.height)
  sheet.each(lane.track.id, (p: Piece) => {
    const alpha = p.count > 1 ? strength(p.share) : 1
    sheet.fill(strip, pen.x(p.begin), pen.x(p.end), pen.pack(p.value, alpha))
  })
}
