// SPDX-License-Identifier: MIT
// A file of `wallfly page`, opened from the disk: it asks nobody for anything, and shows what the
// server's page shows. Usage: kept.mjs PAGE TRACE PART
import { pathToFileURL } from 'node:url'
import { inFirefox, Page, Server, assert, done, equal, near, test } from './browser.mjs'

const [, , html, trace, part] = process.argv
const url = pathToFileURL(html).href
const server = new Server(trace)
const served = await Page.open(await server.url())
const kept = await Page.open(url)
const { from, until: end } = await kept.page.evaluate(() => JSON.parse(document.getElementById('kept').textContent))

// Both show the same: slices of all rows of a kind that have names.
const whatIs = (page, from, until) => page.page.evaluate(async ([from, until]) => {
  const { view } = window.wallfly
  const out = []
  for (const row of view.rows) {
    for (const track of row.tracks) {
      const level = Math.max(0, Math.ceil(Math.log2((until - from) / 512)))
      const first = Math.floor(from / (512 * 2 ** level)), last = Math.floor((until - 1) / (512 * 2 ** level))
      const wanted = []
      for (let i = first; i <= last; i++) wanted.push([track.id, i])
      const pieces = new Set()
      for (const tile of await view.source.tiles(level, wanted)) {
        for (let i = 0; i < tile.pieces; i++) {
          if (tile.end[i] > from && tile.begin[i] < until && tile.count[i] === 1) pieces.add(`${tile.begin[i]} ${tile.end[i]} ${tile.value[i]}`)
        }
      }
      out.push([row.kind, row.name, track.kind, track.level, [...pieces].sort()])
    }
  }
  return out.filter((track) => track[4].length)
}, [from, until])

await test('it asks for nothing but itself', async () => {
  await kept.settled()
  equal(kept.requests.filter((request) => !/^(data|blob):/.test(request)), inFirefox ? [] : [url], 'requests') // Playwright has none of Firefox for files
  assert(await kept.view((view) => view.hello.kept && !view.hello.live && !view.hello.commands), 'hello')
})

await test('it shows the window, with the same slices', async () => {
  const seen = await kept.view((view) => [view.from, view.until])
  assert(seen[0] >= from - (end - from) * 0.1 && seen[1] <= end + (end - from) * 0.1, `it shows ${seen} of ${from}..${end}`)
  for (const [a, b] of [[0.4, 0.42], [0.1, 0.15], [0.7, 0.7005]]) {
    const width = end - from
    const [x, y] = [Math.floor(from + a * width), Math.ceil(from + b * width)]
    const [one, other] = [await whatIs(kept, x, y), await whatIs(served, x, y)]
    equal(one, other, `slices of ${x}..${y}`)
    assert(one.length > 0, `no slices in ${x}..${y}`)
  }
})

await test('records, details, search and statistics are there', async () => {
  const at = Math.floor((from + end) / 2)
  const ask = (page, op, fields) => page.page.evaluate(([op, fields]) => window.wallfly.view.source.ask(op, fields), [op, fields])
  const both = async (op, fields) => equal(strip(await ask(kept, op, fields)), strip(await ask(served, op, fields)), `${op} ${JSON.stringify(fields)}`)
  const strip = ({ n, ...answer }) => answer
  const { records } = await ask(served, 'records', { at, before: 20, after: 20 })
  const mine = await ask(kept, 'records', { at, before: 20, after: 20 })
  equal(mine.records.map((r) => [r.number, r.words]), records.map((r) => [r.number, r.words]), 'records')
  await both('record', { number: records[5].number })
  const track = await kept.view((view) => view.rows.find((row) => row.kind === 'machine' || row.kind === 'task').tracks[0].id)
  await both('step', { track, at, way: 1, value: null })
  await both('step', { track, at, way: -1, value: null })
  await both('find', { text: records[9].words.slice(0, 12), at, way: 1 })
  const cores = await served.view((view) => view.rows.filter((row) => row.kind === 'load').map((row) => row.core))
  assert(cores.length > 0, 'no load of a core')
  for (const core of cores) {
    for (const width of [1, 7, 1000, Math.floor((end - from) / 9)]) {
      const fields = { core, from: Math.ceil(from) + 3 * width, width, count: 5 }
      const [mine, its] = [await ask(kept, 'load', fields), await ask(served, 'load', fields)]
      const sorted = (loads) => loads.map((parts) => Object.fromEntries(parts.flatMap((thing, i) => i % 2 ? [] : [[thing, parts[i + 1]]])))
      equal(sorted(mine.loads), sorted(its.loads), `load of core ${core} in windows of ${width}`)
      equal([mine.exact, mine.step], [its.exact, its.step], 'exact')
    }
  }
  const stats = await ask(kept, 'stats', { from: from, until: end })
  equal(stats.stats.lanes, (await ask(served, 'stats', { from: from, until: end })).stats.lanes, 'statistics')
})

await test('zoom and move work without a server', async () => {
  await served.close()
  await server.end()
  await kept.wheel(-400, 0.5)
  await kept.key('d', 'a', 's', 'w')
  near(await kept.view((view) => view.rows.length > 0), true, 0, 'rows')
})
await kept.close()

// PART has a part of the trace, and of its records the first 50.
await test('a part tells that it is one, and of which records it has no more than slices', async () => {
  const page = await Page.open(pathToFileURL(part).href)
  const head = await page.page.locator('header').innerText()
  assert(/of the whole trace/.test(head), `the head: ${head}`)
  await page.key('1')
  const bar = page.page.locator('.records .toolbar')
  const words = (await bar.innerText()).replace(/\u202f/g, '')
  const [, count, left] = /^(\d+) records and losses\s+(\d+) more, behind these, are not in this file/.exec(words) ?? []
  equal(count, '50', `the records in: ${words}`)
  const { held } = await page.view((view) => view.hello)
  equal([held.last - held.first + 1, held.left], [50, +left], 'the records that it has')
  await page.page.locator('.record-rows').focus()
  for (const [key, number] of [['End', held.last], ['Home', held.first]]) {
    await page.page.keyboard.press(key)
    const row = page.page.locator(`#record-${number}.chosen`)
    await row.waitFor()
    equal(await page.page.locator('.record.pending, .record.muted').count(), 0, 'lines without a record')
  }
  await page.close()
})
await done()
