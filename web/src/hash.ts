// SPDX-License-Identifier: MIT
// The part of the view that is kept in the page's address (after #), so that it can be shared. An
// address is untrusted text: invalid parts are ignored.

import type { RowKind } from './protocol'

export const rowKinds: RowKind[] = [
  'core', 'irq', 'task', 'machine', 'object', 'counter', 'records', 'link'
]

const FILTER_MOST = 200 // letters

export interface Kept {
  from?: number
  until?: number
  follow?: number // how many ticks are shown
  select?: [number, number]
  at?: string // a place: shown times in seconds (ticks if the rate is unknown), "1.25" or "1.25..1.3"
  order?: number[] // rows in the user's order
  pin?: number[]
  hide?: number[]
  fold?: RowKind[]
  expand?: number[]
  panel?: string
  filter?: string // of the table of records
  theme?: 'dark' | 'light'
}

function number(text: string | null): number | undefined {
  if (text === null || !/^-?\d{1,16}(\.\d{1,6})?$/.test(text)) return undefined
  return Number(text)
}

function numbers(text: string | null): number[] | undefined {
  const all = (text ?? '').split(',').filter(n => /^\d{1,7}$/.test(n)).map(Number)
  return all.length > 0 ? [...new Set(all)] : undefined
}

// A place stays text: a number cannot hold all digits of a long clock.
function place(text: string | null): string | undefined {
  return text !== null && /^\d{1,20}(\.\d{1,12})?(\.\.\d{1,20}(\.\d{1,12})?)?$/.test(text) ? text : undefined
}

function stretch(text: string | null): [number, number] | undefined {
  const [from, until] = (text ?? '').split('..').map(number)
  return from !== undefined && until !== undefined && from < until ? [from, until] : undefined
}

export function readHash(hash: string): Kept {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  const kept: Kept = {}
  const from = number(fields.get('from')), until = number(fields.get('until'))
  if (from !== undefined && until !== undefined && from < until) {
    kept.from = from
    kept.until = until
  }
  const follow = number(fields.get('follow'))
  if (follow !== undefined && follow > 0) kept.follow = follow
  kept.select = stretch(fields.get('select'))
  kept.at = place(fields.get('at'))
  kept.order = numbers(fields.get('order'))
  kept.pin = numbers(fields.get('pin'))
  kept.hide = numbers(fields.get('hide'))
  kept.expand = numbers(fields.get('expand'))
  const fold = (fields.get('fold') ?? '').split(',')
  kept.fold = rowKinds.filter(kind => fold.includes(kind))
  const panel = fields.get('panel')
  if (panel !== null && /^[a-z]{0,20}$/.test(panel)) kept.panel = panel
  const filter = fields.get('filter')
  if (filter !== null) kept.filter = filter.slice(0, FILTER_MOST)
  const theme = fields.get('theme')
  if (theme === 'dark' || theme === 'light') kept.theme = theme
  return kept
}

function short(n: number): string {
  return String(Number(n.toFixed(3)))
}

export function writeHash(kept: Kept): string {
  const parts: string[] = []
  const put = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== '') parts.push(`${name}=${value}`)
  }
  if (kept.from !== undefined && kept.until !== undefined) {
    put('from', short(kept.from))
    put('until', short(kept.until))
  }
  put('follow', kept.follow === undefined ? undefined : short(kept.follow))
  put('select', kept.select?.map(short).join('..'))
  put('at', kept.at)
  put('order', kept.order?.join(','))
  put('pin', kept.pin?.join(','))
  put('hide', kept.hide?.join(','))
  put('fold', kept.fold?.join(','))
  put('expand', kept.expand?.join(','))
  put('panel', kept.panel)
  put('filter', kept.filter && encodeURIComponent(kept.filter.slice(0, FILTER_MOST)))
  put('theme', kept.theme)
  return parts.length > 0 ? '#' + parts.join('&') : ''
}
