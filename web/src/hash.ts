// SPDX-License-Identifier: MIT
// The part of the view that is kept in the page's address (after #), so that it can be shared. One
// table has all that an address holds. An address is untrusted text: invalid parts are ignored.

import { chooseObject, FIGURES } from './choices'
import type { Choices } from './choices'
import { filters } from './history'
import { loadWindows } from './loads'
import { inOrder, markersText, parseMarkers } from './markers'
import type { Marker } from './markers'
import type { RowKind } from './protocol'
import { kinds } from './statistics'
import type { ClockKind } from './wall'

export const rowKinds: RowKind[] = [
  'load', 'core', 'irq', 'task', 'machine', 'object', 'counter', 'records', 'link'
]

const HASH_MOST = 1 << 16 // letters of an address that are read
export const TEXT_MOST = 200 // letters of a filter or a search
export const SQL_MOST = 2000 // letters of a query; a part of a longer one would be another query

// What an address can hold; undefined, null and empty: nothing was chosen.
export interface Addressed {
  range: [number, number] | undefined // that is shown
  followed: number | undefined // ticks that are shown of a live trace that is followed; range goes before it
  selection: [number, number] | null
  placeText: string // a place: shown times in seconds (ticks if the rate is unknown), "1.25" or "1.25..1.3"
  record: number | null
  pick: [number, number] | undefined // the picked slice: its track and its begin
  userOrder: number[] // rows
  pinned: number[]
  hidden: Set<number>
  folded: Set<RowKind>
  expanded: Set<number>
  loadWindow: number // seconds of the windows of loads; 0: by the zoom
  panel: string
  filter: string
  find: string
  markers: Marker[]
  markerBase: number | null // its time
  theme: 'dark' | 'light' | undefined
  clock: ClockKind // of the ruler
  readonly choices: Choices
}

// A part: its name in the address, and how it is written and read. A range has two names.
interface Part {
  names: string[]
  write(of: Addressed): string // "": nothing
  read(of: Addressed, text: string | null): void
}

// parse: undefined: invalid.
function part<T>(name: string, parse: (text: string) => T | undefined, show: (value: T) => string,
                 get: (of: Addressed) => T | null | undefined, set: (of: Addressed, value: T | undefined) => void): Part {
  return {
    names: name.split(' '),
    write: of => {
      const value = get(of)
      return value === undefined || value === null ? '' : show(value)
    },
    read: (of, text) => set(of, text === null ? undefined : parse(text))
  }
}

function number(text: string): number | undefined {
  return /^-?\d{1,16}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined
}

function above(text: string): number | undefined {
  const n = number(text)
  return n !== undefined && n > 0 ? n : undefined
}

function count(text: string): number | undefined {
  return /^\d{1,16}$/.test(text) ? Number(text) : undefined
}

function numbers(text: string): number[] {
  return [...new Set(text.split(',').filter(n => /^\d{1,7}$/.test(n)).map(Number))]
}

function stretch(text: string): [number, number] | undefined {
  const [from, until] = text.split('..').map(number)
  return from !== undefined && until !== undefined && from < until ? [from, until] : undefined
}

function pair(text: string): [number, number] | undefined {
  const [a, b, more] = text.split(',').map(count)
  return a !== undefined && b !== undefined && more === undefined ? [a, b] : undefined
}

function window(text: string): number | undefined {
  return loadWindows.find(seconds => seconds === number(text))
}

function thing(text: string): number | undefined {
  return /^\d{1,7}$/.test(text) ? Number(text) : undefined
}

// Only a marker behind the first one: that is the base without a choice.
function baseOf({ markers, markerBase }: Addressed): number | null {
  return markers.some(({ t }, i) => i > 0 && t === markerBase) ? markerBase : null
}

// A query of the address is shown in the editor and not run: who made the address may be anybody.
function showQuery(choices: Choices, sql = ''): void {
  if (sql && sql !== choices.query) choices.text = sql
  choices.query = sql
}

// A text that a pattern allows.
function word(pattern: RegExp): (text: string) => string | undefined {
  return text => (pattern.test(text) ? text : undefined)
}

// A place stays text: a number cannot hold all digits of a long clock.
const place = word(/^\d{1,20}(\.\d{1,12})?(\.\.\d{1,20}(\.\d{1,12})?)?$/)

const short = (n: number) => String(Number(n.toFixed(3)))
const ends = (range: [number, number]) => range.map(short).join('..')
const list = (all: (number | string)[]) => all.join(',')
const written = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, '')) // throws at half a pair of surrogates
const free = (text: string) => text.slice(0, TEXT_MOST)
const sql = (text: string) => (text.length <= SQL_MOST ? text : undefined)

export const parts: Part[] = [
  part('from until', stretch, ends, v => v.range, (v, range) => { v.range = range }),
  part('follow', above, short, v => v.followed, (v, ticks) => { v.followed = ticks }),
  part('select', stretch, ends, v => v.selection, (v, range) => { v.selection = range ?? null }),
  part('at', place, text => text, v => v.placeText, (v, text) => { v.placeText = text ?? '' }),
  part('record', count, String, v => v.record, (v, record) => { v.record = record ?? null }),
  part('pick', pair, list, v => v.pick, (v, pick) => { v.pick = pick }),
  part('order', numbers, list, v => v.userOrder, (v, rows) => { v.userOrder = rows ?? [] }),
  part('pin', numbers, list, v => v.pinned, (v, rows) => { v.pinned = rows ?? [] }),
  part('hide', numbers, list, v => [...v.hidden], (v, rows) => { v.hidden = new Set(rows) }),
  part('fold', text => rowKinds.filter(kind => text.split(',').includes(kind)), list, v => [...v.folded],
       (v, kinds) => { v.folded = new Set(kinds) }),
  part('expand', numbers, list, v => [...v.expanded], (v, rows) => { v.expanded = new Set(rows) }),
  part('load', window, String, v => v.loadWindow || null, (v, seconds) => { v.loadWindow = seconds ?? 0 }),
  part('panel', word(/^[a-z]{0,20}$/), text => text, v => v.panel, (v, panel) => { v.panel = panel ?? v.panel }),
  part('filter', free, text => written(free(text)), v => v.filter, (v, text) => { v.filter = text ?? '' }),
  part('find', free, text => written(free(text)), v => v.find, (v, text) => { v.find = text ?? '' }),
  part('markers', parseMarkers, markersText, v => v.markers, (v, markers) => { v.markers = inOrder([...v.markers.filter(one => one.kept), ...markers ?? []]) }),
  part('base', count, String, baseOf, (v, t) => { v.markerBase = t ?? null }),
  part('object', thing, String, v => v.choices.object >= 0 ? v.choices.object : null, (v, object) => chooseObject(v.choices, object ?? -1)),
  part('events', text => filters.find(([name]) => name === text)?.[0], text => text, v => v.choices.events, (v, name) => { v.choices.events = name ?? '' }),
  part('task', thing, String, v => v.choices.task >= 0 ? v.choices.task : null, (v, task) => { v.choices.task = task ?? -1 }),
  part('figures', text => kinds.find(({ name }) => name === text)?.name, text => text,
       v => v.choices.figures === FIGURES ? null : v.choices.figures, (v, name) => { v.choices.figures = name ?? FIGURES }),
  part('sql', sql, written, v => sql(v.choices.query), (v, text) => showQuery(v.choices, text)),
  part('theme', word(/^(dark|light)$/), text => text, v => v.theme, (v, theme) => { v.theme = theme as Addressed['theme'] }),
  part('clock', word(/^(utc|local)$/), text => text, v => v.clock === 'trace' ? null : v.clock, (v, kind) => { v.clock = (kind ?? 'trace') as ClockKind })
]

export function readHash(hash: string, into: Addressed): void {
  const fields = new URLSearchParams(hash.slice(0, HASH_MOST).replace(/^#/, ''))
  for (const { names, read } of parts) {
    const texts = names.map(name => fields.get(name))
    read(into, texts.includes(null) ? null : texts.join('..'))
  }
}

export function writeHash(of: Addressed): string {
  const fields = parts.flatMap(({ names, write }) => {
    const text = write(of)
    if (!text) return []
    return names.length > 1 ? text.split('..').map((end, i) => `${names[i]}=${end}`) : [`${names[0]}=${text}`]
  })
  return fields.length > 0 ? '#' + fields.join('&') : ''
}
