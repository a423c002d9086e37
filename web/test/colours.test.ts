// SPDX-License-Identifier: MIT
// Colours of tasks can be told apart, also with deuteranopia and protanopia; arrows by their dashes.

import { test } from 'node:test'
import assert from 'node:assert/strict'
import { themeOf } from '../src/colours'
import type { Rgb } from '../src/colours'
import { arrowStyles } from '../src/draw_arrows'

// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB; and the least CIE76 distance.
const visions: { [name: string]: { matrix: number[][]; least: number } } = {
  normal: { matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], least: 24 },
  deuteranopia: {
    matrix: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]], least: 15
  },
  protanopia: {
    matrix: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]], least: 10
  }
}

function product(matrix: number[][], v: number[]): number[] {
  return matrix.map(row => row.reduce((sum, m, i) => sum + m * v[i], 0))
}

function linear(part: number): number {
  const s = part / 255
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
}

// CIE L*a*b* of linear RGB, D65.
function lab(rgb: number[]): number[] {
  const xyz = product([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], rgb)
  const [x, y, z] = xyz.map((v, i) => v / [0.95047, 1, 1.08883][i]).map(t => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

function seen(colour: Rgb, matrix: number[][]): number[] {
  return lab(product(matrix, colour.map(linear)).map(v => Math.min(1, Math.max(0, v))))
}

for (const dark of [false, true]) {
  for (const [name, { matrix, least }] of Object.entries(visions)) {
    test(`colours of tasks, ${dark ? 'dark' : 'light'}, ${name}`, () => {
      const all = themeOf(dark).things.map(colour => seen(colour, matrix))
      assert.equal(all.length, 12)
      all.forEach((one, i) => all.slice(0, i).forEach((other, j) => {
        const distance = Math.hypot(...one.map((v, k) => v - other[k]))
        assert.ok(distance >= least, `${j} and ${i}: ${distance.toFixed(1)}`)
      }))
    })
  }
}

test('kinds of arrows differ in their dashes', () => {
  const dashes = Object.values(arrowStyles).map(style => style.dash.join())
  assert.equal(new Set(dashes).size, dashes.length)
})
