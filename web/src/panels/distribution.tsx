// SPDX-License-Identifier: MIT
// How often the values of a figure occur. A bar lists its intervals, which lead to their places.

import { useEffect, useState } from 'preact/hooks'
import type { View } from '../view'
import { barsOf, placeOf } from '../distribution'
import type { Bar, ValueClass } from '../distribution'
import { goStretch } from '../go'
import { shownName } from '../names'
import { Working } from '../parts'
import { clean, plural } from '../text'
import { countText, shortLength, timeText } from '../times'
import { useAnswer } from '../use'

const BARS = 48, MOST = 1000

export interface FigurePlace { kind: string; figure: string; index: number; from: number; until: number }
interface Classes { rows: number[]; tasks: number; times: boolean; classes: ValueClass[] }
type Interval = [from: number, to: number, value: number, task: string | null]
interface Intervals { intervals: Interval[]; count: number }

function goInterval(view: View, [from, to]: Interval): void {
  view.selection = to > from ? [from, to] : null
  goStretch(view, from, to)
}

interface ListOf { view: View; place: FigurePlace; rows: number[]; bar: Bar; text(value: number): string }

function IntervalList({ view, place, rows, bar, text }: ListOf) {
  const { from, until, kind, figure } = place
  const answer = useAnswer<Intervals>(view, 'intervals', { from, until, kind, figure, rows, low: bar.low, high: bar.high, most: MOST })
  const [at, setAt] = useState(-1)
  useEffect(() => setAt(-1), [answer.data])
  const list = answer.busy ? [] : answer.data?.intervals ?? []
  const go = (to: number) => {
    const next = (to + list.length) % list.length
    setAt(next)
    goInterval(view, list[next])
  }
  const left = answer.data ? answer.data.count - list.length : 0
  const others = answer.data ? bar.count - answer.data.count : 0
  return (
    <div class="intervals">
      <div class="toolbar">
        <b>{text(bar.low)}{bar.high > bar.low ? ` to ${text(bar.high)}` : ''}</b>
        <Working answer={answer} what="Reading the trace" />
        {list.length > 0 && (
          <>
            <button onClick={() => go(at < 0 ? list.length - 1 : at - 1)}>Previous</button>
            <button onClick={() => go(at + 1)}>Next</button>
            <span class="muted" role="status">
              {at < 0 ? countText(answer.data!.count) : `${countText(at + 1)} of ${countText(answer.data!.count)}`}
              {left > 0 && `, the first ${countText(list.length)} are listed`}
            </span>
          </>
        )}
        {!answer.busy && others > 0 && <span class="warn">{countText(others)} more are of other tasks of this name</span>}
      </div>
      <div class="scroll" tabIndex={0} aria-label="Intervals">
        {list.slice(0, 200).map((one, i) => (
          <button key={i} class={`link${i === at ? ' chosen' : ''}`} onClick={() => go(i)}>
            {timeText(one[0], view.hello?.hz ?? 0)} <span class="muted">{text(one[2])}{one[3] && ` ${clean(shownName(view, one[3]), 40)}`}</span>
          </button>
        ))}
        {list.length > 200 && <span class="muted">Next leads to the others</span>}
      </div>
    </div>
  )
}

interface DistributionOf { view: View; place: FigurePlace; title: string; p95?: number | null; p99?: number | null; unit: string; close(): void }

export function Distribution({ view, place, title, p95, p99, unit, close }: DistributionOf) {
  const kept = !!view.hello?.kept, hz = view.hello?.hz ?? 0
  const answer = useAnswer<Classes>(view, 'distribution', kept ? null : place)
  const [log, setLog] = useState(true)
  const [logCount, setLogCount] = useState(false)
  const [chosen, choose] = useState<Bar | null>(null)
  const key = JSON.stringify(place)
  useEffect(() => choose(null), [key, log])
  const { data } = answer
  const classes = data?.classes ?? []
  const bars = barsOf(classes, BARS, log)
  const low = classes[0]?.[0] ?? 0, high = classes[classes.length - 1]?.[1] ?? 0
  const most = Math.max(1, ...bars.map(bar => bar.count))
  const share = (count: number) => (logCount ? Math.log(count + 1) / Math.log(most + 1) : count / most)
  const text = (value: number) => (data?.times ? shortLength(value, hz) : countText(value))
  const inTicks = (value: number) => (data?.times && unit === 'ns' && hz ? value * hz / 1e9 : value)
  const lines = [['p95', p95], ['p99', p99]].flatMap(([name, value]) =>
    (typeof value === 'number' && high > low ? [{ name: String(name), value: inTicks(value) }] : []))
  return (
    <section class="distribution" aria-label={`Distribution of ${clean(title, 80)}`}>
      <div class="toolbar">
        <b><bdi>{clean(title, 80)}</bdi></b>
        <Working answer={answer} what="Reading the trace" />
        <label><input type="checkbox" checked={log} onChange={() => setLog(!log)} />logarithmic values</label>
        <label><input type="checkbox" checked={logCount} onChange={() => setLogCount(!logCount)} />logarithmic counts</label>
        <span class="space" />
        <button class="icon" aria-label="Close the distribution" onClick={close}>×</button>
      </div>
      {kept && <p class="empty">The file has the figures only: a distribution needs the trace, with <code>wallfly serve</code>.</p>}
      {data && (
        <>
          <div class="bars" role="group" aria-label="Values">
            <span class="muted most">{countText(most)}</span>
            {bars.map(bar => (
              <button key={bar.left} class={chosen?.low === bar.low ? 'bar chosen' : 'bar'} aria-pressed={chosen?.low === bar.low}
                aria-label={`${text(bar.low)} to ${text(bar.high)}: ${countText(bar.count)} ${plural(bar.count, 'value')}`}
                title={`${text(bar.low)} to ${text(bar.high)}: ${countText(bar.count)}`} onClick={() => choose(bar)}
                style={{ left: `${bar.left * 100}%`, width: `${(bar.right - bar.left) * 100}%` }}>
                <span style={{ height: `max(2px, ${share(bar.count) * 100}%)` }} />
              </button>
            ))}
            {lines.map(line => (
              <span key={line.name} class="line" style={{ left: `${placeOf(line.value, low, high, log) * 100}%` }}><i>{line.name}</i></span>
            ))}
          </div>
          <div class="axis muted"><span>{text(low)}</span><span>{text(high)}</span></div>
          {chosen && <IntervalList view={view} place={place} rows={data.rows} bar={chosen} text={text} />}
        </>
      )}
    </section>
  )
}
