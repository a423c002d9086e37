// SPDX-License-Identifier: MIT
// Positions of arrows on the canvas, for drawing them and for finding the one under the pointer.

import type { Geometry } from './geometry'
import type { Arrow } from './protocol'

export const ARC_HIGH = 14 // pixels
const ARC_LEAST = 5
const GAP = 6 // from the middle of a row to where an arrow begins
const NEAR = 3
const STEPS = 12 // straight segments that stand for an arc when its distance to the pointer is measured

// An arc connects two times in one row, so both ends have the same y.
export interface ArrowLine { x0: number; y0: number; x1: number; y1: number; arc: boolean }

type Places = Map<number, number>

// Returns the middle y of each row that is laid out: of its first lane, if it has lanes.
export function middles(geometry: Geometry): Places {
  const places: Places = new Map()
  const { layout } = geometry
  for (const [lines, offset] of [[layout.lines, geometry.offset('rows')],
                                 [layout.pinned, geometry.offset('pinned')]] as const) {
    for (const line of lines) {
      if (line.row < 0) continue
      const lane = line.lanes[0]
      places.set(line.row, line.y + offset + (lane ? lane.y + lane.height / 2 : line.height / 2))
    }
  }
  return places
}

// Returns null when a row is not laid out or the arc is too short to see. x: time to pixels.
export function arrowLine(arrow: Arrow, places: Places, x: (t: number) => number): ArrowLine | null {
  const [, begin, end, fromRow, toRow] = arrow
  const y0 = places.get(fromRow), y1 = places.get(toRow)
  if (y0 === undefined || y1 === undefined) return null
  const x0 = x(begin), x1 = x(end)
  if (fromRow === toRow) return x1 - x0 < ARC_LEAST ? null : { x0, y0, x1, y1, arc: true }
  const gap = y1 > y0 ? GAP : -GAP
  return { x0, y0: y0 + gap, x1, y1: y1 - gap, arc: false }
}

// Horizontal distance of an arc's two control points from its ends.
export function arcSide(line: ArrowLine): number {
  return Math.min((line.x1 - line.x0) / 3, 24)
}

function awayFromPart(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / square))
  return Math.hypot(x - x0 - share * dx, y - y0 - share * dy)
}

function arcPoint(line: ArrowLine, share: number): [number, number] {
  const { x0, x1, y0 } = line
  const rest = 1 - share, side = arcSide(line)
  const a = rest ** 3, b = 3 * rest * rest * share, c = 3 * rest * share * share, d = share ** 3
  return [a * x0 + b * (x0 + side) + c * (x1 - side) + d * x1, y0 - (b + c) * ARC_HIGH]
}

function away(line: ArrowLine, x: number, y: number): number {
  if (!line.arc) return awayFromPart(x, y, line.x0, line.y0, line.x1, line.y1)
  let least = Infinity, [px, py] = arcPoint(line, 0)
  for (let step = 1; step <= STEPS; step++) {
    const [qx, qy] = arcPoint(line, step / STEPS)
    least = Math.min(least, awayFromPart(x, y, px, py, qx, qy))
    px = qx
    py = qy
  }
  return least
}

// Returns the nearest arrow within NEAR pixels, or null.
export function arrowAt(arrows: Arrow[], places: Places, xOf: (t: number) => number, x: number, y: number): Arrow | null {
  let best: Arrow | null = null, least = NEAR
  for (const arrow of arrows) {
    const line = arrowLine(arrow, places, xOf)
    const distance = line ? away(line, x, y) : Infinity
    if (distance > least) continue
    best = arrow
    least = distance
  }
  return best
}
