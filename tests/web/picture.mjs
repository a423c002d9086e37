// SPDX-License-Identifier: MIT
// One picture of the page, as those in docs/pictures. Usage: picture.mjs FILE PNG [FROM UNTIL [OPTION...]]: from and until
// are shares of the trace, the options those of `wallfly serve`.
import { Page, Server, done } from './browser.mjs'

const [, , file, png, from = '0', until = '0', ...options] = process.argv
const server = new Server(...options, file)
const page = await Page.open(await server.url(), { width: 1200, height: 640 })
if (Number(until)) {
  const last = await page.view((view) => view.status.last)
  await page.view((view, from, until) => view.go(from, until), last * from, last * until)
}
await page.quiet()
await page.page.screenshot({ path: png })
await page.close()
await server.end()
await done()
