// SPDX-License-Identifier: MIT
// The page for readers who do not see it: axe-core finds nothing serious in any panel, theme and size, and a table has
// what the canvas shows. Usage: access.mjs in a folder with rtos.bin, lossy.bin, machines.bin, rules.lua
import { check } from './axe.mjs'
import { inFirefox, Page, Server, assert, done, equal, near, run, test, until } from './browser.mjs'

const sizes = [[1600, 1000], [1024, 640], [1067, 667], [390, 844]] // the third is the first at 150 %

async function open(...args) {
  const server = new Server(...args)
  const page = await Page.open(await server.url())
  return { page, end: async () => { await page.close(); await server.end() } }
}

const show = async (page, change, given) => {
  await page.view(change, given)
  await page.shown()
}

await test('axe-core finds a fault if there is one', async () => {
  const { page, end } = await open('rtos.bin')
  await page.page.evaluate(() => document.querySelector('.header button.icon').removeAttribute('aria-label'))
  await page.page.evaluate(() => { const button = document.querySelector('.header button.icon'); button.title = ''; button.replaceChildren() })
  const found = await check(page, '').then(() => '', (error) => String(error))
  assert(found.includes('button-name'), `found: ${found}`)
  await end()
})

for (const dark of [false, true]) {
  for (const [width, height] of dark ? [sizes[0], sizes[3]] : sizes) { // colours are the same in each
    await test(`nothing serious in any panel, ${dark ? 'dark' : 'light'}, ${width}x${height}`, async () => {
      const files = [['lossy.bin', '--rules=rules.lua'], ...(width === sizes[0][0] ? [['machines.bin']] : [])]
      for (const args of files) {
        const { page, end } = await open(...args)
        await page.page.setViewportSize({ width, height })
        await show(page, (view, dark) => { view.dark = dark; view.changed() }, dark)
        const tabs = await page.page.getByRole('tablist', { name: 'Panels' }).getByRole('tab').allInnerTexts()
        assert(tabs.length >= 11, tabs.join())
        for (const tab of tabs) {
          await page.page.getByRole('tablist', { name: 'Panels' }).getByRole('tab', { name: tab, exact: true }).click()
          await page.shown()
          await check(page, `${args[0]} ${tab}`)
        }
        await end()
      }
    })
  }
}

await test('nothing serious in what opens above the page, and in the details of a job', async () => {
  const { page, end } = await open('rtos.bin')
  for (const key of ['?', '/', 'x', 'm']) {
    await page.page.keyboard.press(key)
    await page.shown()
    await check(page, `after ${key}`)
    await page.page.keyboard.press('Escape')
  }
  await show(page, (view) => { view.panel = 'stats'; view.changed() })
  await page.page.getByTitle('Show the greatest one').first().click()
  await page.page.getByRole('region', { name: 'Why' }).getByRole('table').first().waitFor()
  await check(page, 'why')
  await end()
})

await test('a table has what is in view', async () => {
  const { page, end } = await open('rtos.bin')
  const table = page.page.getByRole('table', { name: 'In view' })
  const rowsOf = async () => (await table.getByRole('row').all()).length
  await until(rowsOf, 'its rows')
  equal(await table.getByRole('columnheader').allInnerTexts(), ['row', 'kind', 'slices in view', 'time of a core'], 'heads')
  const { task } = JSON.parse(run('stats', '--json', 'rtos.bin')).lanes[0]
  const [whole, rows] = await page.view((view) => [view.until - view.from, view.rows.length])
  assert(rows > 4 && whole > 0, 'rows')
  for (const one of task.filter((one) => one.name !== 'idle' && one.cpu > 0)) {
    const cells = table.getByRole('row').filter({ has: page.page.getByRole('rowheader', { name: one.name, exact: true }) }).getByRole('cell')
    await until(async () => (await cells.count()) === 3, `the cells of ${one.name}`)
    const [kind, count, share] = await cells.allInnerTexts()
    equal(kind, 'Tasks', one.name)
    assert(Number(count.replace(/\D/g, '')) > 0, `slices of ${one.name}: ${count}`)
    near(parseFloat(share), one.share, 0.011, `share of ${one.name}`)
  }
  const before = await table.getByRole('caption').innerText()
  await show(page, (view) => view.go(view.status.last * 0.5, view.status.last * 0.6))
  await until(async () => (await table.getByRole('caption').innerText()) !== before, 'the table of the new view')
  await end()
})

await test('each slice and any selection is reached by the keyboard alone', async () => {
  const { page, end } = await open('rtos.bin')
  await show(page, (view) => view.go(view.status.last * 0.3, view.status.last * 0.31))
  const picked = () => page.view((view) => view.picked)
  const press = async (key) => {
    const before = JSON.stringify(await picked())
    await page.page.keyboard.press(key)
    return until(async () => JSON.stringify(await picked()) !== before, key).then(picked)
  }
  // Tracks with a slice in view, by the server.
  const wanted = await page.page.evaluate(async () => {
    const { view, geometry } = window.wallfly, found = []
    for (const { row, lanes } of [...geometry.layout.pinned, ...geometry.layout.lines]) {
      for (const { track } of row < 0 ? [] : lanes) {
        if (track.kind === 'load' || track.kind === 'filters') continue
        const { slice } = await view.source.ask('step', { track: track.id, at: Math.floor(view.until) + 1, way: -1, value: null })
        if (slice && slice[1] > view.from) found.push(`${row} ${track.id}`)
      }
    }
    return found
  })
  assert(wanted.length > 6, wanted.join())
  const seen = []
  for (let i = 0; i < wanted.length; i++) {
    const { row, track, begin, end: until } = await press('Shift+ArrowDown')
    seen.push(`${row} ${track}`)
    assert(await page.view((view, begin, until) => begin <= view.until && until >= view.from, begin, until), 'a slice that is not in view')
  }
  equal(seen, wanted, 'lanes from the top to the bottom')
  for (let i = wanted.length - 2; i >= 0; i--) {
    const { row, track } = await press('Shift+ArrowUp')
    equal(`${row} ${track}`, wanted[i], 'lanes back')
  }
  const first = await picked(), slices = [first]
  for (let i = 0; i < 30; i++) slices.push(await press('Shift+ArrowRight'))
  const next = async (begin) => (await page.page.evaluate(([track, at]) =>
    window.wallfly.view.source.ask('step', { track, at, way: 1, value: null }), [first.track, begin])).slice
  for (let i = 0; i < 30; i++) equal(slices[i + 1].begin, (await next(slices[i].begin))[0], 'the next slice')
  await page.key('b')
  equal(await page.view((view) => view.selection), [slices[30].begin, slices[30].end], 'the time of a slice')
  for (let i = 29; i >= 25; i--) equal((await press('Shift+ArrowLeft')).begin, slices[i].begin, 'the previous slice')
  await page.key('b')
  equal(await page.view((view) => view.selection), [slices[25].begin, slices[30].end], 'the selection up to there')
  await page.key('Escape')
  equal(await page.view((view) => view.selection), null, 'no selection')
  await end()
})

await test('the scroll bar of the rows covers nothing', async () => {
  const { page, end } = await open('rtos.bin')
  await page.page.setViewportSize({ width: 1024, height: 640 })
  await show(page, (view) => view.go(view.status.last * 0.3, view.status.last * 0.4))
  const [bar, right, top, bottom] = await page.page.evaluate(() => {
    const { geometry, host } = window.wallfly, { x, y } = host.getBoundingClientRect()
    return [geometry.bar(), x + geometry.left + geometry.plot, y + geometry.rowsTop, y + geometry.height]
  })
  assert(bar && right < 1024, `a scroll bar, behind ${right}`)
  // The bar, its place and headings are grey, slices are not.
  const strip = await page.pixels(right, top, 1024 - right, bottom - top), beside = await page.pixels(right - 40, top, 40, bottom - top)
  const colours = ({ width, height, at }) => {
    let count = 0
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) count += Math.max(...at(x, y)) - Math.min(...at(x, y)) > 40
    return count
  }
  equal(colours(strip), 0, 'pixels of slices at the bar')
  assert(colours(beside) > 100, 'slices beside it')
  await end()
})

await test('in a small window each tab is reached by a finger, and the page never moves', async () => {
  const [width, height] = sizes.at(-1)
  const { page, end } = await open('lossy.bin', '--rules=rules.lua')
  await page.page.setViewportSize({ width, height })
  await page.shown()
  const finger = inFirefox ? null : await page.context.newCDPSession(page.page)
  await finger?.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  // Moves what is below a point by so many pixels.
  const swipe = async (x, y, by) => {
    const touch = (type, ...touchPoints) => finger.send('Input.dispatchTouchEvent', { type, touchPoints })
    if (finger) {
      await touch('touchStart', { x, y })
      for (let i = 1; i <= 8; i++) await touch('touchMove', { x: x + by * i / 8, y })
      await touch('touchEnd')
    } else {
      await page.page.mouse.move(x, y)
      await page.page.mouse.wheel(-by, 0)
    }
  }
  const stays = async (what) => equal(await page.page.evaluate(() =>
    [document.scrollingElement, document.body].flatMap((one) => [one.scrollLeft, Math.max(0, one.scrollWidth - innerWidth)])), [0, 0, 0, 0], `the page, ${what}`)
  const list = page.page.getByRole('tablist', { name: 'Panels' }), tabs = await list.getByRole('tab').all()
  assert(tabs.length >= 11, `${tabs.length} tabs`)
  // What a swipe has moved goes on for a while.
  const rests = async () => {
    let was = null
    await until(async () => {
      const before = was
      was = await list.evaluate((one) => one.scrollLeft)
      await page.frame()
      return was === before
    }, 'that the tabs rest')
  }
  const click = async (target, what) => {
    const { x, y, width: wide, height: high } = await target.boundingBox(), at = [x + wide / 2, y + high / 2]
    assert(x >= 0 && x + wide <= width, `${what} is from ${x} to ${x + wide}`)
    assert(await target.evaluate((one, [x, y]) => one.contains(document.elementFromPoint(x, y)), at), `something covers ${what}`)
    await page.page.mouse.click(...at)
    await page.frame()
  }
  for (const tab of [...tabs, tabs[0]]) {
    const name = await tab.innerText()
    const inView = () => tab.evaluate((one) => {
      const box = one.getBoundingClientRect(), around = one.parentElement.getBoundingClientRect()
      return box.left >= around.left - 1 && box.right <= around.right + 1
    })
    for (let tries = 0; !(await inView()); tries++) {
      assert(tries < 20, `${name} does not come into view`)
      const box = await list.boundingBox(), own = await tab.boundingBox(), by = box.x + box.width / 2 - own.x - own.width / 2
      await swipe(box.x + box.width / 2, box.y + box.height / 2, Math.min(Math.max(by, -150), 150))
      await rests()
      await stays(`before ${name}`)
    }
    await click(tab, name)
    await until(async () => (await tab.getAttribute('aria-selected')) === 'true', `${name} is open`)
    await stays(name)
    await click(page.page.getByRole('button', { name: 'Close the panel' }), 'Close')
    await until(() => page.view((view) => view.panel === 'none'), `${name} is closed`)
  }
  await end()
})

done()
