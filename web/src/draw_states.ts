// SPDX-License-Identifier: MIT
// A task's states: a full box while it runs, a band at the foot while it is ready, a hatched one
// while it is blocked, lines while it is delayed or suspended.

import { css, inkOn, packed } from './colours'
import type { Rgb } from './colours'
import { Dense } from './dense'
import type { Lane } from './layout'
import type { Row } from './protocol'
import type { Piece, Sheet } from './sheet'

const UNKNOWN = 0, READY = 1, RUNNING = 2, BLOCKED = 3, DELAYED = 4, SUSPENDED = 5
const READY_HIGH = 7, WAIT_HIGH = 5, LINE_HIGH = 2
const WIDE = 7 // minimum pixels for patterns and texts

interface Look {
  sheet: Sheet
  colour: Rgb
  edge: number
  y: number
  height: number
  full: Uint32Array
  ready: Uint32Array
  line: Uint32Array
  dense: Dense
  cores: boolean // there are several cores, so a running task shows its own
}

export function drawStates(sheet: Sheet, row: Row, lane: Lane, top: number, cores: boolean): void {
  const { raster, pen } = sheet
  const y = top + lane.y, foot = y + lane.height
  const look: Look = {
    sheet, y, height: lane.height, cores, colour: pen.colour(row.thing),
    edge: pen.edge(row.thing),
    full: raster.strip(y, lane.height),
    ready: raster.strip(foot - READY_HIGH, READY_HIGH),
    line: raster.strip(foot - LINE_HIGH, LINE_HIGH),
    dense: new Dense(sheet)
  }
  sheet.each(lane.track.id, p => drawState(look, p))
  look.dense.paint(look.full, look.line)
}

function drawState(look: Look, p: Piece): void {
  const { sheet, colour, y, height } = look
  const { pen } = sheet
  const x0 = pen.x(p.begin), x1 = pen.x(p.end)
  const several = p.count > 1
  if (p.value === RUNNING && look.dense.holds(p, x0, x1)) {
    look.dense.add(p, x0, x1, packed(colour, 1))
    return
  }
  if (p.value === RUNNING) {
    sheet.fill(look.full, x0, x1, packed(colour, 1), look.edge)
    if (look.cores && x1 - x0 > 16) sheet.label('core ' + p.more, x0, x1, y + height / 2 + 4, inkOn(colour))
    return
  }
  if (several && p.share > 0) look.dense.add(p, x0, x1, packed(colour, 1))
  if (p.value === READY) sheet.fill(look.ready, x0, x1, packed(colour, 0.42))
  else drawWaiting(look, p, x0, x1)
}

function drawWaiting(look: Look, p: Piece, x0: number, x1: number): void {
  const { sheet, colour, y, height } = look
  const { pen } = sheet
  const foot = y + height, wide = x1 - x0 >= WIDE
  const grey = pen.theme.grey
  if (p.value === BLOCKED) {
    sheet.fill(look.line, x0, x1, packed(colour, 0.3))
    if (!wide) return
    sheet.area({ pattern: 'hatch', colour: css(colour, 0.9), x: x0, y: foot - WAIT_HIGH, width: x1 - x0,
                 height: WAIT_HIGH })
    const waits = pen.name(p.more), text = pen.kind(p.more) === 'text' ? waits : 'waits for ' + waits
    if (waits && p.count === 1) sheet.label(text, x0, x1, foot - WAIT_HIGH - 3, pen.theme.muted, 10)
  } else if (p.value === DELAYED && wide) {
    sheet.area({ pattern: 'dashes', colour: css(grey, 0.55), x: x0, y: foot - LINE_HIGH, width: x1 - x0,
                 height: LINE_HIGH })
  } else if (p.value === DELAYED) sheet.fill(look.line, x0, x1, packed(grey, 0.4))
  else if (p.value === SUSPENDED) sheet.fill(look.line, x0, x1, packed(grey, 0.75))
  else if (p.value === UNKNOWN) {
    if (wide) sheet.unknown(x0, x1, y, height)
    else sheet.fill(look.line, x0, x1, packed(grey, 0.2))
  }
}
