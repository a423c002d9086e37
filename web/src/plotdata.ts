// SPDX-License-Identifier: MIT
// Pieces of a LEVEL track as steps of a plot: pieces that stand for several values have the least and
// the greatest of them as a band around the last one.

import type { Shown } from './tiles'

export type Steps = [x: number[], value: (number | null)[], min: (number | null)[], max: (number | null)[]]

// A piece may lie in several tiles: it is taken once. Holes between pieces are null.
export function stepsOf(shown: Shown[]): Steps {
  const steps: Steps = [[], [], [], []]
  const put = (x: number, value: number | null, min: number | null, max: number | null) => {
    steps[0].push(x)
    steps[1].push(value)
    steps[2].push(min)
    steps[3].push(max)
  }
  let last = -Infinity
  for (const { tile, from, until } of shown) {
    for (let i = 0; i < tile.pieces; i++) {
      const begin = tile.begin[i], end = tile.end[i], many = tile.count[i] > 1
      if (begin >= until || end < from || (begin < last && end <= last)) continue
      const x = Math.max(begin, last)
      if (x > last && last > -Infinity) put(last, null, null, null)
      put(x, tile.value[i], many ? tile.min[i] : tile.value[i], many ? tile.max[i] : tile.value[i])
      last = Math.max(end, x)
    }
  }
  if (last > -Infinity) put(last, steps[1][steps[1].length - 1], steps[2][steps[2].length - 1], steps[3][steps[3].length - 1])
  return steps
}


// The value that holds at `x`; null: not known.
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
