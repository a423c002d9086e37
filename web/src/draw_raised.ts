// SPDX-License-Identifier: MIT
// Where a task has inherited a priority: a line on top of its states, with the task that raised it
// and the object that was the reason.

import type { Lane } from './layout'
import type { Sheet } from './sheet'

// Returns the priority at the cursor, or else at the end of the view: "4 (1)".
export function drawRaised(sheet: Sheet, lane: Lane, top: number, cursor: number | null): string {
  const { pen } = sheet
  const strip = sheet.raster.strip(top + lane.y, 2)
  const at = cursor !== null && cursor >= pen.from && cursor <= pen.until ? cursor : pen.until
  let now = ''
  sheet.each(lane.track.id, p => {
    const raised = p.more > 0 ? pen.name(p.more) : ''
    if (p.begin <= at) now = p.end >= at || p.end >= pen.until ? priorityText(p.value, raised) : ''
    if (!raised || p.count > 1) return
    const x0 = pen.x(p.begin), x1 = pen.x(p.end)
    sheet.fill(strip, x0, x1, pen.pack(p.more, 1))
    if (x1 - x0 > 40) sheet.label(`${p.value} (${raised})`, x0, x1, top + lane.y + 11, pen.theme.text, 10)
  })
  return now
}

// raised: the name of a RAISE, "1, raised by high for printer"; '': its own priority
export function priorityText(value: number, raised: string, whole = false): string {
  if (!raised) return String(value)
  return `${value} (${whole ? raised : raised.split(',')[0]})`
}
