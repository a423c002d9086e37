// SPDX-License-Identifier: MIT
// Fuzzy matching of names: every letter of the query must be in the text, in this order. Letters at
// word starts and next to each other score highest.

export interface Match { score: number; at: number[] } // places of the letters, to mark them

const LONGEST = 160 // letters of a text that are compared
const START = 8, SIDE_BY_SIDE = 10, SAME_CASE = 1, GAP = -0.2, NONE = -1e9

function startsWord(text: string, i: number): boolean {
  if (i === 0) return true
  const before = text[i - 1], here = text[i]
  if (!/[\p{L}\p{N}]/u.test(before)) return true
  return (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here)) || (/\D/.test(before) && /\d/.test(here))
}

// best[i][j]: the best score of the first i letters with the last of them at j.
function matchWord(word: string, text: string): Match | null {
  const query = word.toLowerCase(), low = text.toLowerCase()
  const best: Float64Array[] = [], from: Int16Array[] = []
  for (let i = 0; i < query.length; i++) {
    const row = new Float64Array(low.length).fill(NONE), back = new Int16Array(low.length).fill(-1)
    let apart = NONE, apartAt = -1 // best score before j, not adjacent to j
    for (let j = i; j < low.length; j++) {
      if (i && j > 1) {
        apart += GAP
        if (best[i - 1][j - 2] > apart) [apart, apartAt] = [best[i - 1][j - 2], j - 2]
      }
      if (low[j] !== query[i]) continue
      const own = 1 + (startsWord(text, j) ? START : 0) + (text[j] === word[i] ? SAME_CASE : 0)
      const beside = i && j ? best[i - 1][j - 1] + SIDE_BY_SIDE : NONE
      if (!i) row[j] = own + GAP * Math.min(j, 10)
      else if (beside >= apart && beside > NONE / 2) [row[j], back[j]] = [beside + own, j - 1]
      else if (apart > NONE / 2) [row[j], back[j]] = [apart + own, apartAt]
    }
    best.push(row)
    from.push(back)
  }
  const last = best[query.length - 1]
  let j = 0
  for (let i = 1; i < last.length; i++) if (last[i] > last[j]) j = i
  if (!(last[j] > NONE / 2)) return null
  const score = last[j] - low.length * 0.05
  const at = Array<number>(query.length)
  for (let i = query.length - 1; i >= 0; j = from[i][j], i--) at[i] = j
  return { score, at }
}

// Every word of the query (separated by blanks) must match. Returns null when one does not.
export function fuzzy(query: string, name: string): Match | null {
  const words = query.split(/\s+/).filter(Boolean)
  const text = name.slice(0, LONGEST)
  const at = new Set<number>()
  let score = 0
  for (const word of words) {
    const match = text && word.length <= text.length ? matchWord(word, text) : null
    if (!match) return null
    score += match.score
    match.at.forEach(place => at.add(place))
  }
  return { score, at: [...at].sort((a, b) => a - b) }
}

export function best<T>(query: string, all: readonly T[], name: (one: T) => string, most: number):
  { one: T; match: Match }[] {
  const found: { one: T; match: Match }[] = []
  for (const one of all) {
    const match = fuzzy(query, name(one))
    if (match) found.push({ one, match })
  }
  return found.sort((a, b) => b.match.score - a.match.score).slice(0, most)
}
