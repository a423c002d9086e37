// SPDX-License-Identifier: MIT
// Implements the View: takes the source's events, requests rows and things when there are new ones,
// and keeps the view in the page's address.

import { frame } from './go'
import { readHash, rowKinds, writeHash } from './hash'
import type { Kept } from './hash'
import { noRules } from './marks'
import type { Hello, Row, RowKind, Rules, Source, Status, Thing, ThingKind } from './protocol'
import { clean } from './text'
import { parseTime, setZero } from './times'
import type { View } from './view'

const SAID_MOST = 200 // results of commands that are kept
const WIDTH_LEAST = 8 // minimum visible ticks
const ROWS_PAUSE_MS = 250 // between two requests for rows
const FOLLOW_S = 2 // seconds of a live trace that are visible at first

type ThingRow = [ThingKind, string, string, string, number | null, number?, number?]

// Sorts rows by kind, tasks by priority, then by core, then by name (numbers in names as numbers).
export function defaultOrder(rows: Row[], things: Thing[]): number[] {
  const names = new Intl.Collator('en', { numeric: true })
  const rank = (row: number) => rowKinds.indexOf(rows[row].kind)
  const prio = (row: number) =>
    rows[row].kind === 'task' ? things[rows[row].thing]?.prio ?? Number.MAX_SAFE_INTEGER : 0
  return rows.map((_, row) => row).sort((a, b) =>
    rank(a) - rank(b) || prio(a) - prio(b) || rows[a].core - rows[b].core ||
    names.compare(rows[a].name, rows[b].name) || a - b)
}

// Keeps the user's order; new rows go after those of their kind.
export function mergeOrder(order: number[], rows: Row[], things: Thing[]): number[] {
  const known = new Set(order)
  const all = order.filter(row => row < rows.length)
  all.push(...defaultOrder(rows, things).filter(row => !known.has(row)))
  const rank = (row: number) => rowKinds.indexOf(rows[row].kind)
  return all.map((row, place) => ({ row, place }))
    .sort((a, b) => rank(a.row) - rank(b.row) || a.place - b.place)
    .map(entry => entry.row)
}

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

class Store implements View {
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
  rules: Rules = noRules
  mark: View['mark'] = null
  markPlace: View['markPlace'] = null
  picked: View['picked'] = null
  record: number | null = null
  pinned: number[] = []
  order: number[] = []
  hidden = new Set<number>()
  folded = new Set<RowKind>()
  expanded = new Set<number>()
  panel = ''
  dark = false
  said: View['said'] = []
  named = 0
  filter = ''
  figures = -1
  reveal: View['reveal'] = () => undefined
  openMenu: View['openMenu'] = () => undefined
  tell: View['tell'] = () => undefined

  private listeners = new Set<(view: View) => void>()
  private frame = 0
  private followWidth: number | null = null
  private asking = false
  private askingRules = false
  private wanted = '' // a place in the address that is not shown yet
  private framed = false // the address has the range to show
  private given = this.order // the order that was last computed here
  private made: number[] = [] // the user's order; empty: none
  private hash = ''
  private hashTimer = 0
  private rememberedDark: boolean

  constructor(readonly source: Source) {
    this.dark = this.rememberedDark = rememberedTheme()
    this.restore(readHash(location.hash || source.initial || ''))
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
    const stretch = clampStretch(from, until, this.status?.last ?? until, firstTick(this))
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
      this.made = this.ownOrder()
      this.putInOrder()
      this.changed()
    } catch {
      // The link is lost or the request timed out: it is repeated after the pause below.
    }
    setTimeout(() => {
      this.asking = false
      if (this.linked && this.status && this.status.rev !== this.rev) void this.refresh()
    }, ROWS_PAUSE_MS)
  }

  private ownOrder(): number[] {
    return this.order === this.given ? this.made : this.order
  }

  private putInOrder(): void {
    const { made, rows, things } = this
    this.order = this.given = made.length > 0 ? mergeOrder(made, rows, things) : defaultOrder(rows, things)
  }

  private restore(kept: Kept): void {
    if (kept.from !== undefined && kept.until !== undefined) {
      this.from = kept.from
      this.until = kept.until
      this.fitting = this.follow = false
    } else if (kept.follow !== undefined) {
      this.followWidth = kept.follow
      this.from = this.until - kept.follow
      this.follow = true
      this.fitting = false
    }
    this.selection = kept.select ?? null
    this.framed = kept.from !== undefined || kept.follow !== undefined
    this.wanted = kept.at ?? ''
    this.place = null
    this.made = kept.order ?? []
    this.putInOrder()
    this.pinned = kept.pin ?? []
    this.hidden = new Set(kept.hide)
    this.folded = new Set(kept.fold)
    this.expanded = new Set(kept.expand)
    this.panel = kept.panel ?? this.panel
    this.filter = kept.filter ?? ''
    if (kept.theme) this.dark = kept.theme === 'dark'
  }

  private kept(): Kept {
    const kept: Kept = {
      select: this.selection ?? undefined,
      at: this.place?.text ?? this.wanted,
      order: this.ownOrder(),
      pin: this.pinned,
      hide: [...this.hidden],
      fold: [...this.folded],
      expand: [...this.expanded],
      panel: this.panel,
      filter: this.filter,
      theme: this.dark === prefersDark() ? undefined : this.dark ? 'dark' : 'light'
    }
    if (this.follow) kept.follow = this.fitting ? undefined : this.until - this.from
    else if (!this.fitting) {
      kept.from = this.from
      kept.until = this.until
    }
    return kept
  }

  // At most three times a second: browsers refuse more.
  private remember(): void {
    if (this.dark !== this.rememberedDark) rememberTheme(this.rememberedDark = this.dark)
    if (this.hashTimer) return
    this.hashTimer = window.setTimeout(() => {
      this.hashTimer = 0
      const hash = writeHash(this.kept())
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
    this.restore(readHash(location.hash))
    this.showPlace()
    this.changed()
  }
}

function prefersDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches
}

// Storage may be forbidden, as in a page from a file.
export function rememberedTheme(): boolean {
  try {
    const theme = localStorage.getItem('wallfly-theme')
    if (theme === 'dark' || theme === 'light') return theme === 'dark'
  } catch {
    // the system's choice is used then
  }
  return prefersDark()
}

function rememberTheme(dark: boolean): void {
  try {
    localStorage.setItem('wallfly-theme', dark ? 'dark' : 'light')
  } catch {
    // The choice lasts as long as the page.
  }
}

export function makeView(source: Source): View {
  return new Store(source)
}
