// SPDX-License-Identifier: MIT
// The row of a heap shows the bytes in use, as the sum of the blocks that were allocated and not freed.
// Usage: blocks.mjs TRACE (of tests/e2e/made.py blocks)
import { Page, Server, assert, done, equal, recordsOf, test, until } from './browser.mjs'

const trace = process.argv[2]
const server = new Server(trace)

// The use of each heap as [tick, bytes], and its blocks, by the records alone.
const records = recordsOf(trace)
const first = Math.min(...records.filter(({ tick }) => typeof tick === 'number').map(({ tick }) => tick))
const uses = new Map()
for (const { name, tick, fields } of records) {
  if (name !== 'heap_alloc' && name !== 'heap_free') continue
  if (!uses.has(fields.obj_name)) uses.set(fields.obj_name, { blocks: new Map(), steps: [] })
  const { blocks, steps } = uses.get(fields.obj_name)
  if (name === 'heap_free') blocks.delete(fields.block)
  else blocks.set(fields.block, fields.size)
  if (blocks.size || steps.length) steps.push([tick, [...blocks.values()].reduce((sum, size) => sum + size, 0)])
}
equal([...uses.keys()].sort(), ['heap', 'older'], 'heaps')
const digits = (text) => text.replace(/(\d)[\u202f\u00a0,](?=\d{3})/g, '$1')

const facts = (page) => page.page.locator('.details .facts').first().evaluate((list) =>
  Object.fromEntries([...list.querySelectorAll('dt')].map((dt) => [dt.innerText, dt.nextElementSibling.innerText]))).catch(() => ({}))

await test('a click on a heap shows the bytes in use at that time', async () => {
  const page = await Page.open(await server.url(), { panel: 'details', height: 1400 })
  for (const [heap, { steps }] of uses) {
    for (const index of [0, 7, steps.length >> 1, steps.length - 2]) {
      const [begin, used] = steps[index], end = steps[index + 1][0], wide = end - begin
      await page.view((view, from, until) => view.go(from, until), begin - first - 3 * wide, end - first + 3 * wide)
      await page.shown()
      const row = (await page.rows('object')).find((one) => one.name === heap)
      await page.page.mouse.click(await page.across((begin + end) / 2 - first), row.y + 14)
      await page.shown()
      const got = await until(async () => (await facts(page))['in use'] && facts(page), `details of ${heap}`)
      equal(digits(got['in use']), `${used} ${used === 1 ? 'byte' : 'bytes'}`, `in use of ${heap}, step ${index}`)
      equal(!!got.exact, heap === 'older', `${heap}: whether it says that it is not exact`)
      const picked = await page.view((view) => [view.picked.begin, view.picked.end])
      equal(picked, [begin - first, end - first], `when ${heap} has it`)
    }
  }
  await page.close()
})

await test('the curve is in full height when the row is expanded, and its steps are where the ruler shows their times', async () => {
  const page = await Page.open(await server.url(), { height: 1400, width: 1500 })
  const { steps } = uses.get('heap')
  // The largest change of all: its edge is found in the pixels.
  const k = steps.reduce((best, [, used], i) => i && Math.abs(used - steps[i - 1][1]) > Math.abs(steps[best][1] - steps[best - 1][1]) ? i : best, 1)
  const tick = steps[k][0] - first
  await page.view((view, from, until) => {
    view.go(from, until)
    view.expanded.add(view.rows.findIndex((row) => row.name === 'heap'))
    view.changed()
  }, tick - 160, tick + 90)
  await page.shown()
  const row = (await page.rows('object')).find((one) => one.name === 'heap')
  assert(row.height > 110, `the row has ${row.height} pixels: two curves of 56`)
  const x = Math.round(await page.across(tick))
  // The steps before and after the edge differ in height, so the columns of pixels do.
  const all = await page.pixels(x - 3, Math.round(row.y) + 4, 7, 56)
  const column = (at) => JSON.stringify(Array.from({ length: 56 }, (_, y) => all.at(at, y)))
  assert(column(0) !== column(6), 'there is no edge')
  assert(column(1) === column(0) && column(5) === column(6), 'the edge is more than a pixel away from its time')
  await page.close()
})

await server.end()
await done()
