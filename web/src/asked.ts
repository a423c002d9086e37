// SPDX-License-Identifier: MIT
// The answer of the server for the visible range: one request at a time, when the view has come to
// rest.

import type { View } from './view'

const PAUSE_MS = 120

export class Asked<T> {
  data: T
  from = 0 // the range of the data
  until = 0
  version = -1
  private flying = false
  private asked = 0
  private timer = 0

  constructor(private readonly view: View, private readonly came: () => void, private readonly nothing: T,
              private readonly ask: (from: number, until: number) => Promise<T>) {
    this.data = nothing
  }

  // Called for each frame: requests the data if the range has changed, or there is `news` of it.
  want(from: number, until: number, version: number, news: boolean): void {
    if (from === this.from && until === this.until && !news) return
    if (this.flying || this.timer || !this.view.linked) return
    const wait = this.asked + PAUSE_MS - performance.now()
    if (wait > 0) this.timer = window.setTimeout(() => {
      this.timer = 0
      this.came()
    }, wait)
    else void this.fetch(from, until, version)
  }

  get busy(): boolean {
    return this.flying || this.timer !== 0
  }

  private async fetch(from: number, until: number, version: number): Promise<void> {
    this.flying = true
    try {
      this.data = await this.ask(Math.floor(from), Math.ceil(until))
    } catch {
      this.data = this.nothing
    }
    Object.assign(this, { from, until, version })
    this.asked = performance.now()
    this.flying = false
    this.came()
  }
}
