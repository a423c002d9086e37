// SPDX-License-Identifier: MIT
// The commands of `wallfly send` (docs/command-list.md): their names and words, completion, and
// command lines made from a form's fields.

import { PIECE_OPEN } from './protocol'

export interface Command { name: string; words: string; says: string }

export const commands: Command[] = [
  { name: 'info', words: '', says: 'requests the target info' },
  { name: 'reset', words: '', says: 'resets the target' },
  { name: 'tick', words: '[RATE]', says: 'a clock tick, of rate 0 by default' },
  { name: 'peek', words: 'OFFSET SIZE NUM', says: 'reads memory' },
  { name: 'poke', words: 'OFFSET SIZE VALUE...', says: 'writes memory' },
  { name: 'fill', words: 'OFFSET SIZE NUM VALUE', says: 'writes the same value NUM times' },
  { name: 'filter', words: 'WORD...', says: 'sets which records the target sends' },
  { name: 'local', words: 'WORD...', says: 'sets for which QS-IDs the target sends records' },
  { name: 'ao-filter', words: '+OBJECT', says: 'switches the records of one active object' },
  { name: 'current', words: 'KIND OBJECT', says: 'sets the current object of a kind' },
  { name: 'query', words: 'KIND', says: 'requests the state of the current object of a kind' },
  { name: 'post', words: 'SIGNAL [PARAMETER...]', says: 'posts an event to to:PRIO, to:NAME or the current ao' },
  { name: 'publish', words: 'SIGNAL [PARAMETER...]', says: 'publishes an event' },
  { name: 'dispatch', words: 'SIGNAL [PARAMETER...]', says: 'dispatches an event to to:NAME or the current sm' },
  { name: 'init', words: '[SIGNAL] [PARAMETER...]', says: 'starts to:NAME or the current sm' },
  { name: 'command', words: 'NAME [P1] [P2] [P3]', says: 'calls a command of the application' },
  { name: 'test-setup', words: '', says: 'test builds: begins a test' },
  { name: 'test-teardown', words: '', says: 'test builds: ends a test' },
  { name: 'test-probe', words: 'FUNCTION DATA', says: 'test builds: sets the value that the probe of a function gets, once' },
  { name: 'continue', words: '', says: 'test builds: ends a pause' }
]

export const alwaysOn = ['INFO', 'DICT', 'TEST', 'FAIL', 'NONE'] // groups that no filter switches
const kindsOfObject = ['sm', 'ao', 'mp', 'eq', 'te', 'ap', 'sm-ao']

export interface Known { signals: string[]; objects: string[]; groups: string[] }

// Returns a name as one word of a line, quoted if necessary.
export function word(name: string): string {
  if (/^[^\s"\\;#]+$/.test(name)) return name
  const escapes: { [char: string]: string } = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' }
  return `"${name.replace(/["\\\n\t]/g, char => escapes[char])}"`
}

// Returns the completions of the line's last word and the index where that word begins.
export function complete(line: string, known: Known): { from: number; words: string[] } {
  const begin = Math.max(line.lastIndexOf(';') + 1, 0)
  const words = line.slice(begin).trimStart().split(/\s+/)
  const last = words[words.length - 1]
  const from = line.length - last.length
  const all = words.length < 2 ? commands.map(one => one.name) : choices(words[0], words.length - 1, last, known)
  const low = last.toLowerCase()
  return { from, words: all.filter(one => one.toLowerCase().startsWith(low) && one !== last) }
}

function choices(name: string, place: number, last: string, known: Known): string[] {
  const to = known.objects.map(object => `to:${word(object)}`)
  switch (name) {
    case 'post': case 'dispatch': case 'publish': case 'init':
      return place === 1 ? known.signals.map(word) : name === 'publish' ? [] : to
    case 'filter': {
      const sign = /^(only:|[+-])?(.*,)?/i.exec(last)?.[0] ?? ''
      const groups = known.groups.filter(group => !alwaysOn.includes(group))
      if (sign) return groups.map(group => sign + group)
      return ['all', 'none', 'only:', ...groups.flatMap(group => [`+${group}`, `-${group}`])]
    }
    case 'local': return ['all', 'none', ...['ao', 'ep', 'eq', 'ap'].flatMap(id => [`+${id}`, `-${id}`])]
    case 'ao-filter': return known.objects.flatMap(object => [`+${word(object)}`, `-${word(object)}`])
    case 'current': return place === 1 ? kindsOfObject : ['none', ...known.objects.map(word)]
    case 'query': return kindsOfObject.slice(0, 6)
    default: return []
  }
}

// Returns the groups that are off in the last slice of the filters' track; none if it has ended.
// Returns null when no filter has been set.
export function groupsOff(groups: string[], slice: number[] | null): Set<string> | null {
  if (!slice) return null
  const bits = slice[4] & PIECE_OPEN ? slice[2] : 0
  return new Set(groups.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1))
}

// Returns the command that leaves on all groups except those in `off`.
export function filterLine(groups: string[], off: ReadonlySet<string>): string {
  const all = groups.filter(group => !alwaysOn.includes(group))
  const on = all.filter(group => !off.has(group))
  if (on.length === all.length) return 'filter all'
  return on.length ? `filter only:${on.join(',')}` : 'filter none'
}

export interface Field {
  name: string
  label: string
  choices?: string[]
  from?: 'signals' | 'objects'
  value?: string
  hint?: string
}
export interface Form { title: string; fields: Field[]; line(values: { [name: string]: string }): string }

const join = (...words: string[]) => words.filter(Boolean).join(' ')

// `peek` and `poke` may name an object; it is made the current one first.
const current = (object: string) => (object ? `current ap ${word(object)}; ` : '')
const sizes = ['1', '2', '4']

export const forms: Form[] = [
  { title: 'Tick', fields: [{ name: 'rate', label: 'rate', value: '0' }], line: v => join('tick', v.rate) },
  {
    title: 'Event',
    fields: [
      { name: 'how', label: 'how', choices: ['post', 'publish', 'dispatch', 'init'] },
      { name: 'signal', label: 'signal', from: 'signals' },
      { name: 'to', label: 'to', from: 'objects' },
      { name: 'parameters', label: 'parameters', hint: 'u8:1 str:"x"' }
    ],
    line: v => join(v.how, v.signal && word(v.signal), v.how !== 'publish' && v.to ? `to:${word(v.to)}` : '', v.parameters)
  },
  {
    title: 'Peek',
    fields: [
      { name: 'object', label: 'object', from: 'objects' }, { name: 'offset', label: 'offset', value: '0' },
      { name: 'size', label: 'size', choices: sizes, value: '4' }, { name: 'num', label: 'count', value: '1' }
    ],
    line: v => current(v.object) + join('peek', v.offset, v.size, v.num)
  },
  {
    title: 'Poke',
    fields: [
      { name: 'object', label: 'object', from: 'objects' }, { name: 'offset', label: 'offset', value: '0' },
      { name: 'size', label: 'size', choices: sizes, value: '4' }, { name: 'values', label: 'values' }
    ],
    line: v => current(v.object) + join('poke', v.offset, v.size, v.values)
  },
  {
    title: 'User',
    fields: [
      { name: 'name', label: 'command' }, { name: 'p1', label: 'p1' }, { name: 'p2', label: 'p2' }, { name: 'p3', label: 'p3' }
    ],
    line: v => join('command', v.name && word(v.name), v.p1, v.p2, v.p3)
  }
]
