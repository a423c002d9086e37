// SPDX-License-Identifier: MIT
// Names and texts of a trace that try to be more than text (hostile.py) stay text, wherever the page
// shows them. Usage: hostile.mjs FILE (a trace, or a page of wallfly page)
import { pathToFileURL } from 'node:url'
import { Page, Server, assert, done, equal, test } from './browser.mjs'

const file = process.argv[2]
const kept = file.endsWith('.html')
const server = kept ? null : new Server(file)
const url = kept ? pathToFileURL(file).href : await server.url()

// Nothing stands out of the window, and everything has the place it has with plain names.
async function unbroken(page, what) {
  const wide = await page.page.evaluate(() => {
    const root = document.scrollingElement
    return { scroll: [root.scrollWidth, root.scrollHeight], window: [innerWidth, innerHeight], dir: getComputedStyle(document.body).direction }
  })
  assert(wide.scroll[0] <= wide.window[0] && wide.scroll[1] <= wide.window[1], `${what}: the page is ${wide.scroll} in a window of ${wide.window}`)
  equal(wide.dir, 'ltr', what)
  await page.checkNow()
}

// Controls and marks of the direction, but for line ends and tabs, which the page itself puts between its lines.
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

const escapes = new Set() // that were seen

// Nothing but what the page itself has put there: no element or attribute that could do something, no hidden character.
async function harmless(page, what) {
  const found = await page.page.evaluate(() => [...document.querySelectorAll('*')].flatMap((element) => {
    const bad = ['IFRAME', 'OBJECT', 'EMBED', 'META', 'STYLE', 'SCRIPT', 'IMG', 'BASE', 'FORM', 'AUDIO', 'VIDEO'].includes(element.tagName) && element.closest('body')
    const attributes = [...element.attributes].filter((a) => /^on/i.test(a.name) || /^\s*javascript:/i.test(a.value) && ['href', 'src', 'action'].includes(a.name))
    return (bad && !element.matches('script[src="page.js"], body > script, #kept')) || attributes.length ? [element.outerHTML.slice(0, 200)] : []
  }))
  equal(found, [], what)
  const texts = await page.page.evaluate(() => [document.title, document.body.innerText,
    ...[...document.querySelectorAll('[title], [aria-label]')].flatMap((one) => [one.title, one.getAttribute('aria-label') ?? ''])])
  for (const text of texts) for (const [escape] of (text ?? '').matchAll(/\\x[0-9a-f]{2}|\\u[0-9a-f]{4}/g)) escapes.add(escape)
  equal(texts.filter((text) => HIDDEN.test(text)).map((text) => JSON.stringify(text.slice(0, 200))), [], `hidden characters, ${what}`)
}

const page = await Page.open(url)
await test('rows and the time line', async () => {
  const names = await page.view((view) => view.rows.map((row) => row.name))
  assert(names.some((name) => /hacked|__proto__|constructor/.test(name)), `the names are not hostile: ${names}`)
  for (let down = 0.03; down < 1; down += 0.06) {
    for (const share of [0.2, 0.7]) await page.hover(share, down)
  }
  await unbroken(page, 'tooltips')
  await harmless(page, 'tooltips')
})

await test('every panel', async () => {
  const tabs = page.page.getByRole('tab')
  const count = await tabs.count()
  assert(count >= 5, `${count} panels`)
  const last = await page.view((view) => view.status.last)
  await page.view((view, last) => { view.selection = [last * 0.1, last * 0.9]; view.changed() }, last)
  for (let n = 0; n < count; n++) {
    const name = await tabs.nth(n).innerText()
    await tabs.nth(n).click()
    await page.quiet()
    await unbroken(page, name)
    await harmless(page, name)
  }
})

await test('every row picked, and its records', async () => {
  const rows = await page.view((view) => view.rows.length)
  for (let row = 0; row < rows; row++) {
    await page.view((view, row) => {
      const track = view.rows[row].tracks[0]
      if (!track) return
      view.picked = { row, track: track.id, begin: 0, end: view.status.last, value: 0 }
      view.record = 30 + row * 7
      view.panel = 'details'
      view.changed()
    }, row)
    await page.frame()
  }
  await page.quiet()
  await unbroken(page, 'details')
  await harmless(page, 'details')
})

await test('search', async () => {
  for (const text of ['<script>', '"><img', '__proto__', 'constructor', 'hacked', '\u202e', 'W']) {
    await page.page.keyboard.press('/')
    await page.page.keyboard.type(text)
    await page.quiet()
    await unbroken(page, `search for ${text}`)
    await harmless(page, `search for ${text}`)
    await page.key('Escape', 'Escape')
  }
})

await test('help, dark, other sizes, a reload', async () => {
  await page.key('?')
  await unbroken(page, 'help')
  await page.key('Escape')
  await page.view((view) => { view.dark = !view.dark; view.changed() })
  for (const [width, height] of [[800, 600], [1920, 1080], [1280, 800]]) {
    await page.page.setViewportSize({ width, height })
    await page.frame()
    await unbroken(page, `${width}x${height}`)
  }
  await page.page.reload()
  await page.settled()
  await unbroken(page, 'reload')
})
await test('what is hidden is shown as the tool shows it', async () => {
  // A mark of the direction or a separator, and a byte that is no UTF-8; which others, depends on the trace.
  for (const kind of [/^\\u20/, /^\\x[89a-f]/]) assert([...escapes].some((escape) => kind.test(escape)), `${kind}: ${[...escapes]}`)
})
await page.close()
await server?.end()
await done()
