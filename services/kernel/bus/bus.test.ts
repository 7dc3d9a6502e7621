import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'nats'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type TestBus, testBus } from '../../../test/kit/bus.ts'
import { eventually } from '../../../test/kit/kit.ts'
import { newId } from '../base/ids.ts'
import { type Bus, BusUnavailableError, connectBus } from './bus.ts'
import type { Delivery } from './message.ts'

const test = suite('bus')
let broker: TestBus
let bus: Bus

const open = (name = 'test') => connectBus({ url: broker.url, stream: broker.stream, name })

test.before.each(async () => {
  broker = await testBus()
  bus = await open()
})
test.after.each(async () => {
  await bus.close()
  await broker.close()
})

test('a second message with the same id is not stored', async () => {
  const id = newId()
  const first = await bus.publish('platform.a.b', '{}', { id })
  const again = await bus.publish('platform.a.b', '{}', { id })
  assert.is(first.sequence, again.sequence)
  assert.equal(await bus.bounds(bus.stream), { first: 1, last: 1 })
  const stored = await bus.read(bus.stream, 1)
  assert.is(stored?.headers['Nats-Msg-Id'], id)
  assert.is(await bus.read(bus.stream, 9), undefined)
})

test('a process starts without a broker, logs that, and connects when it is available', async () => {
  await broker.kill()
  const early = await connectBus({ url: broker.url, stream: broker.stream, name: 'early', maxStartWaitMs: 100 })
  assert.is(early.status().connected, false)
  assert.instance(await early.publish('platform.a', '1', { id: newId() }).catch((e: unknown) => e), BusUnavailableError)
  assert.is(early.publishCore('x', 'y'), false)
  const heard: string[] = []
  early.subscribeCore('room.>', data => heard.push(Buffer.from(data).toString()))
  await broker.start()
  await eventually(() => early.status().connected)
  await eventually(() => bus.status().connected)
  await eventually(() => {
    bus.publishCore('room.1', 'hello')
    return heard.includes('hello')
  })
  await early.close()
})

test('a bus that never connected closes at once', async () => {
  await broker.kill()
  const early = await connectBus({ url: broker.url, stream: broker.stream, name: 'early', maxStartWaitMs: 10 })
  await early.close()
  await broker.start()
})

test('credentials in the address are used', async () => {
  const named = await connectBus({
    url: broker.url.replace('//', '//user:pass@'),
    stream: broker.stream,
    name: 'named',
  })
  assert.ok(named.status().connected)
  await named.close()
})

test('published messages reach other processes until they unsubscribe', async () => {
  const other = await open('other')
  const heard: string[] = []
  const stop = other.subscribeCore('cache.*', (data, subject) => heard.push(`${subject} ${Buffer.from(data)}`))
  await eventually(() => bus.publishCore('cache.rights', 'a') && heard.length > 0)
  assert.is(heard[0], 'cache.rights a')
  stop()
  await other.close()
})

test('a tail receives new messages in order, through a broker restart', async () => {
  await bus.publish('platform.old', '0', { id: newId() })
  const seen: unknown[] = []
  const probe: string[] = []
  bus.tail('platform.>', message => {
    if (message.subject === 'platform.probe') probe.push(message.id)
    else seen.push(message.body)
  })
  let opened = 0
  const rare: string[] = []
  bus.tail('platform.rare', ({ subject }) => void rare.push(subject), { onOpen: () => void opened++ })
  await eventually(() => opened > 0)
  await eventually(async () => {
    await bus.publish('platform.probe', '0', { id: newId() })
    return probe.length > 0
  })
  for (let i = 1; i <= 20; i++) await bus.publish('platform.new', String(i), { id: newId() })
  await eventually(() => seen.length === 20)
  await broker.kill()
  await eventually(() => !bus.status().connected)
  await broker.start()
  await eventually(() => bus.status().connected)
  // Published at once: a tail that has received nothing yet keeps its start position.
  await bus.publish('platform.rare', '"rare"', { id: newId() })
  for (let i = 21; i <= 40; i++) await bus.publish('platform.new', String(i), { id: newId() })
  await eventually(() => seen.length >= 41 && rare.length > 0)
  assert.equal(rare, ['platform.rare'])
  assert.equal(
    seen.filter(body => body !== 'rare'),
    Array.from({ length: 40 }, (_, i) => i + 1),
  )
})

test('a tail skips republished messages, and a failing handler does not stop it', async () => {
  const seen: unknown[] = []
  bus.tail('platform.>', message => {
    seen.push(message.body)
    if (message.body === 'bad') throw new Error('bad')
  })
  await eventually(async () => {
    await bus.publish('platform.x', '"bad"', { id: newId() })
    return seen.length > 0
  })
  await bus.publish('platform.x', '2', { id: newId(), headers: { 'Redriven-For': 'someone' } })
  await bus.publish('platform.x', 'no json', { id: newId() })
  await bus.publish('platform.x', '"end"', { id: newId() })
  await eventually(() => seen.includes('end'))
  assert.not(seen.includes(2))
})

test('a message that makes its subscriber throw is logged and dropped, and all subscriptions go on', async () => {
  const dropped: object[] = []
  const log = { info: () => undefined, warn: () => undefined, error: (fields: object) => void dropped.push(fields) }
  const careful = await connectBus({ url: broker.url, stream: broker.stream, name: 'careful', log })
  let disconnects = 0
  careful.onConnected(() => void disconnects++)
  const counts: number[] = []
  careful.subscribeCore('counts', data => void counts.push(JSON.parse(Buffer.from(data).toString()).count.value))
  await eventually(() => bus.publishCore('counts', '{"count":{"value":1}}') && counts.includes(1))
  for (const garbage of ['', 'nonsense', 'null', '{}', Uint8Array.of(255)]) bus.publishCore('counts', garbage)
  await eventually(() => bus.publishCore('counts', '{"count":{"value":2}}') && counts.includes(2))
  assert.is(disconnects, 0)
  // Once, and then counted.
  assert.equal(
    dropped.map(fields => Object(fields).subject),
    ['counts'],
  )
  await careful.close()
})

test('a process that is connected and receives nothing is deaf, until messages arrive again', async () => {
  assert.equal(bus.status(), { connected: true, isDeaf: false, problem: '' })
  broker.signal('SIGSTOP')
  try {
    await eventually(() => bus.status().isDeaf)
    assert.equal(bus.status(), { connected: true, isDeaf: true, problem: 'no message arrives' })
  } finally {
    broker.signal('SIGCONT')
  }
  await eventually(() => bus.status().problem === '' && !bus.status().isDeaf)
})

test('a refused account is logged once with what to do, and then counted', async () => {
  const config = (password: string) => `authorization { users: [ { user: "a", password: "${password}" } ] }`
  const guarded = await testBus({ config: () => config('former'), login: 'a:former' })
  const reasons: string[] = []
  const warn = (fields: object) => void reasons.push(Object(fields).reason)
  const log = { info: () => undefined, warn, error: () => undefined }
  const link = { url: guarded.url, stream: guarded.stream, name: 'test', log }
  const named = await connectBus(link)
  try {
    assert.ok(named.status().connected)
    guarded.reload(config('next'))
    const refused = 'authorization violation: correct user and password in the address of the broker'
    await eventually(() => reasons.includes(refused))
    // Each further process tries as often as this one.
    const other = await connectBus({ ...link, maxStartWaitMs: 2_000 })
    assert.is(other.status().problem, refused)
    await other.close()
    assert.equal(reasons.toSorted(), [refused, refused, 'disconnected'])
  } finally {
    await named.close()
    await guarded.close()
  }
})

test('recent messages are kept for some minutes, once per id, for tails that start in the past', async () => {
  for (const [n, id] of [
    [1, 'one'],
    [2, 'two'],
    [1, 'one'],
  ] as const)
    await bus.publish('live.frames', String(n), { id })
  bus.store('live.frames', '3')
  const streams: { created: string; last: number }[] = []
  const seen: unknown[] = []
  const options = {
    stream: bus.framesStream,
    backMs: 60_000,
    onOpen: (end: (typeof streams)[number]) => streams.push(end),
  }
  const stop = bus.tail('live.frames', ({ body }) => void seen.push(body), options)
  await eventually(() => seen.includes(3))
  assert.equal(seen, [1, 2, 3])
  assert.ok(!Number.isNaN(Date.parse(streams[0]?.created ?? '')))
  const late: unknown[] = []
  const stopLate = bus.tail('live.frames', ({ body }) => void late.push(body), { stream: bus.framesStream })
  await eventually(() => {
    bus.publishCore('live.frames', '4')
    return late.length > 0
  })
  assert.ok(late.every(body => body === 4))
  stop()
  stopLate()
})

test('a message is acknowledged once the bus is usable again, not as soon as its connection returns', async () => {
  const config = (denied = 'none') => `authorization { users = [
    { user: "whole", password: "whole" }
    { user: "slow", password: "slow", permissions: { publish: { allow: ">", deny: "${denied}" }, subscribe: ">" } }
  ] }`
  const guarded = await testBus({ config: () => config(), login: 'slow:slow' })
  const restart = async (denied?: string) => {
    await guarded.kill()
    guarded.reload(config(denied))
    await guarded.start()
  }
  const place = { stream: guarded.stream, name: 'test' }
  const slow = await connectBus({ ...place, url: guarded.url })
  const watcher = await connectBus({ ...place, url: guarded.url.replace('slow:slow', 'whole:whole') })
  const deliveries: Delivery[] = []
  const what = { durable: 'd', subject: 'platform.>', prefetch: 1, ackWait: 3_600_000 }
  const halt = slow.deliver(
    what,
    async () => 1,
    each => deliveries.push(each),
  )
  await watcher.publish('platform.a', '{}', { id: newId() })
  await eventually(() => deliveries.length > 0)

  const heard = new Set<string>()
  for (const subject of ['seen', 'said']) slow.subscribeCore(subject, () => heard.add(subject))
  const unsettled = async () => (await watcher.backlog()).consumers[0]?.delivered
  await restart(`$JS.API.STREAM.INFO.${guarded.stream}_live`)
  await eventually(() => watcher.publishCore('seen', '') && heard.has('seen'))
  assert.is(slow.publishCore('said', ''), false)
  deliveries[0]?.ack()
  // Long enough for an acknowledgement that was sent too early to arrive.
  await sleep(300)
  assert.is(await unsettled(), 1)

  await restart()
  await eventually(() => slow.status().connected && watcher.status().connected)
  await eventually(async () => (await unsettled()) === 0)
  halt()
  await Promise.all([slow.close(), watcher.close()])
  await guarded.close()
})

test('a frame is repeated until its stream can store it', async () => {
  const nc = await connect({ servers: broker.url.replace('nats://', '') })
  const jsm = await nc.jetstreamManager()
  const { config } = await jsm.streams.info(bus.framesStream)
  await jsm.streams.delete(bus.framesStream)
  assert.is(bus.store('live.frames', '1'), true)
  await sleep(500)
  await jsm.streams.add(config)
  await eventually(async () => (await bus.bounds(bus.framesStream)).last === 1)
  await nc.close()
})

test('streams lost by a broker are created again', async () => {
  await bus.publish('platform.a', '1', { id: newId() })
  const seen: unknown[] = []
  bus.deliver(
    { durable: 'd', subject: 'platform.>', prefetch: 10, ackWait: 5_000 },
    async () => 10,
    delivery => {
      seen.push(Buffer.from(delivery.data).toString())
      delivery.ack()
    },
  )
  await eventually(() => seen.length === 1)
  await broker.kill()
  rmSync(broker.store, { recursive: true })
  await eventually(() => !bus.status().connected)
  await broker.start()
  await eventually(() => bus.status().connected)
  await bus.publish('platform.a', '2', { id: newId() })
  await eventually(() => seen.length === 2)
  assert.equal(seen, ['1', '2'])
})

test.run()
