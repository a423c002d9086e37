// SPDX-License-Identifier: MIT
// Why a job took as long as it did: the answer of the op explain (docs/page-protocol.md), and the
// rows and colours of its causes.

import { css, placesOf, themeOf } from './colours'
import { findRow } from './go'
import type { View } from './view'

export interface Block { mutex: string | null; mutex_key: string | null; holder: string | null; holder_key: string | null }

export interface Cause {
  cause: string
  words: string
  blocks: Block[]
  task: string | null
  task_key: string | null
  irq?: number | null
  core?: number
  time: number
  count: number
  longest: [number, number]
}

export interface Wait extends Block { span: [number, number]; end: string }

export interface Explained {
  task: string
  job: number
  span: [number, number]
  response: number
  arrival_known: boolean
  end: 'open' | 'done' | 'abandoned'
  causes: Cause[]
  parts: [number, number][] // begin, number of the cause
  parts_until: number
  waits: Wait[]
  wait_count: number
  read_from?: number
}

export interface Part { from: number; to: number; cause: number }

// The parts with their ends.
export function partsOf({ parts, parts_until: until }: Explained): Part[] {
  return parts.map(([from, cause], i) => ({ from, to: parts[i + 1]?.[0] ?? until, cause }))
}

// Parts for a bar of so many pixels: those that are shorter than a pixel are joined, and have the
// cause of the longest one of them.
export function barParts(parts: Part[], pixels: number): Part[] {
  const begin = parts[0]?.from ?? 0, end = parts[parts.length - 1]?.to ?? 0
  const least = (end - begin) / Math.max(1, pixels)
  const bar: (Part & { most: number })[] = []
  for (const part of parts) {
    const last = bar[bar.length - 1], length = part.to - part.from
    if (!last || (last.to - last.from >= least && length >= least)) {
      bar.push({ ...part, most: length })
      continue
    }
    if (last.to - last.from >= least) { // a short one behind a long one begins a group
      bar.push({ ...part, most: length })
      continue
    }
    last.to = part.to
    if (length <= last.most) continue
    last.most = length
    last.cause = part.cause
  }
  return bar.map(({ from, to, cause }) => ({ from, to, cause }))
}

// How a cause looks, besides its colour.
export function lookOf({ cause, blocks }: Cause): 'plain' | 'irq' | 'blocked' | 'unknown' | 'waits' {
  if (cause === 'unknown') return 'unknown'
  if (cause === 'interrupt') return 'irq'
  if (blocks.length > 0) return cause === 'execution' || cause === 'task' ? 'blocked' : 'waits'
  return cause === 'idle' ? 'waits' : 'plain'
}

function irqRow(view: View, { irq, core }: Cause): number {
  if (irq === null || irq === undefined) return -1
  const key = irq.toString(16)
  const row = findRow(view, ['irq'], key, null, core)
  return row >= 0 ? row : findRow(view, ['irq'], key, null)
}

// Returns the row of what runs, or else of the last holder; -1: none.
export function causeRow(view: View, cause: Cause): number {
  if (cause.cause === 'interrupt') return irqRow(view, cause)
  const holder = cause.blocks[cause.blocks.length - 1]
  const key = cause.task_key ?? holder?.holder_key ?? null
  return key === null ? -1 : findRow(view, ['task'], key, null)
}

export function mutexRow(view: View, { mutex_key: key }: Block): number {
  return key === null ? -1 : findRow(view, ['object'], key, null)
}

// The colours of the causes, as in the time line; null: of none of its things.
export function causeColours(view: View, causes: readonly Cause[]): (string | null)[] {
  const theme = themeOf(view.dark), places = placesOf(view.things, theme.things.length)
  return causes.map(cause => {
    const row = view.rows[causeRow(view, cause)]
    return row ? css(theme.things[places[row.thing]]) : null
  })
}
