// SPDX-License-Identifier: MIT
// The load of cores: windows, sums, stacks.
import assert from 'node:assert/strict'
import test from 'node:test'
import { coresOf, partsOf, Stacking } from '../src/draw_load'
import { Loads, loadWindows, nextWindow, sumRuns, windowTicks } from '../src/loads'
import type { LoadWindow } from '../src/loads'
import type { Row } from '../src/protocol'
import { percentText } from '../src/tip'
import type { View } from '../src/view'

test('windows are a power of two by the zoom, or the chosen length, not below two pixels', () => {
  assert.equal(windowTicks(0, 1e6, 100, 1), 1024)
  assert.equal(windowTicks(0, 0, 0.01, 1), 1)
  assert.equal(windowTicks(0, 1e6, 0.01, 64), 64) // the shortest window that the server has
  assert.equal(windowTicks(1e-3, 1e6, 100, 1), 1000)
  assert.equal(windowTicks(1e-3, 1e6, 2500, 1), 8000)
  assert.equal(windowTicks(1e-3, 0, 100, 1), 1024) // the rate is unknown
  let at = 0
  for (const seconds of [...loadWindows.slice(1), 0]) assert.equal(at = nextWindow(at), seconds)
  assert.equal(nextWindow(77), 0)
})

test('sums of runs are those of a count tick by tick', () => {
  const runs = [0, 7, 2, 7, 3, 3, 12, 1, 2, 13, 20, 1] // unknown from 10 to 12
  const owner = (t: number) => {
    for (let i = 0; i < runs.length; i += 3) if (t >= runs[i] && t < runs[i] + runs[i + 1]) return runs[i + 2]
    return 0
  }
  for (let from = 0; from < 35; from++) {
    for (let until = from; until < 36; until++) {
      const want = new Map<number, number>(), got = new Map<number, number>()
      for (let t = from; t < until; t++) if (owner(t)) want.set(owner(t), (want.get(owner(t)) ?? 0) + 1)
      assert.ok(sumRuns(runs, 1, from, until, got))
      assert.deepEqual([...got].sort(), [...want].sort(), `${from} to ${until}`)
    }
  }
})

test('a step that is cut is divided evenly, and said not to be exact', () => {
  const runs = [0, 1, 2, 0, 3, 3, 4, 8, 2, 12, 2, 3]
  const sum = (from: number, until: number) => {
    const sums = new Map<number, number>()
    return [sumRuns(runs, 4, from, until, sums), sums.get(2) ?? 0, sums.get(3) ?? 0]
  }
  assert.deepEqual(sum(0, 16), [true, 9, 5])
  assert.deepEqual(sum(4, 16), [true, 8, 2])
  assert.deepEqual(sum(5, 7), [true, 2, 0]) // within one that lasts
  assert.deepEqual(sum(0, 2), [false, 0.5, 1.5])
})

test('a stack has interrupts at its foot and tasks in the order of rows; the rest is idle or unknown', () => {
  const window: LoadWindow = { from: 100, until: 200, parts: [1, 20, 4, 30, 5, 10, 6, 5], exact: true }
  const rows = [[6, 'irq'], [4, 'task'], [5, 'task']].map(([thing, kind]) => ({ thing, kind }) as Row)
  const stacking = new Stacking(), view = { rows, order: [2, 1, 0] } as View
  const place = stacking.of(view)
  assert.deepEqual([4, 1, 7, 6, 5].sort((a, b) => place(a) - place(b)), [6, 5, 4, 7, 1])
  assert.equal(stacking.of(view), place)
  view.order = [1, 2, 0]
  assert.ok(stacking.of(view)(4) < stacking.of(view)(5))
  const { parts, idle, unknown, all } = partsOf(window, 2)
  assert.deepEqual(parts.map(part => part.thing), [4, 5, 6])
  assert.deepEqual([idle, unknown, all], [20, 135, 200])
  assert.deepEqual(partsOf({ ...window, parts: [1, 60, 4, 40] }, 1).unknown, 0)
  const row = (core: number) => ({ kind: 'load', core }) as Row
  assert.deepEqual([[row(0)], [row(0), row(1), row(-1)]].map(rows => coresOf(rows, -1)), [1, 2])
  assert.equal(coresOf([row(0), row(1), row(-1)], 1), 1)
})

test('shares are never 0 or all when they are not', () => {
  assert.deepEqual([0, 1e-9, 0.42, 0.99999999, 1].map(percentText), ['0.00 %', '< 0.01 %', '42.00 %', '> 99.99 %', '100.00 %'])
})

test('chunks are requested once, shown as windows within the trace, and again when the trace has grown', async () => {
  const asked: { from: number; count: number; width: number }[] = []
  const status = { last: 1000 }
  const source = {
    ask: (_: string, fields: { from: number; count: number; width: number }) => {
      asked.push(fields)
      return Promise.resolve({ loads: Array.from({ length: fields.count }, (_, i) => [1, 9, 2, i]), exact: true, step: 1, last: status.last })
    }
  }
  const view = { source, status, hello: { window: [10, 2000] } } as unknown as View
  const loads = new Loads(view, () => undefined)
  const place = (thing: number) => thing === 1 ? 9 : thing
  const windows = () => {
    const all: LoadWindow[] = []
    loads.begin(place)
    const whole = loads.each(0, 4, 0, 5000, window => all.push(window))
    loads.send(1e9)
    return { all, whole }
  }
  assert.deepEqual(windows(), { all: [], whole: false })
  await new Promise(setImmediate)
  const { all, whole } = windows()
  assert.ok(whole && !loads.busy && asked.length === 1)
  assert.deepEqual([all[0].from, all[0].until, all[0].parts], [10, 12, [2, 2, 1, 9]]) // as the place says: idle is the last
  assert.deepEqual(all.map(window => window.until).slice(-2), [996, 1000])
  all.slice(1).forEach((window, i) => assert.equal(window.from, all[i].until))
  status.last = 1010
  windows()
  assert.ok(loads.busy)
  await new Promise(setImmediate)
  assert.equal(windows().all[250].until, 1010)
  assert.deepEqual(asked.map(({ from }) => from), [0, 0])
})
