// SPDX-License-Identifier: MIT
// Texts from a trace, made safe to show: any name from a target becomes one line that cannot
// reverse, hide or push away the text beside it.

// Control characters, marks that change the writing direction, lone surrogates (bytes that are not
// UTF-8 arrive as such).
const HOSTILE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Surrogate}]/gu

// Combining marks; a pile of them would reach into the rows above and below.
const PILE = /(\p{M}{3})\p{M}+/gu

// As wf_shown_text(): \x1b for a one-byte control or a byte that is not UTF-8, else \u202e.
function visible(char: string): string {
  const code = char.charCodeAt(0), byte = code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code
  return byte < 0x80 || byte !== code ? `\\x${byte.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

export function clean(text: string, most = 300): string {
  const cut = text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') + '…' : text
  return cut.replace(HOSTILE, visible).replace(PILE, '$1\ufffd')
}

// An address without its leading zeros.
export function shortKey(name: string): string {
  return name.replace(/^0x0+(?=[0-9a-f]{4})/i, '0x')
}

export function plural(count: number, one: string, many = one + 's'): string {
  return count === 1 ? one : many
}

// "0A 1B 2C" or "0a1b2c" as numbers; other characters are skipped.
export function bytesOf(hex: string): number[] {
  const digits = hex.replace(/[^0-9a-f]/gi, '')
  return Array.from({ length: digits.length >> 1 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}

export interface DumpLine { at: number; hex: string[]; ascii: string }

export function dump(bytes: number[], at: number, width = 16): DumpLine[] {
  const lines: DumpLine[] = []
  for (let i = 0; i < bytes.length; i += width) {
    const part = bytes.slice(i, i + width)
    lines.push({
      at: at + i,
      hex: part.map(byte => byte.toString(16).padStart(2, '0')),
      ascii: part.map(byte => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '·')).join('')
    })
  }
  return lines
}

// Returns "950 bytes", "1.2 KB", "35 MB".
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let n = bytes, unit = 0
  for (; n >= 999.5 && unit < units.length - 1; unit++) n /= 1000
  return `${unit && n < 9.95 ? n.toFixed(1) : Math.round(n)} ${units[unit]}`
}
