// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelOf, layout, pathOf } from '../src/graph'
import type { Graph } from '../src/graph'

const sizes = { width: 100, height: 40, across: 80, down: 20 }

function apart(graph: Graph): void {
  graph.nodes.forEach((a, i) => graph.nodes.slice(i + 1).forEach(b => {
    assert.ok(Math.abs(a.x - b.x) >= sizes.width || Math.abs(a.y - b.y) >= sizes.height - 1e-6, 'boxes overlap')
  }))
  for (const { x, y } of graph.nodes) {
    assert.ok(x - sizes.width / 2 >= 0 && x + sizes.width / 2 <= graph.width, 'box outside')
    assert.ok(y - sizes.height / 2 >= 0 && y + sizes.height / 2 <= graph.height + 1e-6, 'box outside')
  }
}

// Own random numbers, so that a failure can be reproduced.
function numbers(seed: number): () => number {
  return () => (seed = (seed * 16807) % 2147483647) / 2147483647
}

test('a chain goes from left to right on one line', () => {
  const graph = layout(3, [[0, 1], [1, 2]], sizes)
  assert.deepEqual(graph.nodes.map(node => node.rank), [0, 1, 2])
  assert.ok(new Set(graph.nodes.map(node => Math.round(node.y))).size === 1)
  assert.equal(graph.width, 3 * 180)
})

test('a circle has one move that goes back, around the states between', () => {
  const graph = layout(3, [[0, 1], [1, 2], [2, 0]], sizes)
  const back = graph.edges[2].points
  assert.equal(back.length, 3)
  assert.ok(back[0].x > back[2].x)
  assert.ok(Math.abs(back[1].y - graph.nodes[1].y) >= sizes.height / 2)
})

test('there and back do not lie on each other, nor does a loop move anything', () => {
  const graph = layout(2, [[0, 1], [1, 0], [1, 1]], sizes)
  assert.deepEqual(graph.nodes.map(node => node.rank), [0, 1])
  assert.notEqual(graph.edges[0].points[0].y, graph.edges[1].points[1].y)
  assert.ok(graph.edges[2].loop)
  assert.ok(labelOf(graph.edges[2]).y < graph.nodes[1].y - sizes.height / 2)
})

test('edges begin and end at the sides of their boxes', () => {
  const graph = layout(4, [[0, 1], [0, 2], [1, 3], [2, 3], [3, 0]], sizes)
  graph.edges.forEach((edge, i) => {
    const [from, to] = [[0, 1], [0, 2], [1, 3], [2, 3], [3, 0]][i]
    assert.equal(Math.abs(edge.points[0].x - graph.nodes[from].x), 50)
    assert.equal(Math.abs(edge.points[edge.points.length - 1].x - graph.nodes[to].x), 50)
    assert.match(pathOf(edge), /^M[-\d.]+ [-\d.]+(C[-\d. ]+)+$/)
  })
})

test('boxes of any machine lie apart and inside', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = numbers(seed)
    const count = 1 + Math.floor(random() * 20)
    const edges = Array.from({ length: Math.floor(random() * 40) }, (): [number, number] =>
      [Math.floor(random() * count), Math.floor(random() * count)])
    apart(layout(count, edges, sizes))
  }
  assert.deepEqual(layout(0, [], sizes).nodes, [])
})
