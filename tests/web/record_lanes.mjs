// SPDX-License-Identifier: MIT
// A recording of two targets: its lanes are above one another, aligned by their arrival. Usage: record_lanes.mjs in a
// folder with a.bin and b.bin, other traces
import { env } from 'node:process'
import { Program, Server, assert, done, equal, near, run, test, until } from './browser.mjs'
import { Traces } from './several.mjs'

const PAUSES = [1500, 4000] // ms behind the start of a target: enough blocks for a time of day

// Records two targets with 8 and 10 philosophers at once, and returns the time between their starts in ms.
async function record(file) {
  const recorder = new Program(env.WALLFLY, ['record', '-o', file, 'tcp-listen:0'])
  const [, port] = await recorder.waitFor(/waiting for a target on .*:(\d+)\n/)
  const targets = [], starts = []
  for (const [i, count] of [8, 10].entries()) {
    targets.push(new Program(env.PHILOSOPHERS, ['--seconds=600', `--philosophers=${count}`, `--output=tcp:127.0.0.1:${port}`]))
    await recorder.waitFor(new RegExp(`( connected[^]*){${i + 1}}`))
    starts.push(Date.now())
    await new Promise((go) => setTimeout(go, PAUSES[i]))
  }
  for (const target of targets) await target.end()
  await recorder.waitFor(/(disconnected[^]*){2}/)
  equal(await recorder.end(), 0, 'the recorder ends well')
  return starts[1] - starts[0]
}

// The records of a lane.
function recordsOf(file, lane) {
  return run('convert', '--to=jsonl', '-o', '-', `--lane=${lane}`, file).split('\n')
    .filter((line) => line.startsWith('{"table":"record"')).map((line) => JSON.parse(line))
}

const apart = await record('two.wfr')
const options = ['--token=theTokenOfThisTest_20']
let server = new Server(...options, 'two.wfr')
const url = await server.url()
const two = await Traces.open(server, '', { links: true })

await test('each lane of a recording has a time line with its name, its rows and its records', async () => {
  equal(two.count, 2, 'time lines')
  equal(await two.page.locator('.trace-head .name').allInnerTexts(), ['two.wfr: lane 0', 'two.wfr: lane 1'], 'heads')
  for (const lane of [0, 1]) {
    const machines = await two.view(lane, (view) => view.rows.filter((row) => row.kind === 'machine').map((row) => row.name))
    equal(machines.filter((name) => name.startsWith('philo')).length, 8 + 2 * lane, `philosophers of lane ${lane}: ${machines}`)
    const wanted = recordsOf('two.wfr', lane)
    equal(await two.view(lane, (view) => view.status.records), wanted.length, `records of lane ${lane}`)
    const { records } = await two.view(lane, (view) => view.source.ask('records', { number: 0, before: 0, after: 200 }))
    const words = (record) => [record.number, record.name, record.words]
    equal(records.map(words), wanted.slice(0, records.length).map(words), `the first records of lane ${lane}`)
    assert(records.length >= 100, `${records.length} records of lane ${lane}`)
  }
})

await test('they are aligned by their arrival, with the error', async () => {
  equal(await two.page.locator('select').first().inputValue(), 'arrivals', 'basis')
  const [, error, unit] = /order known beyond ([\d.]+) (ms|µs)/.exec(await two.words()) ?? []
  assert(+error > 0 && ['ms', 'µs'].includes(unit), await two.words())
  equal(await two.page.getByText('not aligned').count(), 0, 'lanes that are not aligned')
  const [first, second] = await Promise.all([0, 1].map((i) => two.view(i, (view) => [view.from / view.hello.hz, view.until / view.hello.hz])))
  for (const end of [0, 1]) near((first[end] - second[end]) * 1000, apart, 500, 'ms from the start of one to that of the other')
  await two.view(0, (view) => view.show(view.status.last * 0.7, view.status.last * 0.8))
  await until(async () => {
    const [from, to] = await Promise.all([0, 1].map((i) => two.view(i, (view) => view.from / view.hello.hz)))
    return Math.abs(from - to - first[0] + second[0]) < 0.1 // the clocks have about the same rate
  }, 'the same time in the other')
})

await test('a server that is started again with other traces has their frames', async () => {
  const loads = () => two.shown.requests.filter((address) => address === url).length
  const restart = async (...files) => {
    await server.end()
    server = new Server(`--page=${new URL(url).port}`, ...options, ...files)
    equal(await server.url(), url, 'the address')
  }
  // What the frame of a trace shows, as long as the page has it.
  const philosophers = (i) => two.view(i, (view) => view.hello?.ended &&
    view.rows.filter((row) => row.kind === 'machine' && row.name.startsWith('philo')).length).catch(() => 0)
  const shows = async (names, counts) => {
    for (const [i, name] of names.entries()) {
      await two.page.locator('.trace-head').nth(i).getByText(name, { exact: true }).first().waitFor()
      await until(async () => two.frame(i) && (await philosophers(i)) === counts[i], `${counts[i]} philosophers of ${name}`)
    }
    equal(await two.page.locator('iframe').count(), names.length, 'frames')
  }
  const before = loads()
  await restart('a.bin', 'b.bin')
  await until(() => loads() > before, 'that the page loads')
  await shows(['a.bin', 'b.bin'], [2, 6])
  equal(loads() - before, 1, 'loads of the page')
  await restart('b.bin', 'two.wfr')
  await shows(['b.bin', 'two.wfr: lane 0', 'two.wfr: lane 1'], [6, 8, 10])
})
await two.shown.close()
await server.end()
done()
