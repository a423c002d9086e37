// SPDX-License-Identifier: MIT
// Navigation: to a time, a time range, a row, a record, the next hole in the data.

import type { Row, ThingKind, Track, TrackKind } from './protocol'
import { movesOn } from './store'
import type { View } from './view'

const LEAST = 100 // ticks on either side when it zooms in automatically

export type Slice = [begin: number, end: number, value: number, more: number, flags: number]

// Puts the cursor at the time. If it is not in view, moves the view there without zooming.
export function goTime(view: View, at: number): void {
  const width = view.until - view.from
  view.cursor = at
  if (at < view.from || at > view.until) view.go(at - width / 2, at + width / 2)
  if (movesOn(view)) view.go(view.from, view.until)
  view.changed()
}

// Centres the time and zooms in ten times, but not below 2 * LEAST ticks.
export function goClose(view: View, at: number): void {
  const width = Math.min(view.until - view.from, Math.max((view.until - view.from) / 10, 2 * LEAST))
  view.cursor = at
  view.go(at - width / 2, at + width / 2)
}

// Zooms so that a time range fills a good part of the view, unless it already does. A range of
// length 0 keeps the zoom.
export function goStretch(view: View, begin: number, end: number): void {
  const width = view.until - view.from, length = end - begin
  if (length > 0 && (length < width / 50 || length > width)) {
    const around = Math.max(length * 0.7, LEAST)
    view.go(begin - around, end + around)
  }
  goTime(view, begin)
}

// Shows a row, even if it is hidden or folded, and picks it.
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

// Returns whether the trace has holes, also those where no record is known to be missing: damaged
// bytes, or a restart of the target.
export function hasHoles(view: View): boolean {
  return view.rows.some(row => row.tracks.some(track => track.kind === 'loss'))
}

// Returns the row of a thing by key (hex) or name, on this core if given; -1 if there is none.
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

// Returns the next hole after `at`, or else the first one; null if there are no holes.
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
