// SPDX-License-Identifier: MIT
// Arrows of messages from one trace to another, drawn over their time lines. An arrow is dashed if the
// clocks' errors leave it open which end is first.

import type { TimeLine } from '../canvas'
import { themeOf } from '../colours'
import { orderOf } from './clocks'
import { Lanes } from './group'
import type { RecordPair } from './pairs'

const ARROWS_MOST = 150 // that can be told apart; more are counted
const HEAD = 7

interface Point { x: number; y: number; seen: boolean }

function rowMiddle(line: TimeLine, row: number): number {
  const { geometry } = line
  for (const part of ['pinned', 'rows'] as const) {
    const found = (part === 'pinned' ? geometry.layout.pinned : geometry.layout.lines).find(one => one.row === row)
    if (!found) continue
    const y = found.y + geometry.offset(part) + found.height / 2
    return Math.min(Math.max(y, part === 'rows' ? geometry.rowsTop : geometry.pinnedTop), geometry.height)
  }
  return geometry.rowsTop
}

// A point of the overlay; seen: its time is in view.
function pointOf(line: TimeLine, plot: DOMRect, t: number, row: number): Point {
  const { view, geometry } = line
  const share = (t - view.from) / (view.until - view.from)
  return { x: plot.x + geometry.left + share * geometry.plot, y: plot.y + rowMiddle(line, row), seen: share >= 0 && share <= 1 }
}

export class Overlay {
  shown = 0 // arrows drawn
  more = 0 // that were not, as there are too many
  private frame = 0

  constructor(private readonly lanes: Lanes, private readonly canvas: HTMLCanvasElement) {
    lanes.redraw = () => this.redraw()
  }

  redraw(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0
      this.draw()
    })
  }

  private arrows(): { from: Point; to: Point; sure: boolean }[] {
    const { lanes } = this, plots = lanes.lines.map(line => line && Lanes.plot(line))
    return lanes.pairings.flatMap(({ group, answer }) => {
      const a = lanes.lines[group.from], b = lanes.lines[group.to]
      const pa = plots[group.from], pb = plots[group.to]
      if (!answer || !a || !b || !pa || !pb) return []
      return answer.pairs.flatMap(([kind, here, hereRow, there, thereRow]: RecordPair) => {
        const { how } = group.kinds[kind]
        if (how === 'same') return []
        const ends = [pointOf(a, pa, here, hereRow), pointOf(b, pb, there, thereRow)]
        if (!ends.some(end => end.seen)) return []
        const order = orderOf(lanes.clock(group.from).at(here), lanes.clock(group.to).at(there))
        return [how === 'sent' ? { from: ends[0], to: ends[1], sure: order < 0 } : { from: ends[1], to: ends[0], sure: order > 0 }]
      })
    })
  }

  private draw(): void {
    const { canvas } = this, scale = devicePixelRatio || 1
    const ctx = canvas.getContext('2d')!
    canvas.width = Math.round(innerWidth * scale)
    canvas.height = Math.round(innerHeight * scale)
    ctx.setTransform(scale, 0, 0, scale, -canvas.offsetLeft * scale, -canvas.offsetTop * scale)
    const arrows = this.arrows(), most = arrows.length > ARROWS_MOST
    this.shown = most ? 0 : arrows.length
    this.more = most ? arrows.length : 0
    canvas.dataset.arrows = String(this.shown)
    const { dark } = this.lanes.view(0) ?? { dark: false }
    ctx.strokeStyle = ctx.fillStyle = themeOf(dark).accent
    ctx.lineWidth = 1.4
    const left = Math.min(...this.lanes.lines.map(line => line?.geometry.left ?? 0))
    ctx.beginPath()
    ctx.rect(left, 0, innerWidth - left, innerHeight)
    ctx.clip() // not over the names of rows
    if (!most) for (const { from, to, sure } of arrows) drawArrow(ctx, from, to, sure)
  }
}

function drawArrow(ctx: CanvasRenderingContext2D, from: Point, to: Point, sure: boolean): void {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const dx = (to.x - from.x) / length, dy = (to.y - from.y) / length
  ctx.setLineDash(sure ? [] : [4, 3])
  ctx.beginPath()
  ctx.moveTo(from.x, from.y)
  ctx.lineTo(to.x - dx * HEAD, to.y - dy * HEAD)
  ctx.stroke()
  ctx.setLineDash([])
  ctx.beginPath()
  ctx.moveTo(to.x, to.y)
  ctx.lineTo(to.x - dx * HEAD - dy * HEAD / 2, to.y - dy * HEAD + dx * HEAD / 2)
  ctx.lineTo(to.x - dx * HEAD + dy * HEAD / 2, to.y - dy * HEAD - dx * HEAD / 2)
  ctx.fill()
}
