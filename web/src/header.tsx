// SPDX-License-Identifier: MIT
// The page's header: source, link state, losses; search, theme, help.

import { useState } from 'preact/hooks'
import { copyLink, goLoss, openPanel, setLive, setTheme } from './actions'
import { canExport, openExport } from './export'
import { hasHoles, stepMark } from './go'
import { hasMarks } from './marks'
import { LoadNames } from './names_load'
import { Lacks, Progress } from './parts'
import { RecordButton } from './record_button'
import type { Find } from './search'
import { movesOn } from './store'
import { clean, plural } from './text'
import { countText } from './times'
import { useViewed } from './use'
import type { View } from './view'
import { missingWords, namesHelp, rulesWords, unnamed } from './words'

function LinkState({ view }: { view: View }) {
  const [hello, status, linked, moves, armed] = useViewed(view, v => [v.hello, v.status, v.linked, movesOn(v), !!v.triggers.armed])
  if (hello?.kept) return <span class="state still" title="A part of a trace, stored in this file">Kept</span>
  if (!linked) return <span class="state away" role="status" title="Connecting to wallfly again">No link</span>
  if (!hello?.live) return <span class="state still">File</span>
  const up = !!status?.up
  return (
    <>
      <button class={`state ${moves ? (up ? 'live' : 'waits') : 'frozen'}`} aria-pressed={moves}
        onClick={() => setLive(view, !moves)}
        title={moves ? 'Follows the target; click to freeze' : 'Frozen; click to follow the target again'}>
        <span class="dot" aria-hidden="true" />{moves ? 'Live' : 'Frozen'}
      </button>
      {armed && <button class="state waits" title="A trigger is armed" onClick={() => openPanel(view, 'trigger')}>Armed</button>}
      {!up && <span class="muted">no target</span>}
    </>
  )
}

// Of a window of a device: the list of devices, and the windows beside it.
function AroundLinks({ view }: { view: View }) {
  const [around] = useViewed(view, v => [v.hello?.around ?? null])
  if (!around) return null
  const beside = (address: string | null, sign: string, words: string) => address === null
    ? <span class="muted" aria-hidden="true">{sign}</span>
    : <a href={address} aria-label={words} title={words}>{sign}</a>
  return (
    <nav class="around" aria-label="Other windows">
      <a href={around.list}>Devices</a>
      {beside(around.earlier, '‹', 'Earlier')}
      {beside(around.later, '›', 'Later')}
    </nav>
  )
}

// The format of another tracer; opens to what it does not record.
function Format({ view }: { view: View }) {
  const [format] = useViewed(view, v => [v.hello?.format ?? null])
  if (!format) return null
  const title = clean(format.title)
  if (!format.lacks.length) return <span class="format">{title}</span>
  return (
    <details class="format">
      <summary title="What this format does not record">{title}</summary>
      <div class="about-format"><Lacks view={view} /></div>
    </details>
  )
}

// How many rows have no name; opens to what to do.
function Names({ view }: { view: View }) {
  const [rows, hello, reads] = useViewed(view, v => [v.rows, v.hello, !!v.status?.progress])
  const { count, of } = unnamed(rows)
  if (!hello || reads || count === 0) return null
  return (
    <details class="format names">
      <summary title="What to do about it">{countText(count)} {plural(count, 'name')} unknown</summary>
      <div class="about-format">
        <p>{countText(count)} of {countText(of)} tasks, state machines and objects are shown by their address.</p>
        <ul>{namesHelp(hello).map(text => <li key={text}>{text}</li>)}</ul>
        {!hello.kept && !hello.format && <LoadNames view={view} />}
        {hello.commands && <button onClick={() => void view.source.ask('command', { line: 'info' }).catch(error =>
          view.notify(String((error as Error)?.message ?? error)))}>Ask the target</button>}
      </div>
    </details>
  )
}

function Losses({ view }: { view: View }) {
  const [status, holes, format] = useViewed(view, v => [v.status, hasHoles(v), v.hello?.format ?? null])
  const [busy, setBusy] = useState(false)
  if (!status || (!holes && !status.records)) return null
  const { text, good, title } = missingWords(status, holes, format)
  if (good) return <span class="badge good" title={title}>{text}</span>
  return (
    <button class="badge loss" disabled={busy} title={title} onClick={() => {
      setBusy(true)
      void goLoss(view).finally(() => setBusy(false))
    }}>
      {text}
    </button>
  )
}

// Verdicts of the rules; goes to the next failure, and names the one that is shown.
function RuleFacts({ view }: { view: View }) {
  const [{ rules }, any, place, mark] = useViewed(view, v => [v.rules, hasMarks(v), v.markPlace, v.mark])
  if (rules.length === 0) return null
  const { text, kind } = rulesWords(rules)
  return (
    <>
      {any
        ? <button class={`badge ${kind}`} aria-keyshortcuts="n" title="Go to the next failure (n), previous (p)"
            onClick={() => void stepMark(view, 1)}>{text}</button>
        : <span class={`badge ${kind}`}>{text}</span>}
      <span class="muted" role="status" title={mark?.text}>
        {place && mark && `${countText(place[0])} of ${countText(place[1])}`}
      </span>
    </>
  )
}

function Facts({ view }: { view: View }) {
  const [part, records, progress, note, error] = useViewed(view, v =>
    [!!v.hello?.part, v.status?.records ?? 0, v.status?.progress ?? null, v.status?.note ?? null, v.status?.error ?? null])
  return (
    <>
      {part && <span class="muted">of the whole trace:</span>}
      <span class="fact"><b>{countText(records)}</b> records</span>
      <Losses view={view} />
      <RuleFacts view={view} />
      {progress && (
        <span class="reading" role="status">
          <Progress of={progress} label="Reading" />
          <span class="muted">{Math.floor((progress[0] / Math.max(1, progress[1])) * 100)} %</span>
        </span>
      )}
      {note && <span class="note muted" title={clean(note)}>{clean(note)}</span>}
      {error && <span class="note wrong" role="alert" title={clean(error)}>{clean(error)}</span>}
    </>
  )
}

const LINK = 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.4-2.4a2.6 2.6 0 0 0-3.7-3.7L8 4.3M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.1 9.2a2.6 2.6 0 0 0 3.7 3.7L8 11.7'
const EXPORT = 'M8 2.5v7.5M4.8 7L8 10.2L11.2 7M3 13h10'
const MOON = 'M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z'
const SUN = 'M8 4.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 0 0 0-7zM8 1v1.8M8 13.2V15M1 8h1.8M13.2 8H15' +
  'M3 3l1.3 1.3M11.7 11.7L13 13M13 3l-1.3 1.3M4.3 11.7L3 13'

// The export that is not done yet, or has failed.
function Export({ view }: { view: View }) {
  const [exporting] = useViewed(view, v => [v.exporting])
  if (!exporting) return null
  const { name, of, error, end } = exporting
  if (error) {
    return (
      <span class="finding wrong" role="alert">
        {error}<button aria-label="Dismiss" title="Dismiss" onClick={end}>×</button>
      </span>
    )
  }
  return (
    <span class="finding" role="status">
      <Progress of={of} label="Exporting" /><span class="source" title={name}>{name}</span><button onClick={end}>Cancel</button>
    </span>
  )
}

// What the header has of one trace, above it on the page of several.
export function TraceFacts({ view }: { view: View }) {
  const [linked] = useViewed(view, v => [v.linked])
  return (
    <>
      {!linked && <LinkState view={view} />}
      <Format view={view} />
      <Names view={view} />
      <Facts view={view} />
      <Export view={view} />
    </>
  )
}

export function Header({ view, find, cancelFind, search, help }: {
  view: View; find: Find; cancelFind(): void; search(): void; help(): void
}) {
  const [hello, dark, exports] = useViewed(view, v => [v.hello, v.dark, canExport(v)])
  const source = clean(hello?.source ?? '')
  const theme = dark ? 'Light theme' : 'Dark theme'
  return (
    <header class="header">
      <h1 class="brand">wallfly</h1>
      <span class="source" title={source}><bdi>{source || 'connecting…'}</bdi></span>
      <AroundLinks view={view} />
      <LinkState view={view} />
      <RecordButton view={view} />
      <Format view={view} />
      <Names view={view} />
      <Facts view={view} />
      <span class="space" />
      {find.busy && (
        <span class="finding" role="status">
          looking for “{clean(find.text, 30)}” {find.note}<button onClick={cancelFind}>Cancel</button>
        </span>
      )}
      {!find.busy && find.note && (
        <span class="finding warn" role="status">
          {find.note}<button aria-label="Dismiss" title="Dismiss" onClick={cancelFind}>×</button>
        </span>
      )}
      <Export view={view} />
      <button class="open-search" onClick={search} aria-label="Search" aria-keyshortcuts="/ Control+K">
        <span>Search</span><kbd>/</kbd>
      </button>
      {exports && (
        <button class="icon open-export" aria-label="Export" title="Export the selection, or what is in view (x)" aria-keyshortcuts="x" aria-haspopup="menu"
          onClick={() => openExport(view)}>
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path class="stroked" d={EXPORT} /></svg>
        </button>
      )}
      <button class="icon copy-link" aria-label="Copy link" title="Copy a link to all that is chosen (c)" aria-keyshortcuts="c" onClick={() => copyLink(view)}>
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path class="stroked" d={LINK} /></svg>
      </button>
      <button class="icon" aria-label={theme} title={theme} onClick={() => setTheme(view, !dark)}>
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d={dark ? SUN : MOON} /></svg>
      </button>
      <button class="icon" aria-label="Help: all keys" title="Help: all keys" aria-keyshortcuts="?" onClick={help}>?</button>
    </header>
  )
}
