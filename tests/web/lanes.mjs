// SPDX-License-Identifier: MIT
// The time of day of a recording: its ruler, the address, tips; a trace without it. Usage: lanes.mjs
// RECORDING PAGE TRACE; of tests/e2e/arrivals.c with a start of 1790000000.123456789, 0.5 s, 30 ppm.
import { pathToFileURL } from 'node:url'
import { Page, Server, assert, done, test } from './browser.mjs'

const [, , recording, html, trace] = process.argv
const server = new Server(recording)
const url = await server.url()
const page = await Page.open(url, { panel: 'none' })

await test('the error contains the true time of day', async () => {
  const { hello, last } = await page.view((view) => ({ hello: view.hello, last: view.status.last }))
  assert(hello.wall.start === '1790000000123456789' && hello.wall.pieces.length === 1, hello.wall)
  const { times, drift: [, least, most] } = hello.wall.pieces[0]
  for (const [t, ns, error] of times) {
    const truth = 5e8 + t * 1e9 / hello.hz * (1 + 30e-6)
    assert(Math.abs(ns - truth) <= error && error < 1e6, `${t}: ${ns - truth} of ${error}`)
  }
  assert(least <= 30 && most >= 30 && times.at(-1)[0] <= last, hello.wall.pieces[0].drift)
})

for (const [name, shown] of [['served', page], ['in a file', await Page.open(pathToFileURL(html).href)]]) {
  await test(`${name}: a key and the corner of the ruler choose the clock`, async () => {
    assert((await shown.drawnTexts()).includes('clock'), 'no clock is offered')
    await shown.key('h')
    const utc = await shown.drawnTexts()
    assert(utc.includes('2026-09-21') && utc.includes('UTC') && utc.some((text) => /^14:13:2\d(\.\d+)?$/.test(text)), utc)
    const { y } = await shown.plot()
    await shown.page.mouse.click(40, y - 14)
    await shown.shown()
    assert(await shown.view((view) => view.clock === 'local'), 'not local')
    await shown.key('h')
    assert(await shown.view((view) => view.clock === 'trace'), 'not the trace')
  })
}

await test('the cursor and tips have it', async () => {
  await page.key('h')
  const [row] = await page.rows('task')
  const { x, width } = await page.plot()
  await page.page.mouse.move(x + width / 2, row.y + row.height / 2)
  const tip = page.page.locator('.tip')
  await tip.waitFor()
  const text = await tip.innerText()
  assert(/14:13:3\d\.\d{3}.\d{3} UTC/.test(text) && /± [\d.]+ µs/.test(text), text)
})

await test('the corner of the ruler states drift and condition', async () => {
  const { y } = await page.plot()
  await page.page.mouse.move(40, y - 14)
  const tip = page.page.locator('.tip', { hasText: 'Time of day' })
  await tip.waitFor()
  const text = await tip.innerText()
  assert(/slower than the computer’s by [\d.]+ ppm/.test(text) && /not above [\d.]+ (µs|ms)/.test(text), text)
})

await test('the address has it', async () => {
  await page.page.waitForFunction(() => location.hash.includes('clock=utc'))
  const other = await Page.open(page.page.url())
  assert(await other.view((view) => view.clock === 'utc'), 'not in the other page')
  await other.close()
})
await page.close()
await server.end()

await test('a trace without arrival times has no choice', async () => {
  const plain = new Server(trace)
  const without = await Page.open(await plain.url())
  await without.key('h')
  assert(await without.view((view) => view.hello.wall === null && view.clock === 'trace'), 'it has')
  assert(!(await without.drawnTexts()).includes('clock'), 'a clock is offered')
  await without.close()
  await plain.end()
})
await done()
