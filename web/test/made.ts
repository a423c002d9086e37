// SPDX-License-Identifier: MIT
// A Source that generates its trace: random tasks on two cores with a mutex, a queue, a counter, a
// state machine, losses and filters. For tests of the page that need no server.
import { TILE_BUCKETS, TILE_GROWS } from '../src/protocol'
import type { Arrow, Events, Row, Source, Thing, Tile, TrackKind } from '../src/protocol'

interface Slice { begin: number; end: number; value: number; more: number; flags: number }

const HZ = 1e6
const names = ['idle', 'keys', 'clock', 'stopwatch', 'thermometer', 'display', 'network', 'logger', 'shell']

export class Made implements Source {
  rows: Row[] = []
  things: Thing[] = []
  tracks: Slice[][] = []
  kinds: TrackKind[] = []
  arrows: Arrow[] = []
  last = 0
  asked = 0
  private events: Events | null = null
  private seed = 12345

  constructor(private readonly steps: number, private readonly live = false) {
    this.make()
  }

  private random(below: number): number {
    this.seed = (Math.imul(this.seed, 1103515245) + 12345) >>> 0
    return Math.floor(this.seed / 2 ** 32 * below)
  }

  private thing(kind: Thing['kind'], name: string, sub = '', prio: number | null = null): number {
    this.things.push({ kind, name, key: this.things.length.toString(16), sub, prio })
    return this.things.length - 1
  }

  private row(kind: Row['kind'], thing: number, name: string, tracks: TrackKind[], core = -1): number[] {
    const made = tracks.map(track => {
      this.kinds.push(track)
      this.tracks.push([])
      return { id: this.tracks.length - 1, kind: track, level: 0 }
    })
    this.rows.push({ kind, thing, name, core, tracks: made })
    return made.map(track => track.id)
  }

  private put(track: number, begin: number, end: number, value: number, more = 0, flags = 0): void {
    if (end > begin || this.kinds[track] === 'marks') {
      this.tracks[track].push({ begin, end, value, more, flags })
    }
  }

  private make(): void {
    this.thing('special', '')
    this.thing('special', 'idle')
    const cores = [0, 1].map(n => this.thing('core', 'core ' + n))
    const tasks = names.slice(1).map((name, i) => this.thing('task', name, '', 10 + i))
    const mutex = this.thing('object', 'display lock', 'mutex')
    const queue = this.thing('object', 'samples', 'queue')
    const irq = this.thing('irq', 'interrupt 15')
    const states = ['off', 'on', 'alarm <b>x</b>'].map(name => this.thing('state', name))
    const signals = ['TICK', 'PUSH', 'TIMEOUT'].map(name => this.thing('signal', name))
    const machine = this.thing('object', 'Lamp', 'machine')
    const text = this.thing('text', 'draw')
    const heat = this.thing('text', 'temperature')
    const runs = cores.map((thing, n) => this.row('core', thing, 'core ' + n, ['runs'], n)[0])
    const irqs = this.row('irq', irq, 'interrupt 15', ['irqs'], 0)[0]
    const state = tasks.map((thing, i) => this.row('task', thing, names[i + 1],
      ['states', 'holds', 'spans']))
    const [machineTrack, stepsTrack] = this.row('machine', machine, 'Lamp', ['machine', 'steps'])
    const holder = this.row('object', mutex, 'display lock', ['holder'])[0]
    const level = this.row('object', queue, 'samples', ['level'])[0]
    const counter = this.row('counter', heat, 'temperature', ['level'])[0]
    const marks = this.row('records', 0, 'records', ['marks'])[0]
    const [loss, filters] = this.row('link', 0, 'link', ['loss', 'filters'])

    let t = 100
    const since = tasks.map(() => t)
    const was = tasks.map(() => 1)
    const at = tasks.map(() => 0) // on which core it runs
    const on = [-1, -1], onSince = [t, t]
    const turn = (i: number, to: number) => {
      this.put(state[i][0], since[i], t, was[i], was[i] === 3 ? mutex : was[i] === 2 ? at[i] : 0)
      since[i] = t
      was[i] = to
    }
    let held = -1, heldSince = 0, depth = 0, depthSince = t, degrees = 20, degreesSince = t
    let mode = 0, modeSince = t
    for (let step = 0; step < this.steps; step++) {
      const core = this.random(2)
      t += 20 + this.random(400)
      const next = this.random(10) < 3 ? -1 : this.random(tasks.length)
      if (next >= 0 && was[next] === 2) continue
      this.put(runs[core], onSince[core], t, on[core] < 0 ? 1 : tasks[on[core]])
      onSince[core] = t
      const before = on[core]
      if (before >= 0) turn(before, [1, 3, 3, 4, 5][this.random(5)])
      on[core] = next
      if (next >= 0) {
        turn(next, 2)
        at[next] = core
      }
      if (before >= 0 && next >= 0 && was[before] === 1) {
        this.arrows.push(['preempt', t, t, 3 + before, 3 + next, 0])
      }
      if (next >= 0 && held < 0 && this.random(3) === 0) {
        held = next
        heldSince = t + 5
      } else if (held >= 0 && this.random(4) === 0) {
        this.put(state[held][1], heldSince, t - 4, mutex)
        this.put(holder, heldSince, t - 4, tasks[held])
        held = -1
      }
      if (next >= 0 && this.random(5) === 0) this.put(state[next][2], t + 3, t + 18, text)
      if (this.random(3) === 0) {
        this.put(level, depthSince, t, depth)
        depthSince = t
        depth = Math.max(0, Math.min(16, depth + this.random(5) - 2))
      }
      if (this.random(4) === 0) {
        this.put(counter, degreesSince, t, degrees)
        degreesSince = t
        degrees += this.random(7) - 3
      }
      if (this.random(6) === 0) {
        this.put(stepsTrack, t, t + 15, signals[this.random(3)], 1)
        this.put(machineTrack, modeSince, t + 15, states[mode])
        modeSince = t + 15
        mode = this.random(3)
      }
      if (this.random(3) === 0) this.put(irqs, t + 1, t + 1 + this.random(10), 1)
      if (this.random(5) === 0) this.put(marks, t, t, 100 + this.random(4), tasks[this.random(8)])
      if (this.random(700) === 0) this.put(loss, t, t + 300, this.random(50), 1)
      if (this.random(900) === 0) this.put(filters, t, t + 4000, 1 << 17 | 1 << 23)
    }
    tasks.forEach((_, i) => turn(i, 0))
    this.last = t
  }

  open(events: Events): void {
    this.events = events
    events.link(true)
    events.hello({
      version: '1', source: 'made up', live: this.live, commands: false, hz: HZ, t0: '0', clock: 'start',
      format: null,
      groups: ['SM', 'AO', 'EQ', 'MP', 'TE', 'QF', 'SC', 'SEM', 'MTX', 'USER', 'INFO', 'DICT', 'TEST',
        'FAIL', 'WF', 'TASK', 'ISR', 'MUT', 'SEMA', 'QUE', 'EVT', 'TMR', 'HEAP', 'NOTE'],
      records: [], kept: false
    })
    this.tell(1)
    if (!this.live) return
    const end = this.last
    this.last = 0
    setInterval(() => {
      this.last = Math.min(end, this.last + 100000)
      this.tell(1)
    }, 100)
  }

  private tell(rev: number): void {
    this.events?.status({
      last: this.last, kept: 0, records: 1, missing: 0, exact: true, bad: 0, rev, progress: null,
      up: true, note: null, error: null
    })
  }

  async tiles(level: number, tiles: [number, number][]): Promise<Tile[]> {
    this.asked += tiles.length
    await new Promise(done => setTimeout(done, 15))
    return tiles.map(([track, index]) => this.tile(level, track, index))
  }

  private tile(level: number, track: number, index: number): Tile {
    const bucket = 2 ** level, from = index * TILE_BUCKETS * bucket, until = from + TILE_BUCKETS * bucket
    const all = this.tracks[track]
    const pieces: (Slice & { busy: number; min: number; max: number; count: number })[] = []
    let low = 0, high = all.length
    while (low < high) {
      const middle = low + high >> 1
      if (all[middle].end < from) low = middle + 1
      else high = middle
    }
    for (let i = low; i < all.length && all[i].begin < until && all[i].begin <= this.last; i++) {
      const slice = all[i], length = slice.end - slice.begin, top = pieces[pieces.length - 1]
      if (length <= bucket && bucket > 1 && top && top.end - top.begin <= bucket &&
          slice.end - top.begin <= 2 * bucket) {
        if (length > top.busy / top.count) top.value = slice.value
        top.end = slice.end
        top.busy += length
        top.count++
        top.min = Math.min(top.min, slice.value)
        top.max = Math.max(top.max, slice.value)
      } else pieces.push({ ...slice, busy: length, min: slice.value, max: slice.value, count: 1 })
    }
    const f = (what: (p: typeof pieces[0]) => number) => Float64Array.from(pieces, what)
    const u = (what: (p: typeof pieces[0]) => number) => Uint32Array.from(pieces, what)
    return {
      track, level, index, flags: until > this.last ? TILE_GROWS : 0, pieces: pieces.length,
      begin: f(p => p.begin), end: f(p => Math.min(p.end, Math.max(this.last, p.begin))), busy: f(p => p.busy),
      value: f(p => p.value), min: f(p => p.min), max: f(p => p.max), count: u(p => p.count),
      more: u(p => p.more), pieceFlags: u(p => p.flags)
    }
  }

  async ask<T>(op: string, fields: object = {}): Promise<T> {
    await new Promise(done => setTimeout(done, 5))
    const answer = this.answer(op, fields as { [name: string]: number })
    if (!answer) throw new Error('this trace is made up, it has no ' + op)
    return answer as T
  }

  private answer(op: string, fields: { [name: string]: number }): unknown {
    if (op === 'rows') return { rev: 1, rows: this.rows }
    if (op === 'things') {
      return { rev: 1, from: 0, things: this.things.map(t => [t.kind, t.name, t.key, t.sub, t.prio]) }
    }
    if (op === 'arrows') {
      const arrows = this.arrows.filter(a => a[2] >= fields.from && a[1] < fields.until)
      return { count: arrows.length, arrows: arrows.length > fields.most ? [] : arrows }
    }
    if (op === 'step') {
      const all = this.tracks[fields.track].filter(s => fields.value === null || s.value === fields.value)
      const found = fields.way > 0
        ? all.find(s => s.begin > fields.at) : all.reverse().find(s => s.begin < fields.at)
      return { slice: found ? [found.begin, found.end, found.value, found.more, found.flags] : null }
    }
    return null
  }
}
