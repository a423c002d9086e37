// SPDX-License-Identifier: MIT
// The table of records, in step with the view: it is scrolled to where the view begins (to the
// newest record while the view follows). Only visible rows are drawn.

import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { TraceRecord } from '../protocol'
import type { View } from '../view'
import { chooseRecord, goClose, goTime } from '../go'
import { isMenuKey } from '../keys'
import { measure } from '../measure'
import { Empty } from '../parts'
import { HitList } from '../hits'
import { GridHeads, Heads, HitState, RecordRow, ROW } from '../record_row'
import type { Line } from '../record_row'
import { RecordBook } from '../recordbook'
import { clean } from '../text'
import { countText } from '../times'
import { useRested, useSize, useThrottled, useViewed, useWheel } from '../use'
import { Scrollbar } from '../scrollbar'

const AGAIN_MS = 500
const NEWS_MS = 1000 // between questions for what a live trace has got since

// Returns the book of all records, and the list of those that match the filter, or null.
function useBooks(view: View, filter: string) {
  const [, news] = useReducer((n: number) => n + 1, 0)
  const [t0, held] = useViewed(view, v => [v.hello?.t0, v.hello?.held])
  const book = useMemo(() => new RecordBook(view.source, () => news(0), held), [view.source, t0, held])
  const list = useMemo(() => new HitList(view.source, () => news(0), 'filter'), [view.source, t0])
  const wanted = useRested(filter.trim(), 250)
  useEffect(() => {
    void list.begin(wanted, view.from)
    return () => list.end()
  }, [wanted, list])
  const filtered = wanted && list.state.text === wanted ? list : null
  return { book, filtered }
}

export function Records({ view }: { view: View }) {
  const [from, follow, records, chosen, cursor, filter] = useViewed(view, v =>
    [v.from, v.follow && !!v.hello?.live, v.status?.records ?? 0, v.record, v.cursor, v.filter])
  const [top, setTop] = useState(0)
  const host = useRef<HTMLDivElement>(null)
  const [, height] = useSize(host)
  const { book, filtered } = useBooks(view, filter)
  const here = useRef(-1) // filtered: the place of the chosen record
  const shown = Math.max(1, Math.floor(height / ROW))
  const own = useRef<number | null>(null) // the view's begin that the table is scrolled to, or that the table has set

  book.grow(records)
  const count = filtered ? filtered.state.count : book.count, done = !filtered || filtered.state.done
  const lineAt = (i: number): Line => (filtered ? (i >= 0 && i < count ? filtered.get(i) : undefined) : i >= 0 && i < count ? book.get(i + book.first) : undefined)
  const highest = Math.max(0, count - shown)
  const first = Math.min(Math.max(0, top), highest)

  // Follows the view. Asks again if the server cannot answer yet because it is still reading.
  const rested = useRested(from, 100)
  useEffect(() => {
    if (follow || rested === own.current || !done) return
    let timer = 0, gone = false
    if (filtered) {
      void filtered.place({ at: rested }).then(place => gone || setTop(place), () => undefined)
      return () => { gone = true }
    }
    const stand = (number: number) => {
      own.current = rested
      setTop(number - book.first)
    }
    const look = () => {
      const again = () => { timer = window.setTimeout(look, AGAIN_MS) }
      book.place(rested).then(number => gone || (number === null ? again() : stand(number)), () => gone || again())
    }
    if (rested > 0) look()
    else stand(book.first)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [rested, filtered, done, follow, book])
  const newest = useThrottled(book.total, 400)
  useEffect(() => {
    if (follow && !filtered) setTop(Math.max(0, newest - shown))
  }, [follow, filtered, newest, shown])
  useEffect(() => {
    if (!filtered || !done || !view.hello?.live) return
    const timer = setInterval(() => void filtered.again(), NEWS_MS)
    return () => clearInterval(timer)
  }, [filtered, done])
  // Keeps the chosen record in sight, or the first one of the filter behind it.
  useEffect(() => {
    let gone = false
    const show = (place: number) => {
      if (gone) return
      here.current = place
      if (place < first || place >= first + shown) setTop(Math.max(0, place - Math.floor(shown / 3)))
    }
    if (chosen !== null && !filtered) show(chosen - book.first)
    if (chosen !== null && filtered && done && filtered.get(here.current)?.number !== chosen) {
      void filtered.place({ number: chosen }).then(show, () => undefined)
    }
    return () => { gone = true }
  }, [chosen, filtered, done])

  const scroll = (to: number) => {
    const next = Math.round(Math.min(Math.max(0, to), highest))
    if (follow) view.follow = false
    setTop(next)
  }
  const choose = (record: TraceRecord, shift = false) => {
    if (shift && typeof record.t === 'number') return measure(view, record.t)
    chooseRecord(view, record.number, record.t)
    if (typeof record.t === 'number') {
      goTime(view, Math.max(0, record.t))
      own.current = view.from
    }
    view.changed()
  }
  // The table stays where it is: the record stays in sight.
  const close = (t: number) => {
    goClose(view, t)
    own.current = view.from
  }
  const step = (by: number) => {
    const place = chosen === null ? -1 : filtered ? here.current : chosen - book.first
    const next = Math.min(Math.max(0, place < 0 ? first : place + by), count - 1)
    if (next < 0) return
    if (next < first || next >= first + shown) scroll(by > 0 ? next - shown + 1 : next)
    here.current = next
    const record = lineAt(next)
    if (record) choose(record)
    else if (filtered) void filtered.fetch(next).then(later => later && here.current === next && choose(later), () => undefined)
    else void book.fetch(next + book.first).then(later => later && choose(later))
  }
  const toEnd = () => {
    scroll(highest)
    if (filtered) step(count)
    else {
      void book.newest().then(newest => {
        if (!newest) return
        setTop(Math.max(0, newest.number - book.first + 1 - shown))
        choose(newest)
      })
    }
  }
  const keys: { [key: string]: () => void } = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(shown), PageUp: () => step(-shown),
    Home: () => { scroll(0); step(-count) }, End: toEnd,
    Enter: () => {
      const record = chosen === null ? undefined : filtered?.get(here.current) ?? book.get(chosen)
      if (record && typeof record.t === 'number') close(record.t)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isMenuKey(event)) {
      const row = document.getElementById(`record-${chosen}`), record = lines.find(line => line?.number === chosen)
      if (row && record) {
        const { left, bottom } = row.getBoundingClientRect()
        view.openMenu({ row: -1, slice: null, record }, left + ROW, bottom)
      }
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return
    keys[event.key]()
    event.preventDefault()
    event.stopPropagation()
  }

  const onWheel = useWheel(ROW, lines => scroll(first + lines))

  const lines = Array.from({ length: Math.min(shown + 1, count - first) }, (_, i) => lineAt(first + i))
  const now = cursor === null ? -1 : lines.reduce((last, line, i) => (line && line.t <= cursor ? i : last), -1)
  return (
    <div class="records">
      <div class="toolbar">
        <input type="search" class="filter" placeholder="Filter: group, name or words; -word leaves out" value={filter}
          aria-label="Filter records by group, name or words" onInput={event => {
            view.filter = event.currentTarget.value
            view.changed()
          }} />
        {filtered
          ? <HitState view={view} list={filtered} what="record" />
          : <span class="muted">{countText(book.count)} records and losses</span>}
        <LeftOut view={view} />
        {book.error && <span class="wrong" role="alert">{clean(book.error)}</span>}
      </div>
      <Heads />
      <div class="record-area">
        <div class="record-rows" role={count > 0 ? 'grid' : undefined} tabIndex={0} ref={host} onWheel={onWheel} onKeyDown={onKeyDown}
          aria-label="Records" aria-rowcount={count || undefined} aria-activedescendant={chosen === null || count === 0 ? undefined : `record-${chosen}`}>
          {count > 0 && <GridHeads />}
          {lines.map((line, i) => (
            <RecordRow key={line?.number ?? -first - i} view={view} line={line} before={lineAt(first + i - 1)} place={i}
              chosen={!!line && line.number === chosen} now={i === now} close={close} choose={(record, shift) => {
                if (!shift) here.current = first + i
                choose(record, shift)
              }} />
          ))}
          {count === 0 && done && (
            <Empty>
              {filter ? 'No record matches.' : view.hello?.kept ? 'No records are in this file.' : 'No records yet.'}
            </Empty>
          )}
        </div>
        <Scrollbar label="Records" place={first} seen={shown} count={count} scroll={scroll} />
      </div>
    </div>
  )
}

// A file has only the first records of its time range.
function LeftOut({ view }: { view: View }) {
  const [left] = useViewed(view, v => [v.hello?.held?.left ?? 0])
  if (!left) return null
  return <span class="warn">{countText(left)} more, behind these, are not in this file</span>
}
