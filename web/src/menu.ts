// SPDX-License-Identifier: MIT
// The entries of the context menu, in one table: what an entry is for, when it applies, its key and
// its action. The help shows those with a key.

import { openPanel, showFigures } from './actions'
import { copyCsv, copyText } from './copy'
import { exportStretch, forms, stretchText } from './export'
import type { Stretch } from './export'
import { goClose, stepSlice } from './go'
import { expands, groupNames } from './layout'
import { canRename } from './names'
import type { Row, TraceRecord } from './protocol'
import { figuresOf } from './statistics'
import { clean } from './text'
import { timeText } from './times'
import type { Picked, View } from './view'
import { pieceWords } from './words'

// What the menu was opened on: a slice, the name of a row, a record, or a stretch to export. row: -1: none.
export interface Target { row: number; slice: Picked | null; record: TraceRecord | null; stretch?: Stretch }

export interface MenuEntry {
  group: string // entries of one group stand together
  label: string | ((view: View, at: Target) => string)
  keys?: string[] // that do the same
  only(view: View, at: Target): boolean
  run(view: View, at: Target): void
}

export function targetName(view: View, at: Target): string {
  if (at.stretch) return stretchText(view, at.stretch)
  const row = view.rows[at.row] as Row | undefined
  return clean(at.record ? at.record.name ?? at.record.kind : row ? row.name || groupNames[row.kind] : '')
}

// The name that records have.
function recordsName(view: View, at: Target): string {
  const row = view.rows[at.row] as Row | undefined
  return !at.record && row?.own ? clean(row.own) : targetName(view, at)
}

export function targetTime(at: Target): number | null {
  if (at.slice) return at.slice.begin
  return typeof at.record?.t === 'number' ? at.record.t : null
}

export function targetText(view: View, at: Target): string {
  if (at.record) return clean(at.record.words ?? '', 2000)
  const { slice } = at, row = view.rows[at.row], track = slice && row?.tracks.find(one => one.id === slice.track)
  if (!slice || !track) return ''
  const { begin, end, value, more = 0 } = slice
  return pieceWords(view, row, track.kind, { begin, end, value, more, min: value, max: value, count: 1, share: 1, flags: 0 })
}

// Words that the filter of records requires, without those that it would read as excluded.
export function filterOf(name: string): string {
  return clean(name).split(/\s+/).map(word => word.replace(/^-+/, '')).filter(Boolean).join(' ')
}

function filterBy(view: View, name: string): void {
  view.filter = filterOf(name)
  openPanel(view, 'records')
}

function hideAllBut(view: View, keep: (row: Row, number: number) => boolean): void {
  view.hidden = new Set(view.rows.flatMap((row, number) => (keep(row, number) ? [] : [number])))
  view.pinned = view.pinned.filter(number => !view.hidden.has(number))
  view.folded = new Set([...view.folded].filter(kind => !view.rows.some((row, number) => row.kind === kind && keep(row, number))))
  view.changed()
}

function select(view: View, { slice }: Target): void {
  view.selection = [slice!.begin, slice!.end]
  view.changed()
}

const ofRow = (view: View, at: Target) => view.rows[at.row] !== undefined
const ofSlice = (_: View, at: Target) => at.slice !== null
const hasLength = (_: View, at: Target) => at.slice !== null && at.slice.end > at.slice.begin
const ofRecord = (_: View, at: Target) => at.record !== null
const timed = (_: View, at: Target) => targetTime(at) !== null

export const menuEntries: MenuEntry[] = [
  { group: 'go', label: 'Zoom to it', keys: ['z'], only: hasLength,
    run: (view, { slice }) => {
      const room = Math.max((slice!.end - slice!.begin) * 0.1, 2)
      view.go(slice!.begin - room, slice!.end + room)
    } },
  { group: 'go', label: 'Show on the time line', keys: ['Enter'], only: (view, at) => ofRecord(view, at) && timed(view, at),
    run: (view, at) => goClose(view, targetTime(at)!) },
  { group: 'go', label: 'Next of the same kind', keys: [']'], only: ofSlice, run: view => void stepSlice(view, 1) },
  { group: 'go', label: 'Previous of the same kind', keys: ['['], only: ofSlice, run: view => void stepSlice(view, -1) },
  { group: 'choose', label: 'Select its time', only: hasLength, run: select },
  { group: 'choose', label: 'Statistics of its time', only: hasLength,
    run: (view, at) => {
      select(view, at)
      openPanel(view, 'stats')
    } },
  { group: 'choose', label: (view, at) => `Records with “${recordsName(view, at).slice(0, 40)}”`,
    only: (view, at) => !at.stretch && filterOf(recordsName(view, at)) !== '', run: (view, at) => filterBy(view, recordsName(view, at)) },
  { group: 'choose', label: (_, at) => `Records of the group ${clean(String(at.record!.group_name))}`,
    only: (_, at) => !!at.record?.group_name, run: (view, at) => filterBy(view, String(at.record!.group_name)) },
  { group: 'choose', label: 'Records without this name', only: (view, at) => ofRecord(view, at) && !!filterOf(targetName(view, at)),
    run: (view, at) => {
      const without = filterOf(targetName(view, at)).split(' ').map(word => `-${word}`).join(' ')
      view.filter = `${view.filter} ${without}`.trim()
      openPanel(view, 'records')
    } },
  { group: 'choose', label: 'Statistics of the row', keys: ['g'], only: (view, at) => figuresOf[view.rows[at.row]?.kind] !== undefined,
    run: (view, at) => showFigures(view, at.row) },
  { group: 'row', label: (view, at) => (view.pinned.includes(at.row) ? 'Unpin the row' : 'Pin the row on top'), only: ofRow,
    run: (view, { row }) => {
      view.pinned = view.pinned.includes(row) ? view.pinned.filter(one => one !== row) : [...view.pinned, row]
      view.changed()
    } },
  { group: 'row', label: (view, at) => (view.expanded.has(at.row) ? 'Close its curves' : 'Show its curves'), keys: ['e'],
    only: (view, at) => ofRow(view, at) && expands(view.rows[at.row]),
    run: (view, { row }) => {
      const expanded = new Set(view.expanded)
      if (!expanded.delete(row)) expanded.add(row)
      view.expanded = expanded
      view.changed()
    } },
  { group: 'row', label: 'Rename the row…', only: (view, at) => ofRow(view, at) && canRename(view, at.row),
    run: (view, { row }) => {
      view.renaming = row
      view.changed()
    } },
  { group: 'row', label: 'Hide the row', only: ofRow,
    run: (view, { row }) => {
      view.pinned = view.pinned.filter(one => one !== row)
      view.hidden = new Set([...view.hidden, row])
      view.changed()
    } },
  { group: 'row', label: 'Show only this row', only: ofRow, run: (view, at) => hideAllBut(view, (_, number) => number === at.row) },
  { group: 'row', label: (view, at) => `Show only ${groupNames[view.rows[at.row].kind].toLowerCase()}`, only: ofRow,
    run: (view, at) => hideAllBut(view, row => row.kind === view.rows[at.row].kind) },
  { group: 'row', label: 'Show all rows', only: (view, at) => !at.stretch && (view.hidden.size > 0 || view.folded.size > 0),
    run: view => {
      view.hidden = new Set()
      view.folded = new Set()
      view.changed()
    } },
  { group: 'copy', label: 'Copy name', only: (view, at) => !at.stretch && targetName(view, at) !== '', run: (view, at) => copyText(view, targetName(view, at)) },
  { group: 'copy', label: 'Copy time', only: timed,
    run: (view, at) => copyText(view, timeText(targetTime(at)!, view.hello?.hz ?? 0).replace(/\u202f/g, '')) },
  { group: 'copy', label: 'Copy text', only: (view, at) => targetText(view, at) !== '', run: (view, at) => copyText(view, targetText(view, at)) },
  { group: 'copy', label: 'Copy as a line of CSV', only: timed, run: copyCsv },
  ...forms.map((form): MenuEntry => ({ group: 'export', label: form.label, only: (_, at) => !!at.stretch,
    run: (view, at) => void exportStretch(view, at.stretch!, form) }))
]

// Returns the entries that apply, in their order.
export function entriesFor(view: View, at: Target): MenuEntry[] {
  return menuEntries.filter(entry => entry.only(view, at))
}

export function entryLabel(entry: MenuEntry, view: View, at: Target): string {
  return typeof entry.label === 'string' ? entry.label : entry.label(view, at)
}
