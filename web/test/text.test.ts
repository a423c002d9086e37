// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationText } from '../src/record_button'
import { bytesOf, sizeText, clean, dump } from '../src/text'

test('names stay one line of text that cannot turn round', () => {
  assert.equal(clean('a\nb\tc\x00d\x7f'), 'a\\x0ab\\x09c\\x00d\\x7f')
  assert.equal(clean('abc\u202edef\u2066'), 'abc\\u202edef\\u2066')
  assert.equal(clean('\udc80x\ud800'), '\\x80x\\ud800')
  assert.equal(clean('\x1b[2J\x9b\udcff'), '\\x1b[2J\\u009b\\xff') // as the tool shows them
  assert.equal(clean('😀 é عربي'), '😀 é عربي')
  assert.equal(clean('<img src=x>'), '<img src=x>')
  assert.equal(clean('a' + '\u0301'.repeat(200) + 'b'), 'a\u0301\u0301\u0301\ufffdb')
  assert.equal(clean('กำนู้เ'), 'กำนู้เ')
  assert.equal(clean('x'.repeat(1000), 10), 'xxxxxxxxxx…')
  assert.equal(clean('abc😀', 4), 'abc…')
})

test('bytes as people read them', () => {
  assert.deepEqual(bytesOf('00 ff1a\n2'), [0, 255, 26])
  const lines = dump([...Array(17).keys()].map(i => i + 0x39), 100)
  assert.equal(lines.length, 2)
  assert.equal(lines[0].hex[0], '39')
  assert.equal(lines[0].ascii, '9:;<=>?@ABCDEFGH')
  assert.deepEqual(lines[1], { at: 116, hex: ['49'], ascii: 'I' })
  assert.deepEqual(dump([], 5), [])
  assert.equal(dump([0, 200, 32], 0)[0].ascii, '·· ')
})

test('sizes and durations of a recording', () => {
  const sizes = [0, 999, 1000, 1234, 9949, 9951, 35400, 999499, 999500, 1.26e6, 3.4e10, 5e15].map(sizeText)
  assert.deepEqual(sizes, ['0 bytes', '999 bytes', '1.0 KB', '1.2 KB', '9.9 KB', '10 KB', '35 KB', '999 KB', '1.0 MB', '1.3 MB', '34 GB', '5000 TB'])
  assert.deepEqual([0, 59, 60, 185, 3599, 3600, 36061].map(durationText), ['0 s', '59 s', '1:00', '3:05', '59:59', '1:00:00', '10:01:01'])
})
