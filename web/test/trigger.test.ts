// SPDX-License-Identifier: MIT
// Triggers of a live trace.
import assert from 'node:assert/strict'
import test from 'node:test'
import { limitText, measures, Triggers } from '../src/trigger'
import type { View } from '../src/view'

// A live view whose trace has losses at these ticks, and records [t, number] with a text.
function live(losses: number[], records: [number, number][]) {
  const view = {
    linked: true, hello: { hz: 100, live: true }, status: { last: 1000, up: true, rev: 1 }, rev: 1, cursor: null, record: null, notices: [] as string[], shown: [] as number[][],
    rows: [{ kind: 'link', name: '', thing: 0, core: -1, tracks: [{ id: 5, kind: 'loss', level: 0 }] }],
    source: {
      asks: [] as object[],
      failures: [] as unknown[][],
      async ask(op: string, { at, ...more }: { at: number; since?: number; rule?: number }) {
        if (op === 'added') {
          const { since, rule } = more as { since: number; rule: number }
          return { mark: this.failures.slice(since).find(mark => rule < 0 || mark[1] === rule) ?? null, added: this.failures.length }
        }
        if (op === 'beyond') {
          this.asks.push(more)
          return this.asks.length < 3 ? { slice: null, seen: 1100 + 40 * this.asks.length } : { slice: [1180, 1210, 0, 0, 0], seen: 1200 }
        }
        if (op === 'step') {
          const begin = losses.find(t => t > at && t <= view.status.last)
          return { slice: begin === undefined ? null : [begin, begin + 1, 1, 0, 0] }
        }
        const found = records.find(([t]) => t > at && t <= view.status.last)
        return { record: found ? { t: found[0], number: found[1] } : null }
      }
    },
    rules: { rev: 4, rules: [] }, mark: null as { number: number } | null, markPlace: null,
    go(from: number, until: number) { view.shown.push([from, until]) },
    notify(text: string) { view.notices.push(text) }, changed() {}
  }
  return view
}

const later = (ms: number) => new Promise(done => setTimeout(done, ms))

async function until(what: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !what(); i++) await later(20)
  assert(what())
}

test('a loss after arming freezes the view, once the time behind it is there', async () => {
  const view = live([500, 1000, 1300], []), triggers = new Triggers(view as unknown as View)
  view.status.last = 1100
  triggers.arm({ on: 'loss', text: '', limit: null, rule: -1, around: 2, save: false })
  await later(400)
  assert(triggers.armed && !triggers.hit, 'losses before do not count')
  view.status.last = 1400
  await until(() => triggers.hit !== null)
  assert(triggers.armed, 'it waits for two seconds more')
  assert.deepEqual(view.shown, [])
  view.status.last = 1500
  await until(() => triggers.armed === null)
  assert.deepEqual(view.shown, [[1100, 1500]])
  assert.equal(view.cursor, 1300)
})

test('the row of the first loss may come later than its time', async () => {
  const view = live([1100], []), triggers = new Triggers(view as unknown as View), { rows } = view
  view.rows = []
  triggers.arm({ on: 'loss', text: '', limit: null, rule: -1, around: 1, save: false })
  view.status = { last: 1300, up: true, rev: 2 }
  await later(700)
  assert(triggers.armed && !triggers.hit, 'there is no row yet')
  view.rows = rows
  view.rev = 2
  await until(() => triggers.armed === null)
  assert.equal(view.cursor, 1100)
})

test('a record at the tick of the last one seen counts; a target that is gone ends the wait', async () => {
  const view = live([], [[900, 3], [1000, 7]]), triggers = new Triggers(view as unknown as View)
  triggers.arm({ on: 'text', text: 'abc', limit: null, rule: -1, around: 10, save: false })
  await until(() => triggers.hit !== null)
  view.status.up = false
  await until(() => triggers.armed === null)
  assert.deepEqual(view.shown, [[0, 2000]])
  assert.equal(view.record, 7)
})

test('a failure of a rule that is added after arming freezes the view at its end', async () => {
  const view = live([], []), triggers = new Triggers(view as unknown as View)
  const failure = (number: number, rule: number, from: number, until: number) => [number, rule, 'fail', from, until, null, null, -1, `failure ${number}`]
  view.source.failures.push(failure(0, 1, 900, 950))
  triggers.arm({ on: 'rule', text: '', limit: null, rule: 1, around: 1, save: false })
  await later(400)
  assert(triggers.armed && !triggers.hit, 'failures before do not count')
  view.source.failures.push(failure(1, 0, 980, 1100), failure(2, 1, 700, 1200)) // of another rule, and of a job that began before
  view.status.last = 1300
  await until(() => triggers.armed === null)
  assert.deepEqual(view.shown, [[1100, 1300]])
  assert.equal(view.cursor, 1200)
  assert.equal(view.mark?.number, 2)
  assert.equal(view.notices[0], 'Frozen: failure 2')
})

test('it is disarmed', async () => {
  const view = live([1200], []), triggers = new Triggers(view as unknown as View)
  triggers.arm({ on: 'loss', text: '', limit: null, rule: -1, around: 1, save: false })
  triggers.disarm()
  view.status.last = 5000
  await later(400)
  assert.deepEqual([triggers.armed, triggers.hit, view.shown], [null, null, []])
})

test('a slice that becomes longer than a limit freezes the view where it does', async () => {
  const view = live([], []), triggers = new Triggers(view as unknown as View)
  view.status.last = 1080
  const limit = { track: 7, row: 0, of: 'response of logger', is: 'longer' as const, value: 0.2 }
  triggers.arm({ on: 'limit', text: '', limit, rule: -1, around: 1, save: false })
  view.status.last = 1300
  await until(() => triggers.armed === null)
  assert.deepEqual(view.source.asks, [1079, 1079, 1179].map(from => ({ track: 7, from, longer: 20 })))
  assert.deepEqual(view.shown, [[1100, 1300]])
  assert.equal(view.cursor, 1200)
  assert.equal(view.notices[0], 'Frozen: response of logger longer than 200 ms')
  assert.equal(limitText({ ...limit, of: 'value of fill', is: 'below', value: 3 }), 'value of fill below 3')
})

test('lengths and numbers of rows may have a limit', () => {
  const row = (name: string, ...kinds: string[]) => ({ kind: 'task', name, thing: 0, core: -1, tracks: kinds.map((kind, i) => ({ id: name.length * 10 + i, kind, level: 0 })) })
  const view = { hello: { hz: 10 }, rows: [row('a', 'states', 'jobs'), row('bb', 'level'), row('ccc', 'runs')] } as unknown as View
  assert.deepEqual(measures(view), [{ track: 11, row: 0, of: 'response of a', isLength: true }, { track: 20, row: 1, of: 'value of bb', isLength: false }])
})
