// SPDX-License-Identifier: MIT
// The two time lines of a report, and their cursors.

import { frame, marksOfRule } from '../go'
import { rowOfMark } from '../marks'
import { Synced } from '../synced'
import { across } from './scale'
import type { Scale } from './scale'

export interface Stretch { from: number; until: number }
export type Side = 0 | 1

export class Pair extends Synced {
  readonly scale: Scale = { at: [0, 0], hz: [0, 0] }

  constructor(changed: () => void, key: (event: KeyboardEvent) => void) {
    super(2, changed, key)
  }

  get ready(): boolean {
    return this.lines.every(line => !line || (line.view.hello !== null && line.view.rows.length > 0))
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

  across(from: number, to: number, t: number): number {
    return from === to ? t : across(this.scale, from as Side, t)
  }

  protected viewChanged(side: number): void {
    this.scale.hz[side] = this.view(side)!.hello?.hz ?? 0
    super.viewChanged(side)
  }

  protected copyCursor(from: number, to: number): void {
    const { cursor } = this.view(from)!, other = this.view(to)!
    const at = cursor === null ? null : this.across(from, to, cursor)
    if (other.cursor === at) return
    other.cursor = at
    other.changed()
  }
}
