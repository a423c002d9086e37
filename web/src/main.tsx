// SPDX-License-Identifier: MIT
import './style.css'
import { mount } from './app'
import { keptSource } from './kept'
import { mountLanes } from './lanes/lanes'
import { mountReport, reportData } from './report/report'
import { makeWire } from './wire'

// One of several traces has its number in the address; without it there may be only one.
async function mountServed(host: HTMLElement): Promise<void> {
  const number = new URLSearchParams(location.search).get('trace')
  const trace = number !== null && /^\d{1,3}$/.test(number) ? number : null
  const wire = makeWire(trace), site = trace === null ? await wire.list() : null
  if (!site) return mount(wire, host)
  wire.close()
  mountLanes(site, host)
}

const host = document.getElementById('app')!
const report = reportData()
const kept = report ? null : keptSource()
if (report) mountReport(report, document.currentScript!.textContent!, host)
else if (kept) void mount(kept, host)
else void mountServed(host)
