// SPDX-License-Identifier: MIT
// The time lines of several traces on one common clock. What the user points at in one of them is
// shown in the others as a band, as wide as the error.

import { Synced } from '../synced'
import type { TimeLine } from '../canvas'
import { arrivalClocks, lineClock, madeAt } from './clocks'
import type { Clock, Made } from './clocks'
import { groupKinds, pairClocks } from './pairs'
import type { PairKind, PairAnswer, PairGroup } from './pairs'

export type Basis = 'arrivals' | 'begins' | 'moments' | 'pairs'
export const bases: Basis[] = ['arrivals', 'begins', 'moments', 'pairs']
export const basisNames: { [basis in Basis]: string } = {
  arrivals: 'time of day', begins: 'their begins', moments: 'chosen moments', pairs: 'paired records'
}

export interface Pairing { group: PairGroup; answer: PairAnswer | null; error: string }

export class Lanes extends Synced {
  basis: Basis = 'begins'
  moments: number[] // ticks that correspond
  kinds: PairKind[] = []
  pairings: Pairing[] = []
  clocks: (Clock | null)[] // null: no common clock; shown by its begin
  moment: (number | null)[] // that was chosen in each trace: a slice, a record, a marker or the begin of a selection
  private chosenLast: number[] = [] // the traces in which one was chosen, the last one at the end
  private readonly seen: { record: number | null; picked: unknown; marker: unknown; selection: unknown }[]
  redraw: () => void = () => undefined // what is drawn over the time lines
  link: () => string = () => location.href // the address of the page with all that is chosen
  private readonly ownLinks: (() => string)[] = []

  constructor(count: number, changed: () => void) {
    super(count, changed, () => undefined)
    this.moments = Array<number>(count).fill(0)
    this.clocks = Array<Clock | null>(count).fill(null)
    this.moment = Array<number | null>(count).fill(null)
    this.seen = Array.from({ length: count }, () => ({ record: null, picked: null, marker: null, selection: null }))
  }

  // Links that are copied in a time line are of all.
  override add(side: number, window: Window & typeof globalThis): void {
    super.add(side, window)
    const view = this.view(side)!
    this.ownLinks[side] = view.link.bind(view)
    view.link = () => this.link()
  }

  // The address of a trace alone, with all that is chosen in it.
  ownLink(side: number): string {
    return this.ownLinks[side]?.() ?? location.href
  }

  // Whether all traces have been read to their end.
  get ready(): boolean {
    return this.lines.every(line => line?.view.hello?.ended && line.view.status && !line.view.status.progress)
  }

  // Ticks per second; 0: not known.
  rate(side: number): number {
    return this.view(side)?.hello?.hz ?? 0
  }

  // Without a common clock a trace is shown by its begin; without a rate a tick is shown as a ns.
  clock(side: number): Clock {
    return this.clocks[side] ?? lineClock(0, this.rate(side))
  }

  // Returns whether the basis gives two traces a common clock.
  possible(basis: Basis): boolean {
    return this.clocksOf(basis).filter(clock => clock).length > 1
  }

  // The basis without a choice of the user.
  get usual(): Basis {
    return this.possible('arrivals') ? 'arrivals' : 'begins'
  }

  private clocksOf(basis: Basis): (Clock | null)[] {
    const walls = this.lines.map(line => line?.view.hello?.wall)
    switch (basis) {
      case 'arrivals': return arrivalClocks(walls)
      case 'moments': return this.moments.map((t, side) => this.rate(side) > 0 ? lineClock(t, this.rate(side)) : null)
      case 'pairs': return pairClocks(this.lines.map((_, side) => this.rate(side)),
        this.pairings.flatMap(({ group, answer }) => (answer ? [{ group, answer }] : [])))
      default: return this.lines.map((_, side) => this.rate(side) > 0 ? lineClock(0, this.rate(side)) : null)
    }
  }

  align(basis: Basis): void {
    this.basis = basis
    this.clocks = this.clocksOf(basis)
    this.setLimits()
    this.copy(this.leader)
    this.changed()
  }

  // Takes the chosen moment of each trace.
  alignMoments(): void {
    this.moment.forEach((t, side) => { this.moments[side] = t ?? this.moments[side] })
    this.align('moments')
  }

  // Asks for the pairs of these kinds, and then aligns by `wanted`, unless the user has chosen another
  // basis meanwhile. A later call takes the place of an earlier one.
  async pair(kinds: PairKind[], wanted: Basis = 'pairs'): Promise<void> {
    const before = this.basis, pairings: Pairing[] = groupKinds(kinds).map(group => ({ group, answer: null, error: '' }))
    this.kinds = kinds
    this.pairings = pairings
    await Promise.all(pairings.map(async one => {
      const { from, to, kinds: asked } = one.group
      const fields = { with: to, kinds: asked.map(({ how, text, other }) => ({ how, text, other })) }
      try {
        one.answer = await this.view(from)!.source.ask<PairAnswer>('pairs', fields, () => this.changed())
      } catch (error) {
        one.error = String((error as Error)?.message ?? error)
      }
    }))
    if (this.pairings !== pairings) return
    const basis = this.basis === before ? wanted : this.basis
    this.align(this.possible(basis) ? basis : this.basis === 'pairs' ? this.usual : this.basis)
    this.redraw()
  }

  // Whether the user touched this trace last.
  leads(side: number): boolean {
    return side === this.leader
  }

  // Shows a range of one of the traces.
  show(side: number, from: number, until: number): void {
    this.leader = side
    this.view(side)?.show(from, until)
    this.copy(side)
  }

  // The range that each trace shows.
  get shown(): string {
    return this.lines.map(line => line && `${line.view.from} ${line.view.until}`).join()
  }

  // Each time line can show all that was recorded, in its own ticks.
  private setLimits(): void {
    const ends = this.lines.flatMap((line, side) => {
      const last = line?.view.status?.last
      return last === undefined ? [] : [this.clock(side).at(0).ns, this.clock(side).at(last).ns]
    })
    if (ends.length === 0) return
    const least = Math.min(...ends), most = Math.max(...ends)
    this.lines.forEach((line, side) => {
      if (line) line.view.limits = [this.clock(side).back(least), this.clock(side).back(most)]
    })
  }

  // Shows all that was recorded.
  fit(): void {
    for (const line of this.lines) {
      const limits = line?.view.limits
      if (!limits) continue
      const margin = (limits[1] - limits[0]) * 0.01
      line.view.show(limits[0] - margin, limits[1] + margin)
    }
  }

  // Gives a key that was pressed outside of the time lines to the leading one, which has the focus
  // from then on. Returns whether it was used.
  press(event: KeyboardEvent): boolean {
    const window = (this.lines[this.leader] ?? this.lines.find(line => line))?.host.ownerDocument.defaultView
    if (!window) return false
    const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event
    const same = new window.KeyboardEvent('keydown', { key, code, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true })
    window.focus()
    return !window.document.body.dispatchEvent(same)
  }

  // What was chosen last in two of the traces.
  chosen(): { side: number; at: Made }[] {
    return this.chosenLast.slice(-2).map(side => ({ side, at: madeAt(this.clock(side), this.moment[side]!) }))
  }

  // What was chosen last; if it is cleared, what is still chosen.
  private takeChosen(side: number): void {
    const { record, picked, marker, selection, cursor } = this.view(side)!, seen = this.seen[side]
    const left = marker?.t ?? picked?.begin ?? selection?.[0] ?? null
    let moment = this.moment[side]
    if (record !== seen.record && record !== null && cursor !== null) moment = cursor
    else if (marker !== seen.marker) moment = marker?.t ?? left
    else if (picked !== seen.picked) moment = picked?.begin ?? left
    else if (selection !== seen.selection) moment = selection?.[0] ?? left
    this.seen[side] = { record, picked, marker, selection }
    if (moment === this.moment[side]) return
    this.moment[side] = moment
    this.chosenLast = this.chosenLast.filter(one => one !== side)
    if (moment !== null) this.chosenLast.push(side)
  }

  across(from: number, to: number, t: number): number {
    return from === to ? t : this.clock(to).back(this.clock(from).at(t).ns)
  }

  protected touched(side: number): void {
    if (side !== this.leader) {
      this.leader = side
      const view = this.view(side)
      if (view?.other) {
        view.other = null
        view.changed()
      }
      this.copyCursors(side)
    }
    requestAnimationFrame(() => this.redraw())
  }

  protected viewChanged(side: number): void {
    this.takeChosen(side)
    super.viewChanged(side)
    this.redraw()
  }

  protected copyCursor(from: number, to: number): void {
    const at = this.view(from)!.cursor ?? this.moment[from], view = this.view(to)!
    const other = at === null ? null : this.band(from, to, at)
    if (other?.[0] === view.other?.[0] && other?.[1] === view.other?.[1]) return
    view.other = other
    view.changed()
  }

  // Of a time in one trace: from when until when it may be in another one; both the same: its error is not known.
  private band(from: number, to: number, t: number): [number, number] {
    const { ns, error } = this.clock(from).at(t), at = this.clock(to).back(ns)
    const own = this.clock(to).at(at).error
    if (error === null || own === null) return [at, at]
    return [this.clock(to).back(ns - error - own), this.clock(to).back(ns + error + own)]
  }

  protected copyScroll(): void {
    // their rows are different ones
  }

  // Where a trace's time line is on the page; null: not there yet.
  static plot(line: TimeLine): DOMRect | null {
    const host = line.host, frame = host.ownerDocument.defaultView?.frameElement
    if (!frame) return null
    const own = host.getBoundingClientRect(), outer = frame.getBoundingClientRect()
    return new DOMRect(outer.x + own.x, outer.y + own.y, own.width, own.height)
  }
}
