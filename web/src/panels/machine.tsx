// SPDX-License-Identifier: MIT
// States and transitions of a state machine in the selection or the visible range, as a graph.

import { useMemo, useRef, useState } from 'preact/hooks'
import type { View } from '../view'
import { nameOf, tracksOf } from '../go'
import { labelOf, layout, pathOf } from '../graph'
import { Empty, Stretch, Working } from '../parts'
import { clean } from '../text'
import { countText, shortLength } from '../times'
import { useAnswer, useRested, useSize, useStretch, useViewed } from '../use'

interface MachineAnswer {
  states: [thing: number, times: number, ticks: number][]
  moves: [from: number, to: number, times: number][]
}

const SIZES = { width: 156, height: 42, across: 84, down: 22 }
const LETTERS = 19 // that fit into a box
const SMALLEST = 0.7 // of the full size

function drawing(data: MachineAnswer) {
  const states = [...data.states]
  const numbers = new Map(states.map(([thing], i) => [thing, i]))
  for (const thing of data.moves.flatMap(([from, to]) => [from, to])) {
    if (numbers.has(thing)) continue
    numbers.set(thing, states.length)
    states.push([thing, 0, 0])
  }
  const edges = data.moves.map(([from, to]): [number, number] => [numbers.get(from)!, numbers.get(to)!])
  return { states, graph: layout(states.length, edges, SIZES) }
}

function Drawing({ view, data, current, room }: {
  view: View; data: MachineAnswer; current: number | null; room: [number, number]
}) {
  const [things] = useViewed(view, v => [v.things])
  const { states, graph } = useMemo(() => drawing(data), [data])
  const hz = view.hello?.hz ?? 0
  const all = states.reduce((sum, state) => sum + state[2], 0)
  const most = Math.max(1, ...data.moves.map(move => move[2]))
  const margin = 30
  // Scaled down to fit, but not below a legible size.
  const scale = Math.min(1, Math.max(SMALLEST, Math.min(room[0] / graph.width, room[1] / (graph.height + margin))))
  return (
    <svg class="machine-svg" width={graph.width * scale} height={(graph.height + margin) * scale} data-things={things.length}
      viewBox={`0 ${-margin} ${graph.width} ${graph.height + margin}`} role="img" aria-label={`${states.length} states`}>
      <defs>
        <marker id="move-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"
          markerUnits="userSpaceOnUse" orient="auto">
          <path d="M0 0.5L8 4L0 7.5z" />
        </marker>
      </defs>
      {data.moves.map((move, i) => (
        <path key={i} class={`move${move[0] === current ? ' out' : ''}`} d={pathOf(graph.edges[i])}
          marker-end="url(#move-head)" style={{ strokeWidth: `${1 + 1.6 * (move[2] / most)}px` }}>
          <title>{`${nameOf(view, move[0])} to ${nameOf(view, move[1])}: ${move[2]} times`}</title>
        </path>
      ))}
      {states.map(([thing, times, ticks], i) => {
        const { x, y } = graph.nodes[i]
        const name = clean(nameOf(view, thing) || 'not known')
        const share = all ? ticks / all : 0
        const left = x - SIZES.width / 2, top = y - SIZES.height / 2
        return (
          <g key={thing} class={`state${thing === current ? ' current' : ''}${thing ? '' : ' unknown'}`}>
            <title>{`${name}: entered ${times} times, ${shortLength(ticks, hz)} (${(share * 100).toFixed(2)} %)`}</title>
            <rect x={left} y={top} width={SIZES.width} height={SIZES.height} rx={7} />
            <rect class="share" x={left + 6} y={top + SIZES.height - 5} width={Math.max(0, (SIZES.width - 12) * share)}
              height={2.5} rx={1} />
            <text class="state-name" x={x} y={y - 4} text-anchor="middle">
              {name.length > LETTERS ? name.slice(0, LETTERS - 1) + '…' : name}
            </text>
            <text class="state-facts" x={x} y={y + 11} text-anchor="middle">
              {`${countText(times)}× · ${shortLength(ticks, hz)} · ${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`}
            </text>
          </g>
        )
      })}
      {data.moves.map((move, i) => {
        const { x, y } = labelOf(graph.edges[i])
        return <text key={i} class="move-count" x={x} y={y + 4} text-anchor="middle">{countText(move[2])}</text>
      })}
    </svg>
  )
}

export function Machine({ view }: { view: View }) {
  const [rows, picked, cursor] = useViewed(view, v => [v.rows, v.picked?.row ?? -1, v.cursor])
  const machines = useMemo(() => tracksOf(view, 'machine'), [rows])
  const [chosen, choose] = useState<number | null>(null)
  const area = useRef<HTMLDivElement>(null)
  const [width, height] = useSize(area)
  const stretch = useStretch(view)
  // The machine picked on the time line, or else the one chosen here.
  const [last, setLast] = useState(picked)
  if (picked !== last) {
    setLast(picked)
    if (machines.some(one => one.number === picked)) choose(picked)
  }
  const machine = machines.find(one => one.number === (chosen ?? picked)) ?? machines[0]
  const answer = useAnswer<MachineAnswer>(view, 'machine', machine && !stretch.live
    ? { track: machine.track.id, from: stretch.from, until: stretch.until } : null)
  const at = useRested(cursor === null ? null : Math.floor(cursor), 60)
  const now = useAnswer<{ slice: [number, number, number] | null }>(view, 'step', machine && at !== null
    ? { track: machine.track.id, at: at + 1, way: -1, value: null } : null)
  const slice = now.data?.slice
  const current = slice && at !== null && at < slice[1] ? slice[2] : null
  if (!machine) return <Empty>The trace has no state machine.</Empty>
  return (
    <div class={`machine${answer.busy ? ' stale' : ''}`}>
      <div class="toolbar">
        <select aria-label="State machine" value={machine.number} onChange={event => choose(Number(event.currentTarget.value))}>
          {machines.map(one => <option key={one.number} value={one.number}>{clean(one.row.name, 60)}</option>)}
        </select>
        <Stretch view={view} {...stretch} />
        {current !== null && <span>at the cursor: <b><bdi>{clean(nameOf(view, current) || 'not known')}</bdi></b></span>}
        <Working answer={answer} what="Counting" />
      </div>
      <div class="machine-area" ref={area} tabIndex={0} aria-label="States and transitions">
        {stretch.live && !answer.data && <Empty>Freeze the view or select a time range to see its states.</Empty>}
        {answer.data && (answer.data.states.length
          ? <Drawing view={view} data={answer.data} current={current} room={[width - 12, height - 12]} />
          : <Empty>No state is known in this time range.</Empty>)}
      </div>
    </div>
  )
}
