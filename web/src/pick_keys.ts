// SPDX-License-Identifier: MIT
// Picks slices and selects times by the keyboard: along the lane of a row, and across the lanes of all
// rows.

import type { Canvas } from './canvas'
import { pickSlice, stepTrack } from './go'
import type { Slice } from './go'
import type { TrackKind } from './protocol'
import type { View } from './view'

const unpicked = new Set<TrackKind>(['load', 'filters'])

// Returns the slice of a track at a time, else the nearest one in view; null: there is none in view.
async function sliceNear(view: View, track: number, at: number): Promise<Slice | null> {
  const before = await stepTrack(view, track, at + 1, -1)
  if (before && (before[1] > at || before[0] === at)) return before
  const after = await stepTrack(view, track, at, 1)
  if (after && after[0] <= view.until) return after
  return before && before[1] >= view.from ? before : null
}

// Picks a slice in the next lane below (way 1) or above that has one in view.
export async function pickAcross(canvas: Canvas, way: 1 | -1): Promise<void> {
  const { view, geometry: { layout } } = canvas, { picked } = view
  const lanes = [...layout.pinned, ...layout.lines].filter(line => line.row >= 0)
    .flatMap(({ row, lanes }) => lanes.map(({ track }) => ({ row, track })))
    .filter(({ track }) => !unpicked.has(track.kind))
  const last = picked ? lanes.findIndex(({ row, track }) => row === picked.row && track.id === picked.track) : -1
  const time = picked?.begin ?? view.cursor ?? (view.from + view.until) / 2
  const at = Math.round(Math.min(Math.max(time, view.from, 0), view.until))
  for (let i = last < 0 && way < 0 ? lanes.length - 1 : last + way; i >= 0 && i < lanes.length; i += way) {
    const { row, track } = lanes[i]
    const slice = await sliceNear(view, track.id, at).catch(() => null) // the link is lost
    if (view.picked !== picked) return // something else is picked meanwhile
    if (!slice) continue
    const [begin, end, value, more] = slice
    canvas.freeze()
    view.picked = { row, track: track.id, begin, end, value, more }
    view.reveal(row)
    view.changed()
    return
  }
}

// Picks the next (way 1) or previous slice of the lane, whatever it is.
export async function pickAlong(canvas: Canvas, way: 1 | -1): Promise<void> {
  const { view } = canvas, { picked } = view
  if (!picked) return pickAcross(canvas, 1)
  const slice = await stepTrack(view, picked.track, Math.max(0, Math.round(picked.begin)), way).catch(() => null)
  if (slice && view.picked === picked) pickSlice(view, picked.row, picked.track, slice)
}

// Selects the time of the picked slice, or extends the selection to it.
export function selectPicked({ view }: Canvas): void {
  const { picked, selection } = view
  if (!picked) return
  view.selection = [Math.min(picked.begin, selection?.[0] ?? Infinity), Math.max(picked.end, selection?.[1] ?? -Infinity)]
  view.changed()
}
