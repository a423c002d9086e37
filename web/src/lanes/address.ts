// SPDX-License-Identifier: MIT
// What is kept in the address of several traces: how they are aligned, the range that is shown, and
// what is chosen in each.

import { bases } from './group'
import type { Lanes } from './group'
import { kindsText, parseKinds } from './pairs'

// What the address of a time line has, but several traces have in common.
const COMMON = ['from', 'until', 'follow', 'at', 'theme']

const nameOf = (part: string) => part.split('=')[0]

// What is chosen in a trace, as in an address of its own.
function chosenIn(lanes: Lanes, side: number): string[] {
  const hash = new URL(lanes.ownLink(side)).hash.slice(1)
  return hash.split('&').filter(part => part && !COMMON.includes(nameOf(part)) && part !== 'panel=none')
}

// The parts of an address that are of one trace: 1.select=... of the second one.
function partsOf(side: number, hash: string): string[] {
  const start = `${side}.`
  return hash.slice(1).split('&').filter(part => part.startsWith(start)).map(part => part.slice(start.length))
    .filter(part => !COMMON.includes(nameOf(part)))
}

export function writeAddress(lanes: Lanes): string {
  const parts = [`by=${lanes.basis}`], view = lanes.view(0)
  if (lanes.basis === 'moments') parts.push(`moments=${lanes.moments.join(',')}`)
  if (lanes.kinds.length > 0) parts.push(`pairs=${kindsText(lanes.kinds)}`)
  lanes.lines.forEach((line, side) => {
    if (line) parts.push(...chosenIn(lanes, side).map(part => `${side}.${part}`))
  })
  if (view) parts.push(`from=${Math.round(view.from)}`, `until=${Math.round(view.until)}`)
  return '#' + parts.join('&')
}

// Shows what an address that was entered has of a trace; of the first address its frame has it.
async function choose(lanes: Lanes, side: number, parts: string[]): Promise<void> {
  const window = lanes.lines[side]?.host.ownerDocument.defaultView, view = lanes.view(side)
  if (!window || !view || parts.join() === chosenIn(lanes, side).join()) return
  const panel = parts.some(part => nameOf(part) === 'panel') ? [] : ['panel=none']
  const hash = '#' + [`from=${Math.round(view.from)}`, `until=${Math.round(view.until)}`, ...panel, ...parts].join('&')
  if (hash === window.location.hash) return
  await new Promise(done => {
    window.addEventListener('hashchange', done, { once: true })
    window.location.hash = hash
  })
}

function numbers(text: string | null): number[] {
  return text ? text.split(',').map(Number) : []
}

// Shows what the address has; else by the time of day, if it is known, and all of it. An address is
// untrusted text: invalid parts are ignored. Pairs may take some time: what the user does meanwhile,
// and a later address, stay.
export async function readAddress(lanes: Lanes, hash: string, entered: boolean): Promise<void> {
  if (entered) await Promise.all(lanes.lines.map((_, side) => choose(lanes, side, partsOf(side, hash))))
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

// The address of the frame of a trace: a place is one of the first trace.
export function frameAddress(side: number, hash: string): string {
  const at = side === 0 ? rawPart(hash, 'at') : '', own = partsOf(side, hash)
  const panel = own.some(part => nameOf(part) === 'panel') ? [] : ['panel=none']
  return `?trace=${side}#${[...panel, ...at ? [`at=${at}`] : [], ...own].join('&')}`
}

// Whether the address wants the dark theme; undefined: it does not say.
export function themeOf(hash: string): boolean | undefined {
  return { dark: true, light: false }[rawPart(hash, 'theme')]
}

// The part as it is written: its words are decoded one by one.
function rawPart(hash: string, name: string): string {
  return hash.slice(1).split('&').find(part => part.startsWith(name + '='))?.slice(name.length + 1) ?? ''
}
