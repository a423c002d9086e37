// SPDX-License-Identifier: MIT
// Triggers of a live trace.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Triggers } from '../src/trigger'
import type { View } from '../src/view'

// A live view whose trace has losses at these ticks, and records [t, number] with a text.
function live(losses: number[], records: [number, number][]) {
  const view = {
    linked: true, hello: { hz: 100, live: true }, status: { last: 1000, up: true }, cursor: null, record: null, notices: [] as string[], shown: [] as number[][],
    rows: [{ kind: 'link', name: '', thing: 0, core: -1, tracks: [{ id: 5, kind: 'loss', level: 0 }] }],
    source: {
      async ask(op: string, { at }: { at: number }) {
        if (op === 'step') {
          const begin = losses.find(t => t > at && t <= view.status.last)
          return { slice: begin === undefined ? null : [begin, begin + 1, 1, 0, 0] }
        }
        const found = records.find(([t]) => t > at && t <= view.status.last)
        return { record: found ? { t: found[0], number: found[1] } : null }
      }
    },
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
  triggers.arm({ on: 'loss', text: '', around: 2, save: false })
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

test('a record at the tick of the last one seen counts; a target that is gone ends the wait', async () => {
  const view = live([], [[900, 3], [1000, 7]]), triggers = new Triggers(view as unknown as View)
  triggers.arm({ on: 'text', text: 'abc', around: 10, save: false })
  await until(() => triggers.hit !== null)
  view.status.up = false
  await until(() => triggers.armed === null)
  assert.deepEqual(view.shown, [[0, 2000]])
  assert.equal(view.record, 7)
})

test('it is disarmed', async () => {
  const view = live([1200], []), triggers = new Triggers(view as unknown as View)
  triggers.arm({ on: 'loss', text: '', around: 1, save: false })
  triggers.disarm()
  view.status.last = 5000
  await later(400)
  assert.deepEqual([triggers.armed, triggers.hit, view.shown], [null, null, []])
})
