// SPDX-License-Identifier: MIT
// History of an object, as the server has read it (docs/page-protocol.md): the words of its rows,
// and the rows of a table that shows a few dozen of them at a time.

import type { Source, Thing } from './protocol'

export type EventKind = 'take' | 'give' | 'wait' | 'refused' | 'loss'
export type EventEnd = '' | 'open' | 'got' | 'timed out' | 'refused' | 'gave up' | 'cut'
export type EventFields = [
  index: number, kind: EventKind, t: number, end: number | null, task: string | null, how: EventEnd, holder: string | null,
  level: number | null, record: number, flags: number
]
export interface Summary {
  read: number // records of the trace when it was read
  left: number
  all: number
  kinds: { [kind in EventKind]: number }
  ends: { [end: string]: number }
  tasks: [number, string | null, number][]
  timeout: EventFields | null
  wait: EventFields | null
  hold: EventFields | null
  count: number // of those shown
  first: number
  rows: EventFields[]
}
export type Filter = '' | 'waits' | 'time-outs' | 'failed'
export const filters: [Filter, string][] = [
  ['', 'all events'], ['waits', 'waits'], ['time-outs', 'time-outs'], ['failed', 'time-outs and refusals']
]

// Objects that tasks take, give and wait for.
export function hasHistory(thing: Thing | undefined): boolean {
  return thing?.kind === 'object' &&
    ['mutex', 'semaphore', 'queue', 'events', 'active object', 'event queue', 'unknown'].includes(thing.sub)
}

const words: { [kind in EventKind]: string } = {
  take: 'takes it', give: 'gives it', wait: 'waits', refused: 'does not get it', loss: 'records are missing here'
}

export function eventWords([, kind]: EventFields): string {
  return words[kind]
}

// How a wait or the holding of a mutex ended.
export function endWords([, kind, , , , how, , , , flags]: EventFields): string {
  const early = flags ? ', began earlier' : ''
  if (how === '') return ''
  if (kind === 'take') return (how === 'got' ? 'given back' : how === 'open' ? 'still held' : 'not known when it was given') + early
  return ({ got: 'got it', open: 'still waits', cut: 'not known how it ended' }[how as string] ?? how) + early
}

export function lengthOf([, , t, end, , how, , , , flags]: EventFields): number | null {
  return end === null || flags || how === 'cut' || how === 'open' ? null : end - t
}

const PAGE = 200, PAGES_MOST = 60

export interface HistoryFields { thing: number; only: Filter; task: number }

// The rows of one history and filter; pages that are looked at are requested, the oldest dropped.
export class EventBook {
  private pages = new Map<number, EventFields[]>()
  private asked = new Set<number>()
  error: string | null = null

  constructor(private source: Source, private fields: HistoryFields, private news: () => void) {}

  // Returns undefined while the row is requested.
  get(place: number): EventFields | undefined {
    const page = Math.floor(place / PAGE), rows = this.pages.get(page)
    if (!rows) {
      void this.load(page)
      return undefined
    }
    this.pages.delete(page)
    this.pages.set(page, rows)
    return rows[place % PAGE]
  }

  // Returns the place of the first row at or after a time.
  async place(at: number): Promise<number> {
    const { first } = await this.source.ask<Summary>('object', { ...this.fields, at: Math.floor(at), most: 0 })
    return first
  }

  private async load(page: number): Promise<void> {
    if (this.asked.has(page)) return
    this.asked.add(page)
    try {
      const { rows } = await this.source.ask<Summary>('object', { ...this.fields, first: page * PAGE, most: PAGE })
      this.pages.set(page, rows)
      for (const old of this.pages.keys()) {
        if (this.pages.size <= PAGES_MOST) break
        this.pages.delete(old)
      }
      this.error = null
      this.asked.delete(page)
    } catch (error) {
      this.error = String((error as Error)?.message ?? error)
      setTimeout(() => this.asked.delete(page), 1000) // then it is requested again
    }
    this.news()
  }
}
