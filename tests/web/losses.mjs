// SPDX-License-Identifier: MIT
// Where records are missing every row is hatched, and nowhere else. Usage: losses.mjs FILE
import { Page, Server, assert, done, equal, run, test } from './browser.mjs'

const file = process.argv[2]
const { ledger } = JSON.parse(run('info', '--json', file))
const server = new Server(file)
const page = await Page.open(await server.url())

// All slices of the losses' track, one after the other.
const holes = await page.page.evaluate(async () => {
  const { view } = window.wallfly
  const track = view.rows.flatMap((row) => row.tracks).find((one) => one.kind === 'loss').id
  const all = []
  for (let at = -1e12; ;) {
    const { slice } = await view.source.ask('step', { track, at, way: 1, value: null })
    if (!slice) return all
    all.push(slice)
    at = slice[0]
  }
})

await test('holes and missing records are as many as `wallfly info` says', async () => {
  assert(ledger.missing > 0 && ledger.holes > 1, 'nothing is lost in it')
  equal(await page.view((view) => [view.status.missing, view.status.exact]), [ledger.missing, ledger.exact], 'missing')
  equal(holes.reduce((sum, hole) => sum + hole[2], 0), ledger.missing, 'records in all holes')
  const text = (await page.page.locator('body').innerText()).replace(/[\s,\u202f\u00a0']/g, '')
  assert(text.includes(String(ledger.missing)), `no ${ledger.missing} in: ${text.slice(0, 1000)}`)
})

const longest = [...holes].sort((a, b) => b[1] - b[0] - (a[1] - a[0]))[0]
for (const dark of [false, true]) {
  await test(`the longest hole is hatched on every row (${dark ? 'dark' : 'light'})`, async () => {
    const [begin, end] = longest
    const length = end - begin
    await page.view((view, dark) => { view.dark = dark; view.changed() }, dark)
    // So that a fifth of the plot is the hole.
    await page.view((view, from, until) => view.go(from, until), begin - 2 * length, end + 2 * length)
    await page.page.mouse.move(1, 1)
    await page.settled()
    const rows = await page.rows()
    assert(rows.length > 5, `only ${rows.length} rows are in sight`)
    for (const row of rows) {
      assert(await page.patterned(row, 'loss', begin, end), `${row.kind} ${row.name} is not hatched from ${begin} to ${end}`)
      const clean = holes.every((hole) => hole[1] <= end - length * 3 || hole[0] >= begin || hole[0] === begin)
      if (clean) assert(!(await page.patterned(row, 'loss', begin - length * 0.6, begin)), `${row.kind} ${row.name} is hatched before it`)
    }
  })
}

await test('a hole is seen in the whole trace, too', async () => {
  await page.view((view) => view.fit())
  await page.settled()
  const link = (await page.rows('link'))[0] ?? (await page.rows())[0]
  const x = Math.round(await page.across(longest[0]))
  const part = await page.pixels(x - 30, Math.round(link.y), 60, Math.round(link.height))
  const colours = new Set()
  for (let px = 0; px < 60; px++) colours.add(String(part.at(px, part.height >> 1)))
  assert(colours.size > 1, 'nothing is drawn there')
})
await page.close()
await server.end()
await done()
