// SPDX-License-Identifier: MIT
// Shared by all drawing: the canvas in CSS pixels, the mapping of times to x and of things to names
// and colours, and texts that are cut to fit.

import { mixed, packed, placesOf, themeOf } from './colours'
import type { Rgb, Theme } from './colours'
import type { Thing } from './protocol'
import { clean } from './text'
import type { View } from './view'

const LETTERS = 4 // minimum letters of a text that is cut
const TEXTS_MOST = 4000 // cached widths of texts

export class Pen {
  theme: Theme = themeOf(false)
  scale = 1 // device pixels per CSS pixel
  from = 0
  until = 1
  left = 0 // x where the rows' time begins; `width` is its width
  width = 1
  hz = 0
  font = 'sans-serif'

  private things: Thing[] = []
  private names: string[] = [] // as shown
  private places: Uint8Array = new Uint8Array(0)
  private bits: number[] = []
  private edges: number[] = []
  private widths = new Map<string, number>()
  private fontNow = ''

  constructor(readonly ctx: CanvasRenderingContext2D) {}

  // Called for each frame.
  set(view: View, from: number, until: number, left: number, width: number, scale: number): void {
    if (this.theme !== themeOf(view.dark) || this.bits.length === 0) this.setTheme(themeOf(view.dark))
    this.hz = view.hello?.hz ?? 0
    Object.assign(this, { from, until, left, width })
    if (scale !== this.scale) this.widths.clear()
    this.scale = scale
    this.ctx.setTransform(scale, 0, 0, scale, 0, 0)
    this.ctx.font = this.fontNow = `11px ${this.font}`
    if (view.things === this.things) return
    this.things = view.things
    this.names = []
    this.places = placesOf(view.things, this.theme.things.length)
  }

  x(t: number): number {
    return this.left + (t - this.from) / (this.until - this.from) * this.width
  }

  time(x: number): number {
    return this.from + (x - this.left) / this.width * (this.until - this.from)
  }

  // Returns a length of time in pixels.
  perTick(ticks: number): number {
    return ticks / (this.until - this.from) * this.width
  }

  snap(v: number): number {
    return Math.round(v * this.scale) / this.scale
  }

  // A rectangle whose edges are on device pixels.
  rect(x: number, y: number, width: number, height: number): void {
    const x0 = this.snap(x), y0 = this.snap(y)
    this.ctx.fillRect(x0, y0, Math.max(1 / this.scale, this.snap(x + width) - x0),
                      Math.max(1 / this.scale, this.snap(y + height) - y0))
  }

  setFont(font: string): void {
    if (font === this.fontNow) return
    this.fontNow = font
    this.ctx.font = font
  }

  plain(size = 11): void {
    this.setFont(`${size}px ${this.font}`)
  }

  bold(size = 11): void {
    this.setFont(`600 ${size}px ${this.font}`)
  }

  textWidth(text: string): number {
    const key = this.fontNow + text
    let width = this.widths.get(key)
    if (width === undefined) {
      if (this.widths.size > TEXTS_MOST) this.widths.clear()
      width = this.ctx.measureText(text).width
      this.widths.set(key, width)
    }
    return width
  }

  // Returns the text cut to the room, with "..." at the cut; empty if too little would be left.
  cut(text: string, room: number): string {
    const width = this.textWidth(text)
    if (width <= room) return text
    const fit = Math.floor((room - 8) / width * text.length)
    return fit < LETTERS ? '' : text.slice(0, fit).trimEnd() + '…'
  }

  // y: the base line.
  text(text: string, x: number, y: number, colour: string, room: number): void {
    const fitting = this.cut(text, room)
    if (!fitting) return
    this.ctx.fillStyle = colour
    this.ctx.fillText(fitting, x, y)
  }

  name(thing: number): string {
    return this.names[thing] ??= clean(this.things[thing]?.name || (thing === 1 ? 'idle' : ''))
  }

  kind(thing: number): string {
    return this.things[thing]?.kind ?? ''
  }

  colour(thing: number): Rgb {
    if (thing <= 1) return thing === 1 ? this.theme.idle : this.theme.grey
    return this.theme.things[this.places[thing] ?? thing % this.theme.things.length]
  }

  // Returns the thing's colour as a pixel of image data.
  pack(thing: number, alpha: number): number {
    const place = this.places[thing] ?? 0
    const bits = thing > 1 ? this.bits[place] : packed(this.colour(thing), 0)
    return (Math.round(alpha * 255) << 24 | bits) >>> 0
  }

  // Returns the colour of the left edge of the thing's boxes.
  edge(thing: number): number {
    return this.edges[this.places[thing] ?? 0]
  }

  private setTheme(theme: Theme): void {
    const edge: Rgb = theme.dark ? [0, 0, 0] : [255, 255, 255]
    this.theme = theme
    this.bits = theme.things.map(colour => packed(colour, 0))
    this.edges = theme.things.map(colour => packed(mixed(colour, edge, 0.55)))
  }
}
