// SPDX-License-Identifier: MIT
// The Source over the WebSocket of `wallfly serve`. Requests are matched with their answers by n.
// When the link is lost, pending requests are rejected, and it reconnects with growing pauses.

import { parseExact } from './exact'
import type { Events, Hello, Said, Site, Source, Status, Tile } from './protocol'

const MAGIC = 0x31746677 // "wft1"
const HEAD = 16, TILE_HEAD = 24, PIECE = 6 * 8 + 3 * 4 // bytes
const ASK_MS = 20000 // without an answer or progress
const PAUSE_LEAST_MS = 250, PAUSE_MOST_MS = 5000

interface Waiting {
  done(answer: unknown): void
  fail(error: Error): void
  progress?: (done: number, of: number) => void
  timer: number
}

interface Message {
  n?: number
  error?: string
  progress?: [number, number]
  hello?: Hello
  status?: Status
  said?: Said
  site?: Site
}

// Parses a binary answer. Each tile copies its bytes, so that a tile in the cache does not keep the
// whole answer. Throws if it is cut.
export function parseTiles(bytes: ArrayBuffer): { n: number; tiles: Tile[] } {
  return parseTilesAt(bytes, 0)
}

// Parses the answer at offset `begin`; `next` is the offset of its end.
export function parseTilesAt(bytes: ArrayBuffer, begin: number): { n: number; tiles: Tile[]; next: number } {
  const data = new DataView(bytes)
  if (bytes.byteLength < begin + HEAD || data.getUint32(begin, true) !== MAGIC) throw new Error('not tiles')
  const n = data.getUint32(begin + 4, true), count = data.getUint32(begin + 8, true)
  const level = data.getUint32(begin + 12, true)
  const tiles: Tile[] = []
  let at = begin + HEAD
  for (let i = 0; i < count; i++) {
    if (at + TILE_HEAD > bytes.byteLength) throw new Error('tiles are cut')
    const pieces = data.getUint32(at + 4, true)
    if (at + TILE_HEAD + pieces * PIECE > bytes.byteLength) throw new Error('tiles are cut')
    tiles.push(parseTile(bytes.slice(at, at + TILE_HEAD + pieces * PIECE), level))
    at += TILE_HEAD + pieces * PIECE + (pieces % 2) * 4
  }
  return { n, tiles, next: at }
}

function parseTile(bytes: ArrayBuffer, level: number): Tile {
  const data = new DataView(bytes)
  const pieces = data.getUint32(4, true)
  let next = TILE_HEAD
  const doubles = () => {
    const array = new Float64Array(bytes, next, pieces)
    next += pieces * 8
    return array
  }
  const words = () => {
    const array = new Uint32Array(bytes, next, pieces)
    next += pieces * 4
    return array
  }
  return {
    track: data.getUint32(0, true), level, index: data.getFloat64(8, true),
    flags: data.getUint32(16, true), pieces,
    begin: doubles(), end: doubles(), busy: doubles(), value: doubles(), min: doubles(),
    max: doubles(), count: words(), more: words(), pieceFlags: words()
  }
}

export function pauseAfter(tries: number): number {
  return Math.min(PAUSE_LEAST_MS * 2 ** tries, PAUSE_MOST_MS)
}

export class Wire implements Source {
  private socket: WebSocket | null = null
  private waiting = new Map<number, Waiting>()
  private n = 0
  private unsent: string[] = [] // requested before the link was up
  private tries = 0
  private opened = false // the link was up
  private closed = false
  private events: Events | null = null
  private early: Message[] = [] // received before there were events
  private first: ((site: Site | null | undefined) => void) | null = null

  // elsewhere: is called when the server does not have the trace that the page has asked for (sure), or
  // may have other ones.
  constructor(private readonly url: string, readonly framed = false, private readonly elsewhere: (sure: boolean) => void = () => undefined) {}

  // Connects. Returns the list of the server's traces; null if there is only one, which can be opened;
  // undefined if the link was lost.
  list(): Promise<Site | null | undefined> {
    return new Promise(done => {
      this.first = done
      this.connect()
    })
  }

  open(events: Events): void {
    this.events = events
    if (!this.socket) this.connect()
    else if (this.socket.readyState === WebSocket.OPEN) events.link(true)
    for (const message of this.early.splice(0)) this.handle(message)
  }

  close(): void {
    const { socket } = this
    this.closed = true
    this.socket = null
    socket?.close()
  }

  tiles(level: number, tiles: [number, number][]): Promise<Tile[]> {
    return this.ask<Tile[]>('tiles', { level, tiles })
  }

  ask<T>(op: string, fields?: object, progress?: (done: number, of: number) => void,
         signal?: AbortSignal): Promise<T> {
    return new Promise<T>((done, fail) => {
      const socket = this.socket
      if (!socket || socket.readyState > WebSocket.OPEN) {
        fail(new Error('the link to wallfly is lost'))
        return
      }
      const n = this.n = (this.n + 1) % 0x7fffffff
      const timer = this.timer(n)
      this.waiting.set(n, { done: answer => done(answer as T), fail, progress, timer })
      const text = JSON.stringify({ ...fields, op, n })
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
      else this.unsent.push(text)
      signal?.addEventListener('abort', () => this.cancel(n), { once: true })
    })
  }

  private cancel(n: number): void {
    const waiting = this.end(n)
    if (!waiting) return
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ op: 'cancel', n }))
    waiting.fail(new Error('cancelled'))
  }

  private timer(n: number): number {
    return window.setTimeout(() => this.end(n)?.fail(new Error('wallfly does not answer')), ASK_MS)
  }

  private end(n: number): Waiting | undefined {
    const waiting = this.waiting.get(n)
    if (waiting) clearTimeout(waiting.timer)
    this.waiting.delete(n)
    return waiting
  }

  private connect(): void {
    if (this.socket || this.closed) return
    const socket = new WebSocket(this.url)
    this.socket = socket
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      this.tries = 0
      if (this.framed && this.opened) this.elsewhere(false) // the server may have been started with other files
      this.opened = true
      for (const text of this.unsent.splice(0)) socket.send(text)
      this.events?.link(true)
    }
    socket.onmessage = event => this.take(event.data)
    socket.onclose = () => this.lost(socket)
  }

  private lost(socket: WebSocket): void {
    if (this.socket !== socket) return
    this.socket = null
    this.unsent = []
    this.began(undefined)
    for (const n of [...this.waiting.keys()]) this.end(n)?.fail(new Error('the link to wallfly is lost'))
    this.events?.link(false)
    setTimeout(() => this.connect(), pauseAfter(this.tries++))
  }

  private take(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      const { n, tiles } = parseTiles(data)
      this.end(n)?.done(tiles)
      return
    }
    const message = parseExact<Message>(data)
    this.began(message.site ?? null)
    if (this.events) this.handle(message)
    else this.early.push(message)
  }

  private began(site: Site | null | undefined): void {
    this.first?.(site)
    this.first = null
  }

  private handle(message: Message): void {
    if (message.site) this.elsewhere(true)
    if (message.hello) this.events?.hello(message.hello)
    if (message.status) this.events?.status(message.status)
    if (message.said) this.events?.said(message.said)
    if (message.n !== undefined) this.answer(message.n, message)
  }

  private answer(n: number, message: Message): void {
    const waiting = this.waiting.get(n)
    if (!waiting) return
    if (message.progress) {
      clearTimeout(waiting.timer)
      waiting.timer = this.timer(n)
      waiting.progress?.(...message.progress)
      return
    }
    this.end(n)
    if (message.error !== undefined) waiting.fail(new Error(message.error))
    else waiting.done(message)
  }
}

// The traces of a server, by which a page knows whether they are still the same.
export function tracesText(site: Site | null): string {
  return JSON.stringify(site?.traces ?? null)
}

// Shows the traces that there are: the server was started again with other ones, or the address has
// the number of none.
function showSite(): void {
  const { top } = window
  if (top && top !== window) {
    const { dataset } = top.document.documentElement
    if (!dataset.reloads) top.location.reload() // once for all frames
    dataset.reloads = 'yes'
  } else if (location.search) location.replace(location.pathname)
  else location.reload()
}

function addressOf(trace: string | null): string {
  const url = new URL(trace === null ? 'ws' : `ws/${trace}`, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.hash = url.search = ''
  return url.href
}

// Returns the traces that the server has now; undefined if the link was lost.
async function listTraces(): Promise<string | undefined> {
  const wire = new Wire(addressOf(null)), site = await wire.list()
  wire.close()
  return site === undefined ? undefined : tracesText(site)
}

// Returns the source of a page from `wallfly serve`: the socket lies below the page's own address.
// trace: the number of one of several.
export function makeWire(trace: string | null): Wire {
  if (trace === null) return new Wire(addressOf(null), false, showSite)
  const known = window.top?.traces ?? listTraces() // of the page that it is within, or now
  return new Wire(addressOf(trace), true, sure => void (async () => {
    const now = sure ? undefined : await listTraces()
    if (sure || (now !== undefined && now !== await known)) showSite()
  })())
}
