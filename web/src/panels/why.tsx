// SPDX-License-Identifier: MIT
// Why the picked job took as long as it did: its parts as a bar in order of time, its causes and its
// waits as tables whose rows lead on.

import './why.css'
import { useState } from 'preact/hooks'
import { barParts, causeColours, causeRow, lookOf, mutexRow, partsOf } from '../explain'
import type { Explained, Part, Wait } from '../explain'
import { frame, goRow } from '../go'
import { Name, Working } from '../parts'
import { clean } from '../text'
import { ownName } from '../names'
import { countText, lengthText, shortLength, timeText } from '../times'
import { percentText } from '../tip'
import { useAnswer, useViewed } from '../use'
import type { Picked, View } from '../view'

const BAR_PIXELS = 600 // parts of the bar are at least this share of it

// Shows a part of the job and the row of its cause; the job stays picked.
async function goPart(view: View, row: number, from: number, to: number): Promise<void> {
  const { picked } = view
  if (row >= 0) goRow(view, row)
  view.picked = picked
  view.selection = to > from ? [from, to] : null
  await frame(view, from, to)
}

interface Of { view: View; job: Explained; parts: Part[]; colours: (string | null)[] }

function style(colour: string | null, width?: number): string {
  return (colour ? `--cause:${colour};` : '') + (width === undefined ? '' : `flex:${width} 0 0`)
}

function Bar({ view, job, parts, colours }: Of) {
  const hz = view.hello?.hz ?? 0
  return (
    <div class="why-bar" role="group" aria-label="Parts of the job in order of time">
      {barParts(parts, BAR_PIXELS).map(({ from, to, cause }) => {
        const title = `${timeText(from, hz)}, ${shortLength(to - from, hz)}: ${clean(job.causes[cause].words, 400)}`
        return (
          <button key={from} class={`why-part why-${lookOf(job.causes[cause])}`} style={style(colours[cause], to - from)} title={title}
            aria-label={title} onClick={() => void goPart(view, causeRow(view, job.causes[cause]), from, to)} />
        )
      })}
    </div>
  )
}

function CauseRow({ view, job, parts, colours, number }: Of & { number: number }) {
  const hz = view.hello?.hz ?? 0, cause = job.causes[number]
  const own = parts.filter(part => part.cause === number)
  const [at, setAt] = useState(-1) // of own: the one shown last
  const row = causeRow(view, cause)
  const step = () => {
    const next = (at + 1) % own.length
    setAt(next)
    void goPart(view, row, own[next].from, own[next].to)
  }
  return (
    <tr>
      <td class="number">{lengthText(cause.time, hz)}</td>
      <td class="number">{job.response > 0 ? percentText(cause.time / job.response) : ''}</td>
      <td class="number">
        <button class="link" title="Show the next part with this cause" disabled={own.length === 0} onClick={step}>
          {at >= 0 ? `${at + 1} of ${countText(own.length)}` : countText(cause.count)}
        </button>
      </td>
      <td class="number">
        <button class="link" title="Show the longest part with this cause" onClick={() => void goPart(view, row, ...cause.longest)}>
          {shortLength(cause.longest[1] - cause.longest[0], hz)}
        </button>
      </td>
      <td class="words">
        <div>
          <span class={`why-swatch why-${lookOf(cause)}`} style={style(colours[number])} aria-hidden="true" />
          {row < 0 ? <bdi>{clean(cause.words, 400)}</bdi>
            : <button class="link" title="Show its row" onClick={() => goRow(view, row)}><bdi>{clean(cause.words, 400)}</bdi></button>}
        </div>
      </td>
    </tr>
  )
}

function WaitRow({ view, wait }: { view: View; wait: Wait }) {
  const hz = view.hello?.hz ?? 0, [from, to] = wait.span, row = mutexRow(view, wait)
  return (
    <tr>
      <td class="number">
        <button class="link" onClick={() => void goPart(view, row, from, to)}>{timeText(from, hz)}</button>
      </td>
      <td class="number">{lengthText(to - from, hz)}</td>
      <td>{row < 0 ? <Name text={wait.mutex ?? '?'} />
        : <button class="link" onClick={() => goRow(view, row)}><Name text={wait.mutex ?? '?'} /></button>}</td>
      <td>{wait.holder === null ? <span class="muted">not known, or none</span> : <Name text={wait.holder} />}</td>
      <td class={wait.end === 'gave up' ? 'wrong' : ''}>{wait.end === 'unknown' ? 'not known' : clean(wait.end)}</td>
    </tr>
  )
}

function Waits({ view, job }: { view: View; job: Explained }) {
  if (!job.waits.length) return null
  return (
    <table class="figures">
      <thead><tr>
        <th scope="col" class="number">wait from</th><th scope="col" class="number">for</th><th scope="col">mutex</th>
        <th scope="col">held by</th><th scope="col">ended</th>
      </tr></thead>
      <tbody>{job.waits.map(wait => <WaitRow key={wait.span.join()} view={view} wait={wait} />)}</tbody>
      {job.wait_count > job.waits.length && <caption>and {countText(job.wait_count - job.waits.length)} more</caption>}
    </table>
  )
}

function Causes(of: Of) {
  const { job, parts } = of
  const listed = parts.length > 0 && parts[parts.length - 1].to < job.span[1]
  return (
    <>
      <Bar {...of} />
      {listed && <p class="muted">The bar has the first {countText(parts.length)} parts; the table has all.</p>}
      <table class="figures">
        <thead><tr>
          <th scope="col" class="number">time</th><th scope="col" class="number">share</th><th scope="col" class="number">parts</th>
          <th scope="col" class="number">longest</th><th scope="col">cause</th>
        </tr></thead>
        <tbody>{job.causes.map((_, number) => <CauseRow key={number} {...of} number={number} />)}</tbody>
      </table>
    </>
  )
}

// thing: the task. The command prints the same.
function command(view: View, thing: number, begin: number): string {
  const hz = view.hello?.hz ?? 0
  const at = hz ? (begin / hz).toFixed(9) : String(begin + Number(view.hello?.t0 ?? 0))
  return `wallfly stats --explain='${clean(view.things[thing] ? ownName(view.things[thing]) : '').replace(/'/g, "'\\''")}' --job=@${at}`
}

export function Why({ view, picked, thing }: { view: View; picked: Picked; thing: number }) {
  const [kept] = useViewed(view, v => [!!v.hello?.kept, v.dark]) // other colours in the dark
  const answer = useAnswer<Explained>(view, 'explain', kept ? null : { thing, at: picked.begin })
  const job = answer.data?.span[0] === picked.begin ? answer.data : null
  if (kept) {
    return (
      <>
        <h3>Why</h3>
        <p class="muted">Needs the trace: <code>{command(view, thing, picked.begin)} TRACE</code></p>
      </>
    )
  }
  return (
    <>
      <h3>Why {job ? shortLength(job.response, view.hello?.hz ?? 0) : ''}</h3>
      <Working answer={answer} what="Reading the job" />
      {job && job.causes.length > 0 && <Causes view={view} job={job} parts={partsOf(job)} colours={causeColours(view, job.causes)} />}
      {job && <Waits view={view} job={job} />}
      {job && !job.arrival_known && <p class="muted">The job arrived earlier; when is not known.</p>}
    </>
  )
}
