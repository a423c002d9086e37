// SPDX-License-Identifier: MIT
// Statistics of the selection or the visible range: the figures of `wallfly stats`.

import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ThingKind } from '../protocol'
import type { View } from '../view'
import { findRow, goRaiseOf, goRow } from '../go'
import { goPlace, ticksOf } from '../places'
import { Empty, Name, SortHead, Stretch, Working } from '../parts'
import type { Sort } from '../parts'
import {
  compare, explained, firstOf, kinds, placeOf, rowsOf, singlesOf, singleText, spreadColumns, spreadText, spreadsOf
} from '../statistics'
import type { Kind, Lane, Place, Spread, Stats, StatsRow } from '../statistics'
import { plural } from '../text'
import { Distribution } from './distribution'
import { countText } from '../times'
import { useAnswer, useStretch, useViewed } from '../use'

const SLOW_MS = 1500 // after an answer that took longer, the next is requested only by the user

const things: { [kind: string]: ThingKind[] } = {
  task: ['task'], interrupt: ['irq'], machine: ['object'], object: ['object'], span: ['text'], counter: ['text']
}

function rowNumber(view: View, kind: Kind, row: StatsRow): number {
  if (kind.name === 'core') return view.rows.findIndex(one => one.kind === 'core' && one.core === row.core)
  const core = kind.name === 'interrupt' ? Number(row.core) : undefined
  if (things[kind.name]) return findRow(view, things[kind.name], row.key ?? null, String(row.name), core)
  return findRow(view, ['task'], null, String(row.task))
}

// Rows that were renamed have their new names.
function labelOf(view: View, kind: Kind, row: StatsRow): string {
  const shown = (name: unknown, number: number) => (view.rows[number]?.own === undefined ? name : view.rows[number].name) as string
  if (kind.name === 'core') return shown(kind.label(row), rowNumber(view, kind, row))
  if (things[kind.name]) return kind.label({ ...row, name: shown(row.name, rowNumber(view, kind, row)) })
  const renamed = ['task', 'by', 'over', 'object'].filter(part => typeof row[part] === 'string').map(part =>
    [part, shown(row[part], findRow(view, [part === 'object' ? 'object' : 'task'], null, row[part] as string))])
  return kind.label({ ...row, ...Object.fromEntries(renamed) })
}

function RowHead({ view, kind, row }: { view: View; kind: Kind; row: StatsRow }) {
  const number = rowNumber(view, kind, row)
  const label = <Name text={labelOf(view, kind, row)} most={80} />
  return (
    <th scope="row">
      {number >= 0
        ? <button class="link" title="Show its row" onClick={() => {
            if (kind.name === 'raised') void goRaiseOf(view, number, String(row.by))
            else goRow(view, number)
          }}>{label}</button>
        : label}
      {row.marked && <abbr class="star" title="A hole in the data may have changed this figure">*</abbr>}
    </th>
  )
}

// The figures of the row that was asked for are marked and scrolled to.
function FiguresRow({ view, kind, row, children }: { view: View; kind: Kind; row: StatsRow; children: ComponentChildren }) {
  const [figures] = useViewed(view, v => [v.figures])
  const element = useRef<HTMLTableRowElement>(null)
  const chosen = figures >= 0 && rowNumber(view, kind, row) === figures
  useEffect(() => {
    if (chosen) element.current!.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return <tr ref={element} class={`${row.marked ? 'marked' : ''}${chosen ? ' chosen' : ''}`}>{children}</tr>
}

// A number of a figure that leads to where it was measured.
export function At({ view, kind, row, figure, place, unit, what, children }: {
  view: View; kind: string; row: StatsRow; figure: string; place: Place | null; unit: string; what: string; children: string
}) {
  const { hello } = view
  if (!place || !hello) return <>{children}</>
  return (
    <button class="link" title={`Show ${what}`}
      onClick={() => void goPlace(view, kind, figure, row, ticksOf(place, unit, hello))}>{children}</button>
  )
}

function Singles({ view, kind, rows, unit }: { view: View; kind: Kind; rows: StatsRow[]; unit: string }) {
  const [sort, set] = useState<Sort>({ by: '', down: false })
  const columns = singlesOf(rows)
  const value = (row: StatsRow) => (sort.by === 'name' ? labelOf(view, kind, row) : row[sort.by])
  const sorted = sort.by ? [...rows].sort((a, b) => compare(value(a), value(b)) * (sort.down ? -1 : 1)) : rows
  if (!columns.length) return null
  return (
    <table class="figures">
      <thead>
        <tr>
          <SortHead name="name" label={kind.title} sort={sort} set={set} />
          {columns.map(name => (
            <SortHead key={name} name={name} label={name.replace('_', ' ')} title={explained[name]} sort={sort}
              set={set} number />
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.map((row, i) => (
          <FiguresRow key={i} view={view} kind={kind} row={row}>
            <RowHead view={view} kind={kind} row={row} />
            {columns.map(name => (
              <td key={name} class={`number${name === 'share' ? ' share' : ''}`}
                style={name === 'share' ? { backgroundSize: `${Math.min(100, Number(row[name]) || 0)}% 100%` } : undefined}>
                <At view={view} kind={kind.name} row={row} figure={name} place={firstOf(row, name)} unit={unit}
                  what="the first one">{singleText(kind.name, name, row[name], unit)}</At>
              </td>
            ))}
          </FiguresRow>
        ))}
      </tbody>
    </table>
  )
}

// The figure whose distribution is shown; index: of its row among those of its kind.
interface Opened { kind: string; figure: string; index: number; title: string; spread: Spread }

interface SpreadsOf { view: View; kind: Kind; rows: StatsRow[]; unit: string; holes: boolean; open(opened: Opened): void }

function Spreads({ view, kind, rows, unit, holes, open }: SpreadsOf) {
  const [sort, set] = useState<Sort>({ by: '', down: false })
  const [only, setOnly] = useState('')
  const all = useMemo(() => spreadsOf(rows), [rows])
  const figures = [...new Set(all.map(one => one.figure))]
  const shown = all.filter(one => !only || !figures.includes(only) || one.figure === only)
  const value = (one: (typeof all)[0]) => (sort.by === 'name' ? labelOf(view, kind, one.row)
    : sort.by === 'figure' ? one.figure : one.spread[sort.by as 'min'])
  const sorted = sort.by ? [...shown].sort((a, b) => compare(value(a), value(b)) * (sort.down ? -1 : 1)) : shown
  const columns = spreadColumns.filter(name => name !== 'in_holes' || holes)
  if (!all.length) return null
  return (
    <div>
      {figures.length > 1 && (
        <div class="chips" role="group" aria-label="Figures">
          {['', ...figures].map(name => (
            <button key={name} aria-pressed={only === name} title={explained[name]} onClick={() => setOnly(name)}>
              {name.replace('_', ' ') || 'all'}
            </button>
          ))}
        </div>
      )}
      <table class="figures">
        <thead>
          <tr>
            <SortHead name="name" label={kind.title} sort={sort} set={set} />
            <SortHead name="figure" label="figure" sort={sort} set={set} />
            {columns.map(name => (
              <SortHead key={name} name={name} label={name === 'in_holes' ? 'lost' : name} title={explained[name]}
                sort={sort} set={set} number />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((one, i) => (
            <FiguresRow key={i} view={view} kind={kind} row={one.row}>
              <RowHead view={view} kind={kind} row={one.row} />
              <td title={explained[one.figure]}>
                {'p50' in one.spread && one.spread.count > 0
                  ? <button class="link" aria-label={`Distribution of ${one.figure.replace('_', ' ')}`} onClick={() => open({
                      kind: kind.name, figure: one.figure, index: rows.indexOf(one.row), spread: one.spread,
                      title: `${labelOf(view, kind, one.row)}: ${one.figure.replace('_', ' ')}`
                    })}>{one.figure.replace('_', ' ')}</button>
                  : one.figure.replace('_', ' ')}
              </td>
              {columns.map(name => (
                <td key={name} class="number">
                  <At view={view} kind={kind.name} row={one.row} figure={one.figure} place={placeOf(one.spread, name)} unit={unit}
                    what={name === 'max' ? 'the greatest one' : 'the least one'}>
                    {spreadText(one.figure, name, one.spread[name], unit)}
                  </At>
                </td>
              ))}
            </FiguresRow>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Notes({ lane }: { lane: Lane }) {
  const p = lane.priorities
  const inversions = Array.isArray(lane.inversion) && lane.inversion.length > 0
  return (
    <div class="notes muted">
      {lane.hole_count > 0 && (
        <p>
          <b class="star">*</b> {countText(lane.hole_count)} {plural(lane.hole_count, 'hole')} in the data may have changed
          these figures. Intervals that reach into one are not counted; <i>lost</i> is their number.
        </p>
      )}
      {inversions && p?.best && (
        <p>
          Priority inversions: {p.best} numbers are the better priorities, {p.given ? 'as given'
            : `by ${p.best === 'low' ? p.for_low : p.for_high} of ${p.for_low + p.for_high} preemptions`}.
        </p>
      )}
      {lane.odd > 0 && <p>{countText(lane.odd)} {plural(lane.odd, 'record')} cannot be, from what was known.</p>}
    </div>
  )
}

export function Statistics({ view }: { view: View }) {
  const [rows, chosen] = useViewed(view, v => [v.rows, v.choices.figures])
  const stretch = useStretch(view)
  const asked = useRef<{ from: number; until: number } | null>(null)
  const [, again] = useState(0)
  const [opened, open] = useState<Opened | null>(null)
  const slow = useRef(false)
  const { from, until } = stretch
  const free = !stretch.live && !slow.current && !opened // a distribution's intervals move the view
  if (free || (!asked.current && !stretch.live)) asked.current = { from, until }
  const answer = useAnswer<{ stats: Stats }>(view, 'stats', asked.current)
  slow.current = answer.took > SLOW_MS
  const stale = asked.current === null || asked.current.from !== from || asked.current.until !== until
  const count = () => {
    asked.current = { from, until }
    again(n => n + 1)
  }
  const lane = answer.data?.stats.lanes[0]
  useEffect(() => open(null), [lane]) // rows of other figures have other numbers
  const full = kinds.filter(kind => lane && rowsOf(lane, kind).length > 0)
  const kind = full.find(one => one.name === chosen) ?? full[0]
  return (
    <div class="statistics" data-rows={rows.length}>
      <div class="toolbar">
        <Stretch view={view} {...stretch} {...(stale && asked.current ? asked.current : {})} />
        {stale && !answer.busy && (
          <button class="primary" onClick={count}>Count {stretch.selected ? 'the selection' : 'the current view'}</button>
        )}
        <Working answer={answer} what="Counting" />
      </div>
      {lane && (
        <div class={`sides${answer.busy ? ' stale' : ''}`}>
          <div class="side" role="tablist" aria-label="Statistics of" aria-orientation="vertical">
            {full.map(one => (
              <button key={one.name} role="tab" aria-selected={one === kind} onClick={() => {
                view.choices.figures = one.name
                again(n => n + 1) // at once
                view.changed()
              }}>
                {one.title}<span class="muted">{rowsOf(lane, one).length}</span>
              </button>
            ))}
          </div>
          <div class="main" role="tabpanel" tabIndex={0} aria-label={kind?.title ?? 'Statistics'}>
            {kind
              ? <div class="sheets">
                  {opened && opened.kind === kind.name && asked.current && (
                    <Distribution view={view} title={opened.title} p95={opened.spread.p95} p99={opened.spread.p99} unit={lane.unit}
                      place={{ kind: opened.kind, figure: opened.figure, index: opened.index, ...asked.current }}
                      close={() => open(null)} />
                  )}
                  <Singles key={`s${kind.name}`} view={view} kind={kind} rows={rowsOf(lane, kind)} unit={lane.unit} />
                  <Spreads key={`t${kind.name}`} view={view} kind={kind} rows={rowsOf(lane, kind)} unit={lane.unit}
                    holes={lane.hole_count > 0} open={open} />
                </div>
              : <Empty>There are no figures for this time range.</Empty>}
            <Notes lane={lane} />
          </div>
        </div>
      )}
    </div>
  )
}
