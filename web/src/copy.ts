// SPDX-License-Identifier: MIT
// Copies to the clipboard. The server's page has no secure context when it is reached by a host name,
// where browsers have no navigator.clipboard: then a text field is copied.

import { targetName, targetText, targetTime } from './menu'
import type { Target } from './menu'
import { timeText } from './times'
import type { View } from './view'

function copyField(text: string): boolean {
  const field = document.createElement('textarea')
  const before = document.activeElement as HTMLElement | null
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  const good = document.execCommand('copy')
  field.remove()
  before?.focus()
  return good
}

export async function copyText(view: View, text: string): Promise<void> {
  const good = await (navigator.clipboard?.writeText(text).then(() => true) ?? Promise.resolve(false)).catch(() => false)
  view.notify(good || copyField(text) ? 'Copied' : 'The browser does not allow copying')
}

// A field of CSV. What a spreadsheet would read as a formula begins with an apostrophe, as in the
// files of `wallfly convert`.
export function csvField(value: string | number | bigint): string {
  const text = String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}

// Time, length in ticks (of a slice), name, text.
export function csvLine(view: View, at: Target): string {
  const time = timeText(targetTime(at)!, view.hello?.hz ?? 0).replace(/\u202f| s$|ticks?$/g, '').trim()
  const length = at.slice ? at.slice.end - at.slice.begin : ''
  return [time, length, targetName(view, at), targetText(view, at)].map(csvField).join(',')
}

export function copyCsv(view: View, at: Target): void {
  void copyText(view, csvLine(view, at))
}
