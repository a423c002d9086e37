// SPDX-License-Identifier: MIT
// All holes in the data, in order: time, length, number of missing records.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { View } from '../view'
import { goStretch, stepTrack, tracksOf } from '../go'
import type { Slice } from '../go'
import { missingOf } from '../missing'
import { Empty } from '../parts'
import { clean, plural } from '../text'
import { countText, shortLength, timeText } from '../times'
import { useViewed } from '../use'

const PAGE = 200 // holes looked up at once

interface Hole { track: number; begin: number; end: number; missing: number; exact: boolean; where: string }

// Walks the tracks of losses side by side: the hole that begins first is taken next.
class Walk {
  holes: Hole[] = []
  done = false
  private next: Map<number, Slice | null> = new Map()

  constructor(private view: View) {}

  async more(): Promise<void> {
    const tracks = tracksOf(this.view, 'loss')
    const several = tracks.length > 1
    if (this.done) this.takeBack()
    this.done = false
    await Promise.all(tracks.filter(({ track }) => !this.next.get(track.id)).map(async ({ track }) => {
      this.next.set(track.id, await stepTrack(this.view, track.id, this.after(track.id), 1))
    }))
    for (let i = 0; i < PAGE; i++) {
      const waiting = tracks.filter(({ track }) => this.next.get(track.id))
      if (!waiting.length) {
        this.done = true
        this.holes.sort((a, b) => a.begin - b.begin)
        return
      }
      const first = waiting.reduce((a, b) => (this.next.get(b.track.id)![0] < this.next.get(a.track.id)![0] ? b : a))
      const [begin, end, missing, more] = this.next.get(first.track.id)!
      this.last.set(first.track.id, begin)
      const { core, name } = first.row
      const where = several ? (core < 0 ? name : `core ${core}`) : ''
      this.holes.push({ track: first.track.id, begin, end, missing, exact: more === 1, where })
      this.next.set(first.track.id, await stepTrack(this.view, first.track.id, begin, 1))
    }
  }

  // Returns the index of the hole at t; -1 if there is none.
  at(t: number | null): number {
    return t === null ? -1 : this.holes.findIndex(hole => t >= hole.begin && t <= hole.end)
  }

  // Drops the newest hole of each track, which may have grown, so that it is read again.
  private takeBack(): void {
    for (const [track, begin] of this.last) this.last.set(track, begin - 1)
    this.holes = this.holes.filter(hole => hole.begin <= this.after(hole.track))
  }

  private last = new Map<number, number>()
  private after(track: number): number {
    return this.last.get(track) ?? -1
  }
}

// Looks for more holes, one request at a time: a call meanwhile runs after the current one.
function useLook(walk: Walk): { busy: boolean; error: string | null; look(): void } {
  const [state, set] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null })
  const turn = useRef<Promise<void>>(Promise.resolve())
  const look = () => {
    set(now => ({ ...now, busy: true }))
    const own = turn.current = turn.current.then(() => walk.more()).then(() => null, problem => String(problem?.message ?? problem))
      .then(error => { if (turn.current === own) set({ busy: false, error }) })
  }
  return { ...state, look }
}

function missingText({ missing, exact }: Hole): string {
  if (!missing) return 'not known how many'
  return `${exact ? '' : 'at least '}${countText(missing)} ${plural(missing, 'record')}`
}

export function Losses({ view }: { view: View }) {
  const [hello] = useViewed(view, v => [v.hello]) // a new hello may mean another trace
  const walk = useMemo(() => new Walk(view), [view, hello])
  const [rows, missing, exact, bad, here] = useViewed(view, v =>
    [v.rows, v.status?.missing ?? 0, v.status?.exact ?? true, v.status?.bad ?? 0, walk.at(v.cursor)])
  const { busy, error, look } = useLook(walk)
  const { holes, done } = walk
  useEffect(look, [walk, rows, missing])
  const hz = view.hello?.hz ?? 0
  const several = holes.some(hole => hole.where)
  const told = holes.reduce((sum, hole) => sum + hole.missing, 0)
  return (
    <div class="losses">
      <div class="toolbar">
        <span>
          <b>{countText(holes.length)}</b>{done ? '' : ' first'} {plural(holes.length, 'hole')}
          {missingOf(told, missing, holes)}
        </span>
        {bad > 0 && <span class="wrong">{countText(bad)} {plural(bad, 'byte')} damaged</span>}
        {busy && <span class="muted" role="status">looking…</span>}
        {!busy && !done && holes.length > 0 && <button onClick={look}>Find more</button>}
        {error && <span class="wrong" role="alert">{clean(error)}</span>}
      </div>
      <div class="scroll" tabIndex={0} aria-label="Holes in the data">
        {holes.length > 0
          ? (
              <table class="figures">
                <thead>
                  <tr>
                    <th class="number" scope="col">#</th><th scope="col" class="number">at</th><th scope="col" class="number">length</th>
                    <th scope="col">missing</th>{several && <th scope="col">where</th>}
                  </tr>
                </thead>
                <tbody>
                  {holes.map((hole, i) => (
                    <tr key={i} class={i === here ? 'chosen' : ''}>
                      <td class="number">{i + 1}</td>
                      <td class="number">
                        <button class="link" onClick={() => goStretch(view, hole.begin, hole.end)}>{timeText(hole.begin, hz)}</button>
                      </td>
                      <td class="number">{hole.end > hole.begin ? shortLength(hole.end - hole.begin, hz) : 'a moment'}</td>
                      <td class="wrong">{missingText(hole)}</td>
                      {several && <td><bdi>{clean(hole.where)}</bdi></td>}
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          : !busy && <Empty>{missing ? 'The holes have no place yet: no record with a time has arrived.'
              : exact ? 'Nothing is missing.'
                : hello?.format ? `${clean(hello.format.title)} records no loss in this trace.`
                  : 'No gap was seen. The target has not reported how many records it made.'}</Empty>}
      </div>
    </div>
  )
}
