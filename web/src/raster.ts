// SPDX-License-Identifier: MIT
// Strips: parts of rows that are filled column by column, as image data one pixel high that is
// stretched over the strip when painted. So a frame's cost depends on the pixels across, not on the
// number of pieces in each.

interface Strip { y: number; height: number; line: number; lines: number }

const LINES = 512 // in one image; it is painted when it is full

export class Raster {
  private readonly canvas = document.createElement('canvas')
  private readonly ctx = this.canvas.getContext('2d')!
  private image: ImageData | null = null
  private pixels = new Uint32Array(0)
  private strips: Strip[] = []
  private used = 0 // lines
  columns = 0
  private left = 0
  private scale = 1

  constructor(private readonly target: CanvasRenderingContext2D) {}

  // Called for each frame. left and width in CSS pixels, each of `scale` columns.
  begin(left: number, width: number, scale: number): void {
    Object.assign(this, { left, scale })
    this.columns = Math.max(1, Math.round(width * scale))
    this.strips = []
    this.used = 0
    if (this.image?.width === this.columns) return
    this.canvas.width = this.columns
    this.canvas.height = LINES
    this.image = this.ctx.createImageData(this.columns, LINES)
    this.pixels = new Uint32Array(this.image.data.buffer)
  }

  // Returns the columns of a new, transparent strip; colours are as `packed` returns them.
  strip(y: number, height: number): Uint32Array {
    return this.take(y, height, 1)
  }

  // Returns an area with one line per device pixel, the lines one after the other.
  block(y: number, height: number): Uint32Array {
    return this.take(y, height, Math.min(LINES, Math.max(1, Math.round(height * this.scale))))
  }

  private take(y: number, height: number, lines: number): Uint32Array {
    if (this.used + lines > LINES) this.paint()
    const at = this.used * this.columns
    this.strips.push({ y, height, line: this.used, lines })
    this.used += lines
    return this.pixels.subarray(at, at + lines * this.columns).fill(0)
  }

  paint(): void {
    if (this.used === 0) return
    const { scale, columns } = this
    const x = Math.round(this.left * scale) / scale
    this.ctx.putImageData(this.image!, 0, 0, 0, 0, columns, this.used)
    this.target.imageSmoothingEnabled = false
    for (const { y, height, line, lines } of this.strips) {
      const top = Math.round(y * scale) / scale
      const tall = Math.max(1, Math.round(height * scale)) / scale
      this.target.drawImage(this.canvas, 0, line, columns, lines, x, top, columns / scale, tall)
    }
    this.strips = []
    this.used = 0
  }
}
