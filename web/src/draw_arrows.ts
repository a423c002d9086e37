// SPDX-License-Identifier: MIT
// Arrows between rows, from cause to effect, and the requests for them.

import { ARC_HIGH, arcSide, arrowLine, middles } from './arrow_lines'
import type { ArrowLine } from './arrow_lines'
import { Asked } from './asked'
import { OVERVIEW, RULER } from './geometry'
import type { Geometry } from './geometry'
import type { Arrow, ArrowKind } from './protocol'
import type { Pen } from './pen'
import { countText } from './times'
import type { View } from './view'

const MOST = 400, APART = 3 // more, or less than so many pixels for each, would hide the rows

// Each kind has dashes of its own, for people who cannot see all hues.
export const arrowStyles: Record<ArrowKind, { light: string; dark: string; dash: number[] }> = {
  preempt: { light: '#8f3b76', dark: '#e59acb', dash: [3, 2.5] },
  post: { light: '#1b62a8', dark: '#7db9f5', dash: [] },
  give: { light: '#2b7a4b', dark: '#74cf98', dash: [8, 2.5] },
  wake: { light: '#a15c00', dark: '#f0b35c', dash: [8, 2, 1.5, 2] }
}

// Returns how many arrows can be told apart in so many pixels.
export function arrowsMost(pixels: number): number {
  return Math.min(MOST, Math.floor(pixels / APART))
}

interface Found { count: number; arrows: Arrow[] } // no arrows: they are too many

export class Arrows {
  private readonly asked: Asked<Found>
  private most = MOST
  private drawnMost = MOST // of the data

  constructor(private readonly view: View, came: () => void) {
    this.asked = new Asked<Found>(view, came, { count: 0, arrows: [] }, (from, until) => {
      this.drawnMost = this.most
      return view.source.ask<Found>('arrows', { from: Math.max(0, from), until: Math.max(1, until), most: this.most })
    })
  }

  // Called for each frame: requests the arrows if the range or its width has changed, or has new data.
  want(from: number, until: number, pixels: number): void {
    const last = this.view.status?.last ?? 0
    this.most = arrowsMost(pixels)
    this.asked.want(from, until, last, this.most !== this.drawnMost || (last > this.asked.version && until >= this.asked.version))
  }

  get arrows(): Arrow[] {
    return this.asked.data.arrows
  }

  // How many are not drawn.
  get more(): number {
    const { count, arrows } = this.asked.data
    return arrows.length > 0 ? 0 : count
  }

  get busy(): boolean {
    return this.asked.busy
  }
}

export function drawArrows(pen: Pen, geometry: Geometry, arrows: Arrow[]): void {
  const { ctx } = pen
  const places = middles(geometry)
  const lines = new Map<ArrowKind, Path2D>(), heads = new Map<ArrowKind, Path2D>()
  for (const arrow of arrows) {
    const [kind] = arrow, place = arrowLine(arrow, places, t => pen.x(t))
    if (!place || !arrowStyles[kind]) continue
    if (!lines.has(kind)) {
      lines.set(kind, new Path2D())
      heads.set(kind, new Path2D())
    }
    const add = place.arc ? addArc : addArrow
    add(lines.get(kind)!, heads.get(kind)!, place)
  }
  ctx.save()
  ctx.beginPath()
  ctx.rect(pen.left, geometry.pinnedTop, pen.width, geometry.height - geometry.pinnedTop)
  ctx.clip()
  ctx.lineWidth = 1.1
  ctx.globalAlpha = arrows.length > 150 ? 0.45 : arrows.length > 50 ? 0.7 : 1 // rows stay legible
  for (const [kind, path] of lines) {
    const style = arrowStyles[kind]
    ctx.strokeStyle = ctx.fillStyle = pen.theme.dark ? style.dark : style.light
    ctx.setLineDash(style.dash)
    ctx.stroke(path)
    ctx.fill(heads.get(kind)!)
  }
  ctx.restore()
}

// A line from one row to another, with its head at the target row.
function addArrow(line: Path2D, head: Path2D, { x0, y0, x1, y1 }: ArrowLine): void {
  line.moveTo(x0, y0)
  line.lineTo(x1, y1)
  addHead(head, x1, y1, Math.atan2(y1 - y0, x1 - x0))
}

// Within a row: an arc above the pieces between its ends.
function addArc(line: Path2D, head: Path2D, place: ArrowLine): void {
  const { x0, y0: y, x1 } = place
  const side = arcSide(place)
  line.moveTo(x0, y)
  line.bezierCurveTo(x0 + side, y - ARC_HIGH, x1 - side, y - ARC_HIGH, x1, y)
  addHead(head, x1, y, Math.atan2(ARC_HIGH, side))
}

function addHead(head: Path2D, x1: number, y1: number, angle: number): void {
  head.moveTo(x1, y1)
  for (const turn of [2.75, -2.75]) head.lineTo(x1 + 6 * Math.cos(angle + turn), y1 + 6 * Math.sin(angle + turn))
  head.closePath()
}

// Shows how many arrows are not drawn, as they are too many: in the corner of the ruler, where it covers no row.
export function drawCount(pen: Pen, geometry: Geometry, count: number): void {
  const room = geometry.column - 20
  pen.plain(10)
  const texts = [`${countText(count)} arrows are not drawn: zoom in`, `${countText(count)} arrows: zoom in`, `${countText(count)} arrows`]
  pen.text(texts.find(one => pen.textWidth(one) < room) ?? texts[2], 10, OVERVIEW + RULER - 4, pen.theme.muted, room)
  pen.plain()
}
