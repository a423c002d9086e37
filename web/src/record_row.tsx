// SPDX-License-Identifier: MIT
// What the table of records and the list of hits share: a row, and how far a search is.

import type { HitList } from './hits'
import { Progress } from './parts'
import type { TraceRecord } from './protocol'
import { clean, plural } from './text'
import { countText, shortLength, timeText } from './times'
import type { View } from './view'

export const ROW = 20 // pixels

export type Line = TraceRecord | undefined | null

// The heads of the columns: visible ones, and those in the grid for screen readers.
const heads: [string, string, string][] = [
  ['c-number', '#', 'number'], ['c-time', 'time', 'time'], ['c-delta', 'delta', 'time since the last one'], ['c-core', 'core', 'core'],
  ['c-group', 'group', 'group'], ['c-name', 'name', 'name'], ['c-words', 'words', 'words']
]

export function Heads({ delta = 'delta' }: { delta?: string }) {
  return (
    <div class="record heads" aria-hidden="true">
      {heads.map(([name, text]) => <span key={name} class={name}>{text === 'delta' ? delta : text}</span>)}
    </div>
  )
}

export function GridHeads() {
  return <div class="unseen" role="row">{heads.map(([name, , text]) => <span key={name} role="columnheader">{text}</span>)}</div>
}

function isLoss(record: TraceRecord): boolean {
  return record.kind === 'loss'
}

export function RecordRow({ view, line, before, place, chosen, now, choose, close }: {
  view: View; line: Line; before: Line; place: number; chosen: boolean; now: boolean
  choose(record: TraceRecord, shift?: boolean): void
  close(t: number): void // shows its surroundings
}) {
  const hz = view.hello?.hz ?? 0
  if (!line) {
    return (
      <div class={`record ${line === null ? 'muted' : 'pending'}`} role="row" style={{ top: `${place * ROW}px` }}>
        {line === null && <span role="gridcell">{view.hello?.kept ? 'not in this file' : 'no longer kept'}</span>}
      </div>
    )
  }
  const timed = typeof line.t === 'number'
  const delta = timed && typeof before?.t === 'number' ? line.t - before.t : null
  const kind = isLoss(line) ? ' loss' : line.kind === 'odd' ? ' odd' : ''
  return (
    <div class={`record${kind}${chosen ? ' chosen' : ''}${now ? ' now' : ''}`} role="row" id={`record-${line.number}`}
      aria-selected={chosen} style={{ top: `${place * ROW}px` }}
      onMouseDown={event => choose(line, event.shiftKey)} onDblClick={() => timed && close(line.t)}
      onContextMenu={event => {
        choose(line)
        view.openMenu({ row: -1, slice: null, record: line }, event.clientX, event.clientY)
        event.preventDefault()
      }}>
      <span class="c-number" role="gridcell">{line.number}</span>
      <span class="c-time" role="gridcell">{timed ? timeText(line.t, hz) : ''}</span>
      <span class="c-delta" role="gridcell">{delta === null ? '' : `${delta < 0 ? '' : '+'}${shortLength(delta, hz)}`}</span>
      <span class="c-core" role="gridcell">{line.core ?? ''}</span>
      <span class="c-group" role="gridcell">{isLoss(line) ? 'LOSS' : clean(String(line.group_name ?? ''))}</span>
      <span class="c-name" role="gridcell"><bdi>{clean(line.name ?? line.kind)}</bdi></span>
      <span class="c-words" role="gridcell"><bdi>{clean(line.words ?? '', 500)}</bdi></span>
    </div>
  )
}

// How far a search is.
export function HitState({ view, list, what }: { view: View; list: HitList; what: string }) {
  const { text, count, start, at, done, searched, of, error } = list.state
  if (!text) return null
  return (
    <span class="working" role="status">
      {!done && <Progress of={of ? [searched, of] : null} label="Searching" />}
      <span><b>{countText(count)}</b> {plural(count, what)}{done ? '' : ' so far'}</span>
      {start > 0 && <span class="muted">{countText(start)} of them before {timeText(at, view.hello?.hz ?? 0)}, where the search began</span>}
      {!done && <button onClick={() => list.end()}>Cancel</button>}
      {error && <span class="wrong" role="alert">{clean(error)}</span>}
    </span>
  )
}
