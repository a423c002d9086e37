// SPDX-License-Identifier: MIT
// axe-core: what it finds serious in a page is a fault.
import { readFileSync } from 'node:fs'
import { equal } from './browser.mjs'

const axe = readFileSync(`${process.env.BUILD}/web/node_modules/axe-core/axe.min.js`, 'utf8')

export async function check(page, what) {
  if (!await page.page.evaluate(() => !!window.axe)) await page.page.evaluate(axe)
  const found = await page.page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] })
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id} at ${node.target.join(' ')}: ${node.any.concat(node.all, node.none).map((one) => one.message).join('; ')}`))
  })
  equal(found, [], what)
}
