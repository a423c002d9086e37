// SPDX-License-Identifier: MIT
// Commands from the page to a target: filters, ticks, events, memory, commands of the program.
// Usage: commands.mjs COMMAND... (starts the target; {port} in it becomes the port to connect to)
import { Page, Program, Server, assert, done, equal, test, until } from './browser.mjs'

const command = process.argv.slice(2)
const start = (port) => new Program(command[0], command.slice(1).map((word) => word.replace('{port}', port)))
const server = new Server('--allow-commands', 'tcp-listen:0')
const page = await Page.open(await server.url())
const target = start(await server.port())
await until(() => page.view((view) => view.status?.up && view.rows.length > 8), 'the rows of the target')
await page.view((view) => { view.panel = 'commands'; view.changed() })
const panel = page.page.locator('.commands')
await panel.waitFor()

const saidCount = () => page.view((view) => view.said.length)
// What came of what `act` sends: the last result, of which the log on the page tells, too.
async function said(act, count = 1) {
  const before = await saidCount()
  await act()
  await until(async () => (await saidCount()) >= before + count, 'a result')
  const last = await page.view((view) => view.said[view.said.length - 1])
  await until(async () => (await panel.getByRole('log').innerText()).includes(last.text.trim().slice(0, 60)), `the result in the log: ${last.text}`)
  return last
}
const line = (text) => async () => {
  await panel.getByLabel('Command', { exact: true }).fill(text)
  await panel.getByLabel('Command', { exact: true }).press('Enter')
}
const form = (title, fields) => async () => {
  const row = panel.getByRole('group', { name: title, exact: true })
  for (const [label, value] of Object.entries(fields)) {
    const field = row.getByLabel(label, { exact: true })
    if (await field.evaluate((element) => element.tagName === 'SELECT')) await field.selectOption(value)
    else await field.fill(value)
  }
  await row.getByRole('button', { name: 'Send' }).click()
}
const ask = (op, fields) => page.page.evaluate(([op, fields]) => window.wallfly.view.source.ask(op, fields), [op, fields])
// A record of this kind that comes now.
async function comes(text, act) {
  const { last, records } = await page.view((view) => view.status)
  await act()
  await until(async () => (await ask('find', { text, at: last, way: 1 })).record, `a record with ${text} behind ${records}`)
}

await test('a tick', async () => {
  equal((await said(form('Tick', { rate: '0' }))).end, 'good', 'it')
})

await test('memory is read and written', async () => {
  const read = async () => (await said(form('Peek', { object: 'tuning', offset: '0', size: '4', count: '2' }), 2)).text
  assert((await read()).includes('0x00000064 0x00000000'), await read())
  equal((await said(form('Poke', { object: 'tuning', offset: '0', size: '4', values: '50' }), 2)).end, 'good', 'poke')
  assert((await read()).includes('0x00000032 0x00000000'), await read())
  equal((await said(line('poke 8 4 1'))).end, 'refused', 'behind the end of what is named')
})

await test('an event', async () => {
  await comes('DONE_SIG', async () => equal((await said(form('Event', { how: 'publish', signal: 'DONE_SIG', parameters: 'u8:2' }))).end, 'good', 'it'))
})

await test('a command of the program', async () => {
  await comes('paused', async () => equal((await said(form('User', { command: '0' }))).end, 'good', 'it'))
  await comes('serving again', async () => said(line('command 0')))
})

await test('groups are switched off and on, and the time in between is shaded', async () => {
  const machine = (record) => record.group_name === 'SM'
  const newest = async () => {
    const at = await page.view((view) => view.status.last)
    return (await ask('records', { at, before: 200, after: 0 })).records
  }
  await until(async () => (await newest()).some(machine), 'records of state machines')
  equal((await said(() => panel.getByRole('switch', { name: 'SM', exact: true }).uncheck())).end, 'good', 'off')
  await until(async () => !(await newest()).some(machine), 'that none come any more')
  const [begin, second] = await page.view((view) => [view.status.last, view.hello.hz])
  await until(() => page.view((view, end) => view.status.last > end, begin + second), 'a second more of the trace')
  await until(() => panel.getByRole('switch', { name: 'SM', exact: true }).isChecked().then((on) => !on), 'the switch')
  equal((await said(() => panel.getByRole('button', { name: 'All', exact: true }).click())).end, 'good', 'on')
  await until(async () => (await newest()).some(machine), 'that they come again')

  const track = await page.view((view) => view.rows.flatMap((row) => row.tracks).find((t) => t.kind === 'filters').id)
  const off = (await ask('step', { track, at: -1, way: 1, value: null })).slice
  const groups = await page.view((view) => view.hello.groups)
  assert(off && off[1] > off[0], 'no slice of it')
  equal(groups.filter((_, bit) => Math.floor(off[2] / 2 ** bit) % 2), ['SM'], 'groups in it')

  await page.view((view, from, until) => view.go(from, until), off[0] - (off[1] - off[0]), off[1] + (off[1] - off[0]) / 2)
  await page.view((view) => { view.panel = 'none'; view.changed() })
  await page.page.mouse.move(1, 1)
  await page.shown()
  const lines = await page.rows('machine')
  assert(lines.length > 0, 'no state machine in sight')
  for (const row of lines) {
    assert(await page.patterned(row, 'dots', off[0], off[1]), `row ${row.name} is not shaded`)
    assert(!(await page.patterned(row, 'dots', off[0] - (off[1] - off[0]) / 2, off[0])), `row ${row.name} is shaded before`)
  }
  await page.view((view) => { view.panel = 'commands'; view.changed() })
  await panel.waitFor()
})

await test('what is no command is told', async () => {
  for (const text of ['frobnicate', 'peek', 'peek x y z', 'filter +NOSUCH', '<script>window.__hacked=1</script>', 'post NO_SUCH_SIG', 'tick 300']) {
    const before = await saidCount()
    await line(text)()
    await until(async () => (await panel.getByRole('alert').count()) || (await saidCount()) > before, `a word on ${text}`)
    if ((await saidCount()) > before) assert((await page.view((view) => view.said[view.said.length - 1].end)) !== 'good', text)
  }
  equal((await said(line('info'))).end, 'good', 'the next one')
})

await test('another page sees the results, too', async () => {
  const other = await Page.open(await server.url())
  await said(line('tick'))
  await until(() => other.view((view) => view.said.some((one) => one.command.includes('tick'))), 'the result')
  await other.close()
})

await test('a reset ends the target', async () => {
  const sent = await page.view((view) => view.said.length)
  const question = panel.getByRole('group', { name: 'Reset the target?' })
  await panel.getByRole('button', { name: 'Reset…' }).click()
  await question.waitFor()
  await page.page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  equal(await page.page.evaluate(() => document.activeElement.textContent), 'Reset…', 'what has the focus behind the question')
  for (const text of ['reset', 'tick; RESET', 'reset;']) { // typed, it asks as well
    await line(text)()
    await question.waitFor()
    await page.page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    equal(await page.page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Command', 'what has the focus behind the question')
  }
  await line('reset')()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  equal((await said(line('info'))).command, 'info', 'the next command')
  equal(await page.view((view) => view.said.length), sent + 1, 'commands that were sent')
  await panel.getByRole('button', { name: 'Reset…' }).click()
  const last = await said(() => question.getByRole('button', { name: 'Reset' }).click())
  equal(last.end, 'good', 'it')
  equal(await target.ended, 0, 'the target')
  await until(() => page.view((view) => view.status.up === false), 'that it is gone')
})
await page.close()
await server.end()

await test('without --allow-commands none is taken', async () => {
  const quiet = new Server('tcp-listen:0')
  const shut = await Page.open(await quiet.url())
  const again = start(await quiet.port())
  await until(() => shut.view((view) => view.status?.up && view.rows.length > 8), 'the rows of the target')
  equal(await shut.view((view) => view.hello.commands), false, 'commands')
  const refused = await shut.page.evaluate(() => window.wallfly.view.source.ask('command', { line: 'reset' }).then(() => '', (error) => String(error.message ?? error)))
  assert(/allow-commands/.test(refused), `refused with: ${refused}`)
  const before = await shut.view((view) => view.status.records)
  await until(async () => (await shut.view((view) => view.status.records)) > before + 50, 'that the target goes on')
  equal(again.child.exitCode, null, 'the target')
  await shut.view((view) => { view.panel = 'commands'; view.changed() })
  await shut.frame()
  equal(await shut.page.getByLabel('Command', { exact: true }).count(), 0, 'places for commands')
  await shut.close()
  await again.end('SIGKILL')
  await quiet.end()
})
await done()
