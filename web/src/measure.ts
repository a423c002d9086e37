// SPDX-License-Identifier: MIT
// The distance of two slices or records: the second one is clicked with Shift.

import type { Canvas } from './canvas'
import type { View } from './view'

// Selects the time from one moment to another, which shows its length.
export function measure(view: View, from: number | null, to: number): void {
  if (from === null) return view.notify('Click a slice or a record first, then another one with Shift')
  if (from === to) return view.notify('Both are at the same time')
  view.selection = [Math.min(from, to), Math.max(from, to)]
  view.changed()
}

// From the begin of the picked slice to that of the one at a point, or to the time there.
export function measureAt(canvas: Canvas, x: number, y: number): void {
  const { view } = canvas, hit = canvas.hit(x, y)
  measure(view, view.picked?.begin ?? null, hit?.piece.count === 1 ? hit.piece.begin : Math.round(canvas.pen.time(x)))
}
