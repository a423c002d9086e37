// SPDX-License-Identifier: MIT
// Context menus of slices, names and records: what they show and do, by pointer and by keyboard. Usage: menus.mjs FILE
import { inFirefox, Page, Server, assert, done, equal, test, until } from './browser.mjs'

const server = new Server(process.argv[2])
const page = await Page.open(await server.url(), { height: 900 })
const menu = page.page.getByRole('menu')
const entry = (name) => menu.getByRole('menuitem', { name })
const rowOf = async (kind, name) => (await page.rows(kind)).find((row) => !name || row.name === name)
const gone = () => menu.waitFor({ state: 'detached' })

// Opens the menu of a row's slice at a share of the plot, or at its name.
async function openOn(row, share) {
  const { x, width } = await page.plot()
  await page.page.mouse.click(share === undefined ? x - 60 : x + width * share, row.y + 12, { button: 'right' })
  await menu.waitFor()
}

await test('a right click on a slice picks it, and the menu zooms to it and selects it', async () => {
  const row = await rowOf('task')
  await page.view((view) => view.go(view.status.last * 0.4, view.status.last * 0.42))
  await page.settled()
  await openOn(row, 0.5)
  const picked = await page.view((view) => view.picked)
  equal(picked.row, row.row, 'the row')
  await entry('Select its time').click()
  await gone()
  equal(await page.view((view) => view.selection), [picked.begin, picked.end], 'the selection')
  await openOn(row, 0.5)
  equal(await page.view((view) => view.selection), [picked.begin, picked.end], 'the selection with the menu open')
  await entry('Zoom to it').click()
  await page.settled()
  const [from, end] = await page.view((view) => [view.from, view.until])
  assert(from <= picked.begin && end >= picked.end && end - from < 1.5 * (picked.end - picked.begin) + 20, `${from}..${end} of ${picked.begin}..${picked.end}`)
  await page.checkNow()
})

await test('the menu is driven by keys, and gives the focus back', async () => {
  await page.afresh()
  const row = await rowOf('task')
  await openOn(row, 0.3)
  await page.page.keyboard.press('Escape')
  await gone()
  equal(await page.page.evaluate(() => document.activeElement.className.includes('timeline')), true, 'the focus')
  await page.page.keyboard.press('Shift+F10')
  await menu.waitFor()
  const focused = () => page.page.evaluate(() => document.activeElement.textContent)
  const labels = await menu.getByRole('menuitem').allTextContents()
  equal(await focused(), labels[0], 'the first entry')
  await page.page.keyboard.press('ArrowUp')
  equal(await focused(), labels.at(-1), 'the last entry')
  await page.page.keyboard.press('Home')
  await page.page.keyboard.press('h')
  equal(await focused(), 'Hide the row', 'the entry with h')
  await page.page.keyboard.press('Enter')
  await gone()
  await until(() => page.view((view, row) => view.hidden.has(row), row.row), 'a hidden row')
  await page.page.keyboard.press(inFirefox ? 'Shift+F10' : 'ContextMenu') // Playwright has no such key for Firefox
  await menu.waitFor()
  await entry('Show all rows').click()
  await until(() => page.view((view) => view.hidden.size === 0), 'all rows')
  await page.checkNow()
})

await test('a name has a menu: one row alone, its statistics, its records', async () => {
  await page.afresh()
  const row = await rowOf('task')
  await openOn(row)
  equal(await entry('Zoom to it').count(), 0, 'entries of slices')
  await entry('Show only this row').click()
  await page.frame()
  equal((await page.rows()).map((one) => one.row), [row.row], 'rows in sight')
  await page.afresh()
  await openOn(row)
  await entry('Statistics of the row').click()
  await until(async () => (await page.page.locator('.figures tr.chosen th').first().innerText()).startsWith(row.name), 'marked figures')
  await openOn(row)
  await entry(`Records with “${row.name}”`).click()
  await page.page.locator('.record-rows .record:not(.pending)').first().waitFor()
  equal(await page.page.locator('.filter').inputValue(), row.name, 'the filter')
  await page.quiet() // the address is written a little later
  await page.page.reload()
  await page.settled()
  equal(await page.page.locator('.filter').inputValue(), row.name, 'the filter after a reload')
  await page.checkNow()
})

await test('a record has a menu: its place, and only records without its name', async () => {
  await page.afresh()
  await page.openPanel('records')
  const records = page.page.locator('.record-rows .record:not(.pending)')
  const name = (await records.nth(2).locator('.c-name').innerText()).trim()
  await records.nth(2).click({ button: 'right' })
  await menu.waitFor()
  const chosen = await page.view((view) => view.record)
  equal(await records.nth(2).getAttribute('id'), `record-${chosen}`, 'the chosen record')
  await entry('Records without this name').click()
  await until(async () => {
    const names = await records.locator('.c-name').allInnerTexts()
    return names.length > 0 && !names.some((one) => one.includes(name))
  }, `no ${name}`)
  await page.page.locator('.filter').fill('')
  await page.quiet()
  await page.page.locator('.record-rows').focus()
  await page.page.keyboard.press('Home')
  await page.quiet()
  await page.page.keyboard.press('Shift+F10')
  await menu.waitFor()
  await entry('Show on the time line').click()
  await page.settled()
  assert(await page.view((view) => view.until - view.from < view.status.last / 5), 'it does not zoom in')
  await page.checkNow()
})

await test('what is copied is on the clipboard', async () => {
  await page.afresh()
  const row = await rowOf('task')
  await openOn(row)
  await entry('Copy name').click()
  await page.noticed('Copied')
  equal(await page.pasted(), row.name, 'the text')
  await page.close()
})

await test('a long press of a finger opens the menu', async () => {
  const page = await Page.open(await server.url())
  const { x, width } = await page.plot()
  const row = (await page.rows('task'))[0]
  await page.page.evaluate(([x, y]) => {
    const host = document.querySelector('.timeline')
    host.setPointerCapture = () => {}
    host.dispatchEvent(new PointerEvent('pointerdown', { clientX: x, clientY: y, pointerType: 'touch', pointerId: 5, bubbles: true }))
  }, [x + width / 2, row.y + 12])
  await page.page.getByRole('menu').waitFor()
  await page.close()
})

await server.end()
await done()
