// SPDX-License-Identifier: MIT
// Markers: a tag with the note at the foot of the ruler, and a line across all rows. Marks of rules
// have a flag at its head.

import { OVERVIEW, RULER } from './geometry'
import type { Geometry } from './geometry'
import type { Marker } from './markers'
import type { Pen } from './pen'
import { clean } from './text'
import type { View } from './view'

const TAG = 11 // pixels high
const NARROW = 9, WIDE = 150 // pixels of a tag without text, and at most
const GAP = 3

interface Tag { marker: Marker; x: number; width: number }

// Returns the tags in view; one ends where the next begins.
export function tagsOf(pen: Pen, view: View): Tag[] {
  const shown = view.markers.filter(({ t }) => pen.x(t) >= pen.left - WIDE && pen.x(t) <= pen.left + pen.width)
  return shown.map((marker, i) => {
    const x = pen.x(marker.t), next = shown[i + 1] ? pen.x(shown[i + 1].t) : Infinity
    const text = marker.note ? pen.textWidth(clean(marker.note, 60)) + 8 : NARROW
    return { marker, x, width: Math.max(NARROW, Math.min(text, WIDE, next - x - GAP)) }
  })
}

// Returns the marker whose tag is at a point; of several the one on top.
export function markerAt(pen: Pen, view: View, x: number, y: number): Marker | null {
  if (y < OVERVIEW + RULER - TAG || y >= OVERVIEW + RULER || x < pen.left) return null
  return tagsOf(pen, view).reverse().find(tag => x >= tag.x - 2 && x <= tag.x + tag.width)?.marker ?? null
}

export function drawMarkers(pen: Pen, geometry: Geometry, view: View): void {
  const { theme } = pen, top = OVERVIEW + RULER - TAG
  pen.plain(9)
  for (const { marker, x, width } of tagsOf(pen, view)) {
    const chosen = marker === view.marker
    pen.ctx.fillStyle = theme.marker
    if (x >= pen.left) {
      pen.ctx.globalAlpha = chosen ? 1 : 0.7
      pen.rect(x, top, chosen ? 2 : 1, geometry.height - top)
      pen.ctx.globalAlpha = 1
    }
    pen.ctx.beginPath()
    pen.ctx.moveTo(x, top)
    pen.ctx.lineTo(x + width - 4, top)
    pen.ctx.lineTo(x + width, top + TAG / 2)
    pen.ctx.lineTo(x + width - 4, top + TAG)
    pen.ctx.lineTo(x, top + TAG)
    pen.ctx.fill()
    if (chosen) {
      pen.ctx.strokeStyle = theme.text
      pen.ctx.lineWidth = 1.5
      pen.ctx.stroke()
    }
    if (width > NARROW) pen.text(clean(marker.note, 60), x + 3, top + 8.5, theme.onMarker, width - 6)
  }
  pen.plain()
}
