// SPDX-License-Identifier: MIT
// Several traces above one another. Usage: traces.mjs A B: recordings of tests/e2e/arrivals.c, B 3 s later and 50 ppm
// slower; one.bin, two.bin, truth.json of tests/e2e/exchange.py; and unnamed.bin, without names of its tasks.
import { readFileSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { check } from './axe.mjs'
import { Server, assert, done, equal, near, test, until } from './browser.mjs'
import { Traces } from './several.mjs'

const [, , a, b] = process.argv

const recordings = new Server(a, b)
const two = await Traces.open(recordings)
const HZ = await two.view(0, (view) => view.hello.hz)
const t0 = await Promise.all([0, 1].map((i) => two.view(i, (view) => Number(view.hello.t0))))
// The true time of a tick in ns, and back.
const truth = [(t) => 0.5e9 + (t + t0[0]) * 1e9 / HZ, (t) => 3.5e9 + (t + t0[1]) * 1e9 / HZ * (1 + 50e-6)]
const back = [(ns) => (ns - 0.5e9) * HZ / 1e9 - t0[0], (ns) => (ns - 3.5e9) * HZ / 1e9 / (1 + 50e-6) - t0[1]]

await test('the traces are above one another, by the time of day', async () => {
  equal(await two.page.locator('.trace-head .name').allInnerTexts(), [a, b], 'heads')
  equal(await two.page.locator('select').first().inputValue(), 'arrivals', 'basis')
  const ranges = await Promise.all([0, 1].map((i) => two.view(i, (view) => [view.from, view.until])))
  for (const end of [0, 1]) near(truth[1](ranges[1][end]), truth[0](ranges[0][end]), 2e6, 'the same time')
  const [error] = /order known beyond ([\d.]+) ms/.exec(await two.words()).slice(1)
  assert(+error > 0.1 && +error < 3, await two.words())
})

await test('zooming one trace shows the same time in the other', async () => {
  for (const leader of [0, 1]) {
    const box = await two.page.locator('iframe').nth(leader).boundingBox()
    await two.page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.6)
    for (let i = 0; i < 6; i++) await two.page.mouse.wheel(0, -240)
    await two.page.waitForTimeout(0)
    const other = 1 - leader
    await until(async () => {
      const [from, to] = await Promise.all([leader, other].map((i) => two.view(i, (view) => view.from)))
      return Math.abs(truth[other](to) - truth[leader](from)) < 2e6
    }, 'the same begin')
    const lengths = await Promise.all([0, 1].map((i) => two.view(i, (view) => view.until - view.from)))
    near(lengths[0] / lengths[1], 1, 1e-3, 'as long')
  }
})

await test('the pointer in one trace is a band as wide as the error in the other', async () => {
  const x = await two.at(0, await two.view(0, (view) => (view.from + view.until) / 2))
  await two.page.mouse.move(x, await two.rowAt(0, 'sample'))
  const cursor = await until(() => two.view(0, (view) => view.cursor), 'the cursor')
  const band = await until(() => two.view(1, (view) => view.other), 'the band')
  const true1 = back[1](truth[0](cursor))
  assert(band[0] <= true1 && true1 <= band[1], [band, true1])
  near((band[1] - band[0]) / HZ, 0.0025, 0.0024, 'its width in seconds')
  equal(await two.view(0, (view) => view.other), null, 'none in the trace itself')
})

// Chooses the slice of a task that begins after t.
async function choose(number, task, t) {
  await two.view(number, (view, t) => view.go(t - 2e6, t + 2e6), t)
  await two.frame(number).evaluate(() => window.wallfly.idle())
  const { begin } = await two.frame(number).evaluate(async ([task, t]) => {
    const { view } = window.wallfly
    const row = view.rows.findIndex((row) => row.kind === 'task' && row.name === task)
    const track = view.rows[row].tracks.find((track) => track.kind === 'states').id
    const { slice } = await view.source.ask('step', { track, at: Math.round(t), way: 1, value: null })
    view.picked = { row, track, begin: slice[0], end: slice[1], value: slice[2] }
    view.changed()
    return view.picked
  }, [task, t])
  return begin
}

await test('an order is claimed only beyond the errors', async () => {
  const time = 9e9 // ns of the true clock
  const first = await choose(0, 'report', back[0](time))
  const second = await choose(1, 'report', back[1](time + 50e6))
  const away = truth[1](second) - truth[0](first)
  const words = await until(async () => /(\S+) is ([\d.]+) ms after (\S+) ± ([\d.]+) (ms|µs)/.exec(await two.words()), 'the order')
  equal([words[1], words[3]], away > 0 ? [b, a] : [a, b], 'which is later')
  near(+words[2] * 1e6, Math.abs(away), +words[4] * (words[5] === 'ms' ? 1e6 : 1e3) + 1e5, 'by how much')
  // The same moment in both: the next slice of a is chosen where b's is in truth.
  await two.view(0, (view, t) => { view.picked = { ...view.picked, begin: t }; view.changed() }, Math.round(back[0](truth[1](second))))
  await until(async () => (await two.words()).includes('the order is not known'), 'no order')
})

await test('chosen moments can be aligned, and then no order is claimed', async () => {
  await two.page.getByRole('button', { name: 'Align the chosen' }).click()
  equal(await two.page.locator('select').first().inputValue(), 'moments', 'basis')
  const moments = await Promise.all([0, 1].map((i) => two.view(i, (view) => view.picked.begin)))
  await until(() => two.page.url().includes(`moments=${moments.join()}`), 'the address')
  assert((await two.words()).includes('the error is not known'), await two.words())
  const shown = await Promise.all([0, 1].map((i) => two.at(i, moments[i])))
  near(shown[0], shown[1], 1, 'at the same place')
})

await test('markers are chosen moments as well', async () => {
  const [first, second] = [6e9, 6.2e9].map((ns, i) => Math.round(back[i](ns)))
  for (const [i, t] of [first, second].entries()) {
    await two.view(i, (view, t) => view.go(t - 1e5, t + 1e5), t)
    await two.frame(i).evaluate(() => window.wallfly.idle())
    await two.page.mouse.move(await two.at(i, t), await two.rowAt(i, 'report'))
    await until(() => two.view(i, (view) => view.cursor), 'the cursor')
    await two.frame(i).locator('.timeline').press('m')
    await two.frame(i).locator('input.note-edit').waitFor()
    await two.page.keyboard.press('Enter')
  }
  const set = await Promise.all([0, 1].map((i) => two.view(i, (view) => view.markers[0].t)))
  near(set[0], first, 1e4, 'where the pointer was')
  await two.page.getByRole('button', { name: 'Align the chosen' }).click()
  await until(() => two.page.url().includes(`moments=${set.join()}`), 'the address')
  assert(await two.view(0, (view) => view.picked), 'the slice is no longer chosen')
  await two.frame(0).locator('.timeline').press('Escape')
  equal(await two.view(0, (view) => view.marker), null, 'after Escape')
  assert((await two.words()).includes(' apart, the error is not known'), `${await two.words()}: the slice is still chosen`)
})

await test('the address shows the same in a fresh browser', async () => {
  await two.view(0, (view) => { view.picked = null; view.changed() }) // its begin is no slice's
  await until(() => !two.page.url().includes('0.pick'), 'the address')
  const hash = new URL(two.page.url()).hash
  const again = await Traces.open(recordings, hash)
  await until(async () => new URL(again.page.url()).hash === hash, `the address ${hash}, not ${again.page.url()}`)
  for (const i of [0, 1]) {
    const [was, is] = await Promise.all([two, again].map((one) => one.view(i, (view) => [view.from, view.until])))
    near((is[0] - was[0]) / (was[1] - was[0]), 0, 1e-3, `from of ${i}`)
    near((is[1] - was[1]) / (was[1] - was[0]), 0, 1e-3, `until of ${i}`)
  }
  await again.shown.close()
})

await test('an address that is entered is shown', async () => {
  await two.page.evaluate(() => { location.hash = '#by=begins&from=1000000&until=3000000' })
  await until(async () => {
    const ranges = await Promise.all([0, 1].map((i) => two.view(i, (view) => [view.from, view.until])))
    return ranges.every(([from, to]) => Math.abs(from - 1e6) < 1 && Math.abs(to - 3e6) < 1)
  }, 'the range in both')
  equal(await two.page.locator('select').first().inputValue(), 'begins', 'basis')
})

await test('--at shows a place of the first trace, and its time in the other', async () => {
  const server = new Server('--at=5s..5.5s', a, b)
  const url = (await server.waitFor(/http:\/\/\S+/))[0]
  assert(url.includes('#at='), url)
  const placed = await Traces.open({ url: () => url })
  const mid = 5.25 * HZ
  await until(async () => {
    const [from, to] = await placed.view(0, (view) => [view.from, view.until])
    return from < mid && to > mid && to - from < 2 * HZ
  }, 'the place')
  await until(async () => {
    const ranges = await Promise.all([0, 1].map((i) => placed.view(i, (view) => view.from)))
    return Math.abs(truth[1](ranges[1]) - truth[0](ranges[0])) < 2e6
  }, 'the other trace')
  await placed.shown.close()
  await server.end()
})

await test('panels of a trace are within it', async () => {
  await two.frame(0).getByRole('tab', { name: 'Losses' }).click()
  equal(await two.view(0, (view) => view.panel), 'losses', 'the panel')
  equal(await two.view(1, (view) => view.panel), 'none', 'not in the other')
})

await test('light and dark are those of all', async () => {
  await two.page.getByRole('button', { name: 'Dark theme' }).click()
  await until(async () => (await two.view(0, (view) => view.dark)) && two.view(1, (view) => view.dark), 'dark')
  await check(two.shown, 'several traces, dark')
  await two.page.getByRole('button', { name: 'Light theme' }).click()
})
await two.shown.close()
await recordings.end()

const exchange = new Server('one.bin', 'two.bin')
const paired = await Traces.open(exchange)
const { sent, replies, offset, drift } = JSON.parse(readFileSync('truth.json'))

await test('without times of arrival the begins correspond', async () => {
  equal(await paired.page.locator('select').first().inputValue(), 'begins', 'basis')
  assert((await paired.words()).includes('no order between traces is certain'), await paired.words())
  assert(await paired.page.locator('option[value=arrivals]').evaluate((option) => option.disabled), 'no time of day')
})

await test('messages are found by their numbers, align both clocks, and are arrows', async () => {
  await paired.page.getByRole('button', { name: 'Pair records' }).click()
  const form = paired.page.locator('.pair-form')
  const fill = async (row, how, own, other) => {
    const line = form.locator('.pair-row').nth(row)
    await line.getByLabel('How').selectOption(how)
    await line.getByLabel('records with').fill(own)
    await line.getByLabel('and there with').fill(other)
  }
  await fill(0, 'sent', 'sent', 'received')
  await form.getByRole('button', { name: 'Another kind of pair' }).click()
  await fill(1, 'received', 'received', 'sent')
  await check(paired.shown, 'the form of pairs')
  await form.getByRole('button', { name: 'Find and align' }).click()
  const found = await until(async () => /(\d+) pairs of 400 .*both directions/.exec(await form.locator('.pair-found').innerText()), 'the pairs')
  assert(+found[1] > 380, found[0])
  equal(await paired.page.locator('select').first().inputValue(), 'pairs', 'basis')
  await paired.page.getByRole('button', { name: 'Pair records' }).click()
})

await test('an arrow of each message in view, from its sender to its receiver', async () => {
  const base = await Promise.all([0, 1].map((i) => paired.view(i, (view) => Number(view.hello.t0))))
  const there = (us) => Math.floor((us - offset) * (1 + drift)) - base[1]
  const [from, to] = [100000, 160000]
  await paired.page.mouse.move(await paired.at(0, 1000), await paired.rowAt(0, 'sender'))
  await paired.view(0, (view, from, to) => view.show(from, to), from, to)
  const got = new Set(await paired.view(1, async (view) => {
    const answer = await view.source.ask('search', { which: 1, text: 'received', at: 0 })
    let state
    do state = await view.source.ask('found', { which: 1 }); while (!state.done)
    const { hits } = await view.source.ask('hits', { which: 1, first: 0, most: 500 })
    return answer && hits.map(({ t }) => t)
  }))
  const ours = [...sent.filter(([, at, by]) => got.has(there(by))).map(([, at, by]) => [at - base[0], there(by)]),
                ...replies.filter(([i]) => got.has(there(sent[i][2]))).map(([, at, by]) => [by - base[0], there(at)])]
  await until(async () => Math.abs((await paired.view(1, (view) => view.from)) - from) < 20000, 'the other range')
  const [from1, to1] = await paired.view(1, (view) => [view.from, view.until])
  const wanted = ours.filter(([x, y]) => (x >= from && x <= to) || (y >= from1 && y <= to1)).length
  assert(wanted > 10, wanted)
  await until(async () => +(await paired.page.locator('.lanes-arrows').getAttribute('data-arrows')) === wanted, `${wanted} arrows`)
  // Its ends: colour at the middle of a steep arrow between both frames.
  const [x, y] = ours.find(([x]) => x > from + 10000)
  const [x0, x1] = [await paired.at(0, x), await paired.at(1, y)]
  const box = await paired.page.locator('iframe').nth(1).boundingBox()
  const [y0, y1] = [await paired.rowAt(0, 'sender'), await paired.rowAt(1, 'receiver')]
  const at = (box.y - 12 - y0) / (y1 - y0)
  const drawn = await paired.page.evaluate(([px, py]) => {
    const canvas = document.querySelector('.lanes-arrows')
    const scale = canvas.width / innerWidth
    const { data } = canvas.getContext('2d').getImageData(Math.round((px - 2) * scale), Math.round(py * scale), 5, 1)
    return [0, 1, 2, 3, 4].some((i) => data[4 * i + 3] > 30)
  }, [x0 + (x1 - x0) * at, y0 + (y1 - y0) * at])
  assert(drawn, 'no arrow between the traces')
})

await test('pairs are in the address', async () => {
  await until(() => paired.page.url().endsWith('from=100000&until=160000'), 'the range in the address')
  const hash = new URL(paired.page.url()).hash
  assert(hash.includes('by=pairs') && hash.includes('0:sent:sent:1:received'), hash)
  const again = await Traces.open(exchange, hash)
  await until(async () => +(await again.page.locator('.lanes-arrows').getAttribute('data-arrows')) > 10, 'arrows')
  await again.shown.close()
})

// The answer to a request for pairs takes as long as `held` is true.
async function holdPairs(shown) {
  await shown.frame(0).evaluate(() => {
    const { source } = window.wallfly.view, ask = source.ask.bind(source)
    window.held = true
    source.ask = async (op, ...rest) => {
      const answer = await ask(op, ...rest)
      while (op === 'pairs' && window.held) await new Promise((go) => setTimeout(go, 20))
      return answer
    }
  })
  return () => shown.frame(0).evaluate(() => { window.held = false })
}

await test('what is done while pairs are read stays', async () => {
  const ranges = () => Promise.all([0, 1].map((i) => paired.view(i, (view) => [view.from, view.until])))
  const enter = async (hash) => {
    await paired.page.evaluate((hash) => { location.hash = hash }, hash)
    const [from] = /from=\d+/.exec(hash)[0].split('=').slice(1).map(Number)
    await until(async () => Math.abs((await ranges())[0][0] - from) < 1, `the range of ${hash}`)
  }
  const pairs = 'pairs=0:sent:sent:1:received,0:received:received:1:sent'
  let go = await holdPairs(paired)
  await enter(`#by=pairs&${pairs}&from=200000&until=260000`)
  await paired.view(0, (view) => view.show(210000, 230000)) // the user zooms
  await go()
  await until(() => paired.page.url().endsWith('from=210000&until=230000'), 'the range of the user')
  equal(await paired.page.locator('select').first().inputValue(), 'pairs', 'basis')
  go = await holdPairs(paired)
  await enter(`#by=pairs&${pairs}&from=200000&until=260000`)
  await enter('#by=begins&from=300000&until=360000')
  await go()
  await until(() => paired.page.url().endsWith('#by=begins&from=300000&until=360000'), 'the later address')
  await paired.page.waitForTimeout(300)
  equal(await ranges(), [[300000, 360000], [300000, 360000]], 'the ranges')
  equal(await paired.page.locator('select').first().inputValue(), 'begins', 'basis')
  await enter(`#by=pairs&${pairs}&from=100000&until=160000`)
  await until(() => paired.page.url().includes('by=pairs'), 'pairs again')
})

await test('words that no record has', async () => {
  await paired.page.getByRole('button', { name: 'Pair records' }).click()
  const form = paired.page.locator('.pair-form')
  await form.getByLabel('records with').first().fill('nowhere')
  await form.getByLabel('Remove this kind of pair').last().click()
  await form.getByRole('button', { name: 'Find and align' }).click()
  let words = ''
  await until(async () => {
    words = await form.innerText()
    return words.includes('Too few pairs')
  }, () => `why not; the form has: ${words}`)
  assert(!(await paired.words()).includes('order known'), await paired.words())
})
await paired.shown.close()
await exchange.end()

await test('the head of each trace has its verdicts, unknown names, its losses, and why it cannot be shown', async () => {
  writeFileSync('text.bin', 'This is not a trace.\n'.repeat(300))
  writeFileSync('rules.lua', 'cpu{task = "sender", max = "1 %", window = "1 ms"}\n')
  const server = new Server('--rules=rules.lua', 'one.bin', 'text.bin', 'unnamed.bin')
  const three = await Traces.open(server)
  const head = (i) => three.page.locator('.trace-head').nth(i)
  await until(async () => (await head(0).innerText()).includes('1 of 1 rule fails'), 'the verdict')
  await head(0).getByRole('button', { name: '1 of 1 rule fails' }).click()
  await until(() => three.view(0, (view) => view.mark), 'the failure')
  assert((await head(1).getByRole('alert').innerText()).includes('text.bin: '), await head(1).innerText())
  await head(2).getByText(/names? unknown/).click()
  assert(await three.page.getByText('are shown by their address').isVisible(), 'what to do about it')
  await check(three.shown, 'heads of traces')
  if (env.PICTURES) await three.page.screenshot({ path: `${env.PICTURES}/heads.png` })
  await three.shown.close()
  await server.end()
})

await test('a server that is started again with one trace, and with two', async () => {
  let server = new Server('one.bin', 'two.bin')
  const [, port, token] = /:(\d+)\/([^/]+)\//.exec(await server.url())
  const { shown } = await Traces.open(server, '', { links: true })
  await server.end()
  server = new Server(`--page=${port}`, `--token=${token}`, 'one.bin')
  await shown.page.locator('.header .source').getByText('one.bin', { exact: true }).waitFor() // across the reload
  await server.end()
  server = new Server(`--page=${port}`, `--token=${token}`, 'two.bin', 'one.bin')
  for (const [i, name] of ['two.bin', 'one.bin'].entries())
    await shown.page.locator('.trace-head').nth(i).getByText(name, { exact: true }).first().waitFor()
  await shown.close()
  await server.end()
})

await test('a lost link and a server that is started again with the same traces change nothing', async () => {
  let server = new Server('one.bin', 'two.bin')
  const [, port, token] = /:(\d+)\/([^/]+)\//.exec(await server.url())
  const both = await Traces.open(server, '#by=begins&from=200000&until=260000', { links: true })
  await both.view(0, (view) => { view.selection = [210000, 220000]; view.panel = 'stats'; view.changed() })
  await both.page.evaluate(() => { window.same = true }) // gone with a reload
  const state = (i) => both.view(i, (view) => [view.from, view.until, view.selection, view.panel])
  const before = await Promise.all([0, 1].map(state))
  await server.end()
  for (const i of [0, 1]) await until(() => both.view(i, (view) => !view.linked), 'that the server is gone')
  server = new Server(`--page=${port}`, `--token=${token}`, 'one.bin', 'two.bin')
  for (const i of [0, 1]) await until(() => both.view(i, (view) => view.linked), 'the link')
  await both.page.waitForTimeout(500)
  assert(await both.page.evaluate(() => window.same), 'the page was loaded again')
  equal(await Promise.all([0, 1].map(state)), before, 'what is chosen')
  await both.shown.close()
  await server.end()
})

await test('keys work before a click, and all traces stay in reach', async () => {
  const server = new Server(a, b)
  const fresh = await Traces.open(server)
  const range = () => fresh.view(0, (view) => [view.from, view.until])
  const narrower = async (was) => until(async () => (await range())[1] - (await range())[0] < 0.9 * (was[1] - was[0]), 'a narrower view')
  const all = await range()
  const box = await fresh.page.locator('iframe').first().boundingBox()
  await fresh.page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.6)
  await fresh.page.keyboard.press('w')
  await narrower(all)
  await fresh.page.getByRole('button', { name: 'Fit' }).click()
  await until(async () => (await range())[0] === all[0], 'all of it')
  await fresh.page.keyboard.press('w')
  await narrower(all)
  for (let i = 0; i < 6; i++) await fresh.page.keyboard.press('s')
  const widest = await until(async () => { const now = await range(); return now[1] - now[0] >= all[1] - all[0] && now }, 'as wide as all traces')
  assert(widest[0] <= all[0] && widest[1] >= all[1], `${widest} in place of ${all}`)
  await fresh.page.keyboard.press('w')
  await narrower(widest)
  await fresh.page.keyboard.press('f')
  const last = await fresh.view(1, (view) => view.status.last)
  await until(() => fresh.view(1, (view, last) => view.from <= 0 && view.until >= last, last), 'all of the other trace')
  await fresh.page.keyboard.press('/')
  await fresh.frame(0).locator('.search input, [role=combobox]').first().waitFor()
  await fresh.shown.close()
  await server.end()
})

await test('a link has what is chosen in each trace', async () => {
  const server = new Server('one.bin', 'two.bin')
  const from = await Traces.open(server)
  await from.view(0, (view) => { view.show(200000, 300000); view.selection = [210000, 220000]; view.record = 700; view.panel = 'records'; view.changed() })
  await from.view(1, (view) => { view.panel = 'stats'; view.choices.figures = 'wait'; view.selection = [250000, 260000]; view.changed() })
  await from.page.keyboard.press('T')
  await until(() => from.view(1, (view) => view.dark), 'the dark theme')
  const state = (page) => Promise.all([0, 1].map((i) => page.view(i, (view) => [view.from, view.until, view.selection, view.panel, view.record, view.dark, view.choices.figures])))
  const before = await state(from), link = await from.view(1, (view) => view.link())
  await from.page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.copied = text } })
  for (const i of [0, 1]) await from.frame(i).evaluate(() => { navigator.clipboard.writeText = async (text) => { window.top.copied = text } })
  await from.page.getByRole('button', { name: 'Copy link' }).click()
  equal(await until(() => from.page.evaluate(() => window.copied), 'the link'), link, 'the link that is copied')
  assert(link.includes('0.select=') && link.includes('1.panel=stats') && link.includes('1.figures=wait') && !link.includes('trace='), link)
  const to = await Traces.open({ url: () => link })
  await until(async () => JSON.stringify(await state(to)) === JSON.stringify(before), `${JSON.stringify(before)} in a fresh browser`)
  await to.page.evaluate(() => { location.hash = '#by=begins&0.panel=losses&1.select=100000..110000&from=90000&until=190000' })
  await until(async () => {
    const [one, two] = await state(to)
    return one[3] === 'losses' && one[2] === null && two[2]?.[0] === 100000 && two[3] === 'none' && one[0] === 90000 && two[1] === 190000
  }, 'an address that is entered')
  await to.shown.close()
  await from.shown.close()
  await server.end()
})

await test('nothing is stated of a trace whose rate is unknown', async () => {
  const server = new Server('unrated.bin', 'two.bin')
  const both = await Traces.open(server)
  equal(await both.view(0, (view) => view.hello.hz), 0, 'its rate')
  await both.page.locator('.trace-head').nth(0).getByText('not aligned: its rate is unknown').waitFor()
  assert((await both.words()).includes('no order between traces is certain'), await both.words())
  for (const i of [0, 1]) await both.view(i, (view, t) => { view.selection = [t, 2 * t]; view.changed() }, 1000)
  await until(async () => (await both.words()).includes('unrated.bin and two.bin have no common clock'), 'no distance')
  assert(await both.page.locator('option[value=moments]').evaluate((option) => option.disabled), 'they can be aligned')
  await both.shown.close()
  await server.end()
})

// Whether something of the frame of a trace is in sight: within the frame, and that part of the frame within the page.
async function inSight(traces, number, locator) {
  const [part, frame, lanes] = [await locator.boundingBox(), await traces.page.locator('iframe').nth(number).boundingBox(),
    await traces.page.locator('.lanes').boundingBox()]
  return !!part && part.height > 0 && [frame, lanes].every(({ y, height }) => part.y >= y - 1 && part.y + part.height <= y + height + 1)
}

for (const [width, height, files] of [[1024, 640, [a, b]], [1600, 1000, [a, b, 'one.bin']], [390, 844, [a, b]]])
  await test(`panels of ${files.length} traces can be used at ${width}x${height}`, async () => {
    const server = new Server('--notes=off', ...files)
    const traces = await Traces.open(server, '', { width, height })
    for (let i = 0; i < files.length; i++) assert(await traces.frame(i).getByRole('tablist').isVisible(), `tabs of ${i}`)
    const high = (i) => traces.frame(i).evaluate(() => innerHeight)
    const closed = await Promise.all(files.map((_, i) => high(i)))
    for (const i of [0, files.length - 1]) {
      const frame = traces.frame(i), see = (what, locator) => until(() => inSight(traces, i, locator), `${what} of ${i} in sight`)
      const timeline = () => frame.locator('.timeline').evaluate((host) => host.getBoundingClientRect().height)
      const splitter = async () => {
        const [min, now, max] = await Promise.all(['min', 'now', 'max'].map(async (end) => +(await frame.getByRole('separator').getAttribute(`aria-value${end}`))))
        assert(min <= now && now <= max, `splitter: ${[min, now, max]}`)
        return now
      }
      await frame.getByRole('tab', { name: 'Records' }).click()
      await frame.locator('.record-rows .record').nth(4).waitFor()
      await see('the fifth record', frame.locator('.record-rows .record').nth(4))
      await see('the time line', frame.locator('.timeline'))
      assert(await timeline() >= 180, `a time line of ${await timeline()} px`)
      assert(await splitter() >= 240, `a panel of ${await splitter()} px`)
      await frame.getByRole('separator').focus()
      for (let step = 0; step < 20; step++) await traces.page.keyboard.press('ArrowDown')
      const least = await splitter()
      for (let step = 0; step < 40; step++) await traces.page.keyboard.press('ArrowUp')
      assert(await splitter() > least && await timeline() >= 180, 'the splitter moves within its bounds')
      await frame.locator('.timeline').press('q')
      await see('Run', frame.getByRole('button', { name: 'Run', exact: true }))
      await frame.locator('.sql-text').fill('select 7 as seven')
      await frame.getByRole('button', { name: 'Run', exact: true }).click()
      await see('the answer', frame.locator('.sql-result').getByText('seven'))
      if (env.PICTURES) await traces.page.screenshot({ path: `${env.PICTURES}/panels-${width}-${i}.png` })
      await frame.getByRole('button', { name: 'Close the panel' }).click()
      await until(async () => await high(i) === closed[i], 'as high as before')
    }
    await traces.shown.close()
    await server.end()
  })

await test('a small window', async () => {
  const server = new Server(a, b)
  const small = await Traces.open(server, '', { width: 390, height: 844 })
  await check(small.shown, 'several traces at 390 px')
  await small.shown.close()
  await server.end()
})
done()
