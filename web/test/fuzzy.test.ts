// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { best, fuzzy } from '../src/fuzzy'

const names = (query: string, all: string[]) => best(query, all, one => one, 10).map(found => found.one)

test('all letters must be there, in their order', () => {
  assert.ok(fuzzy('abc', 'xaxbxc'))
  assert.equal(fuzzy('abc', 'acb'), null)
  assert.equal(fuzzy('aa', 'a'), null)
  assert.equal(fuzzy('a', ''), null)
  assert.deepEqual(fuzzy('', 'anything'), { score: 0, at: [] })
})

test('the letters that match are told', () => {
  assert.deepEqual(fuzzy('ph2', 'philo[2]')?.at, [0, 1, 6])
  assert.deepEqual(fuzzy('tmr', 'a_timer')?.at, [2, 4, 6])
  assert.deepEqual(fuzzy('b a', 'ab')?.at, [0, 1])
})

test('begins of words and letters side by side are better', () => {
  assert.deepEqual(names('disp', ['d_i_s_p', 'redisplay', 'display']), ['display', 'd_i_s_p', 'redisplay'])
  assert.equal(names('tt', ['attic', 'timer_task'])[0], 'timer_task')
  assert.equal(names('gm', ['figment', 'getMotor'])[0], 'getMotor')
  assert.equal(names('philo 3', ['philo[13]', 'philo[3]', 'table'])[0], 'philo[3]')
  assert.equal(names('clock', ['clock_of_the_second_motor', 'clock'])[0], 'clock')
})

test('what is not a letter is text as well', () => {
  assert.ok(fuzzy('<img', '<img src=x onerror=alert(1)>'))
  assert.ok(fuzzy('ж', 'ЖУК'))
  assert.ok(fuzzy('.*', 'a.*b'))
  assert.equal(fuzzy('.*', 'anything'), null)
})

test('long texts take no long time', () => {
  assert.ok(fuzzy('a'.repeat(150), 'a'.repeat(100000)))
  assert.equal(fuzzy('a'.repeat(200), 'a'.repeat(100000)), null)
})
