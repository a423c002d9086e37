// SPDX-License-Identifier: MIT
// What is chosen on the page goes with its address. Usage: notes.mjs FILE
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Page, Server, assert, done, equal, run, test, until } from './browser.mjs'

const file = process.argv[2]
const server = new Server('--notes=off', file)
const url = await server.url()

const t0 = await (async () => {
  const page = await Page.open(url)
  const first = await page.view((view) => Number(view.hello.t0))
  await page.close()
  return first
})()

// All that an address can hold, as the page has it.
const chosen = (page) => page.view((view) => ({
  from: view.from, until: view.until, selection: view.selection, place: view.place, record: view.record, picked: view.picked,
  order: view.order, pinned: view.pinned, hidden: [...view.hidden].sort(), folded: [...view.folded].sort(),
  expanded: [...view.expanded].sort(), panel: view.panel, filter: view.filter, find: view.find, markers: view.markers, dark: view.dark,
  markerBase: view.markerBase, object: view.choices.object, events: view.choices.events, task: view.choices.task,
  figures: view.choices.figures, query: view.choices.query
}))

const QUERY = "select count(*) as c, 'é + & # %' as t\nfrom record"
const select = (page, label) => page.page.getByLabel(label, { exact: true })

// What is chosen in panels, each as the user sees it.
const panels = {
  markers: {
    choose: (page) => page.page.locator('.markers input[type=radio]').nth(1).check(),
    seen: (page) => page.page.locator('.markers input[type=radio]').evaluateAll((all) => all.map((one) => one.checked))
  },
  objects: {
    choose: async (page) => {
      await select(page, 'Show').selectOption('waits')
      await page.quiet()
      await select(page, 'Task').selectOption({ index: 1 })
    },
    seen: (page) => Promise.all(['Object', 'Show', 'Task'].map((label) => select(page, label).evaluate((list) => list.selectedOptions[0].textContent)))
  },
  stats: {
    choose: (page) => page.page.getByRole('tab', { name: /^Mutexes held/ }).click(),
    seen: (page) => page.page.locator('.statistics [role=tab][aria-selected=true]').innerText()
  },
  sql: {
    choose: async (page) => {
      await page.page.locator('.sql-text').fill(QUERY)
      await page.page.keyboard.press('Control+Enter')
      await page.page.locator('.sql-result tbody tr').first().waitFor()
    },
    seen: (page) => page.page.locator('.sql-text').inputValue()
  }
}

// What the panels show, each opened after another one.
async function seen(page) {
  const found = {}
  for (const [name, panel] of Object.entries(panels)) {
    await page.openPanel(name)
    found[name] = await panel.seen(page)
  }
  return found
}

// What the page has copied to the clipboard.
async function copied(page) {
  await page.page.getByText('Copied', { exact: true }).waitFor()
  return page.pasted()
}

// Chooses something for each part of the address, as a user does where that is quick.
async function chooseAll(page) {
  await page.view((view) => {
    const tasks = view.order.filter((row) => view.rows[row].kind === 'task'), [task] = tasks
    const last = view.status.last
    view.go(last * 0.25, last * 0.5)
    view.selection = [Math.round(last * 0.3), Math.round(last * 0.4)]
    view.order = view.order.map((row) => (tasks.includes(row) ? tasks.at(-1 - tasks.indexOf(row)) : row))
    view.pinned = [task]
    view.hidden = new Set([view.rows.length - 1])
    view.folded = new Set(['object'])
    view.expanded = new Set([task])
    view.markers = [{ t: 7, note: 'a; b ~ <b>é</b>' }, { t: Math.round(last * 0.35), note: '' }]
    view.dark = !view.dark
    view.changed()
  })
  const saw = {}
  for (const [name, panel] of Object.entries(panels)) {
    await page.openPanel(name)
    await panel.choose(page)
    await page.shown()
    saw[name] = await panel.seen(page)
  }
  equal([saw.markers, saw.objects[1], saw.sql], [[false, true], 'waits', QUERY], 'the choices in panels')
  equal(await seen(page), saw, 'the panels when they are opened again')
  await page.view((view) => { // an object has unfolded its group
    view.folded = new Set(['object'])
    view.changed()
  })
  await page.openPanel('records')
  await page.page.locator('.record-rows .record').nth(3).click()
  await page.page.getByLabel('Filter records').fill('mutex & "é"')
  await page.page.keyboard.press('Control+k')
  await page.page.keyboard.type('high')
  await page.page.getByRole('option', { name: /Next record with/ }).click()
  await page.shown()
  const row = (await page.rows('task')).find((one) => one.height > 10)
  const { x, width } = await page.plot()
  await page.page.mouse.click(x + width * 0.6, row.y + 8)
  await page.shown()
  return saw
}

await test('share with a colleague: one click copies a link, and all that was chosen is there in a fresh browser', async () => {
  const page = await Page.open(url + '#at=0.001')
  const saw = await chooseAll(page)
  const wanted = await chosen(page)
  for (const [name, value] of Object.entries(wanted)) {
    assert(value !== null && value !== '' && value !== undefined && value.length !== 0, `nothing is chosen: ${name}`)
  }
  await page.page.getByRole('button', { name: 'Copy link' }).click()
  const link = await copied(page)
  assert(link.startsWith(url + '#'), `another page: ${link}`)
  for (const dark of [false, true]) {
    const other = await Page.open(link, { dark })
    await other.quiet()
    await until(() => other.view((view) => view.picked !== null), 'the picked slice')
    const { from, until: end, ...rest } = await chosen(other)
    const { from: from0, until: end0, ...rest0 } = wanted
    equal(rest, rest0, 'what is chosen')
    assert(Math.abs(from - from0) < 0.01 && Math.abs(end - end0) < 0.01, `the view: ${from}..${end} instead of ${from0}..${end0}`)
    equal(await other.page.getByLabel('Filter records').inputValue(), 'mutex & "é"', 'the filter in the table')
    equal(await seen(other), saw, 'what the panels show')
    equal(await other.page.locator('.sql-result').count(), 0, 'answers of a query that came with the address')
    await other.page.getByText('came with the address and was not run').waitFor()
    await other.close()
  }
  await page.page.keyboard.press('c')
  equal(await copied(page), link, 'the link that the key copies')
  await page.close()
})

await test('an address with parts that do not fit shows the trace without them', async () => {
  const page = await Page.open(url + '#from=x&until=3&select=9..1&record=-1&pick=999999,1&pin=1e9&expand=99999&filter=%&find=%E9&panel=nothing&base=1&object=9999999&events=x&task=9999999&figures=x&sql=%')
  await page.quiet()
  const { picked, record, selection, pinned, from } = await chosen(page)
  equal([picked, record, selection, pinned, from], [null, null, null, [], 0], 'what is chosen')
  equal(await page.view(({ choices }) => [choices.events, choices.figures]), ['', 'task'], 'what is chosen in panels')
  await page.openPanel('objects')
  await page.page.getByText('0 of ').waitFor() // of the first object: none of a task that there is not
  await page.close()
})

const noteField = (page) => page.page.getByLabel('Note of the marker', { exact: true })
const markers = (page) => page.view((view) => view.markers.map(({ t, note }) => [t, note]))
// Where the tag of a marker is on the page: a point of it.
const tag = async (page, t) => [(await page.across(t)) + 4, (await page.plot()).y - 5]

await test('m sets a marker at the pointer with a note; its tag is clicked, dragged, removed, and comes back', async () => {
  const page = await Page.open(url)
  const at = Math.round(await page.hover(0.4))
  await page.page.keyboard.press('m')
  await noteField(page).fill('late <img src=x onerror=__hacked=1>')
  await page.page.keyboard.press('Enter')
  await page.shown()
  equal(await markers(page), [[at, 'late <img src=x onerror=__hacked=1>']], 'the marker')
  await page.hover(0.7)
  // The keys that follow at once are for the note.
  equal(await page.page.evaluate(() => {
    document.querySelector('.timeline').dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true }))
    return document.activeElement.className
  }), 'note-edit', 'what has the keys')
  await noteField(page).fill('no')
  await page.page.keyboard.press('Escape')
  await page.shown()
  equal((await markers(page)).length, 1, 'markers after Escape')
  await page.hover(0.6)
  await page.page.keyboard.press('m')
  await page.page.keyboard.press('Enter')
  const second = (await markers(page))[1][0]
  await page.page.mouse.move(...(await tag(page, at)))
  await page.page.mouse.down()
  const [x, y] = await tag(page, at)
  await page.page.mouse.move(x - 80, y)
  await page.page.mouse.up()
  await page.shown()
  const moved = (await markers(page))[0][0]
  assert(moved < at && (await page.view((view) => view.marker.t)) === moved, `moved from ${at} to ${moved}`)
  await page.page.mouse.click(...(await tag(page, second)))
  equal(await page.view((view) => view.marker.t), second, 'the marker that was clicked')
  await page.key('Delete')
  equal((await markers(page)).map(([t]) => t), [moved], 'without the removed one')
  await page.key('u')
  equal((await markers(page)).map(([t]) => t), [moved, second], 'it is back')
  // The line goes across the rows, in the markers' colour and not in that of rules.
  const line = await page.pixels(Math.round(await page.across(moved)) - 3, Math.round((await page.plot()).y + 20), 7, 30)
  let green = 0
  for (let i = 0; i < 7 * 30; i++) {
    const [r, g, b] = line.at(i % 7, Math.floor(i / 7))
    green += g > r + 40 && g > b + 20
  }
  assert(green >= 25, `${green} pixels of a line`)
  await page.view((view) => view.fit())
  await page.view((view, t) => view.go(t + 1000, t + 3000), moved)
  await page.key('Escape')
  await page.hover(0.1)
  await page.key('.')
  equal(await page.view((view) => view.marker.t), second, 'the next one')
  await page.key('.')
  equal(await page.view((view) => [view.marker.t, view.marker.t >= view.from && view.marker.t <= view.until]), [moved, true], 'around, in view')
  await page.key(',')
  equal(await page.view((view) => view.marker.t), second, 'the one before, around')
  await page.close()
})

await test('the list of markers has their times, notes and differences to the one before and to a chosen base', async () => {
  const page = await Page.open(url + '#markers=1000~first;5000~second;16000~&panel=markers')
  const cells = () => page.page.locator('.markers tbody tr').evaluateAll((rows) => rows.map((row) =>
    [...row.querySelectorAll('td')].slice(1, 5).map((cell) => cell.querySelector('input')?.value ?? cell.textContent.replace(/\u202f/g, ''))))
  equal(await cells(), [['0.001000 s', 'first', '', 'base'], ['0.005000 s', 'second', '+4.000 ms', '+4.000 ms'],
                        ['0.016000 s', '', '+11.000 ms', '+15.000 ms']], 'the list')
  await page.page.locator('.markers input[type=radio]').nth(1).check()
  await page.shown()
  equal((await cells()).map((row) => row[3]), ['−4.000 ms', 'base', '+11.000 ms'], 'since the second')
  await page.page.locator('.markers input.note').nth(2).fill('third')
  await page.page.keyboard.press('Enter')
  await page.shown()
  equal(await markers(page), [[1000, 'first'], [5000, 'second'], [16000, 'third']], 'the note changed in the list')
  await page.page.getByLabel('Remove marker 1').click()
  await until(async () => /markers=5000~second;16000~third/.test(decodeURIComponent(await page.page.evaluate(() => location.hash))), 'the address')
  await page.close()
})

await test('of an address with thousands of markers as many are taken as there may be', async () => {
  const many = Array.from({ length: 3000 }, (_, i) => `${i * 10}~${'x'.repeat(9)}`).join(';')
  const page = await Page.open(url + `#markers=${many};-1~no;x;99999999999999999~no&panel=markers`)
  equal((await markers(page)).length, 200, 'markers')
  await until(() => page.page.evaluate(() => location.hash.length < 8000 && location.hash.includes('markers=')), 'an address of a limited length')
  await page.view((view) => { view.markers = view.markers.map(({ t }) => ({ t, note: 'é'.repeat(300) })); view.changed() })
  await page.page.getByText(/The last 19\d are not in the address/).waitFor()
  await page.close()
})

await server.end()

const notes = file + '.notes'
rmSync(notes, { force: true })
const keeper = new Server(file)
const kept = await keeper.url()
const head = () => readFileSync(notes, 'utf8').split('\n').slice(0, 2).join('\n') + '\n'

await test('markers are kept beside the trace; two pages see those of each other, and a fresh one has them', async () => {
  const page = await Page.open(kept), other = await Page.open(kept + '#markers=77~mine')
  const at = Math.round(await page.hover(0.4))
  await page.page.keyboard.press('m')
  await noteField(page).fill('say "late" \\ é')
  await page.page.keyboard.press('Enter')
  await until(async () => (await markers(other)).length === 2, 'the marker on the other page')
  equal(await markers(other), [[77, 'mine'], [at, 'say "late" \\ é']], 'markers of the other page')
  equal(readFileSync(notes, 'utf8'), `${head()}marker ${at + t0} "say \\"late\\" \\\\ é"\n`, 'the file')
  assert(/^wallfly-notes 1\ntrace first=\d+ hz=1000000\n$/.test(head()), head())
  // What the address has goes into the file only when the user says so.
  await other.openPanel('markers')
  await other.page.getByText(`kept in ${notes.split('/').at(-1)}`).waitFor()
  await other.page.getByRole('button', { name: 'Keep 1 of the address' }).click()
  await until(async () => (await markers(page)).length === 2, 'the marker of the address on the first page')
  // Another program has added one: it is neither lost nor hidden.
  writeFileSync(notes, readFileSync(notes, 'utf8') + `marker ${5000 + t0} "of git"\n`)
  await page.page.mouse.click(...(await tag(page, at)))
  await page.page.keyboard.press('Delete')
  const now = JSON.stringify([[77, 'mine'], [5000, 'of git']])
  await until(async () => JSON.stringify(await markers(other)) === now, `${now} on the other page`)
  await page.close()
  await other.close()
  const fresh = await Page.open(kept)
  await until(async () => (await markers(fresh)).length === 2, 'markers of a fresh page')
  assert(!(await fresh.page.evaluate(() => location.hash)).includes('markers'), 'they are not in the address, too')
  await fresh.close()
})

await test('a file of notes that cannot be read, is a link or of another trace is not written; markers stay in the address', async () => {
  const good = readFileSync(notes, 'utf8'), page = await Page.open(kept, { panel: 'markers' })
  const elsewhere = notes + '.elsewhere'
  writeFileSync(elsewhere, good)
  const bad = [[good + '<<<<<<< HEAD\n', /line 5: .*git/], [good.replace(/first=\d+/, 'first=123456789'), /another trace/], [null, /is a link/]]
  for (const [text, words] of bad) {
    rmSync(notes)
    if (text) writeFileSync(notes, text)
    else symlinkSync(elsewhere, notes)
    await page.hover(0.3)
    await page.page.keyboard.press('m')
    await noteField(page).fill('here')
    await page.page.keyboard.press('Enter')
    await page.page.locator('.markers .wrong').filter({ hasText: words }).waitFor()
    await until(async () => (await page.page.evaluate(() => location.hash)).includes('~here') || /%7Ehere/.test(await page.page.evaluate(() => location.hash)), 'the marker in the address')
    equal(readFileSync(text ? notes : elsewhere, 'utf8'), text ?? good, 'the file')
    await page.key('Delete')
  }
  rmSync(notes)
  writeFileSync(notes, good)
  rmSync(elsewhere)
  await page.close()
  // As in a folder that cannot be written.
  const nowhere = new Server('--notes=missing/x.notes', file)
  const other = await Page.open(await nowhere.url())
  await other.hover(0.3)
  await other.page.keyboard.press('m')
  await noteField(other).fill('there')
  await other.page.keyboard.press('Enter')
  await other.page.getByText(/Not kept, but in the address: missing.x.notes: No such file/).waitFor()
  await until(async () => (await other.page.evaluate(() => location.hash)).includes('~there'), 'the marker in the address')
  await other.close()
  await nowhere.end()
})

await test('a file of `wallfly page` has the notes; those that are added there are in the address', async () => {
  run('page', '-o', 'notes.html', file)
  const page = await Page.open(pathToFileURL('notes.html').href)
  await until(async () => (await markers(page)).length === 2, 'its markers')
  equal(await markers(page), [[77, 'mine'], [5000, 'of git']], 'its markers')
  await page.hover(0.5)
  await page.page.keyboard.press('m')
  await page.page.keyboard.press('Enter')
  await page.shown()
  equal((await markers(page)).length, 3, 'with the new one')
  await page.close()
  run('page', '--notes=off', '-o', 'none.html', file)
  assert(!readFileSync('none.html', 'utf8').includes('of git'), 'no notes with --notes=off')
})

await keeper.end()
await done()
