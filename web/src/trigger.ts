// SPDX-License-Identifier: MIT
// A trigger: the view of a live trace freezes around the next loss, the next record with a text,
// where a slice exceeds a limit, or at the next failure of a rule (`serve --rules`).

import { exportStretch, forms } from './export'
import { chooseRecord, stepTrack, tracksOf } from './go'
import { markOf } from './marks'
import type { Mark } from './marks'
import type { MarkFields, MarkWindow, TraceRecord, TrackKind } from './protocol'
import { clean } from './text'
import type { View } from './view'

const ASK_MS = 300
const LEAST_TICKS = 16 // half the width of the view, if the rate is unknown

export interface Limit {
  track: number
  row: number
  of: string // "response of logger"
  is: 'longer' | 'above' | 'below'
  value: number // longer: seconds
}

export interface Trigger {
  on: 'loss' | 'text' | 'limit' | 'rule'
  text: string
  limit: Limit | null
  rule: number // its index; -1: any
  around: number // seconds that are shown, and kept, on either side
  save: boolean // as a recording
}

export function limitText(limit: Limit | null): string {
  if (!limit) return ''
  const { of, is, value } = limit
  return is === 'longer' ? `${of} longer than ${Number((value * 1000).toPrecision(9))} ms` : `${of} ${is} ${value}`
}

// What may have a limit: lengths of jobs, interrupts and spans, and numbers.
const measured: [TrackKind, string, boolean][] = [ // kind of the track, words, whether it is a length
  ['jobs', 'response of', true], ['irqs', 'interrupt', true], ['holder', 'hold of', true], ['steps', 'step of', true],
  ['level', 'value of', false], ['used', 'bytes in use of', false]
]

export interface Measure { track: number; row: number; of: string; isLength: boolean }

export function measures(view: View): Measure[] {
  const timed = !!view.hello?.hz
  return measured.filter(([, , isLength]) => timed || !isLength).flatMap(([kind, words, isLength]) => tracksOf(view, kind).map(({ track, row, number }) =>
    ({ track: track.id, row: number, of: `${words} ${clean(row.name, 60)}`, isLength })))
}

export interface Hit { at: number; record: number | null; mark?: Mark }

const ALL = 2 ** 52 // more failures than there are
const MARKS_MOST = 500 // of one answer

export class Triggers {
  armed: Trigger | null = null
  hit: Hit | null = null // of the armed trigger, while the time behind it is recorded; or of the last one
  error = ''
  private seen = 0 // what begins before this tick does not count
  private armedAt = 0 // the last tick when it was armed
  private failures: number | null = null // these do not count; null: their number is not known yet
  private turn = 0

  constructor(private readonly view: View) {}

  arm(trigger: Trigger): void {
    this.armed = trigger
    this.hit = null
    this.error = ''
    this.seen = this.armedAt = this.view.status?.last ?? 0
    this.failures = null
    void this.wait(++this.turn)
    this.view.changed()
  }

  disarm(): void {
    this.armed = null
    this.turn++
    this.view.changed()
  }

  private async wait(turn: number): Promise<void> {
    while (turn === this.turn && this.armed) {
      await this.look(turn).catch(error => { this.error = String((error as Error)?.message ?? error) })
      await new Promise(done => setTimeout(done, ASK_MS))
    }
  }

  private async look(turn: number): Promise<void> {
    const { view } = this, last = view.status?.last ?? 0, armed = this.armed!
    if (!view.linked) return
    const ended = view.hello?.ended // all of the trace is there
    const current = view.rev === view.status?.rev // else the row of a loss may be missing
    this.seen = Math.min(this.seen, last) // of a server that was started again
    const hit = this.hit ?? await this.next(armed)
    if (turn !== this.turn) return
    this.error = ''
    if (!hit) {
      if (current) this.seen = Math.max(this.seen, last)
      if (current && ended) this.giveUp()
      return
    }
    if (hit !== this.hit) view.changed()
    this.hit = hit
    const half = Math.max(LEAST_TICKS, armed.around * (view.hello?.hz ?? 0))
    if (last >= hit.at + half || !view.status?.up) this.fire(armed, hit, half) // a target that is gone sends no more
  }

  // A record at the tick of the last one seen may have come later.
  private async next({ on, text, limit, rule }: Trigger): Promise<Hit | null> {
    const { view } = this, at = this.seen - 1
    if (on === 'rule') return this.failure(rule)
    if (on === 'text') {
      const { record } = await view.source.ask<{ record: TraceRecord | null }>('find', { text, at, way: 1 })
      return record && typeof record.t === 'number' ? { at: record.t, record: record.number } : null
    }
    if (on === 'limit') return limit && this.beyond(limit)
    const found = await Promise.all(tracksOf(view, 'loss').map(({ track }) => stepTrack(view, track.id, at, 1)))
    const begins = found.flatMap(slice => (slice ? [slice[0]] : []))
    return begins.length ? { at: Math.min(...begins), record: null } : null
  }

  // One answer looks at some thousand slices.
  private async beyond({ track, is, value }: Limit): Promise<Hit | null> {
    const last = this.view.status?.last ?? 0
    const bound = is === 'longer' ? Math.round(value * (this.view.hello?.hz || 1)) : value
    for (;;) {
      const { slice, seen } = await this.view.source.ask<{ slice: number[] | null; seen: number }>('beyond',
        { track, from: this.seen - 1, [is]: bound })
      if (slice) return { at: seen, record: null }
      if (seen >= last || seen <= this.seen) return null
      this.seen = seen
    }
  }

  // A failure is known at its end, or when an event is too late.
  private async failure(rule: number): Promise<Hit | null> {
    const { mark, added } = await this.view.source.ask<{ mark: MarkFields | null; added: number }>('added', { since: this.failures ?? ALL, rule })
    if (this.view.hello?.ended) return this.failureAtEnd(rule)
    this.failures = this.failures === null ? added : Math.min(this.failures, added) // a new server counts anew
    return mark && { at: mark[4], record: null, mark: markOf(mark) }
  }

  // The results have replaced the marks: returns the first failure that ends behind the time when the
  // trigger was armed, of rules that have failures before the end.
  private async failureAtEnd(rule: number): Promise<Hit | null> {
    const { source, rules: { rules }, status } = this.view, last = status?.last ?? 0
    let best: MarkFields | null = null
    for (let from = this.armedAt, wide = last - from + 1; from <= last && !best;) {
      const until = Math.min(last, from + wide - 1)
      const { count, marks } = await source.ask<MarkWindow>('marks', { from, until, most: MARKS_MOST, bins: 1 })
      if (count > MARKS_MOST && wide > 1) {
        wide = Math.ceil(wide / 2)
        continue
      }
      for (const mark of marks) {
        const counts = mark[2] === 'fail' && (rule < 0 || mark[1] === rule) && rules[mark[1]]?.live && mark[4] >= this.armedAt
        if (counts && (!best || mark[4] < best[4])) best = mark
      }
      from = until + 1
    }
    return best && { at: best[4], record: null, mark: markOf(best) }
  }

  private giveUp(): void {
    this.disarm()
    this.view.notify('The trace has ended: the trigger is disarmed')
  }

  private fire(armed: Trigger, { at, record, mark }: Hit, half: number): void {
    const { view } = this, from = Math.max(0, at - half), until = at + half
    this.armed = null
    this.turn++
    view.go(from, until) // no longer follows
    view.cursor = at
    if (record !== null) chooseRecord(view, record, at)
    if (mark) {
      view.mark = mark
      view.markPlace = null
    }
    view.notify({ loss: 'Frozen at a loss', text: 'Frozen at a record', limit: `Frozen: ${limitText(armed.limit)}`, rule: `Frozen: ${mark?.text}` }[armed.on])
    if (armed.save) void exportStretch(view, [Math.floor(from), Math.ceil(until)], forms.find(form => form.as === 'wfr')!)
    view.changed()
  }
}
