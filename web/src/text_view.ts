// SPDX-License-Identifier: MIT
// What is in view as a table, for screen readers: the canvas has no text. The table is not visible, and
// is made again when the view has come to rest.

import type { Canvas } from './canvas'
import { percentText } from './tip'
import { groupNames } from './layout'
import type { Line } from './layout'
import type { LoadAnswer } from './loads'
import type { Sheet } from './sheet'
import { clean } from './text'
import { countText, timeText } from './times'

const REST_MS = 500, MOST_MS = 3000 // a table is made after a rest, or at last after MOST_MS
const heads = ['row', 'kind', 'slices in view', 'time of a core']

// Returns the number of slices of the row's first lane in view.
export function countSlices(sheet: Pick<Sheet, 'each'>, line: Line): number {
  let count = 0
  sheet.each(line.lanes[0].track.id, piece => { count += piece.count })
  return count
}

export class TextView {
  private readonly table = document.createElement('table')
  private timer = 0
  private waits = 0 // since when

  constructor(private readonly canvas: Canvas) {
    this.table.className = 'unseen'
    this.table.setAttribute('aria-label', 'In view')
    canvas.host.append(this.table)
  }

  // Called when the canvas is drawn.
  later(): void {
    const now = performance.now()
    if (this.timer && now - this.waits > MOST_MS) return
    if (!this.timer) this.waits = now
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => void this.make(), REST_MS)
  }

  dispose(): void {
    clearTimeout(this.timer)
    this.table.remove()
  }

  // Returns how much of a core's time in view each thing ran; null if it is not known.
  private async shares(from: number, until: number): Promise<Map<number, number> | null> {
    const ask = { core: -1, from: Math.floor(from), width: Math.max(1, Math.ceil(until) - Math.floor(from)), count: 1 }
    const answer = await this.canvas.view.source.ask<LoadAnswer>('load', ask).catch(() => null)
    if (!answer) return null
    const [parts = []] = answer.loads, shares = new Map<number, number>()
    for (let i = 0; i < parts.length; i += 2) shares.set(parts[i], parts[i + 1] / ask.width)
    return shares
  }

  private async make(): Promise<void> {
    const { view, geometry, sheet } = this.canvas, hz = view.hello?.hz ?? 0, { from, until } = view
    this.timer = 0
    const shares = await this.shares(from, until)
    if (this.timer) return // the view has changed
    const caption = document.createElement('caption')
    caption.textContent = `${timeText(from, hz)} to ${timeText(until, hz)}`
    const { pinned, lines } = geometry.layout, shown = (line: Line) => {
      const y = line.y + geometry.offset('rows')
      return y < geometry.height && y + line.height > geometry.rowsTop
    }
    const rows = [...pinned, ...lines.filter(shown)].filter(line => line.row >= 0 && line.kind !== 'load' && line.lanes.length > 0).map(line => {
      const row = view.rows[line.row], runs = line.kind === 'task' || line.kind === 'irq'
      return rowOf([cell('th', clean(row?.name || groupNames[line.kind]), 'row'), cell('td', groupNames[line.kind]),
                    cell('td', countText(countSlices(sheet, line))), cell('td', runs && row && shares ? percentText(shares.get(row.thing) ?? 0) : '')])
    })
    this.table.replaceChildren(caption, rowOf(heads.map(text => cell('th', text, 'col'))), ...rows)
  }
}

function cell(tag: 'th' | 'td', text: string, scope?: string): HTMLElement {
  const element = document.createElement(tag)
  if (scope) element.setAttribute('scope', scope)
  element.textContent = text
  return element
}

function rowOf(cells: HTMLElement[]): HTMLElement {
  const row = document.createElement('tr')
  row.append(...cells)
  return row
}
