// SPDX-License-Identifier: MIT
// Actions that work anywhere, by key or from the search. Those of the canvas are in input.ts. The
// help shows the table `actions`, and dispatch() looks up keys in it.

import { copyText } from './copy'
import { canExport, openExport } from './export'
import { goRaise, goStretch, hasHoles, nextLoss, tracksOf } from './go'
import { figuresOf } from './statistics'
import type { View } from './view'
import { clockKinds } from './wall'

export interface Shell {
  view: View
  search(): void
  help(): void
  findAgain(way: 1 | -1): void
}

export interface Action {
  keys: string[] // as KeyboardEvent.key; Ctrl+ is also the command key; Shift+ only before keys with long names
  says: string
  run(shell: Shell): void
  only?(view: View): boolean
  opens?: string // title of a panel
}

// key: of those behind the ninth
export const panels: { name: string; title: string; key?: string; only?(view: View): boolean }[] = [
  { name: 'records', title: 'Records' },
  { name: 'details', title: 'Details' },
  { name: 'stats', title: 'Statistics' },
  { name: 'sequence', title: 'Sequence' },
  { name: 'machine', title: 'States' },
  { name: 'plots', title: 'Plots' },
  { name: 'losses', title: 'Losses' },
  { name: 'commands', title: 'Commands', only: view => !!view.hello?.commands },
  { name: 'rules', title: 'Rules', only: view => view.rules.rules.length > 0 && !view.source.compact },
  { name: 'hits', title: 'Search', key: 'r', only: view => !view.source.compact },
  { name: 'markers', title: 'Markers', key: 'k', only: view => !view.source.compact },
  { name: 'objects', title: 'Objects', key: 'o', only: view => !view.source.compact },
  { name: 'sql', title: 'SQL', key: 'q', only: view => !view.source.compact },
  { name: 'trigger', title: 'Trigger', key: 't', only: view => !!view.hello?.live }
]
export const CLOSED = 'none'

export function shownPanels(view: View) {
  return panels.filter(panel => !panel.only || panel.only(view))
}

export function openPanel(view: View, name: string): void {
  view.panel = name
  view.changed()
}

// Shows the figures of a row, if it has any.
export function showFigures(view: View, row: number): void {
  const kind = view.rows[row]?.kind
  if (!kind || !figuresOf[kind]) return view.notify(kind ? 'This row has no figures' : 'Point at a row for its figures')
  view.figures = row
  view.choices.figures = figuresOf[kind]
  openPanel(view, 'stats')
}

export function setLive(view: View, live: boolean): void {
  if (!live) return view.go(view.from, view.until)
  view.follow = true
  if (view.status) {
    const width = view.until - view.from
    view.until = Math.max(view.status.last, width)
    view.from = view.until - width
  }
  view.changed()
}

export function setTheme(view: View, dark: boolean): void {
  view.dark = dark
  view.changed()
}

// The address holds all that is chosen (hash.ts).
export function copyLink(view: View): void {
  void copyText(view, view.link())
}

// The ruler shows the next one of: trace time, UTC, local time.
export function turnClock(view: View): void {
  view.clock = clockKinds[(clockKinds.indexOf(view.clock) + 1) % clockKinds.length]
  view.changed()
}

export async function goLoss(view: View): Promise<void> {
  const inView = view.cursor !== null && view.cursor >= view.from && view.cursor <= view.until
  const next = await nextLoss(view, inView ? view.cursor! : view.from).catch(() => null)
  if (next) goStretch(view, next[0], next[1])
}

export const actions: Action[] = [
  { keys: ['/', 'Ctrl+k'], says: 'search: rows, names, times, text of records', run: shell => shell.search() },
  { keys: ['F3'], says: 'next hit of the text searched for', run: shell => shell.findAgain(1) },
  { keys: ['Shift+F3'], says: 'previous hit', run: shell => shell.findAgain(-1) },
  { keys: ['i'], says: 'next inherited priority: who raised which task, and for what', run: ({ view }) => void goRaise(view),
    only: view => tracksOf(view, 'priority').length > 0 },
  { keys: ['l'], says: 'next loss', run: ({ view }) => void goLoss(view), only: hasHoles },
  ...panels.map((panel, i): Action => ({
    keys: [panel.key ?? String(i + 1)], says: `panel: ${panel.title}`, opens: panel.title,
    run: ({ view }) => openPanel(view, panel.name), only: panel.only
  })),
  { keys: ['`'], says: 'close or open the panel',
    run: ({ view }) => openPanel(view, view.panel === CLOSED ? 'records' : CLOSED) },
  { keys: ['c'], says: 'copy a link to all that is chosen', run: ({ view }) => copyLink(view), only: view => !view.source.compact },
  { keys: ['x'], says: 'export the selection, or what is in view, as a file', run: ({ view }) => openExport(view), only: canExport },
  { keys: ['h'], says: 'the ruler’s clock: trace time, UTC, local time', run: ({ view }) => turnClock(view), only: view => !!view.hello?.wall },
  { keys: ['T'], says: 'dark or light', run: ({ view }) => setTheme(view, !view.dark) },
  { keys: ['?'], says: 'this help', run: shell => shell.help() }
]

export function keyOf(event: KeyboardEvent): string {
  const shift = event.shiftKey && event.key.length > 1 ? 'Shift+' : ''
  return (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + shift + event.key
}

// Returns whether the target takes text, so that letter keys are input for it.
export function typing(target: EventTarget | null): boolean {
  // Not instanceof: the element may be in a frame, which has a class of its own.
  return !!(target as Partial<HTMLElement> | null)?.closest?.('input:not([type=checkbox]), textarea, select, [contenteditable]')
}

export function dispatch(event: KeyboardEvent, shell: Shell): boolean {
  if (event.altKey || event.defaultPrevented) return false
  const key = keyOf(event)
  if (typing(event.target) && event.key.length === 1 && !key.startsWith('Ctrl+')) return false
  const action = actions.find(one => one.keys.includes(key) && (!one.only || one.only(shell.view)))
  if (!action) return false
  action.run(shell)
  return true
}
