// SPDX-License-Identifier: MIT
// The state that the canvas and the panels share: what is visible and what is chosen. Code that
// changes it calls `changed`; code that shows it listens. Times are ticks since t0.

import type { Choices } from './choices'
import type { HitList } from './hits'
import type { Mark } from './marks'
import type { Marker } from './markers'
import type { Target } from './menu'
import type { Triggers } from './trigger'
import type { ClockKind } from './wall'
import type { Hello, Notes, Row, RowKind, Rules, Said, Source, Status, Thing } from './protocol'

// more: of the slice (wf_timeline.h), if it is known
export interface Picked { row: number; track: number; begin: number; end: number; value: number; more?: number }

// A place that the address points at; text: as in the address.
export interface Place { text: string; from: number; until: number }

// end: cancels it, or removes the error.
export interface Exporting { name: string; of: [number, number] | null; error: string; end(): void }

export interface View {
  source: Source
  hello: Hello | null
  status: Status | null
  linked: boolean
  rows: Row[]
  things: Thing[]
  rev: number // the status' `rev` of these rows and things; -1: none are loaded
  readonly ready: Promise<void> // the first request for them has ended

  from: number // the range that the canvas shows
  until: number
  follow: boolean // keep `until` at the newest
  readonly fitting: boolean // the whole trace is shown, also as it grows
  cursor: number | null // the pointer's time
  selection: [number, number] | null // a time range, from < until
  place: Place | null
  other: [number, number] | null // a moment of another trace is between these times; both the same: its error is not known
  rules: Rules
  mark: Mark | null // the one that was chosen
  markPlace: [number, number] | null // which one it is of those that the keys visit
  picked: Picked | null // a slice
  chosenAt: number | null // the time of the slice or record that was chosen last
  markers: Marker[] // of the user, by time
  marker: Marker | null // the one that is chosen
  markerBase: number | null // the time of the marker from which the list measures; null: the first
  editing: { fresh: boolean } | null // the chosen marker's note is changed; fresh: the marker was set for it
  notes: Notes // as the server has them
  unsent: number // changes of notes that it does not have yet
  removed: Marker[] // that can be brought back
  record: number | null // the record that is chosen in the table
  filter: string // of the table of records
  figures: number // a row whose figures the statistics show first; -1: none
  readonly choices: Choices
  find: string // the text that was searched for last
  hits: HitList // of that search
  pinned: number[] // rows, in the order in which they stand on top
  order: number[] // all rows as they are shown, pinned ones included
  hidden: Set<number>
  folded: Set<RowKind> // groups of rows that show only their heading
  expanded: Set<number> // rows that show their curves in full height; of tasks priority and stack
  loadWindow: number // seconds of the windows of loads; 0: by the zoom
  panel: string // the open one: "records", "details", "stats", ...
  dark: boolean
  clock: ClockKind // of the ruler, where the time of day is known
  said: Said[]
  readonly triggers: Triggers
  limits: [number, number] | null // of what can be shown; null: the trace's begin and end
  renaming: number // the row whose name is changed; -1: none
  exporting: Exporting | null // a file that the server makes
  named: number // incremented when a name that is not in rows or things becomes known

  listen(what: (view: View) => void): () => void
  changed(): void // calls the listeners, once a frame
  go(from: number, until: number): void // shows this range, within the trace; follow ends
  show(from: number, until: number): void // the same also outside the trace
  fit(): void // shows the whole trace, also as it is read
  reveal(row: number): void // scrolls to the row; set by the canvas
  openMenu(at: Target, x: number, y: number): void // the context menu, at a point of the window; set by the page
  link(): string // the page's address with all that is chosen
  notify(text: string): void // shows a short notice; set by the page
}
