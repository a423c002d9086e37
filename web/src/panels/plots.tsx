// SPDX-License-Identifier: MIT
// Plots of counters, queue depths and counts over the view, one below the other, with the cursor of
// the canvas.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { View } from '../view'
import { levelTexts } from '../draw_levels'
import { goRow, tracksOf } from '../go'
import { Empty, Name } from '../parts'
import { stepsOf, valueAt } from '../plotdata'
import type { Steps } from '../plotdata'
import { levelFor, Tiles } from '../tiles'
import { clean, shortKey } from '../text'
import { grouped, timeText } from '../times'
import { useSize, useViewed } from '../use'
import { ofLevel } from '../words'

const HEIGHT = 96
const WHOLE = Array.from({ length: 16 }, (_, i) => [1, 2, 5].map(n => n * 10 ** i)).flat() // values are whole numbers
const HUES = ['--plot-1', '--plot-2', '--plot-3', '--plot-4', '--plot-5', '--plot-6']

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

function numberText(value: number): string {
  return grouped(String(Number(value.toPrecision(9))))
}

function yRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1]
  return uPlot.rangeNum(Math.min(0, min), max === min ? max + 1 : max, 0.1, true) as [number, number]
}

function options(view: View, width: number, hue: string): uPlot.Options {
  const grid = { stroke: css('--line'), width: 1 }
  const stepped = uPlot.paths.stepped!({ align: 1 })
  const line = css(hue)
  return {
    width, height: HEIGHT, legend: { show: false }, padding: [6, 0, 8, 0], // half of the lowest number lies below its line
    cursor: {
      y: false, drag: { x: false, y: false, setScale: false }, points: { show: false }
    },
    scales: {
      x: { time: false, range: () => [view.from, view.until] },
      y: { range: (_, min, max) => yRange(min, max) }
    },
    axes: [
      { show: false },
      {
        size: 64, stroke: css('--muted'), grid, ticks: { show: false }, font: '11px system-ui, sans-serif', space: 22,
        incrs: WHOLE, values: (_, all) => levelTexts(all) // short ones: the axis has 64 pixels
      }
    ],
    series: [
      {},
      { stroke: line, width: 1.5, paths: stepped, points: { show: false }, spanGaps: false },
      { stroke: line, width: 0.5, paths: stepped, points: { show: false } },
      { stroke: line, width: 0.5, paths: stepped, points: { show: false } }
    ],
    bands: [{ series: [3, 2], fill: line + '33' }]
  }
}

// One plot: uPlot draws it; it is updated when the view or the data change.
function Plot({ view, row, track, used, tiles, index, news }: {
  view: View; row: number; track: number; used: boolean; tiles: Tiles; index: number; news: number
}) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const steps = useRef<Steps>([[], [], [], []])
  const [width] = useSize(host)
  const [dark, cursor] = useViewed(view, v => [v.dark, v.cursor])
  const [value, setValue] = useState<number | null>(null)
  useEffect(() => {
    if (width < 50) return
    const own = new uPlot(options(view, width, HUES[index % HUES.length]), steps.current as uPlot.AlignedData, host.current!)
    plot.current = own
    own.over.addEventListener('mousemove', event => {
      view.cursor = own.posToVal(event.offsetX, 'x')
      view.changed()
    })
    return () => {
      own.destroy()
      plot.current = null
    }
  }, [view, width > 50, dark])
  useEffect(() => {
    if (width > 50) plot.current?.setSize({ width, height: HEIGHT })
  }, [width])
  const refresh = () => {
    const own = plot.current
    if (!own) return
    const level = levelFor((view.until - view.from) / Math.max(1, own.bbox.width / devicePixelRatio))
    steps.current = stepsOf(tiles.look(track, level, view.from, view.until))
    own.setData(steps.current as uPlot.AlignedData)
    const at = view.cursor
    const left = at === null || at < view.from || at > view.until ? -10 : own.valToPos(at, 'x')
    if (Math.abs((own.cursor.left ?? -10) - left) > 0.5) own.setCursor({ left, top: left < 0 ? -10 : 5 }, false)
    setValue(at === null ? null : valueAt(steps.current, at))
  }
  useEffect(() => {
    refresh()
    return view.listen(refresh)
  }, [view, tiles, track, width > 50, dark, news])
  const name = view.rows[row]?.name ?? ''
  const of = used ? ' bytes in use' : view.rows[row] ? ofLevel(view, view.rows[row]) : ''
  const now = cursor === null ? '' : `, ${value ?? 'not known'} at ${timeText(cursor, view.hello?.hz ?? 0)}`
  return (
    <div class="plot">
      <div class="plot-head">
        <button class="link" onClick={() => goRow(view, row)}><Name text={shortKey(name)} most={60} /></button>
        <b class="plot-value" style={{ color: `var(${HUES[index % HUES.length]})` }}>
          {value === null ? '–' : numberText(value)}
        </b>
        <span class="muted">{of}</span>
      </div>
      <div class="plot-host" ref={host} role="img" aria-label={`Plot of ${clean(name)}${now}`} />
    </div>
  )
}

export function Plots({ view }: { view: View }) {
  const [rows, things] = useViewed(view, v => [v.rows, v.things])
  const [filter, setFilter] = useState('')
  const [news, came] = useState(0)
  const tiles = useMemo(() => new Tiles(view.source, () => came(n => n + 1), 8 << 20), [view.source])
  const tracks = useMemo(() => [...tracksOf(view, 'level'), ...tracksOf(view, 'used')], [rows, things])
  useEffect(() => {
    // Requests the tiles that the plots looked up in this frame and did not find.
    const ask = () => {
      tiles.send(performance.now())
      tiles.begin(view.status?.last ?? 0)
    }
    tiles.begin(view.status?.last ?? 0)
    const timer = setInterval(ask, 60)
    return () => clearInterval(timer)
  }, [view, tiles])
  const shown = tracks.filter(one => !filter || one.row.name.toLowerCase().includes(filter.toLowerCase()))
  if (!tracks.length) return <Empty>The trace has no counter, queue, semaphore or heap.</Empty>
  return (
    <div class="plots">
      {tracks.length > 4 && (
        <div class="toolbar">
          <input type="search" class="filter" placeholder="Filter by name" aria-label="Filter plots by name" value={filter}
            onInput={event => setFilter(event.currentTarget.value)} />
          <span class="muted">{shown.length} of {tracks.length}{shown.length > 24 ? ', the first 24 are drawn' : ''}</span>
        </div>
      )}
      <div class="scroll" tabIndex={0} aria-label="Plots">
        {shown.slice(0, 24).map((one, i) => (
          <Plot key={one.track.id} view={view} row={one.number} track={one.track.id} used={one.track.kind === 'used'} tiles={tiles} index={i} news={news} />
        ))}
      </div>
    </div>
  )
}
