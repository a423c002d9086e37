// SPDX-License-Identifier: MIT
// The figures of `wallfly stats --json` (docs/stats.md) as tables: per kind one of single figures
// and one of spreads. Columns without any value are left out.

import type { RowKind } from './protocol'
import { countText, shortLength } from './times'

export type Place = [from: number, to: number] // of the target's clock, in the lane's unit

export interface Spread {
  count: number
  min: number | null
  mean: number | null
  p50?: number | null
  p95?: number | null
  p99?: number | null
  max: number | null
  value?: number | null // of levels: the last one
  open?: number
  in_holes?: number
  min_at?: Place | null // where the minimum was measured first
  max_at?: Place | null
}
export interface StatsRow { marked: boolean; key?: string; [figure: string]: unknown }
export interface Lane {
  lane: number
  unit: string
  from: number | null
  until: number | null
  priorities?: { best: string | null; given: boolean; for_low: number; for_high: number }
  odd: number
  hole_count: number
  holes: { from: number; until: number; records: number; exact: boolean; bytes: number }[]
  [kind: string]: unknown
}
export interface Stats { lanes: Lane[] }

export interface Kind {
  name: string // its member in the JSON
  title: string
  label(row: StatsRow): string
}

const text = (value: unknown) => String(value ?? '')
export const kinds: Kind[] = [
  { name: 'core', title: 'Cores', label: row => `core ${text(row.core)}` },
  { name: 'task', title: 'Tasks', label: row => text(row.name) },
  { name: 'interrupt', title: 'Interrupts', label: row => text(row.name) + (row.core ? ` of core ${text(row.core)}` : '') },
  { name: 'machine', title: 'State machines', label: row => text(row.name) },
  { name: 'object', title: 'Objects', label: row => `${text(row.kind)} ${text(row.name)}` },
  { name: 'hold', title: 'Mutexes held', label: row => `${text(row.object)}: ${text(row.task)}` },
  { name: 'wait', title: 'Waits', label: row => `${text(row.object)}: ${text(row.task)}` },
  { name: 'blocked', title: 'Blocked', label: row => `${text(row.object)}: ${text(row.task)} by ${text(row.by)}` },
  {
    name: 'inversion', title: 'Priority inversions',
    label: row => `${text(row.task)} waits, ${text(row.by)} holds, ${text(row.over)} runs`
  },
  { name: 'raised', title: 'Raised priorities', label: row => `${text(row.task)} raised by ${text(row.by)}` },
  { name: 'span', title: 'Spans', label: row => text(row.name) },
  { name: 'counter', title: 'Counters', label: row => text(row.name) }
]

// The kind of figures that a row of the time line has.
export const figuresOf: { [kind in RowKind]?: string } = {
  core: 'core', irq: 'interrupt', task: 'task', machine: 'machine', object: 'object', counter: 'counter'
}

const identity = ['name', 'key', 'marked', 'kind', 'core', 'task', 'object', 'by', 'over']
const zeroTells = ['priority', 'stack_free', 'least_free']
const times = ['known', 'unknown', 'interrupts', 'idle', 'cpu']
const values = ['depth', 'bytes', 'counter'] // spreads that are not times
export const spreadColumns = ['count', 'in_holes', 'min', 'mean', 'p50', 'p95', 'p99', 'max'] as const

export const explained: { [name: string]: string } = {
  known: 'the time for which the state of the core is known',
  cpu: 'the time it ran, without interrupts on top', share: 'of the known time of one core',
  runs: 'how often it was switched to', preempted: 'left because a better one became ready',
  sliced: 'left because its time slice was over', yielded: 'yielded', abandoned: 'jobs ended by another task',
  response: 'from a job’s arrival to its end', execution: 'the time it ran in a job, without interrupts',
  start: 'from a job’s arrival until it first runs', period: 'from one arrival, begin or expiry to the next',
  jitter: 'how much the response differs from that of the job before',
  start_jitter: 'how much the start differs from that of the job before',
  run: 'from the switch to it to the switch from it, without interrupts', step: 'from dispatch to the result of the event',
  stack_free: 'the fewest bytes of its stack that were ever free', stack_size: 'bytes of its stack',
  least_free: 'the fewest bytes of the heap that were ever free', size: 'bytes of the heap',
  in_holes: 'intervals that overlap a hole in the data: not counted', begins: 'how often it began'
}

function isSpread(value: unknown): value is Spread {
  return typeof value === 'object' && value !== null && 'count' in value
}

function told(spread: Spread): boolean {
  return spread.count > 0 || (spread.open ?? 0) + (spread.in_holes ?? 0) > 0 || (spread.value ?? null) !== null
}

export function rowsOf(lane: Lane, kind: Kind): StatsRow[] {
  const rows = lane[kind.name]
  return Array.isArray(rows) ? (rows as StatsRow[]) : []
}

// Returns the single figures that have a value in any row.
export function singlesOf(rows: StatsRow[]): string[] {
  const names = new Set(rows.flatMap(row => Object.keys(row)))
  return [...names].filter(name => !identity.includes(name) &&
    rows.some(row => typeof row[name] === 'number' && (row[name] !== 0 || zeroTells.includes(name))))
}

// Returns where the number in a column was measured; null: it has no single place.
export function placeOf(spread: Spread, column: string): Place | null {
  return (column === 'min' ? spread.min_at : column === 'max' ? spread.max_at : null) ?? null
}

// Returns the first of what a count counts.
export function firstOf(row: StatsRow, figure: string): Place | null {
  const place = row[`${figure}_at`]
  return Array.isArray(place) ? place as Place : null
}

export interface SpreadRow { row: StatsRow; figure: string; spread: Spread }
export function spreadsOf(rows: StatsRow[]): SpreadRow[] {
  return rows.flatMap(row => Object.entries(row).flatMap(([figure, value]) => {
    // The length of single runs adds nothing where whole jobs are known.
    const doubled = figure === 'run' && isSpread(row.response) && row.response.count > 0
    return isSpread(value) && told(value) && !doubled ? [{ row, figure, spread: value }] : []
  }))
}

function plain(value: number): string {
  return Number.isInteger(value) ? countText(value) : String(Number(value.toPrecision(6)))
}

// kind: of the row. Of a core `tasks` is the time of its tasks, of tasks with one name their number.
export function singleText(kind: string, name: string, value: unknown, unit: string): string {
  if (typeof value !== 'number') return '–'
  if (name === 'share') return `${value.toFixed(2)} %`
  if (name === 'priority') return String(value)
  return times.includes(name) || (kind === 'core' && name === 'tasks') ? timeOf(value, unit) : plain(value)
}

export function spreadText(figure: string, column: string, value: unknown, unit: string): string {
  if (typeof value !== 'number') return '–'
  if (column === 'count' || column === 'in_holes') return countText(value)
  return values.includes(figure) ? plain(value) : timeOf(value, unit)
}

function timeOf(value: number, unit: string): string {
  return shortLength(value, unit === 'ns' ? 1e9 : 0)
}

export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b, undefined, { numeric: true })
  return Number(a !== null && a !== undefined) - Number(b !== null && b !== undefined)
}
