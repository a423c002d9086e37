// SPDX-License-Identifier: MIT
// The values of a figure as bars: classes of the server's histogram, gathered by equal lengths or
// equal ratios. A bar's bounds are those of its classes, so that it selects exactly its values.

export type ValueClass = [low: number, high: number, count: number]
export interface Bar { left: number; right: number; low: number; high: number; count: number } // left, right: 0 to 1

// Where a value lies on the axis, from 0 to 1.
export function placeOf(value: number, low: number, high: number, log: boolean): number {
  if (high <= low) return 0.5
  const at = log ? Math.log((value + 1) / (low + 1)) / Math.log((high + 1) / (low + 1)) : (value - low) / (high - low)
  return Math.min(Math.max(at, 0), 1)
}

export function barsOf(classes: ValueClass[], most: number, log: boolean): Bar[] {
  if (!classes.length) return []
  const low = classes[0][0], high = classes[classes.length - 1][1]
  const bars = new Map<number, Bar>()
  for (const [from, until, count] of classes) {
    const n = Math.min(most - 1, Math.floor(placeOf((from + until) / 2, low, high, log) * most))
    const bar = bars.get(n) ?? { left: n / most, right: (n + 1) / most, low: from, high: until, count: 0 }
    bar.high = until
    bar.count += count
    bars.set(n, bar)
  }
  return [...bars.values()]
}
