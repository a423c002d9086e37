// SPDX-License-Identifier: MIT
// The recording of a live target on the computer of the server: its state, and the button that
// begins and ends it.

import { useState } from 'preact/hooks'
import { sizeText, clean } from './text'
import { useViewed } from './use'
import type { View } from './view'

// Returns "12 s" or "3:05".
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const pad = (n: number) => String(n).padStart(2, '0')
  return h ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`
}

export function RecordButton({ view }: { view: View }) {
  const [hello, linked, recording] = useViewed(view, v => [v.hello, v.linked, v.status?.recording ?? null])
  const [busy, setBusy] = useState(false)
  if (!hello?.live || hello.kept || !linked) return null
  const words = recording && <>
    <span class="dot" aria-hidden="true" /><span class="word">Recording</span>
    <span class="muted">{durationText(recording.seconds)}, {sizeText(recording.bytes)}</span>
  </>
  if (!hello.commands) {
    return recording && <span class="state records" title={clean(recording.file)}>{words}</span>
  }
  const toggle = async () => {
    setBusy(true)
    try {
      await view.source.ask('recording', { on: !recording })
      view.notify(recording ? `Recorded in ${clean(recording.file)}` : 'Recording')
    } catch (error) {
      view.notify(`Not recorded: ${clean(String((error as Error)?.message ?? error))}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <button class={`state ${recording ? 'records' : 'still'}`} disabled={busy} aria-pressed={!!recording} aria-label={recording ? 'Recording' : 'Record'} onClick={() => void toggle()}
      title={recording ? `Recorded in ${clean(recording.file)}; click to end` : 'Record from now on, in a file on the computer that runs wallfly'}>
      {words ?? <><span class="dot" aria-hidden="true" />Record</>}
    </button>
  )
}
