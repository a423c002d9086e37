// SPDX-License-Identifier: MIT
// The jobs of a task, under its states: a line from ready to done, with a stroke at its begin, and
// one at its end if it was done there.

import { css, packed } from './colours'
import { Dense } from './dense'
import type { Lane } from './layout'
import type { Row } from './protocol'
import type { Sheet } from './sheet'

const JOB_DONE = 1 // value of a slice (enum wf_job_end)
const WIDE = 7 // minimum pixels for a pattern

export function drawJobs(sheet: Sheet, row: Row, lane: Lane, top: number): void {
  const { pen, raster } = sheet
  const y = top + lane.y, middle = y + (lane.height - 1) / 2, colour = pen.colour(row.thing)
  const line = raster.strip(middle, 1), strokes = raster.strip(y, lane.height)
  const dense = new Dense(sheet)
  sheet.each(lane.track.id, p => {
    const x0 = pen.x(p.begin), x1 = pen.x(p.end)
    if (dense.holds(p, x0, x1)) {
      dense.add(p, x0, x1, packed(colour, 1))
      return
    }
    if (p.value === JOB_DONE || x1 - x0 < WIDE) sheet.fill(line, x0, x1, packed(colour, 1))
    else sheet.area({ pattern: 'dashes', colour: css(colour, 1), x: x0, y: middle, width: x1 - x0, height: 1 })
    sheet.fill(strokes, x0, x0, packed(colour, 1))
    if (p.value === JOB_DONE) sheet.fill(strokes, x1 - 1, x1 - 1, packed(colour, 1))
  })
  dense.paint(strokes, line)
}
