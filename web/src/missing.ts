// SPDX-License-Identifier: MIT
// Words for the missing records in the holes and in all, without contradictions.

import { plural } from './text'
import { countText } from './times'

// told: missing records in the holes; missing: missing records in all.
export function missingOf(told: number, missing: number, holes: readonly { missing: number }[]): string {
  const some = holes.some(hole => !hole.missing)
  if (!missing && !told) return some ? ', it is not known how many records are missing' : ''
  const of = told === missing ? countText(missing) : `${countText(told)} of ${countText(missing)}`
  return `, ${of} missing ${plural(missing, 'record')}${some ? ', and some of which it is not known how many' : ''}`
}
