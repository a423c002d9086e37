// SPDX-License-Identifier: MIT
// Pieces that are too short or too close to be drawn one by one. Each column shows the busy share
// of its time as opacity, in the colour of the piece with the largest share, over a thin line at
// the foot that shows that there is any piece at all.

import type { Piece, Sheet } from './sheet'

const LEAST = 0.05 // minimum opacity

// Returns the opacity of a column with this busy share.
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

  // Returns whether a piece is to be added here instead of drawn as it is.
  holds(p: Piece, x0: number, x1: number): boolean {
    return p.count > 1 || (x1 - x0) * this.sheet.pen.scale < 1
  }

  // colour: packed, at full opacity
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
