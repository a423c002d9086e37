// SPDX-License-Identifier: MIT
// The browser's part of page.py and fleet.py: page_browser.mjs file URL | live URL SECONDS RECORDS | paint URL...
// Prints its measurements as lines of JSON, times in milliseconds, all by the clock of the page.
import { Page, done, openPlain, until } from '../../tests/web/browser.mjs'

const [, , what, url, seconds, records] = process.argv
const urls = process.argv.slice(3)
const say = (object) => console.log(JSON.stringify(object))
const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]

function spread(times) {
  const sorted = [...times].sort((a, b) => a - b)
  return { p50: at(sorted, 0.5), p95: at(sorted, 0.95), max: sorted[sorted.length - 1] }
}

// Runs before the page's own script: measures when the page has drawn its first frame of a trace that is read, and when
// it has drawn all requested tiles.
function watchPaint() {
  const paint = (window.__paint = {})
  const look = async () => {
    const { wallfly } = window
    const view = wallfly?.view
    if (!view?.rows.length || !wallfly.frames().length || !view.status || view.status.progress || view.rev !== view.status.rev)
      return requestAnimationFrame(look)
    paint.frame = performance.now()
    await wallfly.idle()
    paint.all = performance.now()
  }
  requestAnimationFrame(look)
}

// Measures a step from the time stamp of the input to the end of its first frame, and to the end of
// the first frame with all tiles. (Arrows are drawn only when the view is at rest.)
function watchStep() {
  window.__step = new Promise((go) => addEventListener('wheel', (event) => {
    const look = () => {
      const frames = window.wallfly.frames()
      const from = frames.findIndex((frame) => frame.end > event.timeStamp && frame.input !== null)
      const whole = from < 0 ? undefined : frames.slice(from).find((frame) => frame.whole)
      if (whole) go({ first: frames[from].end - event.timeStamp, all: whole.end - event.timeStamp })
      else setTimeout(look, 5)
    }
    setTimeout(look, 5)
  }, { capture: true, once: true, passive: true }))
}

async function openPainted(url) {
  const opened = await Page.open(url, { script: watchPaint })
  const paint = await until(() => opened.page.evaluate('window.__paint?.all && window.__paint'), 'the first paint')
  say({ paint: paint.all, frame: paint.frame })
  return opened
}

// The browser is running by then, and each page is a new one to it.
async function paint() {
  await (await openPlain('about:blank')).close()
  for (const url of urls) await (await openPainted(url)).close()
}

async function file() {
  const opened = await openPainted(url)
  const { page } = opened

  const { length } = await opened.view((view) => ({ length: view.status.last }))
  let seed = 1
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
  const measure = async (name, steps, prepare) => {
    const times = [], firsts = []
    for (let n = 0; n < steps; n++) {
      await prepare(n)
      await opened.settled()
      await page.mouse.move(...(await opened.place(0.05 + 0.9 * random())))
      await page.evaluate(watchStep)
      const wide = await opened.view((view) => view.until - view.from)
      const inwards = wide > length / 2 || (wide > 1000 && random() < 0.6)
      await page.mouse.wheel(0, inwards ? -240 : 240)
      const { all, first } = await page.evaluate('window.__step')
      times.push(all)
      firsts.push(first)
    }
    say({ zoom: name, steps, first: spread(firsts), ...spread(times) })
  }
  await measure('one after the other', 60, async () => {})
  // Time ranges of any length that were not shown before.
  await measure('anywhere', 60, async () => {
    const width = length * Math.exp(-random() * Math.log(length / 1000))
    const from = random() * (length - width)
    await opened.view((view, from, until) => view.go(from, until), from, from + width)
  })
  await opened.close()
}

async function live() {
  const opened = await Page.open(url)
  const { page } = opened
  await page.evaluate(() => {
    const seen = (window.__seen = { frames: [], still: 0, moved: 0, until: 0 })
    let last = performance.now()
    const look = (now) => {
      const { view } = window.wallfly
      if (view.status?.records && !seen.end) {
        seen.frames.push(now - last)
        if (view.until !== seen.until) [seen.until, seen.moved] = [view.until, now]
        if (seen.moved) seen.still = Math.max(seen.still, now - seen.moved)
      }
      last = now
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  say({ ready: true })
  await until(() => opened.view((view) => view.status?.records > 0), 'records')
  await opened.view((view) => { view.follow = true; view.changed() })
  await page.waitForTimeout(+seconds * 1000)
  await page.evaluate('window.__seen.end = true')
  // Waits until the records that were still being sent have arrived.
  let was = -1
  await until(async () => {
    const now = await opened.view((view) => view.status.records)
    const same = now === was
    was = now
    await page.waitForTimeout(1000)
    return same || now >= +records
  }, 'the end')
  const seen = await page.evaluate('window.__seen')
  const status = await opened.view((view) => view.status)
  say({ frames: seen.frames.length, ...spread(seen.frames), over: seen.frames.filter((ms) => ms > 100).length,
    still: seen.still, records: status.records, missing: status.missing })
  await opened.close()
}

await { file, live, paint }[what]()
await done()
