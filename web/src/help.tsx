// SPDX-License-Identifier: MIT
// The help: all keys, from the tables that dispatch them.

import { useLayoutEffect, useRef } from 'preact/hooks'
import { actions } from './actions'
import { canvasKeys } from './keys'
import type { View } from './view'

interface HelpRow { keys: string[]; says: string }

const shown: { [key: string]: string } = {
  ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space', Escape: 'Esc'
}

export function shownKey(key: string): string {
  return shown[key] ?? key
}

function Keys({ keys }: { keys: string[] }) {
  return (
    <>
      {keys.map((key, i) => (
        <span key={key}>{i > 0 && ' '}{key.split(/(?<=.)\+(?=.)/).map(part => <kbd key={part}>{shownKey(part)}</kbd>)}</span>
      ))}
    </>
  )
}

function Table({ title, rows }: { title: string; rows: HelpRow[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {rows.map(row => <div key={row.keys.join()}><dt><Keys keys={row.keys} /></dt><dd>{row.says}</dd></div>)}
      </dl>
    </section>
  )
}

const pointer: HelpRow[] = [
  { keys: ['wheel'], says: 'zoom at the pointer; over names: scroll' },
  { keys: ['Shift+wheel'], says: 'earlier, later' },
  { keys: ['drag'], says: 'select and measure; drag an edge to move it' },
  { keys: ['Shift+drag'], says: 'pan; also with the middle button' },
  { keys: ['click'], says: 'pick a slice; twice: zoom to it' },
  { keys: ['Shift+click'], says: 'another slice or record: measure the time between both' },
  { keys: ['click a tag'], says: 'choose a marker; drag: move it; twice: change its note' },
  { keys: ['right click'], says: 'menu of a slice, a name or a record; also a long press, and the menu key or Shift+F10' },
  { keys: ['drag a name'], says: 'reorder rows; signs beside it expand, pin and hide' }
]

const table: HelpRow[] = [
  { keys: ['ArrowUp', 'ArrowDown'], says: 'previous, next record' },
  { keys: ['PageUp', 'PageDown'], says: 'a page back, forward' },
  { keys: ['Home', 'End'], says: 'first, last record' },
  { keys: ['Enter'], says: 'show the record on the time line' }
]

// The keys of all panels share one line.
function everywhere(view: View): HelpRow[] {
  const own = actions.filter(action => !action.only || action.only(view))
  const open = own.filter(action => action.opens)
  return [...own.filter(action => !action.opens),
    { keys: open.flatMap(action => action.keys), says: open.map(action => action.opens).join(', ') }]
}

// The licences, which are a comment in the page's head (see build.mjs).
function notices(): string {
  const comment = [...document.head.childNodes].find(node => node.nodeType === Node.COMMENT_NODE)
  return comment?.nodeValue?.trim() ?? ''
}

export function Help({ view, close }: { view: View; close(): void }) {
  const dialog = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    dialog.current?.focus()
    return () => before?.focus()
  }, [])
  return (
    <div class="cover" onMouseDown={event => event.target === event.currentTarget && close()}>
      <div class="help" role="dialog" aria-modal="true" aria-label="Help" tabIndex={-1} ref={dialog}
        onKeyDown={event => {
          if (event.key === 'Escape' || event.key === '?') {
            close()
            event.preventDefault()
          } else if (event.key === 'Tab') {
            const stops = [...dialog.current!.querySelectorAll<HTMLElement>('button, summary')]
            const at = stops.indexOf(document.activeElement as HTMLElement)
            stops[(at + stops.length + (event.shiftKey ? -1 : 1)) % stops.length]?.focus()
            event.preventDefault()
          }
          event.stopPropagation()
        }}>
        <div class="help-head">
          <h2>Keys</h2>
          <button class="icon" aria-label="Close" onClick={close}>×</button>
        </div>
        <div class="help-body">
          <div>
            <Table title="Time line" rows={canvasKeys} />
            <Table title="Time line, with the pointer" rows={pointer} />
          </div>
          <div>
            <Table title="Everywhere" rows={everywhere(view)} />
            <Table title="Table of records" rows={table} />
          </div>
        </div>
        <p class="muted">wallfly {view.hello?.version ?? ''}. The address of this page keeps all that is chosen: c copies it, to come back or to send it.</p>
        <details class="notices">
          <summary>Licences of what is in this page</summary>
          <pre>{notices()}</pre>
        </details>
      </div>
    </div>
  )
}
