// SPDX-License-Identifier: MIT
// How the times of two time lines correspond: at one place they are the same, from there on both
// clocks run alike.

export interface Scale {
  at: [number, number] // ticks since t0 of each side that correspond
  hz: [number, number] // 0: unknown
}

// Returns the time on the other side that corresponds to time t of this one.
export function across({ at, hz }: Scale, side: 0 | 1, t: number): number {
  const other = 1 - side
  const rate = hz[0] > 0 && hz[1] > 0 ? hz[other] / hz[side] : 1
  return at[other] + (t - at[side]) * rate
}
