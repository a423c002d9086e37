// SPDX-License-Identifier: MIT
// What the tests of several traces share.
import { Page, until } from './browser.mjs'

// The page of several traces, and its frames by the number of their trace.
export class Traces {
  static async open(server, hash = '', options = {}) {
    const self = new Traces()
    self.shown = await Page.open((await server.url()) + hash, options)
    self.page = self.shown.page
    self.count = await self.page.locator('iframe').count()
    await self.ready()
    return self
  }

  frame(number) {
    return this.page.frames().find((frame) => frame.url().includes(`trace=${number}`))
  }

  async view(number, what, ...args) {
    return this.frame(number).evaluate(`(${what})(window.wallfly.view, ...${JSON.stringify(args)})`)
  }

  // All is read, and the address has what is shown.
  async ready() {
    for (let i = 0; i < this.count; i++) {
      await until(() => this.frame(i), `frame ${i}`)
      await this.frame(i).waitForFunction(() => window.wallfly?.view.hello?.ended &&
        (window.wallfly.view.rows.length > 0 || window.wallfly.view.status?.error))
      await this.frame(i).evaluate(() => window.wallfly.idle())
    }
    await until(() => this.page.url().includes('#by='), 'the address')
  }

  async words() {
    return (await this.page.locator('header').innerText()).replace(/\u202f/g, '')
  }

  // A time of a trace, in pixels of the page.
  async at(number, t) {
    const box = await this.page.locator('iframe').nth(number).boundingBox()
    const [left, plot, from, to] = await this.frame(number).evaluate(() => {
      const { geometry, view } = window.wallfly
      return [geometry.left, geometry.plot, view.from, view.until]
    })
    return box.x + left + (t - from) / (to - from) * plot
  }

  async rowAt(number, name) {
    const box = await this.page.locator('iframe').nth(number).boundingBox()
    return box.y + await this.frame(number).evaluate((name) => {
      const { geometry, view } = window.wallfly
      const line = geometry.layout.lines.find((line) => line.row >= 0 && view.rows[line.row].name === name)
      return line.y + geometry.offset('rows') + line.height / 2
    }, name)
  }
}
