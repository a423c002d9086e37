// SPDX-License-Identifier: MIT
// Numbers that JavaScript's own cannot hold are shown exactly: times of the target's clock, integers
// in fields. Usage: large.mjs FILE (a trace, or a page of wallfly page) TRACE (that it is of) CLOCK
// (start or target, which times are shown of)
import { pathToFileURL } from 'node:url'
import { Page, Server, assert, done, equal, recordsOf, run, test } from './browser.mjs'

const [file, trace, clock] = process.argv.slice(2)
const server = file.endsWith('.html') ? null : new Server(`--time=${clock}`, file)
const url = server ? await server.url() : pathToFileURL(file).href
const records = recordsOf(trace)
const open = (panel) => Page.open(url, { panel })

await test('integers in fields are exact', async () => {
  const page = await open('details')
  let count = 0
  for (const record of records) {
    const large = [...record.line.matchAll(/[:,](\d{16,})[,}\]]/g)].map((match) => match[1]).filter((digits) => !Number.isSafeInteger(+digits))
    const inFields = large.filter((digits) => record.line.indexOf(digits, record.line.indexOf('"fields"')) >= 0 && digits !== '9223372036854775807')
    if (inFields.length === 0) continue
    await page.view((view, number) => { view.record = number; view.changed() }, record.number)
    const box = page.page.getByLabel('Record', { exact: true })
    await box.getByText(`#${record.number}`).first().waitFor()
    await page.quiet()
    const text = await box.locator('table.fields').innerText()
    for (const digits of inFields) assert(text.includes(digits), `record ${record.number}: no ${digits} in ${text}`)
    count += inFields.length
  }
  assert(count > 0, 'the trace has no large integers')
  await page.close()
})

await test('times are those of `wallfly print`', async () => {
  const page = await open('records')
  const printed = run('print', `--time=s,${clock}`, trace).split('\n').map((line) => /^\s*([\d.]+) s .*?(\S+) {2,}/.exec(line)).filter((found) => found)
  const hz = await page.view((view) => view.hello.hz)
  assert(hz > 0, 'no rate')
  const shown = await page.page.locator('.record-rows .record:not(.pending) .c-time').allInnerTexts()
  const digits = shown.map((text) => text.replace(/[^0-9]/g, '')).filter((text) => text)
  assert(digits.length > 2, 'no times')
  equal([...new Set(digits)], [...new Set(printed.map((found) => found[1].replace('.', '')))], 'times')
  await page.close()
})

await server?.end()
await done()
