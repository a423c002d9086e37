// SPDX-License-Identifier: MIT
// Answers of SQL queries: places of rows, and CSV.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf, errorPlace, rangeOf, roleOf, ticksOf } from '../src/sql'

const hello = { hz: 1000000, t0: '5000' }

test('columns that the tables name so are places, lengths are not', () => {
  for (const name of ['tick', 'ns', 'begin_tick', 'end_tick', 'begin_ns', 'end_ns']) assert.equal(roleOf(name), 'time')
  for (const name of ['number', 'record']) assert.equal(roleOf(name), 'record')
  for (const name of ['length_ns', 'count(*)', 'max(ns)', 'ticks', 'cpu_ns', 'name']) assert.equal(roleOf(name), null)
})

test('ticks and nanoseconds become ticks since t0, exactly', () => {
  assert.equal(ticksOf('tick', 6234, hello), 1234)
  assert.equal(ticksOf('begin_ns', 6234000, hello), 1234)
  assert.equal(ticksOf('ns', 6234499, hello), 1234) // the nearest tick
  assert.equal(ticksOf('ns', 6234, { hz: 0, t0: '5000' }), 1234) // ticks if the rate is unknown
  assert.equal(ticksOf('tick', 2 ** 53 - 1, { hz: 1, t0: String(2 ** 53 - 2) }), 1)
  assert.equal(ticksOf('ns', 1700000000000010457n, { hz: 1e9, t0: '1700000000000000123' }), 10334) // ns since 1970
  for (const value of [null, 'text', NaN, Infinity]) assert.equal(ticksOf('ns', value, hello), null)
  assert.equal(ticksOf('length_ns', 5, hello), null)
})

test('a row with begin and end has a range', () => {
  assert.deepEqual(rangeOf(['task', 'begin_tick', 'end_tick'], [1, 5010, 5020], hello), [10, 20])
  assert.equal(rangeOf(['begin_tick', 'end_tick'], [5010, null], hello), null)
  assert.equal(rangeOf(['tick'], [5010], hello), null)
})

test('CSV has quotes where needed, and no formulas', () => {
  const columns = ['a', 'b,c']
  const rows = [['x "y"', 1.5], [null, '=1+1'], ['', '-3'], ['a\nb', '@cmd']]
  assert.equal(csvOf({ columns, rows }), 'a,"b,c"\r\n"x ""y""",1.5\r\n,\'=1+1\r\n"",\'-3\r\n"a\nb",\'@cmd\r\n')
})

test('the place of an error is found', () => {
  assert.equal(errorPlace('near "selec": syntax error, at character 4: \'selec\''), 3)
  assert.equal(errorPlace('stopped after 30 s'), null)
})
