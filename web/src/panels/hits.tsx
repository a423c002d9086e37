// SPDX-License-Identifier: MIT
// All records with the text searched for, in the order of the trace.

import { useEffect, useRef, useState } from 'preact/hooks'
import { chooseRecord, frame, goClose, goTime } from '../go'
import { measure } from '../measure'
import { Empty } from '../parts'
import type { TraceRecord } from '../protocol'
import { GridHeads, Heads, HitState, RecordRow, ROW } from '../record_row'
import { Scrollbar } from '../scrollbar'
import { useRested, useSize, useViewed, useWheel } from '../use'
import type { View } from '../view'

const SHORTEST = 2 // letters; one letter would be in nearly all records

export function Hits({ view }: { view: View }) {
  const [find, state, chosen] = useViewed(view, v => [v.find, v.hits.state, v.record])
  const host = useRef<HTMLDivElement>(null)
  const [, height] = useSize(host)
  const [top, setTop] = useState(0)
  const place = useRef(-1)
  const list = view.hits, { count, done } = state
  const shown = Math.max(1, Math.floor(height / ROW)), highest = Math.max(0, count - shown)
  const first = Math.min(top, highest)
  const scroll = (to: number) => setTop(Math.round(Math.min(Math.max(0, to), highest)))
  const onWheel = useWheel(ROW, lines => scroll(first + lines))

  // The text searches once it rests. One that came with the address, too.
  const wanted = useRested(find, 300)
  useEffect(() => {
    if (wanted !== state.text && (wanted.length >= SHORTEST || !wanted)) void list.begin(wanted, view.from)
  }, [wanted])
  // At the end the list begins where the view does, or at the chosen record.
  useEffect(() => {
    if (done && state.text) void list.place({ at: view.cursor ?? view.from }).then(to => scroll(to - Math.floor(shown / 3)), () => undefined)
  }, [done, state.text])

  const choose = (record: TraceRecord, shift = false) => {
    if (shift && typeof record.t === 'number') return measure(view, record.t)
    chooseRecord(view, record.number, record.t)
    if (typeof record.t === 'number') goTime(view, Math.max(0, record.t))
    view.changed()
  }
  const step = async (by: number) => {
    const from = place.current >= 0 ? place.current : by > 0 ? first - 1 : first
    const to = Math.abs(by) === 1 && count > 0 ? (from + by + count) % count : Math.min(Math.max(0, from + by), count - 1)
    if (Math.abs(by) === 1 && Math.abs(to - from) > 1) view.notify(by > 0 ? 'From the first hit again' : 'From the last hit again')
    if (to < 0) return
    place.current = to
    if (to < first || to >= first + shown) scroll(to < first ? to : to - shown + 1)
    const record = list.get(to) ?? await list.fetch(to).catch(() => null)
    if (record && place.current === to) choose(record)
  }
  const current = () => (place.current < 0 ? undefined : list.get(place.current))
  const keys: { [key: string]: () => void } = {
    ArrowDown: () => void step(1), ArrowUp: () => void step(-1), PageDown: () => void step(shown), PageUp: () => void step(-shown),
    Home: () => void step(-count - 1), End: () => void step(count + 1),
    Enter: () => { const record = current(); if (record) goClose(view, record.t) },
    z: () => { const record = current(); if (record) void frame(view, record.t, record.t) }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return
    keys[event.key]()
    event.preventDefault()
    event.stopPropagation()
  }
  const lines = Array.from({ length: Math.max(0, Math.min(shown + 1, count - first)) }, (_, i) => list.get(first + i))
  return (
    <div class="records">
      <div class="toolbar">
        <input type="search" class="filter" placeholder="Text in names and words of records" value={find} aria-label="Search records for a text"
          onInput={event => {
            view.find = event.currentTarget.value
            view.changed()
          }}
          onKeyDown={event => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
            host.current?.focus()
            void step(1)
            event.preventDefault()
          }} />
        <HitState view={view} list={list} what="hit" />
      </div>
      <Heads delta="since last" />
      <div class="record-area">
        <div class="record-rows" role={count > 0 ? 'grid' : undefined} tabIndex={0} ref={host} onWheel={onWheel} onKeyDown={onKeyDown}
          aria-label="Hits" aria-rowcount={count || undefined} aria-activedescendant={chosen === null || count === 0 ? undefined : `record-${chosen}`}>
          {count > 0 && <GridHeads />}
          {lines.map((line, i) => (
            <div key={line?.number ?? -first - i} onMouseDown={() => { place.current = first + i }}>
              <RecordRow view={view} line={line} before={first + i > 0 ? list.get(first + i - 1) : undefined} place={i}
                chosen={!!line && line.number === chosen} now={false} choose={choose} close={t => goClose(view, t)} />
            </div>
          ))}
          {count === 0 && <Empty>{!state.text ? 'Type a text that names or words of records contain.' : done ? 'No record has it.' : 'Searching…'}</Empty>}
        </div>
        <Scrollbar label="Hits" place={first} seen={shown} count={count} scroll={scroll} />
      </div>
    </div>
  )
}
