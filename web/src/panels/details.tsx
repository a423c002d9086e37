// SPDX-License-Identifier: MIT
// Details of the picked slice and of the chosen record, with its raw bytes.

import type { Row, Thing, TraceRecord } from '../protocol'
import { priorityText, raiseWords } from '../draw_priority'
import { taskStates } from '../protocol'
import type { View } from '../view'
import { goMark, goRow, goStretch, goTime, nameOf, stepMark, stepTrack } from '../go'
import { rowOfMark } from '../marks'
import type { Mark } from '../marks'
import { Empty, Lacks, Name, Working } from '../parts'
import { Verdict } from './rules'
import { Why } from './why'
import { jobEnds } from '../words'
import { bytesOf, clean, dump, plural } from '../text'
import { countText, lengthText, timeText } from '../times'
import { useAnswer, useViewed } from '../use'

interface RecordAnswer { record: TraceRecord; raw: string; at: number }

const MOST = 4096 // bytes that are dumped

function Line({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return <><dt>{name}</dt><dd>{children}</dd></>
}

// A time that links to its place.
function At({ view, t }: { view: View; t: number }) {
  return <button class="link" onClick={() => goTime(view, t)}>{timeText(t, view.hello?.hz ?? 0)}</button>
}

const wording: { [kind: string]: string } = {
  runs: 'runs', states: 'state', holds: 'holds', spans: 'span', machine: 'state', steps: 'step for',
  holder: 'held by', level: 'value', marks: 'record', loss: 'missing', filters: 'groups off', irqs: 'interrupt',
  unpaired: 'does not pair', priority: 'priority', jobs: 'job', used: 'in use'
}

function bytesText(count: number, of = 0): string {
  return `${countText(count)}${of ? ` of ${countText(of)}` : ''} ${plural(of || count, 'byte')}`
}

const isHeap = (thing: Thing | undefined) => thing?.kind === 'object' && thing.sub === 'heap'

// The levels of a heap and of a task are the fewest bytes that were ever free.
const isLow = (kind: string, thing: Thing | undefined) => kind === 'level' && (isHeap(thing) || thing?.kind === 'task')

function labelOf(kind: string, thing: Thing | undefined): string {
  return isLow(kind, thing) ? 'low-water mark' : wording[kind] ?? kind
}

function valueOf(view: View, kind: string, thing: Thing | undefined, value: number): string {
  if (kind === 'states') return taskStates[value] ?? String(value)
  if (isLow(kind, thing)) return bytesText(value, thing?.size)
  if (kind === 'used') return bytesText(value)
  if (kind === 'level' || kind === 'marks') return String(value)
  if (kind === 'loss') return value ? `${countText(value)} ${plural(value, 'record')}` : 'not known how many'
  if (kind === 'irqs') return value === 2 ? 'its exit is missing: it ended at some time in this slice' : 'active'
  if (kind === 'unpaired') return value === 1 ? 'an enter without an exit' : 'an exit without an enter'
  if (kind === 'holder' && !value) return '? (not known, or free)'
  if (kind === 'priority') return String(value)
  if (kind === 'jobs') return jobEnds[value] ?? ''
  if (kind === 'filters') {
    return (view.hello?.groups ?? []).filter((_, bit) => Math.floor(value / 2 ** bit) % 2 === 1).join(', ')
  }
  return nameOf(view, value) || 'not known'
}

// Returns a label and a text for `more` of a slice, by the kind of its track (wf_timeline.h).
function moreOf(view: View, kind: string, value: number, more: number): [string, string] | null {
  if (kind === 'states' && taskStates[value] === 'running') return ['on core', String(more)]
  if (kind === 'states' && more) return ['waits for', nameOf(view, more)]
  if (kind === 'marks' && more) return ['about', nameOf(view, more)]
  if (kind === 'steps') return ['transition', more ? 'yes' : 'no']
  if (kind === 'irqs' && more) return ['on top of', `${more} more`]
  if (kind === 'priority' && more) return ['inherited', raiseWords(value, nameOf(view, more))]
  if (kind === 'used' && !more) return ['exact', 'no, blocks from before the trace or a hole are not in it']
  if (kind === 'loss' && value) return ['exact', more ? 'yes' : 'no, at least']
  return null
}

const sure: [number, string][] = [
  [1, 'has not ended yet'], [2, 'began before, in a hole or before the trace'],
  [4, 'may have continued: cut by a hole or the end of the trace'], [8, 'details were removed']
]

// The priority in force at a time: from the row's priority track if there is one, else the thing's.
function Priority({ view, row, t }: { view: View; row: Row; t: number }) {
  const track = row.tracks.find(one => one.kind === 'priority')
  const answer = useAnswer<{ slice: number[] | null }>(view, 'step',
    track ? { track: track.id, at: t + 1, way: -1, value: null } : null)
  const prio = view.things[row.thing]?.prio
  if (!track) return prio === null || prio === undefined ? null : <Line name="priority">{prio}</Line>
  if (!answer.data) return <Line name="priority"><span class="muted">…</span></Line>
  const slice = answer.data.slice
  const known = slice && (t < slice[1] || (slice[4] & 1) !== 0)
  return (
    <Line name="priority">
      {known ? <Name text={priorityText(slice[2], slice[3] ? nameOf(view, slice[3]) : '', true)} /> : 'not known'}
    </Line>
  )
}

// The last recorded low-water mark of a task's stack or of a heap; of a heap also its time.
function Low({ view, row, thing }: { view: View; row: Row; thing: Thing }) {
  const track = isHeap(thing) ? row.tracks.find(one => one.kind === 'level') : undefined
  const answer = useAnswer<{ slice: number[] | null }>(view, 'step',
    track ? { track: track.id, at: (view.status?.last ?? 0) + 1, way: -1, value: null } : null)
  if (thing.low === undefined) return null
  const slice = answer.data?.slice
  return (
    <Line name={thing.kind === 'task' ? 'stack' : 'heap'}>
      {bytesText(thing.low, thing.size)} {(thing.size || thing.low) === 1 ? 'was' : 'were'} never used
      {slice && slice[2] === thing.low && !(slice[4] & 8) && <>, recorded at <At view={view} t={slice[0]} /></>}
    </Line>
  )
}

// Warns that enters and exits of an interrupt do not pair.
function Unpaired({ view, row }: { view: View; row: Row }) {
  const track = row.tracks.find(one => one.kind === 'unpaired')
  if (!track) return null
  const go = () => stepTrack(view, track.id, -1, 1).then(first => { if (first) goTime(view, first[0]) }, () => undefined)
  return (
    <Line name="unpaired">
      <span class="wrong">Enters and exits do not pair; time that depends on them is not counted.</span>{' '}
      <button class="link" onClick={go}>The first</button>
    </Line>
  )
}

// Leads from a state of a task to the job that it is part of.
function JobOf({ view, row, number, t }: { view: View; row: Row; number: number; t: number }) {
  const track = row.tracks.find(one => one.kind === 'jobs')
  const answer = useAnswer<{ slice: number[] | null }>(view, 'step',
    track ? { track: track.id, at: t + 1, way: -1, value: null } : null)
  const slice = answer.data?.slice
  if (!track || !slice || (slice[1] <= t && slice[0] !== t)) return null
  const [begin, end, value] = slice
  return (
    <Line name="job">
      <button class="link" title="Why it took as long as it did" onClick={() => {
        view.picked = { row: number, track: track.id, begin, end, value }
        goStretch(view, begin, end)
      }}>{lengthText(end - begin, view.hello?.hz ?? 0)}</button> from <At view={view} t={begin} />
    </Line>
  )
}

function PickedSlice({ view }: { view: View }) {
  const [picked, rows] = useViewed(view, v => [v.picked, v.rows])
  const row = picked ? rows[picked.row] : undefined
  const track = row?.tracks.find(one => one.id === picked!.track)
  // The slice itself, as `picked` has no `more` and no flags.
  const answer = useAnswer<{ slice: [number, number, number, number, number] | null }>(view, 'step',
    picked && track && picked.end > picked.begin
      ? { track: picked.track, at: picked.begin - 1, way: 1, value: null } : null)
  if (!picked || !row || !track) return <Empty>Click on a slice of the time line to see its details.</Empty>
  const hz = view.hello?.hz ?? 0
  const thing = view.things[row.thing]
  const slice = answer.data?.slice?.[0] === picked.begin ? answer.data.slice : null
  const more = slice && moreOf(view, track.kind, slice[2], slice[3])
  const noExit = track.kind === 'irqs' && picked.value === 2 // its value states that already
  const flags = sure.filter(([bit]) => slice && slice[4] & bit && !(noExit && bit === 4))
  const step = (way: 1 | -1) => stepTrack(view, track.id, picked.begin, way).then(next => {
    if (!next) return
    view.picked = { ...picked, begin: next[0], end: next[1], value: next[2] }
    goStretch(view, next[0], next[1])
  }, () => undefined)
  return (
    <>
      <dl class="facts">
        <Line name="row"><Name text={row.name} /> <span class="muted">{row.kind}{row.core >= 0 ? `, core ${row.core}` : ''}</span></Line>
        {thing?.key && <Line name="key"><code>0x{clean(thing.key)}</code>{thing.sub && <span class="muted"> {thing.sub}</span>}</Line>}
        {row.kind === 'task' && track.kind !== 'priority' && <Priority view={view} row={row} t={picked.begin} />}
        {row.kind === 'task' && track.kind === 'states' && picked.end > picked.begin && <JobOf view={view} row={row} number={picked.row} t={picked.begin} />}
        {thing && <Low view={view} row={row} thing={thing} />}
        {row.kind === 'irq' && <Unpaired view={view} row={row} />}
        {picked.end > picked.begin && <>
          <Line name={labelOf(track.kind, thing)}><Name text={valueOf(view, track.kind, thing, picked.value)} /></Line>
          {more && <Line name={more[0]}><Name text={more[1]} /></Line>}
          <Line name="begin"><At view={view} t={picked.begin} /></Line>
          <Line name="end"><At view={view} t={picked.end} /></Line>
          <Line name="length"><b>{lengthText(picked.end - picked.begin, hz)}</b></Line>
          {flags.map(([bit, text]) => <Line key={bit} name="">{text}</Line>)}
        </>}
      </dl>
      <div class="buttons">
        <button onClick={() => step(-1)}>Previous</button>
        <button onClick={() => step(1)}>Next</button>
        <button onClick={() => goStretch(view, picked.begin, picked.end)} disabled={picked.end <= picked.begin}>Show</button>
        <button disabled={picked.end <= picked.begin} onClick={() => {
          view.selection = [picked.begin, picked.end]
          view.changed()
        }}>Select</button>
      </div>
    </>
  )
}

function ChosenMark({ view, mark }: { view: View; mark: Mark }) {
  const [{ rules }, rows] = useViewed(view, v => [v.rules, v.rows])
  const hz = view.hello?.hz ?? 0
  const row = rowOfMark(rows, mark), { from, until } = mark
  return (
    <>
      <dl class="facts">
        <Line name="verdict"><Verdict verdict={mark.kind} /></Line>
        <Line name="rule"><bdi>{rules[mark.rule]?.title}</bdi></Line>
        <Line name="says"><bdi>{mark.text}</bdi></Line>
        {mark.rowKind && <Line name={mark.rowKind}>
          {row < 0 ? <Name text={mark.rowName} />
            : <button class="link" onClick={() => goRow(view, row)}><Name text={mark.rowName} /></button>}
        </Line>}
        <Line name={until > from ? 'begin' : 'at'}><At view={view} t={from} /></Line>
        {until > from && <>
          <Line name="end"><At view={view} t={until} /></Line>
          <Line name="length"><b>{lengthText(until - from, hz)}</b></Line>
        </>}
      </dl>
      <div class="buttons">
        <button aria-keyshortcuts="p" onClick={() => void stepMark(view, -1)}>Previous</button>
        <button aria-keyshortcuts="n" onClick={() => void stepMark(view, 1)}>Next</button>
        <button onClick={() => goMark(view, mark, view.markPlace)}>Show</button>
      </div>
    </>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (value && typeof value === 'object') {
    return Object.entries(value).map(([key, one]) => `${key}:${textOf(one)}`).join(' ')
  }
  return String(value)
}

// Returns an integer in hex, as it may be an address or bits.
function hexOf(value: unknown): string {
  const whole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
  return whole && value > 9 ? `0x${value.toString(16).toUpperCase()}` : ''
}

// Fields with the names of what they refer to: `obj` and `obj_name` share one line.
function Fields({ fields }: { fields: { [name: string]: unknown } }) {
  const names = Object.keys(fields).filter(name => !(name.endsWith('_name') && name.slice(0, -5) in fields))
  return (
    <table class="fields">
      <thead><tr><th scope="col">field</th><th scope="col" class="number">value</th><th scope="col">is</th></tr></thead>
      <tbody>
        {names.map(name => {
          const value = fields[name]
          const called = fields[name + '_name']
          return (
            <tr key={name}>
              <th scope="row">{clean(name)}</th>
              <td class="number">{clean(textOf(value), 400)}</td>
              <td>{called === undefined ? <span class="muted">{hexOf(value)}</span> : <bdi>{clean(textOf(called))}</bdi>}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Dump({ raw, at }: { raw: string; at: number }) {
  const bytes = bytesOf(raw)
  const digits = Math.max(6, (at + bytes.length).toString(16).length)
  return (
    <>
      <h4>{bytes.length} bytes at {at} (0x{at.toString(16)})</h4>
      <pre class="dump" aria-label="Bytes of the record">
        {dump(bytes.slice(0, MOST), at).map(line => (
          <div key={line.at}>
            <span class="muted">{line.at.toString(16).padStart(digits, '0')}</span>
            {'  '}{line.hex.slice(0, 8).join(' ').padEnd(24)}{' '}{line.hex.slice(8).join(' ').padEnd(24)}
            <span class="ascii">{line.ascii}</span>
          </div>
        ))}
        {bytes.length > MOST && <div class="muted">and {bytes.length - MOST} more</div>}
      </pre>
    </>
  )
}

function ChosenRecord({ view }: { view: View }) {
  const [number] = useViewed(view, v => [v.record])
  const answer = useAnswer<RecordAnswer>(view, 'record', number === null ? null : { number })
  if (number === null) return <Empty>Choose a record in the table or a mark on the time line.</Empty>
  const data = answer.data
  if (!data?.record) return <Working answer={answer} what="Looking the record up" />
  const { record, raw, at } = data
  return (
    <>
      <dl class={`facts${record.kind === 'loss' ? ' loss' : ''}`}>
        <Line name="record">
          <b><bdi>{clean(record.name ?? record.kind)}</bdi></b>{' '}
          <span class="muted">
            {[`#${record.number}`, record.group_name, record.flags].filter(Boolean).map(one => clean(String(one))).join(', ')}
          </span>
        </Line>
        {typeof record.t === 'number' && <Line name="time"><At view={view} t={record.t} /></Line>}
        {record.core !== undefined && record.core !== null && <Line name="core">{record.core}</Line>}
        <Line name="says"><bdi>{clean(record.words ?? '', 2000)}</bdi></Line>
      </dl>
      <div class="columns">
        {record.fields && Object.keys(record.fields).length > 0 && <Fields fields={record.fields} />}
        {raw ? <div><Dump raw={raw} at={at ?? record.offset ?? 0} /></div> : null}
      </div>
    </>
  )
}

function isJob(view: View): boolean {
  const { picked } = view
  const track = picked && view.rows[picked.row]?.tracks.find(one => one.id === picked.track)
  return track?.kind === 'jobs' && picked!.end > picked!.begin
}

export function Details({ view }: { view: View }) {
  const [, mark, picked, job] = useViewed(view, v => [v.hello?.format ?? null, v.mark, v.picked, isJob(v)])
  return (
    <div class="details">
      {mark && <section aria-label="Failure"><h3>{mark.kind === 'note' ? 'Mark' : 'Failure'}</h3><ChosenMark view={view} mark={mark} /></section>}
      <section aria-label="Slice"><h3>Slice</h3><PickedSlice view={view} /><Lacks view={view} /></section>
      {job && <section class="why" aria-label="Why"><Why key={`${picked!.track} ${picked!.begin}`} view={view} picked={picked!} thing={view.rows[picked!.row].thing} /></section>}
      <section aria-label="Record"><h3>Record</h3><ChosenRecord view={view} /></section>
    </div>
  )
}
