// SPDX-License-Identifier: MIT
// What the correspondence of two clocks rests on (docs/align.md).

const words: { [basis: string]: string } = {
  nothing: 'Too few pairs for a common clock.',
  one: 'One common moment: drift and error are not known.',
  few: 'Few common moments: the error is not known.',
  same: 'Aligned by common moments; the error is from their deviations.',
  'one-way': 'Messages in one direction only: the error holds if the shortest delay is not above the usual one.',
  stated: 'Messages in one direction only, with a stated shortest delay.',
  'both-ways': 'Aligned by messages in both directions: the error holds if both clocks run evenly.',
  contrary: 'No clock agrees with these pairs: one was set or restarted, or the numbers are not those of the same messages.'
}

export function basisWords(basis: string): string {
  return words[basis] ?? basis
}
