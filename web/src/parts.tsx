// SPDX-License-Identifier: MIT
// Small components that panels share.

import type { ComponentChildren } from 'preact'
import type { Answer } from './use'
import type { View } from './view'
import { clean } from './text'
import { shortLength, timeText } from './times'

export function Progress({ of, label }: { of: [number, number] | null; label: string }) {
  if (!of) return <progress class="progress" aria-label={label} />
  return <progress class="progress" aria-label={label} max={Math.max(of[1], 1)} value={of[0]} />
}

// The progress or the error of a request; nothing otherwise.
export function Working({ answer, what }: { answer: Answer<unknown>; what: string }) {
  if (answer.busy) {
    return (
      <span class="working" role="status">
        <Progress of={answer.progress} label={what} />
        <span class="muted">{what}…</span>
        <button onClick={answer.cancel}>Cancel</button>
      </span>
    )
  }
  if (!answer.error) return null
  return (
    <span class="working">
      <span class="wrong" role="alert">{clean(answer.error)}</span>
      <button onClick={answer.again}>Again</button>
    </span>
  )
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

// What the trace's format does not record, so that it is unknown on this page.
export function Lacks({ view }: { view: View }) {
  const format = view.hello?.format
  if (!format?.lacks.length) return null
  return (
    <p class="lacks">
      Not in {clean(format.title)}, so not known here: {format.lacks.map(one => clean(one)).join(', ')}.
    </p>
  )
}

export function Name({ text, most }: { text: string; most?: number }) {
  const shown = clean(text, most)
  return <bdi class="name" title={shown}>{shown}</bdi>
}

// The time range of a panel.
export function Stretch({ view, from, until, selected }: { view: View; from: number; until: number; selected: boolean }) {
  const hz = view.hello?.hz ?? 0
  return (
    <span class="stretch">
      <b>{selected ? 'Selection' : 'In view'}</b> {shortLength(until - from, hz)}
      <span class="muted"> from {timeText(from, hz)}</span>
    </span>
  )
}

// A column head that sorts its table.
export interface Sort { by: string; down: boolean }
export function SortHead({ name, label, sort, set, number, title }: {
  name: string; label: string; sort: Sort; set(sort: Sort): void; number?: boolean; title?: string
}) {
  const chosen = sort.by === name
  return (
    <th class={number ? 'number' : ''} scope="col" aria-sort={chosen ? (sort.down ? 'descending' : 'ascending') : 'none'}>
      <button class="head" title={title} onClick={() => set({ by: name, down: chosen ? !sort.down : !!number })}>
        {label}<span class="way" aria-hidden="true">{chosen ? (sort.down ? '▾' : '▴') : ''}</span>
      </button>
    </th>
  )
}

// A text with the letters that match a search marked.
export function Marked({ text, at }: { text: string; at: number[] }) {
  const marked = new Set(at)
  const runs: { text: string; on: boolean }[] = []
  for (let i = 0; i < text.length; i++) {
    const on = marked.has(i)
    const last = runs[runs.length - 1]
    if (last && last.on === on) last.text += text[i]
    else runs.push({ text: text[i], on })
  }
  return <bdi>{runs.map(run => (run.on ? <mark>{run.text}</mark> : run.text))}</bdi>
}
