// SPDX-License-Identifier: MIT
// Patterns for areas: hatching, dots, question marks. They are drawn in device pixels to be sharp,
// and are fixed to the time axis: when the view moves, they move with it.

type Kind = 'hatch' | 'loss' | 'dots' | 'dashes' | 'unknown'
type Draw = (ctx: CanvasRenderingContext2D, s: number) => void

function slanted(step: number, thick: number): Draw {
  return (ctx, s) => {
    ctx.lineWidth = thick * s
    ctx.beginPath()
    for (const shift of [-step, 0, step]) {
      ctx.moveTo((shift - 1) * s, (step + 1) * s)
      ctx.lineTo((shift + step + 1) * s, -1 * s)
    }
    ctx.stroke()
  }
}

function dot(size: number): Draw {
  return (ctx, s) => ctx.fillRect(s, s, size * s, size * s)
}

const kinds: Record<Kind, { width: number; height: number; draw: Draw }> = {
  hatch: { width: 5, height: 5, draw: slanted(5, 1.2) },
  loss: { width: 7, height: 7, draw: slanted(7, 1.7) },
  dots: { width: 5, height: 5, draw: dot(1.3) },
  dashes: { width: 6, height: 2, draw: (ctx, s) => ctx.fillRect(0, 0, 3 * s, 2 * s) },
  unknown: {
    width: 22, height: 18,
    draw: (ctx, s) => {
      ctx.font = `${10 * s}px sans-serif`
      ctx.fillText('?', 8 * s, 13 * s)
    }
  }
}

export class Patterns {
  private made = new Map<string, CanvasPattern>()
  private scale = 0

  constructor(private readonly ctx: CanvasRenderingContext2D) {}

  // shift: x where the pattern begins, in CSS pixels.
  get(kind: Kind, colour: string, scale: number, shift: number, y = 0): CanvasPattern {
    if (scale !== this.scale || this.made.size > 200) this.made.clear()
    this.scale = scale
    const key = kind + colour
    let pattern = this.made.get(key)
    if (!pattern) {
      pattern = this.make(kind, colour, scale)
      this.made.set(key, pattern)
    }
    const across = Math.round(shift % kinds[kind].width * scale) / scale
    pattern.setTransform(new DOMMatrix([1 / scale, 0, 0, 1 / scale, across, y]))
    return pattern
  }

  private make(kind: Kind, colour: string, scale: number): CanvasPattern {
    const { width, height, draw } = kinds[kind]
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(width * scale))
    canvas.height = Math.max(1, Math.round(height * scale))
    const ctx = canvas.getContext('2d')!
    ctx.fillStyle = ctx.strokeStyle = colour
    draw(ctx, scale)
    return this.ctx.createPattern(canvas, 'repeat')!
  }
}
