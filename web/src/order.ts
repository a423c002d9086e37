// SPDX-License-Identifier: MIT
// The order of rows.

import { rowKinds } from './hash'
import type { Row, Thing } from './protocol'

// Sorts rows by kind, tasks by priority, then by core, then by name (numbers in names as numbers).
export function defaultOrder(rows: Row[], things: Thing[]): number[] {
  const names = new Intl.Collator('en', { numeric: true })
  const rank = (row: number) => rowKinds.indexOf(rows[row].kind)
  const prio = (row: number) =>
    rows[row].kind === 'task' ? things[rows[row].thing]?.prio ?? Number.MAX_SAFE_INTEGER : 0
  return rows.map((_, row) => row).sort((a, b) =>
    rank(a) - rank(b) || prio(a) - prio(b) || rows[a].core - rows[b].core ||
    names.compare(rows[a].name, rows[b].name) || a - b)
}

// Keeps the user's order; new rows go after those of their kind.
export function mergeOrder(order: number[], rows: Row[], things: Thing[]): number[] {
  const known = new Set(order)
  const all = order.filter(row => row < rows.length)
  all.push(...defaultOrder(rows, things).filter(row => !known.has(row)))
  const rank = (row: number) => rowKinds.indexOf(rows[row].kind)
  return all.map((row, place) => ({ row, place }))
    .sort((a, b) => rank(a.row) - rank(b.row) || a.place - b.place)
    .map(entry => entry.row)
}
