// SPDX-License-Identifier: MIT
// Strips: parts of rows that are filled column by column, as image data a pixel high that is
// stretched over the strip when it is painted. So a frame costs as much as there are pixels across,
// however many pieces lie in each of them.

interface Strip { y: number; height: number }

const STRIPS = 512 // in one image; more are painted in between

export class Raster {
  private readonly canvas = document.createElement('canvas')
  private readonly ctx = this.canvas.getContext('2d')!
  private image: ImageData | null = null
  private pixels = new Uint32Array(0)
  private strips: Strip[] = []
  private columns = 0
  private left = 0
  private width = 0
  private scale = 1

  constructor(private readonly target: CanvasRenderingContext2D) {}

  // For each frame: left and width in CSS pixels, of which each has `scale` columns.
  begin(left: number, width: number, scale: number): void {
    Object.assign(this, { left, width, scale })
    this.columns = Math.max(1, Math.round(width * scale))
    this.strips = []
    if (this.image?.width === this.columns) return
    this.canvas.width = this.columns
    this.canvas.height = STRIPS
    this.image = this.ctx.createImageData(this.columns, STRIPS)
    this.pixels = new Uint32Array(this.image.data.buffer)
  }

  // The columns of a new strip, clear; an array of colours as `packed` gives.
  strip(y: number, height: number): Uint32Array {
    if (this.strips.length === STRIPS) this.paint()
    const at = this.strips.length * this.columns
    this.strips.push({ y, height })
    return this.pixels.subarray(at, at + this.columns).fill(0)
  }

  paint(): void {
    if (this.strips.length === 0) return
    this.ctx.putImageData(this.image!, 0, 0, 0, 0, this.columns, this.strips.length)
    this.target.imageSmoothingEnabled = false
    this.strips.forEach(({ y, height }, i) => {
      const top = Math.round(y * this.scale) / this.scale
      const tall = Math.max(1, Math.round(height * this.scale)) / this.scale
      this.target.drawImage(this.canvas, 0, i, this.columns, 1, this.left, top, this.width, tall)
    })
    this.strips = []
  }
}
