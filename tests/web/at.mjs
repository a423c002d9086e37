// SPDX-License-Identifier: MIT
// --at of `wallfly serve` and `wallfly page` leads to a place. Usage: at.mjs FILE CUT PAGE SPAN: the file, the file without
// its beginning, a page of it with --at=0.2, one with --at=0.15..0.16
import { connect } from 'node:net'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Page, Server, assert, done, equal, near, test, until } from './browser.mjs'

const [, , file, cut, html, span] = process.argv
const ACCENT = [0x1f, 0x6f, 0xeb]

async function address(server) {
  return (await server.waitFor(/http:\/\/\S+\/[A-Za-z0-9_-]{16,64}\/\S*(?=\s)/))[0]
}

const shown = (page) => page.view((view) => ({ from: view.from, until: view.until, cursor: view.cursor, selection: view.selection,
                                               hz: view.hello.hz, last: view.status.last, t0: +view.hello.t0, place: view.place }))

// The view has the place in its middle, about 80 records of the trace, and the line of the place.
async function checkMoment(page, seconds) {
  const { from, until: end, cursor, selection, hz, place, t0 } = await shown(page)
  const t = seconds * hz - (await page.view((view) => view.hello.clock === 'target') ? t0 : 0)
  equal([cursor, selection, place.from, place.until], [t, null, t, t], 'cursor, selection and place')
  near((from + end) / 2, t, (end - from) * 0.02, 'the middle of the view')
  const count = await page.page.evaluate(async ([at, from, end]) => {
    const { records } = await window.wallfly.view.source.ask('records', { at: Math.round(at), before: 200, after: 200 })
    return records.filter((record) => record.t >= from && record.t <= end).length
  }, [t, from, end])
  assert(count >= 40 && count <= 200, `${count} records in view`)
  await page.page.mouse.move(2, 2) // the line stays without the cursor
  await page.view((view) => { view.cursor = null; view.changed() })
  await page.frame()
  const { y, height } = await page.plot()
  const line = await page.pixels(Math.round(await page.across(t)) - 2, Math.round(y + height) - 40, 5, 30)
  const columns = [0, 1, 2, 3, 4].map((x) => Array.from({ length: 30 }, (_, i) => line.at(x, i)))
  assert(columns.some((column) => column.every((pixel) => pixel.every((value, i) => Math.abs(value - ACCENT[i]) < 60))),
         `no line at the place: ${JSON.stringify(columns.map((column) => column[0]))}`)
}

async function checkSpan(page, first, last) {
  const { from, until: end, hz, selection, cursor } = await shown(page)
  equal([selection, cursor], [[first * hz, last * hz], first * hz], 'selection and cursor')
  near(end - from, 2 * (last - first) * hz, 2, 'twice its length is shown')
  near((from + end) / 2, (first + last) / 2 * hz, 2, 'it is in the middle')
}

await test('a moment of a file', async () => {
  const server = new Server('--at=0.2', file)
  const url = await address(server)
  assert(url.endsWith('/#at=0.2'), url)
  const page = await Page.open(url)
  await page.quiet()
  await checkMoment(page, 0.2)
  await until(async () => /at=0\.2(&|$)/.test(await page.page.evaluate(() => location.hash)), 'the place stays in the address')
  await page.key('Escape')
  equal((await shown(page)).place, null, 'the place after Escape')
  await until(async () => !/at=/.test(await page.page.evaluate(() => location.hash)), 'it leaves the address')
  await page.close()
  await server.end()
})

await test('a time span, and times of the target\'s clock', async () => {
  const server = new Server('--at=0.15..0.16s', file)
  const page = await Page.open(await address(server))
  await page.quiet()
  await checkSpan(page, 0.15, 0.16)
  await page.close()
  await server.end()
  const clock = new Server('--rate=1000000', '--sizes=O8F8', '--time=target', '--at=0.2', cut)
  const other = await Page.open(await address(clock))
  await other.quiet()
  assert((await shown(other)).t0 > 0, 'the trace begins at 0')
  await checkMoment(other, 0.2)
  await other.close()
  await clock.end()
})

await test('of a target the place is shown when it arrives', async () => {
  const server = new Server('--at=0.2', 'tcp-listen:0')
  const page = await Page.open(await address(server))
  const bytes = readFileSync(file)
  const link = connect(await server.port(), '127.0.0.1')
  const half = bytes.length >> 2
  link.write(bytes.subarray(0, half))
  await until(() => page.view((view) => view.status?.records > 10), 'the first records')
  equal((await shown(page)).place, null, 'the place before it has arrived')
  link.write(bytes.subarray(half))
  await until(() => page.view((view) => view.place !== null), 'the place')
  await page.settled()
  const { from, until: end, hz } = await shown(page)
  assert(from < 0.2 * hz && end > 0.2 * hz && !(await page.view((view) => view.follow)), `${from}..${end} at ${hz}`)
  link.destroy()
  await page.close()
  await server.end()
})

await test('a file of `wallfly page` begins at its place; an address has precedence', async () => {
  const page = await Page.open(pathToFileURL(html).href)
  await page.quiet()
  await checkMoment(page, 0.2)
  await page.close()
  const other = await Page.open(pathToFileURL(span).href)
  await other.quiet()
  await checkSpan(other, 0.15, 0.16)
  await other.close()
  const third = await Page.open(pathToFileURL(html).href + '#from=1000&until=2000')
  await third.quiet()
  const { from, until: end, place } = await shown(third)
  equal([from, end, place], [1000, 2000, null], 'the view of the address')
  await third.close()
})

await done()
