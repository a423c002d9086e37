// SPDX-License-Identifier: MIT
// Each heap of which low-water marks are recorded has a row; a click on it shows the mark, the size and
// when it was recorded. Usage: heaps.mjs URL-OR-PAGE TRACE (of tests/e2e/made.py heaps)
import { pathToFileURL } from 'node:url'
import { Page, Server, assert, done, equal, recordsOf, test, until } from './browser.mjs'

const [, , html, trace] = process.argv
const server = html === 'serve' ? new Server(trace) : null
const url = server ? await server.url() : pathToFileURL(html).href

// The marks of each heap as they are recorded: [tick, value], without those that repeat the value before.
const records = recordsOf(trace)
const marks = new Map()
for (const { name, tick, fields } of records) {
  if (name !== 'heap_low') continue
  const heap = fields.obj_name ?? `0x${fields.obj.toString(16).padStart(8, '0').toUpperCase()}`
  if (!marks.has(heap)) marks.set(heap, [])
  if (marks.get(heap).at(-1)?.[1] !== fields.free) marks.get(heap).push([tick, fields.free])
}
const sizes = { heap: ' of 8192', pool: '', '0x00005020': ' of 2' }
equal([...marks.keys()].sort(), Object.keys(sizes).sort(), 'heaps with marks')
const first = Math.min(...records.filter((record) => record.tick !== undefined && record.tick !== null).map((record) => record.tick))
const digits = (text) => text.replace(/(\d)[\u202f\u00a0,](?=\d{3})/g, '$1')

// Clicks on the row of a heap at a time and returns the terms of the details and what they say.
async function clicked(page, heap, t) {
  const row = (await page.rows('object')).find((one) => one.name === heap)
  assert(row, `no row of ${heap} in sight`)
  await page.page.mouse.click(await page.across(t), row.y + row.height / 2)
  await page.shown() // until then the details are of the click before
  return until(async () => {
    const facts = await page.page.locator('.details .facts').first().evaluate((list) =>
      Object.fromEntries([...list.querySelectorAll('dt')].map((dt) => [dt.innerText, dt.nextElementSibling.innerText]))).catch(() => null)
    const good = facts?.row?.startsWith(heap) && /recorded at/.test(facts.heap ?? '') && facts['low-water mark']
    return good && Object.fromEntries(Object.entries(facts).map(([name, text]) => [name, digits(text)]))
  }, `details of ${heap}`)
}

const shown = (value, heap) => `${value}${sizes[heap]} byte${(+(sizes[heap].slice(4) || value)) === 1 ? '' : 's'}`

async function check(page, heap, index, at = 0) {
  const all = marks.get(heap), [begin, value] = all[index]
  const end = all[index + 1]?.[0] ?? records.at(-1).tick
  await page.view((view) => { view.picked = null; view.changed() })
  const facts = await clicked(page, heap, (at || (begin + end) / 2) - first)
  equal(facts['low-water mark'], shown(value, heap), `the mark ${index} of ${heap}`)
  const last = all.at(-1)
  assert(facts.heap.startsWith(`${shown(last[1], heap)} were never used, recorded at `), facts.heap)
  const times = await page.view((view) => [view.picked.begin, view.picked.end])
  equal(times, [begin - first, end - first], `when ${heap} has its mark ${index}`)
  assert((await page.page.locator('.facts').first().innerText()).includes('begin'), 'no time of it')
  if (index === all.length - 1) equal(facts.heap.split('recorded at ')[1], facts.begin, 'when it was recorded')
  return facts
}

await test('a click on a row of a heap shows its low-water mark', async () => {
  const page = await Page.open(url, { panel: 'details', height: 1400 })
  equal((await page.rows('object')).map((row) => row.name).sort(), [...marks.keys()].sort(), 'rows of heaps')
  for (const heap of marks.keys()) {
    for (const index of [0, marks.get(heap).length >> 1, marks.get(heap).length - 1]) {
      const [begin] = marks.get(heap)[index]
      const end = marks.get(heap)[index + 1]?.[0] ?? records.at(-1).tick
      const wide = end - begin
      await page.view((view, from, until) => view.go(from, until), begin - first - wide, end - first + wide)
      await page.shown()
      await check(page, heap, index)
    }
  }
  await page.close()
})

await test('a click on a heap shows the mark of that time when many lie in a pixel', async () => {
  const page = await Page.open(url, { panel: 'details', height: 1400, width: 700 })
  await page.view((view) => view.fit())
  await page.shown()
  const all = marks.get('heap')
  const row = (await page.rows('object')).find((one) => one.name === 'heap')
  const middle = (all[0][0] + all.at(-1)[0]) / 2 - first
  await page.page.mouse.move(await page.across(middle), row.y + row.height / 2)
  const words = await until(() => page.page.evaluate(() => document.querySelector('.tip:not([hidden]) .tip-what')?.textContent), 'a tooltip')
  assert(/^\d+ values, \d+ to \d+ never used$/.test(digits(words)), words)
  const facts = await clicked(page, 'heap', middle)
  const { begin, end, cursor } = await page.view((view) => ({ ...view.picked, cursor: view.cursor }))
  const mark = all.find(([tick]) => tick - first === begin)
  assert(mark && begin <= cursor + 1 && cursor - 1 <= end, `picked ${begin} to ${end}, the pointer is at ${cursor}`)
  equal(facts['low-water mark'], shown(mark[1], 'heap'), 'the mark of that time')
  await check(page, 'heap', all.length - 1)
  await page.close()
})

await server?.end()
await done()
