// SPDX-License-Identifier: MIT
// Arms the trigger of a live trace.

import { useState } from 'preact/hooks'
import { goTime } from '../go'
import { clean } from '../text'
import { timeText } from '../times'
import type { Trigger } from '../trigger'
import { useViewed } from '../use'
import type { View } from '../view'

const SHORTEST = 2 // letters

function State({ view }: { view: View }) {
  const [armed, hit, error] = useViewed(view, v => [v.triggers.armed, v.triggers.hit, v.triggers.error])
  const at = hit && <button class="link" onClick={() => goTime(view, hit.at)}>{timeText(hit.at, view.hello?.hz ?? 0)}</button>
  if (error) return <span class="wrong" role="alert">{clean(error)}</span>
  if (armed && hit) return <span role="status">Hit at {at}; the time behind it is awaited</span>
  if (armed) return <span role="status">Armed: waits for {armed.on === 'loss' ? 'a loss' : `a record with “${clean(armed.text, 60)}”`}</span>
  return <span role="status" class="muted">{hit ? <>Was hit at {at}</> : 'Not armed'}</span>
}

export function TriggerPanel({ view }: { view: View }) {
  const [armed] = useViewed(view, v => [v.triggers.armed])
  const [trigger, set] = useState<Trigger>(view.triggers.armed ?? { on: 'loss', text: '', around: 1, save: false })
  const [seconds, setSeconds] = useState(String(trigger.around)) // as typed: "0." is not a number yet
  const change = (part: Partial<Trigger>) => set({ ...trigger, ...part })
  const ready = (trigger.on === 'loss' || trigger.text.trim().length >= SHORTEST) && Number(seconds) > 0
  return (
    <div class="trigger">
      <form class="form-row" onSubmit={event => {
        event.preventDefault()
        if (armed) view.triggers.disarm()
        else if (ready) view.triggers.arm({ ...trigger, text: trigger.text.trim(), around: Number(seconds) })
      }}>
        <label>Freeze at
          <select aria-label="Event" value={trigger.on} disabled={!!armed} onChange={event => change({ on: event.currentTarget.value as Trigger['on'] })}>
            <option value="loss">a loss</option><option value="text">a record with a text</option>
          </select>
        </label>
        {trigger.on === 'text' && <input type="text" aria-label="Text" placeholder="in its name or words" value={trigger.text} disabled={!!armed}
          spellcheck={false} onInput={event => change({ text: event.currentTarget.value })} />}
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
