// SPDX-License-Identifier: MIT
// Going to places: a time, a stretch, a row, a record, the next hole in the data.

import type { Row, ThingKind, Track, TrackKind } from './protocol'
import { movesOn } from './store'
import type { View } from './view'

const LEAST = 100 // ticks to either side when it zooms in on its own

export type Slice = [begin: number, end: number, value: number, more: number, flags: number]

// Shows the time, with as much around it as is seen now if it is not in view, and puts the cursor there.
export function goTime(view: View, at: number): void {
  const width = view.until - view.from
  view.cursor = at
  if (at < view.from || at > view.until) view.go(at - width / 2, at + width / 2)
  if (movesOn(view)) view.go(view.from, view.until)
  view.changed()
}

// Shows the time in the middle, and closer: a tenth of what is seen now, but not below what can be told apart.
export function goClose(view: View, at: number): void {
  const width = Math.min(view.until - view.from, Math.max((view.until - view.from) / 10, 2 * LEAST))
  view.cursor = at
  view.go(at - width / 2, at + width / 2)
}

// Shows a stretch so that it fills a good part of the view, unless it already does. A moment is only
// gone to.
export function goStretch(view: View, begin: number, end: number): void {
  const width = view.until - view.from, length = end - begin
  if (length > 0 && (length < width / 50 || length > width)) {
    const around = Math.max(length * 0.7, LEAST)
    view.go(begin - around, end + around)
  }
  goTime(view, begin)
}

// Shows a row that may be hidden or folded, and marks it as the one that is picked.
export function goRow(view: View, row: number): void {
  const track = view.rows[row]?.tracks[0]
  if (!track) return
  view.hidden.delete(row)
  view.folded.delete(view.rows[row].kind)
  view.picked = { row, track: track.id, begin: view.from, end: view.from, value: 0 }
  view.changed()
  view.reveal(row)
}

export function tracksOf(view: View, kind: TrackKind): { row: Row; number: number; track: Track }[] {
  return view.rows.flatMap((row, number) => row.tracks
    .filter(track => track.kind === kind)
    .map(track => ({ row, number, track })))
}

// Is there any hole in what is known? Also where no record is known to be missing: where bytes are
// damaged, or the target was restarted.
export function hasHoles(view: View): boolean {
  return view.rows.some(row => row.tracks.some(track => track.kind === 'loss'))
}

// The row of a thing with this key (hex) or name, if need be of this core; -1: there is none.
export function findRow(view: View, kinds: readonly ThingKind[], key: string | null, name: string | null, core?: number): number {
  const low = key?.toLowerCase().replace(/^0x0*(?=.)/, '')
  return view.rows.findIndex(row => {
    const thing = view.things[row.thing]
    if (!thing || !kinds.includes(thing.kind) || (core !== undefined && row.core !== core)) return false
    return low !== undefined && thing.key !== ''
      ? thing.key.toLowerCase().replace(/^0x/, '').replace(/^0+(?=.)/, '') === low
      : thing.name === name
  })
}

export async function stepTrack(view: View, track: number, at: number, way: 1 | -1): Promise<Slice | null> {
  const answer = await view.source.ask<{ slice: Slice | null }>('step', { track, at, way, value: null })
  return answer.slice
}

// The next hole behind `at`, the first one if there is none; null: there are no holes.
export async function nextLoss(view: View, at: number): Promise<Slice | null> {
  const tracks = tracksOf(view, 'loss').map(({ track }) => track.id)
  for (const from of [at, -1]) {
    const found = await Promise.all(tracks.map(track => stepTrack(view, track, from, 1)))
    const next = found.filter(slice => slice !== null).sort((a, b) => a[0] - b[0])[0]
    if (next) return next
  }
  return null
}

export function nameOf(view: View, thing: number): string {
  return view.things[thing]?.name || (thing ? `#${thing}` : '')
}
