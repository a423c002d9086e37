// SPDX-License-Identifier: MIT
// Keys of the time line. A panel that uses one of them for itself calls preventDefault.

import { showFigures } from './actions'
import type { Canvas } from './canvas'
import { frame, stepSlice } from './go'
import { nextWindow } from './loads'
import { bringBack, removeMarker, stepMarker } from './markers'
import * as moves from './moves'
import { pickAcross, pickAlong, selectPicked } from './pick_keys'

const ZOOM = 1.35, PAN = 0.12

function zoomBy(factor: number): (canvas: Canvas, t: number) => void {
  return (canvas, t) => moves.zoom(canvas, t, factor)
}

function panBy(share: number): (canvas: Canvas) => void {
  return canvas => moves.pan(canvas, share)
}

function scrollBy(share: number): (canvas: Canvas) => void {
  return canvas => {
    canvas.geometry.scrollTo(canvas.geometry.scroll + canvas.geometry.view * share)
    canvas.redraw()
  }
}

type Run = (canvas: Canvas, t: number) => void

function zoomToChosen(canvas: Canvas): void {
  const { selection, picked, record, cursor } = canvas.view
  if (selection) moves.show(canvas, ...selection)
  else if (picked) moves.show(canvas, picked.begin, picked.end)
  else if (record !== null && cursor !== null) void frame(canvas.view, cursor, cursor)
}

// Letters as they are without shift. The help shows this table.
export const canvasKeys: { keys: string[]; says: string; run: Run }[] = [
  { keys: ['w', 'ArrowUp', '+'], says: 'zoom in, at the pointer', run: zoomBy(1 / ZOOM) },
  { keys: ['s', 'ArrowDown', '-'], says: 'zoom out', run: zoomBy(ZOOM) },
  { keys: ['a', 'ArrowLeft'], says: 'earlier', run: panBy(-PAN) },
  { keys: ['d', 'ArrowRight'], says: 'later', run: panBy(PAN) },
  { keys: ['PageUp'], says: 'rows further up', run: scrollBy(-0.8) },
  { keys: ['PageDown'], says: 'rows further down', run: scrollBy(0.8) },
  { keys: ['f'], says: 'the whole trace', run: canvas => canvas.view.fit() },
  { keys: ['z'], says: 'zoom to the selection, the picked slice or the record', run: zoomToChosen },
  { keys: ['Home'], says: 'the beginning', run: moves.begin },
  { keys: ['End'], says: 'the newest data', run: moves.newest },
  { keys: [' '], says: 'live: follow or freeze', run: moves.followOrFreeze },
  { keys: ['Shift+ArrowDown'], says: 'a slice of the row below, or of its next lane', run: canvas => void pickAcross(canvas, 1) },
  { keys: ['Shift+ArrowUp'], says: 'a slice of the row above', run: canvas => void pickAcross(canvas, -1) },
  { keys: ['Shift+ArrowRight'], says: 'next slice of the row', run: canvas => void pickAlong(canvas, 1) },
  { keys: ['Shift+ArrowLeft'], says: 'previous slice of the row', run: canvas => void pickAlong(canvas, -1) },
  { keys: ['b'], says: 'select the time of the picked slice; extend the selection to it', run: selectPicked },
  { keys: [']'], says: 'next slice of the same kind', run: canvas => void stepSlice(canvas.view, 1) },
  { keys: ['['], says: 'previous slice of the same kind', run: canvas => void stepSlice(canvas.view, -1) },
  { keys: ['e'], says: 'expand the row: a task’s priority and stack, curves in full height',
    run: canvas => moves.expand(canvas, canvas.rowInHand()) },
  { keys: ['g'], says: 'figures of the row: lengths, responses, periods', run: canvas => showFigures(canvas.view, canvas.rowInHand()) },
  { keys: ['v'], says: 'windows of the CPU load: by the zoom, 100 µs, 1 ms, ... 10 s', run: ({ view }) => {
    view.loadWindow = nextWindow(view.loadWindow)
    view.changed()
  } },
  { keys: ['m'], says: 'set a marker, with a note', run: canvas => canvas.note(canvas.timeInHand()) },
  { keys: ['.'], says: 'next marker', run: ({ view }) => stepMarker(view, 1) },
  { keys: [','], says: 'previous marker', run: ({ view }) => stepMarker(view, -1) },
  { keys: ['Delete'], says: 'remove the chosen marker', run: ({ view }) => removeMarker(view, view.marker) },
  { keys: ['u'], says: 'bring back the marker that was removed last', run: ({ view }) => bringBack(view) },
  { keys: ['n'], says: 'next failure of the rules; as ] if there are none', run: canvas => moves.stepMarked(canvas, 1) },
  { keys: ['p'], says: 'previous failure; as [ if there are none', run: canvas => moves.stepMarked(canvas, -1) },
  { keys: ['Escape'], says: 'clear the selection, the marker, the failure, or the picked slice', run: moves.clear }
]
const runs = new Map(canvasKeys.flatMap(({ keys, run }) => keys.map((key): [string, Run] => [key, run])))

// Returns whether the key opens a context menu.
export function isMenuKey(event: KeyboardEvent): boolean {
  return event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)
}

// Returns whether the element handles this key itself.
function takesKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return true
  return key === ' ' && /^(BUTTON|A|SUMMARY)$/.test(target.tagName)
}

// Runs the action of the key at time t. Returns whether it ran one.
export function pressKey(canvas: Canvas, event: KeyboardEvent, t: number): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const key = event.shiftKey && runs.has(`Shift+${name}`) ? `Shift+${name}` : name
  const action = runs.get(key)
  if (!action || takesKeys(event.target, key)) return false
  action(canvas, t)
  event.preventDefault()
  return true
}
