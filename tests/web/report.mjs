// SPDX-License-Identifier: MIT
// The report of `wallfly diff` (tests/e2e/report.c) is self-contained; its time lines scroll and zoom together, and its
// changes lead to their places. Usage: report.mjs REPORT ONE PART: a report; one without the first time line; one that
// has only a part of each; one that `wallfly diff` made of a swapped order of locks
import { pathToFileURL } from 'node:url'
import { inFirefox, Page, assert, done, equal, near, test, until } from './browser.mjs'

const [, , report, one, part, real] = process.argv

// A report and its time lines.
class Report {
  static async open(file, options) {
    const self = new Report()
    self.page = await Page.open(pathToFileURL(file).href, options)
    self.sides = []
    for (const name of ['good', 'new']) {
      const frame = self.page.page.locator(`iframe[title="Time line of ${name}"]`)
      self.sides.push((await frame.count()) ? await (await frame.elementHandle()).contentFrame() : null)
    }
    await self.quiet()
    return self
  }

  // The view of a time line.
  view(side, read = (view) => ({ from: view.from, until: view.until, cursor: view.cursor, selection: view.selection, dark: view.dark,
                                  mark: view.mark && view.mark.text, rows: view.rows.length, hz: view.hello.hz })) {
    return this.sides[side].evaluate(`(${read})(window.wallfly.view)`)
  }

  // Both time lines are drawn, and their views rest.
  async quiet() {
    const seen = async () => JSON.stringify(await Promise.all(this.sides.map((side, i) => side && this.view(i))))
    let same = 0, last = ''
    await until(async () => {
      for (const side of this.sides) if (side) await side.evaluate(() => window.wallfly?.view.rows.length && window.wallfly.idle())
      const now = await seen()
      same = now === last ? same + 1 : 0
      last = now
      return same > 4
    }, 'that the views rest')
  }

  async inStep(what) {
    const [a, b] = [await this.view(0), await this.view(1)]
    near(b.until - b.from, a.until - a.from, 1, `${what}: the same length`)
    return [a, b, b.from - a.from]
  }

  async close() {
    const complaints = (await Promise.all(this.sides.map((side) => side?.evaluate(() => window.__complaints)))).flat().filter(Boolean)
    equal(complaints, [], 'complaints of the time lines')
    for (const side of this.sides) equal(await side?.evaluate(() => window.__hacked ?? null) ?? null, null, 'scripts of names')
    await this.page.close()
  }
}

const links = (self) => self.page.page.locator('.report-list tbody button')

await test('both time lines are in sight, aligned at the divergence, and nothing is loaded', async () => {
  for (const [width, height, dark] of [[1600, 1000, false], [1024, 640, true]]) {
    const self = await Report.open(report, { width, height, dark })
    equal(self.page.requests.filter((request) => !/^(data|blob|about):/.test(request)), inFirefox ? [] : [self.page.url], 'requests') // Playwright has none of Firefox for files
    for (const side of [0, 1]) {
      const box = await self.page.page.locator('iframe').nth(side).boundingBox()
      assert(box.y >= 0 && box.y + box.height <= height + 1 && box.height > height * 0.25 && box.width > width * 0.98, JSON.stringify(box))
      assert((await self.sides[side].locator('.timeline canvas').count()) === 2, 'the time line')
      const view = await self.view(side)
      equal(view.dark, dark, 'dark')
      assert(!(await self.view(side, (view) => view.hello.part)), 'all of the trace is in the file')
    }
    const [a, b, by] = await self.inStep('at first')
    equal(by, 2000, 'the distance of both at the divergence')
    equal([a.selection, b.selection], [[210000, 213000], [212000, 216000]], 'the divergence is selected on both')
    equal([a.mark, b.mark], ['before, <i>always</i> after', 'before, <i>always</i> after'], 'and marked')
    equal(await self.page.page.locator('.report-list tr.chosen').count(), 1, 'it is chosen in the list')
    assert((await self.page.page.locator('.report-list tr.chosen').innerText()).includes('run 17'), 'which one')
    await self.close()
  }
})

await test('zooming, panning and the pointer in one move the other', async () => {
  const self = await Report.open(report)
  const { mouse, keyboard } = self.page.page
  for (const side of [0, 1]) {
    const box = await self.page.page.locator('iframe').nth(side).boundingBox()
    await mouse.move(box.x + box.width * 0.6, box.y + 120)
    const before = await self.view(1 - side)
    await mouse.wheel(0, -400)
    await self.quiet()
    const [, , by] = await self.inStep('after a zoom')
    equal(by, 2000, 'the distance after a zoom')
    const after = await self.view(1 - side)
    assert(after.until - after.from < (before.until - before.from) * 0.8, `the other has zoomed: ${JSON.stringify([before, after])}`)
    await mouse.click(box.x + box.width * 0.7, box.y + 150)
    await keyboard.press('d')
    await self.quiet()
    const moved = await self.view(1 - side)
    assert(moved.from > after.from, 'the other has moved')
    const views = [await self.view(0), await self.view(1)]
    near(views[1].cursor, views[0].cursor + 2000, 1e-6, 'the cursor')
    equal((await self.inStep('after a move'))[2], 2000, 'the distance after a move')
  }
  await self.close()
})

await test('a click on a change moves both to its place, and they stay aligned there', async () => {
  const self = await Report.open(report)
  await links(self).nth(0).click()
  await self.quiet()
  const [a, b, by] = await self.inStep('at the first change')
  equal([by, a.selection, b.selection], [3000, [50000, 64000], [53000, 70000]], 'distance and selections')
  assert(a.from < 50000 && a.until > 64000 && b.from < 53000 && b.until > 70000, 'both are in view')
  await links(self).nth(2).click()
  await self.quiet()
  const [, c, still] = await self.inStep('at a change that only the new trace has')
  equal([still, c.cursor], [3000, 300000], 'they stay aligned')
  await self.page.page.keyboard.press('n') // the fourth has no place
  await self.quiet()
  equal((await self.view(0)).selection, [50000, 64000], 'n goes to the first again')
  const box = await self.page.page.locator('iframe').nth(1).boundingBox()
  await self.page.page.mouse.click(box.x + box.width * 0.7, box.y + 150)
  await self.page.page.keyboard.press('n')
  await self.quiet()
  equal((await self.view(1)).selection, [212000, 216000], 'n in a time line goes on')
  equal(await links(self).count(), 3, 'changes with a link')
  await self.close()
})

await test('texts are no HTML, the theme is that of all parts', async () => {
  const self = await Report.open(report)
  equal(await self.page.page.locator('main b, .report-list b, .report-list i, .report-about b').count(), 0, 'elements of texts')
  assert((await self.page.page.locator('.report-list').innerText()).includes('before, <i>always</i> after'), 'texts')
  await self.page.page.getByRole('button', { name: 'Dark theme' }).click()
  await self.quiet()
  equal([(await self.view(0)).dark, (await self.view(1)).dark], [true, true], 'dark')
  await self.sides[1].locator('.timeline').focus()
  await self.page.page.keyboard.press('T')
  await self.quiet()
  equal([(await self.view(0)).dark, (await self.view(1)).dark, await self.page.page.evaluate(() => document.documentElement.dataset.theme)],
        [false, false, 'light'], 'light again, by a key in a time line')
  await self.close()
})

await test('panels of a time line work', async () => {
  const self = await Report.open(report, { width: 1600, height: 1000 })
  await self.sides[0].getByRole('tab', { name: 'Records' }).click()
  await self.sides[0].locator('.record-rows .record:not(.pending)').first().waitFor()
  await self.sides[0].locator('.filter').focus()
  await self.page.page.keyboard.type('n')
  equal(await self.sides[0].locator('.filter').inputValue(), 'n', 'the text that was typed')
  await self.close()
})

await test('a saved profile has no time line, the other one does', async () => {
  const self = await Report.open(one)
  equal(self.sides[0], null, 'a time line of the first')
  assert((await self.page.page.locator('.trace-side').first().innerText()).includes('a saved profile has no time line'), 'why not')
  await links(self).first().click()
  await self.quiet()
  equal((await self.view(1)).selection, [53000, 70000], 'the place of the change')
  await self.close()
})

await test('the report of the command shows the first change on both sides', async () => {
  const self = await Report.open(real, { width: 1600, height: 1000 })
  const list = await self.page.page.locator('.report-list').innerText()
  assert(/comm.* takes .lock_spi. before .lock_bus./.test(list.split('\n').find((line) => line.includes('comm'))), list)
  await links(self).first().click()
  await self.quiet()
  await self.inStep('at the swapped locks')
  for (const side of [0, 1]) {
    const { mark, from, until: end, cursor } = await self.view(side)
    assert(mark !== null && cursor >= from && cursor <= end, `the mark of side ${side} is in view: ${mark}`)
  }
  await self.close()
})

await test('of long traces the file has the part around the divergence', async () => {
  const self = await Report.open(part)
  for (const side of [0, 1]) {
    const [first, last] = await self.view(side, (view) => view.hello.window)
    const { from, until: end } = await self.view(side)
    const at = await self.view(side, (view) => view.cursor)
    assert(first <= at && at <= last && from <= at && at <= end, `${at} is in ${first}..${last} and in view`)
    assert(await self.view(side, (view) => view.hello.part), 'it is a part')
  }
  equal(await links(self).count(), 1, 'changes that have a link')
  assert((await self.page.page.locator('.trace-head').first().innerText()).includes('a part of the trace'), 'the head states it')
  await self.close()
})

await done()
