// SPDX-License-Identifier: MIT
// Keys of the time line. A panel that uses one of them for itself calls preventDefault.

import type { Canvas } from './canvas'
import * as moves from './moves'

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

const actions: { [key: string]: (canvas: Canvas, t: number) => void } = {
  w: zoomBy(1 / ZOOM), ArrowUp: zoomBy(1 / ZOOM), '+': zoomBy(1 / ZOOM),
  s: zoomBy(ZOOM), ArrowDown: zoomBy(ZOOM), '-': zoomBy(ZOOM),
  a: panBy(-PAN), ArrowLeft: panBy(-PAN),
  d: panBy(PAN), ArrowRight: panBy(PAN),
  PageUp: scrollBy(-0.8), PageDown: scrollBy(0.8),
  f: canvas => canvas.view.fit(),
  z: canvas => {
    const { selection, picked } = canvas.view
    if (selection) moves.show(canvas, ...selection)
    else if (picked) moves.show(canvas, picked.begin, picked.end)
  },
  Escape: moves.clear,
  ' ': moves.followOrFreeze,
  Home: moves.begin,
  End: moves.newest,
  ']': canvas => void moves.stepPicked(canvas, 1),
  n: canvas => void moves.stepPicked(canvas, 1),
  '[': canvas => void moves.stepPicked(canvas, -1),
  p: canvas => void moves.stepPicked(canvas, -1)
}

// Does the element take this key itself?
function takesKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return true
  return key === ' ' && /^(BUTTON|A|SUMMARY)$/.test(target.tagName)
}

// Does what the key means, at the moment t; returns whether it means something.
export function pressKey(canvas: Canvas, event: KeyboardEvent, t: number): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const action = Object.hasOwn(actions, key) ? actions[key] : undefined
  if (!action || takesKeys(event.target, key)) return false
  action(canvas, t)
  event.preventDefault()
  return true
}
