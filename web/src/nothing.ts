// SPDX-License-Identifier: MIT
// Returns whether there is nothing to draw: all input is read, and there are no rows.

import type { View } from './view'

export function saysNothing(view: View): boolean {
  const { status } = view
  return !!status && status.records > 0 && !status.progress && view.rev === status.rev && view.rows.length === 0
}
