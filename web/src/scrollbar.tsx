// SPDX-License-Identifier: MIT
// A scrollbar for any number of rows: those of browsers end at some ten million pixels.

import { useRef } from 'preact/hooks'

const LEAST = 24 // minimum pixels of the thumb

export function Scrollbar({ label, place, seen, count, scroll }: {
  label: string; place: number; seen: number; count: number; scroll(to: number): void
}) {
  const bar = useRef<HTMLDivElement>(null)
  const grip = useRef<number | null>(null) // offset in the thumb at which it is held
  const height = bar.current?.clientHeight ?? 0
  if (count <= seen) return <div class="scrollbar" ref={bar} />
  const size = Math.max(LEAST, (height * seen) / count)
  const room = Math.max(1, height - size)
  const top = (room * place) / (count - seen)
  const move = (event: PointerEvent) => {
    if (grip.current === null) return
    const y = event.clientY - bar.current!.getBoundingClientRect().top - grip.current
    scroll((Math.min(Math.max(0, y), room) / room) * (count - seen))
  }
  const begin = (event: PointerEvent) => {
    const y = event.clientY - bar.current!.getBoundingClientRect().top
    grip.current = y >= top && y < top + size ? y - top : size / 2
    bar.current!.setPointerCapture(event.pointerId)
    move(event)
    event.preventDefault()
  }
  return (
    <div class="scrollbar" ref={bar} role="scrollbar" aria-label={label} aria-orientation="vertical" aria-valuemin={0}
      aria-valuemax={count - seen} aria-valuenow={place} onPointerDown={begin} onPointerMove={move}
      onPointerUp={() => { grip.current = null }} onPointerCancel={() => { grip.current = null }}>
      <div class="thumb" style={{ height: `${size}px`, transform: `translateY(${top}px)` }} />
    </div>
  )
}
