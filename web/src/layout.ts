// SPDX-License-Identifier: MIT
// Layout of rows: the pinned ones on top, the others below in groups with headings, and in a row
// the lanes of its tracks. All in CSS pixels from the top of their part.

import { rowKinds } from './hash'
import type { Row, RowKind, Track, TrackKind } from './protocol'

export interface Lane { track: Track; y: number; height: number }

export interface Line {
  row: number // -1: the heading of a group
  kind: RowKind
  y: number
  height: number
  lanes: Lane[]
  rows: number // of a heading: number of rows in the group
  hidden: number // of a heading: number of hidden rows in the group
}

export interface Layout { pinned: Line[]; pinnedHeight: number; lines: Line[]; height: number }

export const HEADING = 22
const PAD = 3
const CURVE = 56, CURVE_GAP = 6 // height of curves in an expanded row, and above them
const STACK = 96 // and of a load

export const groupNames: Record<RowKind, string> = {
  load: 'Load of cores', core: 'Cores', irq: 'Interrupts', task: 'Tasks', machine: 'State machines', object: 'Objects',
  counter: 'Counters', records: 'Records', link: 'Link'
}

// Heights of lanes by what is drawn in them, and the gap above.
const heights: Record<TrackKind, number> = {
  runs: 18, irqs: 14, states: 18, holds: 4, spans: 14, machine: 18, steps: 9, holder: 16,
  level: 26, marks: 18, loss: 16, filters: 12, priority: 0, unpaired: 14, load: 36, jobs: 5, used: 26
}
const above: Partial<Record<TrackKind, number>> = { jobs: 2, holds: 1, spans: 2, steps: 1, filters: 2 }
const SMALL = 15 // height of a level that is not the row's first lane
// Tracks that are drawn as curves; those of tasks only in an expanded row.
const curves = new Set<TrackKind>(['used', 'level', 'priority', 'load'])
// Tracks drawn on top of the row's first lane.
const onTop = new Set<TrackKind>(['marks', 'unpaired', 'priority'])
// Order of the lanes, whatever the order of the tracks.
const places: TrackKind[] = [
  'load', 'runs', 'irqs', 'states', 'jobs', 'machine', 'steps', 'holder', 'used', 'level', 'holds', 'spans', 'loss',
  'filters', 'marks', 'unpaired', 'priority'
]

// Returns whether the row has more to show: curves, higher than they are at first.
export function expands(row: Row): boolean {
  return row.tracks.some(track => curves.has(track.kind))
}

export function lanesOf(row: Row, expanded = false): { lanes: Lane[]; height: number } {
  // Of a task what it holds and does stays next to its states.
  const place = (kind: TrackKind) => row.kind === 'task' && kind === 'level' ? places.length : places.indexOf(kind)
  const tracks = row.tracks.filter(({ kind }) => kind in heights) // else it is not drawn
    .filter(track => expanded || track.kind !== 'level' || row.kind !== 'task')
    .sort((a, b) => place(a.kind) - place(b.kind) || a.level - b.level)
  const lanes: Lane[] = []
  let y = PAD
  for (const track of tracks) {
    const curve = expanded && curves.has(track.kind)
    if (onTop.has(track.kind) && lanes.length > 0 && !curve) {
      lanes.push({ track, y: lanes[0].y, height: lanes[0].height })
      continue
    }
    if (lanes.length > 0) y += curve ? CURVE_GAP : above[track.kind] ?? 2
    const height = curve ? (track.kind === 'load' ? STACK : CURVE) : track.kind === 'level' && lanes.length > 0 ? SMALL : heights[track.kind]
    lanes.push({ track, y, height })
    y += height
  }
  return { lanes, height: Math.max(y + PAD, 20) }
}

export interface Wanted {
  rows: Row[]
  order: number[]
  pinned: number[]
  hidden: Set<number>
  folded: Set<RowKind>
  expanded: Set<number>
}

function lineOf({ rows, expanded }: Wanted, row: number, y: number): Line {
  return { row, kind: rows[row].kind, y, ...lanesOf(rows[row], expanded.has(row)), rows: 0, hidden: 0 }
}

// A single row of a load, of records or of a link needs no heading: its name is enough.
function hasHeading(kind: RowKind, rows: number): boolean {
  return rows > 1 || (kind !== 'load' && kind !== 'records' && kind !== 'link')
}

export function layoutRows(wanted: Wanted): Layout {
  const { rows, hidden, folded } = wanted
  const pinnedRows = wanted.pinned.filter(row => row < rows.length)
  const pinned: Line[] = []
  let pinnedHeight = 0
  for (const row of pinnedRows) {
    const line = lineOf(wanted, row, pinnedHeight)
    pinned.push(line)
    pinnedHeight += line.height
  }
  const lines: Line[] = []
  let y = 0
  for (const kind of rowKinds) {
    const group = wanted.order.filter(row => rows[row]?.kind === kind && !pinnedRows.includes(row))
    if (group.length === 0) continue
    const shown = group.filter(row => !hidden.has(row))
    if (hasHeading(kind, group.length) || shown.length === 0) {
      lines.push({ row: -1, kind, y, height: HEADING, lanes: [], rows: group.length,
                   hidden: group.length - shown.length })
      y += HEADING
    }
    if (folded.has(kind)) continue
    for (const row of shown) {
      const line = lineOf(wanted, row, y)
      lines.push(line)
      y += line.height
    }
  }
  return { pinned, pinnedHeight, lines, height: y }
}

// The lines that touch top..bottom.
export function linesWithin(lines: Line[], top: number, bottom: number): Line[] {
  let low = 0, high = lines.length
  while (low < high) {
    const middle = low + high >> 1
    if (lines[middle].y + lines[middle].height <= top) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < lines.length && lines[end].y < bottom) end++
  return lines.slice(low, end)
}

// Returns the order with one row moved before another of its kind (or after it).
export function moveRow(order: number[], row: number, to: number, behind: boolean): number[] {
  if (row === to) return order
  const rest = order.filter(other => other !== row)
  rest.splice(rest.indexOf(to) + (behind ? 1 : 0), 0, row)
  return rest
}
