// SPDX-License-Identifier: MIT
// The context menu: the entries of menu.ts that apply, with the keyboard and the pointer.

import './context_menu.css'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { entriesFor, entryLabel, targetName } from './menu'
import type { Target } from './menu'
import { shownKey } from './help'
import type { View } from './view'

const EDGE = 6 // pixels that stay free at the window's edges

export interface OpenMenu { at: Target; x: number; y: number }

export function ContextMenu({ view, menu, close }: { view: View; menu: OpenMenu; close(): void }) {
  const { at, x, y } = menu
  const box = useRef<HTMLDivElement>(null)
  const [entries] = useState(() => entriesFor(view, at))
  const [chosen, choose] = useState(0)
  const before = useRef(document.activeElement as HTMLElement | null)
  useLayoutEffect(() => {
    const { offsetWidth, offsetHeight, style } = box.current!
    style.left = `${Math.max(EDGE, Math.min(x, innerWidth - offsetWidth - EDGE))}px`
    style.top = `${Math.max(EDGE, Math.min(y, innerHeight - offsetHeight - EDGE))}px`
    const element = before.current
    addEventListener('resize', close)
    return () => {
      removeEventListener('resize', close)
      element?.focus({ preventScroll: true })
    }
  }, [])
  useLayoutEffect(() => {
    box.current!.querySelectorAll<HTMLElement>('[role=menuitem]')[chosen]?.focus()
  }, [chosen])
  const run = (place: number) => {
    close()
    entries[place]?.run(view, at)
  }
  const step = (by: number) => choose((chosen + by + entries.length) % entries.length)
  const keys: { [key: string]: () => void } = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), Home: () => choose(0), End: () => choose(entries.length - 1),
    Enter: () => run(chosen), ' ': () => run(chosen), Escape: close, Tab: close
  }
  // A letter goes to the next entry that begins with it.
  const letter = (key: string) => {
    const order = entries.map((_, i) => (chosen + 1 + i) % entries.length)
    const next = order.find(i => entryLabel(entries[i], view, at).toLowerCase().startsWith(key.toLowerCase()))
    if (next !== undefined) choose(next)
  }
  return (
    <div class="menu-cover" onPointerDown={event => event.target === event.currentTarget && close()}
      onWheel={close} onContextMenu={event => event.preventDefault()}>
      <div class="menu" role="menu" aria-label={targetName(view, at) || 'Menu'} ref={box}
        onKeyDown={event => {
          event.stopPropagation()
          if (keys[event.key]) keys[event.key]()
          else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) letter(event.key)
          else return
          event.preventDefault()
        }}>
        <div class="menu-title" aria-hidden="true"><bdi>{targetName(view, at)}</bdi></div>
        {entries.map((entry, i) => (
          <div key={i} role="menuitem" tabIndex={-1} class={i > 0 && entries[i - 1].group !== entry.group ? 'first' : ''}
            aria-keyshortcuts={entry.keys?.join(' ')} onPointerMove={() => i !== chosen && choose(i)} onClick={() => run(i)}>
            <bdi>{entryLabel(entry, view, at)}</bdi>
            {entry.keys && <kbd aria-hidden="true">{shownKey(entry.keys[0])}</kbd>}
          </div>
        ))}
      </div>
    </div>
  )
}
