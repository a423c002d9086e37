// SPDX-License-Identifier: MIT
// History of an object: all takes, gives, waits and refusals, whose rows lead to their places.

import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { chooseObject } from '../choices'
import type { View } from '../view'
import { chooseRecord, goRow, goStretch, goTime } from '../go'
import { endWords, EventBook, eventWords, filters, hasHistory, lengthOf } from '../history'
import type { EventFields, Filter, Summary } from '../history'
import { shownName } from '../names'
import { Empty, Working } from '../parts'
import { Scrollbar } from '../scrollbar'
import { clean, plural } from '../text'
import { countText, shortLength, timeText } from '../times'
import { useAnswer, useSize, useThrottled, useViewed, useWheel } from '../use'

const ROW = 20
const QUICK_MS = 400 // a live trace is read again by itself if the last reading took less

function goEvent(view: View, event: EventFields): void {
  const [, , t, end, , , , , record] = event
  view.selection = end !== null && end > t ? [t, end] : null
  if (record) chooseRecord(view, record, t)
  if (end !== null) goStretch(view, t, end)
  else goTime(view, t)
  view.changed()
}

function EventLink({ event, go, children }: { event: EventFields; go(event: EventFields): void; children: preact.ComponentChildren }) {
  return <button class="link" onClick={() => go(event)}>{children}</button>
}

function EventRow({ view, event, place, chosen }: { view: View; event: EventFields | undefined; place: number; chosen: boolean }) {
  const hz = view.hello?.hz ?? 0
  if (!event) return <div class="record pending" role="row" style={{ top: `${place * ROW}px` }} />
  const [index, kind, t, , task, how, holder, level, record] = event
  const length = lengthOf(event)
  const bad = how === 'timed out' || how === 'refused' || kind === 'refused' || kind === 'loss'
  return (
    <div class={`record event${bad ? ' failed' : ''}${kind === 'loss' ? ' loss' : ''}${chosen ? ' chosen' : ''}`} role="row" id={`event-${index}`}
      aria-selected={chosen} style={{ top: `${place * ROW}px` }} onMouseDown={() => goEvent(view, event)}>
      <span class="c-time" role="gridcell">{timeText(t, hz)}</span>
      <span class="e-task" role="gridcell"><bdi>{task === null ? (kind === 'loss' ? '' : 'an interrupt') : clean(shownName(view, task), 60)}</bdi></span>
      <span class="e-kind" role="gridcell">{eventWords(event)}</span>
      <span class="c-delta" role="gridcell">{length === null ? '' : shortLength(length, hz)}</span>
      <span class="e-end" role="gridcell">{endWords(event)}</span>
      <span class="e-level" role="gridcell">{level ?? ''}</span>
      <span class="e-record" role="gridcell">{record || ''}</span>
      <span class="c-words" role="gridcell"><bdi>{holder === null ? '' : `held by ${clean(shownName(view, holder), 60)}`}</bdi></span>
    </div>
  )
}

function Totals({ view, summary, go }: { view: View; summary: Summary; go(event: EventFields): void }) {
  const hz = view.hello?.hz ?? 0, { kinds, ends, timeout, wait, hold } = summary
  const failed = ends['timed out'] ?? 0
  const rest = (['got', 'refused', 'gave up', 'cut', 'open'] as const).filter(end => ends[end])
  const named = { got: 'got it', refused: 'refused', 'gave up': 'gave up', cut: 'end not known', open: 'still wait' }
  return (
    <div class="toolbar totals" role="status">
      <span><b>{countText(kinds.take)}</b> {plural(kinds.take, 'take')}, <b>{countText(kinds.give)}</b> {plural(kinds.give, 'give')}</span>
      <span>
        <b>{countText(kinds.wait)}</b> {plural(kinds.wait, 'wait')}
        {rest.length > 0 && <span class="muted">: {rest.map(end => `${countText(ends[end])} ${named[end]}`).join(', ')}</span>}
      </span>
      {timeout && (
        <span class="wrong">
          {countText(failed)} {plural(failed, 'time-out')}, <EventLink event={timeout} go={go}>the first at {timeText(timeout[2], hz)}</EventLink>
        </span>
      )}
      {kinds.refused > 0 && <span class="wrong">{countText(kinds.refused)} refused at once</span>}
      {wait && <span>longest wait <EventLink event={wait} go={go}>{shortLength(wait[3]! - wait[2], hz)}</EventLink></span>}
      {hold && <span>longest hold <EventLink event={hold} go={go}>{shortLength(hold[3]! - hold[2], hz)}</EventLink></span>}
      {summary.left > 0 && <span class="warn">{countText(summary.left)} later events are not in the table</span>}
    </div>
  )
}

interface TableOf { view: View; book: EventBook; count: number; news: number; wanted: EventFields | null }

function Events({ view, book, count, news, wanted }: TableOf) {
  const host = useRef<HTMLDivElement>(null)
  const [, height] = useSize(host)
  const [top, setTop] = useState(0)
  const [chosen, choose] = useState<EventFields | null>(null)
  const [record] = useViewed(view, v => [v.record])
  const shown = Math.max(1, Math.floor(height / ROW)), highest = Math.max(0, count - shown)
  const first = Math.min(top, highest)
  const scroll = (to: number) => setTop(Math.round(Math.min(Math.max(0, to), highest)))
  const onWheel = useWheel(ROW, lines => scroll(first + lines))
  const places = Array.from({ length: Math.max(0, Math.min(shown + 1, count - first)) }, (_, i) => first + i)
  const place = useRef(-1), waits = useRef(false) // the place of the keys; its event is not here yet
  const arrive = () => {
    const event = book.get(place.current)
    waits.current = !event
    if (!event) return
    choose(event)
    goEvent(view, event)
  }
  useEffect(() => {
    if (waits.current) arrive()
  }, [news])
  const step = (by: number) => {
    const next = place.current >= 0 ? place.current + by : Math.abs(by) < count ? first : by
    const to = place.current = Math.min(Math.max(0, next), count - 1)
    if (to < first || to >= first + shown) scroll(by > 0 ? to - shown + 1 : to)
    arrive()
  }
  const keys: { [key: string]: () => void } = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(shown), PageUp: () => step(-shown),
    Home: () => step(-count), End: () => step(count)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return
    keys[event.key]()
    event.preventDefault()
    event.stopPropagation()
  }
  useEffect(() => {
    setTop(0)
    place.current = -1
    waits.current = false
  }, [book])
  // An event of the summary comes into sight.
  useEffect(() => {
    if (!wanted) return
    choose(wanted)
    void book.place(wanted[2]).then(to => (to < first || to >= first + shown) && scroll(to - Math.floor(shown / 3)), () => undefined)
  }, [wanted])
  const here = () => void book.place(view.from).then(scroll, () => undefined)
  return (
    <>
      <div class="record event heads" aria-hidden="true">
        <span class="c-time">time</span><span class="e-task">task</span><span class="e-kind">event</span>
        <span class="c-delta">length</span><span class="e-end">ended</span><span class="e-level">level</span>
        <span class="e-record">record</span><span class="c-words">
          <button class="link" onClick={here} tabIndex={-1}>scroll to the view</button></span>
      </div>
      <div class="record-area">
        <div class="record-rows" role="grid" tabIndex={0} ref={host} onWheel={onWheel} onKeyDown={onKeyDown}
          aria-label="Events of the object" aria-rowcount={count}
          aria-activedescendant={chosen ? `event-${chosen[0]}` : undefined}>
          {places.map((at, i) => {
            const event = book.get(at)
            const own = !!event && event[8] !== 0 && event[8] === record && (!chosen || chosen[8] !== record || chosen[0] === event[0])
            return (
              <div key={at} onMouseDown={() => {
                place.current = at
                choose(event ?? null)
              }}><EventRow view={view} event={event} place={i} chosen={own} /></div>
            )
          })}
          {count === 0 && <Empty>No such event.</Empty>}
        </div>
        <Scrollbar label="Events" place={first} seen={shown} count={count} scroll={scroll} />
      </div>
    </>
  )
}

export function Objects({ view }: { view: View }) {
  const [things, kept] = useViewed(view, v => [v.things, !!v.hello?.kept])
  const objects = useMemo(() => things.map((thing, number) => ({ thing, number })).filter(one => hasHistory(one.thing)), [things])
  if (kept) return <Empty>The history of an object needs a server: open the trace with <code>wallfly serve</code>.</Empty>
  if (!objects.length) return <Empty>The trace has no mutex, semaphore, queue or event group.</Empty>
  return <History view={view} objects={objects} />
}

function History({ view, objects }: { view: View; objects: { thing: View['things'][0]; number: number }[] }) {
  const { choices } = view
  const [picked, records, live, thing, only, task] = useViewed(view, v =>
    [v.picked ? v.rows[v.picked.row]?.thing ?? -1 : -1, v.status?.records ?? 0, !!v.hello?.live,
     v.choices.object, v.choices.events, v.choices.task])
  const [read, again] = useState(0) // the number of records at which it was last requested anew
  const [wanted, want] = useState<EventFields | null>(null)
  const [news, came] = useReducer((n: number) => n + 1, 0)
  const chosen = objects.some(one => one.number === thing) ? thing : objects[0].number
  const choose = (object: number) => {
    if (object !== chosen) chooseObject(choices, object)
    view.changed()
  }
  useEffect(() => {
    if (objects.some(one => one.number === picked)) choose(picked)
  }, [picked])
  const fields = { thing: chosen, only, task }
  const answer = useAnswer<Summary>(view, 'object', { ...fields, first: 0, most: 0, fresh: read > 0, read })
  const data = answer.data
  const newest = useThrottled(records, 1000)
  useEffect(() => {
    if (live && data && !answer.busy && newest > data.read && answer.took < QUICK_MS) again(newest)
  }, [newest, answer.busy])
  const book = useMemo(() => new EventBook(view.source, fields, () => came(0)), [view.source, chosen, only, task, data?.read])
  const go = (event: EventFields) => {
    goEvent(view, event)
    want([...event])
  }
  const row = view.rows.findIndex(one => one.thing === chosen && one.kind === 'object')
  return (
    <div class="objects">
      <div class="toolbar">
        <select aria-label="Object" value={chosen} onChange={event => {
          const object = Number(event.currentTarget.value), to = view.rows.findIndex(one => one.thing === object)
          choose(object)
          if (to >= 0) goRow(view, to)
        }}>
          {objects.map(({ thing: one, number }) => <option key={number} value={number}>{clean(one.name, 60)} ({one.sub})</option>)}
        </select>
        <select aria-label="Show" value={only} onChange={event => {
          choices.events = event.currentTarget.value as Filter
          view.changed()
        }}>
          {filters.map(([name, title]) => <option key={name} value={name}>{title}</option>)}
        </select>
        <select aria-label="Task" value={task} onChange={event => {
          choices.task = Number(event.currentTarget.value)
          view.changed()
        }}>
          <option value={-1}>all tasks</option>
          {task >= 0 && !data?.tasks.some(([number]) => number === task) && (
            <option value={task}>{clean(view.things[task]?.name ?? '?', 60)}</option>
          )}
          {data?.tasks.map(([number, name, count]) => (
            <option key={number} value={number}>{clean(name === null ? '?' : shownName(view, name), 60)} ({countText(count)})</option>
          ))}
        </select>
        {row >= 0 && <button onClick={() => goRow(view, row)}>Show its row</button>}
        <Working answer={answer} what="Reading the trace" />
        {data && !answer.busy && <span class="muted">{countText(data.count)} of {countText(data.all)} {plural(data.all, 'event')}</span>}
        {live && data && !answer.busy && records > data.read && (
          <button onClick={() => again(records)}>Read {countText(records - data.read)} newer records</button>
        )}
        {book.error && <span class="wrong" role="alert">{clean(book.error)}</span>}
      </div>
      {data && <Totals view={view} summary={data} go={go} />}
      {data && <Events view={view} book={book} count={data.count} news={news} wanted={wanted} />}
    </div>
  )
}
