// SPDX-License-Identifier: MIT
// The search for a text: all hits in a list, in the overview, by keys, around. Usage: search.mjs TRACE FILE.html
import { pathToFileURL } from 'node:url'
import { Page, Server, assert, done, equal, recordsOf, test, until } from './browser.mjs'

const [file, html] = process.argv.slice(2)
const server = new Server(file)
const url = await server.url()
const TEXT = 'display'
const page = await Page.open(url)

// All records as the page has them: names hold from the first one on.
const shown = []
for (let number = 1; ;) {
  const { records, last } = await page.view((view, number) => view.source.ask('records', { number, before: 0, after: 500 }), number)
  shown.push(...records)
  if (last || !records.length) break
  number = records.at(-1).number + 1
}
const hitsOf = (text) => shown.filter((record) => `${record.name ?? ''}\n${record.words ?? ''}`.toLowerCase().includes(text))
const hits = hitsOf(TEXT)
assert(hits.length > 100 && hits.length < recordsOf(file).length, `${hits.length} hits`)

const searched = (page) => until(() => page.view((view) => view.hits.state.done && view.hits.state.text !== '' && view.hits.state), 'the end of the search')
const chosen = (page) => page.view((view) => view.record)
const listed = (page) => page.page.locator('.record-rows .record .c-number').allInnerTexts()
  .then((texts) => texts.map((text) => +text.replace(/\D/g, '')))

async function all(page) {
  await test('the list has all hits; a click leads to one, keys from hit to hit, Enter and z to its surroundings', async () => {
    await page.key('r')
    await page.page.getByLabel('Search records for a text').fill(TEXT.toUpperCase())
    const state = await searched(page)
    await page.shown()
    equal([state.count, state.bins.reduce((sum, [, count]) => sum + count, 0)], [hits.length, hits.length], 'hits, and those in the overview')
    const grid = page.page.getByRole('grid', { name: 'Hits' })
    equal(await grid.getAttribute('aria-rowcount'), String(hits.length), 'rows')
    await grid.focus()
    await page.key('End')
    equal(await chosen(page), hits.at(-1).number, 'the last hit')
    await page.page.keyboard.press('ArrowDown')
    await page.page.getByText('From the first hit again').waitFor() // it goes by itself
    await page.shown()
    equal(await chosen(page), hits[0].number, 'the first one, around')
    for (let i = 1; i < 4; ++i) await page.key('ArrowDown')
    equal(await chosen(page), hits[3].number, 'the fourth one')
    equal((await listed(page)).slice(0, 5), hits.slice(0, 5).map((hit) => hit.number), 'the first rows')
    const before = await page.view((view) => view.until - view.from)
    await page.key('z')
    const [from, end, at] = await page.view((view) => [view.from, view.until, view.cursor])
    assert(end - from < before / 5 && from < at && at < end, `z shows ${from}..${end} around ${at}, before ${before} ticks`)
    await page.view((view) => view.fit())
    await page.key('Enter')
    assert(await page.view((view) => view.until - view.from) < before / 5, 'Enter zooms in')
    await page.view((view) => view.fit())
    await page.page.locator('.record-rows .record').nth(6).click()
    await page.shown()
    equal(await chosen(page), hits[6].number, 'the hit that was clicked')
  })

  await test('hits have ticks in the overview', async () => {
    const { left, width } = await page.page.evaluate(() => {
      const { geometry } = window.wallfly, { x } = document.querySelector('.timeline').getBoundingClientRect()
      return { left: x + geometry.left, width: geometry.plot }
    })
    const [[bin], wide, last] = await page.view((view) => [view.hits.state.bins[0], view.hits.state.width, view.status.last])
    const at = left + (bin + 0.5) * wide / last * width, { y } = await page.page.locator('.timeline').boundingBox()
    const box = await page.pixels(Math.round(at) - 4, y + 26, 9, 10)
    let blue = 0
    for (let i = 0; i < 90; ++i) {
      const [r, g, b] = box.at(i % 9, Math.floor(i / 9))
      blue += b > 200 && r < 90 && g < 150
    }
    assert(blue >= 6, `${blue} pixels of a tick`)
  })
}

await all(page)

await test('a row chosen by its name picks its slice in view, or the next one', async () => {
  await page.view((view) => { view.picked = null; view.go(view.status.last * 0.3, view.status.last * 0.4) })
  await page.shown()
  for (const name of ['keys', 'display']) {
    await page.page.keyboard.press('/')
    await page.page.keyboard.type(name)
    await page.page.getByRole('option', { name: new RegExp(`${name} *(task|object)|(task|object) *${name}`) }).first().waitFor()
    await page.page.keyboard.press('Enter')
    await until(() => page.view((view, name) => view.picked && view.rows[view.picked.row].name === name && view.picked.end > view.picked.begin, name), `a slice of ${name}`)
    const [picked, from] = await page.view((view) => [view.picked, Math.floor(view.from)])
    const step = (at, way) => page.view((view, ask) => view.source.ask('step', ask).then(({ slice }) => slice), { track: picked.track, at, way, value: null })
    const before = await step(from + 1, -1), want = before && before[1] > from ? before : await step(from, 1)
    equal([picked.begin, picked.end, picked.value], want.slice(0, 3), `the slice of ${name}`)
  }
})

await test('by keys alone: search, go, next, previous, around; F3 is one key', async () => {
  const text = 'takes display', own = hitsOf(text) // no row has that name
  await page.afresh()
  await page.page.keyboard.press('Control+k')
  await page.page.keyboard.type(text)
  await page.page.getByRole('option', { name: /Next record with/, selected: true }).waitFor()
  await page.page.keyboard.press('Enter')
  await until(async () => await chosen(page) === own[0].number, 'the first hit')
  await page.page.keyboard.press('F3')
  await until(async () => await chosen(page) === own[1].number, 'the next one')
  await page.page.keyboard.press('Shift+F3')
  await until(async () => await chosen(page) === own[0].number, 'the first one again')
  await page.page.keyboard.press('Shift+F3')
  await until(async () => await chosen(page) === own.at(-1).number, 'the last one, around')
  await page.page.getByText('from the end again').waitFor()
  await page.page.keyboard.press('F3')
  await until(async () => await chosen(page) === own[0].number, 'the first one, around')
  await page.page.getByText('from the beginning again').waitFor()
})

await test('it says where it began', async () => {
  await page.afresh()
  const middle = hits[Math.floor(hits.length / 2)]
  await page.view((view, number) => view.source.ask('record', { number }).then(({ record }) => view.go(record.t, record.t + 1000)), middle.number)
  await page.key('r')
  await page.page.getByLabel('Search records for a text').fill(TEXT)
  const { at, start } = await searched(page)
  assert(at > 0 && start > 0, `it began at ${at}, ${start} hits before`)
  await page.page.getByText(/of them before .*, where the search began/).waitFor()
})

await test('the filter of the table finds all, follows the view, and keeps the chosen record in sight', async () => {
  await page.afresh()
  const own = shown.filter((record) => /mut/i.test(record.group_name ?? '') && !/give/i.test(`${record.name} ${record.words}`))
  await page.page.getByLabel('Filter records').fill('mut -give')
  await page.page.getByRole('grid', { name: 'Records' }).and(page.page.locator(`[aria-rowcount="${own.length}"]`)).waitFor()
  const there = await page.view((view) => view.status.last / 2)
  await page.view((view, at) => view.go(at, at + 1000), there)
  const wanted = own.find((record) => record.t >= there).number
  await until(async () => (await listed(page))[0] === wanted, `record ${wanted} at the top`)
  await page.page.locator('.record-rows .record').nth(2).click()
  await page.shown()
  const number = await chosen(page)
  equal(number, own[own.findIndex((record) => record.number === wanted) + 2].number, 'the chosen record')
  await page.key('ArrowDown')
  equal(await chosen(page), own[own.findIndex((record) => record.number === wanted) + 3].number, 'the next one')
  await page.page.getByLabel('Filter records').fill('')
  await until(async () => (await listed(page)).includes(await chosen(page)), 'the chosen record in sight without the filter')
})

await test('an address has the search', async () => {
  const other = await Page.open(url + `#find=${TEXT}&panel=hits`)
  equal((await searched(other)).count, hits.length, 'hits')
  await other.close()
})

await page.close()
await server.end()

const kept = await Page.open(pathToFileURL(html).href)
await all(kept)
await kept.close()
await done()
