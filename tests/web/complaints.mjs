// SPDX-License-Identifier: MIT
// What the tests of the page rest upon: that a page which does something it must not is found out.
import { createServer } from 'node:http'
import { Page, assert, done, test, until } from './browser.mjs'

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
const page = '<!doctype html><title>x</title><canvas></canvas><script src="page.js"></script>'
let script = ''
const server = createServer((request, answer) => {
  answer.setHeader('content-security-policy', policy)
  answer.setHeader('content-type', request.url.endsWith('.js') ? 'text/javascript' : 'text/html')
  answer.statusCode = ['/token/', '/token/page.js'].includes(request.url) ? 200 : 404
  answer.end(request.url.endsWith('.js') ? script : page)
}).listen(0, '127.0.0.1')
await new Promise((go) => server.on('listening', go))

// Its complaints, when one of them has these words or, without words, when twenty frames have passed.
async function complains(what, words) {
  script = `window.wallfly = { view: { hello: { live: true }, status: {}, rows: [] }, idle: async () => {} }; setTimeout(() => { ${what} })`
  const opened = await Page.open(`http://127.0.0.1:${server.address().port}/token/`)
  if (words) await until(async () => (await opened.complained()).join('\n').includes(words), `"${words}" of ${what}`)
  else for (let frame = 0; frame < 10; frame++) await opened.frame()
  return opened.close().then(() => '', (error) => error.message)
}

await test('a page that does nothing wrong is fine', async () => {
  const said = await complains('document.title = "y"')
  assert(said === '', said)
})

const wrongs = {
  'eval("1")': 'refused eval',
  'document.body.innerHTML = "<img src=data:, onerror=window.__hacked=1>"': 'refused inline',
  'fetch("http://192.0.2.1/")': 'connect-src refused',
  'fetch("/other")': 'it asks',
  'fetch("missing")': 'gave 404',
  'new Image().src = "http://192.0.2.1/x.png"': 'it asks http://192.0.2.1/x.png',
  'new WebSocket("ws://127.0.0.1:1/token/")': 'connect-src refused ws',
  'alert(1)': 'alert was called',
  'open("http://192.0.2.1/")': 'open was called',
  'throw new Error("wrong")': 'thrown: Error: wrong',
  'Promise.reject(new Error("wrong"))': 'thrown: Error: wrong',
  'console.error("wrong")': 'console: wrong',
  'window.__hacked = 7': 'run as script: 7'
}
for (const [what, words] of Object.entries(wrongs)) {
  await test(`${what} is found out`, async () => {
    const said = await complains(what, words)
    assert(said.includes(words), `${words} is not in: ${said}`)
  })
}
await done()
