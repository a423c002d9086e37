// SPDX-License-Identifier: MIT
// The report of `wallfly diff`: a list of changes, the most important first, above the time lines of
// both traces. Each time line is the page of a file, in a frame of its own; the frames get a copy of
// this page's script and style, which the policy of the file allows by their hashes.

import { render } from 'preact'
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { typing } from '../actions'
import { Frame } from '../frame'
import { signs } from '../panels/rules'
import type { MarkKind } from '../protocol'
import { Name } from '../parts'
import { rememberedTheme } from '../theme'
import { clean, plural } from '../text'
import { countText, setZero, timeText } from '../times'
import { missingWords } from '../words'
import { Pair } from './pair'
import type { Side, Stretch } from './pair'

interface Change { title: string; text: string; kind: MarkKind; at: [Stretch | null, Stretch | null] }

export interface Report {
  report: number
  title: string
  text: string
  sides: [SideData, SideData]
  align: [number, number] | null // ticks since t0
  changes: Change[]
}
interface SideData { label: string; name: string; note: string } // note: why there is no time line

const VERSION = 1
const SIDES: Side[] = [0, 1]

// Returns the report in the page, or null in another page. Throws if it is of another version.
export function reportData(): Report | null {
  const element = document.getElementById('report')
  if (!element) return null
  const report = JSON.parse(element.textContent ?? '') as Report
  if (report.report !== VERSION) throw new Error('this file needs another version of its viewer')
  return report
}

// Tags are put together here: the script must not contain them, as it is within a page itself.
function tag(name: string, attributes: string, content: string): string {
  return `<${name}${attributes}>${content}</${name}>`
}

// The page of a time line. Its data is JSON in which no character can end the element.
function framePage(script: string, side: Side): string {
  const style = document.querySelector('style')!.textContent
  const data = document.getElementById(`side-${side}`)!.textContent
  const head = '<meta charset="utf-8">' + tag('style', '', style)
  const body = tag('div', ' id="app"', '') + tag('script', ' type="application/json" id="kept"', data) + tag('script', '', script)
  return '<!doctype html>' + tag('html', ' lang="en"', tag('head', '', head) + tag('body', '', body))
}

function timeOf(pair: Pair, side: Side, place: Stretch | null): string {
  const hello = pair.view(side)?.hello
  if (!place || !hello) return ''
  setZero(hello)
  return timeText(place.from, hello.hz)
}

function SideHead({ data, pair, side }: { data: SideData; pair: Pair; side: Side }) {
  const view = pair.view(side), status = view?.status
  const missing = status && missingWords(status, view.rows.some(row => row.tracks.some(t => t.kind === 'loss')), view.hello?.format)
  return (
    <div class="trace-head">
      <b>{data.label}</b> <Name text={data.name} most={200} />
      {status && <span class="fact"><b>{countText(status.records)}</b> records</span>}
      {missing && <span class={missing.good ? 'badge good' : 'wrong'} title={missing.title}>{missing.text}</span>}
      {data.note && <span class="muted">{clean(data.note)}</span>}
      {view?.hello?.part && <span class="muted">a part of the trace</span>}
    </div>
  )
}

const meanings: Record<MarkKind, string> = {
  fail: 'exceeds a bound that was given', 'cannot tell': 'a hole in the data may have changed it', note: ''
}

function Changes({ report, pair, chosen, go }: { report: Report; pair: Pair; chosen: number; go(change: number): void }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('tr.chosen')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  if (report.changes.length === 0) return <p class="empty">Nothing has changed.</p>
  return (
    <div class="report-list" ref={list} tabIndex={-1}>
      <table class="figures" aria-label="Changes, the most important first">
        <thead>
          <tr>
            <th scope="col" class="number">#</th><th scope="col">change</th><th scope="col" />
            {report.sides.map(side => <th key={side.label} scope="col" class="number">{side.label}</th>)}
          </tr>
        </thead>
        <tbody>
          {report.changes.map((change, i) => (
            <tr key={i} class={i === chosen ? 'chosen' : ''}>
              <td class="number">{i + 1}</td>
              <th scope="row">
                <span class={`verdict ${change.kind.replace(' ', '-')}`} title={meanings[change.kind]}>
                  <span class="verdict-sign">{signs[change.kind]}</span>
                </span>
                {change.at.some(place => place)
                  ? <button class="link" aria-current={i === chosen} onClick={() => go(i)}><bdi>{clean(change.title, 200)}</bdi></button>
                  : <bdi>{clean(change.title, 200)}</bdi>}
              </th>
              <td class="report-text"><bdi>{clean(change.text, 1000)}</bdi></td>
              {SIDES.map(side => <td key={side} class="number">{timeOf(pair, side, change.at[side])}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

// Returns the next change (way 1) or previous one that has a place; -1 if there is none.
export function nextChange(changes: readonly { at: readonly (Stretch | null)[] }[], from: number, way: 1 | -1): number {
  for (let step = 1; step <= changes.length; step++) {
    const at = (from + way * step + 2 * changes.length) % changes.length
    if (changes[at].at.some(place => place)) return at
  }
  return -1
}

function App({ report, script }: { report: Report; script: string }) {
  const [, again] = useReducer((n: number) => n + 1, 0)
  const [chosen, choose] = useState(-1)
  const [dark, setDark] = useState(rememberedTheme)
  const onKey = useRef<(event: KeyboardEvent) => void>(() => undefined)
  const pair = useMemo(() => new Pair(() => again(0), event => onKey.current(event)), [])
  const pages = useMemo(() => SIDES.map(side => (report.sides[side].note ? '' : framePage(script, side))), [])
  const begun = useRef(false)
  const go = (change: number) => {
    if (change < 0) return
    choose(change)
    void pair.go(report.changes[change].at, change)
  }
  const step = (way: 1 | -1) => go(nextChange(report.changes, way < 0 && chosen < 0 ? 0 : chosen, way))
  const leading = pair.view(0) ?? pair.view(1)
  useEffect(() => pair.setDark(dark), [])
  useEffect(() => { // a theme that was chosen in a time line
    if (leading && leading.dark !== dark) setDark(leading.dark)
  }, [leading?.dark])
  const all = SIDES.every(side => !pages[side] || pair.lines[side]) && pair.ready
  useEffect(() => {
    if (!all || begun.current) return
    begun.current = true
    const { align, changes } = report
    const begins = changes.map(({ at: [good, now] }): [number, number] | null => (good && now ? [good.from, now.from] : null))
    const anchor = align ?? begins.find(both => both) ?? null
    if (anchor) pair.align(anchor)
    const at = align ? begins.findIndex(both => both && both[0] === align[0] && both[1] === align[1]) : nextChange(changes, -1, 1)
    if (at >= 0) go(at)
    else if (align) void pair.go([{ from: align[0], until: align[0] }, { from: align[1], until: align[1] }], -1)
  }, [all])
  const changeTheme = () => {
    setDark(!dark)
    pair.setDark(!dark)
  }
  const keys: { [key: string]: () => void } = { n: () => step(1), p: () => step(-1), T: changeTheme }
  onKey.current = event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target)) return
    if (!Object.hasOwn(keys, event.key)) return
    keys[event.key]()
    event.preventDefault()
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey.current(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  const theme = dark ? 'Light theme' : 'Dark theme'
  return (
    <>
      <header class="header">
        <span class="brand" aria-label="wallfly">wallfly</span>
        <span class="source"><bdi>{clean(report.title)}</bdi></span>
        <span class="fact"><b>{countText(report.changes.length)}</b> {plural(report.changes.length, 'change')}</span>
        <span class="muted report-about" title={clean(report.text)}>{clean(report.text)}</span>
        <span class="space" />
        <button aria-keyshortcuts="p" title="Previous change (p)" onClick={() => step(-1)}>Previous</button>
        <button aria-keyshortcuts="n" title="Next change (n)" onClick={() => step(1)}>Next</button>
        <button aria-keyshortcuts="T" aria-label={theme} title={theme} onClick={changeTheme}>{dark ? 'Light' : 'Dark'}</button>
      </header>
      <section class="report-changes" aria-label="Changes">
        <Changes report={report} pair={pair} chosen={chosen} go={go} />
      </section>
      {SIDES.map(side => (
        <section key={side} class={`trace-side${pages[side] ? '' : ' none'}`} aria-label={`${report.sides[side].label}: ${clean(report.sides[side].name)}`}>
          <SideHead data={report.sides[side]} pair={pair} side={side} />
          {pages[side] && <Frame side={side} page={pages[side]} synced={pair}
            title={`Time line of ${report.sides[side].label}`} />}
        </section>
      ))}
    </>
  )
}

export function mountReport(report: Report, script: string, host: HTMLElement): void {
  host.classList.add('report')
  document.title = `${clean(report.title, 80)} - wallfly diff`
  render(<App report={report} script={script} />, host)
}
