// SPDX-License-Identifier: MIT
// Colours of the canvas, dark and light. A thing has its colour by its number among the things of
// its kind, so it keeps it. Red is only for losses.

import { ownName } from './names'
import type { Thing, ThingKind } from './protocol'

export type Rgb = [number, number, number]

export interface Theme {
  dark: boolean
  back: string // of rows
  stripe: string // of every other row
  outside: string // before the first and after the last record
  column: string // behind the names
  heading: string
  text: string
  muted: string
  faint: string
  grid: string
  line: string
  accent: string
  select: string
  loss: string
  lossBack: string
  fail: string // marks of rules that are broken
  unsure: string // and of those that could not be decided
  marker: string // of the user
  onMarker: string
  off: string // where groups were filtered out
  grey: Rgb
  idle: Rgb
  things: Rgb[]
}

// Found by a search for the largest distance of any two colours, as seen by all and with
// deuteranopia and protanopia (web/test/colours.test.ts has the least distances).
const lightThings = [
  '#1489d0', '#edae2c', '#509958', '#8a65a4', '#9b9b27', '#74cbe9', '#8d6e2a', '#dc89b0',
  '#9b9ef2', '#99d362', '#199492', '#ee9e8a'
]
const darkThings = [
  '#2287d0', '#dc8121', '#14a975', '#a770ac', '#f2c64c', '#9bcae8', '#b2794e', '#fa9db0',
  '#a09ff1', '#9dc65d', '#498e84', '#f6c49a'
]

export function rgb(hex: string): Rgb {
  const n = parseInt(hex.slice(1), 16)
  return [n >> 16 & 255, n >> 8 & 255, n & 255]
}

export function css(colour: Rgb, alpha = 1): string {
  return `rgba(${colour[0]},${colour[1]},${colour[2]},${alpha})`
}

// Returns the colour as a pixel of ImageData, little-endian.
export function packed(colour: Rgb, alpha = 1): number {
  return (Math.round(alpha * 255) << 24 | colour[2] << 16 | colour[1] << 8 | colour[0]) >>> 0
}

export function mixed(colour: Rgb, other: Rgb, share: number): Rgb {
  return colour.map((part, i) => Math.round(part + (other[i] - part) * share)) as Rgb
}

// WCAG's relative luminance, 0 to 1.
export function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map(part => {
    const s = part / 255
    return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

// Returns the ink with the better contrast. Both have the same at luminance 0.179.
export function inkOn(colour: Rgb): string {
  return luminance(colour) > 0.179 ? '#10151b' : '#ffffff'
}

const light: Theme = {
  dark: false, back: '#ffffff', stripe: '#f8fafb', outside: '#eceff2', column: '#f5f7f9',
  heading: '#e9edf1', text: '#1c232b', muted: '#5c6873', faint: '#98a3ad', grid: '#e7ebef',
  line: '#d3d9df', accent: '#1f6feb', select: 'rgba(31,111,235,0.12)', loss: '#cf222e',
  lossBack: 'rgba(207,34,46,0.10)', fail: '#a3127f', unsure: '#8a5300', marker: '#0b6e4f', onMarker: '#ffffff', off: '#6e7781', grey: rgb('#8a949e'), idle: rgb('#c9d1d9'),
  things: lightThings.map(rgb)
}

const dark: Theme = {
  dark: true, back: '#14181d', stripe: '#171c22', outside: '#0c0f13', column: '#1a2027',
  heading: '#222a33', text: '#e3e9ef', muted: '#97a3af', faint: '#5f6b77', grid: '#222932',
  line: '#303944', accent: '#58a6ff', select: 'rgba(88,166,255,0.18)', loss: '#ff6b6b',
  lossBack: 'rgba(255,107,107,0.13)', fail: '#ff7ad9', unsure: '#e3b04b', marker: '#4fd1a5', onMarker: '#06261b', off: '#8b949e', grey: rgb('#7d8893'), idle: rgb('#3a444f'),
  things: darkThings.map(rgb)
}

export function themeOf(isDark: boolean): Theme {
  return isDark ? dark : light
}

// Palette index of the first thing of a kind, so that a mutex and its first task differ in colour.
const firsts: Partial<Record<ThingKind, number>> = { object: 7, state: 2, signal: 5, irq: 10, text: 4 }

// Returns each thing's palette index: its number among the things of its kind. Lives of one task or
// object share a row, so they have the colour of the first life.
export function placesOf(things: Thing[], colours: number): Uint8Array {
  const places = new Uint8Array(things.length)
  const next = new Map<ThingKind, number>()
  const lives = new Map<string, number>()
  things.forEach((thing, i) => {
    const place = next.get(thing.kind) ?? firsts[thing.kind] ?? 0
    const life = `${thing.kind} ${thing.key} ${ownName(thing)}`
    const before = thing.key ? lives.get(life) : undefined
    places[i] = before ?? place % colours
    lives.set(life, places[i])
    next.set(thing.kind, place + 1)
  })
  return places
}
