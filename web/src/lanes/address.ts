// SPDX-License-Identifier: MIT
// What is kept in the address of several traces: how they are aligned, and the range that is shown.

import { bases } from './group'
import type { Lanes } from './group'
import { kindsText, parseKinds } from './pairs'

export function writeAddress(lanes: Lanes): string {
  const parts = [`by=${lanes.basis}`], view = lanes.view(0)
  if (lanes.basis === 'moments') parts.push(`moments=${lanes.moments.join(',')}`)
  if (lanes.kinds.length > 0) parts.push(`pairs=${kindsText(lanes.kinds)}`)
  if (view) parts.push(`from=${Math.round(view.from)}`, `until=${Math.round(view.until)}`)
  return '#' + parts.join('&')
}

function numbers(text: string | null): number[] {
  return text ? text.split(',').map(Number) : []
}

// Shows what the address has; else by the time of day, if it is known, and all of it. An address is
// untrusted text: invalid parts are ignored. Pairs may take some time: what the user does meanwhile,
// and a later address, stay.
export async function readAddress(lanes: Lanes, hash: string): Promise<void> {
  const parts = new URLSearchParams(hash.slice(1).replace(/\+/g, '%2B'))
  const moments = numbers(parts.get('moments')), wanted = bases.find(basis => basis === parts.get('by'))
  const [from] = numbers(parts.get('from')), [until] = numbers(parts.get('until'))
  const ranged = Number.isSafeInteger(from) && Number.isSafeInteger(until) && from < until
  const showAll = !ranged && !parts.has('at') // --at: the first trace goes there, and the others with it
  if (moments.length === lanes.lines.length && moments.every(Number.isFinite)) lanes.moments = moments
  lanes.pairings = [] // of an earlier address
  lanes.align(wanted && lanes.possible(wanted) ? wanted : lanes.usual)
  if (ranged) lanes.show(0, from, until)
  if (showAll) lanes.fit()
  const { shown } = lanes
  await lanes.pair(parseKinds(rawPart(hash, 'pairs'), lanes.lines.length), wanted ?? lanes.basis)
  if (showAll && lanes.shown === shown) lanes.fit()
}

// What is in the address of the frame of a trace: a place is one of the first trace.
export function frameAddress(side: number, hash: string): string {
  const at = side === 0 ? rawPart(hash, 'at') : ''
  return `?trace=${side}#panel=none${at && `&at=${at}`}`
}

// The part as it is written: its words are decoded one by one.
function rawPart(hash: string, name: string): string {
  return hash.slice(1).split('&').find(part => part.startsWith(name + '='))?.slice(name.length + 1) ?? ''
}
