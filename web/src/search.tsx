// SPDX-License-Identifier: MIT
// The search: goes to times, rows, panels and actions, and finds records by their text. One list,
// used with the keyboard.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { openPanel, setTheme, shownPanels } from './actions'
import { best } from './fuzzy'
import type { Match } from './fuzzy'
import { chooseRecord, goRaise, goRow, goRule, goTime } from './go'
import { Marked } from './parts'
import { stepHit } from './hits'
import { firstTick } from './store'
import { clean } from './text'
import { parseTime, timeText } from './times'
import type { View } from './view'

const MOST = 40 // results that are shown
const GOOD = 8 // score per letter from which a name counts as meant

export interface Find { text: string; busy: boolean; note: string | null }

// Goes from hit to hit, from the view's position on.
export class Finder {
  state: Find = { text: '', busy: false, note: null }
  private turn = 0
  private found: number | null = null // the record that was found last

  constructor(private view: View, private news: () => void) {}

  private report(state: Partial<Find>): void {
    this.state = { ...this.state, ...state }
    this.news()
  }

  cancel(): void {
    this.turn++
    this.report({ busy: false, note: null })
  }

  // Lists all hits.
  list(text: string): void {
    this.view.find = text
    openPanel(this.view, 'hits')
  }

  async go(text: string, way: 1 | -1): Promise<void> {
    const { view } = this, { hits } = view, turn = ++this.turn
    if (!text) return
    view.find = text
    this.report({ text, busy: true, note: null })
    const at = view.cursor !== null && view.cursor >= view.from && view.cursor <= view.until ? view.cursor : view.from
    // Continues from the last one by its number, as several records may have the same time.
    const from = this.found !== null && this.found === view.record ? { number: this.found } : { at: way > 0 ? Math.floor(at) : Math.ceil(at) }
    if (hits.state.text === text && !hits.state.error) await hits.again()
    else void hits.begin(text, at)
    const goOn = () => {
      const { searched, of } = hits.state
      if (turn === this.turn && of > 0) this.report({ note: `${Math.round((searched / of) * 100)} %` })
      return turn === this.turn
    }
    try {
      const { record, around } = await stepHit(hits, from, way, goOn)
      if (turn !== this.turn) return
      if (hits.state.error) throw new Error(hits.state.error)
      const again = way > 0 ? 'from the beginning again' : 'from the end again'
      this.report({ busy: false, note: record ? (around ? again : null) : `no record has “${clean(text, 40)}”` })
      if (!record) return
      this.found = record.number
      view.picked = null // so that z shows the record
      chooseRecord(view, record.number, record.t)
      if (typeof record.t === 'number') goTime(view, record.t)
      view.changed()
    } catch (error) {
      if (turn === this.turn) this.report({ busy: false, note: String((error as Error)?.message ?? error) })
    }
  }
}

interface Entry { kind: string; name: string; run(): void }
interface Result { entry: Entry; match: Match | null }

function entriesOf(view: View, finder: Finder): Entry[] {
  const rows = view.rows.map((row, number): Entry =>
    ({ kind: row.kind, name: clean(row.name || row.kind), run: () => goRow(view, number) }))
  const inRows = new Set(view.rows.map(row => row.thing))
  const things = view.things.flatMap((thing, number): Entry[] =>
    inRows.has(number) || !thing.name || thing.kind === 'special' ? []
      : thing.kind === 'raise' ? [{ kind: 'priority', name: clean(thing.name), run: () => void goRaise(view, number) }]
      : [{ kind: thing.kind, name: clean(thing.name), run: () => void finder.go(thing.name, 1) }])
  const panels = shownPanels(view).map((panel): Entry => ({ kind: 'panel', name: panel.title,
    run: () => openPanel(view, panel.name) }))
  const other: Entry[] = [
    { kind: 'action', name: 'Show the whole trace', run: () => view.fit() },
    { kind: 'action', name: view.dark ? 'Light theme' : 'Dark theme', run: () => setTheme(view, !view.dark) }
  ]
  const rules = view.rules.rules.map((rule, number): Entry =>
    ({ kind: `rule: ${rule.verdict}`, name: rule.title, run: () => void goRule(view, number).then(() => openPanel(view, 'rules')) }))
  return [...rows, ...panels, ...rules, ...other, ...things]
}

// Goes to a time; for a time outside the trace to its nearest end, which the name states.
function timeEntry(view: View, at: number): Entry {
  const hz = view.hello?.hz ?? 0, first = firstTick(view), last = view.hello?.window?.[1] ?? view.status?.last ?? 0
  const to = Math.min(Math.max(at, first), last)
  const name = at === to ? `Go to ${timeText(at, hz)}`
    : `Go to ${timeText(to, hz)}, where the trace ${at < first ? 'begins' : 'ends'}`
  return { kind: 'time', name, run: () => goTime(view, to) }
}

function resultsOf(view: View, finder: Finder, entries: Entry[], query: string): Result[] {
  const text = query.trim()
  const fixed: Entry[] = []
  const hz = view.hello?.hz ?? 0
  const at = parseTime(text, hz)
  if (at !== null) fixed.push(timeEntry(view, at))
  if (text) {
    fixed.push({ kind: 'find', name: `Next record with “${clean(text, 60)}”`, run: () => void finder.go(text, 1) })
    fixed.push({ kind: 'find', name: `All records with “${clean(text, 60)}”`, run: () => finder.list(text) })
    fixed.push({ kind: 'find', name: `Previous record with “${clean(text, 60)}”`, run: () => void finder.go(text, -1) })
  }
  const found = best(text, entries, entry => entry.name, MOST).map(({ one, match }) => ({ entry: one, match }))
  const places = fixed.map(entry => ({ entry, match: null }))
  // A time comes before names. So does text of a record, unless a good part of a name was typed.
  const good = found.length > 0 && (text.length < 4 || found[0].match!.score > GOOD * text.length)
  return at !== null || !good ? [...places, ...found] : [...found, ...places]
}

export function Search({ view, finder, close }: { view: View; finder: Finder; close(): void }) {
  const [query, setQuery] = useState('')
  const [place, setPlace] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const entries = useMemo(() => entriesOf(view, finder), [view, view.rows, view.things])
  const results = useMemo(() => resultsOf(view, finder, entries, query), [entries, query])
  const chosen = Math.min(place, results.length - 1)
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    input.current?.focus()
    return () => before?.focus()
  }, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, results])
  const run = (result: Result | undefined) => {
    if (!result) return
    close()
    result.entry.run()
  }
  const step = (by: number) => setPlace((chosen + by + results.length) % Math.max(1, results.length))
  const keys: { [key: string]: (event: KeyboardEvent) => void } = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), Escape: close, Tab: event => step(event.shiftKey ? -1 : 1),
    PageDown: () => setPlace(Math.min(chosen + 8, results.length - 1)), PageUp: () => setPlace(Math.max(chosen - 8, 0)),
    Enter: event => {
      if (!event.shiftKey) return run(results[chosen])
      close()
      void finder.go(query.trim(), -1)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = keys[event.key]
    event.stopPropagation()
    if (!key || event.isComposing) return
    key(event)
    event.preventDefault()
  }
  return (
    <div class="cover" onMouseDown={event => event.target === event.currentTarget && close()}>
      <div class="search" role="dialog" aria-modal="true" aria-label="Search" onKeyDown={onKeyDown}>
        <input ref={input} type="text" role="combobox" aria-expanded="true" aria-controls="results"
          aria-autocomplete="list" spellcheck={false}
          aria-activedescendant={results.length ? `result-${chosen}` : undefined} aria-label="Search" value={query}
          placeholder="Row, name, t=12.5ms, or text of a record"
          onInput={event => {
            setQuery(event.currentTarget.value)
            setPlace(0)
          }} />
        <div class="results" id="results" role="listbox" aria-label="Results" ref={list}>
          {results.map((result, i) => (
            <div key={i} id={`result-${i}`} class="result" role="option" aria-selected={i === chosen}
              onMouseMove={() => i !== chosen && setPlace(i)} onClick={() => run(result)}>
              <span class="result-name">
                {result.match ? <Marked text={result.entry.name} at={result.match.at} /> : <bdi>{result.entry.name}</bdi>}
              </span>
              <span class="muted">{result.entry.kind}</span>
            </div>
          ))}
        </div>
        <div class="search-foot muted">
          <kbd>↑</kbd><kbd>↓</kbd> choose <kbd>Enter</kbd> go <kbd>Shift Enter</kbd> previous record <kbd>Esc</kbd> close;
          then <kbd>F3</kbd> <kbd>Shift F3</kbd> next and previous hit
        </div>
      </div>
    </div>
  )
}
