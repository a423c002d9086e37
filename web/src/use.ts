// SPDX-License-Identifier: MIT
// Hooks: values of the view that a component shows, and answers of the server to its requests.

import { useCallback, useEffect, useReducer, useRef, useState } from 'preact/hooks'
import { movesOn } from './store'
import type { View } from './view'

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]))
}

// Draws the component again only when one of the values that `pick` takes from the view changes.
export function useViewed<T extends readonly unknown[]>(view: View, pick: (view: View) => readonly [...T]): readonly [...T] {
  const [, again] = useReducer((count: number) => count + 1, 0)
  const last = useRef<readonly unknown[]>([])
  const how = useRef(pick)
  how.current = pick
  const now = pick(view)
  last.current = now
  useEffect(() => view.listen(changed => {
    if (!same(how.current(changed), last.current)) again(0)
  }), [view])
  return now
}

// Returns the last value that did not change for `ms`.
export function useRested<T>(value: T, ms: number, key = JSON.stringify(value)): T {
  const [rested, set] = useState({ value, key })
  useEffect(() => {
    if (key === rested.key) return
    const timer = setTimeout(() => set({ value, key }), ms)
    return () => clearTimeout(timer)
  }, [key, ms])
  return rested.value
}

// Returns the value, updated at most once in `ms`.
export function useThrottled<T>(value: T, ms: number): T {
  const [shown, set] = useState(value)
  const next = useRef(value)
  next.current = value
  useEffect(() => {
    if (shown === value) return
    const timer = setTimeout(() => set(next.current), ms)
    return () => clearTimeout(timer)
  }, [shown, shown === value, ms])
  return shown
}

// Returns a handler of the wheel: turns its pixels into lines of a table. `scroll` moves by that many.
export function useWheel(lineHeight: number, scroll: (lines: number) => void): (event: WheelEvent) => void {
  const pixels = useRef(0) // not scrolled yet
  return event => {
    if (event.ctrlKey || !event.deltaY) return
    pixels.current += event.deltaMode === 1 ? event.deltaY * lineHeight : event.deltaY
    const lines = Math.trunc(pixels.current / lineHeight)
    pixels.current -= lines * lineHeight
    if (lines) scroll(lines)
    event.preventDefault()
  }
}

export interface Answer<T> {
  data: T | null // the last one, also while a newer one is under way; null when that failed
  error: string | null
  busy: boolean
  progress: [number, number] | null
  took: number // ms, of the last one
  cancel(): void
  again(): void
}

type State<T> = Omit<Answer<T>, 'cancel' | 'again'>
const noAnswer = { data: null, error: null, busy: false, progress: null, took: 0 }

// The last answer for a component that may be gone for a while; key: the request that it answers.
export interface Kept<T> { key: string | null; state: State<T> | null }

// Sends a request when `op` or `fields` change (null: none); cancels one that is no longer wanted. What
// `kept` has the answer of is not requested again.
export function useAnswer<T>(view: View, op: string, fields: object | null, kept?: Kept<T>): Answer<T> {
  const [state, set] = useState<State<T>>(kept?.state ?? noAnswer)
  const abort = useRef<AbortController | null>(null)
  const key = fields && JSON.stringify(fields)
  const [tries, again] = useReducer((count: number) => count + 1, 0)
  const end = (next: State<T>) => {
    if (kept) Object.assign(kept, { key, state: next })
    set(next)
  }
  useEffect(() => {
    if (!fields || (kept && kept.key === key && tries === 0)) return
    const own = new AbortController(), begin = performance.now()
    abort.current = own
    set(old => ({ ...old, busy: true, progress: null }))
    view.source.ask<T>(op, fields, (done, of) => {
      if (!own.signal.aborted) set(old => ({ ...old, progress: [done, of] }))
    }, own.signal).then(
      data => own.signal.aborted || end({ data, error: null, busy: false, progress: null, took: performance.now() - begin }),
      error => own.signal.aborted || end({ ...noAnswer, error: String(error?.message ?? error) }))
    return () => own.abort()
  }, [view, op, key, tries])
  const cancel = useCallback(() => {
    abort.current?.abort()
    end({ ...noAnswer, error: 'cancelled', took: Infinity })
  }, [key])
  return { ...state, cancel, again: () => again(0) }
}

export interface Stretch { from: number; until: number; selected: boolean; live: boolean }

function stretchOf(view: View): Stretch {
  const { selection } = view
  if (selection) return { from: Math.floor(selection[0]), until: Math.ceil(selection[1]), selected: true, live: false }
  const last = Math.max(1, (view.status?.last ?? 0) + 1)
  return {
    from: Math.min(Math.max(0, Math.floor(view.from)), last - 1), until: Math.max(1, Math.min(Math.ceil(view.until), last)),
    selected: false, live: movesOn(view) && !!view.hello?.live
  }
}

// The time range of a panel: the selection, or the visible range once it rests. `live`: it moves
// all the time, so a panel should not send requests by itself; the range is then updated rarely.
export function useStretch(view: View): Stretch {
  const [stretch, set] = useState(() => stretchOf(view))
  useEffect(() => {
    let key = '', timer = 0
    const take = () => {
      timer = 0
      set(stretchOf(view))
    }
    const look = () => {
      const now = stretchOf(view)
      const next = Object.values(now).join()
      if (next === key) return
      key = next
      if (now.live && timer) return
      clearTimeout(timer)
      timer = window.setTimeout(take, now.live ? 500 : 250)
    }
    take()
    look()
    const end = view.listen(look)
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [view])
  return stretch
}

// The size of an element, kept up to date.
export function useSize(element: { current: HTMLElement | null }): [number, number] {
  const [size, set] = useState<[number, number]>([0, 0])
  useEffect(() => {
    const host = element.current
    if (!host) return
    const measure = () => set([host.clientWidth, host.clientHeight])
    const watch = new ResizeObserver(measure)
    watch.observe(host)
    measure()
    return () => watch.disconnect()
  }, [])
  return size
}
