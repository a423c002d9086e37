// SPDX-License-Identifier: MIT
// Edges near the pointer: those of slices and records, to which a selection snaps, and its own.

import type { Canvas } from './canvas'
import type { Lane } from './layout'
import type { Sheet } from './sheet'

const NEAR = 6 // pixels
const GRIP = 5 // pixels from an edge of the selection at which it can be grabbed

// Returns the edge of the selection that stays in place, if a drag at x would move the other one.
export function heldEdge({ view, pen }: Canvas, x: number): number | null {
  if (!view.selection) return null
  const [begin, end] = view.selection
  if (Math.abs(pen.x(begin) - x) < GRIP) return end
  return Math.abs(pen.x(end) - x) < GRIP ? begin : null
}

// Returns the edge of a single slice next to a time, at most `near` away; null: there is none.
export function nearestEdge(sheet: Pick<Sheet, 'each'>, lanes: Lane[], t: number, near: number): number | null {
  let best: number | null = null
  for (const { track } of lanes) {
    if (track.kind === 'load' || track.kind === 'filters') continue
    sheet.each(track.id, ({ begin, end, count }) => {
      if (count !== 1) return
      for (const edge of [begin, end]) {
        if (Math.abs(edge - t) <= Math.min(near, best === null ? Infinity : Math.abs(best - t))) best = edge
      }
    })
  }
  return best
}

// Returns the time at a point, or that of an edge near it in the row there.
export function snappedTime(canvas: Canvas, x: number, y: number): number {
  const { pen, geometry, sheet } = canvas
  const t = pen.time(x), lanes = geometry.lineAt(y)?.line.lanes ?? []
  return nearestEdge(sheet, lanes, t, NEAR * (pen.until - pen.from) / pen.width) ?? t
}
