// SPDX-License-Identifier: MIT
// The link to the server: requests and answers, loss and reconnection.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Events } from '../src/protocol'
import { Wire } from '../src/wire'

class Socket {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static all: Socket[] = []
  readyState = 0
  sent: { n: number; op: string }[] = []
  onopen: () => void = () => undefined
  onclose: () => void = () => undefined
  onmessage: (event: { data: unknown }) => void = () => undefined

  constructor(readonly url: string) {
    Socket.all.push(this)
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  open(): void {
    this.readyState = 1
    this.onopen()
  }

  close(): void {
    this.readyState = 3
    this.onclose()
  }

  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) })
  }
}

Object.assign(globalThis, { WebSocket: Socket, window: globalThis })

function linked(): { wire: Wire; socket: Socket; told: unknown[] } {
  const told: unknown[] = []
  const events: Events = {
    hello: hello => told.push(['hello', hello]), status: status => told.push(['status', status]),
    said: said => told.push(['said', said]), link: up => told.push(['link', up])
  }
  const wire = new Wire('ws://127.0.0.1:1/x/ws')
  wire.open(events)
  return { wire, socket: Socket.all[Socket.all.length - 1], told }
}

test('answers reach those who asked, in whatever order they come', async () => {
  const { wire, socket } = linked()
  socket.open()
  const one = wire.ask('rows'), two = wire.ask('step', { way: 1 })
  const [a, b] = socket.sent
  assert.notEqual(a.n, b.n)
  assert.deepEqual({ ...b, n: 0 }, { op: 'step', way: 1, n: 0 })
  socket.say({ n: b.n, error: 'there is none' })
  socket.say({ n: a.n, rows: [5] })
  socket.say({ n: 12345, rows: [6] }) // answers no request
  assert.deepEqual(await one, { n: a.n, rows: [5] })
  await assert.rejects(two, /there is none/)
})

test('what is asked before the link is up is sent then', async () => {
  const { wire, socket, told } = linked()
  const rows = wire.ask('rows')
  assert.equal(socket.sent.length, 0)
  socket.open()
  socket.say({ n: socket.sent[0].n, rows: [] })
  await rows
  assert.deepEqual(told, [['link', true]])
})

test('progress is told and does not end a request; a request can be cancelled', async () => {
  const { wire, socket } = linked()
  socket.open()
  const seen: number[] = []
  const stop = new AbortController()
  const stats = wire.ask('stats', {}, (done, of) => seen.push(done, of), stop.signal)
  socket.say({ n: socket.sent[0].n, progress: [3, 9] })
  stop.abort()
  await assert.rejects(stats, /cancelled/)
  assert.deepEqual(seen, [3, 9])
  assert.deepEqual(socket.sent[1], { op: 'cancel', n: socket.sent[0].n })
})

test('when the link is lost all that wait are told, and it is tried again', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { wire, socket, told } = linked()
  socket.open()
  const rows = wire.ask('rows')
  const before = Socket.all.length
  socket.close()
  await assert.rejects(rows, /link to wallfly is lost/)
  await assert.rejects(wire.ask('rows'), /link to wallfly is lost/)
  for (let i = 0; i < 3; i++) { // there is no server
    t.mock.timers.tick(10000)
    Socket.all[Socket.all.length - 1].close()
  }
  t.mock.timers.tick(10000)
  assert.equal(Socket.all.length, before + 4)
  Socket.all[Socket.all.length - 1].open()
  assert.deepEqual(told.filter(([what]: any) => what === 'link').map(([, up]: any) => up),
                   [true, false, false, false, false, true])
})

test('a request without an answer ends', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { wire, socket } = linked()
  socket.open()
  const rows = wire.ask('rows')
  t.mock.timers.tick(60000)
  await assert.rejects(rows, /does not answer/)
})

test('what the server says unasked is handed on', () => {
  const { socket, told } = linked()
  socket.open()
  socket.say({ hello: { version: '1' } })
  socket.say({ said: { command: 'x', end: 'good', text: '' } })
  assert.deepEqual(told.map(([what]: any) => what), ['link', 'hello', 'said'])
})

test('a list of traces in place of the one that was asked for is reported', () => {
  let times = 0
  const wire = new Wire('ws://127.0.0.1:1/x/ws/4', true, () => times++)
  wire.open({ hello: () => undefined, status: () => undefined, said: () => undefined, link: () => undefined })
  const socket = Socket.all[Socket.all.length - 1]
  socket.open()
  socket.say({ status: {} })
  assert.equal(times, 0)
  socket.say({ site: { version: '1', traces: ['a', 'b'] } })
  assert.equal(times, 1)
})
