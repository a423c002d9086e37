// SPDX-License-Identifier: MIT
// Records of a trace of any length for a table that shows a few dozen of them: blocks are requested
// when they are looked at, the least recently used are dropped.

import type { Held, Source, TraceRecord } from './protocol'

export const BLOCK = 250
const BLOCKS_MOST = 60

interface Answer { records: TraceRecord[]; first: boolean; last: boolean }

// Records by their number, which counts from 1; a file may have some of them only.
export class RecordBook {
  readonly first: number
  total: number // the number of the last one
  private blocks = new Map<number, TraceRecord[]>()
  private asked = new Set<number>()
  private flying = 0
  private counted = 0
  private complete = new Set<number>()
  error: string | null = null

  constructor(private source: Source, private news: () => void, private held?: Held) {
    this.first = held?.first ?? 1
    this.total = held?.last ?? 0
  }

  get count(): number {
    return this.total - this.first + 1
  }

  // Returns undefined while the record is requested, null when it is not kept.
  get(number: number): TraceRecord | undefined | null {
    const block = Math.floor((number - 1) / BLOCK)
    const records = this.blocks.get(block)
    if (!records) {
      void this.load(block)
      return undefined
    }
    this.blocks.delete(block)
    this.blocks.set(block, records)
    return records[(number - 1) % BLOCK] ?? (this.complete.has(block) ? null : undefined)
  }

  // The status counts records, numbers also count losses. Requests blocks that were not full again
  // when there are more records.
  grow(records: number): void {
    if (this.held || records <= this.counted) return
    this.total = this.counted ? this.total + records - this.counted : Math.max(this.total, records)
    this.counted = records
    for (const block of this.blocks.keys()) if (!this.complete.has(block)) void this.load(block)
  }

  // Returns the number of the first record at or after `at`, or else of the one before it.
  async place(at: number): Promise<number | null> {
    const { records } = await this.source.ask<Answer>('records', { at: Math.floor(at), before: 1, after: 2 })
    this.see(records)
    const next = records.find(record => record.t >= at)
    return next?.number ?? records[records.length - 1]?.number ?? null
  }

  // Waits for a record. Returns null when it is not kept or does not come.
  async fetch(number: number): Promise<TraceRecord | null> {
    for (let tries = 0; tries < 20; tries++) {
      const record = this.get(number)
      if (record !== undefined || this.error) return record ?? null
      await new Promise(done => setTimeout(done, 50))
    }
    return null
  }

  // Returns the newest record, once the end of the trace is loaded.
  async newest(): Promise<TraceRecord | null> {
    for (let total = -1; total !== this.total;) {
      total = this.total
      await this.fetch(total)
    }
    return this.fetch(this.total)
  }

  async load(block: number): Promise<void> {
    // A block that is skipped here is requested after the next answer, if it is still wanted.
    if (this.asked.has(block) || this.flying > 1) return
    this.asked.add(block)
    this.flying++
    try {
      const begin = block * BLOCK + 1
      const { records, last } = await this.source.ask<Answer>('records', { number: begin, before: 0, after: BLOCK })
      const kept: TraceRecord[] = []
      for (const record of records) if (record.number >= begin) kept[record.number - begin] = record
      kept.length = Math.min(kept.length, BLOCK)
      this.blocks.set(block, kept)
      if (kept.length === BLOCK || (!last && records.length) || this.held) this.complete.add(block)
      if (last && records.length) this.total = records[records.length - 1].number
      else this.see(records)
      this.error = null
      for (const old of this.blocks.keys()) {
        if (this.blocks.size <= BLOCKS_MOST) break
        this.blocks.delete(old)
        this.complete.delete(old)
      }
    } catch (error) {
      this.error = String((error as Error)?.message ?? error)
    }
    this.flying--
    setTimeout(() => this.asked.delete(block), this.error ? 2000 : 300)
    this.news()
  }

  private see(records: TraceRecord[]): void {
    for (const { number } of records) this.total = Math.max(this.total, number)
  }
}

// Returns whether a record matches the words of a filter, as the server does.
export function matches(record: TraceRecord, filter: string): boolean {
  const text = `${record.group_name ?? record.kind} ${record.name ?? ''} ${record.words ?? ''}`.toLowerCase()
  return filter.toLowerCase().split(/\s+/).every(word =>
    word.startsWith('-') && word.length > 1 ? !text.includes(word.slice(1)) : text.includes(word))
}
