// SPDX-License-Identifier: MIT
// Where a figure of the statistics was measured: finds the slice of its row, selects and frames it.

import { openPanel } from './actions'
import { frame, goRow } from './go'
import type { Slice } from './go'
import type { Hello, Row, ThingKind, TrackKind } from './protocol'
import { taskStates } from './protocol'
import type { Place, StatsRow } from './statistics'
import { ownName } from './names'
import type { View } from './view'

const ROWS_MOST = 256 // rows that are searched for one place
const TRACKS_MOST = 512

// How the slices of a figure are found. rows: those of the row itself, of its task, of any task, or
// all. value: of the slices; the number of the row's object or text. begin: the interval has several
// slices, the first is taken. object: slices that wait for the row's object are preferred.
interface Way {
  rows: 'own' | 'task' | 'tasks' | 'all'
  track: TrackKind
  value?: number | 'object' | 'text'
  begin?: true
  object?: true
}

const running = taskStates.indexOf('running'), blocked = taskStates.indexOf('blocked')
const waits: Way = { rows: 'task', track: 'states', value: blocked, object: true }
const ways: { [kind: string]: { [figure: string]: Way } } = {
  task: { '': { rows: 'own', track: 'jobs' }, start: { rows: 'own', track: 'jobs', begin: true },
          start_jitter: { rows: 'own', track: 'jobs', begin: true }, period: { rows: 'own', track: 'jobs', begin: true }, run: { rows: 'own', track: 'states', value: running } },
  interrupt: { '': { rows: 'own', track: 'irqs' }, period: { rows: 'own', track: 'irqs', begin: true } },
  machine: { '': { rows: 'own', track: 'steps' } },
  object: {
    '': { rows: 'own', track: 'level', begin: true }, hold: { rows: 'own', track: 'holder' },
    wait: { ...waits, rows: 'tasks' }, gave_up: { ...waits, rows: 'tasks' }
  },
  hold: { '': { rows: 'task', track: 'holds', value: 'object' } },
  wait: { '': waits },
  blocked: { '': waits },
  inversion: { '': waits },
  raised: { '': { rows: 'task', track: 'priority' } },
  span: { '': { rows: 'all', track: 'spans', value: 'text' } },
  counter: { '': { rows: 'own', track: 'level' } }
}

export function wayOf(kind: string, figure: string): Way | undefined {
  return ways[kind]?.[figure] ?? ways[kind]?.['']
}

// Returns a place of the statistics, whose unit is ns or a tick, in ticks.
export function ticksOf(place: Place, unit: string, hello: Hello): [number, number] {
  const scale = unit === 'ns' ? hello.hz / 1e9 : 1
  const ticks = place.map(time => Math.round(time * scale))
  return [ticks[0], ticks[1]]
}

// Returns how well a slice fits an interval, from 0 to 1: the part of both that they share.
export function fitOf([begin, end]: readonly number[], from: number, to: number): number {
  if (begin === from && end === to) return 1
  if (from === to) return begin <= from && from <= end ? 0.5 : 0
  const shared = Math.min(end, to) - Math.max(begin, from)
  return shared > 0 ? shared / (Math.max(end, to) - Math.min(begin, from)) : 0
}

const kindsOf: { [kind: string]: ThingKind[] } = {
  task: ['task'], interrupt: ['irq'], machine: ['object'], object: ['object'], span: ['text'], counter: ['text']
}

const digits = (key: string) => key.toLowerCase().replace(/^0x/, '').replace(/^0+(?=.)/, '')

function thingOf(view: View, kind: ThingKind, key: unknown): number {
  return view.things.findIndex(thing => thing.kind === kind && thing.key !== '' && digits(thing.key) === digits(String(key)))
}

// Returns the rows of a row of the statistics. Ended tasks of one name share a row there, so those
// of the same name count, too.
export function rowsOfFigure(view: View, kind: string, figure: string, row: StatsRow): number[] {
  const way = wayOf(kind, figure)
  const fits = (one: Row): boolean => {
    const thing = view.things[one.thing]
    if (way?.rows === 'all') return true
    if (way?.rows === 'tasks') return one.kind === 'task'
    if (way?.rows === 'task') return thing?.kind === 'task' && ownName(thing) === row.task
    if (!thing || !kindsOf[kind]?.includes(thing.kind)) return false
    if (kind === 'interrupt' && one.core !== Number(row.core)) return false
    return (thing.key !== '' && digits(thing.key) === digits(String(row.key))) || (kind === 'task' && ownName(thing) === row.name)
  }
  return view.rows.flatMap((one, number) => (fits(one) ? [number] : [])).slice(0, ROWS_MOST)
}

interface Found { row: number; track: number; slice: Slice; fit: number }

// Returns the better one of the last slice that begins up to `from` and the first one behind it.
async function sliceOf(view: View, track: number, from: number, to: number, value: number | null): Promise<[Slice, number] | null> {
  // The statistics' times are rounded once they exceed 2^53.
  const slack = 1 + Math.ceil((from + Number(view.hello?.t0 ?? 0)) * 2 ** -51)
  const step = (at: number, way: 1 | -1) =>
    view.source.ask<{ slice: Slice | null }>('step', { track, at, way, value }).then(({ slice }) => slice, () => null)
  const both = await Promise.all([step(from + slack, -1), step(from + slack - 1, 1)])
  const rated = both.flatMap((slice): [Slice, number][] => (slice ? [[slice, fitOf(slice, from, to)]] : []))
  return rated.sort((a, b) => b[1] - a[1])[0] ?? null
}

async function findPlace(view: View, kind: string, figure: string, row: StatsRow, [from, to]: [number, number]): Promise<Found | null> {
  const way = wayOf(kind, figure)
  if (!way) return null
  const object = thingOf(view, 'object', row.key)
  const value = way.value === 'object' ? object : way.value === 'text' ? thingOf(view, 'text', row.key) : way.value ?? null
  const tracks = rowsOfFigure(view, kind, figure, row).flatMap(number => view.rows[number].tracks
    .filter(track => track.kind === way.track).map(track => ({ row: number, track: track.id }))).slice(0, TRACKS_MOST)
  const end = way.begin ? from : to
  const all = await Promise.all(tracks.map(async one => {
    const found = await sliceOf(view, one.track, from, end, value)
    if (!found || found[1] === 0) return null
    return { ...one, slice: found[0], fit: found[1] + (way.object && found[0][3] === object ? 1 : 0) }
  }))
  return all.filter(one => one !== null).sort((a, b) => b.fit - a.fit)[0] ?? null
}

// Selects the slice of a figure's place on its row, shows the place and opens the details. A place
// that is not a slice becomes the selection, unless there is one.
export async function goPlace(view: View, kind: string, figure: string, row: StatsRow, place: [number, number]): Promise<void> {
  const [from, to] = place
  const found = await findPlace(view, kind, figure, row, place)
  const own = found?.row ?? rowsOfFigure(view, kind, figure, row)[0]
  if (own !== undefined) {
    if (found && wayOf(kind, figure)?.track === 'priority') view.expanded = new Set([...view.expanded, own])
    goRow(view, own)
  }
  if (found) {
    const [begin, end, value, more] = found.slice
    view.picked = { row: found.row, track: found.track, begin, end, value, more }
  }
  if (to > from && !view.selection && (found?.slice[0] !== from || found.slice[1] !== to)) view.selection = [from, to]
  openPanel(view, 'details')
  await frame(view, from, to)
}
