// SPDX-License-Identifier: MIT
// A time line in a frame of its own: a page, or an address.

import { useEffect, useRef } from 'preact/hooks'
import type { Synced } from './synced'

// The time lines are told when this one has been made.
export function Frame({ side, page, address, title, synced }:
  { side: number; page?: string; address?: string; title: string; synced: Synced }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    let waiting = 0
    const look = () => {
      const window = frame.current?.contentWindow as (Window & typeof globalThis) | null
      if (window?.wallfly) synced.add(side, window)
      else waiting = requestAnimationFrame(look)
    }
    if (page !== undefined) frame.current!.srcdoc = page
    else frame.current!.src = address!
    waiting = requestAnimationFrame(look)
    return () => cancelAnimationFrame(waiting)
  }, [])
  return <iframe class="trace-frame" title={title} ref={frame} />
}
