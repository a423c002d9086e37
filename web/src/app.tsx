// SPDX-License-Identifier: MIT
// The page: header, time line, and below it the open panel.

import { render } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { CLOSED, dispatch, openPanel, shownPanels } from './actions'
import type { Shell } from './actions'
import { Canvas } from './canvas'
import { ContextMenu } from './context_menu'
import type { OpenMenu } from './context_menu'
import { Header } from './header'
import { Help } from './help'
import { entriesFor } from './menu'
import { Commands } from './panels/commands'
import { Details } from './panels/details'
import { Hits } from './panels/hits'
import { Losses } from './panels/losses'
import { Machine } from './panels/machine'
import { Markers } from './panels/markers'
import { Objects } from './panels/objects'
import { Plots } from './panels/plots'
import { Records } from './panels/records'
import { Rules } from './panels/rules'
import { Sequence } from './panels/sequence'
import { Sql } from './panels/sql'
import { Statistics } from './panels/statistics'
import { TriggerPanel } from './panels/trigger'
import type { Source } from './protocol'
import { Rename } from './rename'
import { Finder, Search } from './search'
import { makeView } from './store'
import { clean } from './text'
import { useViewed } from './use'
import type { View } from './view'

const contents: { [name: string]: (props: { view: View }) => preact.VNode } = {
  records: Records, details: Details, stats: Statistics, sequence: Sequence, machine: Machine,
  plots: Plots, losses: Losses, commands: Commands, rules: Rules, objects: Objects, sql: Sql,
  markers: Markers, hits: Hits, trigger: TriggerPanel
}

function TimeLine({ view }: { view: View }) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => { // before the page is painted: the canvas requests what it lacks
    const canvas = new Canvas(view, host.current!)
    view.reveal = row => {
      canvas.geometry.reveal(row)
      canvas.redraw()
    }
    return () => canvas.dispose()
  }, [view])
  return <div class="timeline-host" ref={host} />
}

const LEAST = 90, ABOVE = 200 // minimum pixels of the panel, and of the area above it
const STEP = 24
const FRAMED = 260 // of a panel at first, of one of several traces: its frame grows for it (lanes/lanes.css)

const mostHeight = () => Math.max(LEAST, innerHeight - ABOVE)

function clampHeight(height: number): number {
  return Math.round(Math.min(Math.max(LEAST, height), mostHeight()))
}

// The splitter between time line and panel, moved with the pointer or the arrow keys.
function Splitter({ height, set }: { height: number; set(height: number): void }) {
  const held = useRef<{ y: number; height: number } | null>(null)
  return (
    <div class="splitter" role="separator" aria-orientation="horizontal" aria-label="Height of the panel" tabIndex={0}
      aria-valuenow={height} aria-valuemin={LEAST} aria-valuemax={mostHeight()}
      onPointerDown={event => {
        held.current = { y: event.clientY, height }
        event.currentTarget.setPointerCapture(event.pointerId)
        event.preventDefault()
      }}
      onPointerMove={event => held.current && set(held.current.height + held.current.y - event.clientY)}
      onPointerUp={() => { held.current = null }} onPointerCancel={() => { held.current = null }}
      onKeyDown={event => {
        const by = event.key === 'ArrowUp' ? STEP : event.key === 'ArrowDown' ? -STEP : 0
        if (!by) return
        set(height + by)
        event.preventDefault()
        event.stopPropagation()
      }} />
  )
}

function Tabs({ view, open }: { view: View; open: string }) {
  useViewed(view, v => [v.hello, v.rules])
  const tabs = shownPanels(view), list = useRef<HTMLDivElement>(null)
  useEffect(() => { // scrolls the list alone: scrollIntoView would move the page
    const tab = list.current?.querySelector('[aria-selected=true]')?.getBoundingClientRect(), own = list.current?.getBoundingClientRect()
    if (tab && own && (tab.left < own.left || tab.right > own.right)) list.current!.scrollLeft += tab.left - own.left - (own.width - tab.width) / 2
  }, [open])
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (!by) return
    const place = tabs.findIndex(tab => tab.name === open)
    const next = tabs[(place + by + tabs.length) % tabs.length]
    openPanel(view, next.name)
    document.getElementById(`tab-${next.name}`)?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="tabs">
      <div class="tab-list" ref={list} role="tablist" aria-label="Panels" onKeyDown={step}>
        {tabs.map((tab, i) => (
          <button key={tab.name} id={`tab-${tab.name}`} role="tab" aria-selected={tab.name === open} aria-controls="panel"
            tabIndex={tab.name === open || (open === CLOSED && i === 0) ? 0 : -1}
            onClick={() => openPanel(view, tab.name)}>{tab.title}</button>
        ))}
      </div>
      <span class="space" />
      {open !== CLOSED && (
        <button class="icon" aria-label="Close the panel" title="Close the panel"
          onClick={() => openPanel(view, CLOSED)}>×</button>
      )}
    </div>
  )
}

// Keys that move within a panel must not move the time line.
const moving = /^(Arrow|Page|Home$|End$| $)/

function Panel({ view }: { view: View }) {
  const [panel, hello] = useViewed(view, v => [v.panel || (v.rules.rules.length ? 'rules' : 'records'), v.hello])
  const [wanted, setWanted] = useState(() => Math.max(innerHeight * 0.36, view.source.framed ? FRAMED : 0))
  const [, resized] = useReducer((n: number) => n + 1, 0)
  const height = clampHeight(wanted) // of what is wanted, so that it comes back when there is room again
  const known = panel === CLOSED || shownPanels(view).some(one => one.name === panel)
  const open = known || !hello ? panel : 'records'
  const Content = contents[open] as (typeof contents)[string] | undefined
  useEffect(() => {
    const fit = () => resized(0)
    addEventListener('resize', fit)
    return () => removeEventListener('resize', fit)
  }, [])
  return (
    <>
      {Content && <Splitter height={height} set={to => setWanted(clampHeight(to))} />}
      <section class={`panels${Content ? '' : ' closed'}`} aria-label="Panels" style={Content ? { height: `${height}px` } : { height: 'auto' }}>
        <Tabs view={view} open={open} />
        {Content && <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${open}`}
          onKeyDown={event => moving.test(event.key) && event.stopPropagation()}><Content key={open} view={view} /></div>}
      </section>
    </>
  )
}

const NOTICE_MS = 2500

// A short notice; the element is always there, so that screen readers read its text when it comes.
function Notice({ text, end }: { text: string; end(): void }) {
  useEffect(() => {
    if (!text) return
    const timer = setTimeout(end, NOTICE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return <div class={text ? 'notice' : ''} role="status">{text}</div>
}

function App({ view }: { view: View }) {
  const [dark, source, renaming] = useViewed(view, v => [v.dark, v.hello?.source, v.renaming])
  const [overlay, setOverlay] = useState<'' | 'search' | 'help'>('')
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [notice, setNotice] = useState('')
  const [, news] = useReducer((n: number) => n + 1, 0)
  const finder = useMemo(() => new Finder(view, () => news(0)), [view])
  useEffect(() => {
    document.title = source ? `${clean(source, 80)} - wallfly` : 'wallfly'
  }, [source])
  useEffect(() => {
    const shell: Shell = {
      view,
      search: () => setOverlay('search'),
      help: () => setOverlay('help'),
      findAgain: way => void finder.go(view.find, way)
    }
    view.openMenu = (at, x, y) => {
      if (entriesFor(view, at).length > 0) setMenu(open => open ?? { at, x, y })
    }
    view.notify = setNotice
    const onKeyDown = (event: KeyboardEvent) => dispatch(event, shell) && event.preventDefault()
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [view, finder])
  // Set before the first paint, so that the theme does not flash.
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  return (
    <>
      {!view.source.compact && !view.source.framed && <Header view={view} find={finder.state} cancelFind={() => finder.cancel()}
        search={() => setOverlay('search')} help={() => setOverlay('help')} />}
      <main class="main-area"><TimeLine view={view} /></main>
      <Panel view={view} />
      {menu && <ContextMenu view={view} menu={menu} close={() => setMenu(null)} />}
      <Notice text={notice} end={() => setNotice('')} />
      {overlay === 'search' && <Search view={view} finder={finder} close={() => setOverlay('')} />}
      {renaming >= 0 && <Rename key={renaming} view={view} close={() => {
        view.renaming = -1
        view.changed()
      }} />}
      {overlay === 'help' && <Help view={view} close={() => setOverlay('')} />}
    </>
  )
}

const ROWS_MS = 200 // for them the page is not drawn at first

// The first frame has the rows, so that it requests what they show: to draw the page without them takes longer
// than they do.
export async function mount(source: Source, host: HTMLElement): Promise<void> {
  const view = makeView(source)
  if (source.compact) host.classList.add('compact')
  await Promise.race([view.ready, new Promise(done => setTimeout(done, ROWS_MS))])
  render(<App view={view} />, host)
}
