// SPDX-License-Identifier: MIT
// Two time lines, each in a frame of its own, that show corresponding times. The one that the user
// touched last leads: the other takes its range, its cursor, its theme and how far its rows are
// scrolled. So the two never answer each other.

import type { TimeLine } from '../canvas'
import { frame, marksOfRule } from '../go'
import { rowOfMark } from '../marks'
import type { View } from '../view'
import { across } from './scale'
import type { Scale } from './scale'

export interface Stretch { from: number; until: number }
export type Side = 0 | 1

const TOUCHES = ['pointerdown', 'pointermove', 'wheel', 'keydown']

export class Pair {
  readonly lines: [TimeLine | null, TimeLine | null] = [null, null]
  readonly scale: Scale = { at: [0, 0], hz: [0, 0] }
  private leader: Side = 0
  private dark: boolean | null = null

  // key: is called before a time line handles a key.
  constructor(private readonly changed: () => void, private readonly key: (event: KeyboardEvent) => void) {}

  // Adds a time line once its page has made it.
  add(side: Side, window: Window & typeof globalThis): void {
    const line = window.wallfly!
    this.lines[side] = line
    globalThis.window.wallfly ??= line // for tests
    for (const name of TOUCHES) {
      window.addEventListener(name, () => {
        this.leader = side
        window.requestAnimationFrame(() => this.copyScroll(side))
      }, { capture: true, passive: true })
    }
    window.addEventListener('keydown', this.key, true)
    line.view.listen(() => this.viewChanged(side))
    if (this.dark !== null) line.view.dark = this.dark
    line.view.changed()
    this.changed()
  }

  get ready(): boolean {
    return this.lines.every(line => !line || (line.view.hello !== null && line.view.rows.length > 0))
  }

  view(side: Side): View | null {
    return this.lines[side]?.view ?? null
  }

  setDark(dark: boolean): void {
    this.dark = dark
    for (const line of this.lines) {
      if (!line || line.view.dark === dark) continue
      line.view.dark = dark
      line.view.changed()
    }
    this.changed()
  }

  // Makes times correspond, and marks them on both sides.
  align(at: [number, number]): void {
    this.scale.at = at
    this.lines.forEach((line, side) => {
      if (!line) return
      line.view.place = { text: '', from: at[side], until: at[side] }
      line.view.changed()
    })
  }

  // Shows a place of which at least one side is known; where both are, they correspond from now on.
  // change: number of the change whose marks are there; -1: none.
  async go(places: readonly [Stretch | null, Stretch | null], change: number): Promise<void> {
    const [good, now] = places
    if (good && now) this.align([good.from, now.from])
    const lengths = places.map((place, side) =>
      (place && this.lines[side] ? (place.until - place.from) / (this.scale.hz[side] || 1) : -1))
    const side: Side = lengths[1] > lengths[0] ? 1 : 0
    const place = places[side], view = this.view(side)
    if (!place || !view) return
    this.leader = side
    this.lines.forEach((line, i) => {
      const own = places[i]
      if (line) line.view.selection = own && own.until > own.from ? [own.from, own.until] : null
    })
    await Promise.all([frame(view, place.from, place.until), this.choose(change)])
    this.copy(side)
    if (!this.view(side ? 0 : 1)?.mark) this.copyScroll(side)
  }

  // Outlines the marks of a change and scrolls to their rows.
  private async choose(change: number): Promise<void> {
    await Promise.all(this.lines.map(async line => {
      if (!line) return
      const found = change < 0 ? null : await marksOfRule(line.view, change, 0, 1).catch(() => null)
      line.view.mark = found?.marks[0] ?? null
      line.view.changed()
      const row = line.view.mark ? rowOfMark(line.view.rows, line.view.mark) : -1
      if (row >= 0) line.view.reveal(row)
    }))
  }

  private viewChanged(side: Side): void {
    const view = this.view(side)!
    this.scale.hz[side] = view.hello?.hz ?? 0
    if (this.dark !== null && view.dark !== this.dark) this.setDark(view.dark)
    if (side === this.leader) this.copy(side)
    this.changed()
  }

  private copy(side: Side): void {
    const view = this.view(side), other = this.view(side ? 0 : 1)
    if (!view || !other) return
    const to = (t: number) => across(this.scale, side, t)
    const cursor = view.cursor === null ? null : to(view.cursor)
    const from = to(view.from), until = to(view.until)
    if (other.from !== from || other.until !== until) other.show(from, until)
    if (other.cursor === cursor) return
    other.cursor = cursor
    other.changed()
  }

  private copyScroll(side: Side): void {
    const line = this.lines[side], other = this.lines[side ? 0 : 1]
    if (!line || !other || side !== this.leader || other.geometry.scroll === line.geometry.scroll) return
    const before = other.geometry.scroll
    other.geometry.scrollTo(line.geometry.scroll)
    if (other.geometry.scroll !== before) other.redraw()
  }
}
