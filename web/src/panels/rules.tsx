// SPDX-License-Identifier: MIT
// Rules with their verdicts, the worst first, and the failures of the chosen one.

import { useEffect, useState } from 'preact/hooks'
import type { Rule } from '../protocol'
import type { View } from '../view'
import { goMark, goRule, marksOfRule, stepMark } from '../go'
import { hasMarks } from '../marks'
import type { Mark } from '../marks'
import { Empty, Name } from '../parts'
import { plural } from '../text'
import { countText, shortLength, timeText } from '../times'
import { useViewed } from '../use'

const PAGE = 200 // failures requested at once

export const signs: { [verdict: string]: string } = { fail: '✗', 'cannot tell': '?', note: '•', pass: '✓' }
const severity = ['fail', 'cannot tell', 'note', 'pass']

// The worst first: by verdict, then by the margin that is left.
export function byVerdict(rules: Rule[]): number[] {
  const margin = (rule: Rule) => rule.margin ?? Infinity
  return rules.map((_, i) => i).sort((a, b) =>
    severity.indexOf(rules[a].verdict) - severity.indexOf(rules[b].verdict) ||
    (margin(rules[a]) < margin(rules[b]) ? -1 : margin(rules[a]) > margin(rules[b]) ? 1 : a - b))
}

export function marginText(margin: number | null): string {
  if (margin === null) return ''
  const digits = Math.abs(margin) < 10 ? 1 : 0
  return `${margin < 0 ? '−' : ''}${Math.abs(margin).toFixed(digits)} %`
}

export function Verdict({ verdict }: { verdict: string }) {
  return (
    <span class={`verdict ${verdict.replace(' ', '-')}`}>
      <span class="verdict-sign" aria-hidden="true">{signs[verdict]}</span>{verdict}
    </span>
  )
}

// Arrow keys go from button to button of a list.
function walk(event: KeyboardEvent): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (!by) return
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('tbody button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  buttons[Math.max(0, Math.min(buttons.length - 1, at + by))]?.focus()
  event.preventDefault()
}

function RuleList({ view, chosen, choose }: { view: View; chosen: number; choose(rule: number): void }) {
  const [{ rules }] = useViewed(view, v => [v.rules])
  return (
    <div class="rule-list" onKeyDown={walk}>
      <table class="figures" aria-label="Rules">
        <thead>
          <tr>
            <th scope="col">verdict</th><th scope="col">rule</th>
            <th scope="col" class="number" title="Distance to the bound that is closest, in per cent of it">margin</th>
            <th scope="col" class="number">failures</th>
          </tr>
        </thead>
        <tbody>
          {byVerdict(rules).map(number => {
            const rule = rules[number]
            return (
              <tr key={number} class={number === chosen ? 'chosen' : ''}>
                <td><Verdict verdict={rule.verdict} /></td>
                <th scope="row">
                  <button class="link" aria-current={number === chosen} title={rule.text}
                    onClick={() => {
                      choose(number)
                      void goRule(view, number)
                    }}><Name text={rule.title} most={120} /></button>
                </th>
                <td class={`number${rule.margin !== null && rule.margin < 0 ? ' failed' : ''}`}>{marginText(rule.margin)}</td>
                <td class="number">{rule.failures ? countText(rule.failures) : ''}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

// The marks of a rule, requested again when they change.
function useMarks(view: View, rule: number, most: number): { count: number; marks: Mark[] } {
  const [{ rev }] = useViewed(view, v => [v.rules])
  const [state, set] = useState<{ rule: number; count: number; marks: Mark[] }>({ rule: -1, count: 0, marks: [] })
  useEffect(() => {
    let current = true
    const load = async () => {
      const found: { count: number; marks: Mark[] } = { count: 0, marks: [] }
      do {
        const next = await marksOfRule(view, rule, found.marks.length, PAGE)
        if (next.marks.length === 0) break
        found.count = next.count
        found.marks.push(...next.marks)
      } while (found.marks.length < Math.min(most, found.count))
      if (current) set({ rule, ...found })
    }
    if (rule >= 0) void load().catch(() => undefined)
    return () => { current = false }
  }, [view, rule, rev, most])
  return state.rule === rule ? state : { count: 0, marks: [] }
}

function Failures({ view, rule }: { view: View; rule: number }) {
  const [most, setMost] = useState(PAGE)
  const [{ rules }, mark, hello] = useViewed(view, v => [v.rules, v.mark, v.hello])
  const { count, marks } = useMarks(view, rule, most)
  const hz = hello?.hz ?? 0
  const about = rules[rule]
  if (!about) return null
  return (
    <div class="failures" onKeyDown={walk}>
      <p class="rule-text"><bdi>{about.text}</bdi></p>
      {marks.length > 0 && (
        <table class="figures" aria-label="Failures of the rule, the worst first">
          <thead>
            <tr><th scope="col" class="number">at</th><th scope="col" class="number">length</th><th scope="col">failure</th></tr>
          </thead>
          <tbody>
            {marks.map(one => (
              <tr key={one.number} class={one.number === mark?.number ? 'chosen' : ''}>
                <td class="number">
                  <button class="link" aria-current={one.number === mark?.number} onClick={() => goMark(view, one)}>
                    {timeText(one.from, hz)}
                  </button>
                </td>
                <td class="number">{one.until > one.from ? shortLength(one.until - one.from, hz) : ''}</td>
                <td><bdi>{one.text}</bdi></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {marks.length < count && <button onClick={() => setMost(most + 5 * PAGE)}>Show more of {countText(count)}</button>}
      {about.failures > count && count > 0 && (
        <p class="muted">{countText(about.failures - count)} more {plural(about.failures - count, 'failure')} without a mark.</p>
      )}
    </div>
  )
}

export function Rules({ view }: { view: View }) {
  const [{ rules, left }, mark, any] = useViewed(view, v => [v.rules, v.mark, hasMarks(v)])
  const [chosen, choose] = useState(-1)
  useEffect(() => { // a mark that is chosen on the time line shows its rule
    if (mark) choose(mark.rule)
  }, [mark])
  if (rules.length === 0) return <Empty>No rule has been checked yet.</Empty>
  const open = chosen >= 0 && chosen < rules.length ? chosen : byVerdict(rules)[0]
  const count = (verdict: string) => rules.filter(rule => rule.verdict === verdict).length
  return (
    <div class="rules">
      <div class="toolbar">
        <span>{countText(rules.length)} {plural(rules.length, 'rule')}:{' '}
          {severity.filter(verdict => count(verdict) > 0).map(verdict => `${count(verdict)} ${verdict}`).join(', ')}</span>
        {any && <>
          <button aria-keyshortcuts="p" title="Previous failure (p)" onClick={() => void stepMark(view, -1)}>Previous</button>
          <button aria-keyshortcuts="n" title="Next failure (n)" onClick={() => void stepMark(view, 1)}>Next</button>
        </>}
        {left > 0 && <span class="muted">{countText(left)} failures have no mark: there are too many.</span>}
      </div>
      <div class="rule-sides">
        <RuleList view={view} chosen={open} choose={choose} />
        <Failures key={open} view={view} rule={open} />
      </div>
    </div>
  )
}
