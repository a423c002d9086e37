// SPDX-License-Identifier: MIT
// Layout of a machine's states and transitions: layers from left to right, a few sweeps to reduce
// crossings, transitions as curves through the layers between. Meant for up to some 30 states;
// larger graphs take more work and cannot be read.

export interface Point { x: number; y: number }
export interface Node extends Point { rank: number } // middle of the box
export interface Edge { points: Point[]; loop: boolean } // from the box of `from` to that of `to`
export interface Graph { nodes: Node[]; edges: Edge[]; width: number; height: number }
export interface Sizes { width: number; height: number; across: number; down: number }

interface Spot { rank: number; y: number; size: number; near: number[] }

// Finds the edges that close a cycle, walking from the first node on: they are laid out reversed.
function backEdges(count: number, edges: [number, number][]): boolean[] {
  const next: number[][] = Array.from({ length: count }, () => [])
  edges.forEach(([from], i) => next[from].push(i))
  const seen = new Uint8Array(count) // 1: on the current path, 2: done
  const back = edges.map(() => false)
  for (let root = 0; root < count; root++) {
    if (seen[root]) continue
    const way: [number, number][] = [[root, 0]]
    seen[root] = 1
    while (way.length) {
      const top = way[way.length - 1]
      const edge = next[top[0]][top[1]++]
      if (edge === undefined) {
        seen[top[0]] = 2
        way.pop()
      } else if (seen[edges[edge][1]] === 1) back[edge] = true
      else if (!seen[edges[edge][1]]) {
        seen[edges[edge][1]] = 1
        way.push([edges[edge][1], 0])
      }
    }
  }
  return back
}

// Returns the longest path to each node from one without incoming edges. `down` has no cycles.
function ranksOf(count: number, down: [number, number][]): number[] {
  const ranks = Array<number>(count).fill(0)
  for (let round = 0, more = true; more && round <= count; round++) {
    more = false
    for (const [from, to] of down) {
      if (ranks[to] > ranks[from]) continue
      ranks[to] = ranks[from] + 1
      more = true
    }
  }
  return ranks
}

function mean(values: number[], otherwise: number): number {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : otherwise
}

// Places the spots of a layer as near to `want` as their sizes allow, in their order.
function settle(layer: Spot[], want: number[]): void {
  let edge = -Infinity, off = 0
  layer.forEach((spot, i) => {
    spot.y = Math.max(want[i], edge + spot.size / 2)
    edge = spot.y + spot.size / 2
    off += spot.y - want[i]
  })
  for (const spot of layer) spot.y -= off / layer.length
}

function arrange(spots: Spot[]): void {
  const layers: Spot[][] = []
  for (const spot of spots) (layers[spot.rank] ??= []).push(spot)
  for (const layer of layers) settle(layer, layer.map((_, i) => i))
  for (let sweep = 0; sweep < 12; sweep++) {
    const way = sweep % 2 ? -1 : 1
    for (const layer of way > 0 ? layers : [...layers].reverse()) {
      // The last sweeps keep the order and use all neighbours.
      const pulled = (spot: Spot) => mean(
        spot.near.filter(i => sweep > 7 || (spots[i].rank - spot.rank) * way < 0).map(i => spots[i].y), spot.y)
      const want = new Map(layer.map(spot => [spot, pulled(spot)]))
      if (sweep <= 7) layer.sort((a, b) => want.get(a)! - want.get(b)!)
      settle(layer, layer.map(spot => want.get(spot)!))
    }
  }
}

// edges: [from, to] by the nodes' numbers; one with from == to is a loop above its box.
export function layout(count: number, edges: [number, number][], sizes: Sizes): Graph {
  const back = backEdges(count, edges)
  const down = edges.map(([from, to], i): [number, number] => (back[i] ? [to, from] : [from, to]))
  const ranks = ranksOf(count, down.filter(([from, to]) => from !== to))
  const spots: Spot[] = ranks.map(rank => ({ rank, y: 0, size: sizes.height + sizes.down, near: [] }))
  const chains = down.map(([from, to]) => {
    if (from === to) return [from]
    const chain = [from]
    for (let rank = ranks[from] + 1; rank < ranks[to]; rank++) {
      chain.push(spots.length)
      spots.push({ rank, y: 0, size: sizes.down, near: [] })
    }
    chain.push(to)
    chain.slice(1).forEach((spot, i) => {
      spots[spot].near.push(chain[i])
      spots[chain[i]].near.push(spot)
    })
    return chain
  })
  arrange(spots)
  return drawn(count, edges, back, chains, spots, sizes)
}

function drawn(count: number, edges: [number, number][], back: boolean[], chains: number[][],
  spots: Spot[], sizes: Sizes): Graph {
  const top = Math.min(0, ...spots.map(spot => spot.y - spot.size / 2))
  const step = sizes.width + sizes.across
  const middle = (i: number): Point => ({
    x: spots[i].rank * step + sizes.width / 2 + sizes.across / 2,
    y: spots[i].y - top + sizes.down / 2
  })
  const has = new Set(edges.map(edge => edge.join()))
  const curves = edges.map(([from, to], i): Edge => {
    if (from === to) {
      const { x, y } = middle(from)
      return { loop: true, points: [{ x: x - 14, y: y - sizes.height / 2 }, { x: x + 14, y: y - sizes.height / 2 }] }
    }
    // Opposite transitions of two states must not overlap.
    const aside = has.has([to, from].join()) ? (back[i] ? 9 : -9) : 0
    const points = chains[i].map((spot, at): Point => {
      const { x, y } = middle(spot)
      const side = at === 0 ? 0.5 : at === chains[i].length - 1 ? -0.5 : 0
      return { x: x + side * sizes.width, y: y + (spot < count ? aside : 0) }
    })
    return { loop: false, points: back[i] ? points.reverse() : points }
  })
  const bottom = Math.max(0, ...spots.map(spot => spot.y + spot.size / 2))
  return {
    nodes: Array.from({ length: count }, (_, i) => ({ ...middle(i), rank: spots[i].rank })),
    edges: curves,
    width: (Math.max(-1, ...spots.map(spot => spot.rank)) + 1) * step,
    height: bottom - top + sizes.down
  }
}

// Returns an SVG path: curves that leave and reach each point horizontally.
export function pathOf(edge: Edge): string {
  const [first, ...rest] = edge.points
  let path = `M${first.x} ${first.y}`, last = first
  for (const point of rest) {
    const pull = (point.x - last.x) / 2
    path += edge.loop
      ? `C${last.x - 12} ${last.y - 34} ${point.x + 12} ${point.y - 34} ${point.x} ${point.y}`
      : `C${last.x + pull} ${last.y} ${point.x - pull} ${point.y} ${point.x} ${point.y}`
    last = point
  }
  return path
}

// Returns the place of the edge's label: the middle of its middle segment.
export function labelOf(edge: Edge): Point {
  const i = Math.floor((edge.points.length - 1) / 2)
  const a = edge.points[i], b = edge.points[Math.min(i + 1, edge.points.length - 1)]
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - (edge.loop ? 26 : 0) }
}
