// SPDX-License-Identifier: MIT
// Notes as the server keeps them, in a file beside the trace or in memory. All open pages show the same.

import { inOrder, NOTE_MOST } from './markers'
import type { Marker } from './markers'
import { applyNames } from './names'
import type { Notes } from './protocol'
import type { View } from './view'

export const noNotes: Notes = { rev: 0, keeps: 'nothing', file: null, problem: null, markers: [], renames: [] }

// Takes the server's notes. Markers of the address stay, unless there is one of the server at their time.
export async function takeNotes(view: View): Promise<void> {
  const notes = await view.source.ask<Notes>('notes').catch(() => null)
  if (!notes || view.unsent > 0) return // asked again when all is sent
  view.notes = notes
  applyNames(view)
  const kept = notes.markers.filter(([t]) => t >= 0).map(([t, note]): Marker => ({ t, note: note.slice(0, NOTE_MOST), kept: true }))
  view.markers = inOrder([...view.markers.filter(one => !one.kept), ...kept])
  view.marker = view.markers.find(one => one.t === view.marker?.t) ?? null
  view.changed()
}

// Replaces a note on the server. What it refuses stays in the address.
export async function sendNote(view: View, from: number | null, to: Marker | null): Promise<void> {
  view.unsent++
  try {
    await view.source.ask('note', { from, to: to && { t: to.t, note: to.note } })
  } catch (error) {
    if (to) to.kept = false
    view.notify(`Not kept${to ? ', but in the address' : ''}: ${String((error as Error)?.message ?? error)}`)
  }
  view.unsent--
  if (view.unsent === 0) await takeNotes(view)
}
