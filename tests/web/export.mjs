// SPDX-License-Identifier: MIT
// Exports of the page: two clicks save what is in view, or selected. Usage: export.mjs in a folder with qp.bin, rtos.bin
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Page, Server, assert, done, equal, run, test, until } from './browser.mjs'

const labels = { html: 'Save as a page (HTML)', csv: 'Save its records (CSV)', jsonl: 'Save all its tables (JSON lines)', perfetto: 'Save for Perfetto', wfr: 'Save as a recording (wfr)' }

// Clicks twice.
async function exported(page, form) {
  const file = await page.saved(() => page.page.getByRole('button', { name: 'Export', exact: true }).click()
    .then(() => page.page.getByRole('menuitem', { name: labels[form], exact: true }).click()))
  await until(() => page.view((view) => view.exporting === null), 'the end of the export')
  return file
}

async function at(page) {
  return page.view((view) => {
    const [from, to] = view.selection ?? [view.from, view.until]
    return { hz: view.hello.hz, t0: +view.hello.t0, from: Math.max(0, Math.floor(from)), until: Math.min(Math.ceil(to), view.status.last) }
  })
}

const windowOf = ({ hz, t0, from, until: to }) => [`--from=${(t0 + from) / hz}`, `--until=${(t0 + to) / hz}`, '--time=target']
const bytesOf = (...args) => execFileSync(process.env.WALLFLY, args, { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] })

await test('what is in view is saved by two clicks, in each form', async () => {
  for (const file of ['qp.bin', 'rtos.bin']) {
    const server = new Server(file)
    const page = await Page.open(await server.url())
    await page.view((view) => view.go(view.status.last * 0.4, view.status.last * 0.45))
    await page.shown()
    const stretch = await at(page), base = file.slice(0, -4)
    for (const form of ['csv', 'jsonl', 'perfetto']) {
      const [name, bytes] = await exported(page, form)
      assert(name.startsWith(`${base}-`) && /-[\d.]+s-[\d.]+s\.(csv|jsonl|pftrace)$/.test(name), name)
      const want = bytesOf('convert', `--to=${form}`, '-o', '-', ...windowOf(stretch), file)
      assert(bytes.equals(want), `${form} of ${file}: ${bytes.length} instead of ${want.length} bytes`)
    }
    const [, recording] = await exported(page, 'wfr')
    writeFileSync('saved.wfr', recording)
    const records = (trace) => run('convert', '--to=csv', '-o', '-', ...windowOf(stretch), trace).split('\n').map((line) => line.replace(/^\d+,/, '').replace(/,\d+\r?$/, ''))
    equal(records('saved.wfr'), records(file), 'records of the recording')
    // The saved page shows the same stretch, and of the markers those within.
    const middle = Math.round((stretch.from + stretch.until) / 2)
    for (const t of [Math.round(stretch.from / 2), middle]) {
      equal((await page.page.evaluate((t) => window.wallfly.view.source.ask('note', { from: null, to: { t, note: 'here' } }), t)).error, undefined, 'the note')
    }
    const [, html] = await exported(page, 'html')
    writeFileSync('saved.html', html)
    await page.close()
    const kept = await Page.open(`file://${process.cwd()}/saved.html`)
    await kept.shown()
    equal(await kept.view((view) => [view.from, view.until]), [stretch.from, stretch.until], 'the stretch of the saved page')
    equal(await kept.view((view) => view.markers.map(({ t }) => t)), [middle], 'its markers')
    assert(!await kept.page.getByRole('button', { name: 'Export', exact: true }).count(), 'a saved page has no server that exports')
    await kept.close()
    await server.end()
  }
})

await test('wallfly page takes an address of the page', async () => {
  const server = new Server('rtos.bin')
  const page = await Page.open(await server.url())
  const shown = await page.view((view) => {
    view.go(Math.round(view.status.last * 0.3), Math.round(view.status.last * 0.31))
    view.selection = [view.from + 1000, view.from + 2000]
    view.panel = 'stats'
    view.changed()
    return [view.from, view.until, view.selection, view.panel]
  })
  await page.shown()
  run('page', `--view=${await page.view((view) => view.link())}`, '-o', 'linked.html', 'rtos.bin')
  await page.close()
  await server.end()
  const kept = await Page.open(`file://${process.cwd()}/linked.html`)
  await kept.shown()
  equal(await kept.view((view) => [view.from, view.until, view.selection, view.panel]), shown, 'what the file shows')
  const [from, to] = await kept.page.evaluate(() => { const { from, until } = JSON.parse(document.getElementById('kept').textContent); return [from, until] })
  assert(from <= shown[0] && from > shown[0] - 2 && to >= shown[1] && to < shown[1] + 2, `the file has ${from}..${to}`)
  await kept.close()
})

await test('a selection is saved by the keyboard, and an error stays until it is dismissed', async () => {
  const server = new Server('qp.bin')
  const page = await Page.open(await server.url())
  await page.view((view) => { view.selection = [view.status.last * 0.1, view.status.last * 0.11]; view.changed() })
  const stretch = await at(page)
  await page.page.keyboard.press('x')
  await page.page.keyboard.press('ArrowDown')
  const [, bytes] = await page.saved(() => page.page.keyboard.press('Enter'))
  assert(bytes.equals(bytesOf('convert', '--to=csv', '-o', '-', ...windowOf(stretch), 'qp.bin')), 'the selection')
  await page.noticed('Saved qp-')
  await page.view((view) => { view.source.ask = () => Promise.reject(new Error('no such disk')) })
  await page.page.keyboard.press('x')
  await page.page.keyboard.press('Enter')
  const alert = page.page.getByRole('alert').filter({ hasText: 'no such disk' })
  await alert.waitFor()
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await alert.waitFor({ state: 'detached' })
  await page.close()
  await server.end()
})

done()
