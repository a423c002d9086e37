// SPDX-License-Identifier: MIT
// The time line: rows of what happened, over a ruler and an overview of the whole trace.

import type { View } from './view'

export class Canvas {
  constructor(readonly view: View, readonly host: HTMLElement) {
    host.classList.add('timeline')
  }

  dispose(): void {
    this.host.classList.remove('timeline')
  }
}
