// SPDX-License-Identifier: MIT
// The ruler's steps and labels, scales of numbers, colours that can be read.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Pen } from '../src/pen'
import { Sheet } from '../src/sheet'
import { inkOn, luminance, placesOf, rgb, themeOf } from '../src/colours'
import { filterTouches, groupsOf, lossTouches } from '../src/draw_bands'
import { levelTexts, scaleOf, scaleTexts } from '../src/draw_levels'
import type { Row, Thing } from '../src/protocol'
import { niceStep, rulerOf } from '../src/ruler'

const plain = (text: string) => text.replace(/\u202f/g, '')

test('steps are 1, 2 or 5 times a power of ten', () => {
  assert.equal(niceStep(0.3), 0.5)
  assert.equal(niceStep(1), 1)
  assert.equal(niceStep(1.1), 2)
  assert.equal(niceStep(6e-7).toPrecision(3), (1e-6).toPrecision(3))
  assert.equal(niceStep(0.01, true), 1)
  assert.equal(niceStep(3, true), 5)
})

test('labels have the unit that suits them and are apart', () => {
  const ms = rulerOf(0, 50000, 1000, 1e6)
  assert.deepEqual(ms.labels.slice(0, 3).map(label => plain(label.text)), ['0 ms', '10 ms', '20 ms'])
  assert.deepEqual(ms.labels.slice(0, 3).map(label => Math.round(label.t)), [0, 10000, 20000])
  const seconds = rulerOf(1e6, 3e6, 1000, 1e6)
  assert.deepEqual(seconds.labels.slice(0, 2).map(label => plain(label.text)), ['1.0 s', '1.5 s'])
  for (const width of [12, 345, 6789, 1e6, 1e9, 1e13]) {
    const { labels } = rulerOf(width, 2 * width, 1200, 1e7)
    assert.ok(labels.length >= 4 && labels.length <= 14, `${width}: ${labels.length}`)
    assert.equal(new Set(labels.map(label => label.text)).size, labels.length)
  }
})

test('a ruler of any width has a label', () => {
  for (let pixels = 120; pixels <= 600; pixels += 7) {
    for (let i = 0; i < 60; i++) {
      const wide = 1000 * 1.2 ** i, from = wide * (3 + i * 0.37)
      const { labels } = rulerOf(from, from + wide, pixels, 1e9)
      assert.ok(labels.length >= 1 && labels.length <= Math.max(4, pixels / 110 + 1), `${pixels} pixels, ${wide} ns: ${labels.length}`)
    }
  }
})

test('far from the beginning labels are distances from a base', () => {
  const { base, labels } = rulerOf(12345678900, 12345679900, 1000, 1e9)
  assert.equal(plain(base), '12.345678000 s')
  assert.equal(plain(labels[0].text), '+1.0 µs')
  for (const { t } of labels) assert.ok(t >= 12345678900 - 1 && t <= 12345679900 + 1)
})

test('without a rate labels are ticks', () => {
  assert.deepEqual(rulerOf(0, 10, 1000, 0).labels.slice(0, 3).map(label => label.text), ['0', '2', '4'].map(t => t))
  assert.ok(rulerOf(0, 3, 1000, 0).labels.every(label => Number.isInteger(label.t)))
})

test('a scale has all values within and zero if it is near', () => {
  assert.deepEqual(scaleOf(2, 7), { low: 0, high: 8 })
  assert.deepEqual(scaleOf(-3, 3), { low: -4, high: 4 })
  assert.deepEqual(scaleOf(5, 5), { low: 0, high: 5 })
  assert.deepEqual(scaleTexts({ low: 4294900000, high: 4295000000 }), ['4295M', '4294.9M'])
  assert.deepEqual(scaleTexts({ low: 0, high: 2000000 }), ['2M', '0'])
  assert.deepEqual(levelTexts([0, 500000000, 1000000000]), ['0', '500M', '1000M'])
  assert.deepEqual(scaleOf(0, 0), { low: 0, high: 1 })
  const far = scaleOf(1000, 1010)
  assert.ok(far.low > 900 && far.low <= 1000 && far.high >= 1010)
})

test('texts on colours have a contrast of 4.5 at least', () => {
  for (const theme of [themeOf(false), themeOf(true)]) {
    for (const colour of theme.things) {
      const [a, b] = [luminance(colour), luminance(rgb(inkOn(colour)))].sort((x, y) => y - x)
      assert.ok((a + 0.05) / (b + 0.05) >= 4.5, colour.join())
    }
    const [text, back] = [theme.text, theme.back].map(c => luminance(rgb(c))).sort((x, y) => y - x)
    assert.ok((text + 0.05) / (back + 0.05) >= 7)
  }
})

test('a thing keeps its colour when others come', () => {
  const thing = (kind: Thing['kind']): Thing => ({ kind, name: '', key: '', sub: '', prio: null })
  const few = placesOf([thing('task'), thing('object'), thing('task')], 12)
  const more = placesOf([thing('task'), thing('object'), thing('task'), thing('task'), thing('object')], 12)
  assert.deepEqual([...few], [...more.slice(0, 3)])
  assert.notEqual(few[0], few[1])
  assert.notEqual(few[0], few[2])
})

test('lives of a task share their row and so their colour, others of its name do not', () => {
  const thing = (name: string, key: string): Thing => ({ kind: 'task', name, key, sub: '', prio: 1 })
  const one = thing('one', '10'), two = thing('two', '20')
  const places = placesOf([one, two, one, thing('one', '30'), thing('new', '10'), two], 12)
  assert.deepEqual([places[2], places[5]], [places[0], places[1]])
  assert.equal(new Set([places[0], places[1], places[3], places[4]]).size, 4)
  const same: Thing = { kind: 'state', name: '', key: '', sub: '', prio: null }
  assert.notEqual(...placesOf([same, same], 12) as unknown as [number, number])
})

test("a core's hole touches its own rows and what all cores share", () => {
  const row = (kind: Row['kind'], core: number): Row => ({ kind, thing: 0, name: '', core, tracks: [] })
  assert.ok(lossTouches(row('core', 1), 1) && !lossTouches(row('core', 0), 1))
  assert.ok(!lossTouches(row('irq', 0), 1) && lossTouches(row('irq', 1), 1))
  assert.ok(lossTouches(row('task', -1), 1) && lossTouches(row('object', -1), 1))
  assert.ok(lossTouches(row('core', 3), -1))
})

test('a filter touches the rows that its records tell of', () => {
  const groups = ['SM', 'MUT', 'SEMA']
  const row = (kind: Row['kind']): Row => ({ kind, thing: 0, name: '', core: -1, tracks: [] })
  const object = (sub: string): Thing => ({ kind: 'object', name: '', key: '', sub, prio: null })
  assert.deepEqual(groupsOf(5, groups), ['SM', 'SEMA'])
  assert.ok(filterTouches(row('machine'), undefined, 1, groups))
  assert.ok(!filterTouches(row('task'), undefined, 7, groups))
  assert.ok(filterTouches(row('object'), object('mutex'), 2, groups))
  assert.ok(!filterTouches(row('object'), object('semaphore'), 2, groups))
})

// Pens and sheets need no canvas for this.
test('a step of a curve begins at the pixel at which the ruler has its time', () => {
  for (const scale of [1, 1.25, 1.5, 2, 3]) {
    for (const left of [90, 200, 231]) {
      const pen = new Pen({} as CanvasRenderingContext2D)
      Object.assign(pen, { scale, left, width: 1283, from: 12.5, until: 98765.25 })
      const column = Sheet.prototype.column.bind({ pen } as Sheet)
      for (let t = 13; t < 98765; t += 97.75) {
        const device = Math.round(left * scale) + column(pen.x(t))
        assert.equal(device, Math.round(pen.snap(pen.x(t)) * scale), `${t} at scale ${scale} from ${left}`)
      }
    }
  }
})
