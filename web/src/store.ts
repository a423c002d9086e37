// SPDX-License-Identifier: MIT
// Implements the View: takes the source's events, requests rows and things when there are new ones,
// and keeps the view in the page's address.

import { noChoices } from './choices'
import { frame } from './go'
import { readHash, writeHash } from './hash'
import type { Addressed } from './hash'
import { HitList } from './hits'
import { noRules } from './marks'
import { applyNames } from './names'
import { noNotes, takeNotes } from './notes'
import { defaultOrder, mergeOrder } from './order'
import type { Hello, Row, RowKind, Rules, Source, Status, Thing, ThingKind } from './protocol'
import { clean } from './text'
import { prefersDark, rememberedTheme, rememberTheme } from './theme'
import { parseTime, setZero } from './times'
import { Triggers } from './trigger'
import type { View } from './view'

const SAID_MOST = 200 // results of commands that are kept
const WIDTH_LEAST = 8 // minimum visible ticks
const ROWS_PAUSE_MS = 250 // between two requests for rows
const FOLLOW_S = 2 // seconds of a live trace that are visible at first
type ThingRow = [ThingKind, string, string, string, number | null, number?, number?]

// Moves a time range into first..last and a margin, with the same width if possible.
export function clampStretch(from: number, until: number, last: number, first = 0): [number, number] {
  const all = Math.max(last - first, WIDTH_LEAST)
  const margin = all * 0.02
  const width = Math.min(Math.max(until - from, WIDTH_LEAST), all + 2 * margin)
  const middle = (from + until) / 2
  const begin = Math.min(Math.max(middle - width / 2, first - margin), first + all + margin - width)
  return [begin, begin + width]
}

// Returns the first tick that can be shown.
export function firstTick(view: View): number {
  return view.hello?.window?.[0] ?? 0
}

// Returns whether the visible range moves as data arrives.
export function movesOn(view: View): boolean {
  return view.follow || (view.fitting && (!!view.hello?.live || !!view.status?.progress))
}

class Store implements View, Addressed {
  hello: Hello | null = null
  status: Status | null = null
  linked = false
  rows: Row[] = []
  things: Thing[] = []
  rev = -1
  from = 0
  until = 1
  follow = false
  fitting = true
  cursor: number | null = null
  selection: [number, number] | null = null
  place: View['place'] = null
  other: View['other'] = null
  rules: Rules = noRules
  mark: View['mark'] = null
  markPlace: View['markPlace'] = null
  chosenAt: View['chosenAt'] = null
  private slice: View['picked'] = null
  get picked(): View['picked'] { return this.slice }
  set picked(picked) { [this.slice, this.chosenAt] = [picked, picked?.begin ?? null] }
  clock: View['clock'] = 'trace'
  record: number | null = null
  pinned: number[] = []
  order: number[] = []
  hidden = new Set<number>()
  folded = new Set<RowKind>()
  expanded = new Set<number>()
  loadWindow = 0
  panel = ''
  dark = false
  said: View['said'] = []
  named = 0
  readonly triggers: View['triggers']
  limits: [number, number] | null = null
  renaming = -1
  exporting: View['exporting'] = null
  filter = ''
  markers: View['markers'] = []
  marker: View['marker'] = null
  markerBase: View['markerBase'] = null
  editing: View['editing'] = null
  removed: View['removed'] = []
  notes = noNotes
  unsent = 0
  find = ''
  readonly hits: View['hits']
  figures = -1
  readonly choices = noChoices()
  reveal: View['reveal'] = () => undefined
  openMenu: View['openMenu'] = () => undefined
  notify: View['notify'] = () => undefined

  private isReady: () => void = () => undefined
  readonly ready = new Promise<void>(done => { this.isReady = done })
  private listeners = new Set<(view: View) => void>()
  private frame = 0
  private followWidth: number | null = null
  private asking = false
  private askingRules = false
  private wanted = '' // a place in the address that is not shown yet
  private framed = false // the address has the range to show
  private sought: [number, number] | undefined // a slice in the address that is not picked yet
  private finding = false
  private given = this.order // the order that was last computed here
  private made: number[] = [] // the user's order; empty: none
  private hash = ''
  private hashTimer = 0
  private rememberedDark: boolean

  constructor(readonly source: Source) {
    this.hits = new HitList(source, () => this.changed())
    this.triggers = new Triggers(this)
    this.dark = this.rememberedDark = rememberedTheme()
    this.restore(location.hash || source.initial || '')
    this.hash = location.hash
    addEventListener('hashchange', () => this.hashChanged())
    source.open({
      hello: hello => this.takeHello(hello),
      status: status => this.takeStatus(status),
      said: said => {
        this.said = [...this.said, said].slice(-SAID_MOST)
        this.changed()
      },
      link: up => {
        this.linked = up
        this.changed()
      }
    })
  }

  listen(what: (view: View) => void): () => void {
    this.listeners.add(what)
    return () => this.listeners.delete(what)
  }

  changed(): void {
    if (this.frame) return
    this.frame = requestAnimationFrame(() => {
      this.frame = 0
      this.remember()
      for (const listener of [...this.listeners]) listener(this)
    })
  }

  go(from: number, until: number): void {
    this.fitting = false
    this.follow = false
    const [first, last] = this.limits ?? [firstTick(this), this.status?.last ?? until]
    const stretch = clampStretch(from, until, last, first)
    this.from = stretch[0]
    this.until = stretch[1]
    this.changed()
  }

  show(from: number, until: number): void {
    this.fitting = false
    this.follow = false
    this.from = from
    this.until = Math.max(until, from + WIDTH_LEAST)
    this.changed()
  }

  fit(): void {
    if (this.limits) return this.go(...this.limits)
    this.fitting = true
    this.follow = false
    this.showAll()
    this.changed()
  }

  private showAll(): void {
    this.from = firstTick(this)
    this.until = Math.max(this.status?.last ?? 0, this.from + WIDTH_LEAST)
  }

  private takeHello(hello: Hello): void {
    const first = this.hello === null
    if (first && hello.live && this.fitting) this.follow = true
    if (!first && this.hello!.t0 !== hello.t0) this.rev = -1
    if (this.place && this.hello?.hz !== hello.hz) this.wanted = this.place.text
    this.hello = hello
    setZero(hello)
    this.showPlace()
    this.changed()
  }

  private takeStatus(status: Status): void {
    this.status = status
    if (this.follow) this.moveOn(status.last)
    else if (this.fitting) this.showAll()
    if (status.rev !== this.rev) void this.refresh()
    if (status.marks !== this.rules.rev) void this.refreshRules()
    if (status.notes !== this.notes.rev) void takeNotes(this)
    if (this.sought) void this.findPick()
    this.showPlace()
    this.changed()
  }

  // Shows the place in the address once the part of the trace that it is in has been read.
  private showPlace(): void {
    const { hello, status, wanted } = this
    if (!wanted || !hello || hello.t0 === null || !status) return
    const times = wanted.split('..').map(text => parseTime(text, hello.hz))
    const from = times[0], until = times[times.length - 1]
    const grows = hello.live || !!status.progress
    if (from === null || until === null || until < from || (grows && until > status.last)) return
    this.wanted = ''
    this.place = { text: wanted, from, until }
    if (until > from) this.selection ??= [from, until]
    this.cursor = from
    if (!this.framed) void frame(this, from, until)
  }

  private async refreshRules(): Promise<void> {
    if (this.askingRules) return
    this.askingRules = true
    try {
      const { rules, ...rest } = await this.source.ask<Rules>('rules')
      this.rules = { ...rest, rules: rules.map(rule => ({ ...rule, title: clean(rule.title), text: clean(rule.text) })) }
      this.changed()
    } catch {
      // as in refresh()
    }
    setTimeout(() => {
      this.askingRules = false
      if (this.linked && this.status && this.status.marks !== this.rules.rev) void this.refreshRules()
    }, ROWS_PAUSE_MS)
  }

  // Puts the newest data at the right; a live trace that is still short is shown whole.
  private moveOn(last: number): void {
    const wide = this.fitting ? FOLLOW_S * (this.hello?.hz || 1e6) : this.until - this.from
    const width = this.followWidth ?? wide
    if (last > width) this.followWidth = null
    this.fitting &&= last <= width
    this.until = Math.max(last, width)
    this.from = this.until - width
  }

  private async refresh(): Promise<void> {
    if (this.asking) return
    this.asking = true
    try {
      const [rows, things] = await Promise.all([
        this.source.ask<{ rev: number; rows: Row[] }>('rows'),
        this.source.ask<{ things: ThingRow[] }>('things', { from: 0 })
      ])
      this.rows = rows.rows.map(row => ({ ...row, name: clean(row.name) }))
      this.rev = rows.rev
      this.things = things.things.map(([kind, name, key, sub, prio, low, size]) =>
        ({ kind, name: clean(name), key: clean(key), sub: clean(sub), prio, low, size }))
      applyNames(this)
      this.made = this.userOrder
      this.putInOrder()
      void this.findPick()
      this.changed()
    } catch {
      // The link is lost or the request timed out: it is repeated after the pause below.
    }
    this.isReady()
    setTimeout(() => {
      this.asking = false
      if (this.linked && this.status && this.status.rev !== this.rev) void this.refresh()
    }, ROWS_PAUSE_MS)
  }

  private putInOrder(): void {
    const { made, rows, things } = this
    this.order = this.given = made.length > 0 ? mergeOrder(made, rows, things) : defaultOrder(rows, things)
  }

  // ---- the address (hash.ts)

  private restore(hash: string): void {
    this.framed = false
    readHash(hash, this)
  }

  link(): string {
    const url = new URL(location.href)
    const hash = writeHash(this), theme = `theme=${this.dark ? 'dark' : 'light'}`
    url.hash = this.theme ? hash : hash ? `${hash}&${theme}` : theme
    return url.href
  }

  get range(): [number, number] | undefined {
    return this.follow || this.fitting ? undefined : [this.from, this.until]
  }

  set range(range: [number, number] | undefined) {
    if (!range) return
    this.from = range[0]
    this.until = range[1]
    this.fitting = this.follow = false
    this.framed = true
  }

  get followed(): number | undefined {
    return this.follow && !this.fitting ? this.until - this.from : undefined
  }

  set followed(width: number | undefined) {
    if (width === undefined || this.framed) return
    this.followWidth = width
    this.from = this.until - width
    this.follow = true
    this.fitting = false
    this.framed = true
  }

  get placeText(): string {
    return this.place?.text ?? this.wanted
  }

  set placeText(text: string) {
    this.wanted = text
    this.place = null
  }

  // Of a moment that is no slice, as of a row that was gone to, nothing is kept.
  get pick(): [number, number] | undefined {
    const { picked, sought } = this
    return picked && Number.isInteger(picked.begin) ? [picked.track, picked.begin] : picked ? undefined : sought
  }

  set pick(pick: [number, number] | undefined) {
    this.sought = pick
    this.picked = null
    void this.findPick()
  }

  get userOrder(): number[] {
    return this.order === this.given ? this.made : this.order
  }

  set userOrder(rows: number[]) {
    this.made = rows
    this.putInOrder()
  }

  get theme(): 'dark' | 'light' | undefined {
    return this.dark === prefersDark() ? undefined : this.dark ? 'dark' : 'light'
  }

  set theme(theme: 'dark' | 'light' | undefined) {
    if (theme) this.dark = theme === 'dark'
  }

  // Picks the slice of the address once its row is known and its part of the trace has been read.
  private async findPick(): Promise<void> {
    const { sought, rows, status } = this
    if (!sought || !status || this.finding) return
    const [track, begin] = sought
    const row = rows.findIndex(one => one.tracks.some(other => other.id === track))
    if (row < 0 || (status.progress && begin >= status.last)) return
    this.finding = true
    const answer = await this.source.ask<{ slice: number[] | null }>('step', { track, at: begin - 1, way: 1, value: null })
      .catch(() => null)
    this.finding = false
    if (!answer || this.sought !== sought || this.picked) return // asked again with the next status
    this.sought = undefined
    const { slice } = answer
    if (slice?.[0] === begin) this.picked = { row, track, begin, end: slice[1], value: slice[2], more: slice[3] }
    this.changed()
  }

  // At most three times a second: browsers refuse more.
  private remember(): void {
    if (this.dark !== this.rememberedDark) rememberTheme(this.rememberedDark = this.dark)
    if (this.hashTimer) return
    this.hashTimer = window.setTimeout(() => {
      this.hashTimer = 0
      const hash = writeHash(this)
      if (hash === this.hash) return
      this.hash = hash
      try {
        history.replaceState(null, '', hash || location.pathname + location.search)
      } catch {
        // Some browsers forbid this in a page from a file; then its address stays as it is.
      }
    }, 350)
  }

  private hashChanged(): void {
    if (location.hash === this.hash) return
    this.hash = location.hash
    this.restore(location.hash)
    this.showPlace()
    this.changed()
  }
}

export function makeView(source: Source): View {
  return new Store(source)
}
