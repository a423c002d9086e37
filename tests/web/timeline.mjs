// SPDX-License-Identifier: MIT
// The time line of a file: rows, zoom, pan, select, step, pin, the view in the address. Usage:
// timeline.mjs FILE
import { Page, Server, assert, done, doubleClick, equal, near, run, test, until } from './browser.mjs'

const file = process.argv[2]
const server = new Server(file)
const url = await server.url()
const stats = JSON.parse(run('stats', '--json', file)).lanes[0]
const shared = await Page.open(url)

// As a row shows it: bytes that are no UTF-8, which JSON has as lone surrogates, as escapes.
const shown = ({ name }) => name.replace(/[\udc80-\udcff]/gu, (c) => `\\x${(c.charCodeAt(0) - 0xdc00).toString(16)}`)

const stretch = (page) => page.view((view) => ({ from: view.from, until: view.until, width: view.until - view.from }))

await test('all rows are there, in groups', async () => {
  const page = await shared.afresh()
  const rows = await page.view((view) => view.rows.map((row) => [row.kind, row.name]))
  const names = (kind) => rows.filter((row) => row[0] === kind).map((row) => row[1]).sort()
  for (const task of stats.task) assert(names('task').includes(shown(task)), `no row for ${shown(task)}`)
  if (!file.endsWith('.kev')) equal(new Set(names('task')).size, new Set(stats.task.map((task) => task.name)).size, 'tasks') // logs name more than have run
  equal(names('core').length, stats.core.length, 'cores')
  for (const machine of stats.machine) assert(names('machine').includes(shown(machine)), `no row for ${shown(machine)}`)
  const order = await page.view((view) => [...view.order].sort((a, b) => a - b))
  equal(order, rows.map((_, i) => i), 'rows shown')
  await page.checkNow()
})

await test('the whole trace is seen at first', async () => {
  const page = await shared.afresh()
  const { from, until } = await stretch(page)
  const last = await page.view((view) => view.status.last)
  assert(from <= 0 && until >= last && until - from < 1.2 * last, `${from}..${until} of 0..${last}`)
  await page.checkNow()
})

await test('the strip on top is not blank', async () => {
  const page = await shared.afresh()
  const { x, y, width } = await page.plot()
  const host = await page.page.evaluate(() => document.querySelector('.timeline').getBoundingClientRect().y)
  await page.page.waitForFunction(() => window.wallfly.idle())
  const pixels = await page.pixels(Math.round(x) + 8, Math.round(host) + 6, Math.round(width) - 16, 24)
  assert(y > host + 30, 'there is a strip')
  const seen = new Set()
  for (let px = 0; px < pixels.width; px++) {
    for (let py = 0; py < 24; py += 3) seen.add(pixels.at(px, py).join())
  }
  assert(seen.size > 1, `all of it is ${[...seen]}`)
  await page.checkNow()
})

for (const share of [0.1, 0.5, 0.93]) {
  await test(`the wheel zooms at the pointer (${share})`, async () => {
    const page = await shared.afresh()
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
    await page.checkNow()
  })
}

await test('W and S zoom, A and D and the arrows move', async () => {
  const page = await shared.afresh()
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
  await page.checkNow()
})

// Shows an arrow in the middle, if both its rows are in sight and apart; what is to be seen of it.
async function showArrow(page, [, begin, end, from, to]) {
  const wide = Math.max(40, 4 * (end - begin))
  await page.view((view, begin, end) => view.go(begin, end), (begin + end - wide) / 2, (begin + end + wide) / 2)
  await page.settled()
  const lines = await page.rows()
  const [a, b] = [from, to].map((row) => lines.find((line) => line.row === row))
  if (!a || !b || a === b) return null
  const y = await page.page.evaluate(([from, to]) => { // the middle of what the rows draw first
    const { layout } = window.wallfly.geometry
    const [p, q] = [from, to].map((row) => layout.lines.find((line) => line.row === row))
    return (p.y + q.y + p.lanes[0].y + q.lanes[0].y + (p.lanes[0].height + q.lanes[0].height) / 2) / 2
  }, [from, to])
  const top = a.y - (await page.page.evaluate((row) => window.wallfly.geometry.layout.lines.find((line) => line.row === row).y, from))
  return { x: await page.across((begin + end) / 2), y: y + top, names: [a.name, b.name] }
}

await test('the pointer at an arrow tells what it is', async () => {
  const page = await Page.open(url, { height: 2400 }) // all rows are in sight
  const last = await page.view((view) => view.status.last)
  const { arrows } = await page.page.evaluate((last) => window.wallfly.view.source.ask('arrows', { from: 0, until: last, most: 100000 }), last)
  assert(arrows.length > 0, 'there is no arrow')
  let seen = null
  for (let i = 0; i < arrows.length && !seen; i += Math.ceil(arrows.length / 40)) seen = await showArrow(page, arrows[i])
  assert(seen, 'no arrow between two rows is in sight')
  await page.page.mouse.move(seen.x, seen.y)
  const said = await until(() => page.page.evaluate(() => document.querySelector('.tip:not([hidden]) .tip-arrow')?.textContent), 'a tooltip')
  for (const name of seen.names) assert(said.includes(name), `${said} is not of ${seen.names}`)
  await page.close()
})

await test('the cursor has a label where it is in view, and none elsewhere', async () => {
  const page = await shared.afresh()
  const last = await page.view((view) => view.status.last)
  const texts = async (cursor) => {
    await page.view((view, cursor) => { view.cursor = cursor; view.changed() }, cursor)
    await page.shown()
    return page.drawnTexts()
  }
  await page.view((view, last) => view.go(last * 0.4, last * 0.6), last)
  const without = await texts(null), inside = await texts(last * 0.5)
  equal(inside.length, without.length + 1, `texts with a cursor: ${inside}, without: ${without}`)
  for (const share of [0.1, 0.39, 0.61, 0.9]) equal(await texts(last * share), without, `texts with a cursor at ${share}`)
  await page.checkNow()
})

await test('a drag selects and measures', async () => {
  const page = await shared.afresh()
  const [a, b] = [await page.hover(0.3), await page.hover(0.6)]
  await page.drag(0.3, 0.6)
  const { width } = await stretch(page)
  const chosen = await page.view((view) => view.selection)
  near(chosen[0], a, width / 150, 'its begin')
  near(chosen[1], b, width / 150, 'its end')
  await page.key('Escape')
  equal(await page.view((view) => view.selection), null, 'after Escape')
  await page.checkNow()
})

// How many slices of the same kind follow one, up to four.
const followers = (page) => page.page.evaluate(async () => {
  const { picked, source } = window.wallfly.view
  let at = picked?.begin, count = -1
  for (let next = [at]; next && at !== undefined && count < 4; count++) {
    at = next[0]
    next = (await source.ask('step', { track: picked.track, at, way: 1, value: picked.value })).slice
  }
  return count
})

// Takes a slice by a click that others of its kind follow; how many.
const takeSlice = async (page) => {
  const { x, width } = await page.plot()
  for (const row of await page.rows()) {
    for (const share of [0.1, 0.15, 0.2, 0.3]) {
      await page.page.mouse.click(x + width * share, row.y + row.height / 2)
      await page.frame()
      const count = await followers(page)
      if (count >= 2) return count
    }
  }
  throw new Error('no slice with others behind it can be taken')
}

const picked = (page) => page.view((view) => view.picked)
const pickedChanges = (page, was) => until(async () => {
  const now = await picked(page)
  return now && now.begin !== was.begin && now
}, 'another slice')

await test('a selection snaps to edges of slices, not with Alt', async () => {
  const page = await shared.afresh()
  await takeSlice(page)
  await page.key('z')
  const { row, begin, end } = await picked(page), line = (await page.rows()).find((one) => one.row === row)
  const { x } = await page.plot(), y = line.y + line.height / 2
  const at = (t) => page.view((view, t) => (t - view.from) / (view.until - view.from), t)
  const { width } = await page.plot(), ends = [x + width * await at(begin) - 2, x + width * await at(end) + 2]
  const select = async () => {
    await page.page.mouse.move(ends[0], y)
    await page.page.mouse.down()
    await page.page.mouse.move((ends[0] + ends[1]) / 2, y)
    await page.page.mouse.move(ends[1], y)
    await page.page.mouse.up()
    return page.view((view) => view.selection)
  }
  // Another slice of the row may have an edge that is nearer to the pointer.
  const isEdge = (t) => page.page.evaluate(async ([row, t]) => {
    const { rows, source } = window.wallfly.view
    for (const { id } of rows[row].tracks) {
      const { slice } = await source.ask('step', { track: id, at: t + 1, way: -1, value: null })
      if (slice && (slice[0] === t || slice[1] === t)) return true
    }
    return false
  }, [row, t])
  const snapped = await select(), pixel = await page.view((view, width) => (view.until - view.from) / width, width)
  for (const [i, edge] of [begin, end].entries()) {
    near(snapped[i], edge, 4 * pixel, 'the selection')
    assert(await isEdge(snapped[i]), `${snapped[i]} is no edge`)
  }
  await page.key('Escape')
  await page.page.keyboard.down('Alt')
  const free = await select()
  await page.page.keyboard.up('Alt')
  assert(free[0] < begin && free[1] > end && free[0] !== snapped[0] && free[1] !== snapped[1], `with Alt: ${free} around ${begin}..${end}`)
})

await test('n and p step to the next and the previous slice of the same kind', async () => {
  const page = await shared.afresh()
  const count = await takeSlice(page)
  const path = [await picked(page)]
  for (let i = 0; i < count; i++) {
    await page.key('n')
    const next = await pickedChanges(page, path[i])
    assert(next.begin >= path[i].end, `${next.begin} is not behind ${path[i].end}`)
    equal([next.track, next.value], [path[0].track, path[0].value], 'of the same kind')
    const [from, end] = await page.view((view) => [view.from, view.until])
    assert(next.begin >= from && next.begin < end, 'it is seen')
    path.push(next)
  }
  for (const wanted of path.slice(0, -1).reverse()) {
    const was = await picked(page)
    await page.key('p')
    equal(await pickedChanges(page, was), wanted, 'the same way back')
  }
  await page.key('Escape')
  equal(await picked(page), null, 'after Escape')
  await page.checkNow()
})

await test('Shift and an arrow pick what is at the same time: a record', async () => {
  const page = await shared.afresh()
  // A record at which a slice of a row with one lane begins, and another record behind it.
  const found = await page.page.evaluate(async () => {
    const { rows, source } = window.wallfly.view
    const step = async (track, at, way) => (await source.ask('step', { track, at, way, value: null })).slice
    const number = rows.findIndex((row) => row.kind === 'records')
    const record = rows[number]?.tracks.find((track) => track.kind === 'marks').id
    const lanes = rows.flatMap((row, i) => ['core', 'task'].includes(row.kind) && row.tracks.length === 1 ? [[i, row.tracks[0].id]] : [])
    for (let at = 0, i = 0; record !== undefined && i < 400; i++) {
      const mark = await step(record, at, 1), next = mark && await step(record, mark[0], 1)
      if (!next) return null
      at = mark[0]
      for (const [row, track] of lanes) {
        const slice = await step(track, at + 1, -1)
        if (slice?.[0] === at && mark[1] === at) return { row, track, slice, number, record, at, next: next[0] }
      }
    }
    return null
  })
  if (!found) return assert(file !== 'records.bin', 'no record at the begin of a slice')
  await page.view((view, { row, track, slice, number, at, next }) => {
    view.pinned = [row, number]
    view.go(at - 2 * (next - at), next + (next - at))
    view.picked = { row, track, begin: slice[0], end: slice[1], value: slice[2] }
    view.changed()
  }, found)
  await page.shown()
  const picks = async (key, track) => {
    await page.key(key)
    await until(async () => (await picked(page)).track === track, `what ${key} picks`)
    equal((await picked(page)).begin, found.at, `the begin of what ${key} picks`)
  }
  await picks('Shift+ArrowDown', found.record)
  await picks('Shift+ArrowUp', found.track)
  await page.checkNow()
})

await test('a double click on the row of a record, and Enter, show its surroundings and keep it chosen', async () => {
  for (const way of ['double click', 'Enter']) {
    const page = await shared.afresh()
    await page.openPanel('records')
    const rows = page.page.locator('.record-rows .record:not(.pending)')
    const wide = await page.view((view) => {
      view.go(view.status.last * 0.4, view.status.last * 0.6)
      return view.until - view.from
    })
    await page.shown()
    const number = +(await rows.nth(4).locator('.c-number').innerText())
    const { record } = await page.page.evaluate((number) => window.wallfly.view.source.ask('record', { number }), number)
    if (way === 'Enter') {
      await rows.nth(4).click()
      await page.shown()
      await page.page.keyboard.press('Enter')
    } else await doubleClick(rows.nth(4))
    await page.shown()
    const now = await page.view((view) => [view.record, view.cursor, view.from, view.until])
    equal(now.slice(0, 2), [number, record.t], `the record after ${way}`)
    near((now[2] + now[3]) / 2, record.t, 1, `the middle of the view after ${way}`)
    near(now[3] - now[2], wide / 10, 1, `the width of the view after ${way}`)
    const chosen = page.page.locator('.record-rows .record.chosen .c-number')
    equal(await chosen.allInnerTexts(), [String(number)], `the chosen record in the table after ${way}`)
  }
})

// Where signs and names of a row are.
const signs = async (page, row) => {
  const line = (await page.rows()).find((line) => line.row === row)
  const { column, left } = await page.page.evaluate(() => {
    const { column } = window.wallfly.geometry
    return { column, left: document.querySelector('.timeline').getBoundingClientRect().x }
  })
  const y = line.y + line.height / 2
  return { y, pin: [left + column - 27, y], hide: [left + column - 9, y], name: [left + 40, y] }
}
const inRows = (page) => page.page.evaluate(() => {
  const rows = (lines) => lines.map((line) => line.row).filter((row) => row >= 0)
  const { pinned, lines } = window.wallfly.geometry.layout
  return { pinned: rows(pinned), others: rows(lines) }
})
const click = async (page, place) => {
  await page.page.mouse.move(...place)
  await page.page.mouse.click(...place)
  await page.frame()
}
const reload = async (page) => {
  await page.quiet() // the address is written a little later
  await page.page.reload()
  await page.settled()
}

await test('rows are pinned and hidden by their signs, and stay so', async () => {
  const page = await shared.afresh()
  const before = await inRows(page)
  equal(before.pinned, [], 'pinned at first')
  const [first, second, third] = (await page.rows()).map((line) => line.row)
  await click(page, (await signs(page, second)).pin)
  await click(page, (await signs(page, first)).pin)
  await click(page, (await signs(page, third)).hide)
  const wanted = { pinned: [second, first], others: before.others.filter((row) => ![first, second, third].includes(row)) }
  equal(await inRows(page), wanted, 'rows')
  await reload(page)
  equal(await inRows(page), wanted, 'rows after a reload')
  await click(page, (await signs(page, first)).pin)
  await click(page, (await signs(page, second)).pin)
  equal(await inRows(page), { pinned: [], others: before.others.filter((row) => row !== third) }, 'rows, none pinned any more')
  await page.checkNow()
})

await test('a name that is dragged gives its row another place', async () => {
  const page = await shared.afresh()
  const lines = await page.rows()
  const place = lines.findIndex((line, i) => line.kind === lines[i + 1]?.kind)
  assert(place >= 0, 'no kind has two rows in sight')
  const [a, b] = lines.slice(place)
  const before = await inRows(page)
  const [from, to] = [await signs(page, a.row), await signs(page, b.row)]
  await page.page.mouse.move(...from.name)
  await page.page.mouse.down()
  for (let step = 1; step <= 6; step++) await page.page.mouse.move(from.name[0], from.y + (to.y - from.y) * step / 6)
  await page.page.mouse.up()
  await page.frame()
  const after = await inRows(page)
  const wanted = [...before.others]
  wanted.splice(before.others.indexOf(a.row), 2, b.row, a.row)
  equal(after.others, wanted, 'the order')
  await reload(page)
  equal((await inRows(page)).others, wanted, 'the order after a reload')
  await page.checkNow()
})

await test('a reload brings back what was seen', async () => {
  const page = await shared.afresh()
  await page.wheel(-400, 0.4)
  await page.drag(0.3, 0.5)
  const before = await page.view((view) => ({ from: view.from, until: view.until, selection: view.selection, panel: view.panel }))
  await reload(page)
  const after = await page.view((view) => ({ from: view.from, until: view.until, selection: view.selection, panel: view.panel }))
  near(after.from, before.from, 1, 'from')
  near(after.until, before.until, 1, 'until')
  near(after.selection[0], before.selection[0], 1, 'selection')
  near(after.selection[1], before.selection[1], 1, 'selection')
  equal(after.panel, before.panel, 'panel')
  await page.checkNow()
})

await server.end()
await done()
