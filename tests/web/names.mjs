// SPDX-License-Identifier: MIT
// Names of rows: those that are missing, and other ones that the notes keep. Usage: names.mjs in a folder with late.bin
import { readFileSync } from 'node:fs'
import { Page, Server, assert, done, equal, run, test, until } from './browser.mjs'

const rowNames = (page) => page.view((view) => view.rows.filter((row) => row.kind === 'task').map((row) => row.name))

await test('a trace that begins late says how many names are missing, and what helps', async () => {
  const server = new Server('late.bin')
  const page = await Page.open(await server.url())
  await page.shown()
  await page.page.getByText('5 names unknown').click()
  await page.page.getByText('5 of 5 tasks, state machines and objects are shown by their address.').waitFor()
  await page.page.getByText('--elf=PROGRAM or --dic=FILE').waitFor()
  await page.close()
  await server.end()
})

await test('names are loaded from a file of the user', async () => {
  run('convert', 'rtos.bin', '--to=dic', '-o', 'rtos.dic')
  const server = new Server('late.bin')
  const page = await Page.open(await server.url(), { panel: 'stats' })
  await page.view((view) => view.go(view.status.last * 0.25, view.status.last * 0.5))
  await page.shown()
  const range = await page.view((view) => [Math.round(view.from), Math.round(view.until)])
  await page.page.getByText('5 names unknown').click()
  const field = page.page.getByLabel('File with names')
  await field.setInputFiles('late.bin')
  await page.page.getByText(/^late.bin: byte 0: begins with/).waitFor()
  await field.setInputFiles('rtos.dic')
  await until(async () => (await rowNames(page).catch(() => [])).includes('stopwatch'), 'the names')
  await page.page.getByRole('tabpanel').getByRole('rowheader', { name: 'stopwatch' }).first().waitFor()
  equal(await page.page.getByText('names unknown').count(), 0, 'names that are missing')
  equal(await page.view((view) => [Math.round(view.from), Math.round(view.until)]), range, 'the view')
  await page.close()
  await server.end()
})

await test('a row gets another name by its menu, for all pages and in the file', async () => {
  const server = new Server('late.bin')
  const page = await Page.open(await server.url()), other = await Page.open(await server.url())
  await page.shown()
  const line = (await page.rows('task'))[0], { x } = await page.page.locator('.timeline').boundingBox()
  await page.page.mouse.click(x + 60, line.y + 8, { button: 'right' })
  await page.page.getByRole('menuitem', { name: 'Rename the row…' }).click()
  const field = page.page.getByRole('dialog', { name: 'Rename the row' }).getByRole('textbox')
  equal(await field.inputValue(), line.name, 'the field')
  await field.fill('shutter <b>')
  await page.page.keyboard.press('Enter')
  for (const one of [page, other]) await until(async () => (await rowNames(one)).includes('shutter <b>'), 'the name')
  assert(readFileSync('late.bin.notes', 'utf8').includes(`rename task "${line.name}" "shutter <b>"`), 'the file')
  await page.openPanel('stats')
  await page.page.getByRole('tabpanel').getByRole('rowheader', { name: 'shutter <b>' }).first().getByRole('button').click()
  await page.page.getByRole('row', { name: /^shutter <b>/ }).getByRole('button', { name: /^Distribution of/ }).first().click()
  await page.page.getByText(/^shutter <b>: /).first().waitFor()
  await page.page.getByText('4 names unknown').waitFor()
  // Of the file, too.
  run('page', '-o', 'late.html', 'late.bin')
  const kept = await Page.open(`file://${process.cwd()}/late.html`)
  await until(async () => (await rowNames(kept)).includes('shutter <b>'), 'the name in the file')
  await kept.close()
  // Back to its own name.
  await page.page.mouse.click(x + 60, (await page.rows('task')).find((one) => one.name === 'shutter <b>').y + 8, { button: 'right' })
  await page.page.getByRole('menuitem', { name: 'Rename the row…' }).click()
  await page.page.getByRole('button', { name: 'Own name again' }).click()
  for (const one of [page, other]) await until(async () => (await rowNames(one)).includes(line.name), 'its own name')
  await other.close()
  await page.close()
  await server.end()
})

done()
