// SPDX-License-Identifier: MIT
// What is chosen on the page goes with its address. Usage: notes.mjs FILE
import { Page, Server, assert, done, equal, test, until } from './browser.mjs'

const file = process.argv[2]
const server = new Server(file)
const url = await server.url()

// All that an address can hold, as the page has it.
const chosen = (page) => page.view((view) => ({
  from: view.from, until: view.until, selection: view.selection, place: view.place, record: view.record, picked: view.picked,
  order: view.order, pinned: view.pinned, hidden: [...view.hidden].sort(), folded: [...view.folded].sort(),
  expanded: [...view.expanded].sort(), panel: view.panel, filter: view.filter, find: view.find, dark: view.dark
}))

// What the page has copied to the clipboard.
async function copied(page) {
  await page.page.getByText('Copied', { exact: true }).waitFor()
  return page.page.evaluate(() => navigator.clipboard.readText())
}

// Chooses something for each part of the address, as a user does where that is quick.
async function chooseAll(page) {
  await page.view((view) => {
    const tasks = view.order.filter((row) => view.rows[row].kind === 'task'), [task] = tasks
    const last = view.status.last
    view.go(last * 0.25, last * 0.5)
    view.selection = [Math.round(last * 0.3), Math.round(last * 0.4)]
    view.order = view.order.map((row) => (tasks.includes(row) ? tasks.at(-1 - tasks.indexOf(row)) : row))
    view.pinned = [task]
    view.hidden = new Set([view.rows.length - 1])
    view.folded = new Set(['object'])
    view.expanded = new Set([task])
    view.dark = !view.dark
    view.changed()
  })
  await page.openPanel('records')
  await page.page.locator('.record-rows .record').nth(3).click()
  await page.page.getByLabel('Filter records').fill('mutex & "é"')
  await page.page.keyboard.press('Control+k')
  await page.page.keyboard.type('high')
  await page.page.getByRole('option', { name: /Next record with/ }).click()
  await page.shown()
  const row = (await page.rows('task')).find((one) => one.height > 10)
  const { x, width } = await page.plot()
  await page.page.mouse.click(x + width * 0.6, row.y + 8)
  await page.shown()
}

await test('share with a colleague: one click copies a link, and all that was chosen is there in a fresh browser', async () => {
  const page = await Page.open(url + '#at=0.001')
  await page.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chooseAll(page)
  const wanted = await chosen(page)
  for (const [name, value] of Object.entries(wanted)) {
    assert(value !== null && value !== '' && value !== undefined && value.length !== 0, `nothing is chosen: ${name}`)
  }
  await page.page.getByRole('button', { name: 'Copy link' }).click()
  const link = await copied(page)
  assert(link.startsWith(url + '#'), `another page: ${link}`)
  for (const dark of [false, true]) {
    const other = await Page.open(link, { dark })
    await other.quiet()
    await until(() => other.view((view) => view.picked !== null), 'the picked slice')
    const { from, until: end, ...rest } = await chosen(other)
    const { from: from0, until: end0, ...rest0 } = wanted
    equal(rest, rest0, 'what is chosen')
    assert(Math.abs(from - from0) < 0.01 && Math.abs(end - end0) < 0.01, `the view: ${from}..${end} instead of ${from0}..${end0}`)
    equal(await other.page.getByLabel('Filter records').inputValue(), 'mutex & "é"', 'the filter in the table')
    await other.close()
  }
  await page.page.keyboard.press('c')
  equal(await copied(page), link, 'the link that the key copies')
  await page.close()
})

await test('an address with parts that do not fit shows the trace without them', async () => {
  const page = await Page.open(url + '#from=x&until=3&select=9..1&record=-1&pick=999999,1&pin=1e9&expand=99999&filter=%&find=%E9&panel=nothing')
  await page.quiet()
  const { picked, record, selection, pinned, from } = await chosen(page)
  equal([picked, record, selection, pinned, from], [null, null, null, [], 0], 'what is chosen')
  await page.close()
})

await server.end()
await done()
