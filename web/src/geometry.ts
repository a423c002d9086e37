// SPDX-License-Identifier: MIT
// The parts of the canvas from the top: overview, ruler, pinned rows, rows; names at their left. In
// CSS pixels from the canvas' top left corner.

import type { Layout, Line } from './layout'

export const OVERVIEW = 38, RULER = 28
export const COLUMN_LEAST = 90, COLUMN_MOST = 460
export const BAR = 9 // width of the scroll bar

export type Part = 'overview' | 'ruler' | 'pinned' | 'rows'

export class Geometry {
  width = 1
  height = 1
  column = 200 // width of the names
  scroll = 0 // of the rows
  layout: Layout = { pinned: [], pinnedHeight: 0, lines: [], height: 0 }

  get left(): number {
    return this.column
  }

  // The width of the time line; right of it is room for the scroll bar, so that it covers nothing.
  get plot(): number {
    return Math.max(1, this.width - this.column - BAR)
  }

  get pinnedTop(): number {
    return OVERVIEW + RULER
  }

  // Pinned rows leave at least a third of the room to the others.
  get rowsTop(): number {
    const room = (this.height - this.pinnedTop) * 2 / 3
    return this.pinnedTop + Math.min(this.layout.pinnedHeight, Math.max(0, room))
  }

  get view(): number {
    return Math.max(0, this.height - this.rowsTop)
  }

  get scrollMost(): number {
    return Math.max(0, this.layout.height - this.view)
  }

  scrollTo(y: number): void {
    this.scroll = Math.round(Math.min(Math.max(0, y), this.scrollMost))
  }

  part(y: number): Part {
    if (y < OVERVIEW) return 'overview'
    if (y < this.pinnedTop) return 'ruler'
    return y < this.rowsTop ? 'pinned' : 'rows'
  }

  // Returns the canvas y of a line's y = 0.
  offset(part: Part): number {
    return part === 'pinned' ? this.pinnedTop : this.rowsTop - this.scroll
  }

  lineAt(y: number): { line: Line; top: number } | null {
    const part = this.part(y)
    if (part !== 'pinned' && part !== 'rows') return null
    const offset = this.offset(part)
    const lines = part === 'pinned' ? this.layout.pinned : this.layout.lines
    const line = lines.find(l => y >= l.y + offset && y < l.y + offset + l.height)
    return line ? { line, top: line.y + offset } : null
  }

  // Scrolls until a row is visible.
  reveal(row: number): void {
    const line = this.layout.lines.find(l => l.row === row)
    if (!line) return
    if (line.y < this.scroll) this.scrollTo(line.y)
    else if (line.y + line.height > this.scroll + this.view) {
      this.scrollTo(line.y + line.height - this.view)
    }
  }

  // The thumb of the scroll bar: top and height; null if all rows are visible.
  bar(): { y: number; height: number } | null {
    if (this.scrollMost === 0) return null
    const height = Math.max(24, this.view * this.view / this.layout.height)
    return { y: this.rowsTop + this.scroll / this.scrollMost * (this.view - height), height }
  }
}
