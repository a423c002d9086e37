// SPDX-License-Identifier: MIT
// What the panels of a file's page tell is what the other commands tell. Usage: panels.mjs FILE
import { readFileSync } from 'node:fs'
import { Page, Server, assert, done, equal, near, recordsOf, run, test, until } from './browser.mjs'

const file = process.argv[2]
const bytes = readFileSync(file)
const server = new Server(file)
const url = await server.url()
const records = recordsOf(file)
const timed = records.filter((record) => 'tick' in record && record.kind !== 'loss' && record.flags !== 'untimed')
const info = JSON.parse(run('info', '--json', file))

const first = await Page.open(url)
const t0 = +(await first.view((view) => view.hello.t0))
await first.close()

const open = (panel) => Page.open(url, { panel })
const shown = (page) => page.page.locator('.record-rows .record:not(.pending)').evaluateAll((rows) =>
  rows.map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent)))
// A word as the page shows it: controls are made visible.
const plain = (text) => /^[\x20-\x7e]*$/.test(text)

await test('the table of records is that of `wallfly print`, in step with the view', async () => {
  const page = await open('records')
  for (const part of [0.2, 0.5, 0.8]) {
    const record = timed[Math.floor(timed.length * part)]
    await page.view((view, t, width) => view.go(t, t + width), record.tick - t0, (await page.view((view) => view.status.last)) / 200)
    await page.settled()
    const first = records.findIndex((one) => 'tick' in one && one.tick >= record.tick)
    await until(async () => (await shown(page)).some((row) => +row[0].replace(/\D/g, '') === records[first].number), `record ${records[first].number}`)
    for (const row of await shown(page)) {
      const one = records.find((r) => r.number === +row[0].replace(/\D/g, ''))
      assert(one, `no record ${row[0]}`)
      if (one.kind !== 'loss') equal(row[4], one.group_name, 'group')
      if (plain(one.name)) equal(row[5], one.name, 'name')
      if (plain(one.words) && one.words.length < 300) equal(row[6], one.words, 'words')
    }
  }
  await page.close()
})

await test('details have the fields, and the bytes that are in the file', async () => {
  const page = await open('details')
  for (const part of [0.1, 0.35, 0.6, 0.99]) {
    const record = timed[Math.floor(timed.length * part)]
    await page.view((view, number) => { view.record = number; view.changed() }, record.number)
    const dump = page.page.getByLabel('Bytes of the record')
    const heading = new RegExp(`bytes at ${record.offset}\\b`)
    await page.page.getByText(heading).first().waitFor()
    const text = await dump.innerText()
    const hex = [...text.matchAll(/^\s*[0-9a-f]{4,}\s+((?:[0-9a-f]{2}\s{1,2})+)/gm)].flatMap((line) => line[1].trim().split(/\s+/))
    assert(hex.length > 3, `no bytes in: ${text}`)
    equal(hex.join(''), bytes.subarray(record.offset, record.offset + hex.length).toString('hex'), `bytes of record ${record.number}`)
    const fields = await page.page.getByLabel('Record', { exact: true }).innerText()
    for (const name of Object.keys(record.fields).filter((name) => !name.endsWith('_name'))) assert(fields.includes(name), `no field ${name} in: ${fields}`)
  }
  await page.close()
})

await test('statistics of a selection are those of `wallfly stats`', async () => {
  const page = await open('stats')
  const last = await page.view((view) => view.status.last)
  const hz = await page.view((view) => view.hello.hz)
  const [a, b] = [Math.floor(last * 0.25), Math.floor(last * 0.7)]
  const seconds = (t) => (hz ? ((t + t0) / hz).toFixed(9) : String(t + t0))
  const wanted = JSON.parse(run('stats', '--json', '--time=target', `--from=${seconds(a)}`, `--until=${seconds(b)}`, file)).lanes[0]
  const answered = page.page.evaluate(([from, until]) => window.wallfly.view.source.ask('stats', { from, until }), [a, b])
  // Places count from t0.
  const zero = hz ? t0 * (1e9 / hz) : t0
  const fromT0 = (name, value) => (name.endsWith('_at') && value ? value.map((time) => +(time - zero).toFixed(3)) : value)
  equal((await answered).stats.lanes[0], JSON.parse(JSON.stringify(wanted), fromT0), 'the answer')
  await page.view((view, a, b) => { view.selection = [a, b]; view.changed() }, a, b)
  // The panel shows a kind at a time.
  const kinds = { core: 'Core', task: 'Task', machine: 'machine' }
  for (const [kind, title] of Object.entries(kinds)) {
    const tab = page.page.getByRole('tab', { name: new RegExp(title, 'i') }).last()
    if (!wanted[kind].length) continue
    await tab.click()
    await until(async () => {
      const text = await page.page.getByRole('tabpanel').last().innerText()
      return wanted[kind].every((row) => !plain(row.name ?? '') || text.includes(String(row.name ?? '').slice(0, 60)))
    }, `all rows of ${kind}`)
  }
  const row = wanted.task.find((one) => one.share > 1 && plain(one.name) && wanted.task.filter((other) => other.name.includes(one.name)).length === 1)
  if (row) { // the philosophers take next to nothing
    await page.page.getByRole('tab', { name: /Task/i }).last().click()
    const start = row.name.replace(/[^\w ]/g, '\\$&') // behind it may stand what the star means
    const head = page.page.getByRole('rowheader', { name: new RegExp(`^${start}(?![\\w]*\\d)`) })
    const line = page.page.getByRole('tabpanel').last().getByRole('row').filter({ has: head }).first()
    await until(async () => (await line.innerText()).replace(/\s/g, ' ').includes(row.share.toFixed(1).slice(0, -1)), `a share of ${row.share} for ${row.name}`)
  }
  await page.close()
})

await test('names of statistics lead to their rows: interrupts to those of their core', async () => {
  const page = await open('stats')
  const lanes = JSON.parse(run('stats', '--json', file)).lanes[0]
  if (lanes.interrupt?.length) {
    await page.page.getByRole('tab', { name: /^Interrupts/ }).click()
    const links = page.page.locator('table.figures').first().locator('tbody th button')
    equal(await links.count(), lanes.interrupt.length, 'interrupts with a row')
    for (const [i, { core, key }] of lanes.interrupt.entries()) {
      await links.nth(i).click()
      const row = await page.view((view) => ({ ...view.rows[view.picked.row], key: view.things[view.rows[view.picked.row].thing].key }))
      equal([row.kind, row.core, parseInt(row.key, 16)], ['irq', core ?? row.core, parseInt(key, 16)], `the row of interrupt ${key} of core ${core}`)
    }
  }
  for (const figure of await page.page.locator('table.figures thead').allInnerTexts()) {
    if (/p50/.test(figure)) assert(/figure/.test(figure), `nothing says what is told: ${figure}`)
  }
  await page.close()
})

await test('the object of the history stays while another panel is open, and is in the address', async () => {
  const page = await open('objects')
  const object = (of) => of.page.getByLabel('Object', { exact: true }).evaluate((list) => list.selectedOptions[0].textContent)
  const count = await page.page.getByLabel('Object', { exact: true }).locator('option').count()
  assert(count > 1 || !file.includes('philosophers'), `${count} objects with a history`) // other traces have one or none
  if (count > 1) {
    await page.page.getByLabel('Object', { exact: true }).selectOption({ index: count - 1 })
    await page.shown()
    await page.view((view) => { view.picked = null; view.changed() }) // the history follows it
    const chosen = await object(page), other = await Page.open(await page.view((view) => view.link()))
    await other.quiet()
    equal(await object(other), chosen, 'the object in a fresh browser')
    await other.close()
    await page.openPanel('records')
    await page.openPanel('objects')
    equal(await object(page), chosen, 'the object after another panel')
  }
  await page.close()
})

await test('losses are counted as by `wallfly info`', async () => {
  const page = await open('losses')
  const missing = info.ledger?.missing ?? 0
  equal(await page.view((view) => view.status.missing), missing, 'missing')
  if (missing) {
    const text = (await page.page.locator('body').innerText()).replace(/[\s,.\u202f\u00a0']/g, '')
    assert(text.includes(String(missing)), `${missing} is nowhere on the page`)
    const cores = await page.view((view) => [...new Set(view.rows.filter((row) => row.kind === 'link').map((row) => row.core))])
    const words = cores.length > 1 ? await page.page.locator('.losses tbody tr td:last-child').allInnerTexts() : []
    assert(words.every((word) => /^core \d+$/.test(word)), `where holes are: ${words}`)
  }
  await page.close()
})

await test('search finds rows, records, texts and times', async () => {
  const page = await Page.open(url)
  const open = async (text) => {
    await page.page.keyboard.press('/')
    await page.page.keyboard.type(text)
  }
  const row = await page.view((view) => view.rows.find((r) => (r.kind === 'task' || r.kind === 'machine') && /^[\w[\]]+$/.test(r.name)))
  if (row) {
    await open(row.name)
    const option = page.page.getByRole('option').filter({ hasText: row.name }).first()
    await option.waitFor()
    await option.click()
    await page.settled()
    equal(await page.view((view) => view.rows[view.picked?.row ?? -1]?.name ?? null), row.name, 'the row that is picked')
  }
  const record = timed[Math.floor(timed.length / 2)]
  if (plain(record.words)) {
    await page.view((view, t) => view.go(t - 1000, t + 1000), record.tick - t0 - 1)
    await open(record.words)
    await page.page.getByRole('option').first().waitFor()
    await until(async () => {
      await page.page.keyboard.press('Enter')
      return page.view((view) => view.record !== null || view.cursor !== null)
    }, 'the record')
  }
  await page.key('Escape', 'Escape')
  await open('t=3000000s')
  await page.page.getByRole('option').filter({ hasText: 'where the trace ends' }).waitFor()
  await page.page.keyboard.press('Enter')
  await page.settled()
  const [cursor, from, end, last] = await page.view((view) => [view.cursor, view.from, view.until, view.status.last])
  equal(cursor, last, 'the cursor')
  assert(from <= last && last <= end, `the end, ${last}, is not in ${from}..${end}`)
  await open('a text that no record has')
  await page.page.keyboard.press('Enter')
  const note = page.page.getByText('no record has “a text that no record has”')
  await note.waitFor()
  await page.page.getByRole('button', { name: 'Dismiss' }).click()
  await note.waitFor({ state: 'detached' })
  await page.close()
})

await test('the sequence diagram and the state machine of a selection', async () => {
  const page = await open('sequence')
  const last = await page.view((view) => view.status.last)
  const machine = await page.view((view) => view.rows.find((row) => row.kind === 'machine')?.tracks.find((t) => t.kind === 'machine')?.id ?? null)
  await page.view((view, a, b) => { view.selection = [a, b]; view.changed() }, Math.floor(last * 0.3), Math.floor(last * 0.6))
  const answer = await page.page.evaluate(([from, until]) => window.wallfly.view.source.ask('sequence', { from, until }), [last * 0.3, last * 0.6].map(Math.floor))
  if (answer.lanes.length) {
    const drawn = page.page.getByLabel(/arrows between \d+ lanes/)
    await until(async () => (await drawn.getAttribute('aria-label')).includes(`${answer.lanes.length} lanes`), `${answer.lanes.length} lanes`)
  }
  if (machine !== null) {
    await page.view((view) => { view.panel = 'machine'; view.changed() })
    const drawn = page.page.getByLabel(/^\d+ states?$/)
    await drawn.waitFor()
    const states = await page.page.evaluate(([track, from, until]) => window.wallfly.view.source.ask('machine', { track, from, until }), [machine, Math.floor(last * 0.3), Math.floor(last * 0.6)])
    assert(states.states.length > 0, 'no states')
  }
  await page.close()
})

await test('? shows the keys, and dark and light are two', async () => {
  const page = await Page.open(url)
  await page.key('?')
  const help = page.page.getByRole('dialog')
  await help.waitFor()
  const text = await help.innerText()
  await help.getByText('Licences of what is in this page').click()
  const notices = await help.locator('.notices pre').innerText()
  for (const words of ['wallfly', 'preact', 'uplot', 'Permission is hereby granted'])
    if (!notices.includes(words)) throw new Error(`the licences in the help lack ${words}`)
  for (const word of ['search', 'zoom', 'select']) assert(text.toLowerCase().includes(word), `no ${word} in: ${text}`)
  await page.key('Escape')
  await until(async () => (await help.count()) === 0 || !(await help.isVisible()), 'that the help is gone')
  const brightness = async () => {
    const { x, y } = await page.plot()
    const part = await page.pixels(Math.round(x) - 110, Math.round(y), 100, 100) // of the names
    let sum = 0
    for (let i = 0; i < 100; i++) sum += part.at(i, i % 100).reduce((a, b) => a + b, 0)
    return sum / 300
  }
  const light = await brightness()
  await page.key('T')
  const dark = await brightness()
  assert(light > 150 && dark < 100, `${light} and ${dark} of 255`)
  await page.close()
})

// The lines of the tip of a row at a place of the page: [name, share in per cent], with the window.
async function loadTip(page, x, y, row) {
  await page.page.mouse.move(x, y)
  return until(async () => {
    const tip = await page.page.evaluate(() => {
      const box = document.querySelector('.tip:not([hidden])')
      const texts = (name) => [...box?.querySelectorAll(name) ?? []].map((one) => one.textContent)
      return { title: texts('.tip-row')[0], what: texts('.tip-what')[0] ?? '', names: texts('.tip-name'), shares: texts('.tip-time') }
    })
    return /window/.test(tip.what) && tip.title === row && tip
  }, `the tip of ${row}`)
}

await test('the tip of a load has the figures of `wallfly stats` for its window', async () => {
  const page = await open('none')
  const { hz, last, cores } = await page.view((view) => ({
    hz: view.hello.hz, last: view.status.last, cores: view.rows.filter((row) => row.kind === 'load' && row.core >= 0).length
  }))
  assert(cores > 0, 'no load of a core')
  const width = await page.view((view) => {
    view.loadWindow = [1e-4, 1e-3, 1e-2, 0.1, 1].find((seconds) => seconds * view.hello.hz * 40 > view.status.last) ?? 0
    view.changed()
    return Math.round(view.loadWindow * view.hello.hz)
  })
  if (width > last) await page.view((view) => { view.loadWindow = 0; view.changed() })
  await page.shown()
  for (const [part, row] of (await page.rows('load')).entries()) {
    const { x, width: wide } = await page.plot()
    const tip = await loadTip(page, x + wide * (0.35 + part / 20), row.y + row.height / 2, row.name)
    const [, length, unit, begin] = /window (\S+) (\S+) from (\S+) s$/.exec(tip.what.replace(/\u202f/g, '')) ?? []
    assert(begin, `the words: ${tip.what}`)
    const seconds = +length * { ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1 }[unit]
    const [lane] = JSON.parse(run('stats', '--json', `--from=${begin}`, `--until=${(+begin + seconds).toFixed(9)}`, file)).lanes
    const core = row.name === 'load of all cores' ? -1 : +row.name.split(' ').at(-1)
    const of = lane.core.filter((one) => core < 0 || one.core === core)
    const all = seconds * 1e9 * (core < 0 ? cores : 1)
    const sum = (list, figure) => list.reduce((sum, one) => sum + one[figure], 0) / all * 100
    const shares = new Map()
    tip.names.forEach((name, i) => shares.set(name, (shares.get(name) ?? 0) + (/^</.test(tip.shares[i]) ? 0.005 : parseFloat(tip.shares[i].replace('>', '')))))
    const share = (names) => names.reduce((sum, name) => sum + (shares.get(name) ?? 0), 0)
    const tasks = new Set(lane.task.map((one) => one.name))
    const some = (got, wanted, what) => near(got, wanted, 0.03, `${what} of ${row.name}, ${tip.what}: ${tip.names.map((name, i) => `${name} ${tip.shares[i]}`)}`)
    some(share(['idle']), sum(of, 'idle'), 'idle time')
    const irqs = [...shares.keys()].filter((name) => /^irq /.test(name))
    if (shares.has('others')) { // the smallest of them
      some(share([...tasks, ...irqs, 'others']), sum(of, 'tasks') + sum(of, 'interrupts'), 'time of all')
      continue
    }
    some(share([...tasks]), sum(of, 'tasks'), 'time of tasks')
    some(share(irqs), sum(of, 'interrupts'), 'time of interrupts')
    if (cores === 1) for (const name of tasks) some(share([name]), sum(lane.task.filter((one) => one.name === name), 'cpu'), name)
  }
  await page.close()
})

await server.end()
await done()
