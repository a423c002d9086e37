// SPDX-License-Identifier: MIT
// Records of two traces that belong together by an id (request `pairs`): messages that one target
// has sent and the other one received, and moments that both have recorded.

import type { Wall } from '../protocol'
import { lineClock, wallClock } from './clocks'
import type { Clock } from './clocks'

export type How = 'sent' | 'received' | 'same'
export const hows: How[] = ['sent', 'received', 'same']
export const howNames: { [how in How]: string } = {
  sent: 'sends to', received: 'receives from', same: 'records the same moment as'
}

export interface PairKind { from: number; how: How; text: string; to: number; other: string } // traces, and words of their records

// Number of its kind, time and row here, time and row there.
export type RecordPair = [number, number, number, number, number]

export interface PairAnswer {
  counts: { pairs: number; here: number; there: number; twice: number; without: number }[]
  full: boolean
  pairs: RecordPair[]
  left: number
  basis: string
  bounded: boolean
  clock: Wall['pieces'][number] | null // of the other trace, by this one's
}

// The kinds of pairs of two traces, as one request.
export interface PairGroup { from: number; to: number; kinds: PairKind[] }

const seenFromThere: { [how in How]: How } = { sent: 'received', received: 'sent', same: 'same' }

// Both directions of two traces are one group, so that they give one clock.
export function groupKinds(kinds: readonly PairKind[]): PairGroup[] {
  const groups: PairGroup[] = []
  for (const kind of kinds) {
    const { from, how, text, to, other } = kind
    const group = groups.find(one => one.from === from && one.to === to)
    const back = groups.find(one => one.from === to && one.to === from)
    if (group) group.kinds.push(kind)
    else if (back) back.kinds.push({ from: to, how: seenFromThere[how], text: other, to: from, other: text })
    else groups.push({ from: kind.from, to: kind.to, kinds: [kind] })
  }
  return groups
}

// Clocks of traces that have pairs with a trace whose clock is known, beginning with the first trace of
// the first kind. Errors along a way add up. null: it has none.
export function pairClocks(rates: readonly number[], groups: readonly { group: PairGroup; answer: PairAnswer }[]): (Clock | null)[] {
  const clocks: (Clock | null)[] = rates.map(() => null)
  if (groups.length === 0) return clocks
  const first = groups[0].group.from
  if (!(rates[first] > 0)) return clocks
  clocks[first] = lineClock(0, rates[first], 0)
  for (let left = groups.length; left > 0; left--) {
    for (const { group: { from, to }, answer } of groups) {
      if (!answer.clock || !(rates[from] > 0 && rates[to] > 0)) continue
      const line = wallClock({ start: '0', pieces: [answer.clock] }, 0), base = 1e9 / rates[from]
      const { bounded } = answer
      const via = clocks[from], back = clocks[to]
      if (via && !back) {
        clocks[to] = {
          at: t => {
            const near = line.at(t), far = via.at(near.ns / base)
            return { ns: far.ns, error: bounded && near.error !== null && far.error !== null ? near.error + far.error : null }
          },
          back: ns => line.back(via.back(ns) * base),
          bends: [...line.bends, ...via.bends.map(t => line.back(t * base))]
        }
      } else if (back && !via) {
        clocks[from] = {
          at: t => {
            const there = line.back(t * base), near = line.at(there), far = back.at(there)
            return { ns: far.ns, error: bounded && near.error !== null && far.error !== null ? near.error + far.error : null }
          },
          back: ns => line.at(back.back(ns)).ns / base,
          bends: [...line.bends, ...back.bends].map(t => line.at(t).ns / base)
        }
      }
    }
  }
  return clocks
}

// ---- in the address

export function kindsText(kinds: readonly PairKind[]): string {
  return kinds.map(({ from, how, text, to, other }) =>
    [from, how, encodeURIComponent(text), to, encodeURIComponent(other)].join(':')).join(',')
}

const KINDS_MOST = 32, TEXT_MOST = 256

// An address is untrusted text: invalid parts are ignored.
export function parseKinds(text: string, count: number): PairKind[] {
  const kinds: PairKind[] = []
  for (const part of text.split(',').slice(0, KINDS_MOST)) {
    const [from, how, own, to, other, ...rest] = part.split(':')
    const [a, b] = [from, to].map(side => (/^\d+$/.test(side ?? '') ? Number(side) : NaN))
    const known = hows.find(one => one === how)
    if (rest.length > 0 || !known || !own || !other) continue
    if (![a, b].every(n => Number.isInteger(n) && n >= 0 && n < count) || a === b) continue
    try {
      const words = [decodeURIComponent(own), decodeURIComponent(other)]
      if (words.every(one => one.length >= 1 && one.length <= TEXT_MOST)) kinds.push({ from: a, how: known, text: words[0], to: b, other: words[1] })
    } catch {
      // not UTF-8
    }
  }
  return kinds
}
