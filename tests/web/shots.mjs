// SPDX-License-Identifier: MIT
// Pictures of the page to look at: light and dark, 1280x800 and 1920x1080, whole and zoomed in, with
// every panel. Usage: shots.mjs FILE FOLDER [FROM UNTIL] (a stretch to zoom to, as shares of the trace)
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Page, Server, done } from './browser.mjs'

const [, , file, folder, from = '0.4', end = '0.42'] = process.argv
mkdirSync(folder, { recursive: true })
const server = new Server(file)
const url = await server.url()
const name = basename(file).replace(/\.\w+$/, '')
const panels = ['none', 'records', 'details', 'stats', 'sequence', 'machine', 'plots', 'losses']

for (const dark of [false, true]) {
  for (const [width, height] of [[1280, 800], [1920, 1080]]) {
    const page = await Page.open(url, { dark, width, height })
    const shot = async (what) => {
      await page.quiet()
      await page.page.screenshot({ path: join(folder, `${name}-${what}-${width}-${dark ? 'dark' : 'light'}.png`) })
    }
    await shot('whole')
    const last = await page.view((view) => view.status.last)
    await page.view((view, from, until) => view.go(from, until), last * from, last * end)
    await shot('near')
    await page.view((view, from, until) => { view.selection = [from, until]; view.changed() }, last * from * 0.9 + last * end * 0.1, last * end * 0.9 + last * from * 0.1)
    for (const panel of panels) {
      await page.view((view, panel) => { view.panel = panel; view.changed() }, panel)
      await page.hover(0.45, 0.3)
      await page.frame()
      await shot(panel)
    }
    await page.close()
  }
}
await server.end()
await done()
