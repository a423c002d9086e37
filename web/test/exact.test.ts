// SPDX-License-Identifier: MIT
// Integers of 64 bits in records' fields.
import assert from 'node:assert/strict'
import test from 'node:test'
import { parseExact } from '../src/exact'
import type { TraceRecord } from '../src/protocol'

interface Answer { n: number; records: TraceRecord[] }
const answer = (fields: string, more = '') => `{"n":7,"records":[{"t":5,"number":1,"kind":"record"${more},"fields":{${fields}}}],"last":true}`
const fieldsOf = (fields: string) => parseExact<Answer>(answer(fields)).records[0].fields!

test('integers that numbers cannot hold are exact, others are numbers', () => {
  const fields = fieldsOf('"a":9007199254740993,"b":-18446744073709551615,"c":9007199254740991,"d":-3,"e":1.5,"f":0.12345678901234567,"g":12345678901234567890e2')
  assert.deepEqual(fields, {
    a: 9007199254740993n, b: -18446744073709551615n, c: 9007199254740991, d: -3, e: 1.5, f: 0.12345678901234567, g: 12345678901234567890e2
  })
})

test('so they are in lists and objects', () => {
  assert.deepEqual(fieldsOf('"elements":[{"u64":18446744073709551615},{"u8":4}]'), { elements: [{ u64: 18446744073709551615n }, { u8: 4 }] })
})

test('digits in texts stay texts, whatever they look like', () => {
  const plain = '\\" 9007199254740993, "x":9007199254740993,{\u0000integer\\'
  const text = JSON.stringify(plain)
  const { records } = parseExact<Answer>(answer(`"s":${text},"u":9007199254740993`, `,"words":${text}`))
  assert.deepEqual(records[0].fields, { s: plain, u: 9007199254740993n })
  assert.equal(records[0].words, plain)
})

test('integers of SQL are exact, in rows with columns alone', () => {
  const rows = '"rows":[[9223372036854775807,1,"9007199254740993",null,0.5]]'
  assert.deepEqual(parseExact<{ rows: unknown[][] }>(`{"columns":["a"],${rows}}`).rows[0], [9223372036854775807n, 1, '9007199254740993', null, 0.5])
  assert.equal(typeof parseExact<{ rows: unknown[][] }>(`{${rows}}`).rows[0][0], 'number')
})

test('what is reckoned with stays a number', () => {
  const far = parseExact<Answer>(answer('"a":1', ',"tick":9007199254740993')).records[0]
  assert.equal(typeof far.tick, 'number')
  assert.deepEqual(parseExact('{"n":1,"stats":{"sum":12345678901234567890}}'), { n: 1, stats: { sum: 12345678901234567890 } })
  assert.deepEqual(parseExact('{"n":1,"record":null,"x":12345678901234567890}'), { n: 1, record: null, x: 12345678901234567890 })
  assert.equal(parseExact<{ record: TraceRecord }>('{"record":{"fields":{"a":12345678901234567890}}}').record.fields!.a, 12345678901234567890n)
})

test('an answer that is no JSON is an error', () => {
  assert.throws(() => parseExact('{"n":1,'))
})
