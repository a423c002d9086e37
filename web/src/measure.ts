// SPDX-License-Identifier: MIT
// The distance of two slices or records: the second one is clicked with Shift.

import type { Canvas } from './canvas'
import type { View } from './view'

// Selects the time from what was chosen last, which shows its length.
export function measure(view: View, to: number): void {
  const from = view.chosenAt
  if (from === null) return view.notify('Click a slice or a record first, then another one with Shift')
  if (from === to) return view.notify('Both are at the same time')
  view.selection = [Math.min(from, to), Math.max(from, to)]
  view.changed()
}

// To the begin of the slice at a point, or to the time there.
export function measureAt(canvas: Canvas, x: number, y: number): void {
  const { view } = canvas, hit = canvas.hit(x, y)
  measure(view, hit?.piece.count === 1 ? hit.piece.begin : Math.round(canvas.pen.time(x)))
}
