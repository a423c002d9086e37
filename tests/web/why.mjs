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
  task: { '': ['task', 'states', begins], run: ['task', 'states', whole] },
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
