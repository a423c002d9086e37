// SPDX-License-Identifier: MIT
// How many steps the jobs of a firmware engineer take: presses of the pointer and of keys, counted in the page itself.
// Usage: steps.mjs in a folder with mutex.trace (the kernel example's) and raised.bin (tests/e2e/made.py)
import { inFirefox, Page, Server, assert, done, equal, run, test, until } from './browser.mjs'

// Runs in the page: a press of a modifier is no step of its own.
function count() {
  window.__steps = 0
  const step = (event) => { if (!['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) window.__steps++ }
  addEventListener('pointerdown', step, true)
  addEventListener('keydown', step, true)
}

// The job begins on a page that was just opened, and takes this many steps.
async function job(name, steps, file, body) {
  await test(`${name}: ${steps} ${steps === 1 ? 'step' : 'steps'}`, async () => {
    const server = new Server(file)
    const page = await Page.open(await server.url(), { script: count })
    await page.shown()
    const more = (await body(page)) ?? 0 // steps after the job
    equal((await page.page.evaluate(() => window.__steps)) - more, steps, 'steps')
    await page.close()
    await server.end()
  })
}

const stats = (file) => JSON.parse(run('stats', '--json', file)).lanes[0]
const picked = (page) => page.view((view) => view.picked && {
  ...view.picked, name: view.rows[view.picked.row].name, track: view.rows[view.picked.row].tracks.find((one) => one.id === view.picked.track).kind
})

await job('the longest response of a task, and why', 2, 'mutex.trace', async (page) => {
  await page.page.getByRole('tab', { name: 'Statistics' }).click()
  await page.page.locator('table.figures tbody tr', { hasText: 'clock' }).filter({ hasText: 'response' }).first().getByTitle('Show the greatest one').click()
  await page.page.getByRole('region', { name: 'Why' }).getByRole('table').first().waitFor()
  const slice = await picked(page), { max } = stats('mutex.trace').task.find((one) => one.name === 'clock').response
  equal([slice.name, slice.track, slice.end - slice.begin], ['clock', 'jobs', max / 1000], 'the job')
})

await job('the first mutex time-out', 2, 'mutex.trace', async (page) => {
  await page.page.keyboard.press('o')
  await page.page.getByRole('button', { name: /^the first at/ }).click()
  const [late] = JSON.parse(run('query', '--json', 'mutex.trace', 'select begin_tick, end_tick from wait where got = 0 order by 1 limit 1'))
  const t0 = await page.view((view) => +view.hello.t0)
  equal(await page.view((view) => view.selection), [late.begin_tick - t0, late.end_tick - t0], 'the wait')
})

await job('who inherited a priority from whom', 1, 'raised.bin', async (page) => {
  await page.page.keyboard.press('i')
  await until(async () => (await picked(page))?.track === 'priority', 'a priority')
  const { more } = await picked(page)
  assert((await page.view((view, more) => view.things[more].name, more)).endsWith('raised by high for printer'), 'who')
})

await job('how long an interrupt takes', 1, 'mutex.trace', async (page) => {
  const [row] = await page.rows('irq')
  await page.page.mouse.move((await page.plot()).x - 80, row.y + 6)
  await page.page.keyboard.press('g')
  const line = page.page.locator('table.figures tbody tr', { hasText: 'duration' }).first()
  await line.waitFor()
  assert((await line.innerText()).includes(`${stats('mutex.trace').interrupt[0].duration.max / 1000}`), await line.innerText())
})

// Two runs of a task that can be clicked, and the point of each.
async function runs(page) {
  await page.view((view) => { view.go(0, 30000) })
  await page.shown()
  const row = (await page.rows('task')).find((one) => one.name === 'clock')
  const slices = await page.view(async (view, number) => {
    const track = view.rows[number].tracks.find((one) => one.kind === 'states').id, found = []
    for (let at = -1; found.length < 2;) {
      const { slice } = await view.source.ask('step', { track, at, way: 1, value: 2 })
      found.push(slice)
      at = slice[0]
    }
    return found
  }, row.row)
  await page.view((view, until) => view.go(0, until), Math.round(slices[1][1] * 1.1))
  await page.shown()
  const points = []
  for (const [begin, end] of slices) points.push([await page.across((begin + end) / 2), row.y + 8])
  return { slices, points }
}

await job('the distance of two events', 2, 'mutex.trace', async (page) => {
  const { slices, points } = await runs(page)
  await page.page.mouse.click(...points[0])
  await page.page.keyboard.down('Shift')
  await page.page.mouse.click(...points[1])
  await page.page.keyboard.up('Shift')
  await until(() => page.view((view) => view.selection !== null), 'a distance')
  equal(await page.view((view) => view.selection), [slices[0][0], slices[1][0]], 'the distance')
})

await job('the next occurrence', 1, 'mutex.trace', async (page) => {
  const { slices, points } = await runs(page)
  await page.page.mouse.click(...points[0]) // what there is the next of
  await until(async () => (await picked(page))?.begin === slices[0][0], 'the first one')
  await page.page.keyboard.press(']')
  await until(async () => (await picked(page))?.begin === slices[1][0], 'the next one')
  return 1
})

await job('share with a colleague', 1, 'mutex.trace', async (page) => {
  await page.view((view) => { view.selection = [1000, 2000]; view.panel = 'details'; view.find = 'display'; view.changed() })
  await page.page.getByRole('button', { name: 'Copy link' }).click()
  await page.noticed('Copied')
  const steps = await page.page.evaluate(() => window.__steps)
  const other = await Page.open(await page.pasted())
  await other.shown()
  equal(await other.view((view) => [view.selection, view.panel, view.find]), [[1000, 2000], 'details', 'display'], 'what the colleague sees')
  await other.close()
  return (await page.page.evaluate(() => window.__steps)) - steps
})

await job('export the visible part', 2, 'mutex.trace', async (page) => {
  await page.view((view) => view.go(view.status.last * 0.4, view.status.last * 0.5))
  await page.shown()
  const file = inFirefox ? null : page.page.waitForEvent('download') // which Playwright has not of Firefox
  await page.page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.page.getByRole('menuitem', { name: 'Save as a page (HTML)' }).click()
  await page.noticed('Saved mutex-')
  assert(inFirefox || /^mutex-.*\.html$/.test((await file).suggestedFilename()), 'the file')
})

done()
