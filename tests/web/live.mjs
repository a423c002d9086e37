// SPDX-License-Identifier: MIT
// The page of a target that runs: it follows, freezes, and finds back to its target and its server.
import { Page, Program, Server, assert, done, equal, test, until } from './browser.mjs'

const philosophers = (port, ...more) => new Program(process.env.PHILOSOPHERS, ['--seconds=600', `--output=tcp:127.0.0.1:${port}`, ...more])
const newest = (page) => page.view((view) => view.status?.last ?? 0)
const records = (page) => page.view((view) => view.status?.records ?? 0)
const grows = async (page, what) => {
  const now = await newest(page)
  await until(async () => (await newest(page)) > now, what)
}

await test('it follows, freezes on a selection, and follows again', async () => {
  const server = new Server('tcp-listen:0')
  const page = await Page.open(await server.url())
  equal(await page.view((view) => [view.hello.live, view.hello.commands, view.status?.up ?? false]), [true, false, false], 'before the target')
  const target = philosophers(await server.port())
  await until(() => page.view((view) => view.status?.up && view.rows.length > 5), 'the rows')
  assert(await page.view((view) => view.follow), 'it does not follow')
  const before = await page.view((view) => view.until)
  await until(async () => (await page.view((view) => view.until)) > before, 'the view moves on')
  await until(() => page.view((view) => view.until >= view.status.last && view.from <= view.status.last), 'the newest in view')

  await page.drag(0.3, 0.6)
  const frozen = await page.view((view) => ({ from: view.from, until: view.until, follow: view.follow, selection: view.selection }))
  assert(!frozen.follow && frozen.selection, 'it goes on with a selection')
  await grows(page, 'more of the trace')
  await grows(page, 'more of the trace')
  equal(await page.view((view) => [view.from, view.until]), [frozen.from, frozen.until], 'what is seen while it is frozen')

  await page.key('Escape')
  await page.view((view) => { view.follow = true; view.changed() })
  await until(() => page.view((view) => view.until >= view.status.last), 'it follows again')
  await page.close()
  await target.end()
  equal(await server.end(), 0, 'the server ends well')
})

await test('a target that leaves is told, and one that returns goes on in the same page', async () => {
  const server = new Server('tcp-listen:0')
  const page = await Page.open(await server.url())
  const port = await server.port()
  const first = philosophers(port)
  await until(() => page.view((view) => view.status?.up && view.status.records > 100), 'the first target')
  await first.end('SIGKILL')
  await until(() => page.view((view) => view.status?.up === false), 'that it is gone')
  assert(await page.view((view) => typeof view.status.note === 'string' && view.status.note.length > 0), 'no word of it')
  await until(async () => /no target/i.test(await page.page.locator('header').innerText()), 'a word of it in the head')
  const had = await records(page)
  const second = philosophers(port)
  await until(async () => (await page.view((view) => view.status?.up)) && (await records(page)) > had + 50, 'the second target')
  await page.close()
  await second.end()
  await server.end()
})

await test('a server that is started again has its page back', async () => {
  const token = '--token=theTokenOfThisTest_17'
  const server = new Server('--page=0', token, 'tcp-listen:0')
  const url = await server.url()
  const [port, where] = [await server.port(), new URL(url).port]
  const page = await Page.open(url, { links: true })
  const first = philosophers(port)
  await until(() => page.view((view) => view.status?.records > 100), 'records')
  await first.end()
  await server.end()
  await until(() => page.view((view) => !view.linked), 'that the server is gone')
  const again = new Server(`--page=${where}`, token, `tcp-listen:${port}`)
  equal(await again.url(), url, 'the address')
  await until(() => page.view((view) => view.linked), 'the link')
  const second = philosophers(port)
  await until(() => page.view((view) => view.status?.up && view.status.records > 50), 'records of the second server')
  await page.settled()
  await grows(page, 'more of the trace')
  await page.close()
  await second.end()
  await again.end()
})

await test('two pages at once see the same', async () => {
  const server = new Server('tcp-listen:0')
  const pages = [await Page.open(await server.url()), await Page.open(await server.url())]
  const target = philosophers(await server.port())
  for (const page of pages) await until(async () => (await records(page)) > 200, 'records')
  await target.end()
  for (const page of pages) await until(() => page.view((view) => view.status.up === false), 'the end')
  await pages[0].page.waitForTimeout(300)
  equal(await records(pages[0]), await records(pages[1]), 'records')
  for (const page of pages) await page.close()
  await server.end()
})
await done()
