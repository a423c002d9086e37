// SPDX-License-Identifier: MIT
// Marks: their order, their rows, windows, and the words about rules.
import assert from 'node:assert/strict'
import test from 'node:test'
import { markOf, rowOfMark, windowOf } from '../src/marks'
import { byVerdict, marginText } from '../src/panels/rules'
import { markKinds } from '../src/protocol'
import type { MarkFields, Row, Rule } from '../src/protocol'
import { rulesWords } from '../src/words'

function rule(verdict: Rule['verdict'], margin: number | null = null): Rule {
  return { title: verdict, verdict, text: '', margin, failures: 0, live: false }
}

test('the worst rules come first', () => {
  const rules = [rule('pass', 50), rule('fail', -10), rule('pass', 2), rule('cannot tell'), rule('fail', -200), rule('pass')]
  assert.deepEqual(byVerdict(rules), [4, 1, 3, 2, 0, 5])
})

test('margins are short', () => {
  assert.deepEqual([null, -24.04, 2.26, 0, 99.9].map(marginText), ['', '−24 %', '2.3 %', '0.0 %', '100 %'])
})

test('the words about rules have the most severe verdict', () => {
  assert.deepEqual(rulesWords([rule('fail'), rule('pass'), rule('cannot tell')]), { text: '1 of 3 rules fails', kind: 'fail' })
  assert.deepEqual(rulesWords([rule('pass'), rule('cannot tell')]), { text: '1 of 2 rules cannot be decided', kind: 'unsure' })
  assert.deepEqual(rulesWords([rule('pass'), rule('pass')]), { text: '2 rules pass', kind: 'good' })
})

test('the row of a mark has its kind, its name and its core', () => {
  const row = (kind: Row['kind'], name: string, core = -1): Row => ({ kind, name, core, thing: 0, tracks: [] })
  const rows = [row('object', 'a'), row('task', 'b'), row('task', 'a'), row('irq', 'a', 0), row('irq', 'a', 1)]
  const of = (kind: Row['kind'] | null, name: string, core = -1) =>
    rowOfMark(rows, markOf([0, 0, 'fail', 1, 2, kind, name, core, '']))
  assert.deepEqual([of('task', 'a'), of('task', 'c'), of('irq', 'a', 1), of(null, 'a'), of('task', 'b', 3)], [2, -1, 4, -1, 1])
})

test('a window has the marks that touch it, or counts for its parts', () => {
  let seed = 7
  const random = (below: number) => Math.floor((seed = (seed * 48271) % 0x7fffffff) / 0x7fffffff * below)
  const all = Array.from({ length: 400 }, (_, number): MarkFields => {
    const from = random(10000)
    return [number, 0, markKinds[random(3)], from, from + random(number % 5 ? 3 : 3000), null, null, -1, '']
  })
  const few = windowOf(all, 4000, 4020, 400, 10)
  assert.deepEqual([few.marks, few.bins], [all.filter(m => m[3] <= 4020 && m[4] >= 4000), []])
  const many = windowOf(all, 0, 7999, 10, 80) // bins of 100 ticks
  assert.equal(many.marks.length, 0)
  assert.equal(many.count, all.filter(m => m[3] <= 7999).length)
  for (let bin = 0; bin < 80; bin++) {
    const touch = (kind: string) => all.filter(m => m[2] === kind && m[3] < (bin + 1) * 100 && m[4] >= bin * 100).length
    const found = many.bins.find(one => one[0] === bin) ?? [bin, 0, 0, 0]
    assert.deepEqual(found, [bin, ...markKinds.map(touch)])
  }
})
