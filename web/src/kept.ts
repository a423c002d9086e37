// SPDX-License-Identifier: MIT
// The Source of a file of `wallfly page`: the answers are in the page itself
// (docs/page-protocol.md), for one time range of the trace.

import { parseExact } from './exact'
import { KeptTiles } from './kept_tiles'
import type { Slice } from './kept_tiles'
import { sumRuns } from './loads'
import type { LoadAnswer, Runs } from './loads'
import { windowOf } from './marks'
import { markKinds } from './protocol'
import type { Arrow, Events, Hello, MarkFields, MarkStep, Notes, Row, Rules, Source, Status, Tile, TraceRecord } from './protocol'
import { noNotes } from './notes'
import { unpack } from './packed'
import { matches } from './recordbook'
import { parseTilesAt } from './wire'

const VERSION = 1
const BINS = 512 // of the hits of a search

interface Sequence { lanes: string[]; arrows: [number, ...unknown[]][]; left: number }

interface Kept {
  kept: number
  hello: Hello
  status: Status
  from: number
  until: number
  rows: { rev: number; rows: Row[] }
  things: { rev: number; from: number; things: unknown[] }
  arrows: { count: number; arrows: Arrow[] }
  levels: { level: number; tiles: string }[]
  records: string
  rules: Rules
  notes?: Notes
  marks: string
  view?: string
  compact?: boolean
  step: number
  loads: string
  stats: unknown
  sequence: Sequence
}

type Raw = TraceRecord & { raw?: string }
interface Fields {
  from: number; until: number; at?: number; number?: number; before: number; after: number
  which?: number; filter?: string; core: number; width: number; count: number; text: string; way: number; rule: number; first: number; bins: number; kind: string; track: number; value: number | null; most: number
}

// Returns whether the name or the words have a text, as the server's search does.
function holds({ name, words }: Raw, text: string): boolean {
  return `${name ?? ''}\n${words ?? ''}`.toLowerCase().includes(text.toLowerCase())
}

// Returns the source in the page, or null in a page of `wallfly serve`. Throws if it is damaged.
export function keptSource(): Source | null {
  const element = document.getElementById('kept')
  if (!element) return null
  const kept = JSON.parse(element.textContent ?? '') as Kept
  if (kept.kept !== VERSION) throw new Error('this file needs another version of its viewer')
  return new KeptSource(kept)
}

export class KeptSource implements Source {
  private readonly tilesHere = new KeptTiles()
  private records: Raw[] = []
  private marks: MarkFields[] = [] // by begin
  private loads: { core: number; runs: Runs }[] = []
  private readonly searches: { began: number; hits: Raw[] }[] = [{ began: 0, hits: [] }, { began: 0, hits: [] }] // by `which`
  private left = 0 // records of the time range that are not in the file
  private ready: Promise<void>

  readonly initial: string
  readonly compact: boolean

  constructor(private readonly kept: Kept) {
    this.initial = kept.view ?? ''
    this.compact = kept.compact ?? false
    this.ready = this.load()
  }

  open(events: Events): void {
    const { status, from, until } = this.kept
    const hello = { ...this.kept.hello, window: [from, until] as [number, number], part: from > 0 || until < status.last }
    void this.ready.then(() => {
      events.link(true)
      const { records, left } = this
      events.hello({ ...hello, held: { first: records[0]?.number ?? 1, last: records[records.length - 1]?.number ?? 0, left } })
      events.status({ ...status, notes: 1, last: Math.min(status.last, until) })
    }, (error: Error) => {
      events.hello(hello)
      events.status({ ...status, error: 'the file is damaged: ' + error.message })
    })
  }

  async tiles(level: number, tiles: [number, number][]): Promise<Tile[]> {
    await this.ready
    return tiles.map(([track, index]) => this.tilesHere.get(level, track, index))
  }

  async ask<T>(op: string, fields: object = {}): Promise<T> {
    await this.ready
    if (!Object.hasOwn(this.answers, op)) throw new Error(`a file has no answer to ${op}`)
    return this.answers[op](fields as Fields) as T
  }

  private async load(): Promise<void> {
    const { levels, loads, marks, records } = this.kept
    await Promise.all(levels.map(async ({ tiles }) => {
      const bytes = await unpack(tiles)
      for (let at = 0; at < bytes.byteLength;) {
        const part = parseTilesAt(bytes, at)
        part.tiles.forEach(tile => this.tilesHere.put(tile))
        at = part.next
      }
    }))
    this.loads = JSON.parse(new TextDecoder().decode(await unpack(loads))) as typeof this.loads
    this.marks = JSON.parse(new TextDecoder().decode(await unpack(marks))) as MarkFields[]
    const some = parseExact<{ records: Raw[]; left: number }>(new TextDecoder().decode(await unpack(records)))
    this.records = some.records
    this.left = some.left
  }

  private readonly answers: { [op: string]: (fields: Fields) => unknown } = {
    rows: () => this.kept.rows,
    things: () => this.kept.things,
    arrows: fields => this.arrows(fields),
    records: fields => this.around(fields),
    record: fields => this.record(fields),
    find: fields => this.find(fields),
    search: ({ which = 0, text = '', filter = '', at = 0 }) => {
      this.searches[which] = { began: at, hits: this.searched(text, filter) }
      return { begun: text + filter !== '' }
    },
    found: fields => this.found(fields),
    hits: fields => this.listed(fields),
    step: fields => this.step(fields),
    rules: () => ({
      ...this.kept.rules, counts: markKinds.map(kind => this.marks.filter(mark => mark[2] === kind).length)
    }),
    marks: ({ from, until, most, bins }) => windowOf(this.marks, from, until, most, bins),
    mark: fields => this.mark(fields),
    failures: ({ rule, first, most }) => {
      const all = this.marks.filter(mark => mark[1] === rule).sort((a, b) => a[0] - b[0])
      return { count: all.length, marks: all.slice(first, first + most) }
    },
    stats: fields => {
      const { from, until, stats } = this.kept
      if (Math.abs(fields.from - from) > 1 || Math.abs(fields.until - until) > 1) {
        throw new Error('this file has statistics of its whole stretch only: press f and clear the selection')
      }
      return { stats }
    },
    notes: () => ({ ...noNotes, ...this.kept.notes, rev: 1, keeps: 'nothing', file: null }),
    sequence: ({ from, until }) => {
      const { sequence } = this.kept
      return { ...sequence, arrows: sequence.arrows.filter(([t]) => t >= from && t < until) }
    },
    machine: fields => this.machine(fields),
    load: fields => this.loadOf(fields)
  }

  private loadOf({ core, from, width, count }: Fields): LoadAnswer {
    const { step, status, until } = this.kept
    let exact = true
    const loads = Array.from({ length: count }, (_, i) => {
      const sums = new Map<number, number>()
      for (const one of this.loads.filter(of => core < 0 || of.core === core)) {
        exact = sumRuns(one.runs, step, from + i * width, from + (i + 1) * width, sums) && exact
      }
      return [...sums].flat()
    })
    return { loads, exact, step, last: Math.min(status.last, until) }
  }

  private arrows({ from, until, most }: Fields): unknown {
    const { count, arrows } = this.kept.arrows
    if (count > 0 && arrows.length === 0) return { count, arrows }
    const found = arrows.filter(([, begin, end]) =>
      (begin >= from && begin < until) || (end >= from && end < until))
    return { count: found.length, arrows: found.length > most ? [] : found }
  }

  // Returns the index of the first record at or after a number or a time.
  private place({ at = 0, number }: Fields): number {
    const place = this.records.findIndex(r => number !== undefined ? r.number >= number : r.t >= at)
    return place < 0 ? this.records.length : place
  }

  private around(fields: Fields): unknown {
    const place = this.place(fields), first = Math.max(0, place - fields.before)
    const end = Math.min(this.records.length, place + fields.after)
    return {
      records: this.records.slice(first, end).map(({ raw, ...record }) => record),
      first: first === 0, last: end === this.records.length
    }
  }

  private record({ number }: Fields): unknown {
    const found = this.records.find(record => record.number === number)
    if (!found) throw new Error(`record ${number} is not in this file`)
    const { raw, ...record } = found
    return { record, raw: raw ?? null, at: raw === undefined ? null : record.offset ?? null }
  }

  private find({ text, at, number, way }: Fields): unknown {
    const behind = (r: Raw) => number !== undefined ? (r.number - number) * way > 0 : (r.t - (at ?? 0)) * way > 0
    const all = way > 0 ? this.records : [...this.records].reverse()
    const found = all.find(record => behind(record) && holds(record, text))
    if (!found) return { record: null }
    const { raw: _, ...record } = found
    return { record }
  }

  private searched(text: string, filter: string): Raw[] {
    if (text) return this.records.filter(record => holds(record, text))
    return filter ? this.records.filter(record => matches(record, filter)) : []
  }

  // Bins as of the server: some hundred over the trace.
  private found({ which = 0 }: Fields): unknown {
    const { hits, began } = this.searches[which], { records } = this
    const width = Math.max(1, Math.ceil((this.kept.status.last + 1) / BINS)), bins = new Map<number, number>()
    for (const { t } of hits) if (typeof t === 'number') bins.set(Math.floor(t / width), (bins.get(Math.floor(t / width)) ?? 0) + 1)
    return {
      count: hits.length, start: hits.filter(hit => hit.t < began).length, done: true,
      searched: records.length, of: records.length, width, bins: [...bins]
    }
  }

  private listed({ which = 0, first, number, at, most }: Fields): unknown {
    const { hits } = this.searches[which]
    let place = number !== undefined ? hits.findIndex(hit => hit.number >= number)
      : at !== undefined ? hits.findIndex(hit => hit.t >= at) : first
    if (place < 0) place = hits.length
    return { first: place, hits: hits.slice(place, place + most).map(({ raw: _, ...hit }) => hit) }
  }

  private mark({ at = 0, number, way, kind }: Fields): MarkStep {
    const here = number === undefined ? -1 : this.marks.findIndex(mark => mark[0] === number && mark[3] === at)
    const all = this.marks.map((mark, i) => ({ mark, i })).filter(({ mark }) => mark[2] === kind)
    let found = -1
    all.forEach(({ mark, i }, place) => {
      const beyond = (here >= 0 ? i - here : mark[3] - at) * way > 0
      if (beyond && (way < 0 || found < 0)) found = place
    })
    return { mark: all[found]?.mark ?? null, place: found + 1, of: all.length }
  }

  private step({ track, at = 0, way, value }: Fields): { slice: Slice | null } {
    const all = this.tilesHere.slices(track).filter(slice => value === null || slice[2] === value)
    if (way > 0) return { slice: all.find(([begin]) => begin > at) ?? null }
    return { slice: all.reverse().find(([begin]) => begin < at) ?? null }
  }

  // Counts the entries and the time of each state, and the transitions, in a time range.
  private machine({ track, from, until }: Fields): unknown {
    const states = new Map<number, [number, number, number]>()
    const moves = new Map<string, [number, number, number]>()
    let before: Slice | null = null
    for (const slice of this.tilesHere.slices(track)) {
      const [begin, end, value] = slice
      if (begin < until && end > from) {
        const state = states.get(value) ?? [value, 0, 0]
        if (begin >= from) state[1]++
        state[2] += Math.min(end, until) - Math.max(begin, from)
        states.set(value, state)
        if (before && before[1] === begin && begin >= from) {
          const move = moves.get(`${before[2]} ${value}`) ?? [before[2], value, 0]
          move[2]++
          moves.set(`${before[2]} ${value}`, move)
        }
      }
      before = slice
    }
    return { states: [...states.values()], moves: [...moves.values()], left: false }
  }
}
