// SPDX-License-Identifier: MIT
// The tooltip: the arrow, slice or hole under the pointer, in words and exact numbers. Texts from
// the trace are set as text only.

import type { Band } from './draw_bands'
import type { LoadPart } from './draw_load'
import type { Hit } from './hit'
import type { LoadWindow } from './loads'
import { ruleTitle } from './marks'
import type { Mark } from './marks'
import type { Arrow, Row } from './protocol'
import { clean } from './text'
import { lengthText, momentTicks, shortLength, ticksText, timeText } from './times'
import type { View } from './view'
import { errorText, wallAt, wallText } from './wall'
import { arrowTimes, arrowWords, cutWords, lossWords, pieceWords } from './words'

const AWAY = 14 // pixels from the pointer
const LOADS_MOST = 12 // tasks and interrupts of a load that are listed

// Two digits after the point; never 0 or 100 for what is not.
export function percentText(share: number): string {
  const text = (share * 100).toFixed(2)
  return `${share > 0 && text === '0.00' ? '< 0.01' : share < 1 && text === '100.00' ? '> 99.99' : text} %`
}

function element(kind: string, name: string, text: string): HTMLElement {
  const made = document.createElement(kind)
  made.className = name
  made.textContent = text
  return made
}

// Begin, end and length; for a moment only its time, unless `all` is set.
function timesTable(view: View, begin: number, end: number, names: readonly string[], all = false): HTMLElement {
  const hz = view.hello?.hz ?? 0
  const table = element('div', 'tip-times', '')
  const line = (name: string, time: string, ticks: string) => {
    table.append(element('span', 'tip-name', name), element('span', 'tip-time', time),
                 element('span', 'tip-ticks', hz > 0 ? ticks : ''))
  }
  const moment = (name: string, t: number) => {
    line(name, timeText(t, hz), momentTicks(t))
    const wall = view.clock === 'trace' ? null : wallAt(view.hello?.wall, t)
    if (wall) line('', wallText(wall, view.clock), errorText(wall.error))
  }
  if (begin === end && !all) moment('at', begin)
  else {
    moment(names[0], begin)
    moment(names[1], end)
    line(names[2], lengthText(end - begin, hz), ticksText(end - begin))
  }
  return table
}

// An interrupt of several cores has a row on each.
function ownerName(view: View, row: Row, thing: number): string {
  const name = clean(view.things[thing]?.name ?? '')
  const irq = row.core < 0 ? view.rows.find(one => one.kind === 'irq' && one.thing === thing) : undefined
  return irq ? `${name} of core ${irq.core}` : name
}

// A window of a load at time t, and its parts (draw_load.ts).
export interface LoadUnder {
  row: Row; t: number; window: LoadWindow; parts: LoadPart[]; idle: number; unknown: number; all: number
}

// What lies under the pointer.
export interface Under { arrow: Arrow | null; hit: Hit | null; loss: Band | null; mark: Mark | null; load: LoadUnder | null }

export class Tip {
  private readonly box = element('div', 'tip', '')

  constructor(private readonly host: HTMLElement) {
    this.box.hidden = true
    this.box.setAttribute('role', 'tooltip')
    host.append(this.box)
  }

  dispose(): void {
    this.box.remove()
  }

  hide(): void {
    this.box.hidden = true
  }

  show(view: View, x: number, y: number, { arrow, hit, loss, mark, load }: Under): void {
    const parts: HTMLElement[] = []
    if (mark) this.addMark(parts, view, mark)
    if (arrow) this.addArrow(parts, view, arrow)
    if (hit) this.addHit(parts, view, hit)
    if (load) this.addLoad(parts, view, load)
    if (loss && hit?.lane.track.kind !== 'loss') {
      parts.push(element('div', 'tip-loss', lossWords(loss.value, loss.more === 1)))
    }
    if (parts.length === 0) return this.hide()
    this.box.replaceChildren(...parts)
    this.box.hidden = false
    this.place(x, y)
  }

  // A title and lines of text.
  showWords(x: number, y: number, [title, ...lines]: string[]): void {
    this.box.replaceChildren(element('div', 'tip-row', title), ...lines.map(line => element('div', 'tip-words', line)))
    this.box.hidden = false
    this.place(x, y)
  }

  private addMark(parts: HTMLElement[], view: View, mark: Mark): void {
    parts.push(element('div', `tip-row tip-mark ${mark.kind === 'fail' ? 'fail' : ''}`, ruleTitle(view, mark)),
               element('div', 'tip-what', mark.text), timesTable(view, mark.from, mark.until, ['begin', 'end', 'length']))
  }

  private addArrow(parts: HTMLElement[], view: View, arrow: Arrow): void {
    const [kind, begin, end] = arrow
    const [title, what] = arrowWords(view, arrow)
    parts.push(element('div', 'tip-row tip-arrow', title), element('div', 'tip-what', what),
               timesTable(view, begin, end, arrowTimes[kind]))
  }

  private addHit(parts: HTMLElement[], view: View, hit: Hit): void {
    const { piece, row } = hit
    parts.push(element('div', 'tip-row', clean(row.name) || row.kind),
               element('div', 'tip-what', pieceWords(view, row, hit.lane.track.kind, piece)),
               timesTable(view, piece.begin, piece.end, ['begin', 'end', 'length'], piece.count > 1))
    const cut = cutWords(piece)
    if (cut) parts.push(element('div', 'tip-cut', cut))
  }

  private addLoad(parts: HTMLElement[], view: View, load: LoadUnder): void {
    const hz = view.hello?.hz ?? 0, { window: { from, until, exact } } = load
    const table = element('div', 'tip-times', '')
    const line = (name: string, ticks: number) => {
      if (ticks <= 0) return
      table.append(element('span', 'tip-name', name), element('span', 'tip-time', percentText(ticks / load.all)),
                   element('span', 'tip-ticks', shortLength(ticks, hz)))
    }
    const sorted = [...load.parts].sort((a, b) => b.ticks - a.ticks)
    for (const { thing, ticks } of sorted.slice(0, LOADS_MOST)) line(ownerName(view, load.row, thing), ticks)
    line('others', sorted.slice(LOADS_MOST).reduce((sum, { ticks }) => sum + ticks, 0))
    line('idle', load.idle)
    line('unknown', load.unknown)
    parts.push(element('div', 'tip-row', clean(load.row.name)),
               element('div', 'tip-what', `at ${timeText(load.t, hz)}, window ${lengthText(until - from, hz)} from ${timeText(from, hz)}`), table)
    if (!exact) parts.push(element('div', 'tip-cut', 'about: the edges of the window are not exact'))
  }

  // Beside the pointer, within the canvas.
  private place(x: number, y: number): void {
    const { clientWidth, clientHeight } = this.host
    const { offsetWidth, offsetHeight } = this.box
    const left = x + AWAY + offsetWidth > clientWidth ? x - AWAY - offsetWidth : x + AWAY
    const top = y + AWAY + offsetHeight > clientHeight ? y - AWAY - offsetHeight : y + AWAY
    this.box.style.left = Math.max(2, left) + 'px'
    this.box.style.top = Math.max(2, top) + 'px'
  }
}
