// SPDX-License-Identifier: MIT
// `wallfly fleet serve` in a browser. Usage: fleet.mjs ENGINE VERSION: its project p has board-1, and board-2 of that
// version, which has losses
import { check } from './axe.mjs'
import { Page, Program, assert, done, equal, near, openPlain, test } from './browser.mjs'

const [, , engine, hostile] = process.argv
const server = new Program(process.env.WALLFLY, ['fleet', 'serve', engine, '--project=p'])
const list = (await server.waitFor(/http:\/\/\S+\/(?=\s)/))[0]
const rows = (page) => page.$$eval('tbody tr', (rows) => rows.map((row) => row.querySelector('th').innerText))
const shown = (page) => page.view((view) => ({ hz: view.hello.hz, before: +(view.hello.before ?? 0), selection: view.selection,
                                               cursor: view.cursor, source: view.hello.source, around: view.hello.around }))

for (const [width, dark] of [[1280, false], [1280, true], [390, false], [390, true]]) {
  await test(`the list, ${width} pixels wide${dark ? ', dark' : ''}`, async () => {
    const { page, close } = await openPlain(list, { width, dark })
    equal((await rows(page)).length, 3, 'devices')
    const { wide, beyond, hacked, scripts } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth, hacked: window.__hacked, scripts: document.querySelectorAll('script, img').length,
      beyond: [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML)
    }))
    equal([wide <= width, beyond, hacked, scripts], [true, [], undefined, 0], 'nothing is beyond the edge, and nothing has run')
    const text = await page.innerText('tbody')
    assert(text.includes(hostile) && text.includes(', p99 '), text)
    equal(await page.$$eval('[data-of="Longest step"]', (cells) => cells.length), 3, 'figures')
    await check({ page }, 'axe')
    await close()
  })
}

await test('names are looked for, and versions are chosen', async () => {
  const { page, close } = await openPlain(list)
  await page.fill('input[name=find]', 'BOARD-1')
  await page.click('button')
  await page.waitForURL(/find=BOARD-1/)
  equal(await rows(page), ['board-1'], 'found')
  await page.click('td a:text-is("1.0")')
  await page.waitForURL(/version=1\.0/)
  equal(await rows(page), ['board-1'], 'found of the version')
  await page.fill('input[name=find]', '')
  await page.selectOption('select', 'name')
  await page.click('button')
  await page.waitForURL(/order=name/)
  equal((await rows(page)).map((name) => name.slice(0, 7)), ['a-devic', 'board-1'], 'of the version')
  await page.click('text=All versions')
  await page.waitForURL((url) => !url.search.includes('version'))
  equal((await rows(page)).length, 3, 'all')
  await close()
})

// From the list to the newest seconds, to those before and back to the list.
await test('a device, the window before it, and back', async () => {
  const plain = await openPlain(list)
  await plain.page.click('a:text-is("board-1")')
  await plain.page.waitForURL(/#/)
  const page = await Page.open(plain.page.url())
  await plain.close()
  await page.quiet()
  let { hz, before, selection, source, around } = await shown(page)
  equal(source, 'board-1', 'its name')
  near(selection[1] - selection[0], 10 * hz, 2, 'its newest ten seconds')
  near(selection[1], await page.view((view) => view.status.last), 2, 'to the end')
  equal(around.list, '../../../', 'the list')
  const end = selection[0] + before, { page: tab } = page
  const links = page.complaints
  await Promise.all([tab.waitForURL((url) => url.href.split('#')[0] !== page.url.split('#')[0]), tab.click('[aria-label=Earlier]')])
  await page.quiet()
  ;({ hz, before, selection } = await shown(page))
  near(selection[1] + before, end, 2, 'it ends where the other begins')
  near(selection[1] - selection[0], 10 * hz, 2, 'it is as long')
  await tab.click('.around a:text-is("Devices")')
  await tab.waitForURL(list)
  equal((await rows(tab)).length, 3, 'the list again')
  links.splice(0, links.length, ...links.filter((text) => !/^it (went to|asks|connects to)/.test(text))) // other pages, which were meant
  await page.close()
})

await test('the place where most is missing', async () => {
  const { page: tab, close } = await openPlain(list)
  await tab.click('tbody tr:has-text("board-2") td[data-of=Missing] a')
  await tab.waitForURL(/#/)
  const page = await Page.open(tab.url())
  await close()
  await page.quiet()
  const { cursor } = await shown(page)
  const { losses, most } = await page.page.evaluate(async (at) => {
    const { source, status } = window.wallfly.view
    const { records } = await source.ask('records', { at: Math.round(at), before: 20, after: 20 })
    return { losses: records.filter((record) => record.kind !== 'record'), most: status.missing }
  }, cursor)
  assert(losses.length > 0 && most > 0, JSON.stringify(losses))
  await check(page, 'axe')
  await page.close()
})

await test('it ends', async () => equal(await server.end(), 0, 'exit code'))
await done()
