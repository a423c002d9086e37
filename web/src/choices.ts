// SPDX-License-Identifier: MIT
// What is chosen in panels. A panel that is closed is gone with its own state; this stays as long as
// the page, and hash.ts has a part of it in the address.

import type { Filter } from './history'
import type { SqlAnswer } from './sql'
import type { Kept } from './use'

export interface Choices {
  object: number // the thing whose history is shown; -1: the first that has one
  events: Filter // of them these are shown
  task: number // of all tasks; -1
  figures: string // kind of the statistics that is shown
  query: string // SQL that was run last, or came with the address and was not run
  text: string | null // of the editor; null: nothing was typed or run
  asked: { sql: string; fresh: boolean; run: number } | null // run here
  answer: Kept<SqlAnswer> // to it
}

export const FIGURES = 'task' // the kind without a choice

export function noChoices(): Choices {
  return {
    object: -1, events: '', task: -1, figures: FIGURES, query: '', text: null, asked: null, answer: { key: null, state: null }
  }
}

// Another object: its tasks are others.
export function chooseObject(choices: Choices, object: number): void {
  choices.object = object
  choices.task = -1
}
