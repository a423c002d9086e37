// SPDX-License-Identifier: MIT
// Pointer input: the place of the press decides what a drag does (select, pan, move rows, ...).

import { turnClock } from './actions'
import type { Canvas } from './canvas'
import { EXPAND, SIGN } from './draw_names'
import type { Hover } from './draw_names'
import { BAR, COLUMN_LEAST, COLUMN_MOST } from './geometry'
import { markerAt } from './draw_markers'
import { isMenuKey, pressKey } from './keys'
import { goMark } from './go'
import { expands, moveRow } from './layout'
import { nextWindow } from './loads'
import { chooseMarker, endMove, moveMarker } from './markers'
import type { Marker } from './markers'
import { measureAt } from './measure'
import * as moves from './moves'
import { openMenuAt, openMenuOfPicked } from './open_menu'
import type { RowKind } from './protocol'
import type { Pointer } from './scene'
import { heldEdge, snappedTime } from './snap'

const NEAR = 5 // pixels from an edge at which it can be grabbed
const CLICK = 4 // pixels that a click may move
const PRESS_MS = 500 // until a press of a finger opens the menu
const WHEEL = 0.0022 // zoom per pixel of the wheel

// A drag: `move` is called with each move of the pointer, `end` at the end.
interface Drag { move(x: number, y: number): void; end?(moved: boolean): void; cursor: string }

export class Input {
  private x = 0
  private y = 0
  private inside = false
  private snaps = true
  private drag: Drag | null = null
  private moved = false
  private startX = 0
  private startY = 0
  private readonly ends: (() => void)[] = []

  constructor(private readonly canvas: Canvas) {
    const { host } = canvas
    this.on(host, 'pointerdown', e => this.down(e as PointerEvent))
    this.on(host, 'pointermove', e => this.moveTo(e as PointerEvent))
    this.on(host, 'pointerup', e => this.up(e as PointerEvent))
    this.on(host, 'pointercancel', () => this.endDrag())
    this.on(host, 'pointerleave', () => this.leave())
    this.on(host, 'dblclick', e => this.double(e as MouseEvent))
    this.on(host, 'contextmenu', e => this.menu(e as MouseEvent))
    this.on(host, 'wheel', e => this.wheel(e as WheelEvent))
    this.on(window, 'keydown', e => this.key(e as KeyboardEvent))
  }

  dispose(): void {
    for (const end of this.ends) end()
  }

  pointer(): Pointer | null {
    return this.inside ? { x: this.x, y: this.y, busy: this.drag !== null && this.moved } : null
  }

  // Returns the row, sign or heading under the pointer in the column of names.
  nameHover(): Hover | null {
    const { canvas } = this
    const { geometry } = canvas
    if (!this.inside || this.x >= geometry.column || this.drag) return null
    const at = geometry.lineAt(this.y)
    if (!at) return null
    const fromRight = geometry.column - this.x
    const row = canvas.view.rows[at.line.row]
    const sign = this.x < EXPAND && row && expands(row) ? 'expand'
      : fromRight <= SIGN + 2 ? 'hide' : fromRight <= SIGN * 2 + 2 ? 'pin'
        : row?.kind === 'load' && this.y > at.top + at.line.height / 2 ? 'window' : null
    return { row: at.line.row, sign: at.line.row >= 0 ? sign : null,
             heading: at.line.row < 0 ? at.line.kind : null }
  }

  private on(target: EventTarget, name: string, what: (event: Event) => void): void {
    target.addEventListener(name, what, { passive: false })
    this.ends.push(() => target.removeEventListener(name, what))
  }

  private get time(): number {
    return this.canvas.pen.time(this.x)
  }

  private at(event: MouseEvent): void {
    const box = this.canvas.host.getBoundingClientRect()
    this.x = event.clientX - box.left
    this.y = event.clientY - box.top
    this.snaps = !event.altKey
    this.inside = true
  }

  private down(event: PointerEvent): void {
    this.at(event)
    this.canvas.host.focus({ preventScroll: true })
    if (event.button > 1 || (event.button === 0 && event.ctrlKey)) return // a menu
    if (event.pointerType === 'touch') this.press = window.setTimeout(() => this.longPress(), PRESS_MS)
    event.preventDefault()
    this.startX = this.x
    this.startY = this.y
    this.moved = false
    this.drag = this.dragFrom(event)
    this.canvas.host.setPointerCapture(event.pointerId)
    this.canvas.refresh(event.timeStamp)
  }

  private moveTo(event: PointerEvent): void {
    this.at(event)
    const { view, geometry } = this.canvas
    if (this.drag) {
      this.moved ||= Math.hypot(this.x - this.startX, this.y - this.startY) > CLICK
      if (this.moved) {
        clearTimeout(this.press)
        this.drag.move(this.x, this.y)
      }
    }
    view.cursor = this.x >= geometry.left ? this.time : null
    view.changed()
    this.canvas.host.style.cursor = this.cursor()
    if (this.x < geometry.left || this.hoverWas) this.canvas.redraw(event.timeStamp)
    this.hoverWas = this.x < geometry.left
    this.canvas.refresh(event.timeStamp)
  }

  private hoverWas = false
  private press = 0 // the timer of a long press

  private up(event: PointerEvent): void {
    this.at(event)
    this.endDrag()
    this.canvas.redraw(event.timeStamp)
  }

  private endDrag(): void {
    clearTimeout(this.press)
    const { drag, moved } = this
    this.drag = null
    drag?.end?.(moved)
    this.canvas.redraw()
  }

  private leave(): void {
    this.inside = false
    this.canvas.view.cursor = null
    this.canvas.view.changed()
    this.canvas.redraw()
  }

  private menu(event: MouseEvent): void {
    event.preventDefault()
    this.at(event)
    void openMenuAt(this.canvas, this.x, this.y)
  }

  // A finger that rests opens the menu instead of ending as a click.
  private longPress(): void {
    if (!this.drag || this.moved) return
    this.drag = null
    void openMenuAt(this.canvas, this.x, this.y)
  }

  private cursor(): string {
    if (this.drag) return this.drag.cursor
    const { geometry, view } = this.canvas
    const part = geometry.part(this.y)
    if (Math.abs(this.x - geometry.column) < NEAR && part !== 'overview') return 'col-resize'
    if (this.x < geometry.column) return part === 'rows' || part === 'pinned' || (part === 'ruler' && view.hello?.wall) ? 'pointer' : 'default'
    if (part === 'overview') return 'pointer'
    if (part === 'ruler') return markerAt(this.canvas.pen, view, this.x, this.y) ? 'pointer' : 'grab'
    return heldEdge(this.canvas, this.x) !== null ? 'ew-resize' : 'default'
  }

  private dragFrom(event: PointerEvent): Drag | null {
    const { geometry } = this.canvas
    const part = geometry.part(this.y)
    if (Math.abs(this.x - geometry.column) < NEAR && part !== 'overview') return this.columnDrag()
    if (part === 'overview') return this.x >= geometry.left ? this.overviewDrag() : null
    if (this.x < geometry.column) return part === 'ruler' ? this.clockDrag() : this.nameDrag()
    if (part === 'rows' && geometry.bar() && this.x > geometry.width - BAR) return this.barDrag()
    const marker = part === 'ruler' ? markerAt(this.canvas.pen, this.canvas.view, this.x, this.y) : null
    if (marker && event.button === 0) return this.markerDrag(marker)
    if (part === 'ruler' || event.button === 1 || event.shiftKey) return this.panDrag(part !== 'ruler', event.shiftKey)
    return this.selectDrag()
  }

  private columnDrag(): Drag {
    const { canvas } = this
    return {
      cursor: 'col-resize',
      move: x => {
        canvas.geometry.column = Math.min(COLUMN_MOST, Math.max(COLUMN_LEAST, Math.round(x)))
        canvas.redraw()
      }
    }
  }

  // A click in the ruler's corner chooses the next clock.
  private clockDrag(): Drag | null {
    const { view } = this.canvas
    if (!view.hello?.wall) return null
    return { cursor: 'pointer', move: () => {}, end: moved => void (moved || turnClock(view)) }
  }

  private overviewDrag(): Drag {
    const { view, overview } = this.canvas
    const width = view.until - view.from, t = overview.time(this.x)
    const inside = t >= view.from && t <= view.until
    const grip = inside ? t - view.from : width / 2
    const move = (x: number) => {
      const from = overview.time(x) - grip
      view.go(from, from + width)
    }
    if (!inside) move(this.x)
    return { cursor: 'grabbing', move }
  }

  // Pans in time; also scrolls the rows, if `rows`. A click with Shift measures.
  private panDrag(rows: boolean, shift: boolean): Drag {
    const { canvas } = this
    const { view, geometry } = canvas
    canvas.freeze()
    const { from, until } = view
    const { startX, startY } = this
    const { scroll } = geometry
    return {
      cursor: 'grabbing',
      move: (x, y) => {
        const by = (x - startX) / geometry.plot * (until - from)
        view.go(from - by, until - by)
        if (!rows) return
        geometry.scrollTo(scroll - (y - startY))
        canvas.redraw()
      },
      end: moved => {
        const mark = moved ? null : canvas.flags.at(canvas.pen, geometry, startX, startY)
        if (mark) goMark(view, mark)
        else if (rows && shift && !moved) measureAt(canvas, startX, startY)
      }
    }
  }

  // A click chooses the marker.
  private markerDrag(marker: Marker): Drag {
    const { canvas } = this
    let moved = marker
    chooseMarker(canvas.view, marker)
    return {
      cursor: 'ew-resize',
      move: () => {
        canvas.freeze()
        moved = moveMarker(canvas.view, moved, this.time)
      },
      end: () => endMove(canvas.view, marker, moved)
    }
  }

  private barDrag(): Drag {
    const { canvas } = this
    const { geometry } = canvas
    const { startY } = this
    const { scroll } = geometry
    const room = geometry.view - geometry.bar()!.height
    return {
      cursor: 'default',
      move: (_, y) => {
        geometry.scrollTo(scroll + (y - startY) / room * geometry.scrollMost)
        canvas.redraw()
      }
    }
  }

  private selectDrag(): Drag {
    const { canvas } = this
    const { view } = canvas
    const time = () => this.snaps ? snappedTime(canvas, this.x, this.y) : this.time
    const edge = heldEdge(canvas, this.x), start = edge ?? time(), x = this.x, y = this.y
    return {
      cursor: edge !== null ? 'ew-resize' : 'crosshair',
      move: () => {
        canvas.freeze()
        const last = view.status?.last ?? 0
        const [begin, end] = [start, time()].map(t => Math.min(Math.max(Math.round(t), 0), last))
        view.selection = begin === end ? null : [Math.min(begin, end), Math.max(begin, end)]
        view.changed()
      },
      end: moved => {
        if (moved) return
        if (edge === null) view.selection = null
        view.mark = canvas.flags.at(canvas.pen, canvas.geometry, x, y)
        view.markPlace = null
        void moves.pick(canvas, canvas.hit(x, y), canvas.pen.time(x))
      }
    }
  }

  // A click folds a group, pins, hides or expands a row; a drag moves a row.
  private nameDrag(): Drag | null {
    const { canvas } = this
    const { geometry, view } = canvas
    const hover = this.nameHover(), at = geometry.lineAt(this.y)
    if (!hover || !at) return null
    const pinned = geometry.part(this.y) === 'pinned'
    return {
      cursor: 'grabbing',
      move: (_, y) => {
        const target = geometry.lineAt(y)?.line
        if (!target || target.row < 0 || hover.row < 0 || (geometry.part(y) === 'pinned') !== pinned) return
        if (!pinned && target.kind !== at.line.kind) return
        const behind = target.y > (this.lineOf(hover.row)?.y ?? 0)
        if (pinned) view.pinned = moveRow(view.pinned, hover.row, target.row, behind)
        else view.order = moveRow(view.order, hover.row, target.row, behind)
        view.changed()
      },
      end: moved => {
        if (!moved) this.clickName(hover, at.line.kind)
      }
    }
  }

  private lineOf(row: number) {
    const { layout } = this.canvas.geometry
    return layout.pinned.find(l => l.row === row) ?? layout.lines.find(l => l.row === row)
  }

  private clickName(hover: Hover, kind: RowKind): void {
    const { view } = this.canvas
    const group = view.rows.map((row, i) => ({ row, i })).filter(({ row }) => row.kind === kind)
    if (hover.heading) {
      const showAll = group.some(({ i }) => view.hidden.has(i)) && this.x > 70
      if (showAll) view.hidden = new Set([...view.hidden].filter(i => view.rows[i]?.kind !== kind))
      else view.folded = toggled(view.folded, group[0].row.kind)
    } else if (hover.sign === 'pin') {
      view.pinned = view.pinned.includes(hover.row)
        ? view.pinned.filter(row => row !== hover.row) : [...view.pinned, hover.row]
    } else if (hover.sign === 'window') {
      view.loadWindow = nextWindow(view.loadWindow)
    } else if (hover.sign === 'hide') {
      view.pinned = view.pinned.filter(row => row !== hover.row)
      view.hidden = new Set([...view.hidden, hover.row])
    } else moves.expand(this.canvas, hover.row)
    view.changed()
  }

  private double(event: MouseEvent): void {
    this.at(event)
    const { canvas } = this
    const marker = canvas.geometry.part(this.y) === 'ruler' ? markerAt(canvas.pen, canvas.view, this.x, this.y) : null
    if (marker) return canvas.note(marker.t)
    const hit = canvas.hit(this.x, this.y)
    if (hit && hit.piece.end > hit.piece.begin) moves.show(canvas, hit.piece.begin, hit.piece.end)
    canvas.redraw(event.timeStamp)
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault()
    this.at(event)
    const { canvas } = this
    const { geometry } = canvas
    const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1
    const dx = event.deltaX * unit, dy = event.deltaY * unit
    if (event.altKey || (this.x < geometry.left && geometry.part(this.y) !== 'overview')) {
      geometry.scrollTo(geometry.scroll + dy)
    } else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      moves.pan(canvas, (Math.abs(dx) > Math.abs(dy) ? dx : dy) / geometry.plot)
    } else {
      const middle = (canvas.view.from + canvas.view.until) / 2
      moves.zoom(canvas, geometry.part(this.y) === 'overview' ? middle : this.time,
                 Math.exp(Math.min(1, Math.max(-1, dy * WHEEL))))
    }
    canvas.redraw(event.timeStamp)
  }

  private key(event: KeyboardEvent): void {
    const { canvas } = this
    if (isMenuKey(event) && event.target === canvas.host) {
      openMenuOfPicked(canvas, this.pointer())
      event.preventDefault()
      return
    }
    const { view, geometry } = canvas
    const t = this.inside && this.x >= geometry.left ? this.time : (view.from + view.until) / 2
    if (pressKey(canvas, event, t)) canvas.redraw(event.timeStamp)
  }
}

function toggled<T>(set: Set<T>, member: T): Set<T> {
  const next = new Set(set)
  if (!next.delete(member)) next.add(member)
  return next
}
