// SPDX-License-Identifier: MIT
// What the page shows of small traces of one matter each (tests/e2e/made.py) is so. Usage: truth.mjs
// in a folder with raised.bin, missing.bin, hole.bin, rare.bin, startup.bin
import { Page, Server, assert, done, equal, recordsOf, test, until } from './browser.mjs'

// Picks the slice of a track before a time, as a click on it does, with the details open.
async function pick(page, kind, name, track, at) {
  await page.openPanel('details')
  await page.view(async (view, kind, name, track, at) => {
    const row = view.rows.findIndex((one) => one.kind === kind && one.name === name)
    const of = view.rows[row].tracks.find((one) => one.kind === track)
    const { slice } = await view.source.ask('step', { track: of.id, at, way: -1, value: null })
    view.picked = { row, track: of.id, begin: slice[0], end: slice[1], value: slice[2] }
    view.changed()
  }, kind, name, track, at)
  await page.settled()
}

const shows = (page, text) => page.page.getByText(text).first().waitFor()

async function on(file, body) {
  const server = new Server(file)
  const page = await Page.open(await server.url())
  await page.settled()
  await body(page)
  await page.close()
  await server.end()
}

// The colours of a row's middle, a pixel each from `from` to `until`.
async function colours(page, row, share = 0.3) {
  const { x: left, width } = await page.plot()
  const part = await page.pixels(Math.round(left) + 20, Math.round(row.y + row.height * share), Math.round(width) - 40, 1)
  return Array.from({ length: Math.round(width) - 40 }, (_, x) => part.at(x, 0))
}

await on('raised.bin', async (page) => {
  await test('the priority of a task that inherits one is that of the time', async () => {
    await pick(page, 'task', 'low', 'states', 700)
    await shows(page, '4 (1, raised by high for printer)')
    await pick(page, 'task', 'low', 'states', 150)
    await page.page.locator('.facts dd', { hasText: /^1$/ }).first().waitFor()
  })

  const picked = () => page.view((view) => view.picked && [view.picked.begin, view.picked.value])
  await test('one key shows who inherited a priority from whom, and its row of priorities', async () => {
    await page.afresh()
    await page.openPanel('details')
    await page.key('i')
    await shows(page, 'raised to 4 by high for printer')
    const raises = [await picked()]
    await page.key(']')
    raises.push(await picked())
    await page.key('i')
    raises.push(await picked())
    assert(raises[0][0] < raises[1][0] && raises[1][0] < raises[2][0], `raises at ${raises}`)
    equal(raises.map(([, value]) => value), [4, 4, 4], 'priorities')
    await page.key('[')
    equal(await picked(), raises[1], 'one back')
  })
  await test('the search finds a priority by the task that raised it', async () => {
    const places = []
    for (let i = 0; i < 2; i++) {
      await page.page.keyboard.press('/')
      await page.page.keyboard.type('raised by high')
      await page.page.getByRole('option', { name: /raised by high for printer/ }).waitFor()
      await page.page.keyboard.press('Enter')
      await until(async () => { const at = await picked(); return at && at[0] !== places.at(-1)?.[0] }, 'another raise')
      places.push(await picked())
    }
    equal(places.map(([, value]) => value), [4, 4], `priorities at ${places}`)
    await shows(page, 'raised to 4 by high for printer')
  })
  await test('the steps of a curve stand where the ruler has their times', async () => {
    const row = (await page.rows('task')).find((one) => one.name === 'low')
    const [begin] = await picked()
    const { y, height } = await page.page.evaluate((row) => {
      const { geometry, view } = window.wallfly
      const lane = geometry.layout.lines.find((line) => line.row === row).lanes.find((one) => one.track.id === view.picked.track)
      view.picked = null
      view.cursor = null
      view.changed()
      return lane
    }, row.row)
    assert(height > 40, `the curve has ${height} pixels`)
    for (const wide of [300, 777, 2500]) {
      await page.view((view, from, until) => view.go(from, until), begin - wide / 3, begin + wide)
      await page.shown()
      const at = Math.round(await page.across(begin))
      const part = await page.pixels(at - 4, Math.round(row.y + y + 20), 9, 1) // between the two priorities
      const strong = Array.from({ length: 9 }, (_, x) => part.at(x, 0)).map(([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b))
      equal(strong.findIndex((value) => value > 60), 4, `the pixel of the step, ${wide} wide: ${strong}`)
    }
  })
  await test('a click on a name expands its row, which the address keeps', async () => {
    const names = async () => (await page.rows('task')).find((one) => one.name === 'low')
    const high = await names()
    const { x } = await page.plot()
    await page.page.mouse.click(x - 100, high.y + 10)
    await page.shown()
    const low = await names()
    assert(low.height < high.height - 40, `${low.height} of ${high.height} pixels`)
    await page.page.mouse.click(x - 100, low.y + 10)
    await page.shown()
    equal((await names()).height, high.height, 'height')
    await page.page.waitForFunction((row) => location.hash.includes(`expand=${row}`), high.row)
  })
  await test('the table of inherited priorities leads to the first', async () => {
    await page.view((view) => { view.expanded = new Set(); view.picked = null; view.fit() })
    await page.openPanel('stats')
    await page.page.getByRole('tab', { name: 'Raised priorities' }).click()
    await page.page.getByRole('button', { name: 'low raised by high' }).first().click()
    await page.shown()
    equal(await picked(), [228, 4], 'the first')
    equal(await page.view((view) => view.expanded.size), 1, 'rows that are expanded')
  })
})

await on('missing.bin', async (page) => {
  await test('an interrupt whose exit is missing says so', async () => {
    const at = await page.view(async (view) => {
      const track = view.rows.find((row) => row.kind === 'irq').tracks.find((one) => one.kind === 'irqs').id
      return (await view.source.ask('step', { track, at: -1, way: 1, value: 2 })).slice[0]
    })
    await pick(page, 'irq', 'irq 15', 'irqs', at + 1)
    await shows(page, 'its exit is missing: it ended at some time in this slice')
    await shows(page, 'Enters and exits do not pair')
  })
})

await on('hole.bin', async (page) => {
  await test('behind a hole a mutex is not known to be free', async () => {
    const slices = await page.view(async (view) => {
      const track = view.rows.find((row) => row.name === 'printer').tracks.find((one) => one.kind === 'holder').id
      const all = []
      for (let at = -1e9; ;) {
        const { slice } = await view.source.ask('step', { track, at, way: 1, value: null })
        if (!slice) return all
        all.push([slice[0], slice[1], view.things[slice[2]]?.name ?? ''])
        at = slice[0]
      }
    })
    equal(slices.map((slice) => slice[2]), ['high', '', 'low'], 'holders')
    await pick(page, 'object', 'printer', 'holder', slices[1][0] + 1)
    await shows(page, '? (not known, or free)')
  })
  await test('what is missing does not contradict itself', async () => {
    await page.openPanel('losses')
    const text = await page.page.locator('.losses .toolbar').innerText()
    assert(/1 hole, 3 missing records/.test(text.replace(/\s+/g, ' ')), text)
  })
})

await on('rare.bin', async (page) => {
  await test('a task with hardly any of the time is hardly drawn', async () => {
    const rows = await page.rows('task')
    const [rare, most] = ['low', 'high'].map((name) => rows.find((row) => row.name === name))
    const strong = (list) => list.filter(([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) > 60).length / list.length
    const [few, all] = [strong(await colours(page, rare)), strong(await colours(page, most))]
    assert(few < 0.05 && all > 0.9, `${few} of the rare task's row and ${all} of the other's are coloured`)
    const foot = strong(await colours(page, rare, 0.82))
    assert(foot > 0.5, `it is not seen that it runs at all: ${foot}`)
  })
  await test('a whole file keeps all its details', async () => {
    equal(await page.view((view) => view.status.kept), 0, 'kept')
    await page.view((view) => view.go(-view.status.last / 2, view.status.last / 2))
    await page.settled()
    // The line below the ruler before the beginning is as it is behind it.
    const { x, y, width } = await page.plot()
    const line = await page.pixels(Math.round(x), Math.round(y) - 3, Math.floor(width), 1)
    const colour = (from) => {
      const all = Array.from({ length: Math.floor(width / 2) - 40 }, (_, i) => String(line.at(from + i, 0)))
      return all.sort((a, b) => all.filter((one) => one === b).length - all.filter((one) => one === a).length)[0]
    }
    equal(colour(10), colour(Math.floor(width / 2) + 10), 'the line below the ruler')
  })
})

await on('startup.bin', async (page) => {
  await test('the start-up is no interrupt', async () => {
    await page.openPanel('sequence')
    await shows(page, 'start-up')
  })
  // The server keeps places to read on from, one in thousands of records.
  await test('nor is it in rows that are read again', async () => {
    const wanted = recordsOf('startup.bin')
    assert(wanted.length > 3 * 2048, `${wanted.length} records`)
    const sends = wanted.filter(({ words }) => /^(start-up|interrupt) sends/.test(words))
    const texts = new Map(sends.map(({ number, words }) => [number, words]))
    const counts = ['start-up', 'interrupt'].map((who) => sends.filter(({ words }) => words.startsWith(who)).length)
    assert(counts[0] > 2500 && counts[1] > 2500, `sends of each: ${counts}`)
    let found = 0
    for (let number = wanted.at(-1).number; number > 0; number -= 250) {
      const { records } = await page.view((view, number) => view.source.ask('records', { number, before: 20, after: 0 }), number)
      assert(records.length > 0, `no records before ${number}`)
      const again = records.filter(({ number }) => texts.has(number))
      for (const { number, words } of again) equal(words, texts.get(number), `record ${number}`)
      found += again.length
    }
    assert(found > sends.length / 20, `${found} of ${sends.length} sends`)
    await page.openPanel('records')
    for (const share of [0.9, 0.5, 0.1, 0.6, 0.97]) { // back and forth
      const at = Math.floor(wanted.length * share), near = wanted.slice(at, at + 8)
      await page.view((view, record, time) => {
        view.record = record
        view.go(time - 10, time + 10)
      }, wanted[at].number, await page.view((view, number) => view.source.ask('records', { number, before: 0, after: 1 }).then(({ records }) => records[0].t), wanted[at].number))
      for (const { number, words } of near.slice(0, 4)) await shows(page, words)
      await page.quiet()
      const rows = await page.page.locator('.record-rows .record:not(.pending)').allInnerTexts()
      const shown = rows.filter((text) => / sends /.test(text)).map((text) => /(start-up|interrupt) sends/.exec(text)?.[0])
      assert(shown.includes('start-up sends') && shown.includes('interrupt sends'), `${share}: ${rows.slice(0, 10)}`)
    }
  })
})

await done()
