// SPDX-License-Identifier: MIT
// Rows: order, groups, pins and positions.
import assert from 'node:assert/strict'
import test from 'node:test'
import { expands, layoutRows, lanesOf, linesWithin, moveRow } from '../src/layout'
import type { Wanted } from '../src/layout'
import type { Row, RowKind, Thing, TrackKind } from '../src/protocol'
import { defaultOrder, mergeOrder } from '../src/order'
import { clampStretch } from '../src/store'

let id = 0
function row(kind: RowKind, name: string, tracks: TrackKind[] = [], thing = 0, core = -1): Row {
  return { kind, thing, name, core, tracks: tracks.map(track => ({ id: id++, kind: track, level: 0 })) }
}

const rows = [
  row('records', 'records', ['marks']), row('task', 'b10', ['states', 'holds']), row('task', 'b9', ['states']),
  row('core', 'core 1', ['runs'], 0, 1), row('core', 'core 0', ['runs'], 0, 0), row('link', 'link', ['loss'])
]

function wanted(more: Partial<Wanted> = {}): Wanted {
  return { rows, order: defaultOrder(rows, []), pinned: [], hidden: new Set(), folded: new Set(), expanded: new Set(), ...more }
}

test('rows stand by kind, core and name, numbers as numbers', () => {
  assert.deepEqual(defaultOrder(rows, []), [4, 3, 2, 1, 0, 5])
})

test('tasks stand by priority if it is known', () => {
  const things: Thing[] = [20, 3].map(prio => ({ kind: 'task', name: '', key: '', sub: '', prio }))
  const tasks = [row('task', 'a', [], 0), row('task', 'b', [], 1)]
  assert.deepEqual(defaultOrder(tasks, things), [1, 0])
})

test('an order that was made stays when rows come', () => {
  assert.deepEqual(mergeOrder([3, 4, 1], rows, []), [3, 4, 1, 2, 0, 5])
})

test('a row is moved in front of or behind another', () => {
  assert.deepEqual(moveRow([1, 2, 3, 4], 4, 2, false), [1, 4, 2, 3])
  assert.deepEqual(moveRow([1, 2, 3, 4], 1, 3, true), [2, 3, 1, 4])
  assert.deepEqual(moveRow([1, 2], 2, 2, true), [1, 2])
})

test('groups have headings, and lines follow each other without gaps', () => {
  const { lines, height } = layoutRows(wanted())
  assert.deepEqual(lines.map(line => line.row < 0 ? line.kind : line.row), ['core', 4, 3, 'task', 2, 1, 0, 5])
  let y = 0
  for (const line of lines) {
    assert.equal(line.y, y)
    y += line.height
  }
  assert.equal(height, y)
})

test('folded groups and hidden rows take no room, a heading tells how many are hidden', () => {
  const { lines } = layoutRows(wanted({ folded: new Set<RowKind>(['core']), hidden: new Set([1, 0]) }))
  assert.deepEqual(lines.map(line => line.row < 0 ? [line.kind, line.rows, line.hidden] : line.row),
                   [['core', 2, 0], ['task', 2, 1], 2, ['records', 1, 1], 5])
})

test('pinned rows stand on top in their order and nowhere else', () => {
  const { pinned, pinnedHeight, lines } = layoutRows(wanted({ pinned: [1, 4, 99] }))
  assert.deepEqual(pinned.map(line => line.row), [1, 4])
  assert.equal(pinnedHeight, pinned[0].height + pinned[1].height)
  assert.ok(!lines.some(line => line.row === 1 || line.row === 4))
})

test('only lines within what is seen are drawn', () => {
  const { lines, height } = layoutRows(wanted())
  assert.deepEqual(linesWithin(lines, 0, height), lines)
  assert.deepEqual(linesWithin(lines, lines[2].y, lines[3].y + 1), lines.slice(2, 4))
  assert.deepEqual(linesWithin(lines, height, height + 9), [])
})

test('lanes lie below each other; marks lie on the first', () => {
  const { lanes, height } = lanesOf(row('task', 't', ['marks', 'holds', 'states', 'spans']))
  assert.deepEqual(lanes.map(lane => lane.track.kind), ['states', 'holds', 'spans', 'marks'])
  assert.equal(lanes[3].y, lanes[0].y)
  assert.ok(lanes[1].y >= lanes[0].y + lanes[0].height && lanes[2].y >= lanes[1].y + lanes[1].height)
  assert.ok(height >= lanes[2].y + lanes[2].height)
})

test('tracks that the page does not draw are left out', () => {
  const { lanes, height } = lanesOf(row('task', 't', ['states', 'later' as 'holds']))
  assert.deepEqual([lanes.map(lane => lane.track.kind), height], [['states'], lanesOf(row('task', 't', ['states'])).height])
})

test('an expanded row has its curves in full height, a task only then its priority and stack', () => {
  const task = row('task', 't', ['level', 'priority', 'states', 'holds'])
  const [few, all] = [lanesOf(task), lanesOf(task, true)]
  assert.deepEqual(few.lanes.map(lane => lane.track.kind), ['states', 'holds', 'priority'])
  assert.equal(few.lanes[2].y, few.lanes[0].y)
  assert.deepEqual(all.lanes.map(lane => lane.track.kind), ['states', 'holds', 'priority', 'level'])
  all.lanes.slice(1).forEach((lane, i) => assert.ok(lane.y >= all.lanes[i].y + all.lanes[i].height))
  assert.equal(all.height, Math.max(...all.lanes.map(lane => lane.y + lane.height)) + 3)
  const counter = row('counter', 'c', ['level'])
  assert.ok(lanesOf(counter, true).lanes[0].height > 2 * lanesOf(counter).lanes[0].height)
  const { lines } = layoutRows(wanted({ rows: [counter], order: [0], expanded: new Set([0, 99]) }))
  assert.equal(lines[1].height, lanesOf(counter, true).height)
  assert.deepEqual([task, counter, row('task', 'u', ['states']), row('core', 'c', ['runs'])].map(expands), [true, true, false, false])
})

test('what is seen stays within the trace and keeps its width', () => {
  assert.deepEqual(clampStretch(100, 200, 1000), [100, 200])
  assert.deepEqual(clampStretch(-500, -400, 1000), [-20, 80])
  assert.deepEqual(clampStretch(2000, 2100, 1000), [920, 1020])
  assert.deepEqual(clampStretch(-1e9, 1e9, 1000), [-20, 1020])
  assert.deepEqual(clampStretch(500, 500.5, 1000).map(t => Math.round(t)), [496, 504])
  assert.deepEqual(clampStretch(0, 100, 2000, 1000), [980, 1080])
})
