// SPDX-License-Identifier: MIT
// Opens the context menu on what is at a point of the time line, or on what is picked.

import type { Canvas } from './canvas'
import * as moves from './moves'
import type { Pointer } from './scene'

// At a slice it is picked first; the selection stays.
export async function openMenuAt(canvas: Canvas, x: number, y: number): Promise<void> {
  const { view, geometry, host } = canvas
  const part = geometry.part(y)
  if (part !== 'rows' && part !== 'pinned') return
  const row = geometry.lineAt(y)?.line.row ?? -1
  const box = host.getBoundingClientRect()
  const hit = canvas.hit(x, y)
  if (hit) await moves.pick(canvas, hit, canvas.pen.time(x))
  const slice = hit && view.picked?.row === row ? view.picked : null
  view.openMenu({ row, slice, record: null }, box.left + x, box.top + y)
}

// Of the keyboard: on the picked slice if its row is shown, else on the row under the pointer, else on none.
export function openMenuOfPicked(canvas: Canvas, pointer: Pointer | null): void {
  const { view, geometry, host, pen } = canvas
  const { picked } = view
  const place = picked && placeOf(canvas, picked.row)
  const row = place ? picked.row : pointer ? geometry.lineAt(pointer.y)?.line.row ?? -1 : -1
  const box = host.getBoundingClientRect()
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)
  const x = place ? within(pen.x(picked.begin), geometry.width) : pointer?.x ?? geometry.left
  const y = within((place ?? (row >= 0 ? placeOf(canvas, row) : null) ?? geometry.rowsTop) + 16, geometry.height)
  view.openMenu({ row, slice: place ? picked : null, record: null }, box.left + x, box.top + y)
}

// Returns where a row begins on the canvas; null: it is not shown.
function placeOf({ geometry }: Canvas, row: number): number | null {
  for (const part of ['pinned', 'rows'] as const) {
    const line = (part === 'rows' ? geometry.layout.lines : geometry.layout.pinned).find(one => one.row === row)
    if (line) return line.y + geometry.offset(part)
  }
  return null
}
