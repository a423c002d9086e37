// SPDX-License-Identifier: MIT
// Marks of rules: their rows, and those of a window as a source without a server counts them.

import type { MarkBin, MarkFields, MarkKind, MarkWindow, Row, RowKind, Rules } from './protocol'
import { markKinds } from './protocol'
import { clean } from './text'
import { ownName } from './names'
import type { View } from './view'

export interface Mark {
  number: number
  rule: number
  kind: MarkKind
  from: number
  until: number
  rowKind: RowKind | null
  rowName: string
  core: number
  text: string
}

export const noRules: Rules = { rev: -1, left: 0, counts: [0, 0, 0], rules: [] }

export function markOf([number, rule, kind, from, until, rowKind, rowName, core, text]: MarkFields): Mark {
  return { number, rule, kind, from, until, rowKind, rowName: clean(rowName ?? ''), core, text: clean(text) }
}

// Returns the row of a mark; -1 if it has none, or none is known yet.
export function rowOfMark(rows: Row[], { rowKind, rowName, core }: Mark): number {
  if (rowKind === null) return -1
  return rows.findIndex(row => row.kind === rowKind && ownName(row) === rowName &&
    (core < 0 || row.core < 0 || row.core === core))
}

export function hasMarks(view: View): boolean {
  return view.rules.counts.some(count => count > 0)
}

// Returns the most severe kind of which there are marks: those that the keys visit.
export function visitedKind(view: View): MarkKind | null {
  return markKinds.find((_, i) => view.rules.counts[i] > 0) ?? null
}

// The title of a mark's rule, with the kind of the mark.
export function ruleTitle(view: View, mark: Mark): string {
  const title = view.rules.rules[mark.rule]?.title ?? ''
  return mark.kind === 'note' ? title : `${mark.kind}: ${title}`
}

// Returns the marks of a list that touch a window, or their counts if they are more than `most`.
export function windowOf(all: MarkFields[], from: number, until: number, most: number, bins: number): MarkWindow {
  const marks = all.filter(mark => mark[3] <= until && mark[4] >= from)
  if (marks.length <= most) return { count: marks.length, marks, bins: [] }
  const binOf = (t: number) => Math.min(bins - 1, Math.floor((t - from + 0.5) / (until - from + 1) * bins))
  const changes = markKinds.map(() => new Int32Array(bins + 1))
  for (const [, , kind, begin, end] of marks) {
    const change = changes[markKinds.indexOf(kind)]
    change[binOf(Math.max(begin, from))]++
    change[binOf(Math.min(end, until)) + 1]--
  }
  const sums = [0, 0, 0], found: MarkBin[] = []
  for (let bin = 0; bin < bins; bin++) {
    changes.forEach((change, kind) => { sums[kind] += change[bin] })
    if (sums.some(sum => sum > 0)) found.push([bin, sums[0], sums[1], sums[2]])
  }
  return { count: marks.length, marks: [], bins: found }
}
