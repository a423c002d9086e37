// SPDX-License-Identifier: MIT
// Times as texts. A time is a number of ticks; hz 0: the rate is unknown, so ticks are shown. A
// moment counts from t0, the trace's beginning, and is shown as `wallfly print` shows it: in
// seconds since t0 (in a part of a stream: since that one's beginning), or of the target's clock with --time=target. Ticks are always the target's own.

import type { Hello } from './protocol'

let clockZero = 0n // t0 on the target's clock
let exactZero = 0n // the same if times are shown on the target's clock, else what is before t0
let zero = 0 // exactZero as a number
const EXACT = 2 ** 50 // ticks; beyond this, numbers would round the value shown

export function setZero(hello: Hello): void {
  clockZero = BigInt(hello.t0 ?? 0)
  exactZero = hello.clock === 'target' || !(hello.hz > 0) ? clockZero : BigInt(hello.before ?? 0)
  zero = Number(exactZero)
}

// Returns a time as it is shown.
export function absolute(t: number): number {
  return t + zero
}

function isFar(t: number): boolean {
  return Math.abs(absolute(t)) >= EXACT
}

// Returns the shown time of t0 modulo `ticks` / `parts` ticks, so that a grid of them lies as if it
// began at the shown 0. Returns the shown time of t0 itself if numbers can hold it.
export function zeroWithin(ticks: number, parts: number): number {
  if (!isFar(0)) return zero
  return Number(exactZero * BigInt(parts) % BigInt(Math.round(ticks))) / parts
}

const units: [string, number][] = [['s', 1], ['ms', 1e-3], ['µs', 1e-6], ['ns', 1e-9]]

// Digits in groups of three, as in 12 345.678 9.
export function grouped(digits: string): string {
  const [whole, part] = digits.split('.')
  const left = whole.replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f')
  return part === undefined ? left : left + '.' + part.replace(/(\d{3})(?=\d)/g, '$1\u202f')
}

function decimals(hz: number): number {
  return Math.min(9, Math.max(0, Math.ceil(Math.log10(hz) - 1e-9)))
}

// n / of, rounded.
function divided(n: bigint, of: bigint): bigint {
  return n < 0n ? -divided(-n, of) : (2n * n + of) / (2n * of)
}

function farSeconds(t: number, hz: number): string {
  const digits = decimals(hz), all = divided((exactZero + BigInt(Math.round(t))) * 10n ** BigInt(digits), BigInt(Math.round(hz)))
  const text = String(all < 0n ? -all : all).padStart(digits + 1, '0'), point = text.length - digits
  return (all < 0n ? '-' : '') + text.slice(0, point) + (digits ? '.' + text.slice(point) : '')
}

// A moment, as exact as ticks are: "1.234 567 s"
export function timeText(t: number, hz: number): string {
  if (!(hz > 0)) return momentTicks(t)
  return grouped(isFar(t) ? farSeconds(t, hz) : (absolute(t) / hz).toFixed(decimals(hz))) + ' s'
}

// A moment in ticks of the target's clock.
export function momentTicks(t: number): string {
  const tick = clockZero + BigInt(Math.round(t))
  return grouped(String(tick)) + (tick === 1n || tick === -1n ? ' tick' : ' ticks')
}

export function ticksText(ticks: number): string {
  return grouped(Math.round(ticks).toString()) + (Math.abs(ticks) === 1 ? ' tick' : ' ticks')
}

// A number of ticks in units of `size` seconds, rounded once.
function inUnits(ticks: number, hz: number, size: number): number {
  return size < 1 ? ticks * Math.round(1 / size) / hz : ticks / (hz * size)
}

// A length, in the unit that suits it, as exact as ticks are: "234.567 µs"
export function lengthText(ticks: number, hz: number): string {
  if (!(hz > 0)) return ticksText(ticks)
  const [unit, size] = unitOf(Math.abs(ticks / hz))
  const digits = Math.max(0, decimals(hz) + Math.round(Math.log10(size)))
  return grouped(inUnits(ticks, hz, size).toFixed(digits)) + ' ' + unit
}

// A length with about four digits, for labels: "234.6 µs"
export function shortLength(ticks: number, hz: number): string {
  if (!(hz > 0)) return ticksText(ticks)
  const [unit, size] = unitOf(Math.abs(ticks / hz))
  return grouped(String(Number(inUnits(ticks, hz, size).toPrecision(4)))) + ' ' + unit
}

// The frequency of a period of this length.
export function frequencyText(ticks: number, hz: number): string {
  if (!(hz > 0) || !(ticks > 0)) return ''
  const f = hz / ticks
  const [unit, size]: [string, number] = f >= 1e6 ? ['MHz', 1e6] : f >= 1e3 ? ['kHz', 1e3] : ['Hz', 1]
  return grouped(String(Number((f / size).toPrecision(4)))) + ' ' + unit
}

export function unitOf(seconds: number): [string, number] {
  return units.find(([, size]) => seconds >= size * (1 - 1e-9)) ?? units[seconds > 0 ? 3 : 0]
}

export function countText(n: number): string {
  return grouped(String(Math.round(n)))
}

const typed: { [unit: string]: number } = {
  h: 3600, min: 60, m: 60, s: 1, sec: 1, ms: 1e-3, us: 1e-6, 'µs': 1e-6, 'μs': 1e-6, ns: 1e-9, ps: 1e-12
}

// Parses "12.5ms", "t=1.5 s", "1 234 567 ticks", "2:03.5" (minutes), "12" (seconds; ticks if hz is
// 0). Returns ticks since t0, or null for no time. Reads what timeText and momentTicks show.
export function parseTime(text: string, hz: number): number | null {
  const plain = text.trim().replace(/^(t|time)\s*=\s*/i, '').replace(/(\d)[\s_']+(?=\d)/g, '$1')
  const ticks = parseTicks(plain, hz)
  if (ticks === null) return null
  const from = /\d\s*t(icks?)?$/i.test(plain) ? clockZero : exactZero
  const near = ticks - Number(from)
  return Math.abs(ticks) < EXACT ? near : parseFar(plain, hz, from) ?? near
}

// Parses large seconds or ticks exactly.
function parseFar(plain: string, hz: number, from: bigint): number | null {
  const match = /^(\d+)(?:\.(\d*))?\s*(s|sec|t|ticks?)?$/i.exec(plain)
  if (!match) return null
  const [, whole, part = '', unit = ''] = match
  const rate = hz > 0 && !/^t/i.test(unit) ? BigInt(Math.round(hz)) : 1n
  return Number(divided(BigInt(whole + part) * rate, 10n ** BigInt(part.length)) - from)
}

function parseTicks(plain: string, hz: number): number | null {
  const clock = /^(\d+):(\d{1,2}(?:\.\d*)?)$/.exec(plain)
  if (clock) return hz > 0 ? Math.round((Number(clock[1]) * 60 + Number(clock[2])) * hz) : null
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-zµμ]*)$/i.exec(plain)
  if (!match) return null
  const value = Number(match[1])
  const unit = match[2].toLowerCase()
  if (!Number.isFinite(value)) return null
  if (/^(t|tick|ticks)$/.test(unit) || (unit === '' && !(hz > 0))) return Math.round(value)
  const seconds = unit === '' ? 1 : Object.hasOwn(typed, unit) ? typed[unit] : 0
  return seconds && hz > 0 ? Math.round(value * seconds * hz) : null
}
