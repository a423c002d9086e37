// SPDX-License-Identifier: MIT
// The field for the note of the chosen marker, at its tag.

import { OVERVIEW, RULER } from './geometry'
import { endNote, NOTE_MOST } from './markers'
import type { Pen } from './pen'
import type { View } from './view'

const WIDTH = 220 // pixels

export class NoteEdit {
  private field: HTMLInputElement | null = null

  constructor(private readonly view: View, private readonly host: HTMLElement) {}

  // Opens, moves or closes the field as the view has it. Called for each frame.
  place(pen: Pen): void {
    const { marker, editing } = this.view
    if (!marker || !editing) return this.close()
    const field = this.field ?? this.open(marker.note)
    const room = pen.left + pen.width - WIDTH
    field.style.width = `${Math.min(WIDTH, pen.width)}px`
    field.style.left = `${Math.max(pen.left, Math.min(pen.x(marker.t), room))}px`
    field.style.top = `${OVERVIEW + RULER + 2}px`
  }

  private open(note: string): HTMLInputElement {
    const field = this.field = document.createElement('input')
    field.className = 'note-edit'
    field.value = note
    field.maxLength = NOTE_MOST
    field.placeholder = 'Note: Enter keeps it, Esc does not'
    field.setAttribute('aria-label', 'Note of the marker')
    field.onkeydown = event => {
      event.stopPropagation()
      if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
      event.preventDefault()
      this.end(event.key === 'Enter' ? field.value : null)
    }
    field.onpointerdown = event => event.stopPropagation()
    field.onblur = () => this.end(field.value)
    this.host.append(field)
    field.focus()
    return field
  }

  private end(note: string | null): void {
    if (!this.field) return
    this.close()
    endNote(this.view, note)
    this.host.focus({ preventScroll: true })
  }

  close(): void {
    const { field } = this
    this.field = null // so that its blur ends nothing
    field?.remove()
  }
}
