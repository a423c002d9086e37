// SPDX-License-Identifier: MIT
// Navigation: to a time, a time range, a row, a record, the next hole in the data.

import { markOf, rowOfMark, visitedKind } from './marks'
import type { Mark } from './marks'
import type { MarkFields, MarkStep, Row, ThingKind, TraceRecord, Track, TrackKind } from './protocol'
import { firstTick, movesOn } from './store'
import { ownName } from './names'
import type { View } from './view'

const LEAST = 100 // ticks on either side when it zooms in automatically
const RECORDS = 40 // that are shown on either side of a moment
const FAR = 2 ** 52 // behind all marks

export type Slice = [begin: number, end: number, value: number, more: number, flags: number]

// Puts the cursor at the time. If it is not in view, moves the view there without zooming.
export function goTime(view: View, at: number): void {
  const width = view.until - view.from
  view.cursor = at
  if (at < view.from || at > view.until) view.go(at - width / 2, at + width / 2)
  if (movesOn(view)) view.go(view.from, view.until)
  view.changed()
}

// Centres the time and zooms in ten times, but not below 2 * LEAST ticks.
export function goClose(view: View, at: number): void {
  const width = Math.min(view.until - view.from, Math.max((view.until - view.from) / 10, 2 * LEAST))
  view.cursor = at
  view.go(at - width / 2, at + width / 2)
}

// Zooms so that a time range fills a good part of the view, unless it already does. A range of
// length 0 keeps the zoom.
export function goStretch(view: View, begin: number, end: number): void {
  const width = view.until - view.from, length = end - begin
  if (length > 0 && (length < width / 50 || length > width)) {
    const around = Math.max(length * 0.7, LEAST)
    view.go(begin - around, end + around)
  }
  goTime(view, begin)
}

// Shows a place with what is around it: of a time range its length, of a moment the records next to
// it, however dense they are. Until these have arrived it shows a hundredth of the trace.
export async function frame(view: View, from: number, until: number): Promise<void> {
  const length = until - from
  const around = length > 0 ? length / 2 : ((view.status?.last ?? 0) - firstTick(view)) / 200
  view.cursor = from
  view.go(from - Math.max(around, LEAST), until + Math.max(around, LEAST))
  if (length > 0) return
  const shown = [view.from, view.until].join()
  const answer = await view.source.ask<{ records: TraceRecord[] }>('records',
    { at: Math.round(from), before: RECORDS, after: RECORDS }).catch(() => null)
  const times = (answer?.records ?? []).map(record => record.t).filter(t => typeof t === 'number')
  if (times.length === 0 || [view.from, view.until].join() !== shown) return
  const before = Math.abs(from - times[0]), after = Math.abs(times[times.length - 1] - from)
  const half = Math.max(Math.min(before, 4 * after), Math.min(after, 4 * before), LEAST)
  view.go(from - half, from + half)
  view.cursor = from
}

// Chooses a mark, selects its time range and shows it. A range that fits keeps the zoom, as does a
// moment when the mark before was shown, too.
export function goMark(view: View, mark: Mark, place: [number, number] | null = null): void {
  const { from, until } = mark, length = until - from, width = view.until - view.from
  const zoomed = length > 0 ? length > width / 12 && length < width * 0.9 : view.mark !== null
  const row = rowOfMark(view.rows, mark)
  view.mark = mark
  view.markPlace = place
  view.selection = length > 0 ? [from, until] : null
  if (!zoomed) void frame(view, from, until)
  else if (from < view.from || until > view.until) view.show((from + until - width) / 2, (from + until + width) / 2)
  if (movesOn(view)) view.go(view.from, view.until)
  view.cursor = from
  if (row >= 0) {
    view.hidden.delete(row)
    view.folded.delete(view.rows[row].kind)
  }
  view.changed()
  if (row >= 0) view.reveal(row)
}

// Goes to the next (way 1) or previous mark of the most severe kind; from the last to the first.
export async function stepMark(view: View, way: 1 | -1): Promise<void> {
  const kind = visitedKind(view), { mark, cursor } = view
  if (!kind) return
  const inView = cursor !== null && cursor >= view.from && cursor <= view.until
  const place = mark?.kind === kind ? { at: mark.from, number: mark.number }
    : { at: Math.round(mark ? mark.from : inView ? cursor : way > 0 ? view.from - 1 : view.until) }
  for (const from of [place, { at: -way * FAR }]) {
    const found = await view.source.ask<MarkStep>('mark', { ...from, way, kind }).catch(() => null)
    if (!found) return
    if (found.mark) return goMark(view, markOf(found.mark), [found.place, found.of])
  }
}

// Goes to the worst failure of a rule. Returns false if it has no mark.
export async function goRule(view: View, rule: number): Promise<boolean> {
  const found = await marksOfRule(view, rule, 0, 1).catch(() => null)
  if (!found?.marks.length) return false
  goMark(view, found.marks[0])
  return true
}

// Returns some marks of a rule: the worst first, of a live trace in the order in which they came.
export async function marksOfRule(view: View, rule: number, first: number, most: number): Promise<{ count: number; marks: Mark[] }> {
  const { count, marks } = await view.source.ask<{ count: number; marks: MarkFields[] }>('failures', { rule, first, most })
  return { count, marks: marks.map(markOf) }
}

// Shows a row, even if it is hidden or folded, and picks its slice where the view begins, or else the
// next one, or the last.
export function goRow(view: View, row: number): void {
  const track = view.rows[row]?.tracks[0]
  if (!track) return
  view.hidden.delete(row)
  view.folded.delete(view.rows[row].kind)
  const at = Math.floor(view.from), mark = view.picked = { row, track: track.id, begin: view.from, end: view.from, value: 0 }
  view.changed()
  view.reveal(row)
  void sliceFrom(view, track.id, at).catch(() => null).then(slice => {
    if (!slice || view.picked !== mark) return // something else is picked meanwhile
    const [begin, end, value, more] = slice
    view.picked = { row, track: track.id, begin, end, value, more }
    view.changed()
  })
}

async function sliceFrom(view: View, track: number, at: number): Promise<Slice | null> {
  const before = await stepTrack(view, track, at + 1, -1)
  return before && before[1] > at ? before : await stepTrack(view, track, at, 1) ?? before
}

export function tracksOf(view: View, kind: TrackKind): { row: Row; number: number; track: Track }[] {
  return view.rows.flatMap((row, number) => row.tracks
    .filter(track => track.kind === kind)
    .map(track => ({ row, number, track })))
}

// Returns whether the trace has holes, also those where no record is known to be missing: damaged
// bytes, or a restart of the target.
export function hasHoles(view: View): boolean {
  return view.rows.some(row => row.tracks.some(track => track.kind === 'loss'))
}

// Returns the row of a thing by key (hex) or name, on this core if given; -1 if there is none.
export function findRow(view: View, kinds: readonly ThingKind[], key: string | null, name: string | null, core?: number): number {
  const low = key?.toLowerCase().replace(/^0x0*(?=.)/, '')
  return view.rows.findIndex(row => {
    const thing = view.things[row.thing]
    if (!thing || !kinds.includes(thing.kind) || (core !== undefined && row.core !== core)) return false
    return low !== undefined && thing.key !== ''
      ? thing.key.toLowerCase().replace(/^0x/, '').replace(/^0+(?=.)/, '') === low
      : ownName(thing) === name
  })
}

// Chooses a record of the table. t: its time, if it has one.
export function chooseRecord(view: View, number: number, t: number | null | undefined): void {
  view.record = number
  view.chosenAt = t ?? null
}

// Returns the next (way 1) or previous slice of a track after a time; with a value only one that has it.
export async function stepTrack(view: View, track: number, at: number, way: 1 | -1, value: number | null = null): Promise<Slice | null> {
  const answer = await view.source.ask<{ slice: Slice | null }>('step', { track, at, way, value })
  return answer.slice
}

// Picks a slice in place of another one, and moves the view to it.
export function pickSlice(view: View, row: number, track: number, [begin, end, value, more]: Slice): void {
  view.picked = { row, track, begin, end, value, more }
  view.reveal(row)
  if (begin < view.from || Math.min(end, begin + (view.until - view.from) / 2) > view.until) {
    const width = view.until - view.from
    const at = begin - Math.max(width * 0.1, (width - (end - begin)) / 2)
    view.go(at, at + width)
  }
  view.changed()
}

// Picks the next (way 1) or previous slice of the same value.
export async function stepSlice(view: View, way: 1 | -1): Promise<void> {
  const from = view.picked
  if (!from) return
  const kind = view.rows[from.row]?.tracks.find(track => track.id === from.track)?.kind
  const slice = kind === 'priority' && from.more ? await nextRaise(view, from.track, from.begin, way)
    : await stepTrack(view, from.track, Math.max(0, Math.round(from.begin)), way, from.value).catch(() => null) // the link is lost
  if (slice && view.picked === from) pickSlice(view, from.row, from.track, slice)
}

const RAISES_MOST = 4096 // changes of priority that are looked at for one that is inherited

// Returns the next (way 1) or previous slice of a priority track that is inherited; null: none. of: the
// thing that says from whom and for what; undefined: any.
export async function nextRaise(view: View, track: number, from: number, way: 1 | -1, of?: number): Promise<Slice | null> {
  for (let at = from, i = 0; i < RAISES_MOST; i++) {
    const slice = await stepTrack(view, track, at, way).catch(() => null)
    if (!slice || (slice[3] && (of === undefined || slice[3] === of))) return slice
    at = slice[0]
  }
  return null
}

// Goes to the next inherited priority of any task after the picked one, or in the view, or else to the
// first; shows it in the task's expanded row. Returns false if there is none.
export async function goRaise(view: View, of?: number): Promise<boolean> {
  const tracks = tracksOf(view, 'priority')
  const here = view.picked && tracks.some(({ track }) => track.id === view.picked!.track) ? view.picked.begin : Math.round(view.from) - 1
  for (const from of [here, -1]) {
    const found = await Promise.all(tracks.map(async one => ({ ...one, slice: await nextRaise(view, one.track.id, from, 1, of) })))
    const next = found.filter(one => one.slice !== null).sort((a, b) => a.slice![0] - b.slice![0])[0]
    if (!next) continue
    showRaise(view, next.number, next.track, next.slice!)
    return true
  }
  return false
}

function showRaise(view: View, row: number, track: Track, [begin, end, value, more]: Slice): void {
  view.expanded = new Set([...view.expanded, row])
  goRow(view, row)
  view.picked = { row, track: track.id, begin, end, value, more }
  goStretch(view, begin, end)
}

// Goes to the first time when the task of a row has inherited the priority of another one.
export async function goRaiseOf(view: View, row: number, by: string): Promise<void> {
  const track = view.rows[row]?.tracks.find(one => one.kind === 'priority')
  for (let at = -1; track;) {
    const slice = await nextRaise(view, track.id, at, 1)
    if (!slice) return
    if (nameOf(view, slice[3]).includes(`, raised by ${by} for `)) return showRaise(view, row, track, slice)
    at = slice[0]
  }
}

// Returns the next hole after `at`, or else the first one; null if there are no holes.
export async function nextLoss(view: View, at: number): Promise<Slice | null> {
  const tracks = tracksOf(view, 'loss').map(({ track }) => track.id)
  for (const from of [at, -1]) {
    const found = await Promise.all(tracks.map(track => stepTrack(view, track, from, 1)))
    const next = found.filter(slice => slice !== null).sort((a, b) => a[0] - b[0])[0]
    if (next) return next
  }
  return null
}

export function nameOf(view: View, thing: number): string {
  return view.things[thing]?.name || (thing ? `#${thing}` : '')
}
