// SPDX-License-Identifier: MIT
// The load of cores in windows of time on a fixed grid: requested in chunks, which are kept (the least
// recently used are dropped first). Until a chunk comes, one of shorter or longer windows stands in.

import { firstTick } from './store'
import type { View } from './view'

const WINDOWS = 256 // in a chunk
const CHUNKS_MOST = 300
const BATCH = 8 // requests at a time
const AUTO_PIXELS = 8, LEAST_PIXELS = 2 // width of a window
const RETRY_MS = 500
const NEAR = 4 // doublings of the window that are looked through for a stand-in

export const loadWindows = [0, 1e-4, 1e-3, 1e-2, 0.1, 1, 10] // seconds; 0: by the zoom

// [thing, ticks, thing, ticks, ...] of each window; step: windows that are multiples of it are exact.
export interface LoadAnswer { loads: number[][]; exact: boolean; step: number; last: number }

interface Chunk extends LoadAnswer { wanted: number } // wanted: the trace's end when it was requested. Parts are in the order of the stack

// A window of time as it is shown; until: at most the trace's end.
export interface LoadWindow { from: number; until: number; parts: number[]; exact: boolean }

// Returns the next length of the windows to choose.
export function nextWindow(seconds: number): number {
  return loadWindows[(loadWindows.indexOf(seconds) + 1) % loadWindows.length]
}

// The length of windows in ticks: a power of two of about 8 pixels, or the chosen one, doubled until it
// has 2 pixels. step: the shortest window that the server has figures of.
export function windowTicks(seconds: number, hz: number, ticksPerPixel: number, step: number): number {
  const power = (least: number) => 2 ** Math.max(0, Math.ceil(Math.log2(least)))
  if (!seconds || !hz) return Math.max(power(ticksPerPixel * AUTO_PIXELS), step)
  let ticks = Math.max(1, Math.round(seconds * hz))
  while (ticks < ticksPerPixel * LEAST_PIXELS) ticks *= 2
  return ticks
}

// Runs of a core in a file (struct wf_load_run): begin, ticks, thing of each, in order.
export type Runs = number[]

// Adds the time of each thing in from..until to `sums`. Returns whether the sums are exact.
export function sumRuns(runs: Runs, step: number, from: number, until: number, sums: Map<number, number>): boolean {
  const end = (i: number) => runs[3 * i] + (runs[3 * i + 1] >= step ? runs[3 * i + 1] : step)
  const count = runs.length / 3
  let low = 0, high = count, exact = true
  while (low < high) {
    const middle = low + high >> 1
    if (end(middle) <= from) low = middle + 1
    else high = middle
  }
  for (let i = low; i < count && runs[3 * i] < until; i++) {
    const [begin, ticks, thing] = runs.slice(3 * i, 3 * i + 3)
    const part = Math.min(end(i), until) - Math.max(begin, from)
    if (part <= 0) continue
    const whole = ticks >= step
    exact &&= whole || part === step
    sums.set(thing, (sums.get(thing) ?? 0) + (whole ? part : ticks * part / step))
  }
  return exact
}

export class Loads {
  private readonly chunks = new Map<string, Chunk>() // in the order of use
  private readonly wanted = new Map<string, [number, number, number]>() // core, width, index
  private flying = false
  private failed = -RETRY_MS
  private retry = 0
  private generation = 0
  private place: (thing: number) => number = thing => thing
  step = 1 // of the last answer
  version = 0 // changes with the chunks

  constructor(private readonly view: View, private readonly came: () => void) {}

  // Drops all: they are of another trace, or the trace has begun again.
  forget(): void {
    this.chunks.clear()
    this.generation++
    this.version++
    this.step = 1
  }

  get busy(): boolean {
    return this.flying || this.wanted.size > 0
  }

  // Begins a frame: only what it looks up is wanted. place: of a thing in the stack, from the foot.
  begin(place: (thing: number) => number): void {
    this.wanted.clear()
    if (place === this.place) return
    this.place = place
    this.version++
    for (const { loads } of this.chunks.values()) loads.forEach((parts, i) => { loads[i] = this.stacked(parts) })
  }

  private stacked(parts: number[]): number[] {
    const { place } = this
    const things = parts.flatMap((thing, i) => i % 2 ? [] : [[thing, parts[i + 1]]])
    return things.sort((a, b) => place(a[0]) - place(b[0])).flat()
  }

  // Calls `take` for each window of a core (-1: all) that touches from..until, in order, as far as they are
  // loaded. Returns whether all are.
  each(core: number, width: number, from: number, until: number, take: (window: LoadWindow) => void): boolean {
    const last = this.view.status?.last ?? 0, first = firstTick(this.view)
    const low = Math.max(from, first), high = Math.min(until, last), ticks = width * WINDOWS
    let all = true
    for (let index = Math.floor(low / ticks); index * ticks < high; index++) {
      const chunk = this.look(core, width, index, last)
      const begin = Math.max(low, index * ticks), end = Math.min(high, (index + 1) * ticks)
      all &&= !!chunk
      if (chunk) takeWindows(chunk, index * ticks, width, begin, end, first, take)
      else this.standIn(core, width, begin, end, first, take)
    }
    return all
  }

  private look(core: number, width: number, index: number, last: number): Chunk | undefined {
    const key = `${core} ${width} ${index}`, chunk = this.chunks.get(key)
    const grows = chunk && chunk.last < (index + 1) * width * WINDOWS && chunk.wanted < last
    if (!chunk || grows) this.wanted.set(key, [core, width, index])
    if (chunk) {
      this.chunks.delete(key)
      this.chunks.set(key, chunk)
    }
    return chunk
  }

  private standIn(core: number, width: number, from: number, until: number, first: number,
                  take: (window: LoadWindow) => void): void {
    for (let i = 1; i <= NEAR; i++) {
      for (const other of [width * 2 ** i, width / 2 ** i]) {
        const ticks = other * WINDOWS
        let seen = false
        for (let index = Math.floor(from / ticks); index * ticks < until; index++) {
          const chunk = this.chunks.get(`${core} ${other} ${index}`)
          if (!chunk) continue
          seen = true
          takeWindows(chunk, index * ticks, other, Math.max(from, index * ticks), Math.min(until, (index + 1) * ticks), first, take)
        }
        if (seen) return
      }
    }
  }

  // Called at the end of a frame: requests what it lacked, if no request is under way.
  send(now: number): void {
    if (this.flying || this.wanted.size === 0) return
    const pause = this.failed + RETRY_MS - now
    if (pause > 0) {
      this.retry ||= window.setTimeout(() => {
        this.retry = 0
        this.came()
      }, pause)
      return
    }
    void this.fetch([...this.wanted].slice(0, BATCH))
  }

  private async fetch(wanted: [string, [number, number, number]][]): Promise<void> {
    const { generation } = this, last = this.view.status?.last ?? 0
    this.flying = true
    try {
      await Promise.all(wanted.map(async ([key, [core, width, index]]) => {
        const answer = await this.view.source.ask<LoadAnswer>('load', { core, from: index * width * WINDOWS, width, count: WINDOWS })
        if (generation !== this.generation) return
        this.chunks.delete(key)
        this.chunks.set(key, { ...answer, loads: answer.loads.map(parts => this.stacked(parts)), wanted: last })
        this.version++
        this.step = answer.step
      }))
    } catch {
      this.failed = performance.now()
    }
    for (const key of this.chunks.keys()) {
      if (this.chunks.size <= CHUNKS_MOST) break
      this.chunks.delete(key)
    }
    this.flying = false
    this.came()
  }
}

function takeWindows(chunk: Chunk, begin: number, width: number, from: number, until: number, first: number,
                     take: (window: LoadWindow) => void): void {
  const low = Math.max(0, Math.floor((from - begin) / width)), high = Math.ceil((until - begin) / width)
  for (let i = low; i < Math.min(high, chunk.loads.length); i++) {
    const at = begin + i * width
    if (at >= chunk.last) return // not read yet
    take({ from: Math.max(at, first), until: Math.min(at + width, chunk.last), parts: chunk.loads[i], exact: chunk.exact })
  }
}
