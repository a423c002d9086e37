// SPDX-License-Identifier: MIT
// Types of the server's messages (docs/page-protocol.md). Answers come from a Source: the WebSocket
// of `wallfly serve` (wire.ts) or the file of `wallfly page` (kept.ts).

// Another tracer's format; lacks: what it does not record ("interrupt numbers").
export interface Format { title: string; lacks: string[] }

// The time of day of ticks, one piece a connection; times: [t, ns since start, error in ns].
export interface Wall {
  start: string // ns since 1970 UTC
  pieces: {
    basis: string
    drift: [number, number, number] // ppm: likely, least, greatest
    shortest: number // ns: the error holds if no shortest delay is above this
    blocks: number
    times: [number, number, number][]
  }[]
}

// Addresses of other pages: of the list of devices, and of windows of the same device.
export interface Around { list: string; earlier: string | null; later: string | null }

export interface Hello {
  version: string
  source: string
  live: boolean
  commands: boolean
  hz: number
  t0: string | null
  ended?: boolean // the trace has been read to its end
  format: Format | null // null: wallfly's own records
  clock: 'start' | 'target' // zero of the times shown: t0, or the target's own zero
  before?: string // ticks before t0, if the trace is a part of a stream: times count from that one's
  wall?: Wall | null // null: not known
  groups: string[]
  records: (string | null)[]
  kept: boolean
  window?: [number, number] // in a file of `wallfly page`: its time range
  part?: boolean // the window is not the whole trace
  held?: Held // the records in the file
  around?: Around // other pages
}

export interface Status {
  last: number
  kept: number
  records: number
  missing: number
  exact: boolean
  bad: number
  rev: number
  marks: number // changes with the rules and their marks
  notes: number // changes with the notes
  progress: [number, number] | null
  up: boolean
  recording: { file: string; bytes: number; seconds: number } | null
  note: string | null
  error: string | null
}

export type TrackKind =
  | 'runs' | 'irqs' | 'states' | 'holds' | 'spans' | 'machine' | 'steps' | 'holder' | 'level'
  | 'marks' | 'loss' | 'filters' | 'priority' | 'unpaired' | 'load' | 'jobs' | 'used'
export type RowKind =
  | 'core' | 'irq' | 'task' | 'machine' | 'object' | 'counter' | 'records' | 'link' | 'load'
export type ThingKind =
  | 'special' | 'task' | 'object' | 'irq' | 'text' | 'signal' | 'state' | 'core' | 'raise'

// Numbers of the first and the last record in a file; left: records of its range after these.
export interface Held { first: number; last: number; left: number }

export interface Track { id: number; kind: TrackKind; level: number }
// own: the target's name, if `name` is another one (rename.tsx)
export interface Row { kind: RowKind; thing: number; name: string; own?: string; core: number; tracks: Track[] }
export interface Thing {
  kind: ThingKind
  name: string
  own?: string
  key: string
  sub: string
  prio: number | null
  low?: number // least free bytes ever seen in a task's stack or a heap
  size?: number // its size in bytes; 0: unknown
}

// Names of enum wf_task_state: the value of a slice on a `states` track.
export const taskStates = ['unknown', 'ready', 'running', 'blocked', 'delayed', 'suspended', 'ended']

export const PIECE_OPEN = 1, PIECE_BEGIN_CUT = 2, PIECE_END_CUT = 4, PIECE_COARSE = 8
export const TILE_GROWS = 1, TILE_MORE = 2, TILE_BUCKETS = 512

// Pieces of a track, one array per member; piece i has the i-th element of each.
export interface Tile {
  track: number
  level: number
  index: number
  flags: number
  pieces: number
  begin: Float64Array
  end: Float64Array
  busy: Float64Array
  value: Float64Array
  min: Float64Array
  max: Float64Array
  count: Uint32Array
  more: Uint32Array
  pieceFlags: Uint32Array
}

export type ArrowKind = 'preempt' | 'post' | 'give' | 'wake'
export type Arrow = [ArrowKind, number, number, number, number, number]

// A row of `convert --to jsonl`, with t.
export interface TraceRecord {
  number: number
  t: number
  kind: string
  name?: string
  words?: string
  core?: number
  offset?: number
  fields?: { [name: string]: unknown }
  [more: string]: unknown
}

// Verdicts of rules, and kinds of marks: the most severe first.
export type MarkKind = 'fail' | 'cannot tell' | 'note'
export const markKinds: MarkKind[] = ['fail', 'cannot tell', 'note']

export interface Rule {
  title: string
  verdict: MarkKind | 'pass'
  text: string
  margin: number | null // to the bound, in per cent of it
  failures: number
  live: boolean // its failures become marks while the trace goes on
}
export interface Rules { rev: number; left: number; counts: [number, number, number]; rules: Rule[] }

// Number (no other mark ever has it), rule, kind, from, until, kind and name of its row, core (-1: unknown), text.
export type MarkFields = [number, number, MarkKind, number, number, RowKind | null, string | null, number, string]
// Number of a part of the window, and how many marks of each kind touch it.
export type MarkBin = [number, number, number, number]
export interface MarkWindow { count: number; marks: MarkFields[]; bins: MarkBin[] }
export interface MarkStep { mark: MarkFields | null; place: number; of: number }

// What the server keeps: notes in a file beside the trace, or in memory; problem: why it keeps none.
export interface Notes {
  rev: number
  keeps: 'file' | 'memory' | 'nothing'
  file: string | null
  problem: string | null
  markers: [number, string][]
  renames: [string, string, string][]
}

export interface Said { command: string; end: string; text: string }

// The traces of a server with several.
export interface Site { version: string; traces: string[] }

export interface Events {
  hello(hello: Hello): void
  status(status: Status): void
  said(said: Said): void
  // State of the link to the server: false while it reconnects.
  link(up: boolean): void
}

export interface Source {
  readonly compact?: boolean // a time line within a report: without the page's header
  readonly framed?: boolean // one of several traces: the same, but with all panels
  readonly initial?: string // the view that is shown first, as in an address (hash.ts)
  open(events: Events): void
  tiles(level: number, tiles: [number, number][]): Promise<Tile[]>
  // Other requests: sends `op` and its fields, returns the answer. Rejects with the server's error
  // text. Aborting the signal cancels the request.
  ask<T>(op: string, fields?: object, progress?: (done: number, of: number) => void,
    signal?: AbortSignal): Promise<T>
}
