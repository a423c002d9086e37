// SPDX-License-Identifier: MIT
// Commands to the target, as `wallfly send` takes them: a line with history and completion, forms
// for the most used ones, and their results.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { View } from '../view'
import { alwaysOn, complete, commands, filterLine, forms, groupsOff } from '../commands'
import type { Field, Form, Known } from '../commands'
import { tracksOf } from '../go'
import { ownName } from '../names'
import { clean } from '../text'
import { useAnswer, useViewed } from '../use'

const HISTORY = 100

function useKnown(view: View): Known {
  const [things, hello] = useViewed(view, v => [v.things, v.hello])
  return useMemo(() => {
    const named = (kind: string) => things.filter(one => one.kind === kind && one.name).map(ownName)
    const names = (kind: string) => [...new Set(named(kind))].sort()
    return { signals: names('signal'), objects: names('object'), groups: hello?.groups ?? [] }
  }, [things, hello])
}

// Sends a line. `error` is the reason why it could not be sent; the result of the command comes in
// the log.
function useSend(view: View) {
  const [state, set] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null })
  const send = async (line: string) => {
    set({ busy: true, error: null })
    try {
      await view.source.ask('command', { line })
      set({ busy: false, error: null })
      return true
    } catch (error) {
      set({ busy: false, error: String((error as Error)?.message ?? error) })
      return false
    }
  }
  return { ...state, send }
}

function Input({ known, send, history }: { known: Known; send(line: string): Promise<boolean>; history: string[] }) {
  const [line, setLine] = useState('')
  const [back, setBack] = useState(0) // steps back in the history; 0: the line being typed
  const [chosen, choose] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const { from, words } = complete(line, known)
  const offered = line.trim() ? words.slice(0, 12) : []
  const set = (text: string) => {
    setLine(text)
    choose(-1)
  }
  const take = (word: string) => {
    set(line.slice(0, from) + word + (word.endsWith(':') ? '' : ' '))
    input.current?.focus()
  }
  const recall = (to: number) => {
    if (to < 0 || to > history.length) return
    setBack(to)
    set(to ? history[history.length - to] : '')
  }
  const submit = () => {
    if (!line.trim()) return
    setBack(0)
    set('')
    void send(line.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' && !event.shiftKey && offered.length) take(offered[Math.max(chosen, 0)])
    else if (event.key === 'ArrowRight' && event.altKey && offered.length) choose((chosen + 1) % offered.length)
    else if (event.key === 'ArrowUp') recall(back + 1)
    else if (event.key === 'ArrowDown') recall(back - 1)
    else if (event.key === 'Enter') submit()
    else if (event.key === 'Escape' && line) set('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const says = commands.find(one => one.name === line.trimStart().split(/\s/)[0])
  return (
    <div class="command-line">
      <label>
        <span class="prompt" aria-hidden="true">›</span>
        <input ref={input} class="line" type="text" value={line} spellcheck={false} autocomplete="off" aria-label="Command"
          placeholder="a command, as wallfly send takes it; Tab completes, ↑ recalls"
          onInput={event => set(event.currentTarget.value)} onKeyDown={onKeyDown} />
      </label>
      <button class="primary" onClick={submit}>Send</button>
      <div class="offers">
        {offered.map((word, i) => (
          <button key={word} tabIndex={-1} class={i === Math.max(chosen, 0) ? 'chosen' : ''} onClick={() => take(word)}>
            <bdi>{clean(word, 60)}</bdi>
          </button>
        ))}
        {says && <span class="muted"><code>{says.name} {says.words}</code> {says.says}</span>}
      </div>
    </div>
  )
}

function FieldInput({ field, value, set, known }: { field: Field; value: string; set(value: string): void; known: Known }) {
  const choices = field.choices ?? []
  if (choices.length) {
    return (
      <label>{field.value && field.label}
        <select aria-label={field.label} value={value} onChange={event => set(event.currentTarget.value)}>
          {choices.map(choice => <option key={choice} value={choice}>{choice}</option>)}
        </select>
      </label>
    )
  }
  const list = field.from ? known[field.from] : []
  return (
    <label>{field.value && field.label}
      <input type="text" class={field.value ? 'short' : undefined} value={value} spellcheck={false} aria-label={field.label}
        placeholder={field.value ? undefined : field.hint ?? field.label} title={field.hint && `${field.label}: ${field.hint}`}
        list={field.from && `known-${field.from}`} onInput={event => set(event.currentTarget.value)} />
      {field.from && <datalist id={`known-${field.from}`}>{list.slice(0, 500).map(one => <option key={one} value={one} />)}</datalist>}
    </label>
  )
}

function FormRow({ form, known, send }: { form: Form; known: Known; send(line: string): Promise<boolean> }) {
  const [values, set] = useState(() =>
    Object.fromEntries(form.fields.map(field => [field.name, field.value ?? field.choices?.[0] ?? ''])))
  return (
    <div class="form-row" role="group" aria-label={form.title} onKeyDown={event => {
      if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
      event.preventDefault()
      void send(form.line(values))
    }}>
      <b>{form.title}</b>
      {form.fields.map(field => (
        <FieldInput key={field.name} field={field} value={values[field.name]} known={known}
          set={value => set({ ...values, [field.name]: value })} />
      ))}
      <button onClick={() => void send(form.line(values))}>Send</button>
    </div>
  )
}

// The groups that are off, from the last slice of the filters' track. A switch sends the whole
// filter; its new state is shown until the next answer arrives.
function Filters({ view, groups, send }: { view: View; groups: string[]; send(line: string): Promise<boolean> }) {
  const [rows, said] = useViewed(view, v => [v.rows, v.said.length])
  const track = useMemo(() => tracksOf(view, 'filters')[0]?.track.id, [rows])
  const last = view.status?.last ?? 0
  const answer = useAnswer<{ slice: number[] | null }>(view, 'step',
    track === undefined ? null : { track, at: last + 1, way: -1, value: null, said })
  const [own, setOwn] = useState<ReadonlySet<string> | null>(null)
  useEffect(() => setOwn(null), [answer.data])
  const told = groupsOff(groups, answer.data?.slice ?? null)
  const off = own ?? told ?? new Set<string>()
  const change = (next: ReadonlySet<string>) => {
    setOwn(next)
    void send(filterLine(groups, next)).then(good => good || setOwn(own))
  }
  const toggle = (group: string) => {
    const next = new Set(off)
    if (!next.delete(group)) next.add(group)
    change(next)
  }
  const switched = groups.filter(group => !alwaysOn.includes(group))
  return (
    <fieldset class="filters">
      <legend>Records that the target sends{own || told ? '' : ' (not set by this server yet)'}</legend>
      {switched.map(group => (
        <label key={group}>
          <input type="checkbox" role="switch" checked={!off.has(group)} onChange={() => toggle(group)} />{clean(group)}
        </label>
      ))}
      <button onClick={() => change(new Set())}>All</button>
      <button onClick={() => change(new Set(switched))}>None</button>
    </fieldset>
  )
}

function Log({ view }: { view: View }) {
  const [said] = useViewed(view, v => [v.said])
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => end.current?.scrollTo(0, end.current.scrollHeight), [said.length])
  return (
    <div class="log" role="log" aria-label="Results" ref={end} tabIndex={0}>
      {said.map((one, i) => (
        <div key={i} class={`said ${/^[a-z]+$/.test(one.end) ? one.end : ''}`}>
          <bdi class="said-command">{clean(one.command)}</bdi>
          <span class="said-end">{clean(one.end)}</span>
          <bdi>{clean(one.text, 2000)}</bdi>
        </div>
      ))}
      {!said.length && <p class="empty">Results of commands are shown here, also those of other pages.</p>}
    </div>
  )
}

// Whether a line has a command that ends what the target does.
const resets = (line: string) => line.split(';').some(one => /^\s*reset\s*$/i.test(one))

// A line with a reset is sent by a second click. line: the one that waits; null: none.
function Reset({ line, ask, send }: { line: string | null; ask(line: string | null): void; send(line: string): Promise<boolean> }) {
  const end = () => ask(null)
  if (line === null) return <button class="reset" onClick={() => ask('reset')}>Reset…</button>
  return (
    <span class="asks" role="group" aria-label="Reset the target?" onKeyDown={event => {
      if (event.key !== 'Escape') return
      end()
      event.stopPropagation()
    }}>
      Reset the target?
      <button class="primary" ref={button => button?.focus()} onClick={() => {
        end()
        void send(line)
      }}>Reset</button>
      <button onClick={end}>Cancel</button>
    </span>
  )
}

export function Commands({ view }: { view: View }) {
  const known = useKnown(view)
  const { busy, error, send } = useSend(view)
  const [history, setHistory] = useState<string[]>([])
  const [waits, setWaits] = useState<string | null>(null) // a line with a reset
  const host = useRef<HTMLDivElement>(null), back = useRef('') // which has the focus when the question has gone
  const ask = (line: string | null) => {
    if (line !== null) back.current = host.current!.querySelector('.line:focus') ? '.line' : '.reset'
    setWaits(line)
  }
  useLayoutEffect(() => {
    if (waits === null && back.current) host.current!.querySelector<HTMLElement>(back.current)?.focus()
  }, [waits])
  const sent = (line: string) => {
    setHistory([...history.filter(one => one !== line), line].slice(-HISTORY))
    return send(line)
  }
  const typed = (line: string) => {
    if (!resets(line)) return sent(line)
    ask(line)
    return Promise.resolve(true)
  }
  return (
    <div class="commands" ref={host}>
      <div class="command-forms">
        <Filters view={view} groups={known.groups} send={sent} />
        {forms.map(form => <FormRow key={form.title} form={form} known={known} send={sent} />)}
        <div class="form-row">
          <b>Target</b>
          <button onClick={() => void sent('info')}>Info</button>
          <Reset line={waits} ask={ask} send={sent} />
        </div>
      </div>
      <div class="command-talk">
        <Log view={view} />
        <div class="command-state" role="status">
          {busy && <span class="muted">sending…</span>}
          {error && <span class="wrong" role="alert">{clean(error)}</span>}
        </div>
        <Input known={known} send={typed} history={history} />
      </div>
    </div>
  )
}
