// SPDX-License-Identifier: MIT
// SQL queries on the tables of the trace, with answers whose times lead into the time line.

import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { TraceRecord } from '../protocol'
import type { View } from '../view'
import { chooseRecord, goStretch, goTime } from '../go'
import { copyText } from '../copy'
import { SQL_MOST } from '../hash'
import { Empty, Working } from '../parts'
import { csvOf, errorPlace, examples, rangeOf, roleOf, ticksOf } from '../sql'
import type { Cell, SqlAnswer, TableList } from '../sql'
import { clean, plural } from '../text'
import { countText, timeText } from '../times'
import { useAnswer, useSize, useViewed } from '../use'

const ROW = 22 // pixels
const HISTORY = 50
const KEY = 'wallfly-sql'

function readHistory(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(list) ? list.filter(one => typeof one === 'string').slice(-HISTORY) : []
  } catch {
    return [] // no storage, or not ours: an empty history
  }
}

function keepHistory(list: string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(list))
  } catch {
    // The history lasts as long as the page.
  }
}

async function goRecord(view: View, number: number): Promise<void> {
  const answer = await view.source.ask<{ record: TraceRecord }>('record', { number }).catch(() => null)
  if (!answer) return
  chooseRecord(view, number, answer.record.t)
  if (typeof answer.record.t === 'number') goTime(view, answer.record.t)
  view.changed()
}

function CellText({ view, columns, row, i }: { view: View; columns: string[]; row: Cell[]; i: number }) {
  const value = row[i], hello = view.hello
  if (value === null) return <span class="muted">null</span>
  const text = clean(String(value), 400)
  const t = hello ? ticksOf(columns[i], value, hello) : null
  if (t !== null) {
    const range = rangeOf(columns, row, hello!)
    const go = () => {
      if (range) view.selection = range[1] > range[0] ? range : null
      if (range) goStretch(view, ...range)
      goTime(view, t)
    }
    return <button class="link" title={`${columns[i]}: ${text}`} onClick={go}>{timeText(t, hello!.hz)}</button>
  }
  if (roleOf(columns[i]) === 'record' && typeof value === 'number') {
    return <button class="link" title="Show this record" onClick={() => void goRecord(view, value)}>{text}</button>
  }
  return <bdi title={text.length > 30 ? text : undefined}>{text}</bdi>
}

// The rows in sight, and as much empty space as the others take.
function Result({ view, answer }: { view: View; answer: SqlAnswer }) {
  useViewed(view, v => [v.hello])
  const host = useRef<HTMLDivElement>(null)
  const [, height] = useSize(host)
  const [top, setTop] = useState(0)
  useEffect(() => host.current?.scrollTo(0, 0), [answer])
  const { columns, rows } = answer
  const first = Math.max(0, Math.min(Math.floor(top / ROW) - 8, rows.length)), end = Math.min(rows.length, first + Math.ceil(height / ROW) + 17)
  const numeric = columns.map((_, i) => rows.slice(0, 50).every(row => row[i] === null || typeof row[i] !== 'string'))
  return (
    <div class="scroll sql-result" tabIndex={0} aria-label="Answer" ref={host}
      onScroll={event => setTop(event.currentTarget.scrollTop)}>
      <table class="figures" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>{columns.map((name, i) => <th key={i} scope="col" class={numeric[i] ? 'number' : ''}>{clean(name, 80)}</th>)}</tr>
        </thead>
        <tbody>
          {first > 0 && <tr aria-hidden="true" style={{ height: `${first * ROW}px` }} />}
          {rows.slice(first, end).map((row, i) => (
            <tr key={first + i} aria-rowindex={first + i + 2} style={{ height: `${ROW}px` }}>
              {columns.map((_, k) => (
                <td key={k} class={numeric[k] ? 'number' : ''}><CellText view={view} columns={columns} row={row} i={k} /></td>
              ))}
            </tr>
          ))}
          {end < rows.length && <tr aria-hidden="true" style={{ height: `${(rows.length - end) * ROW}px` }} />}
        </tbody>
      </table>
      {!rows.length && <Empty>The answer has no rows.</Empty>}
    </div>
  )
}

function State({ view, answer, fresh }: { view: View; answer: SqlAnswer; fresh(): void }) {
  const [records] = useViewed(view, v => [v.status?.records ?? 0])
  const newer = records - answer.read
  return (
    <>
      <span role="status">
        {countText(answer.rows.length)} {plural(answer.rows.length, 'row')}
        {answer.more && <b class="warn">, there are more: the answer ends here</b>}
        <span class="muted"> in {countText(answer.ms)} ms</span>
      </span>
      <button disabled={!answer.rows.length} onClick={() => void copyText(view, csvOf(answer))}>Copy as CSV</button>
      {view.hello?.live && newer > 0 && (
        <>
          <span class="muted">without the {countText(newer)} newest records</span>
          <button onClick={fresh}>Query them too</button>
        </>
      )}
    </>
  )
}

function Tables({ list, insert }: { list: TableList; insert(text: string): void }) {
  const name = (text: string, title: string) => (
    <button class="link" title={title} onClick={() => insert(text)}>{text}</button>
  )
  return (
    <div class="sql-tables scroll" tabIndex={0} aria-label="Tables and columns">
      {list.tables.map(([table, sentence, columns]) => (
        <details key={table}>
          <summary title={sentence}>{table}</summary>
          <p class="muted">{sentence}</p>
          <ul>{columns.map(([column, says]) => <li key={column}>{name(column, says)}<span class="muted"> {says}</span></li>)}</ul>
        </details>
      ))}
      <details open>
        <summary>Views</summary>
        <ul>{list.views.map(([one, says]) => <li key={one}>{name(one, says)}<span class="muted"> {says}</span></li>)}</ul>
      </details>
    </div>
  )
}

interface EditorProps { text: string; set(text: string): void; run(): void; wrong: number | null; history: string[] }

function Editor({ text, set, run, wrong, history }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [back, setBack] = useState(0) // steps back in the history; 0: the text being typed
  const shown = useRef(wrong) // by the editor that was closed: it must not take the keys again
  useEffect(() => {
    if (shown.current === wrong) return
    shown.current = wrong
    if (wrong === null || !area.current) return
    const word = /^\w+|^\W/.exec(text.slice(wrong))?.[0].length ?? 0
    area.current.focus()
    area.current.setSelectionRange(wrong, wrong + word)
  }, [wrong])
  const recall = (to: number) => {
    if (to < 1 || to > history.length) return
    setBack(to)
    set(history[history.length - to])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      setBack(0)
      run()
    } else if (event.altKey && event.key === 'ArrowUp') recall(back + 1)
    else if (event.altKey && event.key === 'ArrowDown') recall(back - 1)
    else {
      if (event.key !== 'Escape') event.stopPropagation()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <textarea ref={area} class="sql-text" rows={5} spellcheck={false} autocomplete="off" aria-label="SQL query" value={text}
      placeholder="select ... from ...; Ctrl+Enter runs it, Alt+↑ recalls earlier ones"
      onInput={event => set(event.currentTarget.value)} onKeyDown={onKeyDown} />
  )
}

export function Sql({ view }: { view: View }) {
  const [kept] = useViewed(view, v => [!!v.hello?.kept])
  if (kept) {
    return (
      <Empty>
        SQL queries need a server: open the trace with <code>wallfly serve</code>, or use <code>wallfly query</code>.
      </Empty>
    )
  }
  return <Console view={view} />
}

function Console({ view }: { view: View }) {
  const [history, setHistory] = useState(readHistory)
  const { choices } = view
  const [typed, asked, query] = useViewed(view, v => [v.choices.text, v.choices.asked, v.choices.query])
  const [first] = useState(() => history[history.length - 1] ?? examples[0].sql)
  const text = typed ?? first
  const [, again] = useReducer((count: number) => count + 1, 0)
  const setText = (to: string) => {
    choices.text = to
    again(0) // at once, and the time line need not be drawn for it
  }
  const answer = useAnswer<SqlAnswer>(view, 'sql', asked, choices.answer)
  const tables = useAnswer<TableList>(view, 'tables', useMemo(() => ({}), []))
  const run = (sql = choices.text ?? first, fresh = false) => {
    if (!sql.trim()) return
    const next = [...history.filter(one => one !== sql), sql].slice(-HISTORY)
    setHistory(next)
    keepHistory(next)
    choices.text ??= sql
    choices.query = sql
    choices.asked = { sql, fresh, run: (choices.asked?.run ?? 0) + 1 }
    again(0)
    view.changed() // the address
  }
  const insert = (word: string) => setText(/(^|[\s(,.])$/.test(text) ? text + word : `${text} ${word}`)
  const foreign = query !== '' && text === query && asked?.sql !== query
  const data = foreign ? null : answer.data // that of another query
  const wrong = answer.error && asked?.sql === text ? errorPlace(answer.error) : null
  return (
    <div class="sql">
      <div class="sql-head">
        <div class="sql-edit">
          <Editor text={text} set={setText} run={() => run()} wrong={wrong} history={history} />
          <div class="toolbar">
            <button class="primary" disabled={answer.busy} onClick={() => run()}>Run</button>
            <select aria-label="Examples and earlier queries" value="" onChange={event => {
              const sql = event.currentTarget.value
              event.currentTarget.value = ''
              setText(sql)
              run(sql)
            }}>
              <option value="">Examples…</option>
              <optgroup label="Examples">{examples.map(one => <option key={one.title} value={one.sql}>{one.title}</option>)}</optgroup>
              {history.length > 0 && (
                <optgroup label="Earlier">
                  {[...history].reverse().slice(0, 20).map(one => <option key={one} value={one}>{clean(one.replace(/\s+/g, ' '), 70)}</option>)}
                </optgroup>
              )}
            </select>
            {foreign && <span class="muted" role="status">This query came with the address and was not run.</span>}
            {query.length > SQL_MOST && <span class="warn">Too long for the address: it has at most {countText(SQL_MOST)} letters of a query.</span>}
            <Working answer={answer} what="Querying" />
            {data && !answer.busy && <State view={view} answer={data} fresh={() => run(asked!.sql, true)} />}
          </div>
        </div>
        {tables.data && <Tables list={tables.data} insert={insert} />}
      </div>
      {data && <Result view={view} answer={data} />}
      {!data && !answer.busy && !answer.error && (
        <Empty>The first query makes a temporary database of the trace. Times in an answer lead to their places.</Empty>
      )}
    </div>
  )
}
