// SPDX-License-Identifier: MIT
// How the clocks of several traces correspond: each converts its times to ns of a common clock, with
// an error. An order of two moments is known only if they are further apart than both errors.

import type { Wall } from '../protocol'
import { betweenTimes, errorText } from '../wall'
import { shortLength } from '../times'

export interface Moment { ns: number; error: number | null } // error: null: not known

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

// Returns -1 if a is certainly before b, 1 if after, 0 if the order is not known.
export function orderOf(a: Moment, b: Moment): -1 | 0 | 1 {
  if (a.error === null || b.error === null) return 0
  const away = b.ns - a.ns, error = a.error + b.error
  return away > error ? -1 : away < -error ? 1 : 0
}

// What is known of two moments, as words.
export function orderWords(a: { name: string; at: Moment }, b: { name: string; at: Moment }): string {
  const away = Math.abs(b.at.ns - a.at.ns), length = shortLength(away, 1e9)
  const order = orderOf(a.at, b.at)
  if (a.at.error === null || b.at.error === null) return `${a.name} and ${b.name}: ${length} apart, the error is not known`
  const error = errorText(a.at.error + b.at.error)
  if (order === 0) return `${a.name} and ${b.name}: the order is not known, ${length} apart ${error}`
  const [first, second] = order < 0 ? [a.name, b.name] : [b.name, a.name]
  return `${second} is ${length} after ${first} ${error}`
}
