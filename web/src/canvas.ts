// SPDX-License-Identifier: MIT
// The time line: an overview of the whole trace, a ruler, and rows. Two canvases lie on top of each
// other: the lower has the slow drawings, the upper those that follow the pointer.

import './canvas.css'
import { Arrows } from './draw_arrows'
import { Flags } from './draw_flags'
import { Geometry } from './geometry'
import { hitPiece } from './hit'
import type { Hit } from './hit'
import { Input } from './input'
import { layoutRows } from './layout'
import { Loads } from './loads'
import { setMarker } from './markers'
import { NoteEdit } from './note_edit'
import { Overview } from './overview'
import { Pen } from './pen'
import { Scene } from './scene'
import { Sheet } from './sheet'
import { TextView } from './text_view'
import { movesOn } from './store'
import { Tiles } from './tiles'
import { Tip } from './tip'
import type { View } from './view'
import { wallWords } from './wall'

const FRAMES_KEPT = 600
const TIP_MS = 120 // time at rest before the tooltip is shown
const FOLLOW_MS = 90 // time in which a following view covers two thirds of the distance

// Times in ms. input: from the input event, null without one; whole: no tile was missing.
export interface Frame { draw: number; end: number; input: number | null; whole: boolean }

// What the page shows, for tests and for a page that contains it.
export interface TimeLine {
  view: View
  geometry: Geometry
  host: HTMLElement
  frames(): Frame[]
  idle(): Promise<void>
  redraw(): void
}

declare global {
  interface Window {
    wallfly?: TimeLine
    traces?: string // of the page of several traces: those of its server (wire.ts)
  }
}

export class Canvas {
  readonly geometry = new Geometry()
  readonly pen: Pen
  readonly sheet: Sheet
  readonly overview: Overview
  readonly tiles: Tiles
  readonly arrows: Arrows
  readonly flags: Flags
  readonly loads: Loads
  readonly scene: Scene
  private readonly base = document.createElement('canvas')
  private readonly top = document.createElement('canvas')
  private readonly topPen: Pen
  private readonly tip: Tip
  private readonly edit: NoteEdit
  private readonly text: TextView
  private readonly input: Input
  private readonly ends: (() => void)[] = []
  private frame = 0
  private stale = true // the lower canvas must be drawn again
  private layoutKey = ''
  private seen = ''
  private tipView = ''
  private tipTimer = 0
  private movedAt = 0 // when the shown range last changed
  private t0: string | null | undefined
  private shown: [number, number] = [0, 1] // the range as drawn; moves towards view.from..until while following
  private frameTime = 0
  private inputTime: number | null = null
  private readonly frames: Frame[] = []
  private readonly waiting: (() => void)[] = []

  constructor(readonly view: View, readonly host: HTMLElement) {
    host.classList.add('timeline')
    host.tabIndex = 0
    host.setAttribute('role', 'application')
    host.setAttribute('aria-label', 'Time line. Press ? for its keys.')
    host.append(this.base, this.top)
    this.tip = new Tip(host)
    this.edit = new NoteEdit(view, host)
    this.text = new TextView(this)
    this.pen = new Pen(this.base.getContext('2d', { alpha: false })!)
    this.topPen = new Pen(this.top.getContext('2d')!)
    this.tiles = new Tiles(view.source, () => this.redraw())
    this.sheet = new Sheet(this.pen, this.tiles)
    this.loads = new Loads(view, () => this.redraw())
    this.overview = new Overview(this.pen, this.sheet.raster, this.tiles, this.loads)
    this.arrows = new Arrows(view, () => this.redraw())
    this.flags = new Flags(view, () => this.redraw())
    this.scene = new Scene(view, this.geometry, this.sheet, this.overview, this.arrows, this.flags, this.loads)
    this.input = new Input(this)
    this.ends.push(view.listen(() => this.viewChanged()))
    const observer = new ResizeObserver(() => this.resize())
    observer.observe(host)
    this.ends.push(() => observer.disconnect())
    window.wallfly = { view, host, geometry: this.geometry, frames: () => this.frames.slice(), idle: () => this.idle(),
                       redraw: () => this.redraw() }
    this.resize()
  }

  dispose(): void {
    for (const end of this.ends) end()
    this.input.dispose()
    this.tip.dispose()
    this.edit.close()
    this.text.dispose()
    this.base.remove()
    this.top.remove()
    cancelAnimationFrame(this.frame)
    clearTimeout(this.tipTimer)
    this.host.classList.remove('timeline')
    delete window.wallfly
  }

  // Draws everything again in the next frame. `input`: time of the event that caused it.
  redraw(input?: number): void {
    this.stale = true
    this.refresh(input)
  }

  // Draws only the upper canvas again.
  refresh(input?: number): void {
    if (input !== undefined) this.inputTime ??= input
    if (!this.frame) this.frame = requestAnimationFrame(now => this.draw(now))
  }

  // Returns the piece at a point of the rows.
  hit(x: number, y: number): Hit | null {
    const at = this.geometry.lineAt(y)
    if (!at || at.line.row < 0 || x < this.geometry.left) return null
    return hitPiece(this.sheet, this.view.rows, at.line, at.top, x, y)
  }

  // Returns the row under the pointer, or else that of the picked slice; -1: none.
  rowInHand(): number {
    const at = this.input.pointer()
    return (at && this.geometry.lineAt(at.y)?.line.row) ?? this.view.picked?.row ?? -1
  }

  // Returns the time at the pointer, or else of the selected record or slice, or the middle of the view.
  timeInHand(): number {
    const at = this.input.pointer(), { cursor, picked, selection, from, until } = this.view
    if (at && at.x >= this.geometry.left) return this.pen.time(at.x)
    return cursor ?? picked?.begin ?? selection?.[0] ?? (from + until) / 2
  }

  // Sets a marker, or takes the one that is there. The field for its note opens at once and not in the
  // next frame: keys that follow are for it.
  note(at: number): void {
    setMarker(this.view, at)
    this.edit.place(this.topPen)
  }

  // Stops a moving view at the range that is shown.
  freeze(): void {
    if (movesOn(this.view)) this.view.go(...this.shown)
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.host
    const scale = devicePixelRatio || 1
    for (const canvas of [this.base, this.top]) {
      canvas.width = Math.max(1, Math.round(clientWidth * scale))
      canvas.height = Math.max(1, Math.round(clientHeight * scale))
      canvas.style.width = clientWidth + 'px'
      canvas.style.height = clientHeight + 'px'
    }
    this.pen.font = this.topPen.font = getComputedStyle(this.host).fontFamily || 'sans-serif'
    this.geometry.width = clientWidth
    this.geometry.height = clientHeight
    this.geometry.scrollTo(this.geometry.scroll)
    if (this.frame) cancelAnimationFrame(this.frame)
    this.stale = true
    this.draw(performance.now()) // at once: resizing clears a canvas
  }

  private viewChanged(): void {
    const { view } = this
    if (view.hello && view.hello.t0 !== this.t0) {
      if (this.t0 !== undefined) {
        this.tiles.forget()
        this.loads.forget()
      }
      this.t0 = view.hello.t0
    }
    const seen = [view.from, view.until, view.follow, view.rows.length, view.things.length, view.dark,
                  view.linked, view.named, view.status?.last, view.status?.rev, view.status?.records,
                  view.rules.rev, view.mark?.number, view.loadWindow].join()
    if (seen !== this.seen || this.layoutChanged()) {
      this.seen = seen
      this.redraw()
    } else this.refresh()
  }

  private layoutChanged(): boolean {
    const { view } = this
    const tracks = view.rows.reduce((sum, row) => sum + row.tracks.length, 0)
    const key = [view.order.join(), view.pinned.join(), [...view.hidden].join(), [...view.folded].join(),
                 [...view.expanded].join(), tracks].join(' ')
    if (key === this.layoutKey) return false
    this.layoutKey = key
    this.geometry.layout = layoutRows(view)
    this.geometry.scrollTo(this.geometry.scroll)
    return true
  }

  // While following, moves the shown range towards the newest data. Returns whether it moves.
  private move(now: number): boolean {
    const { view } = this
    const [from, until] = this.shown
    const away = view.until - until, width = view.until - view.from
    const near = Math.abs(away) < width / this.geometry.plot / 2 || away > width || away < 0
    if (!view.follow || near || Math.abs(until - from - width) > width * 1e-6) {
      this.shown = [view.from, view.until]
      return false
    }
    const share = 1 - Math.exp(-Math.min(100, now - this.frameTime) / FOLLOW_MS)
    this.shown = [view.from - away * (1 - share), view.until - away * (1 - share)]
    return true
  }

  private draw(now: number): void {
    this.frame = 0
    const start = performance.now()
    this.layoutChanged()
    const moving = this.move(now)
    this.frameTime = now
    const { view, geometry } = this
    const scale = devicePixelRatio || 1
    if (this.stale || moving) {
      this.stale = false
      this.host.classList.toggle('timeline-dark', view.dark)
      this.pen.set(view, ...this.shown, geometry.left, geometry.plot, scale)
      this.tiles.begin(view.status?.last ?? 0)
      this.loads.begin(this.scene.stacking.of(view))
      this.scene.draw(this.input.nameHover())
      this.text.later()
      if (view.linked) {
        this.tiles.send(start)
        this.loads.send(start)
        this.scene.send()
      }
    }
    this.topPen.set(view, ...this.shown, geometry.left, geometry.plot, scale)
    this.topPen.ctx.clearRect(0, 0, geometry.width, geometry.height)
    this.scene.drawTop(this.topPen, this.input.pointer())
    this.edit.place(this.topPen)
    this.showTip()
    this.count(start)
    if (moving) this.redraw()
    this.settle()
  }

  // Hidden while the view moves: its text would change each frame, and its layout costs time.
  private showTip(): void {
    const { view } = this
    const at = this.input.pointer()
    const now = performance.now(), seen = this.shown.join()
    if (seen !== this.tipView) {
      this.tipView = seen
      this.movedAt = now
      clearTimeout(this.tipTimer)
      this.tipTimer = window.setTimeout(() => this.refresh(), TIP_MS + 1)
    }
    const moves = now - this.movedAt < TIP_MS
    if (moves || !at || at.busy) return this.tip.hide()
    if (at.x < this.geometry.left) {
      const wall = this.geometry.part(at.y) === 'ruler' ? view.hello?.wall : null
      return wall ? this.tip.showWords(at.x, at.y, wallWords(wall, (view.from + view.until) / 2)) : this.tip.hide()
    }
    const hit = this.hit(at.x, at.y)
    const line = this.geometry.lineAt(at.y)?.line
    const loss = line && line.row >= 0 ? this.scene.lossAt(view.rows[line.row], this.pen.time(at.x)) : null
    const mark = this.flags.at(this.pen, this.geometry, at.x, at.y)
    this.tip.show(view, at.x, at.y, { arrow: this.scene.arrowAt(at.x, at.y), hit, loss, mark, load: this.scene.loadAt(at.x, at.y) })
  }

  private count(start: number): void {
    const end = performance.now()
    const input = this.inputTime === null ? null : end - this.inputTime
    this.frames.push({ draw: end - start, end, input, whole: !this.tiles.lacks })
    if (this.frames.length > FRAMES_KEPT) this.frames.shift()
    this.inputTime = null
  }

  private get idleNow(): boolean {
    const { view } = this
    if (!view.status || view.rows.length === 0 || this.tiles.lacks) return false
    return view.follow || (!this.stale && !this.tiles.busy && !this.loads.busy && !this.arrows.busy && !this.flags.busy) // never at rest while following
  }

  // Resolves when all visible data is loaded and drawn; while following, when no tile is missing.
  private idle(): Promise<void> {
    return new Promise(done => {
      this.waiting.push(done)
      this.refresh()
    })
  }

  private settle(): void {
    if (this.idleNow) for (const done of this.waiting.splice(0)) done()
  }
}
