// SPDX-License-Identifier: MIT
// Other names of rows, which the notes keep (docs/notes.md). The target's own name stays with the row:
// the words of records, marks and reasons have that one.

import type { Row, Thing, ThingKind } from './protocol'
import { clean } from './text'
import type { View } from './view'

// The name that the target has sent.
export function ownName(of: Row | Thing): string {
  return of.own ?? of.name
}

// Gives rows, and what they are of, the names of the notes. Called when rows or notes have come.
export function applyNames(view: View): void {
  const names = new Map(view.notes.renames.map(([kind, name, as]) => [`${kind} ${name}`, clean(as)]))
  const things = new Map<number, string>()
  const named = <T extends Row | Thing>(one: T, as: string | undefined): T =>
    as === undefined ? (one.own === undefined ? one : { ...one, name: one.own, own: undefined }) : { ...one, name: as, own: ownName(one) }
  view.rows = view.rows.map(row => {
    const as = names.get(`${row.kind} ${ownName(row)}`)
    if (as !== undefined) things.set(row.thing, as)
    return named(row, as)
  })
  view.things = view.things.map((thing, number) => named(thing, things.get(number)))
}

// The name shown for a task, or what else, of which an answer has the target's own one.
export function shownName(view: View, own: string, kinds: readonly ThingKind[] = ['task']): string {
  return view.things.find(thing => kinds.includes(thing.kind) && ownName(thing) === own)?.name ?? own
}

export function canRename(view: View, row: number): boolean {
  return !!view.rows[row]?.name && view.notes.keeps !== 'nothing' && !view.hello?.kept && !view.source.compact
}
