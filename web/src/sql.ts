// SPDX-License-Identifier: MIT
// Answers of SQL queries: which cells are times of the trace, and the answer as CSV.

import { csvField } from './copy'
import type { Hello } from './protocol'

export type Cell = number | bigint | string | null // bigint: an integer beyond 2^53
export interface SqlAnswer { columns: string[]; rows: Cell[][]; more: boolean; ms: number; read: number }
export interface TableList {
  tables: [name: string, sentence: string, columns: [name: string, sentence: string][]][]
  views: [name: string, sentence: string][]
}

export type CellRole = 'time' | 'record' | null

// By the names that the tables have: tick and ns, also behind begin_ and end_; `record`, and the
// `number` of table record. Lengths are no places. Other columns get such a name with AS.
export function roleOf(column: string): CellRole {
  if (/^(begin_|end_)?(tick|ns)$/.test(column)) return 'time'
  return column === 'record' || column === 'number' ? 'record' : null
}

// The time of a cell in ticks since t0. A column ns has ticks when the rate is unknown.
export function ticksOf(column: string, value: Cell, hello: Pick<Hello, 'hz' | 't0'>): number | null {
  if (roleOf(column) !== 'time' || typeof value === 'string' || value === null) return null
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  const zero = BigInt(hello.t0 ?? 0), whole = typeof value === 'bigint' ? value : BigInt(Math.round(value))
  if (!column.endsWith('ns') || !(hello.hz > 0)) return Number(whole - zero)
  const scaled = whole * BigInt(Math.round(hello.hz))
  return Number((scaled + (scaled < 0n ? -500000000n : 500000000n)) / 1000000000n - zero)
}

// The time range of a row that has the begin and the end of something.
export function rangeOf(columns: string[], row: Cell[], hello: Pick<Hello, 'hz' | 't0'>): [number, number] | null {
  const at = (part: string) => {
    const i = columns.findIndex(name => name.startsWith(part) && roleOf(name) === 'time')
    return i < 0 ? null : ticksOf(columns[i], row[i], hello)
  }
  const begin = at('begin_'), end = at('end_')
  return begin !== null && end !== null && end >= begin ? [begin, end] : null
}

// As `wallfly query --csv`: an unknown value is empty, an empty text is quoted.
function csvCell(value: Cell): string {
  return value === null ? '' : csvField(value) || '""'
}

export function csvOf({ columns, rows }: Pick<SqlAnswer, 'columns' | 'rows'>): string {
  return [columns, ...rows].map(row => row.map(csvCell).join(',') + '\r\n').join('')
}

// Where in the query an error is, from 0; null: it does not say.
export function errorPlace(text: string): number | null {
  const at = /, at character (\d+): '/.exec(text)
  return at ? Number(at[1]) - 1 : null
}

export interface Example { title: string; sql: string }
export const examples: Example[] = [
  { title: 'CPU load', sql: 'select * from cpu_load' },
  {
    title: 'longest waits', sql: 'select t.name as task, o.name as object, w.got, w.length_ns, w.begin_ns, w.end_ns\n' +
      'from wait w join task t using (task) left join object o using (object)\n' +
      'where w.length_ns is not null order by w.length_ns desc limit 100'
  },
  {
    title: 'time-outs', sql: "select number, ns, name, words from record\nwhere name like '%timeout%' order by number"
  },
  {
    title: 'longest holds of mutexes', sql: 'select t.name as task, o.name as mutex, h.length_ns, h.begin_ns, h.end_ns\n' +
      'from hold h join task t using (task) join object o using (object)\n' +
      'where h.length_ns is not null order by h.length_ns desc limit 100'
  },
  { title: 'records of each name', sql: 'select * from record_counts' },
  {
    title: 'longest interrupts', sql: 'select irq, name, core, length_ns, begin_ns, end_ns from irq\n' +
      'where length_ns is not null order by length_ns desc limit 100'
  },
  { title: 'holes in the data', sql: 'select * from losses' }
]
