// SPDX-License-Identifier: MIT
// Names of records by number. Those of the schema are in `hello`; the name of a user's own record
// is read from one of these records, the first time that one is drawn.

import type { TraceRecord } from './protocol'
import { clean } from './text'
import type { View } from './view'

const AROUND = 20 // records from the time of a mark on that are searched
const TRIES_MOST = 3
const EVENT = 256, EVENT_MASK = 0x3ff

interface Named { name: string | null; tries: number; asking: boolean }

const known = new WeakMap<View, Map<number, Named>>()

// at: the time of such a record, if the name may be requested.
export function recordName(view: View, number: number, at?: number): string {
  const name = view.hello?.records[number]
  if (name) return clean(name)
  if (!known.has(view)) known.set(view, new Map())
  const names = known.get(view)!
  let entry = names.get(number)
  if (!entry) names.set(number, entry = { name: null, tries: 0, asking: false })
  if (entry.name === null && at !== undefined && !entry.asking && entry.tries < TRIES_MOST) {
    void ask(view, entry, number, at)
  }
  return entry.name ?? 'record ' + number
}

// A mark's number is the record's id, or for a QNX event 256 plus its number within its class.
function isMarked(record: TraceRecord, number: number): boolean {
  if (number < EVENT) return record.kind === 'record' && record.id === number
  return record.kind === 'event' && (Number(record.id) & EVENT_MASK) === number - EVENT
}

async function ask(view: View, entry: Named, number: number, at: number): Promise<void> {
  entry.asking = true
  entry.tries++
  try {
    const { records } = await view.source.ask<{ records: TraceRecord[] }>(
      'records', { at: Math.round(at), before: 0, after: AROUND })
    const found = records.find(record => record.t === at && isMarked(record, number))
    if (found?.name) entry.name = clean(found.name)
  } catch {
    // The link is lost: the next mark asks again.
  }
  entry.asking = false
  if (entry.name === null) return
  view.named++
  view.changed()
}
