// SPDX-License-Identifier: MIT
// 64-bit integers in the fields of records and in answers of SQL, exactly: JSON.parse rounds those beyond 2^53.

import type { TraceRecord } from './protocol'

// Strings are matched so that digits in them are skipped.
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const MEMBER = '\u0000integer' // not the name of any field

function wrapped(token: string): string {
  const large = /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token))
  return large ? `{${JSON.stringify(MEMBER)}:"${token}"}` : token
}

function unwrapped(_: string, value: unknown): unknown {
  const digits = value && typeof value === 'object' ? (value as { [name: string]: unknown })[MEMBER] : undefined
  return typeof digits === 'string' ? BigInt(digits) : value
}

// Rows are those of an SQL answer if they have columns.
interface Answer { record?: TraceRecord | null; records?: TraceRecord[]; columns?: unknown[]; rows?: unknown[] }

function recordsOf({ record, records }: Answer): TraceRecord[] {
  return [...records ?? [], ...record ? [record] : []]
}

// Like JSON.parse, but such integers in `fields` and in rows of SQL are bigints. Code calculates with all others.
export function parseExact<T>(text: string): T {
  const answer = JSON.parse(text) as T & Answer
  const ofSql = answer.columns !== undefined && answer.rows !== undefined
  if (!/\d{16}/.test(text) || (!ofSql && recordsOf(answer).length === 0)) return answer
  const exact = JSON.parse(text.replace(tokens, wrapped), unwrapped) as Answer, records = recordsOf(exact)
  if (ofSql) answer.rows = exact.rows
  recordsOf(answer).forEach((record, i) => {
    if (record.fields) record.fields = records[i].fields
  })
  return answer
}
