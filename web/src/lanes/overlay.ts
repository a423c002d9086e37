// SPDX-License-Identifier: MIT
// Arrows of messages from one trace to another, drawn over their time lines. An arrow is dashed if the
// clocks' errors leave it open which end is first.

import type { TimeLine } from '../canvas'
import { themeOf } from '../colours'
import { arrowsMost } from '../draw_arrows'
import { madeAt, orderOf } from './clocks'
import { Lanes } from './group'

const ARROWS_MOST = 150 // that can be told apart, if their rows are wide enough; more are counted
const HEAD = 7

interface Point { x: number; y: number; seen: boolean } // seen: its row is in sight
interface Arrow { from: Point; to: Point; sure: boolean }

// A time line and where its rows are on the page.
class Side {
  private readonly middles = new Map<number, { y: number; seen: boolean }>()

  constructor(readonly line: TimeLine, private readonly plot: DOMRect) {
    const { geometry } = line
    for (const part of ['rows', 'pinned'] as const) {
      const top = part === 'rows' ? geometry.rowsTop : geometry.pinnedTop, offset = geometry.offset(part)
      for (const one of part === 'rows' ? geometry.layout.lines : geometry.layout.pinned) {
        const middle = one.y + offset + one.height / 2, y = Math.min(Math.max(middle, top), geometry.height)
        this.middles.set(one.row, { y, seen: y === middle })
      }
    }
  }

  // Where its rows are.
  get area(): DOMRect {
    const { geometry } = this.line
    return new DOMRect(this.plot.x + geometry.left, this.plot.y + geometry.pinnedTop, geometry.plot, geometry.height - geometry.pinnedTop)
  }

  // Where in the view a time is: 0 to 1 within it.
  share(t: number): number {
    const { view } = this.line
    return (t - view.from) / (view.until - view.from)
  }

  point(t: number, row: number): Point {
    const { geometry } = this.line
    const { y, seen } = this.middles.get(row) ?? { y: geometry.rowsTop, seen: false }
    return { x: this.plot.x + geometry.left + this.share(t) * geometry.plot, y: this.plot.y + y, seen }
  }
}

const inView = (share: number) => share >= 0 && share <= 1

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

  // Arrows one end of which is in view; more than can be drawn are counted only.
  private arrows(sides: (Side | null)[]): { drawn: Arrow[]; count: number } {
    const { lanes } = this, drawn: Arrow[] = []
    let count = 0
    const most = Math.min(ARROWS_MOST, ...lanes.lines.map(line => arrowsMost(line?.geometry.plot ?? Infinity)))
    for (const { group, answer } of lanes.pairings) {
      const a = sides[group.from], b = sides[group.to]
      if (!answer || !a || !b) continue
      for (const [kind, here, hereRow, there, thereRow] of answer.pairs) {
        const { how } = group.kinds[kind]
        if (how === 'same' || (!inView(a.share(here)) && !inView(b.share(there)))) continue
        if (++count > most) continue
        const ends = [a.point(here, hereRow), b.point(there, thereRow)]
        const order = orderOf(madeAt(lanes.clock(group.from), here), madeAt(lanes.clock(group.to), there))
        drawn.push(how === 'sent' ? { from: ends[0], to: ends[1], sure: order < 0 } : { from: ends[1], to: ends[0], sure: order > 0 })
      }
    }
    return { drawn: count > most ? [] : drawn, count }
  }

  private draw(): void {
    const { canvas } = this, scale = devicePixelRatio || 1
    const ctx = canvas.getContext('2d')!
    canvas.width = Math.round(innerWidth * scale)
    canvas.height = Math.round(innerHeight * scale)
    ctx.setTransform(scale, 0, 0, scale, -canvas.offsetLeft * scale, -canvas.offsetTop * scale)
    const sides = this.lanes.lines.map(line => {
      const plot = line && Lanes.plot(line)
      return plot ? new Side(line, plot) : null
    })
    const { drawn, count } = this.arrows(sides)
    this.shown = drawn.length
    this.more = count - drawn.length
    canvas.dataset.arrows = String(this.shown)
    const { dark } = this.lanes.view(0) ?? { dark: false }
    ctx.strokeStyle = ctx.fillStyle = themeOf(dark).accent
    ctx.lineWidth = 1.4
    const areas = sides.flatMap(side => (side ? [side.area] : []))
    if (areas.length === 0) return
    const left = Math.min(...areas.map(area => area.x)), right = Math.max(...areas.map(area => area.right))
    drawWithin(ctx, [new DOMRect(left, 0, right - left, innerHeight)], BETWEEN, drawn) // heads and rulers stay legible
    drawWithin(ctx, areas, 1, drawn)
  }
}

const BETWEEN = 0.4 // opacity between the rows of two traces

function drawWithin(ctx: CanvasRenderingContext2D, areas: DOMRect[], alpha: number, arrows: Arrow[]): void {
  ctx.save()
  ctx.beginPath()
  for (const { x, y, width, height } of areas) ctx.rect(x, y, width, height)
  ctx.clip()
  ctx.globalAlpha = alpha
  for (const { from, to, sure } of arrows) drawArrow(ctx, from, to, sure)
  ctx.restore()
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
  if (!to.seen) return
  ctx.beginPath()
  ctx.moveTo(to.x, to.y)
  ctx.lineTo(to.x - dx * HEAD - dy * HEAD / 2, to.y - dy * HEAD + dx * HEAD / 2)
  ctx.lineTo(to.x - dx * HEAD + dy * HEAD / 2, to.y - dy * HEAD - dx * HEAD / 2)
  ctx.fill()
}
