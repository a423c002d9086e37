// SPDX-License-Identifier: MIT
// Searches of records, for a text or by the words of a filter: all hits, as the server finds them, by
// their place in the list, and how many there are in each part of the trace.

import type { Source, TraceRecord } from './protocol'

const PAGE = 200, PAGES_MOST = 60
const ASK_MS = 100, ASK_MOST_MS = 500 // pauses between questions for the state

export interface HitsState {
  text: string // '': there is no search
  at: number // where it began
  count: number // hits so far
  start: number // of them before `at`
  done: boolean
  searched: number // records so far, of so many
  of: number
  width: number // ticks of a bin
  bins: [number, number][] // bin since t0, hits
  error: string | null
}

const none: HitsState = {
  text: '', at: 0, count: 0, start: 0, done: true, searched: 0, of: 0, width: 0, bins: [], error: null
}

interface Found { count: number; start: number; done: boolean; searched: number; of: number; width?: number; bins?: [number, number][] }
interface Hits { first: number; hits: TraceRecord[] }

const pause = (ms: number) => new Promise<void>(go => setTimeout(go, ms))

export class HitList {
  state = none
  private pages = new Map<number, TraceRecord[]>()
  private asked = new Set<number>()
  private turn = 0 // of the searches; an older one gives up
  private abort: AbortController | null = null

  // of: 'text' or 'filter', which is the name of the request's field, too.
  constructor(private readonly source: Source, private readonly news: () => void, private readonly of: 'text' | 'filter' = 'text') {}

  private ask<T>(op: string, fields: object, progress?: (done: number, of: number) => void, signal?: AbortSignal): Promise<T> {
    return this.source.ask<T>(op, { which: this.of === 'text' ? 0 : 1, ...fields }, progress, signal)
  }

  private report(state: Partial<HitsState>): void {
    this.state = { ...this.state, ...state }
    this.news()
  }

  // Searches from the time `at` on; an empty text ends the search. Returns when all hits are known.
  async begin(text: string, at: number): Promise<void> {
    const turn = ++this.turn
    this.abort?.abort()
    this.abort = new AbortController()
    this.pages.clear()
    this.state = none
    this.report(text ? { text, at, done: false } : {})
    try {
      await this.ask('search', text ? { [this.of]: text, at: Math.max(0, Math.floor(at)) } : {},
        (searched, of) => turn === this.turn && this.report({ searched, of }), this.abort.signal)
      if (text) await this.follow(turn)
    } catch (error) {
      if (turn === this.turn) this.report({ done: true, error: String((error as Error)?.message ?? error) })
    }
  }

  // Asks until all is searched.
  private async follow(turn: number): Promise<void> {
    for (let ms = ASK_MS; turn === this.turn; ms = Math.min(ms * 1.5, ASK_MOST_MS)) {
      await this.look(turn)
      if (this.state.done) return
      await pause(ms)
    }
  }

  private async look(turn: number): Promise<void> {
    const found = await this.ask<Found>('found', this.of === 'text' ? { bins: true } : {})
    if (turn !== this.turn) return
    if (found.count !== this.state.count || found.start !== this.state.start) this.pages.clear() // other places
    const { count, start, done, searched, of, width, bins } = found
    this.report({ count, start, done, searched, of, width: width ?? 0, bins: bins ?? [] })
  }

  // Searches what a live trace has got since.
  async again(): Promise<void> {
    if (this.state.text && this.state.done) await this.follow(this.turn).catch(() => undefined)
  }

  end(): void {
    if (this.state.text) void this.begin('', 0)
  }

  // The next (way 1) or previous hit from a record or a time on, as far as they are known; null: none.
  async step(from: { number: number } | { at: number }, way: 1 | -1): Promise<TraceRecord | null> {
    const behind = 'number' in from ? { number: from.number + (way > 0 ? 1 : 0) } : { at: from.at }
    const { first, hits } = await this.ask<Hits>('hits', { ...behind, most: 1 })
    if (way > 0) return hits[0] ?? null
    return first > 0 ? this.fetch(first - 1) : null
  }

  async fetch(place: number): Promise<TraceRecord | null> {
    const { hits } = await this.ask<Hits>('hits', { first: place, most: 1 })
    return hits[0] ?? null
  }

  // Returns the place of the first hit at or after a time or a record.
  async place(from: { number: number } | { at: number }): Promise<number> {
    const place = 'at' in from ? { at: Math.max(0, Math.floor(from.at)) } : from
    return (await this.ask<Hits>('hits', { ...place, most: 1 })).first
  }

  // Returns undefined while the hit is requested.
  get(place: number): TraceRecord | undefined {
    const page = Math.floor(place / PAGE), hits = this.pages.get(page)
    if (!hits || (place % PAGE >= hits.length && place < this.state.count)) void this.load(page)
    return hits?.[place % PAGE]
  }

  private async load(page: number): Promise<void> {
    if (this.asked.has(page)) return
    this.asked.add(page)
    const { turn } = this
    try {
      const { first, hits } = await this.ask<Hits>('hits', { first: page * PAGE, most: PAGE })
      if (turn === this.turn && first === page * PAGE) this.pages.set(page, hits)
      for (const old of this.pages.keys()) {
        if (this.pages.size <= PAGES_MOST) break
        this.pages.delete(old)
      }
    } catch (error) {
      if (turn === this.turn) this.report({ error: String((error as Error)?.message ?? error) })
    }
    setTimeout(() => this.asked.delete(page), 100) // not at once: places change while it searches
    if (turn === this.turn) this.news()
  }
}

// Goes from hit to hit, around, and says when it is around; of hits that are not known yet it waits.
export interface Step { record: TraceRecord | null; around: boolean }

export async function stepHit(list: HitList, from: { number: number } | { at: number }, way: 1 | -1, go: () => boolean): Promise<Step> {
  for (;;) {
    const { done, error, count } = list.state
    const found = await list.step(from, way)
    // Until all is searched, hits may be missing before the first one that is known.
    if (found && (done || way > 0)) return { record: found, around: false }
    if (error || !go()) return { record: found, around: false }
    if (done) return { record: count > 0 ? await list.fetch(way > 0 ? 0 : count - 1) : null, around: count > 0 }
    await pause(ASK_MS)
  }
}
