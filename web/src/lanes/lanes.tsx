// SPDX-License-Identifier: MIT
// The page of several traces: their time lines above one another, each in a frame of its own, on a
// common clock.

import { render } from 'preact'
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import './lanes.css'
import { CLOSED, copyLink, typing } from '../actions'
import { Frame } from '../frame'
import { TraceFacts } from '../header'
import { Name } from '../parts'
import type { Site } from '../protocol'
import { tracesText } from '../wire'
import { clean, plural } from '../text'
import { rememberedTheme } from '../theme'
import { countText } from '../times'
import { errorText } from '../wall'
import { frameAddress, readAddress, themeOf, writeAddress } from './address'
import { orderBeyond, orderWords } from './clocks'
import { basisNames, bases, Lanes } from './group'
import type { Basis } from './group'
import { PairForm } from './pair_form'
import { Overlay } from './overlay'

const ADDRESS_MS = 350 // between two changes of the address: browsers refuse more

function LaneHead({ name, lanes, side }: { name: string; lanes: Lanes; side: number }) {
  const view = lanes.view(side)
  return (
    <div class="trace-head">
      <Name text={view?.hello?.source ?? name} most={200} />
      {view && <TraceFacts view={view} />}
      {lanes.ready && !lanes.clocks[side] && !view?.status?.error && (
        <span class="wrong">not aligned: {lanes.rate(side) > 0 ? 'shown by its begin' : 'its rate is unknown (--rate)'}</span>
      )}
    </div>
  )
}

// A trace grows while a panel of it is open, maybe out of sight.
function Lane({ name, lanes, side, address }: { name: string; lanes: Lanes; side: number; address: string }) {
  const part = useRef<HTMLElement>(null)
  const open = (lanes.view(side)?.panel ?? CLOSED) !== CLOSED
  useEffect(() => {
    if (open && lanes.leads(side)) part.current!.scrollIntoView({ block: 'nearest' })
  }, [open])
  return (
    <section ref={part} class={`trace-side${open ? ' open' : ''}`} aria-label={clean(name)}>
      <LaneHead name={name} lanes={lanes} side={side} />
      <Frame side={side} address={address} synced={lanes} title={`Time line of ${clean(name)}`} />
    </section>
  )
}

// How well the clocks correspond in the view, or what is known of two chosen moments.
function Known({ lanes, names }: { lanes: Lanes; names: string[] }) {
  const chosen = lanes.chosen()
  if (chosen.length === 2) {
    const [a, b] = chosen.map(({ side, at }) => ({ name: clean(names[side], 40), at }))
    if (!chosen.every(({ side }) => lanes.clocks[side])) return <span class="muted">{a.name} and {b.name} have no common clock.</span>
    return <span class="fact" role="status">{orderWords(a, b)}</span>
  }
  const view = lanes.view(0)
  const range = view ? [view.from, view.until].map(t => lanes.clock(0).at(t).ns) : [0, 0]
  const { ns, without, partly } = orderBeyond(lanes.clocks, lanes.lines.map(line => line?.view.status?.last ?? 0), range[0], range[1])
  const those = (sides: number[]) => sides.map(side => clean(names[side], 30)).join(', ')
  if (ns === null) return <span class="muted">The error is not known: no order between traces is certain.</span>
  return (
    <span class="fact" title="Two records of different traces are in a known order if they are further apart, wherever both errors are known">
      order known beyond {errorText(ns).slice(2)}
      {partly.length > 0 && `, in a part of the view with ${those(partly)}`}
      {without.length > 0 && `, not with ${those(without)}`}
    </span>
  )
}

function Aligned({ lanes }: { lanes: Lanes }) {
  return (
    <>
      <label class="aligned">
        Aligned by{' '}
        <select value={lanes.basis} onChange={event => lanes.align(event.currentTarget.value as Basis)}>
          {bases.map(basis => (
            <option key={basis} value={basis} disabled={basis !== lanes.basis && !lanes.possible(basis)}>{basisNames[basis]}</option>
          ))}
        </select>
      </label>
      <button title="Makes the moments correspond that are chosen in the traces" onClick={() => lanes.alignMoments()}
        disabled={lanes.chosen().length < 2}>Align the chosen</button>
    </>
  )
}

// Keeps what is shown in the page's address, once all is read.
function useAddress(lanes: Lanes): void {
  const reading = useRef(0), read = useRef(false) // addresses that are being read; whether one has been
  const readNow = async (entered: boolean) => {
    reading.current++
    await readAddress(lanes, location.hash, entered).finally(() => reading.current--)
    read.current = true
  }
  useEffect(() => {
    if (lanes.ready && !read.current && !reading.current) void readNow(false)
  }, [lanes.ready])
  useEffect(() => { // an address that the user has entered; an earlier one is read when all is ready
    const entered = () => lanes.ready && void readNow(true)
    addEventListener('hashchange', entered)
    return () => removeEventListener('hashchange', entered)
  }, [])
  useEffect(() => {
    const timer = setInterval(() => {
      if (!read.current || reading.current) return
      const hash = writeAddress(lanes)
      if (hash === location.hash) return
      history.replaceState(null, '', hash || location.pathname + location.search)
    }, ADDRESS_MS)
    return () => clearInterval(timer)
  }, [])
}

function App({ site }: { site: Site }) {
  const [, again] = useReducer((n: number) => n + 1, 0)
  const [dark, setDark] = useState(() => themeOf(location.hash) ?? rememberedTheme())
  const [form, setForm] = useState(false)
  const lanes = useMemo(() => new Lanes(site.traces.length, () => again(0)), [])
  const canvas = useRef<HTMLCanvasElement>(null)
  const main = useRef<HTMLElement>(null)
  const first = useMemo(() => location.hash, [])
  const overlay = useRef<Overlay | null>(null)
  const leading = lanes.lines.find(line => line)?.view
  useAddress(lanes)
  useEffect(() => {
    lanes.setDark(dark)
    lanes.link = () => {
      const url = new URL(location.href)
      url.hash = `${writeAddress(lanes)}&theme=${lanes.view(0)?.dark ? 'dark' : 'light'}`
      return url.href
    }
    const drawn = overlay.current = new Overlay(lanes, canvas.current!)
    const observer = new ResizeObserver(() => drawn.redraw()) // also when the form or a panel opens
    for (const part of [main.current!, ...main.current!.children]) observer.observe(part)
    return () => observer.disconnect()
  }, [])
  useEffect(() => { // keys are those of the time lines, but in fields, and those that press a button
    const onKeyDown = (event: KeyboardEvent) => {
      const presses = [' ', 'Enter', 'Tab'].includes(event.key)
      if (!typing(event.target) && !presses && !event.defaultPrevented && lanes.press(event)) event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  useEffect(() => { // a theme that was chosen in a time line
    if (leading && leading.dark !== dark) setDark(leading.dark)
  }, [leading?.dark])
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  const theme = dark ? 'Light theme' : 'Dark theme'
  const more = overlay.current?.more ?? 0
  return (
    <>
      <header class="header lanes-header">
        <h1 class="brand">wallfly</h1>
        <span class="fact"><b>{site.traces.length}</b> {plural(site.traces.length, 'trace')}</span>
        <Aligned lanes={lanes} />
        <button aria-expanded={form} onClick={() => setForm(!form)}>Pair records…</button>
        <Known lanes={lanes} names={site.traces} />
        {more > 0 && <span class="muted">{countText(more)} messages: zoom in to see arrows</span>}
        <span class="space" />
        <button onClick={() => lanes.fit()}>Fit</button>
        <button title="An address with all that is chosen (c)" onClick={() => leading && copyLink(leading)}>Copy link</button>
        <button aria-label={theme} title={theme} onClick={() => {
          setDark(!dark)
          lanes.setDark(!dark)
        }}>{dark ? 'Light' : 'Dark'}</button>
      </header>
      {form && <PairForm lanes={lanes} names={site.traces} />}
      <main class="lanes" ref={main} tabIndex={0} aria-label="Traces" onScroll={() => overlay.current?.redraw()}>
        {site.traces.map((name, side) => (
          <Lane key={side} name={name} lanes={lanes} side={side} address={location.pathname + frameAddress(side, first)} />
        ))}
      </main>
      <canvas class="lanes-arrows" ref={canvas} aria-hidden="true" />
    </>
  )
}

export function mountLanes(site: Site, host: HTMLElement): void {
  window.traces = tracesText(site)
  document.title = `${site.traces.map(name => clean(name, 40)).join(', ')} - wallfly`
  render(<App site={site} />, host)
}
