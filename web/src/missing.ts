// SPDX-License-Identifier: MIT
// How many of the missing records are in the holes, in words that do not contradict each other.

import { plural } from './text'
import { countText } from './times'

// told: how many the holes have; missing: how many there are in all.
export function missingOf(told: number, missing: number, holes: readonly { missing: number }[]): string {
  const some = holes.some(hole => !hole.missing)
  if (!missing && !told) return some ? ', it is not known how many records are missing' : ''
  const of = told === missing ? countText(missing) : `${countText(told)} of ${countText(missing)}`
  return `, ${of} missing ${plural(missing, 'record')}${some ? ', and some of which it is not known how many' : ''}`
}
