// SPDX-License-Identifier: MIT
// How the clocks of several traces correspond: each converts its times to ns of a common clock, with
// an error. An order of two records is known only if they are further apart than both errors and the
// tick within which the first one was made.

import type { Wall } from '../protocol'
import { betweenTimes, errorText } from '../wall'
import { shortLength } from '../times'

export interface Moment { ns: number; error: number | null } // error: null: not known

// Of a record: it was made within the tick that begins then; tick: its length in ns.
export interface Made extends Moment { tick: number }

export interface Clock {
  at(t: number): Moment
  back(ns: number): number
}

// A clock that shows 0 at t, of which no more is known; error: in ns.
export function lineClock(t: number, hz: number, error: number | null = null): Clock {
  const rate = hz > 0 ? 1e9 / hz : 1
  return { at: time => ({ ns: (time - t) * rate, error }), back: ns => t + ns / rate }
}

// A clock by the time of day, or by another trace; start: of `wall` on the common clock. Beyond the
// times of a piece the error is not known.
export function wallClock(wall: Wall, start: number): Clock {
  const { pieces } = wall
  const pieceOf = (value: number, column: 0 | 1) => {
    let i = pieces.length - 1
    while (i > 0 && pieces[i].times[0][column] > value) i--
    return pieces[i].times
  }
  return {
    at: t => {
      const times = pieceOf(t, 0)
      const inside = t >= times[0][0] && t <= times[times.length - 1][0] + 1
      return { ns: start + betweenTimes(times, t, 0, 1), error: inside ? betweenTimes(times, t, 0, 2) : null }
    },
    back: ns => betweenTimes(pieceOf(ns - start, 1), ns - start, 1, 0)
  }
}

// Clocks by the time of day; null for those of which it is not known. The common clock begins with
// the first of the recordings.
export function arrivalClocks(walls: (Wall | null | undefined)[]): (Clock | null)[] {
  const starts = walls.map(wall => (wall && wall.pieces.length > 0 ? BigInt(wall.start) : null))
  const first = starts.reduce((least, start) => (start !== null && (least === null || start < least) ? start : least), null)
  return walls.map((wall, i) => (starts[i] === null ? null : wallClock(wall!, Number(starts[i]! - first!))))
}

// When a record with time t was made.
export function madeAt(clock: Clock, t: number): Made {
  const at = clock.at(t)
  return { ...at, tick: clock.at(t + 1).ns - at.ns }
}

// Returns -1 if a is certainly before b, 1 if after, 0 if the order is not known.
export function orderOf(a: Made, b: Made): -1 | 0 | 1 {
  if (a.error === null || b.error === null) return 0
  const away = b.ns - a.ns, error = a.error + b.error
  return away > error + a.tick ? -1 : away < -error - b.tick ? 1 : 0
}

// How far apart records of any two of these clocks must be for their order to be known, between two
// common times; null: it is not known of any two. without: the clocks that are left out. Errors are
// lines between a few points, so the greatest one is near one of many places.
export function orderBeyond(clocks: readonly (Clock | null)[], from: number, until: number): { ns: number | null; without: number[] } {
  const PLACES = 64, known = new Set<number>()
  let most: number | null = null
  for (let i = 0; i <= PLACES; i++) {
    const ns = from + (until - from) * i / PLACES
    const made = clocks.map(clock => clock && madeAt(clock, clock.back(ns)))
    const errors = made.flatMap((at, side) => {
      if (!at || at.error === null) return []
      known.add(side)
      return [at.error]
    }).sort((x, y) => y - x)
    if (errors.length < 2) continue
    const tick = Math.max(...made.map(at => (at && at.error !== null ? at.tick : 0)))
    most = Math.max(most ?? 0, errors[0] + errors[1] + tick)
  }
  return { ns: most, without: clocks.flatMap((_, side) => (known.has(side) ? [] : [side])) }
}

// What is known of two moments, as words.
export function orderWords(a: { name: string; at: Made }, b: { name: string; at: Made }): string {
  const away = Math.abs(b.at.ns - a.at.ns), length = shortLength(away, 1e9)
  const order = orderOf(a.at, b.at)
  if (a.at.error === null || b.at.error === null) return `${a.name} and ${b.name}: ${length} apart, the error is not known`
  const error = errorText(a.at.error + b.at.error + Math.max(a.at.tick, b.at.tick))
  if (order === 0) return `${a.name} and ${b.name}: the order is not known, ${length} apart ${error}`
  const [first, second] = order < 0 ? [a.name, b.name] : [b.name, a.name]
  return `${second} is ${length} after ${first} ${error}`
}
