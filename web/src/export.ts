// SPDX-License-Identifier: MIT
// Saves a stretch of the trace as a file: what is selected, or else what is in view. The server
// makes the file.

import { unpack } from './packed'
import { clean } from './text'
import { absolute, countText, shortLength, timeText } from './times'
import type { View } from './view'

export interface Form { as: string; label: string; suffix: string; type: string }

// as: of the op `export`
export const forms: Form[] = [
  { as: 'html', label: 'Save as a page (HTML)', suffix: '.html', type: 'text/html' },
  { as: 'csv', label: 'Save its records (CSV)', suffix: '.csv', type: 'text/csv' },
  { as: 'jsonl', label: 'Save all its tables (JSON lines)', suffix: '.jsonl', type: 'application/jsonl' },
  { as: 'perfetto', label: 'Save for Perfetto', suffix: '.pftrace', type: 'application/octet-stream' },
  { as: 'wfr', label: 'Save as a recording (wfr)', suffix: '.wfr', type: 'application/octet-stream' }
]

export type Stretch = [number, number] // whole ticks since t0

export function canExport(view: View): boolean {
  return !!view.status && !view.hello?.kept && !view.source.compact
}

// Returns the selection, or what is in view of the trace.
export function stretchOf(view: View): Stretch {
  const [from, until] = view.selection ?? [view.from, view.until], last = view.status?.last ?? 0
  const begin = Math.min(Math.max(0, Math.floor(from)), last)
  return [begin, Math.max(begin, Math.min(Math.ceil(until), last))]
}

export function stretchText(view: View, [from, until]: Stretch): string {
  const hz = view.hello?.hz ?? 0
  return `${view.selection ? 'Selection' : 'In view'}: ${timeText(from, hz)}, ${shortLength(until - from, hz)} long`
}

// "philo-0.25s-1.5s.csv": the source without its folder and suffix, and the times that are shown.
export function fileName(view: View, [from, until]: Stretch, form: Form): string {
  const hz = view.hello?.hz ?? 0, source = clean(view.hello?.source ?? '')
  const isLink = /^[a-z-]{2,}:/.test(source) || source === '-' // not a file
  const base = isLink ? source.replace(/^-$/, '') : source.replace(/^.*[/\\:]/, '').replace(/\.[A-Za-z]+$/, '')
  const time = (t: number) => hz > 0 ? `${Number((absolute(t) / hz).toFixed(9))}s` : String(absolute(t))
  return `${base || 'trace'}-${time(from)}-${time(until)}`.replace(/[^\w.+-]+/g, '_').slice(0, 100) + form.suffix
}

function save(name: string, bytes: ArrayBuffer, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes], { type }))
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
}

export async function exportStretch(view: View, stretch: Stretch, form: Form): Promise<void> {
  const abort = new AbortController(), name = fileName(view, stretch, form)
  if (view.exporting && !view.exporting.error) return view.notify('Another export is not done yet')
  const show = (exporting: View['exporting']) => {
    view.exporting = exporting
    view.changed()
  }
  const progress = (of: [number, number] | null) => show({ name, of, error: '', end: () => abort.abort() })
  progress(null)
  try {
    const { data, bytes } = await view.source.ask<{ data: string; bytes: number }>('export',
      { as: form.as, from: stretch[0], until: stretch[1] }, (done, of) => progress([done, of]), abort.signal)
    save(name, await unpack(data), form.type)
    show(null)
    view.notify(`Saved ${name}, ${countText(Math.ceil(bytes / 1000))} kB`)
  } catch (error) {
    const text = clean(String((error as Error)?.message ?? error), 300)
    show(abort.signal.aborted ? null : { name, of: null, error: text, end: () => show(null) })
  }
}

// Opens the menu of the forms below the button in the header.
export function openExport(view: View): void {
  const box = document.querySelector('.open-export')?.getBoundingClientRect()
  view.openMenu({ row: -1, slice: null, record: null, stretch: stretchOf(view) }, box?.left ?? innerWidth, box?.bottom ?? 0)
}
