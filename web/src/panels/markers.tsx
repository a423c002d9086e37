// SPDX-License-Identifier: MIT
// All markers: time, note, and the distance to the one before and to a base.

import { chooseMarker, endNote, keepMarkers, leftOut, NOTE_MOST, removeMarker, setMarker, showMarker, stepMarker } from '../markers'
import type { Marker } from '../markers'
import { Empty } from '../parts'
import type { Notes } from '../protocol'
import { clean, plural } from '../text'
import { countText, lengthText, timeText } from '../times'
import { useViewed } from '../use'
import type { View } from '../view'

function signed(ticks: number, hz: number): string {
  return `${ticks < 0 ? '−' : '+'}${lengthText(Math.abs(ticks), hz)}`
}

// The note, which can be changed in its place.
function Note({ view, marker }: { view: View; marker: Marker }) {
  return (
    <input class="note" key={marker.note} defaultValue={marker.note} maxLength={NOTE_MOST} placeholder="no note" aria-label={`Note of the marker at ${timeText(marker.t, view.hello?.hz ?? 0)}`}
      onFocus={() => chooseMarker(view, marker)}
      onKeyDown={event => {
        if (event.key === 'Escape') event.currentTarget.value = marker.note
        if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
        event.stopPropagation()
      }}
      onBlur={event => {
        const { value } = event.currentTarget
        if (value === marker.note || !view.markers.includes(marker)) return
        view.marker = marker
        endNote(view, value)
      }} />
  )
}

// Where the markers are kept, and why not.
function Where({ notes, loose, keep }: { notes: Notes; loose: number; keep(): void }) {
  const place = notes.keeps === 'file' ? clean(notes.file ?? '') : notes.keeps === 'memory' ? 'memory of the server' : ''
  return (
    <>
      {place && <span class="muted">kept in {place}</span>}
      {place && loose > 0 && <button onClick={keep}>Keep {countText(loose)} of the address, too</button>}
      {notes.problem && <span class="wrong" role="alert">{clean(notes.problem, 500)}. New markers are in the address.</span>}
    </>
  )
}

export function Markers({ view }: { view: View }) {
  const [markers, chosen, base, hello, notes] = useViewed(view, v => [v.markers, v.marker, v.markerBase, v.hello, v.notes])
  const loose = markers.filter(marker => !marker.kept).length
  const hz = hello?.hz ?? 0, lost = leftOut(markers)
  const from = markers.find(marker => marker.t === base) ?? markers[0]
  return (
    <div class="markers">
      <div class="toolbar">
        <span><b>{countText(markers.length)}</b> {plural(markers.length, 'marker')}</span>
        <button title="Set a marker (m)" aria-keyshortcuts="m" onClick={() => setMarker(view, view.cursor ?? view.picked?.begin ?? (view.from + view.until) / 2)}>Set</button>
        {markers.length > 0 && <>
          <button title="Previous marker (,)" aria-keyshortcuts="," onClick={() => stepMarker(view, -1)}>Previous</button>
          <button title="Next marker (.)" aria-keyshortcuts="." onClick={() => stepMarker(view, 1)}>Next</button>
        </>}
        <Where notes={notes} loose={loose} keep={() => keepMarkers(view)} />
        {lost > 0 && <span class="warn" role="status">The last {countText(lost)} are not in the address: it would be too long. They are lost with this page.</span>}
      </div>
      <div class="scroll" tabIndex={0} aria-label="Markers">
        {markers.length === 0
          ? <Empty>No marker yet: m sets one at the pointer, or at the selected record or slice.</Empty>
          : (
              <table class="figures">
                <thead>
                  <tr>
                    <th class="number" scope="col">#</th><th class="number" scope="col">time</th><th scope="col">note</th>
                    <th class="number" scope="col">since the one before</th><th class="number" scope="col">since the base</th>
                    <th scope="col">base</th><th scope="col" aria-label="remove" />
                  </tr>
                </thead>
                <tbody>
                  {markers.map((marker, i) => (
                    <tr key={marker.t} class={marker === chosen ? 'chosen' : ''}>
                      <td class="number">{i + 1}</td>
                      <td class="number">
                        <button class="link" aria-current={marker === chosen} onClick={() => showMarker(view, marker)}>{timeText(marker.t, hz)}</button>
                      </td>
                      <td><Note view={view} marker={marker} /></td>
                      <td class="number">{i > 0 ? signed(marker.t - markers[i - 1].t, hz) : ''}</td>
                      <td class="number">{marker === from ? 'base' : signed(marker.t - from.t, hz)}</td>
                      <td>
                        <input type="radio" name="base" checked={marker === from} aria-label={`Measure from ${clean(marker.note, 40) || `marker ${i + 1}`}`}
                          onChange={() => {
                            view.markerBase = marker.t
                            view.changed()
                          }} />
                      </td>
                      <td><button class="link" aria-label={`Remove marker ${i + 1}`} title="Remove (Delete); u brings it back" onClick={() => removeMarker(view, marker)}>×</button></td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
      </div>
    </div>
  )
}
