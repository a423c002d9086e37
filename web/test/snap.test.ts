// SPDX-License-Identifier: MIT
// Selections snap to edges of slices.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Lane } from '../src/layout'
import type { Piece } from '../src/sheet'
import { nearestEdge } from '../src/snap'

const slices: { [track: number]: [number, number, number][] } = { 1: [[100, 200, 1], [205, 300, 7]], 2: [[150, 208, 1]], 3: [[0, 1000, 1]] }
const sheet = {
  each(track: number, take: (piece: Piece) => void) {
    for (const [begin, end, count] of slices[track]) take({ begin, end, count } as Piece)
  }
}
const lanes = (...kinds: string[]) => kinds.map((kind, i) => ({ track: { id: i + 1, kind } }) as unknown as Lane)

test('the nearest edge of a single slice is found, of all lanes of the row', () => {
  assert.equal(nearestEdge(sheet, lanes('states'), 103, 5), 100)
  assert.equal(nearestEdge(sheet, lanes('states'), 106, 5), null)
  assert.equal(nearestEdge(sheet, lanes('states'), 206, 10), 200, 'pieces of several slices have no edge of their own')
  assert.equal(nearestEdge(sheet, lanes('states', 'jobs'), 206, 10), 208)
  assert.equal(nearestEdge(sheet, lanes('states', 'jobs', 'load'), 4, 10), null)
})
