// SPDX-License-Identifier: MIT
// A sequence diagram of the selection or the visible range: senders, receivers and messages. Only
// visible rows are drawn; the heads of the lanes stay on top.

import { useMemo, useRef, useState } from 'preact/hooks'
import type { View } from '../view'
import { goTime } from '../go'
import { shownName } from '../names'
import { Empty, Stretch, Working } from '../parts'
import { clean, plural, shortKey } from '../text'
import { countText, timeText } from '../times'
import { useAnswer, useSize, useStretch, useViewed } from '../use'

type SequenceArrow = [time: number, kind: string, from: number, to: number, text: string]
interface Sequence { lanes: string[]; arrows: SequenceArrow[]; left: number }

const LETTER = 6.8 // pixels, about
const LOOP = 26 // width of an arrow to its own lane
const ROW = 26, TIMES = 120, LANE = 150, MORE = 10 // rows drawn above and below the visible ones

const legend: [kind: string, says: string][] = [
  ['send', 'sends'], ['get', 'gets'], ['wait', 'waits'], ['lost', 'does not arrive'], ['all', 'publishes']
]

function textWidth(text: string): number {
  return text.length * LETTER + 12
}

interface LabelOf {
  x: number
  y: number
  total: number // width of the diagram
  text: string
  kind: string
  anchor?: 'start' | 'middle' | 'end'
}

// A text over its arrow, inside of the diagram. Each row has one arrow, so it may cover other lanes.
function Label({ x, y, total, text, kind, anchor = 'middle' }: LabelOf) {
  const room = { start: total - x - 4, middle: total - 8, end: x - 4 }[anchor]
  const most = Math.max(8, Math.floor(room / LETTER))
  const cut = text.length > most ? text.slice(0, most - 1) + '…' : text
  const half = Math.min(total, textWidth(cut)) / 2
  const at = anchor === 'middle' ? Math.min(Math.max(x, half), total - half) : x
  return <text class={`seq-label ${kind}`} x={at} y={y} text-anchor={anchor}><title>{text}</title>{cut}</text>
}

// An arrow from a lane to itself, on the side that has room for its text.
function SelfArrow({ x, middle, total, text, kind }: Omit<LabelOf, 'y'> & { middle: number }) {
  const right = x + LOOP + textWidth(text) <= total || x <= total / 2
  const way = right ? 1 : -1
  return (
    <g class={`seq ${kind}`}>
      <path d={`M${x} ${middle - 8}H${x + way * LOOP}V${middle}H${x + way * 3}`} marker-end="url(#seq-head)" />
      <Label x={x + way * (LOOP + 4)} y={middle - 1} total={total} text={text} kind={kind}
        anchor={right ? 'start' : 'end'} />
    </g>
  )
}

function ArrowRow({ arrow, y, lanes, width }: { arrow: SequenceArrow; y: number; lanes: number; width: number }) {
  const [, kind, from, to, raw] = arrow
  const text = shortKey(clean(raw))
  const x = (lane: number) => lane * width + width / 2
  const middle = y + ROW - 8
  if (kind === 'break' || kind === 'note') {
    const wide = kind === 'break' ? lanes * width - 12 : Math.min(Math.max(width - 12, textWidth(text) + 8), lanes * width - 8)
    const center = kind === 'break' ? (lanes * width) / 2 : x(from)
    const left = Math.max(4, Math.min(center - wide / 2, lanes * width - wide - 4))
    return (
      <g class={`seq ${kind}`}>
        <rect x={left} y={y + 4} width={wide} height={ROW - 7} rx={kind === 'note' ? 8 : 2} />
        <Label x={left + wide / 2} y={y + ROW - 10} total={lanes * width} text={text} kind={kind} />
      </g>
    )
  }
  if (kind === 'all') {
    return (
      <g class="seq all">
        <line x1={8} x2={lanes * width - 8} y1={middle} y2={middle} marker-start="url(#seq-head)" marker-end="url(#seq-head)" />
        <circle cx={x(from)} cy={middle} r={3.5} />
        <Label x={x(from)} y={middle - 5} total={lanes * width} text={text} kind={kind} />
      </g>
    )
  }
  if (from === to) return <SelfArrow x={x(from)} middle={middle} total={lanes * width} text={text} kind={kind} />
  const way = Math.sign(to - from), begin = x(from), end = x(to) - way * (kind === 'lost' ? 16 : 2)
  return (
    <g class={`seq ${kind}`}>
      <line x1={begin} x2={end} y1={middle} y2={middle} marker-end={kind === 'lost' ? undefined : 'url(#seq-head)'} />
      {kind === 'lost' && <path class="cross" d={`M${end - 4} ${middle - 4}l8 8m0 -8l-8 8`} />}
      <Label x={(begin + end) / 2} y={middle - 5} total={lanes * width} text={text} kind={kind} />
    </g>
  )
}

function Diagram({ view, data }: { view: View; data: Sequence }) {
  const host = useRef<HTMLDivElement>(null)
  const [hostWidth, height] = useSize(host)
  const [scrolled, scroll] = useState(0)
  const [cursor] = useViewed(view, v => [v.cursor])
  const [things] = useViewed(view, v => [v.things]) // names come and go
  const { arrows } = data
  const lanes = useMemo(() => data.lanes.map(lane => shownName(view, lane, ['task', 'object', 'irq'])), [data, things])
  const hz = view.hello?.hz ?? 0
  const width = Math.max(LANE, Math.min(280, Math.floor((hostWidth - TIMES - 16) / Math.max(1, lanes.length))))
  const first = Math.max(0, Math.floor(scrolled / ROW) - MORE)
  const end = Math.min(arrows.length, first + Math.ceil(height / ROW) + 2 * MORE)
  const rows = arrows.slice(first, end)
  const total = arrows.length * ROW + 8
  const now = useMemo(() => arrows.findIndex(arrow => cursor !== null && arrow[0] > cursor), [arrows, cursor])
  const at = cursor === null || !arrows.length ? null : (now < 0 ? arrows.length : now) * ROW + 2
  return (
    <div class="sequence-area" ref={host} tabIndex={0} aria-label="Sequence diagram"
      onScroll={event => scroll(event.currentTarget.scrollTop)}>
      <div class="sequence-heads" style={{ width: `${TIMES + lanes.length * width}px` }}>
        <span class="corner" style={{ width: `${TIMES}px` }}>time</span>
        {lanes.map((lane, i) => (
          <span key={i} class="lane-head" style={{ width: `${width}px` }} title={clean(lane)}>
            <bdi>{shortKey(clean(lane))}</bdi>
          </span>
        ))}
      </div>
      <div class="sequence-body" style={{ height: `${total}px`, width: `${TIMES + lanes.length * width}px` }}>
        <div class="sequence-times">
          {rows.map((arrow, i) => (
            <button key={first + i} class="link" style={{ top: `${(first + i) * ROW + 6}px` }}
              onClick={() => goTime(view, arrow[0])}>{timeText(arrow[0], hz)}</button>
          ))}
        </div>
        <svg class="sequence-svg" width={lanes.length * width} height={total} style={{ left: `${TIMES}px` }}
          role="img" aria-label={`${arrows.length} arrows between ${lanes.length} lanes`}
          onClick={event => {
            const row = Math.floor((event.clientY - event.currentTarget.getBoundingClientRect().top) / ROW)
            if (arrows[row]) goTime(view, arrows[row][0])
          }}>
          <defs>
            <marker id="seq-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
              orient="auto-start-reverse">
              <path d="M0 0.5L8 4L0 7.5z" />
            </marker>
          </defs>
          {lanes.map((_, i) => (
            <line key={i} class="lifeline" x1={i * width + width / 2} x2={i * width + width / 2} y1={first * ROW}
              y2={Math.min(total, end * ROW + 8)} />
          ))}
          {at !== null && <line class="seq-now" x1={0} x2={lanes.length * width} y1={at} y2={at} />}
          {rows.map((arrow, i) => (
            <ArrowRow key={first + i} arrow={arrow} y={(first + i) * ROW} lanes={lanes.length} width={width} />
          ))}
        </svg>
      </div>
    </div>
  )
}

export function Sequence({ view }: { view: View }) {
  const stretch = useStretch(view)
  const answer = useAnswer<Sequence>(view, 'sequence',
    stretch.live ? null : { from: stretch.from, until: stretch.until })
  const data = answer.data
  return (
    <div class={`sequence${answer.busy ? ' stale' : ''}`}>
      <div class="toolbar">
        <Stretch view={view} {...stretch} />
        {data && <span class="muted">{countText(data.arrows.length)} {plural(data.arrows.length, 'arrow')} and notes</span>}
        {data && data.left > 0 && (
          <span class="warn" role="status">{countText(data.left)} more left out: choose a shorter stretch</span>
        )}
        <Working answer={answer} what="Drawing" />
        <span class="legend" aria-hidden="true">
          {legend.map(([kind, says]) => (
            <span key={kind}><svg width="30" height="10"><line class={`seq ${kind}`} x1="1" x2="29" y1="5" y2="5" /></svg>{says}</span>
          ))}
        </span>
      </div>
      {stretch.live && !data && <Empty>Freeze the view or select a time range to see its messages.</Empty>}
      {data && (data.lanes.length
        ? <Diagram view={view} data={data} />
        : <Empty>The trace has no messages in this time range.</Empty>)}
    </div>
  )
}
