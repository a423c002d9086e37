// SPDX-License-Identifier: MIT
// Rules and marks in files of `wallfly page`, made by marked.py. Usage: rules.mjs FEW MANY COUNT: a file with 20
// failures, and one with COUNT
import { pathToFileURL } from 'node:url'
import { Page, assert, done, equal, test, until } from './browser.mjs'

const [, , few, many, count] = process.argv
const open = (file, options) => Page.open(pathToFileURL(file).href, options)
const marksOf = (page) => page.page.evaluate(async () => {
  const { view } = window.wallfly
  const { marks } = await view.source.ask('marks', { from: 0, until: view.status.last, most: 500, bins: 10 })
  return marks.filter((mark) => mark[2] === 'fail')
})
const chosen = (page) => page.view((view) => view.mark && { ...view.mark, place: view.markPlace, from0: view.from, until0: view.until, cursor: view.cursor, selection: view.selection })
const FAIL = { light: [0xa3, 0x12, 0x7f], dark: [0xff, 0x7a, 0xd9] }
const like = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 24)

// How many pixels of a part of the page have the colour of failures.
async function coloured(page, x, y, width, height, colour = FAIL.light) {
  const part = await page.pixels(Math.round(x), Math.round(y), width, height)
  let found = 0
  for (let i = 0; i < width * height; i++) found += like(part.at(i % width, Math.floor(i / width)), colour)
  return found
}

await test('the panel of rules is open, has the worst rule first, and texts are no HTML', async () => {
  const page = await open(few)
  const rows = page.page.locator('.rule-list tbody tr')
  const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
  assert(/^✗ ?fail response <img.*−24 % 23$/.test(texts[0]), texts[0])
  assert(/^\? ?cannot tell deadline/.test(texts[1]) && /^✓ ?pass cpu control 23 %/.test(texts[2]) && /^✓ ?pass loss/.test(texts[3]), texts)
  equal(await page.page.locator('.failures tbody tr').count(), 20, 'failures in the list')
  assert((await page.page.locator('.failures').innerText()).includes('3 more failures without a mark'), 'the number of the others')
  equal(await page.page.locator('.rules img, .rules script').count(), 0, 'elements from texts')
  assert((await page.page.locator('header').innerText()).includes('1 of 4 rules fails'), 'the header')
  await page.close()
})

await test('a click on a rule leads to its worst failure: chosen, selected, in view, its row outlined', async () => {
  for (const dark of [false, true]) {
    const page = await open(few, { dark })
    const colour = FAIL[dark ? 'dark' : 'light']
    const worst = (await marksOf(page)).sort((a, b) => a[0] - b[0])
    const long = worst.find((mark) => mark[4] > mark[3])
    await page.page.locator('.rule-list tbody button').first().click()
    await page.shown()
    equal((await chosen(page)).number, worst[0][0], 'the mark of the rule')
    await page.page.locator('.failures tbody button').nth(long[0]).click()
    await page.shown()
    const mark = await chosen(page)
    equal([mark.number, mark.cursor, mark.selection], [long[0], long[3], [long[3], long[4]]], 'mark, cursor, selection')
    assert(mark.from0 < mark.from && mark.until < mark.until0 && mark.until - mark.from > (mark.until0 - mark.from0) / 13, `framed: ${JSON.stringify(mark)}`)
    await page.key('Escape') // the selection lies over the colours
    equal((await chosen(page)).number, long[0], 'the mark without its selection')
    const row = (await page.rows('task')).find((one) => one.name === mark.rowName)
    const x0 = await page.across(mark.from), x1 = await page.across(mark.until)
    const edge = await coloured(page, x1 - 3, row.y, 6, row.height, colour)
    assert(edge >= row.height * 0.6, `${edge} pixels of an outline ${row.height} high`)
    equal(await coloured(page, x1 + 12, row.y, 5, row.height, colour), 0, 'pixels beside it')
    const flag = await coloured(page, x0, (await page.plot()).y - 28, 10, 12, colour)
    assert(flag > 15, `${flag} pixels of a flag in the ruler`)
    await page.close()
  }
})

await test('n and p go through the failures in the order of time, and around', async () => {
  const page = await open(few)
  const order = (await marksOf(page)).map((mark) => mark[0])
  for (let i = 0; i < 3; i++) {
    await page.key('n')
    const mark = await chosen(page)
    equal([mark.number, mark.place], [order[i], [i + 1, 20]], `failure ${i + 1}`)
    assert(mark.from >= mark.from0 && mark.from <= mark.until0, 'it is in view')
  }
  await page.key('p')
  equal((await chosen(page)).number, order[1], 'the one before')
  await page.key('p', 'p')
  equal((await chosen(page)).number, order[19], 'before the first the last')
  await page.key('n')
  equal((await chosen(page)).number, order[0], 'behind the last the first')
  equal(await page.page.locator('header [role=status]').innerText(), '1 of 20', 'the header')
  await page.page.getByRole('button', { name: 'Next', exact: true }).click()
  await page.shown()
  equal((await chosen(page)).number, order[1], 'by the button')
  await page.key('2')
  const details = page.page.locator('section[aria-label=Failure]')
  const text = await details.innerText()
  for (const words of ['fail', 'response <img', 'ticks <img', (await chosen(page)).rowName]) assert(text.includes(words), `no ${words} in: ${text}`)
  await page.key('Escape', 'Escape')
  equal(await details.count(), 0, 'details after Escape')
  equal(await chosen(page), null, 'the mark after Escape')
  await page.close()
})

await test('the list of rules and of failures is used with the keyboard', async () => {
  const page = await open(few)
  await page.page.locator('.rule-list tbody button').first().focus()
  await page.page.keyboard.press('ArrowDown')
  equal(await page.page.evaluate(() => document.activeElement.textContent), 'deadline', 'the focus')
  await page.key('Enter')
  const mark = await chosen(page)
  equal([mark.kind, mark.rule], ['cannot tell', 1], 'the mark')
  equal(await page.page.locator('.rule-list [aria-current=true]').innerText(), 'deadline', 'the current rule')
  await page.page.locator('.failures tbody button').last().focus()
  await page.key('Enter')
  assert(!(await chosen(page)).rowKind, 'a mark without a row')
  await page.close()
})

await test('a click on a flag or a band chooses its mark, and the pointer shows its text', async () => {
  const page = await open(few)
  await page.key('n', 'Escape', 'Escape')
  const all = await marksOf(page)
  const { y } = await page.plot()
  const x = await page.across(all[0][3])
  await page.page.mouse.move(x + 3, y - 24)
  const tip = page.page.locator('.tip')
  await until(async () => (await tip.isVisible()) && (await tip.innerText()).includes('fail: response <img'), 'the text of the flag')
  await page.page.mouse.down()
  await page.page.mouse.up()
  await page.shown()
  equal((await chosen(page))?.number, all[0][0], 'the mark of the flag')
  await page.key('Escape', 'Escape')
  const row = (await page.rows('task')).find((one) => one.name === all[0][6])
  await page.page.mouse.click(x + 1, row.y + row.height / 2)
  await page.shown()
  equal((await chosen(page))?.number, all[0][0], 'the mark of the band')
  await page.close()
})

await test('the search finds rules', async () => {
  const page = await open(few)
  await page.page.keyboard.press('/')
  await page.page.keyboard.type('deadline')
  const option = page.page.getByRole('option').filter({ hasText: 'rule: cannot tell' })
  await option.waitFor()
  await option.click()
  await page.shown()
  equal((await chosen(page)).rule, 1, 'its mark')
  await page.close()
})

await test('of many marks the overview has where they are, and frames stay short', async () => {
  const page = await open(many)
  const box = await page.page.locator('.timeline').boundingBox()
  const { x, width } = await page.plot()
  const ticks = await coloured(page, x, box.y + 1, Math.floor(width), 1)
  assert(ticks > width * 0.9, `${ticks} of ${width} columns of the overview have a tick`)
  assert((await page.view((view) => view.rules.counts[0])) === +count, 'the number of failures')
  for (let i = 0; i < 8; i++) await page.wheel(-300, 0.3 + i * 0.05)
  const frames = await page.page.evaluate(() => window.wallfly.frames().slice(-8).map((frame) => frame.draw).sort((a, b) => a - b))
  console.log(`  ${count} marks: frames of ${frames.map((ms) => ms.toFixed(1)).join(', ')} ms`)
  assert(frames[4] < 100, `half of the frames take ${frames[4]} ms`)
  await page.key('n', 'n')
  equal((await chosen(page)).place[1], +count, 'of how many')
  await page.close()
})

await done()
