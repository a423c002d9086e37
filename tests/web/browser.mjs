// SPDX-License-Identifier: MIT
// What the tests of the page share: `wallfly serve` as a process, and Debian's Chromium at its page.
// A page complains, and `close` throws, when it asks anybody but its own server for anything, when a
// request fails, when something is said in the console as an error, thrown, shown as a dialog or
// refused by the content security policy, or when a hostile name has run.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const env = process.env
export const LIMIT = 300000 // ms that anything may take before it counts as hanging
const load = createRequire(env.BUILD + '/web/package.json')
const { chromium } = load('playwright-core')

// BROWSER=firefox: Debian's Firefox, by WebDriver BiDi. Newer versions of Playwright need commands that it does not have.
export const inFirefox = env.BROWSER === 'firefox'
const launch = () => inFirefox
  ? load('playwright-firefox').firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr' })
  : chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })

// For a screenshot in Firefox Playwright adds the style `body {}`, which the page's policy refuses; the console has its hash.
const OWN_STYLE = 'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA='
const ofPlaywright = (text) => inFirefox && (text.includes(OWN_STYLE) || text === 'style-src-elem refused inline')

const children = new Set()
let browser = null
let decoder = null // a page that takes screenshots apart
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')))
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1))

export function assert(good, what) {
  if (!good) throw new Error(typeof what === 'string' ? what : JSON.stringify(what))
}

export function equal(got, wanted, what) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)]
  assert(a === b, `${what}: ${a?.slice(0, 2000)} instead of ${b?.slice(0, 2000)}`)
}

export function near(got, wanted, by, what) {
  assert(Math.abs(got - wanted) <= by, `${what}: ${got} instead of ${wanted}`)
}

// Playwright's double click is two single ones in Firefox.
export async function doubleClick(locator) {
  await locator.dblclick()
  if (inFirefox) await locator.dispatchEvent('dblclick')
}

// Waits until `test` gives something true, and gives that. what: words, or a function that gives them.
export async function until(test, what) {
  const end = Date.now() + LIMIT
  for (;;) {
    const got = await test()
    if (got) return got
    assert(Date.now() < end, `never came: ${typeof what === 'function' ? what() : what}`)
    await new Promise((go) => setTimeout(go, 20))
  }
}

// What a program prints.
export function run(...args) {
  return execFileSync(env.WALLFLY, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] })
}

export function program(path, ...args) {
  return execFileSync(path, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
}

// The rows of the table of records, each with the `line` of JSON that it stood in.
export function recordsOf(trace) {
  return run('convert', '--to=jsonl', '-o', '-', trace).split('\n').filter((line) => line.startsWith('{"table":"record"'))
    .map((line) => ({ ...JSON.parse(line), line }))
}

// A process whose words are waited for.
export class Program {
  constructor(path, args, options = {}) {
    this.said = ''
    this.child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    children.add(this.child)
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', (data) => (this.said += data))
    this.ended = new Promise((go) => this.child.on('close', (code, signal) => {
      children.delete(this.child)
      go(code ?? signal)
    }))
  }

  async waitFor(pattern) {
    return until(() => {
      const found = pattern.exec(this.said)
      assert(found || this.child.exitCode === null, `it has ended without ${pattern}: ${this.said}`)
      return found
    }, `${pattern} in: ${this.said}`)
  }

  async end(signal = 'SIGINT') {
    this.child.kill(signal)
    return Promise.race([this.ended, new Promise((_, no) => setTimeout(no, LIMIT, new Error(`does not end: ${this.said}`)).unref())])
  }
}

export class Server extends Program {
  constructor(...args) {
    const source = args.at(-1), stdin = source === '-'
    super(env.WALLFLY, ['serve', ...(stdin || source.startsWith('tcp') ? ['--quiet', '--front=off'] : []), ...args],
          { stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'] })
  }

  async url() {
    return (await this.waitFor(/http:\/\/\S+\/[A-Za-z0-9_-]{16,64}\/(?=\s)/))[0]
  }

  // Of tcp-listen:0: where targets connect.
  async port() {
    return +(await this.waitFor(/waiting for a target on .*:(\d+)\n/))[1]
  }
}

// Runs in the page before anything of it.
function watch() {
  window.__complaints = []
  document.addEventListener('securitypolicyviolation', (e) => window.__complaints.push(`${e.violatedDirective} refused ${e.blockedURI}`))
  // Notices are shown for a short time.
  const notices = window.__notices = []
  new MutationObserver(() => {
    const text = document.querySelector('.notice')?.textContent
    if (text && text !== notices.at(-1)) notices.push(text)
  }).observe(document, { subtree: true, childList: true, characterData: true })
  for (const name of ['alert', 'confirm', 'prompt', 'open']) window[name] = () => window.__complaints.push(`${name} was called`)
  // Timers and questions of the page that are under way (Page.quiet).
  const pending = window.__pending = { timers: new Set(), questions: 0, quiet: 0 }
  const { setTimeout, clearTimeout } = window
  const ASK_MS = 20000 /* of web/src/wire.ts */, PATIENT_MS = 300000 // a busy machine may need longer
  window.setTimeout = (run, ms, ...args) => {
    const id = setTimeout(() => {
      pending.timers.delete(id)
      run(...args)
    }, ms === ASK_MS ? PATIENT_MS : ms)
    pending.timers.add(id)
    return id
  }
  window.clearTimeout = (id) => {
    pending.timers.delete(id)
    clearTimeout(id)
  }
  let wallfly
  Object.defineProperty(window, 'wallfly', {
    configurable: true,
    get: () => wallfly,
    set: (value) => {
      wallfly = value
      const { source } = value.view
      if (!source) return
      const { ask } = source
      source.ask = (...args) => {
        pending.questions++
        return ask.apply(source, args).finally(() => pending.questions--)
      }
    }
  })
}

// Firefox has no command for it.
function preferDark() {
  const { matchMedia } = window
  window.matchMedia = (query) => query === '(prefers-color-scheme: dark)' ? { matches: true, addEventListener() {} } : matchMedia.call(window, query)
}

// A page of wallfly that is not a time line: Playwright's, with a list of its complaints.
export async function openPlain(url, { width = 1280, height = 800, dark = false } = {}) {
  browser ??= await launch()
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', permissions: [] })
  const page = await context.newPage(), complaints = []
  page.setDefaultTimeout(LIMIT)
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.stack))
  page.on('dialog', (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss() })
  context.on('response', (response) => response.status() >= 400 && complaints.push(`${response.url()} gave ${response.status()}`))
  context.on('request', (request) => {
    const { host, protocol } = new URL(request.url())
    if (protocol !== 'data:' && host !== new URL(url).host) complaints.push(`it asks ${request.url()}`)
  })
  await page.goto(url)
  return { page, complaints, close: async () => {
    await context.close()
    equal(complaints, [], 'complaints')
  } }
}

export class Page {
  // options: dark, width, height, script: a function that runs in the page before anything else,
  // links: a lost link to the server is no reason to complain, panel: which is open.
  static async open(url, options = {}) {
    const self = new Page()
    browser ??= await launch()
    self.context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      colorScheme: options.dark ? 'dark' : 'light',
      permissions: []
    })
    self.complaints = []
    self.links = options.links ?? false
    self.requests = []
    self.url = url
    await self.context.addInitScript(watch)
    if (inFirefox && options.dark) await self.context.addInitScript(preferDark)
    if (options.script) await self.context.addInitScript(options.script)
    self.page = await self.context.newPage()
    self.listen(new URL(url))
    self.page.setDefaultTimeout(LIMIT)
    await self.page.goto(url)
    await self.settled()
    if (options.panel) await self.openPanel(options.panel)
    return self
  }

  listen(home) {
    const { page } = this
    const complain = (text) => ofPlaywright(text) || this.complaints.push(text)
    const own = (text) => {
      const url = new URL(text)
      return url.protocol === 'data:' || url.protocol === 'blob:' || (url.host === home.host && url.pathname.startsWith(home.pathname))
    }
    page.on('console', (message) => {
      if (this.links && /WebSocket connection to .* failed/.test(message.text())) return
      if (['error', 'warning'].includes(message.type())) complain(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => complain(`thrown: ${error.stack}`))
    page.on('crash', () => complain('the page has crashed'))
    page.on('dialog', (dialog) => { complain(`dialog: ${dialog.message()}`); dialog.dismiss() })
    this.context.on('page', (other) => other !== page && complain(`it opened ${other.url()}`))
    page.on('framenavigated', (frame) => ![home.href.split('#')[0], 'about:srcdoc', 'about:blank'].includes(frame.url().split(/[?#]/)[0]) && complain(`it went to ${frame.url()}`))
    this.context.on('request', (request) => {
      this.requests.push(request.url())
      if (!own(request.url())) complain(`it asks ${request.url()}`)
    })
    this.context.on('requestfailed', (request) => complain(`${request.url()} failed: ${request.failure()?.errorText}`))
    this.context.on('response', (response) => response.status() >= 400 && complain(`${response.url()} gave ${response.status()}`))
    page.on('websocket', (socket) => {
      this.requests.push(socket.url())
      if (!own(socket.url().replace(/^ws/, 'http'))) complain(`it connects to ${socket.url()}`)
    })
  }

  async openPanel(panel) {
    await this.view((view, panel) => { view.panel = panel; view.changed() }, panel)
    await this.shown()
  }

  // As it is when it has just been opened: its address and its storage hold nothing of earlier tests.
  // Takes a third of the time of open().
  async afresh() {
    await this.page.mouse.move(0, 0)
    await this.page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
      history.replaceState(null, '', location.pathname + location.search)
      history.replaceState = () => {} // by a timer of the page
    })
    await this.page.goto(this.url)
    await this.settled()
    return this
  }

  // Drawn, with all that it has asked for; of a file all is read.
  async settled() {
    await this.page.waitForFunction(() => {
      const { hello, status, rev } = window.wallfly?.view ?? {}
      return hello && status && (hello.live || (!status.progress && rev === status.rev))
    }, null, { polling: 20 })
    await this.page.evaluate(() => window.wallfly.view.rows.length && window.wallfly.idle())
  }

  // Settled, and for four frames no timer runs and no question is under way: panels, the search and the
  // address show what they will show. Not while a target sends.
  async quiet() {
    await this.settled()
    await this.page.evaluate(() => { window.__pending.quiet = 0 })
    await this.page.waitForFunction(() => {
      const pending = window.__pending
      pending.quiet = pending.timers.size || pending.questions ? 0 : pending.quiet + 1
      return pending.quiet > 4
    }, null, { polling: 'raf' })
  }

  // What has been changed is drawn, and panels show what they have asked for. While a target sends, the
  // questions never end: there it is drawn, and tests wait for the words that they look for.
  async shown() {
    await this.frame()
    if (await this.view((view) => view.hello?.live)) await this.settled()
    else await this.quiet()
  }

  // The part of the time line in which rows are drawn, in pixels of the page.
  async plot() {
    return this.page.evaluate(() => {
      const { left, plot, height, pinnedTop } = window.wallfly.geometry
      const host = document.querySelector('.timeline').getBoundingClientRect()
      return { x: host.x + left, y: host.y + pinnedTop, width: plot, height: height - pinnedTop }
    })
  }

  // The rows that are in sight, whole, as {row, kind, name, y, height}.
  async rows(kind) {
    return this.page.evaluate((kind) => {
      const { geometry, view } = window.wallfly
      const { y } = document.querySelector('.timeline').getBoundingClientRect()
      const part = (name, lines, top, bottom) => lines.map((line) => ({ ...line, y: line.y + geometry.offset(name) }))
        .filter((line) => line.row >= 0 && line.y >= top && line.y + line.height <= bottom)
      const lines = [...part('pinned', geometry.layout.pinned, geometry.pinnedTop, geometry.rowsTop),
                     ...part('rows', geometry.layout.lines, geometry.rowsTop, geometry.height)]
      return lines.filter((line) => !kind || line.kind === kind)
        .map((line) => ({ row: line.row, kind: line.kind, name: view.rows[line.row].name, y: y + line.y, height: line.height }))
    }, kind)
  }

  // Where a time is across the page.
  async across(time) {
    const [{ x, width }, [from, until]] = [await this.plot(), await this.view((view) => [view.from, view.until])]
    return x + (time - from) / (until - from) * width
  }

  // Is a row between these times drawn over with this pattern? It comes again every few pixels, across
  // and down, and not in between; bars that come regularly are the same all the way down.
  async patterned(row, pattern, from, until) {
    const lag = { dots: 5, loss: 7 }[pattern], half = lag >> 1 // pixels (web/src/patterns.ts)
    const { x, width } = await this.plot()
    const left = Math.ceil(Math.max(x, await this.across(from))) + 2
    const right = Math.floor(Math.min(x + width, await this.across(until))) - 2
    const wide = right - left, part = 40 // of that between arrows and edges of slices
    assert(wide >= part, `only ${wide} pixels are in sight`)
    const all = await this.pixels(left, Math.round(row.y), wide, Math.round(row.height))
    const same = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i]))) < 8
    const share = (x, y, across, down) => {
      let count = 0
      for (let i = x; i + across < x + part; i++) count += same(all.at(i, y), all.at(i + across, y + down))
      return count / (part - across)
    }
    const repeats = (x, y) => share(x, y, lag, 0) > 0.9 && share(x, y, 0, lag) > 0.9 &&
      share(x, y, half, 0) < 0.85 && share(x, y, 0, half) < 0.85
    for (let x = 0; x + part <= wide; x += 20) {
      let lines = 0
      for (let y = 0; y + lag < all.height; y++) lines += repeats(x, y)
      if (lines >= 2) return true
    }
    return false
  }

  // What is at a place of the plot: shares of its width and height, from 0 to 1.
  async place(share, down = 0.5) {
    const { x, y, width, height } = await this.plot()
    return [x + width * share, y + height * down]
  }

  async hover(share, down = 0.5) {
    await this.page.mouse.move(...(await this.place(share, down)))
    await this.frame()
    return this.view((view) => view.cursor)
  }

  async wheel(by, share, down, keys = []) {
    await this.page.mouse.move(...(await this.place(share, down)))
    for (const key of keys) await this.page.keyboard.down(key)
    await this.page.mouse.wheel(0, by)
    for (const key of keys) await this.page.keyboard.up(key)
    await this.shown()
  }

  async drag(from, to, down = 0.5) {
    await this.page.mouse.move(...(await this.place(from, down)))
    await this.page.mouse.down()
    for (let step = 1; step <= 8; step++) await this.page.mouse.move(...(await this.place(from + (to - from) * step / 8, down)))
    await this.page.mouse.up()
    await this.shown()
  }

  // What is on the clipboard.
  async pasted() {
    await this.page.evaluate(() => {
      const field = document.createElement('textarea')
      field.id = 'pasted'
      document.body.append(field)
      field.focus()
    })
    await this.page.keyboard.press('Control+V')
    await until(() => this.page.evaluate(() => document.getElementById('pasted').value !== ''), 'a text on the clipboard')
    return this.page.evaluate(() => {
      const field = document.getElementById('pasted'), { value } = field
      field.remove()
      return value
    })
  }

  async key(...keys) {
    for (const key of keys) await this.page.keyboard.press(key)
    await this.shown()
  }

  // The name of the file that `act` saves, and its bytes. Playwright has no downloads of Firefox: there the link that
  // the page makes is taken before it is followed.
  async saved(act) {
    if (!inFirefox) {
      const [download] = await Promise.all([this.page.waitForEvent('download'), act()])
      return [download.suggestedFilename(), readFileSync(await download.path())]
    }
    await this.page.evaluate(() => {
      const { createObjectURL } = URL
      let blob
      window.__saved = null
      URL.createObjectURL = (of) => createObjectURL.call(URL, blob = of)
      HTMLAnchorElement.prototype.click = async function () {
        const bytes = new Uint8Array(await blob.arrayBuffer())
        let text = ''
        for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
        window.__saved = [this.download, btoa(text)]
      }
    })
    await act()
    const [name, text] = await until(() => this.page.evaluate(() => window.__saved), 'a file')
    return [name, Buffer.from(text, 'base64')]
  }

  // A notice that has this text was shown, and perhaps is no more.
  noticed(text) {
    return until(() => this.page.evaluate((text) => window.__notices.some((notice) => notice.includes(text)), text), `the notice "${text}"`)
  }

  // What has been changed is drawn.
  frame() {
    return this.page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go()))))
  }

  // What the ruler and the label of the cursor show: texts that are drawn.
  async drawnTexts() {
    return this.page.evaluate(async () => {
      const drawn = [], { fillText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
        if (y < 66) drawn.push(text)
        return fillText.call(this, text, x, y, ...rest)
      }
      window.wallfly.redraw()
      await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))
      CanvasRenderingContext2D.prototype.fillText = fillText
      return drawn
    })
  }

  // The pixels of a part of the page as it is seen: [r, g, b] of one, from 0.
  async pixels(x, y, width, height) {
    const png = await this.page.screenshot({ clip: { x, y, width, height }, animations: 'disabled' })
    decoder ??= await (await browser.newContext()).newPage()
    const bytes = await decoder.evaluate(async (text) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob())
      const canvas = new OffscreenCanvas(image.width, image.height)
      canvas.getContext('2d').drawImage(image, 0, 0)
      const { data } = canvas.getContext('2d').getImageData(0, 0, image.width, image.height)
      let out = '' // a long array of numbers takes seconds
      for (let i = 0; i < data.length; i += 8192) out += String.fromCharCode(...data.subarray(i, i + 8192))
      return btoa(out)
    }, png.toString('base64')).then((text) => Buffer.from(text, 'base64'))
    return { width, height, at: (px, py) => [...bytes.subarray((py * width + px) * 4, (py * width + px) * 4 + 3)] }
  }

  // What a function of window.wallfly's view gives.
  view(read, ...args) {
    return this.page.evaluate(`(${read})(window.wallfly.view, ...${JSON.stringify(args)})`)
  }

  // What the page has complained of so far.
  async complained() {
    const [said, hacked] = await this.page.evaluate(() => [window.__complaints.splice(0), window.__hacked ?? null])
    this.complaints.push(...said.filter((text) => !ofPlaywright(text)))
    const script = `a name has run as script: ${hacked}`
    if (hacked !== null && !this.complaints.includes(script)) this.complaints.push(script)
    return this.complaints
  }

  async checkNow() {
    await this.complained()
    assert(this.complaints.length === 0, `the page complains:\n  ${this.complaints.join('\n  ')}`)
  }

  async close() {
    await this.checkNow()
    await this.context.close()
  }
}

let failed = 0
// A test is a sentence about behaviour. With ONLY=WORD those run that have the word in theirs.
export async function test(sentence, body) {
  if (!sentence.includes(env.ONLY ?? '')) return
  try {
    await body()
    console.log(`ok ${sentence}`)
  } catch (error) {
    failed++
    console.log(`FAILED ${sentence}\n    ${error.stack}`)
  }
}

export async function done() {
  await browser?.close()
  process.exit(failed ? 1 : 0)
}
