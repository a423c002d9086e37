// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, kinds, singlesOf, singleText, spreadsOf, spreadText } from '../src/statistics'

const plain = (text: string) => text.replaceAll('\u202f', ' ')
const spread = (count: number) => ({ count, min: 1, mean: 2.5, p50: 2, p95: 3, p99: 3, max: 4, open: 0, in_holes: 0 })
const none = { count: 0, min: null, mean: null, p50: null, p95: null, p99: null, max: null, open: 0, in_holes: 0 }
const task = {
  name: 'clock', priority: 17, key: '0x1', marked: false, cpu: 64220000, share: 16.05, runs: 12, sliced: 0,
  response: spread(8), start: none, run: spread(11)
}

test('columns in which nothing is told are left out', () => {
  assert.deepEqual(singlesOf([task]), ['priority', 'cpu', 'share', 'runs'])
  assert.deepEqual(spreadsOf([task]).map(one => one.figure), ['response'])
  assert.deepEqual(spreadsOf([{ ...task, response: none }]).map(one => one.figure), ['run'])
  assert.equal(spreadsOf([{ ...task, start: { ...none, in_holes: 3 } }]).length, 2)
})

test('a stack without a free byte is shown', () => {
  assert.deepEqual(singlesOf([{ ...task, stack_free: 0, stack_size: 1024 }]).slice(-2), ['stack_free', 'stack_size'])
  assert.deepEqual(singlesOf([{ ...task, stack_free: null, stack_size: null }]), singlesOf([task]))
  assert.equal(plain(singleText('task', 'stack_size', 1024, 'ns')), '1 024')
})

test('figures have their units', () => {
  assert.equal(plain(singleText('task', 'cpu', 64220000, 'ns')), '64.22 ms')
  assert.equal(plain(singleText('task', 'cpu', 6422, 'ticks')), '6 422 ticks')
  assert.equal(plain(singleText('core', 'tasks', 6422, 'ns')), '6.422 µs') // their time; of tasks with one name their number
  assert.equal(plain(singleText('task', 'tasks', 60, 'ns')), '60')
  assert.equal(singleText('task', 'share', 16.0526, 'ns'), '16.05 %')
  assert.equal(plain(singleText('task', 'runs', 1234, 'ns')), '1 234')
  assert.equal(singleText('task', 'cpu', null, 'ns'), '–')
  assert.equal(plain(spreadText('response', 'mean', 2500, 'ns')), '2.5 µs')
  assert.equal(spreadText('response', 'count', 7, 'ns'), '7')
  assert.equal(spreadText('depth', 'mean', 2.25, 'ns'), '2.25')
})

test('rows sort by number and by name, those without a value first', () => {
  assert.deepEqual([3, null, 1].sort(compare), [null, 1, 3])
  assert.deepEqual(['task 10', 'task 9'].sort(compare), ['task 9', 'task 10'])
})

test('every kind of row has a label', () => {
  const row = { marked: false, name: 'n', kind: 'mutex', core: 1, task: 't', object: 'o', by: 'b', over: 'v' }
  for (const kind of kinds) assert.ok(kind.label(row).length > 0)
})
