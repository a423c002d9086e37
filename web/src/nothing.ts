// SPDX-License-Identifier: MIT
// Is there nothing to draw? Only when all has been read and all rows have been asked for.

import type { View } from './view'

export function saysNothing(view: View): boolean {
  const { status } = view
  return !!status && status.records > 0 && !status.progress && view.rev === status.rev && view.rows.length === 0
}
