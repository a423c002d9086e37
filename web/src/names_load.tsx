// SPDX-License-Identifier: MIT
// Loads names from a file of the user: the target's program (ELF), a linker map, a listing of nm, or
// a dictionary file. The server reads it.

import { useRef, useState } from 'preact/hooks'
import { Progress } from './parts'
import type { Source } from './protocol'
import { clean } from './text'
import type { View } from './view'

const PIECE = 384 << 10 // bytes in a message
const MOST = 256 << 20

export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

export async function sendNames(source: Source, bytes: Uint8Array, progress: (done: number) => void): Promise<void> {
  if (!bytes.length) throw new Error('the file is empty')
  if (bytes.length > MOST) throw new Error('the file has more than 256 MB: start wallfly with --elf')
  for (let at = 0; at < bytes.length; at += PIECE) {
    progress(at)
    await source.ask('names', { at, of: bytes.length, bytes: base64(bytes.subarray(at, at + PIECE)) })
  }
}

export function LoadNames({ view }: { view: View }) {
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<{ of: [number, number] | null; error: string }>({ of: null, error: '' })
  const load = async (file: File) => {
    setState({ of: [0, file.size], error: '' })
    try {
      await sendNames(view.source, new Uint8Array(await file.arrayBuffer()), done => setState({ of: [done, file.size], error: '' }))
      // Texts of records are old ones; the address has all that is chosen.
      location.reload()
    } catch (error) {
      setState({ of: null, error: `${clean(file.name, 80)}: ${clean(String((error as Error)?.message ?? error))}` })
    }
  }
  return (
    <span class="load-names">
      <input ref={input} type="file" hidden aria-label="File with names" onChange={event => {
        const file = event.currentTarget.files?.[0]
        event.currentTarget.value = '' // so that the same file can be chosen again
        if (file) void load(file)
      }} />
      <button disabled={!!state.of} onClick={() => input.current?.click()}>Load names from a file…</button>
      {state.of && <Progress of={state.of} label="Loading names" />}
      {state.error && <span class="wrong" role="alert">{state.error}</span>}
    </span>
  )
}
