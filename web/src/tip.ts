// SPDX-License-Identifier: MIT
// The tooltip: what lies under the pointer, in words and exact numbers. Texts from the trace are set
// as text only.

import type { Band } from './draw_bands'
import type { Hit } from './hit'
import { clean } from './text'
import { absolute, lengthText, ticksText, timeText } from './times'
import type { View } from './view'
import { cutWords, lossWords, pieceWords } from './words'

const AWAY = 14 // pixels from the pointer

function element(kind: string, name: string, text: string): HTMLElement {
  const made = document.createElement(kind)
  made.className = name
  made.textContent = text
  return made
}

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

  show(view: View, x: number, y: number, hit: Hit | null, loss: Band | null): void {
    const parts: HTMLElement[] = []
    if (hit) this.addHit(parts, view, hit)
    if (loss && hit?.lane.track.kind !== 'loss') {
      parts.push(element('div', 'tip-loss', lossWords(loss.value, loss.more === 1)))
    }
    if (parts.length === 0) return this.hide()
    this.box.replaceChildren(...parts)
    this.box.hidden = false
    this.place(x, y)
  }

  private addHit(parts: HTMLElement[], view: View, hit: Hit): void {
    const { piece, row } = hit
    const hz = view.hello?.hz ?? 0
    parts.push(element('div', 'tip-row', clean(row.name) || row.kind))
    parts.push(element('div', 'tip-what', pieceWords(view, row, hit.lane.track.kind, piece)))
    const table = element('div', 'tip-times', '')
    const line = (name: string, time: string, ticks: number) => {
      table.append(element('span', 'tip-name', name), element('span', 'tip-time', time),
                   element('span', 'tip-ticks', hz > 0 ? ticksText(ticks) : ''))
    }
    const moment = (name: string, t: number) => line(name, timeText(t, hz), absolute(t))
    if (piece.begin === piece.end && piece.count === 1) moment('at', piece.begin)
    else {
      moment('begin', piece.begin)
      moment('end', piece.end)
      line('length', lengthText(piece.end - piece.begin, hz), piece.end - piece.begin)
    }
    parts.push(table)
    const cut = cutWords(piece)
    if (cut) parts.push(element('div', 'tip-cut', cut))
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
