// SPDX-License-Identifier: MIT
// What is seen and chosen: one object that the canvas and the panels share. Whoever changes it
// calls `changed`; everybody who shows something of it listens. Times are ticks since t0.

import type { Hello, Row, RowKind, Said, Source, Status, Thing } from './protocol'

export interface Picked { row: number; track: number; begin: number; end: number; value: number }

export interface View {
  source: Source
  hello: Hello | null
  status: Status | null
  linked: boolean
  rows: Row[]
  things: Thing[]
  rev: number // the status' `rev` of which these are; -1: none are here

  from: number // what the canvas shows
  until: number
  follow: boolean // keep `until` at the newest
  readonly fitting: boolean // the whole trace is shown, also what is still to come
  cursor: number | null // the pointer's time
  selection: [number, number] | null // a stretch of time, from < until
  picked: Picked | null // a slice
  record: number | null // the record that is chosen in the table
  pinned: number[] // rows, in the order in which they stand on top
  order: number[] // all rows as they are shown, pinned ones included
  hidden: Set<number>
  folded: Set<RowKind> // groups of rows of which only the heading is shown
  panel: string // which one is open: "records", "details", "stats", ...
  dark: boolean
  said: Said[]
  named: number // grows when a name gets known that is not in rows or things

  listen(what: (view: View) => void): () => void
  changed(): void // tells the listeners, once a frame
  go(from: number, until: number): void // shows this stretch, within the trace; follow ends
  fit(): void // shows the whole trace, and goes on to while it is read
  reveal(row: number): void // the canvas scrolls to it; it sets this
}
