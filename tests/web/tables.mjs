// SPDX-License-Identifier: MIT
// Panels with tables whose rows lead into the time line. Usage: tables.mjs FILE PAGE
import { pathToFileURL } from 'node:url'
import { Page, Server, assert, done, equal, run, test } from './browser.mjs'

const [, , file, html] = process.argv
const server = new Server(file)
const url = await server.url()
const t0 = async (page) => +(await page.view((view) => view.hello.t0))

await test('times in an answer of a query lead to their places', async () => {
  const page = await Page.open(url, { panel: 'sql' })
  const { page: tab } = page
  const text = tab.getByLabel('SQL query')
  await text.fill('select tick, number, words from record where tick is not null order by number')
  await text.press('Control+Enter')
  const rows = tab.locator('.sql-result tbody tr[aria-rowindex]')
  await rows.first().waitFor()
  const wanted = JSON.parse(run('query', '--json', file, 'select tick, number, words from record where tick is not null order by number'))
  equal((await rows.first().innerText()).split('\t').slice(1), [String(wanted[0].number), wanted[0].words], 'the first row')
  await tab.locator('.sql-result').evaluate((host) => host.scrollTo(0, host.scrollHeight))
  const last = tab.locator(`.sql-result tr[aria-rowindex="${wanted.length + 1}"]`)
  await last.locator('button').first().click()
  equal(await page.view((view) => view.cursor), wanted.at(-1).tick - (await t0(page)), 'the time')
  await last.locator('button').nth(1).click()
  await tab.waitForFunction((number) => window.wallfly.view.record === number, wanted.at(-1).number)
  await tab.getByLabel('Examples and earlier queries').selectOption({ label: 'longest waits' })
  const wait = JSON.parse(run('query', '--json', file, 'select begin_tick, end_tick from wait where length_ns is not null order by length_ns desc, begin_tick limit 1'))[0]
  await tab.locator('.sql-result th').getByText('begin_ns').waitFor()
  await rows.first().locator('button').first().click()
  const zero = await t0(page)
  equal(await page.view((view) => view.selection), [wait.begin_tick - zero, wait.end_tick - zero], 'the wait')
  await page.close()
})

await test('an error of a query selects its place; queries stay for the next time', async () => {
  const page = await Page.open(url, { panel: 'sql' })
  const text = page.page.getByLabel('SQL query')
  await text.fill('select nme from task')
  await page.page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.page.getByRole('alert').getByText('no such column: nme').waitFor()
  await page.page.waitForFunction(() => {
    const area = document.querySelector('textarea')
    return area.value.slice(area.selectionStart, area.selectionEnd) === 'nme'
  })
  await text.fill('select name from task order by name')
  await text.press('Control+Enter')
  await page.page.locator('.sql-result tbody tr').first().waitFor()
  equal(await page.page.locator('.sql-result tbody td').allInnerTexts(), JSON.parse(run('query', '--json', file, 'select name from task order by name')).map((row) => row.name), 'tasks')
  await text.press('Alt+ArrowUp')
  await text.press('Alt+ArrowUp')
  await page.shown()
  equal(await text.inputValue(), 'select nme from task', 'the earlier query')
  await page.close()
})

await test('a query that was typed, an answer and an error stay while another panel is open', async () => {
  const page = await Page.open(url, { panel: 'sql' })
  const text = page.page.getByLabel('SQL query'), cells = () => page.page.locator('.sql-result tbody td').allInnerTexts()
  const elsewhere = async () => {
    await page.openPanel('records')
    await page.page.getByRole('tab', { name: 'SQL', exact: true }).click()
    await page.shown()
  }
  await text.fill('select name from task order by name')
  await text.press('Control+Enter')
  await page.page.locator('.sql-result tbody tr').first().waitFor()
  const answer = await cells()
  await text.fill('select 42 as draft')
  await page.view((view) => {
    const { ask } = view.source
    view.source.ask = (op, ...more) => {
      if (op === 'sql') window.__asked = (window.__asked ?? 0) + 1
      return ask(op, ...more)
    }
  })
  await elsewhere()
  equal([await text.inputValue(), await cells()], ['select 42 as draft', answer], 'the text and the answer')
  equal(await page.page.evaluate(() => window.__asked ?? 0), 0, 'queries that were run again')
  await text.fill('select nme from task')
  await text.press('Control+Enter')
  await page.page.getByRole('alert').getByText('no such column: nme').waitFor()
  await elsewhere()
  await page.page.getByRole('alert').getByText('no such column: nme').waitFor()
  assert(await page.page.evaluate(() => document.activeElement.tagName !== 'TEXTAREA'), 'the editor takes the keys')
  equal(await page.page.evaluate(() => window.__asked), 1, 'queries')
  await page.close()
})

await test('the history of a mutex leads to its first time-out and to any of its events', async () => {
  const page = await Page.open(url)
  await page.view((view) => { view.picked = null; view.changed() })
  await page.key('o') // 1
  await page.page.getByRole('button', { name: /^the first at/ }).click() // 2: the first time-out is selected and framed
  const zero = await t0(page)
  const late = JSON.parse(run('query', '--json', file, 'select w.begin_tick, w.end_tick, t.name from wait w join task t using (task) where got = 0 order by 1'))
  equal(await page.view((view) => view.selection), [late[0].begin_tick - zero, late[0].end_tick - zero], 'the selection')
  const [from, end] = await page.view((view) => [view.from, view.until])
  assert(from <= late[0].begin_tick - zero && end >= late[0].end_tick - zero, 'it is in view')
  const rows = page.page.locator('.record.event[role=row]')
  await page.page.getByLabel('Show', { exact: true }).selectOption('time-outs')
  await page.page.getByText(`${late.length} of `).waitFor()
  equal(await rows.locator('.e-task').allInnerTexts(), late.map((row) => row.name), 'tasks of the time-outs')
  await page.page.getByRole('grid', { name: 'Events of the object' }).press('End')
  await page.page.waitForFunction((at) => window.wallfly.view.cursor === at, late.at(-1).begin_tick - zero)
  await page.page.getByLabel('Show', { exact: true }).selectOption('')
  await page.page.getByLabel('Task', { exact: true }).selectOption({ index: 1 })
  await page.page.waitForFunction(() => new Set([...document.querySelectorAll('.record.event .e-task')].map((cell) => cell.textContent)).size === 2) // with the head
  await page.close()
})

await test('a bar of a distribution lists its intervals, which lead to their places', async () => {
  const page = await Page.open(url, { panel: 'stats' })
  await page.page.getByRole('tab', { name: /^Mutexes held/ }).click()
  const button = page.page.getByRole('button', { name: 'Distribution of hold' })
  const line = page.page.getByRole('row').filter({ has: button }).first()
  const row = await line.getByRole('rowheader').innerText()
  await line.getByRole('button', { name: 'Distribution of hold' }).click()
  const bars = page.page.locator('.bar')
  await bars.last().click()
  await page.page.getByRole('button', { name: 'Next' }).click()
  const [mutex, task] = row.split(': ')
  const longest = JSON.parse(run('query', '--json', file, `select h.begin_tick, h.end_tick from hold h join task t using (task) join object o using (object)
    where t.name = '${task}' and o.name = '${mutex}' order by h.length_ns desc`))
  const zero = await t0(page)
  const [from, end] = await page.view((view) => view.selection)
  assert(longest.some((hold) => hold.begin_tick - zero === from && hold.end_tick - zero === end), `${from}..${end} is no hold`)
  const counts = await bars.evaluateAll((all) => all.map((bar) => +/: (\d+) value/.exec(bar.getAttribute('aria-label'))[1]))
  equal(counts.reduce((a, b) => a + b, 0), longest.length, 'values in all bars')
  await page.page.getByRole('button', { name: 'Close the distribution' }).click()
  await page.shown()
  equal(await bars.count(), 0, 'bars')
  await page.close()
})

await test('a file of `wallfly page` says where queries work', async () => {
  const page = await Page.open(pathToFileURL(html).href, { panel: 'sql' })
  await page.page.getByText('SQL queries need a server').waitFor()
  await page.openPanel('objects')
  await page.page.getByText('The history of an object needs a server').waitFor()
  await page.close()
})

await server.end()
await done()
