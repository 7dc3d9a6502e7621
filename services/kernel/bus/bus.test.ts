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
  const secondResult = await bus.publish('platform.a.b', '{}', { id })
  assert.is(first.sequence, secondResult.sequence)
  assert.equal(await bus.bounds(bus.stream), { first: 1, last: 1 })
  const storedMessage = await bus.read(bus.stream, 1)
  assert.is(storedMessage?.headers['Nats-Msg-Id'], id)
  assert.is(await bus.read(bus.stream, 9), undefined)
})

test('a process starts without a broker, logs that, and connects when it is available', async () => {
  await broker.kill()
  const earlyBus = await connectBus({ url: broker.url, stream: broker.stream, name: 'early', maxStartWaitMs: 100 })
  assert.is(earlyBus.status().connected, false)
  assert.instance(
    await earlyBus.publish('platform.a', '1', { id: newId() }).catch((e: unknown) => e),
    BusUnavailableError,
  )
  assert.is(earlyBus.publishCore('x', 'y'), false)
  const messages: string[] = []
  earlyBus.subscribeCore('room.>', data => messages.push(Buffer.from(data).toString()))
  await broker.start()
  await eventually(() => earlyBus.status().connected)
  await eventually(() => bus.status().connected)
  await eventually(() => {
    bus.publishCore('room.1', 'hello')
    return messages.includes('hello')
  })
  await earlyBus.close()
})

test('a bus that never connected closes at once', async () => {
  await broker.kill()
  const earlyBus = await connectBus({ url: broker.url, stream: broker.stream, name: 'early', maxStartWaitMs: 10 })
  await earlyBus.close()
  await broker.start()
})

test('credentials in the address are used', async () => {
  const userBus = await connectBus({
    url: broker.url.replace('//', '//user:pass@'),
    stream: broker.stream,
    name: 'named',
  })
  assert.ok(userBus.status().connected)
  await userBus.close()
})

test('published messages reach other processes until they unsubscribe', async () => {
  const other = await open('other')
  const messages: string[] = []
  const stop = other.subscribeCore('cache.*', (data, subject) => messages.push(`${subject} ${Buffer.from(data)}`))
  await eventually(() => bus.publishCore('cache.rights', 'a') && messages.length > 0)
  assert.is(messages[0], 'cache.rights a')
  stop()
  await other.close()
})

test('a tail receives new messages in order, through a broker restart', async () => {
  await bus.publish('platform.old', '0', { id: newId() })
  const bodies: unknown[] = []
  const probe: string[] = []
  bus.tail('platform.>', message => {
    if (message.subject === 'platform.probe') probe.push(message.id)
    else bodies.push(message.body)
  })
  let openCount = 0
  const rare: string[] = []
  bus.tail('platform.rare', ({ subject }) => void rare.push(subject), { onOpen: () => void openCount++ })
  await eventually(() => openCount > 0)
  await eventually(async () => {
    await bus.publish('platform.probe', '0', { id: newId() })
    return probe.length > 0
  })
  for (let i = 1; i <= 20; i++) await bus.publish('platform.new', String(i), { id: newId() })
  await eventually(() => bodies.length === 20)
  await broker.kill()
  await eventually(() => !bus.status().connected)
  await broker.start()
  await eventually(() => bus.status().connected)
  // Published at once: a tail that has received nothing yet keeps its start position.
  await bus.publish('platform.rare', '"rare"', { id: newId() })
  for (let i = 21; i <= 40; i++) await bus.publish('platform.new', String(i), { id: newId() })
  await eventually(() => bodies.length >= 41 && rare.length > 0)
  assert.equal(rare, ['platform.rare'])
  assert.equal(
    bodies.filter(body => body !== 'rare'),
    Array.from({ length: 40 }, (_, i) => i + 1),
  )
})

test('a tail skips republished messages, and a failing handler does not stop it', async () => {
  const bodies: unknown[] = []
  bus.tail('platform.>', message => {
    bodies.push(message.body)
    if (message.body === 'bad') throw new Error('bad')
  })
  await eventually(async () => {
    await bus.publish('platform.x', '"bad"', { id: newId() })
    return bodies.length > 0
  })
  await bus.publish('platform.x', '2', { id: newId(), headers: { 'Redriven-For': 'someone' } })
  await bus.publish('platform.x', 'no json', { id: newId() })
  await bus.publish('platform.x', '"end"', { id: newId() })
  await eventually(() => bodies.includes('end'))
  assert.not(bodies.includes(2))
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

test('a broker that answers no pings is lost, until it answers again', async () => {
  assert.equal(bus.status(), { connected: true, problem: '' })
  broker.signal('SIGSTOP')
  try {
    await eventually(() => !bus.status().connected)
  } finally {
    broker.signal('SIGCONT')
  }
  await eventually(() => bus.status().connected)
  assert.is(bus.status().problem, '')
})

test('a refused account is logged once with what to do, and then counted', async () => {
  const config = (password: string) => `authorization { users: [ { user: "a", password: "${password}" } ] }`
  const guardedBroker = await testBus({ config: () => config('former'), login: 'a:former' })
  const reasons: string[] = []
  const warn = (fields: object) => void reasons.push(Object(fields).reason)
  const log = { info: () => undefined, warn, error: () => undefined }
  const link = { url: guardedBroker.url, stream: guardedBroker.stream, name: 'test', log }
  const userBus = await connectBus(link)
  try {
    assert.ok(userBus.status().connected)
    guardedBroker.reload(config('next'))
    const problem = 'authorization violation: correct user and password in the address of the broker'
    await eventually(() => reasons.includes(problem))
    // Each further process tries as often as this one.
    const other = await connectBus({ ...link, maxStartWaitMs: 2_000 })
    assert.is(other.status().problem, problem)
    await other.close()
    assert.equal(reasons.toSorted(), [problem, problem, 'disconnected'])
  } finally {
    await userBus.close()
    await guardedBroker.close()
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
  const bodies: unknown[] = []
  const options = {
    stream: bus.framesStream,
    backMs: 60_000,
    onOpen: (end: (typeof streams)[number]) => streams.push(end),
  }
  const stop = bus.tail('live.frames', ({ body }) => void bodies.push(body), options)
  await eventually(() => bodies.includes(3))
  assert.equal(bodies, [1, 2, 3])
  assert.ok(!Number.isNaN(Date.parse(streams[0]?.created ?? '')))
  const lateBodies: unknown[] = []
  const stopLate = bus.tail('live.frames', ({ body }) => void lateBodies.push(body), { stream: bus.framesStream })
  await eventually(() => {
    bus.publishCore('live.frames', '4')
    return lateBodies.length > 0
  })
  assert.ok(lateBodies.every(body => body === 4))
  stop()
  stopLate()
})

test('a message is acknowledged once the bus is usable again, not as soon as its connection returns', async () => {
  const config = (denied = 'none') => `authorization { users = [
    { user: "whole", password: "whole" }
    { user: "slow", password: "slow", permissions: { publish: { allow: ">", deny: "${denied}" }, subscribe: ">" } }
  ] }`
  const guardedBroker = await testBus({ config: () => config(), login: 'slow:slow' })
  const restart = async (denied?: string) => {
    await guardedBroker.kill()
    guardedBroker.reload(config(denied))
    await guardedBroker.start()
  }
  const place = { stream: guardedBroker.stream, name: 'test' }
  const slow = await connectBus({ ...place, url: guardedBroker.url })
  const watcher = await connectBus({ ...place, url: guardedBroker.url.replace('slow:slow', 'whole:whole') })
  const deliveries: Delivery[] = []
  const consumer = { durable: 'd', subject: 'platform.>', prefetch: 1, ackWait: 3_600_000 }
  const halt = slow.deliver(
    consumer,
    async () => 1,
    each => deliveries.push(each),
  )
  await watcher.publish('platform.a', '{}', { id: newId() })
  await eventually(() => deliveries.length > 0)

  const receivedSubjects = new Set<string>()
  for (const subject of ['seen', 'said']) slow.subscribeCore(subject, () => receivedSubjects.add(subject))
  const unsettled = async () => (await watcher.backlog()).consumers[0]?.delivered
  await restart(`$JS.API.STREAM.INFO.${guardedBroker.stream}_live`)
  await eventually(() => watcher.publishCore('seen', '') && receivedSubjects.has('seen'))
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
  await guardedBroker.close()
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
  const bodies: unknown[] = []
  bus.deliver(
    { durable: 'd', subject: 'platform.>', prefetch: 10, ackWait: 5_000 },
    async () => 10,
    delivery => {
      bodies.push(Buffer.from(delivery.data).toString())
      delivery.ack()
    },
  )
  await eventually(() => bodies.length === 1)
  await broker.kill()
  rmSync(broker.store, { recursive: true })
  await eventually(() => !bus.status().connected)
  await broker.start()
  await eventually(() => bus.status().connected)
  await bus.publish('platform.a', '2', { id: newId() })
  await eventually(() => bodies.length === 2)
  assert.equal(bodies, ['1', '2'])
})

test.run()
