// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commands, complete, filterLine, forms, groupsOff, word } from '../src/commands'

const known = { signals: ['EAT_SIG', 'DONE_SIG', 'odd name'], objects: ['table', 'philo[0]'], groups: ['SM', 'AO', 'DICT'] }
const words = (line: string) => complete(line, known).words

test('the commands are those of docs/command-list.md', () => {
  const page = readFileSync(`${process.env.WALLFLY}/docs/command-list.md`, 'utf8')
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(match => `${match[1]}: ${match[2]}`)
  assert.deepEqual(commands.map(one => `${one.name}${one.words && ' '}${one.words}: ${one.says}`), rows)
})

test('lines are completed', () => {
  assert.deepEqual(words('pe'), ['peek'])
  assert.deepEqual(words('tick; re'), ['reset'])
  assert.equal(complete('tick; re', known).from, 6)
  assert.deepEqual(words('post e'), ['EAT_SIG'])
  assert.deepEqual(words('post EAT_SIG to:t'), ['to:table'])
  assert.deepEqual(words('publish EAT_SIG '), [])
  assert.deepEqual(words('post "'), ['"odd name"'])
  assert.deepEqual(words('filter +s'), ['+SM'])
  assert.deepEqual(words('filter only:SM,a'), ['only:SM,AO'])
  assert.deepEqual(words('current sm ta'), ['table'])
  assert.deepEqual(words('peek '), [])
  assert.equal(words('').length, commands.length)
})

test('a name stays one word', () => {
  assert.equal(word('philo[0]'), 'philo[0]')
  assert.equal(word('a b'), '"a b"')
  assert.equal(word('a;reset'), '"a;reset"')
  assert.equal(word('say "x\\y"\n'), '"say \\"x\\\\y\\"\\n"')
  assert.equal(word(''), '""')
})

test('filters are sent whole', () => {
  assert.equal(filterLine(known.groups, new Set()), 'filter all')
  assert.equal(filterLine(known.groups, new Set(['AO'])), 'filter only:SM')
  assert.equal(filterLine(known.groups, new Set(['AO', 'SM'])), 'filter none')
})

test('which groups are off is what is so now', () => {
  const off = (slice: number[] | null) => slice && [...groupsOff(known.groups, slice)!]
  assert.equal(groupsOff(known.groups, null), null)
  assert.deepEqual(off([0, 9, 3, 0, 1]), ['SM', 'AO'])
  assert.deepEqual(off([0, 9, 3, 0, 0]), [])
})

test('forms make lines', () => {
  const made = (title: string, values: { [name: string]: string }) => forms.find(form => form.title === title)!.line(values)
  assert.equal(made('Tick', { rate: '1' }), 'tick 1')
  assert.equal(made('Event', { how: 'post', signal: 'EAT_SIG', to: 'table', parameters: 'u8:3' }), 'post EAT_SIG to:table u8:3')
  assert.equal(made('Event', { how: 'publish', signal: 'EAT_SIG', to: 'table', parameters: '' }), 'publish EAT_SIG')
  assert.equal(made('Peek', { object: 'a b', offset: '0', size: '4', num: '2' }), 'current ap "a b"; peek 0 4 2')
  assert.equal(made('User', { name: '7', p1: '1', p2: '', p3: '' }), 'command 7 1')
})
