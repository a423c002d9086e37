// SPDX-License-Identifier: MIT
// Changes of the view by keys and the pointer.

import type { Canvas } from './canvas'
import { stepMark, stepSlice, stepTrack } from './go'
import type { Hit } from './hit'
import { expands } from './layout'
import { hasMarks } from './marks'
import { firstTick, movesOn } from './store'
import type { Picked } from './view'

// Returns a range that is `factor` times as wide, with the time t at the same place.
export function zoomed(from: number, until: number, t: number, factor: number): [number, number] {
  return [t - (t - from) * factor, t + (until - t) * factor]
}

export function zoom(canvas: Canvas, t: number, factor: number): void {
  const { view } = canvas
  const [first, last] = view.limits ?? [0, Math.max(view.status?.last ?? 0, 1)]
  const within = Math.min(Math.max(t, first), last)
  view.go(...zoomed(view.from, view.until, within, factor))
}

// share: of the visible range; positive pans to later times.
export function pan(canvas: Canvas, share: number): void {
  const { view } = canvas
  const by = (view.until - view.from) * share
  view.go(view.from + by, view.until + by)
}

// Shows a time range with a margin on either side.
export function show(canvas: Canvas, begin: number, end: number): void {
  const room = Math.max((end - begin) * 0.1, 2)
  canvas.view.go(begin - room, end + room)
}

export function begin(canvas: Canvas): void {
  const { view } = canvas
  const first = firstTick(view)
  view.go(first, first + view.until - view.from)
}

// Shows the newest data and follows a live trace.
export function newest(canvas: Canvas): void {
  const { view } = canvas
  const last = view.status?.last ?? 0
  view.go(last - (view.until - view.from), last)
  if (view.hello?.live) view.follow = true
  view.changed()
}

export function followOrFreeze(canvas: Canvas): void {
  if (movesOn(canvas.view)) canvas.freeze()
  else if (canvas.view.hello?.live) newest(canvas)
}

export function clear(canvas: Canvas): void {
  const { view } = canvas
  if (view.selection) view.selection = null
  else if (view.marker) view.marker = null
  else if (view.mark) view.mark = view.markPlace = null
  else if (view.picked) view.picked = null
  else view.place = null
  view.changed()
}

// Shows the curves of a row in full height, or no longer.
export function expand(canvas: Canvas, row: number): void {
  const { view } = canvas
  if (row < 0 || !view.rows[row]) return
  if (!expands(view.rows[row])) return view.notify(view.rows[row].kind === 'task' ? 'Its priority never changes' : 'The row has no curve')
  const expanded = new Set(view.expanded)
  if (!expanded.delete(row)) expanded.add(row)
  view.expanded = expanded
  view.changed()
}

// Picks the slice that was clicked; of a piece with several slices, the one at the pointer.
export async function pick(canvas: Canvas, hit: Hit | null, t: number): Promise<void> {
  const { view } = canvas
  canvas.freeze()
  if (!hit || hit.lane.track.kind === 'filters') view.picked = null
  else if (hit.piece.count === 1) view.picked = pickedOf(hit, hit.piece)
  else {
    const slice = await stepTrack(view, hit.lane.track.id, Math.max(0, Math.round(t + 1)), -1).catch(() => null)
    view.picked = slice ? pickedOf(hit, { begin: slice[0], end: slice[1], value: slice[2], more: slice[3] }) : null
  }
  view.changed()
}

function pickedOf(hit: Hit, slice: { begin: number; end: number; value: number; more: number }): Picked {
  const { begin, end, value, more } = slice
  return { row: hit.number, track: hit.lane.track.id, begin, end, value, more }
}

export function stepMarked(canvas: Canvas, way: 1 | -1): void {
  if (hasMarks(canvas.view)) void stepMark(canvas.view, way)
  else void stepSlice(canvas.view, way)
}
