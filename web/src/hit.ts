// SPDX-License-Identifier: MIT
// Finds the lane and the piece under the pointer.

import type { Lane, Line } from './layout'
import type { Row } from './protocol'
import type { Piece, Sheet } from './sheet'

export interface Hit { row: Row; number: number; line: Line; lane: Lane; top: number; piece: Piece }

const NEAR = 4 // pixels

function laneAt(line: Line, y: number): Lane[] {
  const marks = line.lanes.filter(lane => lane.track.kind === 'marks')
  const others = line.lanes.filter(lane => lane.track.kind !== 'marks')
  const distance = (lane: Lane) => Math.max(lane.y - y, y - lane.y - lane.height, 0)
  others.sort((a, b) => distance(a) - distance(b))
  return [...marks, ...others.slice(0, 1)]
}

// Returns the shortest piece at the pointer's time, or else the nearest within a few pixels.
function pieceAt(sheet: Sheet, lane: Lane, x: number): Piece | null {
  const { pen } = sheet
  const t = pen.time(x), near = NEAR * (pen.until - pen.from) / pen.width
  let best: Piece | null = null, bestAway = Infinity
  sheet.each(lane.track.id, p => {
    const away = Math.max(p.begin - t, t - p.end, 0)
    if (away > near) return
    const better = away < bestAway || (away === bestAway && p.end - p.begin < best!.end - best!.begin)
    if (!better) return
    best = { ...p }
    bestAway = away
  })
  return best
}

export function hitPiece(sheet: Sheet, rows: Row[], line: Line, top: number, x: number, y: number): Hit | null {
  const row = rows[line.row]
  if (!row) return null
  for (const lane of laneAt(line, y - top)) {
    if (lane.track.kind === 'load') continue // it has windows, no slices
    const piece = pieceAt(sheet, lane, x)
    if (piece) return { row, number: line.row, line, lane, top, piece }
  }
  return null
}
