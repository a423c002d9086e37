// SPDX-License-Identifier: MIT
// Descriptions of pieces and arrows, for the tooltip.

import { groupsOf } from './draw_bands'
import { levelText } from './draw_levels'
import { raiseWords } from './draw_priority'
import { PIECE_BEGIN_CUT, PIECE_COARSE, PIECE_END_CUT, PIECE_OPEN, taskStates } from './protocol'
import type { Arrow, ArrowKind, Format, Hello, Row, RowKind, Rule, Status, TrackKind } from './protocol'
import { recordName } from './record_names'
import type { Piece } from './sheet'
import { clean, plural } from './text'
import { countText } from './times'
import type { View } from './view'

type Said = (view: View, row: Row, p: Piece) => string

function nameOf(view: View, thing: number): string {
  return clean(view.things[thing]?.name || (thing === 1 ? 'idle' : ''))
}

function stateWords(view: View, _row: Row, p: Piece): string {
  const state = taskStates[p.value] ?? 'unknown'
  if (state === 'running') return `running on core ${p.more}`
  const more = nameOf(view, p.more)
  if (!more) return state
  return view.things[p.more].kind === 'text' ? `${state}: ${more}` : `${state}, waits for ${more}`
}

// The unit of a row's level, by the kind of its object (docs/timeline.md).
const levels: { [sub: string]: string } = {
  mutex: ' waiting', semaphore: ' in it', queue: ' in it', 'active object': ' free', 'event queue': ' free',
  pool: ' free', heap: ' never used'
}

// The name of a curve, at the names of an expanded row.
export function curveName(view: View, row: Row, kind: TrackKind): string {
  if (kind === 'priority') return 'priority'
  if (kind === 'used') return 'in use'
  if (view.things[row.thing]?.sub === 'heap') return 'never used'
  return row.kind === 'task' ? 'stack never used' : row.kind === 'machine' ? 'free in its queue' : 'waiting'
}

export function ofLevel(view: View, row: Row): string {
  if (row.kind === 'task') return ' bytes never used'
  const sub = view.things[row.thing]?.sub ?? ''
  return Object.hasOwn(levels, sub) ? levels[sub] : ''
}

// exact: all blocks of the heap are known.
export function usedWords(bytes: number, exact: number): string {
  return `${exact ? '' : 'at least '}${countText(bytes)} ${plural(bytes, 'byte')} in use`
}

export const jobEnds = ['its end is not known', 'done', 'abandoned'] // of a job's slice

const words: Record<TrackKind, Said> = {
  jobs: (_, __, p) => `job, from ready: ${jobEnds[p.value] ?? ''}`,
  load: () => 'load', // has no slices; its tip is of a window
  runs: (view, _, p) => p.value === 1 ? 'idle' : `${nameOf(view, p.value)} runs`,
  irqs: (_, __, p) => (p.value === 2 ? 'its exit is missing: it ended at some time in this slice' : 'runs') + (p.more > 0 ? `, on top of ${p.more} more` : ''),
  states: stateWords,
  holds: (view, _, p) => `holds ${nameOf(view, p.value)}`,
  spans: (view, _, p) => nameOf(view, p.value),
  machine: (view, _, p) => p.value === 0 ? 'state not known' : `in state ${nameOf(view, p.value)}`,
  steps: (view, _, p) => `handles ${nameOf(view, p.value)}` + (p.more === 1 ? ', with a transition' : ''),
  holder: (view, _, p) => p.value === 0 ? 'holder not known, or free' : `held by ${nameOf(view, p.value)}`,
  level: (view, row, p) => levelText(p.value) + ofLevel(view, row),
  used: (_, __, p) => usedWords(p.value, p.more),
  marks: (view, _, p) => recordName(view, p.value, p.begin) + (p.more ? ` of ${nameOf(view, p.more)}` : ''),
  priority: (view, _, p) => p.more ? raiseWords(p.value, nameOf(view, p.more)) : `priority ${p.value}`,
  unpaired: (_, __, p) => p.value === 1 ? `${plural(p.more, 'enter')} without an exit` : `${plural(p.more, 'exit')} without an enter`,
  loss: (_, __, p) => lossWords(p.value, p.more === 1),
  filters: (view, _, p) => 'filtered out: ' + groupsOf(p.value, view.hello?.groups ?? []).join(', ')
}

export function lossWords(missing: number, exact: boolean): string {
  if (missing <= 0) return 'records may be missing, it is not known how many'
  const count = countText(missing) + (missing === 1 ? ' record is missing' : ' records are missing')
  return exact ? count : 'at least ' + count
}

// Describes the losses of the whole trace; `holes`: whether it has any.
export function missingWords(status: Status, holes: boolean, format: Format | null = null):
    { text: string; good: boolean; title: string } {
  const { missing, exact, bad } = status
  if (!missing && !bad && !holes) {
    return exact ? { text: 'nothing missing', good: true, title: 'All records that the target made have arrived' }
      : { text: 'nothing seen missing', good: true,
          title: format ? `${clean(format.title)} records no loss in this trace`
            : 'The sequence numbers show no gap; the target has not reported how many records it made' }
  }
  const count = countText(missing)
  const records = missing ? (exact ? `${count} missing, located` : `at least ${count} missing`)
    : bad && exact ? '' : 'some may be missing'
  const damaged = bad ? `${countText(bad)} ${plural(bad, 'byte')} damaged` : ''
  return { text: [records, damaged].filter(Boolean).join(', '), good: false, title: 'Go to the next hole in the data' }
}

// The verdicts of all rules in a few words; kind: the most severe one.
const NAMED = new Set<RowKind>(['task', 'machine', 'object'])

// Returns how many tasks, state machines and objects there are, and how many of them have an address
// in place of a name.
export function unnamed(rows: Row[]): { of: number; count: number } {
  const all = rows.filter(row => NAMED.has(row.kind))
  return { of: all.length, count: all.filter(({ name }) => !name || /^0x[0-9a-f]+$/i.test(name)).length }
}

// What helps against missing names.
export function namesHelp(hello: Hello): string[] {
  if (hello.format) return ['The recording does not have them, or they were sent before it begins.']
  const late = 'The trace begins after the target sent its names, or the target never sends them.'
  if (hello.kept) return [late, 'wallfly page with --elf=PROGRAM or --dic=FILE makes a file with names.']
  const files = 'The program (ELF, linker map, listing of nm) or a dictionary file has them: load it here, or start with --elf=PROGRAM or --dic=FILE.'
  if (!hello.live) return [late, files, 'A recording that begins before the target starts has all names.']
  const command = hello.commands ? 'The command info asks the target for its names.'
    : 'With --allow-commands the command info asks the target for its names.'
  return [late, 'A target with the names table of wallfly sends them again by itself within seconds.', command, files]
}

export function rulesWords(rules: Rule[]): { text: string; kind: 'fail' | 'unsure' | 'good' } {
  const count = (verdict: string) => rules.filter(rule => rule.verdict === verdict).length
  const fail = count('fail'), unsure = count('cannot tell')
  if (fail) return { text: `${fail} of ${rules.length} ${plural(rules.length, 'rule')} ${fail === 1 ? 'fails' : 'fail'}`, kind: 'fail' }
  if (unsure) return { text: `${unsure} of ${rules.length} ${plural(rules.length, 'rule')} cannot be decided`, kind: 'unsure' }
  const notes = count('note')
  return notes ? { text: `${notes} ${plural(notes, 'note')}`, kind: 'good' }
    : { text: rules.length === 1 ? '1 rule passes' : `${rules.length} rules pass`, kind: 'good' }
}

// Meaning of `share`; tracks in `never` have no share, as they always have a value.
const busyWords: Partial<Record<TrackKind, string>> = { runs: 'busy', irqs: 'busy', states: 'running' }
const never = new Set<TrackKind>(['machine', 'filters'])

function percent(share: number): string {
  if (share > 0 && share < 0.01) return 'less than 1 %'
  return share > 0.99 && share < 1 ? 'more than 99 %' : `${Math.round(share * 100)} %`
}

function several(view: View, row: Row, kind: TrackKind, p: Piece): string {
  const count = countText(p.count)
  if (kind === 'marks') return `${count} records`
  if (kind === 'unpaired') return `${count} enters or exits that do not pair`
  if (kind === 'priority') return `${count} priorities, ${p.min} to ${p.max}`
  if (kind === 'used') return `${count} values, ${levelText(p.min)} to ${levelText(p.max)} bytes in use`
  if (kind === 'level') return `${count} values, ${levelText(p.min)} to ${levelText(p.max)}${ofLevel(view, row)}`
  if (kind === 'loss') return `${count} holes`
  if (kind === 'jobs') return `${count} jobs`
  const busy = `${count} slices` + (never.has(kind) ? '' : `, ${percent(p.share)} ${busyWords[kind] ?? 'of the time'}`)
  const most = kind === 'states' ? taskStates[p.value] : kind === 'irqs' ? '' : nameOf(view, p.value)
  return most && row.name !== most ? `${busy}, mostly ${most}` : busy
}

export function pieceWords(view: View, row: Row, kind: TrackKind, p: Piece): string {
  return p.count > 1 ? several(view, row, kind, p) : words[kind](view, row, p)
}

// Describes what is uncertain about begin and end.
export function cutWords(p: Piece): string {
  const parts: string[] = []
  if (p.flags & PIECE_BEGIN_CUT) parts.push('began earlier')
  if (p.flags & PIECE_END_CUT) parts.push('may have continued')
  if (p.flags & PIECE_OPEN) parts.push('has not ended')
  if (p.flags & PIECE_COARSE) parts.push('details were removed')
  return parts.join(', ')
}

// Names of an arrow's begin, end and length.
export const arrowTimes: Record<ArrowKind, readonly [string, string, string]> = {
  preempt: ['begin', 'end', 'took'], post: ['post', 'get', 'took'], give: ['give', 'take', 'took'],
  wake: ['wake', 'run', 'took']
}

// Returns a description of an arrow with its rows, and the kind of arrow.
export function arrowWords(view: View, [kind, , , fromRow, toRow, thing]: Arrow): [string, string] {
  const rowName = (row: number) => clean(view.rows[row]?.name ?? '') || view.rows[row]?.kind || ''
  const from = rowName(fromRow), to = rowName(toRow), what = nameOf(view, thing)
  const way = fromRow === toRow ? `within ${to}` : `from ${from} to ${to}`
  switch (kind) {
    case 'preempt': return [`${to} preempts ${from}`, 'preemption']
    case 'wake': return [`${from} wakes ${to}`, 'wake-up, and when it runs']
    case 'post': return [`${what || 'an event'} ${way}`, 'post to get']
    default: return [`${what || 'something'} ${way}`, 'give to take']
  }
}
