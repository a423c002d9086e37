// SPDX-License-Identifier: MIT
// The page of another tracer's recording: its format's name, what the format does not record, and records without
// bytes. Usage: imports.mjs FILE
import { Page, Server, assert, done, equal, program, run, test } from './browser.mjs'

const file = process.argv[2]
const info = JSON.parse(run('info', '--json', file))
const server = new Server(file)
const page = await Page.open(await server.url())
const words = info.lacks.join(', ')

async function shows(page) {
  const title = page.page.locator('.format summary')
  equal(await title.innerText(), info.title, 'the title')
  await title.click()
  await page.shown()
  equal(await page.page.locator('.about-format').innerText(), `Not in ${info.title}, so not known here: ${words}.`, 'what it lacks')
  await title.click()
  await page.shown()
  assert(!(await page.page.locator('.about-format').isVisible()), 'it does not close')
}

await test('the header has the title, which opens to what the format lacks', async () => {
  assert(info.lacks.length > 1, 'it lacks nothing')
  equal(await page.view((view) => view.hello.format), { title: info.title, lacks: info.lacks }, 'format')
  await shows(page)
})

await test('the details say it, too', async () => {
  await page.openPanel('details')
  assert((await page.page.locator('.details .lacks').innerText()).includes(words), 'not said')
})

await test('records are read again from the whole file, and have no bytes', async () => {
  const count = info.ledger.records
  const { record, raw, at } = await page.page.evaluate((number) =>
    window.wallfly.view.source.ask('record', { number }), count)
  equal([record.number, raw, at], [count, null, null], 'the last record')
  const { records } = await page.page.evaluate(() =>
    window.wallfly.view.source.ask('records', { number: 1, before: 0, after: 3 }))
  equal(records.map((one) => one.number), [1, 2, 3], 'the first records')
})

if (process.env.PICTURE) {
  await page.page.locator('.format summary').click()
  await page.page.screenshot({ path: process.env.PICTURE })
  await page.page.locator('.format summary').click()
}

await test('no loss is a word about the format', async () => {
  equal(await page.view((view) => [view.status.missing, view.status.bad]), [0, 0], 'losses')
  assert((await page.page.locator('.badge.good').getAttribute('title')).startsWith(info.title), 'the badge')
})

await test('a page in a file shows the same', async () => {
  program(process.env.WALLFLY, 'page', file, '-o', 'kept.html')
  const kept = await Page.open(`file://${process.cwd()}/kept.html`)
  await shows(kept)
  await kept.close()
})
await page.close()
await server.end()
await done()
