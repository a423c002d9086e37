// SPDX-License-Identifier: MIT
// The time of day of a tick, where the recording knows it: from the arrival times of its blocks, with
// an error (docs/align.md).

import { niceStep } from './ruler'
import type { Ruler } from './ruler'
import type { Wall } from './protocol'
import { countText, grouped } from './times'

export type ClockKind = 'trace' | 'utc' | 'local'
export const clockKinds: ClockKind[] = ['trace', 'utc', 'local']
export const clockNames: { [kind in ClockKind]: string } = { trace: 'trace time', utc: 'UTC', local: 'local' }

type Times = Wall['pieces'][number]['times']

// The connection that a time belongs to.
function pieceAt(wall: Wall, t: number): Wall['pieces'][number] {
  let i = wall.pieces.length - 1
  while (i > 0 && wall.pieces[i].times[0][0] > t) i--
  return wall.pieces[i]
}

// Converts between columns of `times`, also beyond their ends.
export function betweenTimes(times: Times, x: number, from: 0 | 1, to: 0 | 1 | 2): number {
  let i = 1
  while (i < times.length - 1 && times[i][from] < x) i++
  const a = times[i - 1], b = times[i], wide = b[from] - a[from]
  return wide > 0 ? a[to] + (x - a[from]) / wide * (b[to] - a[to]) : a[to]
}

export interface WallTime { ns: bigint; error: number } // since 1970 UTC; ns

// Returns null where the time of day is not known.
export function wallAt(wall: Wall | null | undefined, t: number): WallTime | null {
  if (!wall || wall.pieces.length === 0) return null
  const { times } = pieceAt(wall, t)
  if (t < times[0][0] || t > times[times.length - 1][0] + 1) return null
  return { ns: BigInt(wall.start) + BigInt(Math.round(betweenTimes(times, t, 0, 1))), error: betweenTimes(times, t, 0, 2) }
}

// Minutes to add to UTC.
function zoneOf(kind: ClockKind, ns: bigint): number {
  return kind === 'local' ? -new Date(Number(ns / 1000000n)).getTimezoneOffset() : 0
}

const two = (n: number) => String(n).padStart(2, '0')
const SECOND = 1000000000n

function floorDiv(n: bigint, by: bigint): bigint {
  return n >= 0n ? n / by : -((by - 1n - n) / by)
}

// Splits a time that is shown (already in its zone): date, HH:MM:SS, and ns within the second.
function split(shown: bigint): { date: string; clock: string; ns: number } {
  const seconds = floorDiv(shown, SECOND), d = new Date(Number(seconds) * 1000)
  return {
    date: `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`,
    clock: `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`,
    ns: Number(shown - seconds * SECOND)
  }
}

function fraction(ns: number, digits: number): string {
  return digits > 0 ? '.' + String(ns).padStart(9, '0').slice(0, digits).replace(/(\d{3})(?=\d)/g, '$1\u202f') : ''
}

function zoneName(kind: ClockKind, minutes: number): string {
  if (kind === 'utc') return 'UTC'
  const away = Math.abs(minutes)
  return `${minutes < 0 ? '\u2212' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
}

// "14:13:20.623 114 UTC"; with the date in front, if wanted.
export function wallText(time: WallTime, kind: ClockKind, digits = 6, dated = false): string {
  const zone = zoneOf(kind, time.ns), { date, clock, ns } = split(time.ns + BigInt(zone) * 60n * SECOND)
  return `${dated ? date + ' ' : ''}${clock}${fraction(ns, digits)} ${zoneName(kind, zone)}`
}

// "± 0.56 ms", rounded up.
export function errorText(ns: number): string {
  const [unit, size]: [string, number] = ns >= 1e9 ? ['s', 1e9] : ns >= 1e6 ? ['ms', 1e6] : ns >= 1e3 ? ['µs', 1e3] : ['ns', 1]
  const value = ns / size, step = value >= 100 ? 1 : value >= 10 ? 0.1 : 0.01
  return `± ${Number((Math.ceil(value / step - 1e-9) * step).toFixed(2))} ${unit}`
}

// What the time of day at t rests on: a title and sentences.
export function wallWords(wall: Wall, t: number): string[] {
  const { basis, blocks, drift, shortest } = pieceAt(wall, t)
  const faster = drift[0] < 0 // the three numbers are how much slower it is
  const [likely, ...range] = drift.map(ppm => Number((faster ? -ppm : ppm).toPrecision(3)))
  const [least, most] = faster ? range.reverse() : range
  const lines = [
    `Time of day, from the arrival of ${countText(blocks)} blocks`,
    `The target’s clock is ${faster ? 'faster' : 'slower'} than the computer’s by ${likely} ppm (${least} to ${most} ppm).`
  ]
  if (basis === 'one-way') {
    lines.push(`The error holds if the shortest delay of the link is not above ${errorText(shortest).slice(2)}: the recording does not contain it.`)
  }
  return lines
}

const long = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400]

function stepOf(least: number): number {
  if (least < 1) return niceStep(Math.max(least, 1e-9))
  return long.find(step => step >= least) ?? 86400 * niceStep(least / 86400)
}

const LABEL = 120 // pixels
const far: [string, number][] = [['ms', 1e6], ['µs', 1e3], ['ns', 1]]

// The ruler in the time of day: labels at full seconds or parts of them. Below 1 ms they are
// distances from the base.
export function wallRuler(wall: Wall, kind: ClockKind, from: number, until: number, pixels: number): Ruler {
  const middle = pieceAt(wall, (from + until) / 2), start = BigInt(wall.start)
  const wide = betweenTimes(middle.times, until, 0, 1) - betweenTimes(middle.times, from, 0, 1)
  const seconds = stepOf(wide / 1e9 / Math.max(pixels / LABEL, 2.5)), step = BigInt(Math.max(1, Math.round(seconds * 1e9)))
  const pieces = wall.pieces.filter((piece, i) => (i === 0 || piece.times[0][0] < until) &&
    (wall.pieces[i + 1]?.times[0][0] ?? Infinity) > from)
  const first = start + BigInt(Math.floor(betweenTimes(pieceAt(wall, from).times, from, 0, 1)))
  const zone = BigInt(zoneOf(kind, first)) * 60n * SECOND, zoned = zoneName(kind, zoneOf(kind, first))
  const origin = floorDiv(first + zone, step * 10n) * step * 10n
  const labels: Ruler['labels'] = []
  for (const piece of pieces) {
    const begin = Math.max(from, piece.times[0][0]), end = Math.min(until, piece.times[piece.times.length - 1][0])
    const offset = start + zone
    let at = floorDiv(offset + BigInt(Math.floor(betweenTimes(piece.times, begin, 0, 1))), step) * step
    for (let left = 4 * pixels / LABEL + 2; left > 0; left--, at += step) {
      const t = betweenTimes(piece.times, Number(at - offset), 1, 0)
      if (t > end) break
      if (t >= begin) labels.push({ t, text: labelOf(at, seconds, origin) })
    }
  }
  const { date, clock, ns } = split(origin)
  const tick = labels.length > 1 && pieces.length === 1 ? labels[1].t - labels[0].t : Infinity
  return {
    base: seconds < 1e-3 ? `${clock}${fraction(ns, 9).replace(/[0\u202f]+$/, '')} ${zoned}` : kind === 'utc' ? date : `${date} ${zoned}`,
    labels, step: tick, start: labels.length > 0 ? -labels[0].t : 0
  }
}

function labelOf(at: bigint, step: number, origin: bigint): string {
  const { date, clock, ns } = split(at)
  if (step >= 86400) return date
  if (step >= 60) return clock.slice(0, 5)
  if (step >= 1) return clock
  if (step >= 1e-3) return clock + fraction(ns, Math.ceil(-Math.log10(step) - 1e-9))
  const away = Number(at - origin), [unit, size] = far.find(([, least]) => 10 * step * 1e9 >= least)!
  return `+${grouped(String(Number((away / size).toFixed(3))))} ${unit}`
}
