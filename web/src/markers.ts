// SPDX-License-Identifier: MIT
// Markers: times that the user notes, each with a text. They are in the order of their times, at most
// one at a time, and in the address.

import { sendNote } from './notes'
import type { View } from './view'

// t: whole ticks since t0; kept: the server has it, else the address
export interface Marker { t: number; note: string; kept?: boolean }

export const MARKERS_MOST = 200
export const NOTE_MOST = 300 // letters
const ADDRESS_MOST = 6000 // letters of all markers in an address: longer ones are cut by mail programs

// ---- the text in an address: TICK~NOTE;TICK~NOTE, with \ before ; and \ of a note

export function markersText(markers: readonly Marker[]): string {
  let text = ''
  for (const { t, note } of markers.filter(marker => !marker.kept)) {
    const one = encodeURIComponent(`${t}~${note.replace(/[\\;]/g, '\\$&')}`)
    if (text.length + one.length + 1 > ADDRESS_MOST) break
    text += (text && ';') + one
  }
  return text
}

// Returns the markers of a text; parts that do not fit are left out.
export function parseMarkers(text: string): Marker[] {
  const found: Marker[] = []
  for (const part of text.match(/(?:[^\\;]|\\.)+/gs) ?? []) {
    const match = /^(\d{1,16})~(.*)$/s.exec(part)
    if (match) found.push({ t: Number(match[1]), note: match[2].replace(/\\(.)/gs, '$1').slice(0, NOTE_MOST) })
  }
  return inOrder(found).slice(0, MARKERS_MOST)
}

// Of several at one time the last one stays.
export function inOrder(markers: Marker[]): Marker[] {
  return [...new Map(markers.map(marker => [marker.t, marker])).values()].sort((a, b) => a.t - b.t)
}

// Returns how many of the markers an address cannot hold.
export function leftOut(markers: readonly Marker[]): number {
  const text = markersText(markers)
  return markers.filter(marker => !marker.kept).length - (text ? text.split(';').length : 0)
}

// ---- changes

// Replaces a marker by another one, on the page and where it is kept; null: there is none.
function change(view: View, from: Marker | null, to: Marker | null): void {
  const { keeps, file } = view.notes
  if (to) to.kept = keeps !== 'nothing' || file !== null // a file may have been repaired
  replace(view, from, to)
  if (to?.kept || from?.kept) void sendNote(view, from?.kept ? from.t : null, to)
}

// The same on the page alone.
function replace(view: View, from: Marker | null, to: Marker | null): void {
  view.markers = inOrder([...view.markers.filter(one => one !== from), ...to ? [to] : []])
  if (from && view.markerBase === from.t) view.markerBase = to?.t ?? null
  view.marker = to
  view.changed()
}

// Sets a marker at a time, or chooses the one that is there, and opens its note.
export function setMarker(view: View, at: number): void {
  const t = Math.min(Math.max(Math.round(at), 0), view.status?.last ?? 0)
  const there = view.markers.find(marker => marker.t === t)
  if (!there && view.markers.length >= MARKERS_MOST) return view.notify(`No more than ${MARKERS_MOST} markers`)
  view.editing = { fresh: !there }
  if (there) chooseMarker(view, there)
  else replace(view, null, { t, note: '' }) // it is kept with its note
}

export function chooseMarker(view: View, marker: Marker | null): void {
  view.marker = marker
  view.changed()
}

export function moveMarker(view: View, marker: Marker, at: number): Marker {
  const t = Math.min(Math.max(Math.round(at), 0), view.status?.last ?? 0)
  if (view.markers.some(one => one !== marker && one.t === t)) return marker // it would replace that one
  const moved = { ...marker, t }
  replace(view, marker, moved)
  return moved
}

// A drag has ended: the marker is kept at its new time.
export function endMove(view: View, from: Marker, to: Marker): void {
  if (to.kept && to.t !== from.t) void sendNote(view, from.t, to)
}

// Gives the markers of the address to the server.
export function keepMarkers(view: View): void {
  for (const marker of view.markers.filter(one => !one.kept)) change(view, marker, { ...marker })
}

// Ends the change of the chosen marker's note; null: it was given up, so that a fresh marker goes.
export function endNote(view: View, note: string | null): void {
  const { marker, editing } = view
  view.editing = null
  if (marker && note !== null) change(view, marker, { ...marker, note: note.trim().slice(0, NOTE_MOST) })
  else if (marker && editing?.fresh) change(view, marker, null)
  view.changed()
}

export function removeMarker(view: View, marker: Marker | null): void {
  if (!marker) return
  view.removed = [...view.removed, marker]
  change(view, marker, null)
  view.notify('Marker removed: u brings it back')
}

// Brings back the marker that was removed last.
export function bringBack(view: View): void {
  const marker = view.removed.at(-1)
  if (!marker) return
  view.removed = view.removed.slice(0, -1)
  change(view, null, marker)
}

// ---- going from one to the next

// Chooses the next (way 1) or previous marker, from the last to the first, and brings it into view.
export function stepMarker(view: View, way: 1 | -1): void {
  const { markers, marker, cursor } = view
  if (markers.length === 0) return
  const at = marker?.t ?? cursor ?? (way > 0 ? view.from - 1 : view.until + 1)
  const found = way > 0 ? markers.find(one => one.t > at) : [...markers].reverse().find(one => one.t < at)
  showMarker(view, found ?? markers.at(way > 0 ? 0 : -1)!)
}

export function showMarker(view: View, marker: Marker): void {
  const width = view.until - view.from
  view.marker = marker
  view.cursor = marker.t
  if (marker.t < view.from || marker.t > view.until) view.go(marker.t - width / 2, marker.t + width / 2)
  view.changed()
}
