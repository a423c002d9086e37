// SPDX-License-Identifier: MIT
// What is too short or too close to be drawn one by one: for each column how much of its time is
// busy, and the colour of what takes the most of it. It is painted as densely as it is busy, over a
// thin line at the foot that shows that there is anything at all.

import type { Piece, Sheet } from './sheet'

const LEAST = 0.05 // of the full colour, however little it is

// How strong a column is of which this part is busy.
export function density(share: number): number {
  return Math.min(1, Math.max(LEAST, share))
}

// Adds `share` of from..until (columns, with fractions) to each column that it touches.
export function addShare(shares: Float32Array, from: number, until: number, share: number,
                         touched: (column: number, part: number) => void): void {
  const end = Math.min(until, shares.length)
  for (let i = Math.max(0, Math.floor(from)); i < end; i++) {
    const part = share * (Math.min(end, i + 1) - Math.max(from, i))
    if (part <= 0) continue
    shares[i] += part
    touched(i, part)
  }
}

export class Dense {
  private readonly shares: Float32Array
  private readonly most: Float32Array
  private readonly colours: Uint32Array

  constructor(private readonly sheet: Sheet) {
    const { columns } = sheet.raster
    this.shares = new Float32Array(columns)
    this.most = new Float32Array(columns)
    this.colours = new Uint32Array(columns)
  }

  // Is a piece for this, not to be drawn as it is?
  holds(p: Piece, x0: number, x1: number): boolean {
    return p.count > 1 || (x1 - x0) * this.sheet.pen.scale < 1
  }

  // colour: packed, of full strength
  add(p: Piece, x0: number, x1: number, colour: number, share = p.count > 1 ? p.share : 1): void {
    const { left, scale } = this.sheet.pen
    addShare(this.shares, (x0 - left) * scale, (x1 - left) * scale, share, (i, part) => {
      if (part < this.most[i]) return
      this.most[i] = part
      this.colours[i] = colour
    })
  }

  paint(strip: Uint32Array, foot: Uint32Array): void {
    for (let i = 0; i < this.shares.length; i++) {
      if (this.shares[i] === 0) continue
      const alpha = Math.round(255 * density(this.shares[i]))
      if (strip[i] === 0) strip[i] = ((this.colours[i] & 0xFFFFFF) | alpha << 24) >>> 0
      foot[i] = this.colours[i]
    }
  }
}
