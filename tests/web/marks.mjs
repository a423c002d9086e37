// SPDX-License-Identifier: MIT
// What the page tells of stacks and heaps is what `wallfly stats` tells. Usage: marks.mjs FILE (of
// tests/e2e/marks/program.c)
import { Page, Server, assert, done, equal, run, test, until } from './browser.mjs'

const file = process.argv[2]
const stats = JSON.parse(run('stats', '--json', file)).lanes[0]
const server = new Server(file)
const url = await server.url()
const figure = (rows, name, key) => rows.find((row) => row.name === name)[key]
const words = (least, size) => `${least.toLocaleString('en').replace(/,/g, '')}${size ? ` of ${size}` : ''} bytes were never used`
const digits = (text) => text.replace(/(\d)\D(?=\d{3}(\D|$))/g, '$1') // without marks between thousands

// The lines of facts of a thing, with the first slice of its row picked.
async function facts(page, kind, name) {
  await page.view(async (view, kind, name) => {
    const row = view.rows.findIndex((one) => one.kind === kind && one.name === name)
    const track = view.rows[row].tracks[0].id
    view.picked = { row, track, begin: 0, end: 0, value: 0 }
    view.changed()
  }, kind, name)
  await page.page.locator('.facts').getByText(name, { exact: true }).first().waitFor()
  return digits(await page.page.locator('.facts').innerText())
}

await test('details of a task have its stack', async () => {
  const page = await Page.open(url, { panel: 'details' })
  await page.settled()
  for (const name of ['control', 'logger']) {
    const wanted = words(figure(stats.task, name, 'stack_free'), figure(stats.task, name, 'stack_size'))
    const text = await facts(page, 'task', name)
    assert(/stack/.test(text) && text.includes(wanted), `${name}: no ${wanted} in: ${text}`)
  }
  const irq = await facts(page, 'irq', 'irq TIM2')
  assert(!/never used/.test(irq), irq)
  await page.close()
})

await test('the statistics have columns of stacks and heaps', async () => {
  const page = await Page.open(url, { panel: 'stats' })
  const table = async (title) => {
    await page.page.getByRole('tab', { name: title }).last().click()
    return until(async () => {
      const rows = await page.page.getByRole('tabpanel').last().locator('tr').evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.innerText.trim())))
      const heads = rows.find((row) => row.some((cell) => /free/.test(cell)))
      return heads && { heads, rows }
    }, `a column of what was free among ${title}`)
  }
  const cell = ({ heads, rows }, name, key) => {
    const at = heads.findIndex((head) => head.replace(/\s+/g, '_') === key)
    const row = rows.find((row) => row[0].includes(name))
    assert(at >= 0 && row, `${key} of ${name} in ${JSON.stringify([heads, rows])}`)
    return digits(row[at])
  }
  const tasks = await table(/Task/)
  for (const name of ['control', 'logger']) equal(cell(tasks, name, 'stack_free'), String(figure(stats.task, name, 'stack_free')), name)
  equal(cell(tasks, 'control', 'stack_size'), '1024', 'size of the stack')
  const objects = await table(/Object/)
  for (const name of ['heap', 'pool']) equal(cell(objects, name, 'least_free'), String(figure(stats.object, name, 'least_free')), name)
  await page.close()
})

await server.end()
await done()
