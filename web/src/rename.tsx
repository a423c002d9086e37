// SPDX-License-Identifier: MIT
// Gives a row another name.

import { useEffect, useRef } from 'preact/hooks'
import { groupNames } from './layout'
import { ownName } from './names'
import { takeNotes } from './notes'
import type { Row } from './protocol'
import { clean } from './text'
import type { View } from './view'

export const NAME_MOST = 200 // letters

// as: "": the target's own name again.
export async function renameRow(view: View, row: Row, as: string): Promise<void> {
  const own = ownName(row), text = clean(as.trim(), NAME_MOST)
  try {
    await view.source.ask('note', { rename: { kind: row.kind, name: own, as: text && text !== own ? text : null } })
    await takeNotes(view)
  } catch (error) {
    view.notify(`Not renamed: ${String((error as Error)?.message ?? error)}`)
  }
}

// The field for the name of the row that view.renaming has.
export function Rename({ view, close }: { view: View; close(): void }) {
  const row = view.rows[view.renaming], field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    field.current?.select()
    return () => before?.focus({ preventScroll: true })
  }, [])
  if (!row) return null
  const end = (as: string | null) => {
    close()
    if (as !== null) void renameRow(view, row, as)
  }
  return (
    <div class="cover" onMouseDown={event => event.target === event.currentTarget && close()}>
      <div class="search rename" role="dialog" aria-modal="true" aria-label="Rename the row"
        onKeyDown={event => {
          event.stopPropagation()
          if (event.key === 'Escape') end(null)
          else if (event.key === 'Enter' && event.target === field.current) end(field.current!.value)
        }}>
        <label class="muted" for="rename">Name shown for <bdi>{ownName(row)}</bdi> ({groupNames[row.kind].toLowerCase()})</label>
        <input id="rename" ref={field} type="text" value={row.name} maxLength={NAME_MOST} spellcheck={false} />
        <div class="buttons">
          <button class="primary" onClick={() => end(field.current!.value)}>Rename</button>
          {row.own !== undefined && <button onClick={() => end('')}>Own name again</button>}
          <button onClick={() => end(null)}>Cancel</button>
        </div>
      </div>
    </div>
  )
}
