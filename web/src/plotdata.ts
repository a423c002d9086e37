// SPDX-License-Identifier: MIT
// Pieces of a LEVEL track as steps of a plot: a piece of several values has a band from the least
// to the greatest around the last one.

import type { Shown } from './tiles'

export type Steps = [x: number[], value: (number | null)[], min: (number | null)[], max: (number | null)[]]

type Point = [value: number | null, min: number | null, max: number | null]

// A piece in several tiles is taken once. A line ends where its last piece ends; gaps between
// pieces are null.
export function stepsOf(shown: Shown[]): Steps {
  const steps: Steps = [[], [], [], []]
  let last = -Infinity, held: Point = [null, null, null]
  const put = (x: number, point: Point) => {
    steps[0].push(x)
    point.forEach((value, i) => steps[i + 1].push(value as number))
  }
  for (const { tile, from, until } of shown) {
    for (let i = 0; i < tile.pieces; i++) {
      const begin = tile.begin[i], end = tile.end[i], many = tile.count[i] > 1
      if (begin >= until || end < from || (begin < last && end <= last)) continue
      const x = Math.max(begin, last)
      if (x > last && last > -Infinity) {
        put(last, held)
        put(last, [null, null, null])
      }
      const value = tile.value[i]
      held = [value, many ? tile.min[i] : value, many ? tile.max[i] : value]
      put(x, held)
      last = Math.max(end, x)
    }
  }
  if (last > -Infinity) put(last, held)
  return steps
}

// Returns the value at `x`; null if it is unknown.
export function valueAt(steps: Steps, x: number): number | null {
  const [xs, values] = steps
  let low = 0, high = xs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (xs[middle] <= x) low = middle + 1
    else high = middle
  }
  return low && low < xs.length ? values[low - 1] : null
}
