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
  bends: number[] // ticks between which the error is a line, or not known
}

// A clock that shows 0 at t, of which no more is known; error: in ns.
export function lineClock(t: number, hz: number, error: number | null = null): Clock {
  const rate = hz > 0 ? 1e9 / hz : 1 // without a rate it is no time, but ticks in order
  return { at: time => ({ ns: (time - t) * rate, error }), back: ns => t + ns / rate, bends: [] }
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
      const inside = t > times[0][0] - 1 && t < times[times.length - 1][0] + 1
      return { ns: start + betweenTimes(times, t, 0, 1), error: inside ? betweenTimes(times, t, 0, 2) : null }
    },
    back: ns => betweenTimes(pieceOf(ns - start, 1), ns - start, 1, 0),
    bends: pieces.flatMap(({ times }) => times.map(([t]) => t))
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

interface Known { error: number | null; tick: number; partly: boolean } // partly: the error is not known everywhere

const SHOWN = 1e-3 // of the view: shorter parts cannot be seen

// The greatest error of a clock between two of its ticks. wide: the length of the view in ticks.
function knownOf(clock: Clock, begin: number, end: number, wide: number): Known {
  const places = [begin, ...clock.bends.filter(t => t > begin && t < end).sort((a, b) => a - b), end]
  const middles = places.slice(1).map((t, i) => madeAt(clock, (t + places[i]) / 2))
  const made = [...places.map(t => madeAt(clock, t)), ...middles]
  const errors = made.flatMap(({ error }) => (error === null ? [] : [error]))
  const unknown = middles.reduce((sum, { error }, i) => (error === null ? sum + places[i + 1] - places[i] : sum), 0)
  return {
    error: errors.length > 0 ? Math.max(...errors) : null,
    tick: Math.max(...made.map(({ error, tick }) => (error === null ? 0 : tick))),
    partly: errors.length > 0 && unknown > wide * SHOWN
  }
}

export interface Beyond {
  ns: number | null // null: no order is known
  without: number[] // clocks without an error
  partly: number[] // clocks whose error is known in a part of the range only
}

// How far apart records of any two traces must be for their order to be known, between two common
// times, wherever their errors are known. lasts: the last tick of each; there is nothing behind it.
export function orderBeyond(clocks: readonly (Clock | null)[], lasts: readonly number[], from: number, until: number): Beyond {
  const known = clocks.map((clock, side): Known | 'empty' => {
    if (!clock) return { error: null, tick: 0, partly: false }
    const [first, after] = [clock.back(from), clock.back(until)], begin = Math.max(0, first), end = Math.min(lasts[side], after)
    return begin > end ? 'empty' : knownOf(clock, begin, end, after - first)
  })
  const errors = known.flatMap(one => (one !== 'empty' && one.error !== null ? [one.error] : [])).sort((a, b) => b - a)
  const tick = Math.max(0, ...known.map(one => (one === 'empty' ? 0 : one.tick)))
  const sides = (is: (one: Known) => boolean) => known.flatMap((one, side) => (one !== 'empty' && is(one) ? [side] : []))
  return {
    ns: errors.length > 1 ? errors[0] + errors[1] + tick : null,
    without: sides(one => one.error === null),
    partly: sides(one => one.partly)
  }
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
