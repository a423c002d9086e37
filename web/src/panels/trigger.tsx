// SPDX-License-Identifier: MIT
// Arms the trigger of a live trace.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { goTime } from '../go'
import { clean } from '../text'
import { timeText } from '../times'
import { limitText, measures } from '../trigger'
import type { Limit, Trigger } from '../trigger'
import { useViewed } from '../use'
import type { View } from '../view'

const SHORTEST = 2 // letters

function waitsFor(view: View, armed: Trigger): string {
  switch (armed.on) {
    case 'loss': return 'a loss'
    case 'limit': return limitText(armed.limit)
    case 'rule': return armed.rule < 0 ? 'a failure of any rule' : `a failure of ${view.rules.rules[armed.rule]?.title ?? ''}`
    default: return `a record with “${clean(armed.text, 60)}”`
  }
}

function State({ view }: { view: View }) {
  const [armed, hit, error] = useViewed(view, v => [v.triggers.armed, v.triggers.hit, v.triggers.error])
  const at = hit && <button class="link" onClick={() => goTime(view, hit.at)}>{timeText(hit.at, view.hello?.hz ?? 0)}</button>
  if (error) return <span class="wrong" role="alert">{clean(error)}</span>
  if (armed && hit) return <span role="status">Hit at {at}; the time behind it is awaited</span>
  if (armed) return <span role="status">Armed: waits for {waitsFor(view, armed)}</span>
  return <span role="status" class="muted">{hit ? <>Was hit at {at}</> : 'Not armed'}</span>
}

// The length or the number that is limited. value: as typed.
function LimitFields({ view, limit, value, fixed, set, setValue }: {
  view: View; limit: Limit | null; value: string; fixed: boolean; set(limit: Limit): void; setValue(value: string): void
}) {
  const [rows] = useViewed(view, v => [v.rows])
  const all = useMemo(() => measures(view), [rows])
  const chosen = all.find(one => one.track === limit?.track) ?? all[0]
  const start = () => { // the first one is chosen at the begin
    if (chosen && chosen.track !== limit?.track) set({ ...chosen, is: chosen.isLength ? 'longer' : 'above', value: 0 })
  }
  useEffect(start, [chosen?.track])
  if (!chosen) return <span class="muted">the trace has nothing with a length or number yet</span>
  return (
    <>
      <select aria-label="What is limited" value={chosen.track} disabled={fixed} onChange={event => {
        const one = all.find(other => other.track === Number(event.currentTarget.value))!
        set({ ...one, is: one.isLength ? 'longer' : 'above', value: limit?.value ?? 0 })
      }}>
        {all.map(one => <option key={one.track} value={one.track}>{one.of}</option>)}
      </select>
      {chosen.isLength ? <span>longer than</span> : (
        <select aria-label="Above or below" value={limit?.is} disabled={fixed} onChange={event =>
          set({ ...limit!, is: event.currentTarget.value as Limit['is'] })}>
          <option value="above">above</option><option value="below">below</option>
        </select>
      )}
      <input type="text" inputMode="decimal" class="short" aria-label={chosen.isLength ? 'Milliseconds' : 'Bound'} value={value} disabled={fixed}
        onInput={event => setValue(event.currentTarget.value)} />
      {chosen.isLength && <span>ms</span>}
    </>
  )
}

function RuleField({ view, rule, fixed, set }: { view: View; rule: number; fixed: boolean; set(rule: number): void }) {
  const [{ rules }] = useViewed(view, v => [v.rules])
  if (rules.length === 0) return <span class="muted">start with --rules=FILE to have rules</span>
  if (!rules.some(one => one.live)) return <span class="muted">no rule is decided while the trace goes on</span>
  return (
    <select aria-label="Rule" value={rule} disabled={fixed} onChange={event => set(Number(event.currentTarget.value))}>
      <option value={-1}>any rule</option>
      {rules.map((one, i) => (
        <option key={i} value={i} disabled={!one.live}>{clean(one.title, 80)}{!one.live && `: ${clean(one.text, 80)}`}</option>
      ))}
    </select>
  )
}

// Returns the limit with the bound that is typed; null: it is no number.
function limitOf(limit: Limit | null, value: string): Limit | null {
  const n = value.trim() ? Number(value) : NaN
  if (!limit || !Number.isFinite(n) || (limit.is === 'longer' && n < 0)) return null
  return { ...limit, value: limit.is === 'longer' ? n / 1000 : n }
}

export function TriggerPanel({ view }: { view: View }) {
  const [armed, rules] = useViewed(view, v => [v.triggers.armed, v.rules.rules.some(one => one.live)])
  const [trigger, set] = useState<Trigger>(view.triggers.armed ?? { on: 'loss', text: '', limit: null, rule: -1, around: 1, save: false })
  const [seconds, setSeconds] = useState(String(trigger.around)) // as typed: "0." is not a number yet
  const [bound, setBound] = useState(trigger.limit ? String(trigger.limit.is === 'longer' ? trigger.limit.value * 1000 : trigger.limit.value) : '')
  const limit = trigger.on === 'limit' ? limitOf(trigger.limit, bound) : null
  const change = (part: Partial<Trigger>) => set({ ...trigger, ...part })
  const asked = { loss: true, limit: !!limit, rule: rules, text: trigger.text.trim().length >= SHORTEST }[trigger.on]
  const ready = asked && Number(seconds) > 0
  return (
    <div class="trigger">
      <form class="form-row" onSubmit={event => {
        event.preventDefault()
        if (armed) view.triggers.disarm()
        else if (ready) view.triggers.arm({ ...trigger, text: trigger.text.trim(), limit, around: Number(seconds) })
      }}>
        <label>Freeze at
          <select aria-label="Event" value={trigger.on} disabled={!!armed} onChange={event => change({ on: event.currentTarget.value as Trigger['on'] })}>
            <option value="loss">a loss</option><option value="text">a record with a text</option><option value="limit">a limit</option>
            <option value="rule">a failure of a rule</option>
          </select>
        </label>
        {trigger.on === 'text' && <input type="text" aria-label="Text" placeholder="in its name or words" value={trigger.text} disabled={!!armed}
          spellcheck={false} onInput={event => change({ text: event.currentTarget.value })} />}
        {trigger.on === 'limit' && <LimitFields view={view} limit={trigger.limit} value={bound} fixed={!!armed}
          set={one => change({ limit: one })} setValue={setBound} />}
        {trigger.on === 'rule' && <RuleField view={view} rule={trigger.rule} fixed={!!armed} set={rule => change({ rule })} />}
        <label>with
          <input type="text" inputMode="decimal" class="short" aria-label="Seconds on either side" value={seconds} disabled={!!armed}
            onInput={event => setSeconds(event.currentTarget.value)} />
          s on either side
        </label>
        <label><input type="checkbox" checked={trigger.save} disabled={!!armed} onChange={event => change({ save: event.currentTarget.checked })} />and save it as a recording</label>
        <button class="primary" type="submit" disabled={!armed && !ready}>{armed ? 'Disarm' : 'Arm'}</button>
      </form>
      <State view={view} />
    </div>
  )
}
