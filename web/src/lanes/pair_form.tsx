// SPDX-License-Identifier: MIT
// The form of pairs: which records of two traces belong together, and what was found.

import { useState } from 'preact/hooks'
import { clean } from '../text'
import { countText } from '../times'
import { basisWords } from './basis'
import type { Lanes } from './group'
import { hows, howNames } from './pairs'
import type { How, PairKind } from './pairs'

function Traces({ names, value, label, set }: { names: string[]; value: number; label: string; set(side: number): void }) {
  return (
    <select aria-label={label} value={value} onChange={event => set(Number(event.currentTarget.value))}>
      {names.map((name, i) => <option key={i} value={i}>{clean(name, 60)}</option>)}
    </select>
  )
}

function Row({ kind, names, set, remove }: { kind: PairKind; names: string[]; set(change: Partial<PairKind>): void; remove(): void }) {
  return (
    <div class="pair-row">
      <Traces names={names} label="Trace" value={kind.from} set={from => set({ from })} />
      <select aria-label="How" value={kind.how} onChange={event => set({ how: event.currentTarget.value as How })}>
        {hows.map(how => <option key={how} value={how}>{howNames[how]}</option>)}
      </select>
      <Traces names={names} label="Other trace" value={kind.to} set={to => set({ to })} />
      <label>records with <input size={14} value={kind.text} onInput={event => set({ text: event.currentTarget.value })} /></label>
      <label>and there with <input size={14} value={kind.other} onInput={event => set({ other: event.currentTarget.value })} /></label>
      <button class="icon" aria-label="Remove this kind of pair" onClick={remove}>×</button>
    </div>
  )
}

function Found({ lanes, names }: { lanes: Lanes; names: string[] }) {
  return (
    <ul class="pair-found" role="status">
      {lanes.pairings.map(({ group, answer, error }, i) => (
        <li key={i}>
          {clean(names[group.from], 40)} and {clean(names[group.to], 40)}:{' '}
          {error ? <span class="wrong">{clean(error)}</span> : !answer ? 'reading…' : (
            <>
              {group.kinds.map((kind, k) => {
                const { pairs, here, there, twice, without } = answer.counts[k]
                return (
                  <span key={k}>
                    {countText(pairs)} pairs of {countText(here)} “{clean(kind.text, 40)}” and {countText(there)} “{clean(kind.other, 40)}”
                    {twice > 0 && `, ${countText(twice)} whose number is not the only one`}
                    {without > 0 && `, ${countText(without)} without a number`}.{' '}
                  </span>
                )
              })}
              {answer.full && 'There are more records than are kept. '}
              {answer.left > 0 && `Arrows show the first ${countText(answer.pairs.length)} pairs, not the other ${countText(answer.left)}. `}
              {basisWords(answer.basis)}
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

// Two changes can come before the form is drawn again: each changes what the one before has left.
export function PairForm({ lanes, names }: { lanes: Lanes; names: string[] }) {
  const fresh = (): PairKind => ({ from: 0, how: 'sent', text: '', to: 1, other: '' })
  const [kinds, setKinds] = useState<PairKind[]>(() => (lanes.kinds.length > 0 ? lanes.kinds : [fresh()]))
  const good = kinds.length > 0 && kinds.every(kind => kind.text && kind.other && kind.from !== kind.to)
  const find = async (event: Event) => {
    event.preventDefault()
    if (!good) return
    await lanes.pair(kinds)
  }
  return (
    <form class="pair-form" onSubmit={event => void find(event)} onKeyDown={event => event.stopPropagation()}>
      <p class="muted">Records of two traces belong together if the first whole number in their words is the same: the number of a message, say.</p>
      {kinds.map((kind, i) => (
        <Row key={i} kind={kind} names={names} set={to => setKinds(was => was.map((one, k) => (k === i ? { ...one, ...to } : one)))}
          remove={() => setKinds(was => was.filter((_, k) => k !== i))} />
      ))}
      <div class="pair-row">
        <button type="button" onClick={() => setKinds(was => [...was, fresh()])} disabled={kinds.length >= 8}>Another kind of pair</button>
        <button type="submit" disabled={!good}>Find and align</button>
      </div>
      <Found lanes={lanes} names={names} />
    </form>
  )
}
