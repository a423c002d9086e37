// SPDX-License-Identifier: MIT
// The time line of a file: rows, zoom, pan, select, step, pin, the view in the address. Usage:
// timeline.mjs FILE
import { Page, Server, assert, done, equal, near, run, test } from './browser.mjs'

const file = process.argv[2]
const server = new Server(file)
const url = await server.url()
const stats = JSON.parse(run('stats', '--json', file)).lanes[0]

const stretch = (page) => page.view((view) => ({ from: view.from, until: view.until, width: view.until - view.from }))

await test('all rows are there, in groups', async () => {
  const page = await Page.open(url)
  const rows = await page.view((view) => view.rows.map((row) => [row.kind, row.name]))
  const names = (kind) => rows.filter((row) => row[0] === kind).map((row) => row[1]).sort()
  for (const task of stats.task) assert(names('task').includes(task.name), `no row for ${task.name}`)
  if (!file.endsWith('.kev')) equal(new Set(names('task')).size, new Set(stats.task.map((task) => task.name)).size, 'tasks') // logs name more than have run
  equal(names('core').length, stats.core.length, 'cores')
  for (const machine of stats.machine) assert(names('machine').includes(machine.name), `no row for ${machine.name}`)
  const shown = await page.view((view) => [...view.order].sort((a, b) => a - b))
  equal(shown, rows.map((_, i) => i), 'rows shown')
  await page.close()
})

await test('the whole trace is seen at first', async () => {
  const page = await Page.open(url)
  const { from, until } = await stretch(page)
  const last = await page.view((view) => view.status.last)
  assert(from <= 0 && until >= last && until - from < 1.2 * last, `${from}..${until} of 0..${last}`)
  await page.close()
})

for (const share of [0.1, 0.5, 0.93]) {
  await test(`the wheel zooms at the pointer (${share})`, async () => {
    const page = await Page.open(url)
    for (let step = 0; step < 6; step++) {
      const before = await stretch(page)
      const time = await page.hover(share)
      await page.wheel(-200, share)
      const after = await stretch(page)
      assert(after.width < before.width * 0.95, `it is ${after.width} wide behind ${before.width}`)
      near(await page.hover(share), time, after.width / 300, 'the time under the pointer')
    }
    const inside = await stretch(page)
    await page.wheel(200, share)
    assert((await stretch(page)).width > inside.width * 1.05, 'out again')
    await page.close()
  })
}

await test('W and S zoom, A and D and the arrows move', async () => {
  const page = await Page.open(url)
  await page.hover(0.5)
  await page.key('w', 'w', 'w')
  const zoomed = await stretch(page)
  const moves = { d: 1, a: -1, ArrowRight: 1, ArrowLeft: -1 }
  for (const [key, way] of Object.entries(moves)) {
    const before = await stretch(page)
    await page.key(key)
    const after = await stretch(page)
    assert((after.from - before.from) * way > 0, `${key}: from ${before.from} to ${after.from}`)
    near(after.width, before.width, before.width / 1000, `the width after ${key}`)
  }
  await page.key('s')
  assert((await stretch(page)).width > zoomed.width, 's')
  await page.close()
})

await test('a drag selects and measures', async () => {
  const page = await Page.open(url)
  const [a, b] = [await page.hover(0.3), await page.hover(0.6)]
  await page.drag(0.3, 0.6)
  const { width } = await stretch(page)
  const chosen = await page.view((view) => view.selection)
  near(chosen[0], a, width / 300, 'its begin')
  near(chosen[1], b, width / 300, 'its end')
  await page.key('Escape')
  equal(await page.view((view) => view.selection), null, 'after Escape')
  await page.close()
})

await test('a reload brings back what was seen', async () => {
  const page = await Page.open(url)
  await page.wheel(-400, 0.4)
  await page.drag(0.3, 0.5)
  await page.page.waitForTimeout(800) // the address is written a little later
  const before = await page.view((view) => ({ from: view.from, until: view.until, selection: view.selection, panel: view.panel }))
  await page.page.reload()
  await page.settled()
  const after = await page.view((view) => ({ from: view.from, until: view.until, selection: view.selection, panel: view.panel }))
  near(after.from, before.from, 1, 'from')
  near(after.until, before.until, 1, 'until')
  near(after.selection[0], before.selection[0], 1, 'selection')
  near(after.selection[1], before.selection[1], 1, 'selection')
  equal(after.panel, before.panel, 'panel')
  await page.close()
})

await server.end()
await done()
