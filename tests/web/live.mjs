// SPDX-License-Identifier: MIT
// The page of a target that runs: it follows, freezes, and finds back to its target and its server.
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { Page, Program, Server, assert, done, equal, program, recordsOf, run, test, until } from './browser.mjs'

const philosophers = (port, ...more) => new Program(process.env.PHILOSOPHERS, ['--seconds=600', `--output=tcp:127.0.0.1:${port}`, ...more])
const newest = (page) => page.view((view) => view.status?.last ?? 0)
const records = (page) => page.view((view) => view.status?.records ?? 0)
const grows = async (page, what) => {
  const now = await newest(page)
  await until(async () => (await newest(page)) > now, what)
}

// A cable from targets to a server, in which bytes of a target are lost.
class Cable {
  static async to(port) {
    const self = new Cable()
    self.left = 0 // bytes that are lost next
    const plug = createServer((target) => {
      const far = connect(port, '127.0.0.1')
      target.on('data', (bytes) => {
        const lost = Math.min(self.left, bytes.length)
        self.left -= lost
        far.write(bytes.subarray(lost))
      })
      far.pipe(target)
      for (const [one, other] of [[target, far], [far, target]]) {
        one.on('error', () => {})
        one.on('close', () => other.destroy())
      }
    })
    await new Promise((go) => plug.unref().listen(0, '127.0.0.1', go))
    self.port = plug.address().port
    return self
  }

  // Less than 256 records: their numbers have 8 bits.
  async lose(bytes = 300) {
    this.left = bytes
    await until(() => this.left === 0, 'bytes that are lost')
  }
}

// The panel of triggers, with an event chosen.
async function openTriggers(page, event) {
  await page.page.keyboard.press('t')
  const panel = page.page.getByRole('tabpanel', { name: 'Trigger' })
  await panel.getByLabel('Event').selectOption(event)
  return { panel, arm: panel.getByRole('button', { name: 'Arm', exact: true }) }
}

// The same of a target that runs.
async function triggerPanel(event, options = [], shown = {}) {
  const server = new Server(...options, 'tcp-listen:0')
  const page = await Page.open(await server.url(), shown)
  const cable = await Cable.to(await server.port())
  const target = philosophers(cable.port)
  await until(() => page.view((view) => view.status?.up && view.status.records > 100), 'records')
  return { server, page, cable, target, ...await openTriggers(page, event) }
}

const isArmed = (page) => page.view((view) => !!view.triggers.armed)
const fires = (page) => until(() => page.view((view) => !view.triggers.armed && !view.follow), 'the trigger')

// The holes of the trace, in ticks.
const holesOf = (page) => page.page.evaluate(async () => {
  const { rows, source } = window.wallfly.view, found = []
  for (const { id, kind } of rows.flatMap((row) => row.tracks)) {
    for (let at = -1; kind === 'loss';) {
      const { slice } = await source.ask('step', { track: id, at, way: 1, value: null })
      if (!slice) break
      found.push(slice.slice(0, 2))
      at = slice[0]
    }
  }
  return found
})

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

await test('a trigger freezes the view where a step becomes longer than a limit', async () => {
  const { server, page, target, panel, arm } = await triggerPanel('limit')
  assert(await arm.isDisabled(), 'it can be armed without a bound')
  await panel.getByLabel('What is limited').selectOption({ label: 'step of table' })
  await panel.getByLabel('Milliseconds').fill('0')
  const before = await page.view((view) => view.status.last)
  await arm.click()
  await fires(page)
  const { at } = await page.view((view) => view.triggers.hit)
  const track = await page.view((view) => view.rows.find((row) => row.name === 'table').tracks.find((one) => one.kind === 'steps').id)
  const { slice } = await page.page.evaluate(([track, at]) => window.wallfly.view.source.ask('step', { track, at: at + 1, way: -1, value: null }), [track, at])
  assert(at >= before - 1 && slice[0] === at && slice[1] > at, `the step at ${slice}, the trigger at ${at} after ${before}`)
  await page.close()
  await target.end()
  equal(await server.end(), 0, 'the server ends well')
})

await test('a trigger freezes the view at the next failure of a rule, which is selected', async () => {
  writeFileSync('rules.lua', 'never{"nothing"}\nstep{machine = "table", max = "1 ns", title = "short steps"}\n')
  const { server, page, target, panel, arm } = await triggerPanel('rule', ['--rules=rules.lua'])
  await until(() => page.view((view) => view.rules.counts[0] > 0), 'marks of failures')
  equal(await page.view((view) => view.rules.rules.map((rule) => rule.verdict)), ['cannot tell', 'fail'], 'the verdicts')
  await panel.getByLabel('Rule', { exact: true }).selectOption({ label: 'short steps' })
  const before = await page.view((view) => view.status.last)
  await arm.click()
  await fires(page)
  const { at, mark, shown } = await page.view((view) => ({ at: view.triggers.hit.at, mark: view.mark, shown: [view.from, view.until] }))
  equal([mark.until, mark.rule], [at, 1], 'the mark')
  assert(at >= before && shown[0] <= at && at <= shown[1], `the failure at ${at}, the trigger after ${before}`)
  assert(mark.text.includes('step of table took'), mark.text)
  if (process.env.PICTURES) await page.page.screenshot({ path: `${process.env.PICTURES}/trigger.png` })
  await page.close()
  await target.end()
  equal(await server.end(), 0, 'the server ends well')
})

await test('a button begins and ends a recording', async () => {
  const server = new Server('--allow-commands', 'tcp-listen:0')
  const page = await Page.open(await server.url())
  const header = page.page.locator('header')
  const target = philosophers(await server.port())
  await until(() => page.view((view) => view.status?.up && view.status.records > 100), 'records')
  await header.getByRole('button', { name: 'Record', exact: true }).click()
  const recording = header.getByRole('button', { name: 'Recording', pressed: true, exact: true })
  await recording.waitFor()
  await until(async () => / KB/.test(await recording.textContent()), 'the bytes')
  const file = (await recording.getAttribute('title')).match(/wallfly-\d+-\d+\.wfr/)[0]
  await recording.click()
  await page.page.getByText(`Recorded in ${file}`).waitFor()
  await header.getByRole('button', { name: 'Record', pressed: false }).waitFor()
  await page.close()
  await target.end()
  equal(await server.end(), 0, 'the server ends well')
  assert(recordsOf(file).length > 20, 'what is recorded')
  run('info', '--strict', file) // nothing is missing
})

await test('a trigger freezes the view around the next record with a text', async () => {
  const { server, page, target, panel, arm } = await triggerPanel('text')
  assert(await arm.isDisabled(), 'it can be armed without a text')
  await panel.getByLabel('Text').fill('TIMEOUT_SIG')
  await panel.getByLabel('Seconds on either side').fill('')
  await panel.getByLabel('Seconds on either side').pressSequentially('0.5')
  const [from, hz] = await page.view((view) => [view.status.last, view.hello.hz])
  await arm.click()
  await page.page.locator('header').getByRole('button', { name: 'Armed' }).waitFor()
  await fires(page)
  const { at, record, shown } = await page.view((view) => ({ ...view.triggers.hit, shown: [view.from, view.until] }))
  assert(at >= from - 1, `the record at ${at} is older than the trigger at ${from}`)
  equal(shown, [Math.max(0, at - hz / 2), at + hz / 2], 'what is shown')
  const { record: row } = await page.page.evaluate((number) => window.wallfly.view.source.ask('record', { number }), record)
  assert(`${row.name} ${row.words}`.includes('TIMEOUT_SIG') && row.t === at, JSON.stringify(row))
  await panel.getByText('Was hit at').waitFor()
  await page.close()
  await target.end()
  await server.end()
})

await test('the whole of a trace goes on as well, until something is selected', async () => {
  const server = new Server('tcp-listen:0')
  const page = await Page.open(await server.url())
  const state = () => page.page.locator('header .state').innerText()
  equal(await page.page.locator('header .badge').count(), 0, 'words on what is missing before anything came')
  const target = philosophers(await server.port())
  await until(() => page.view((view) => view.status?.up && view.status.records > 100), 'records')
  await page.key('f')
  const wide = () => page.view((view) => view.until - view.from)
  const before = await wide()
  await until(async () => (await wide()) > before, 'more of the trace in view')
  equal(await state(), 'Live', 'what it says meanwhile')
  await page.drag(0.3, 0.6)
  const frozen = await page.view((view) => [view.from, view.until])
  equal(await state(), 'Frozen', 'what it says of a selection')
  await grows(page, 'more of the trace')
  await grows(page, 'more of the trace')
  equal(await page.view((view) => [view.from, view.until]), frozen, 'what is seen with a selection')
  await page.page.locator('header .state').click()
  await until(() => page.view((view) => view.follow && view.until >= view.status.last), 'it follows again')
  await page.close()
  await target.end()
  await server.end()
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
  await page.view((view) => { view.panel = 'losses'; view.changed() })
  const holes = () => page.page.locator('.losses tbody tr').count()
  equal(await holes(), 0, 'holes before it returns')
  const second = philosophers(port)
  await until(async () => (await page.view((view) => view.status?.up)) && (await records(page)) > had + 50, 'the second target')
  await until(async () => (await holes()) === 1, 'the time that it was away in the list of holes')
  await until(async () => /some may be missing/.test(await page.page.locator('header').innerText()), 'a word of it in the head')
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

// The records between two times, as rows of CSV without their numbers and places in the file.
function rowsBetween(trace, from, end) {
  return run('convert', '--to=csv', '-o', '-', `--from=${from}`, `--until=${end}`, '--time=target', trace).split('\n')
    .map((line) => line.replace(/^\d+,/, '').replace(/,\d+\r?$/, ''))
}

await test('a trigger freezes the view around the next loss, and saves a recording of it', async () => {
  const { server, page, cable, target, panel, arm } = await triggerPanel('loss', ['--record=all.wfr'])
  await cable.lose()
  await until(async () => (await holesOf(page)).length > 0, 'a hole before')
  await grows(page, 'more of the trace')
  await grows(page, 'more of the trace')
  const [before, hz] = await page.view((view) => [view.status.last, view.hello.hz])
  const old = (await holesOf(page)).length
  await panel.getByLabel('Seconds on either side').fill('0.5')
  await panel.getByLabel('and save it as a recording').check()
  const [name, bytes] = await page.saved(async () => {
    await arm.click()
    await until(async () => (await newest(page)) > before + hz / 2, 'time without a loss')
    assert(await isArmed(page), 'an earlier loss counts')
    await cable.lose()
    await fires(page)
  })
  const { at, shown, t0 } = await page.view((view) => ({ at: view.triggers.hit.at, shown: [view.from, view.until], t0: +view.hello.t0 }))
  equal(at, (await holesOf(page))[old][0], 'the hole')
  assert(at >= before, `the hole at ${at} is older than the trigger at ${before}`)
  equal(shown, [at - hz / 2, at + hz / 2], 'what is shown')
  await panel.getByText('Was hit at').waitFor()
  await page.noticed(`Saved ${name}`)
  await page.close()
  await target.end()
  equal(await server.end(), 0, 'the server ends well')
  assert(/^tcp-listen_.*\.wfr$/.test(name), name)
  writeFileSync('hit.wfr', bytes)
  const window = [(t0 + Math.floor(shown[0])) / hz, (t0 + Math.ceil(shown[1])) / hz]
  equal(rowsBetween('hit.wfr', ...window), rowsBetween('all.wfr', ...window), 'records around the hole')
  const kept = recordsOf('hit.wfr'), hole = kept.findIndex((record) => record.kind === 'loss')
  assert(hole > 0, `the hole is ${hole} of ${kept.length} records`)
})

await test('a trigger stays armed when the server is started again', async () => {
  const token = '--token=theTokenOfThisTest_18'
  const { server, page, target, panel, arm } = await triggerPanel('loss', ['--page=0', token], { links: true })
  const where = new URL(page.url).port, hz = await page.view((view) => view.hello.hz)
  await until(async () => (await newest(page)) > 3 * hz, 'some seconds')
  await panel.getByLabel('Seconds on either side').fill('0.1')
  await arm.click()
  await target.end()
  await server.end()
  await until(() => page.view((view) => !view.linked), 'that the server is gone')
  const again = new Server(`--page=${where}`, token, 'tcp-listen:0')
  const cable = await Cable.to(await again.port())
  await until(() => page.view((view) => view.linked && view.status?.records === 0), 'the link')
  const second = philosophers(cable.port)
  await until(() => page.view((view) => view.status.up && view.status.records > 50), 'records of the second server')
  await until(async () => (await newest(page)) > hz / 2, 'time without a loss')
  assert(await isArmed(page), 'it is no longer armed')
  equal(await panel.getByRole('alert').count(), 0, 'errors')
  await cable.lose()
  await fires(page)
  const at = await page.view((view) => view.triggers.hit.at)
  equal(at, (await holesOf(page))[0][0], 'the hole')
  assert(at < 3 * hz, `the hole at ${at} is not before the end of the first trace`)
  await page.close()
  await second.end()
  await again.end()
})

program(process.env.PHILOSOPHERS, '--fast', '--seconds=20', '--output=fed.bin')
const fed = readFileSync('fed.bin')

await test('failures count anew when the server is started again', async () => {
  writeFileSync('short.lua', 'step{machine = "table", max = "1 ns"}\n')
  const options = ['--rules=short.lua', '--token=theTokenOfThisTest_19']
  const server = new Server('--page=0', ...options, 'tcp-listen:0')
  const page = await Page.open(await server.url(), { links: true })
  const target = connect(await server.port(), '127.0.0.1')
  target.write(fed)
  const failures = () => page.view((view) => view.rules.rules[0]?.failures ?? 0)
  const total = recordsOf('fed.bin').length
  await until(async () => (await records(page)) >= total && (await failures()) > 20, 'failures')
  const before = await failures(), { panel, arm } = await openTriggers(page, 'rule')
  await panel.getByLabel('Seconds on either side').fill('0.1')
  await arm.click()
  await until(() => page.view((view) => view.triggers.failures !== null), 'the number of failures')
  target.destroy()
  await server.end()
  await until(() => page.view((view) => !view.linked), 'that the server is gone')
  const again = new Server(`--page=${new URL(page.url).port}`, ...options, 'tcp-listen:0')
  await until(() => page.view((view) => view.linked && view.status?.records === 0), 'the link')
  await until(() => page.view((view) => view.triggers.failures === 0), 'that there is no failure')
  const other = connect(await again.port(), '127.0.0.1')
  other.write(fed.subarray(0, fed.length >> 2))
  await fires(page)
  assert((await failures()) < before, 'the second trace has as many failures')
  assert((await page.view((view) => view.mark.text)).includes('step of table took'), 'the mark')
  other.destroy()
  await page.close()
  await again.end()
})

// A trace that comes from standard input, and stays open; `more` is what comes later.
async function piped(event, ...options) {
  const server = new Server(...options, '-')
  const page = await Page.open(await server.url())
  server.child.stdin.write(fed.subarray(0, fed.length >> 1))
  await until(() => page.view((view) => view.status?.records > 100 && view.rows.length > 5), 'records')
  return { server, page, more: fed.subarray(fed.length >> 1), ...await openTriggers(page, event) }
}

await test('the end of a trace from standard input disarms a trigger, if nothing has failed but at the end', async () => {
  writeFileSync('late.lua', 'step{machine = "table", mean = "1 ns"}\nstep{machine = "table", max = "1000 s"}\n')
  const { server, page, more, panel, arm } = await piped('rule', '--rules=late.lua')
  equal(await page.view((view) => view.rules.rules.map((rule) => rule.live)), [false, true], 'rules that have failures before the end')
  await arm.click()
  await until(() => page.view((view) => view.triggers.failures === 0), 'the number of failures')
  server.child.stdin.end(more)
  await page.page.getByText('The trace has ended: the trigger is disarmed').waitFor()
  await panel.getByText('Not armed').waitFor()
  equal(await page.view((view) => view.triggers.hit), null, 'the results have fired it')
  equal(await page.page.getByRole('alert').count(), 0, 'errors')
  await page.close()
  equal(await server.end(), 0, 'the server ends well')
})

await test('a failure right before the end of a trace fires a trigger', async () => {
  writeFileSync('short.lua', 'step{machine = "table", mean = "1 ns"}\nstep{machine = "table", max = "1 ns", title = "short steps"}\n')
  const { server, page, more, arm } = await piped('rule', '--rules=short.lua')
  const armedAt = await page.view((view) => view.status.last)
  await page.view((view) => { // it looks again behind the end only
    const { source } = view, ask = source.ask.bind(source)
    source.ask = async (op, ...rest) => {
      while (op === 'added' && !view.hello.ended) await new Promise((go) => setTimeout(go, 20))
      return ask(op, ...rest)
    }
  })
  await arm.click()
  server.child.stdin.end(more)
  await fires(page)
  const { mark, at } = await page.view((view) => ({ mark: view.mark, at: view.triggers.hit.at }))
  equal([mark.rule, mark.until], [1, at], 'the mark')
  assert(at >= armedAt, `${at} is before ${armedAt}`)
  await page.close()
  equal(await server.end(), 0, 'the server ends well')
})

await test('the end of a trace from standard input ends the wait for the time behind a hit', async () => {
  const { server, page, more, panel, arm } = await piped('text')
  await panel.getByLabel('Text').fill('TIMEOUT_SIG')
  await panel.getByLabel('Seconds on either side').fill('100')
  await arm.click()
  server.child.stdin.write(more)
  await panel.getByText('the time behind it is awaited').waitFor()
  assert(await isArmed(page), 'it does not wait')
  server.child.stdin.end()
  await fires(page)
  equal(await page.page.getByRole('alert').count(), 0, 'errors')
  await panel.getByText('Was hit at').waitFor()
  const [at, cursor, ended] = await page.view((view) => [view.triggers.hit.at, view.cursor, view.hello.ended])
  assert(ended && cursor === at && at > 0, `the hit at ${at}, the cursor at ${cursor}`)
  await page.close()
  equal(await server.end(), 0, 'the server ends well')
})

await test('two pages at once see the same', async () => {
  const server = new Server('tcp-listen:0')
  const pages = [await Page.open(await server.url()), await Page.open(await server.url())]
  const target = philosophers(await server.port())
  for (const page of pages) await until(async () => (await records(page)) > 200, 'records')
  await target.end()
  for (const page of pages) await until(() => page.view((view) => view.status.up === false), 'the end')
  for (const page of pages) await page.quiet()
  equal(await records(pages[0]), await records(pages[1]), 'records')
  for (const page of pages) await page.close()
  await server.end()
})
await done()
