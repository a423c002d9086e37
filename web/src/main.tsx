// SPDX-License-Identifier: MIT
import './style.css'
import { mount } from './app'
import { keptSource } from './kept'
import { mountReport, reportData } from './report/report'
import { makeWire } from './wire'

const host = document.getElementById('app')!
const report = reportData()
if (report) mountReport(report, document.currentScript!.textContent!, host)
else mount(keptSource() ?? makeWire(), host)
