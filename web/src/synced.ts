// SPDX-License-Identifier: MIT
// Several time lines, each in a frame of its own, that show corresponding times. The one that the
// user touched last leads: the others take its range, its theme and how far its rows are scrolled.
// So they never answer each other.

import type { TimeLine } from './canvas'
import type { View } from './view'

const TOUCHES = ['pointerdown', 'pointermove', 'wheel', 'keydown']

export abstract class Synced {
  readonly lines: (TimeLine | null)[]
  protected leader = 0
  private dark: boolean | null = null
  private readonly ranges: [number, number][] = [] // that they show

  // key: is called before a time line handles a key.
  constructor(count: number, protected readonly changed: () => void, private readonly key: (event: KeyboardEvent) => void) {
    this.lines = Array<TimeLine | null>(count).fill(null)
  }

  // Returns the time of another time line that corresponds to time t of this one.
  abstract across(from: number, to: number, t: number): number
  // Copies what else another time line shows of this one.
  protected abstract copyCursor(from: number, to: number): void

  // Adds a time line once its page has made it.
  add(side: number, window: Window & typeof globalThis): void {
    const line = window.wallfly!
    this.lines[side] = line
    globalThis.window.wallfly ??= line // for tests
    for (const name of TOUCHES) {
      window.addEventListener(name, () => {
        this.touched(side)
        window.requestAnimationFrame(() => this.copyScroll(side))
      }, { capture: true, passive: true })
    }
    window.addEventListener('keydown', this.key, true)
    line.view.listen(() => this.viewChanged(side))
    if (this.dark !== null) line.view.dark = this.dark
    line.view.changed()
    this.changed()
  }

  view(side: number): View | null {
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

  protected touched(side: number): void {
    this.leader = side
  }

  protected viewChanged(side: number): void {
    const view = this.view(side)!
    if (this.dark !== null && view.dark !== this.dark) this.setDark(view.dark)
    const before = this.ranges[side]
    this.ranges[side] = [view.from, view.until]
    if (side === this.leader && before?.[0] === view.from && before[1] === view.until) this.copyCursors(side)
    else if (side === this.leader) this.copy(side)
    this.changed()
  }

  private others(side: number): number[] {
    return this.lines.flatMap((line, to) => (line && to !== side ? [to] : []))
  }

  protected copyCursors(side: number): void {
    for (const to of this.others(side)) this.copyCursor(side, to)
  }

  // A time line may not show a range exactly, as one with coarse ticks: only a range that the user has
  // changed is copied.
  protected copy(side: number): void {
    const view = this.view(side)
    if (!view) return
    for (const to of this.others(side)) {
      const other = this.view(to)!
      const from = this.across(side, to, view.from), until = this.across(side, to, view.until)
      if (other.from !== from || other.until !== until) other.show(from, until)
    }
    this.copyCursors(side)
  }

  protected copyScroll(side: number): void {
    const line = this.lines[side]
    if (!line || side !== this.leader) return
    for (const other of this.lines) {
      if (!other || other === line || other.geometry.scroll === line.geometry.scroll) continue
      const before = other.geometry.scroll
      other.geometry.scrollTo(line.geometry.scroll)
      if (other.geometry.scroll !== before) other.redraw()
    }
  }
}
