// SPDX-License-Identifier: MIT
// Figures lead to their places. Usage: why.mjs in a folder with mutex.trace (the kernel example's),
// raised.bin (tests/e2e/made.py), machines.bin (of QP)
import { Page, Server, assert, done, equal, near, run, test, until } from './browser.mjs'

async function on(file, body) {
  const server = new Server(file)
  const page = await Page.open(await server.url())
  await body(page, JSON.parse(run('stats', '--json', file)).lanes[0])
  await page.close()
  await server.end()
}

const titles = {
  task: 'Tasks', interrupt: 'Interrupts', object: 'Objects', machine: 'State machines', hold: 'Mutexes held', wait: 'Waits',
  blocked: 'Blocked', inversion: 'Priority inversions', raised: 'Raised priorities'
}
const picked = (page) => page.view((view) => view.picked && {
  ...view.picked, name: view.rows[view.picked.row].name, row: view.rows[view.picked.row].kind,
  track: view.rows[view.picked.row].tracks.find((one) => one.id === view.picked.track).kind,
  waits: view.things[view.picked.more]?.name ?? '', holds: view.things[view.picked.value]?.name ?? ''
})

// Where each figure must lead: kind of row and track, and what its slice is to the place.
const whole = (slice, from, to) => slice.begin === from && slice.end === to
const begins = (slice, from) => slice.begin === from
const covers = (slice, from) => slice.begin <= from && from < slice.end
const waits = (slice, from, to) => slice.value === 3 && slice.waits === 'display' && slice.begin < to && slice.end > from
const ways = {
  task: { '': ['task', 'jobs', whole], start: ['task', 'jobs', begins], start_jitter: ['task', 'jobs', begins], period: ['task', 'jobs', begins],
          run: ['task', 'states', whole] },
  interrupt: { '': ['irq', 'irqs', whole], period: ['irq', 'irqs', begins] },
  machine: { '': ['machine', 'steps', whole] },
  object: { hold: ['object', 'holder', whole], wait: ['task', 'states', waits], depth: ['machine', 'level', covers] },
  hold: { '': ['task', 'holds', whole] },
  wait: { '': ['task', 'states', waits] }, blocked: { '': ['task', 'states', waits] }, inversion: { '': ['task', 'states', waits] },
  raised: { '': ['task', 'priority', whole] }
}

// Clicks the maximum of the first row of each figure of the kinds, and a minimum of each kind.
async function follow(page, lane, kinds) {
  const [hz, t0] = await page.view((view) => [view.hello.hz, +view.hello.t0])
  let followed = 0
  for (const kind of kinds) {
    const figures = new Set(lane[kind].flatMap((row) => Object.keys(row).filter((name) => row[name]?.count)))
    assert(figures.size > 0, `no figures of ${kind}`)
    for (const figure of figures) {
      const row = lane[kind].find((one) => one[figure]?.count)
      for (const column of figure === [...figures][0] ? ['min', 'max'] : ['max']) {
        await page.view((view) => { view.selection = view.picked = null; view.fit(); view.panel = 'stats' })
        await page.shown()
        await page.page.getByRole('tablist', { name: 'Statistics of' }).getByRole('tab', { name: new RegExp(`^${titles[kind]}`) }).click()
        const lines = page.page.locator('table.figures tbody tr').filter({ has: page.page.locator('td', { hasText: new RegExp(`^${figure.replace('_', ' ')}$`) }) })
        if (!await lines.count()) continue // runs are not shown where jobs are
        await lines.first().getByTitle(column === 'min' ? 'Show the least one' : 'Show the greatest one').click()
        await until(() => page.view((view) => view.panel === 'details'), 'the details')
        await page.shown()
        const [from, to] = row[figure][`${column}_at`].map((time) => Math.round(time * hz / 1e9) - t0)
        const [rows, track, fits] = ways[kind][figure] ?? ways[kind]['']
        const slice = await picked(page), what = `${column} of ${kind} ${row.name ?? row.task} ${figure} at ${from}..${to}: ${JSON.stringify(slice)}`
        assert(slice && slice.row === rows && slice.track === track && fits(slice, from, to), what)
        const own = { task: row.name, machine: row.name, object: track === 'states' ? slice.name : row.name }[kind] ?? row.task
        if (kind !== 'interrupt') equal(slice.name, own, what)
        const [left, right] = await page.view((view) => [view.from, view.until])
        assert(left <= from && right >= to && (to === from || right - left <= 3 * (to - from) + 300), `${what} in ${left}..${right}`)
        ++followed
      }
    }
  }
  return followed
}

await on('mutex.trace', async (page, lane) => {
  await test('each minimum and maximum leads to its job, wait, hold or interrupt', async () => {
    const followed = await follow(page, lane, ['task', 'interrupt', 'object', 'hold', 'wait', 'blocked', 'inversion'])
    assert(followed >= 20, `${followed} figures`)
  })
})

// What `wallfly stats --explain` prints for the longest response of a task.
const explained = (task) => JSON.parse(run('stats', '--explain=' + task, '--json', 'mutex.trace')).lanes[0]

await on('mutex.trace', async (page) => {
  await test('the longest response and why: two clicks', async () => {
    const want = explained('clock'), hz = await page.view((view) => view.hello.hz)
    let steps = 0
    await page.page.getByRole('tab', { name: 'Statistics' }).click(), ++steps
    await page.page.locator('table.figures tbody tr', { hasText: 'clock' }).filter({ hasText: 'response' }).first().getByTitle('Show the greatest one').click(), ++steps
    const why = page.page.getByRole('region', { name: 'Why' })
    await why.getByRole('table').first().waitFor()
    await page.shown()
    equal(steps, 2, 'clicks')
    const slice = await picked(page)
    equal([slice.track, slice.name, slice.end - slice.begin], ['jobs', 'clock', want.response * hz / 1e9], 'the picked job')
    const causes = await why.locator('table').first().locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.querySelector('.words').textContent))
    equal(causes, want.causes.map((cause) => cause.words), 'causes')
    // The bar has all of the response, in order of time.
    const bar = await why.locator('.why-bar button').evaluateAll((parts) => parts.map((part) => parseFloat(part.style.flex)))
    equal(bar.reduce((sum, ticks) => sum + ticks, 0), slice.end - slice.begin, 'ticks of the bar')
    // A row leads to its longest part, and the count from part to part; the job stays picked.
    const first = want.causes.findIndex((cause) => cause.count > 1)
    const line = why.locator('table').first().locator('tbody tr').nth(first)
    await line.getByTitle('Show the longest part with this cause').click()
    await page.shown()
    const t0 = await page.view((view) => +view.hello.t0), ticks = (ns) => Math.round(ns * hz / 1e9)
    equal(await page.view((view) => view.selection), want.causes[first].longest.map(ticks), 'the longest part')
    equal((await picked(page)).track, 'jobs', 'the picked job')
    const own = want.parts.map(([from, cause], i) => [from, want.parts[i + 1]?.[0] ?? want.parts_until, cause]).filter((part) => part[2] === first)
    for (let i = 0; i < 2; ++i) {
      await line.getByTitle('Show the next part with this cause').click()
      await page.shown()
      equal(await page.view((view) => view.selection), own[i].slice(0, 2).map(ticks), `part ${i} (zero ${t0})`)
    }
    const wait = why.getByRole('table').nth(1).locator('tbody tr').first()
    equal(await wait.locator('td').allInnerTexts().then((cells) => cells.slice(2)), ['display', 'thermometer', 'acquired'], 'the wait')
  })

  await test('lengths of an interrupt: one key, with the pointer at its row', async () => {
    await page.view((view) => { view.selection = null; view.panel = 'records'; view.fit() })
    await page.shown()
    const [row] = await page.rows('irq')
    await page.page.mouse.move((await page.plot()).x - 80, row.y + 6)
    await page.key('g')
    const line = page.page.locator('table.figures tbody tr', { hasText: 'duration' }).first()
    await line.waitFor()
    const want = JSON.parse(run('stats', '--json', 'mutex.trace')).lanes[0].interrupt[0].duration
    assert((await line.innerText()).includes(`${want.max / 1000}`), `${await line.innerText()} instead of ${JSON.stringify(want)}`)
    await page.page.mouse.move(5, 5)
  })

  await test('distance of two slices, or of two records: two clicks', async () => {
    await page.view((view) => { view.selection = view.picked = null; view.panel = 'records'; view.go(0, 30000) })
    await page.shown()
    const row = (await page.rows('task')).find((one) => one.name === 'clock')
    const slices = []
    for (let at = 0; slices.length < 2;) {
      const slice = await page.view((view, number, at) => view.source.ask('step', { track: view.rows[number].tracks.find((one) => one.kind === 'states').id, at, way: 1, value: 2 })
        .then((answer) => answer.slice), row.row, at)
      slices.push(slice)
      at = slice[0]
    }
    await page.view((view, until) => view.go(0, until), Math.round(slices[1][1] * 1.1))
    await page.shown()
    const point = async ([begin, end]) => [await page.across((begin + end) / 2), row.y + 8]
    await page.page.mouse.click(...await point(slices[0]))
    await page.page.keyboard.down('Shift')
    await page.page.mouse.click(...await point(slices[1]))
    await page.page.keyboard.up('Shift')
    equal(await page.view((view) => view.selection), [slices[0][0], slices[1][0]], 'from begin to begin')
    await page.view((view) => { view.selection = null; view.changed() })
    const lines = page.page.locator('.record-rows .record')
    await page.page.getByRole('grid', { name: 'Records' }).hover()
    await page.page.mouse.wheel(0, 400) // past the names, which have one time
    await page.shown()
    await lines.nth(1).click()
    await page.shown()
    await lines.nth(6).click({ modifiers: ['Shift'] })
    const numbers = await lines.evaluateAll((all) => [1, 6].map((i) => +all[i].querySelector('.c-number').textContent.replace(/\D/g, '')))
    const times = await page.view((view, numbers) => Promise.all(numbers.map((number) => view.source.ask('record', { number }).then(({ record }) => record.t))), numbers)
    equal(await page.view((view) => view.selection), times, 'from record to record')
    // Of either kind, from what was chosen last.
    const between = (...ends) => ends.sort((a, b) => a - b)
    const whole = () => page.view((view, until) => { view.selection = null; view.go(0, until) }, Math.round(slices[1][1] * 1.1)).then(() => page.shown())
    await whole()
    await page.page.keyboard.down('Shift')
    await page.page.mouse.click(...await point(slices[1]))
    await page.page.keyboard.up('Shift')
    equal(await page.view((view) => view.selection), between(times[0], slices[1][0]), 'from record to slice')
    await whole()
    await page.page.mouse.click(...await point(slices[0]))
    await page.shown()
    const number = +(await lines.nth(6).locator('.c-number').innerText()).replace(/\D/g, '')
    await lines.nth(6).click({ modifiers: ['Shift'] })
    const { record } = await page.view((view, number) => view.source.ask('record', { number }), number)
    equal(await page.view((view) => view.selection), between(slices[0][0], record.t), 'from slice to record')
    await page.view((view) => { view.selection = view.picked = view.record = null; view.changed() })
  })

  await test('a slice of a task leads to its job; one of an interrupt has no reason', async () => {
    await page.view((view) => { view.selection = null; view.fit() })
    const row = (await page.rows('task')).find((one) => one.name === 'keys')
    await page.view((view, number) => {
      const track = view.rows[number].tracks.find((one) => one.kind === 'states')
      view.picked = { row: number, track: track.id, begin: 30040, end: 30060, value: 1 }
      view.panel = 'details'
      view.changed()
    }, row.row)
    await page.page.getByTitle('Why it took as long as it did').click()
    await page.page.getByRole('region', { name: 'Why' }).getByRole('table').first().waitFor()
    equal((await picked(page)).track, 'jobs', 'the picked job')
  })
})

await on('raised.bin', async (page, lane) => {
  await test('so do those of inherited priorities', async () => {
    equal(await follow(page, lane, ['raised']), 2, 'figures')
  })
})

await on('machines.bin', async (page, lane) => {
  await test('so do those of state machines', async () => {
    equal(await follow(page, lane, ['machine']), 2, 'figures')
  })
})

await done()
