import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type JetStreamManager, type NatsConnection } from 'nats'
import { serviceNames } from '../../services/kernel/base/service-names.ts'
import { brokerConnection, inboxOf } from '../../services/kernel/bus/address.ts'
import { type Bus, type BusOptions, connectBus } from '../../services/kernel/bus/bus.ts'
import { refusedSubjects } from '../../services/kernel/bus/inspect.ts'
import { type TestBus, testBus } from '../../test/kit/bus.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import { loadFiles } from '../generate/descriptors.ts'
import { emittedBy } from '../generate/emitted.ts'
import { serviceSources } from '../generate/events/catalogue.ts'
import { root } from '../run.ts'
import { brokerAccounts } from './broker-config.ts'
import { type BrokerUser, brokerNames, brokerUsers, durablesOf, permissionsOf } from './broker-permissions.ts'

const test = suite('accounts of the broker')
const names = brokerNames({})
const { stream } = names
const streams = ['', '_dead', '_live'].map(suffix => stream + suffix)
const durables = durablesOf(names)
// Several services emit the same key.
const keys = [...new Set(serviceNames.flatMap(service => names.emitted[service]))]
/** The time of a stuck broker, not of a busy machine. */
const patient = { timeout: 30_000 }
const password = randomBytes(16).toString('hex')

let server: TestBus
let operator: NatsConnection
let jsm: JetStreamManager
const addressOf = (account: string) =>
  Object.assign(new URL(server.url), { username: account, password: `${password}-${account}` }).href
const open = (account: string, inbox = inboxOf(account)) => {
  const url = addressOf(account)
  return connect({ ...brokerConnection(url), inboxPrefix: inbox, reconnect: false })
}
const busOf = (user: BrokerUser, options: Partial<BusOptions> = {}): Promise<Bus> =>
  connectBus({
    url: addressOf(user),
    stream,
    name: 'test',
    inbox: inboxOf(user),
    maxStartWaitMs: patient.timeout,
    ...options,
  })
const listRefused = (user: BrokerUser, subjects: { publish?: string[]; subscribe?: string[] }) =>
  refusedSubjects(addressOf(user), { publish: [], subscribe: [], ...subjects })

test.before(async () => {
  // As a container's environment has them: with quotes.
  for (const account of brokerAccounts)
    process.env[account === 'operator' ? 'NATS_PASSWORD' : `${account.toUpperCase()}_NATS_PASSWORD`] =
      `"${password}-${account}"`
  const shipped = readFileSync(join(root, 'deploy/nats/accounts.conf'), 'utf8')
  server = await testBus({ config: () => shipped, login: `operator:${password}-operator` })
  operator = await open('operator', '_INBOX')
  jsm = await operator.jetstreamManager(patient)
})
test.after(async () => {
  await operator?.close()
  await server?.close()
})

test('each service can publish every key that its code emits', async () => {
  const emitted = emittedBy(await loadFiles(join(root, 'gen')), serviceSources())
  for (const service of serviceNames) {
    const { allow } = permissionsOf(service, names).publish
    assert.equal(
      emitted[service].filter(key => !allow.includes(key)),
      [],
      service,
    )
  }
})

test('each account can create the streams and its own consumers, and use every subject of its process', async () => {
  for (const user of brokerUsers) {
    const logLines: string[] = []
    const note = (fields: object, text: string) => void logLines.push(`${text} ${JSON.stringify(fields)}`)
    const bus = await busOf(user, { log: { info: () => undefined, warn: note, error: note } })
    const stops = durables[user].map(one =>
      bus.deliver(
        { ...one, prefetch: 1, ackWait: 30_000 },
        async () => 1,
        () => undefined,
      ),
    )
    for (const { durable } of durables[user]) await eventually(() => jsm.consumers.info(stream, durable))
    const { publish, subscribe } = permissionsOf(user, names)
    assert.equal(await listRefused(user, { publish: publish.allow, subscribe }), { publish: [], subscribe: [] }, user)
    for (const stop of stops) stop()
    assert.equal(logLines, [], user)
    await bus.close()
  }
})

test('no account can forge an event of another: stored messages come from the emitting account', async () => {
  const redriven = Object.values(durables).flatMap(all => all.map(({ subject }) => subject))
  const matches = (key: string) =>
    redriven.some(one => key === one || (one.endsWith('.>') && key.startsWith(one.slice(0, -1))))
  for (const user of brokerUsers) {
    const nc = await open(user)
    for (const key of keys) nc.publish(key, 'forged')
    for (const { durable } of Object.values(durables).flat()) nc.publish(`dead.${durable}`, 'forged')
    await nc.flush()
    await nc.close()
    const actualSubjects = await storedSubjects()
    // The notification service redrives dead letters, so it may publish what any consumer takes.
    const ownSubjects = user === 'edge' ? [] : user === 'notification' ? keys.filter(matches) : names.emitted[user]
    assert.equal(
      actualSubjects,
      [...ownSubjects, ...durables[user].map(({ durable }) => `dead.${durable}`)].toSorted(),
      user,
    )
    for (const name of streams) await jsm.streams.purge(name)
  }
})

test('a broker answer redirected to a key of another account carries no event of that account', async () => {
  const nc = await open('payment')
  const forged = { reply: 'platform.auth.user.deleted' }
  const body = JSON.stringify({ type: 'user.deleted', payload: { userId: 'victim' } })
  nc.publish('platform.payment.subscription_changed', body, forged)
  nc.publish(`$JS.API.STREAM.INFO.${stream}`, '', forged)
  nc.publish(`$JS.API.STREAM.MSG.GET.${stream}`, '{"seq":1}', forged)
  await nc.flush()
  const led = await eventually(async () => {
    const { state } = await jsm.streams.info(stream, { subjects_filter: '>' })
    return state.subjects?.[forged.reply] === 3 ? state : undefined
  })
  await nc.close()
  for (let seq = led.first_seq; seq <= led.last_seq; seq++) {
    const { subject, data } = await jsm.streams.getMessage(stream, { seq })
    const storedBody = JSON.parse(Buffer.from(data).toString())
    if (subject === forged.reply) assert.is(storedBody.payload, undefined)
    else assert.is(storedBody.payload.userId, 'victim')
  }
  await jsm.streams.purge(stream)
})

/** The stored subjects; each stream is read in turn, so that no earlier message is in flight. */
async function storedSubjects(): Promise<string[]> {
  const last = ['platform.last', 'dead.last', 'live.frames']
  for (const subject of last) await operator.jetstream(patient).publish(subject, '')
  const subjectsByStream = await Promise.all(
    streams.map(async name => {
      const { state } = await jsm.streams.info(name, { subjects_filter: '>' })
      return Object.keys(state.subjects ?? {})
    }),
  )
  return subjectsByStream
    .flat()
    .filter(subject => !last.includes(subject))
    .toSorted()
}

test('no account can purge, change or delete a stream, or read, change or delete a consumer of another', async () => {
  const api = '$JS.API'
  const verbs = ['DELETE', 'PURGE', 'UPDATE', 'SNAPSHOT', 'RESTORE']
  for (const user of brokerUsers) {
    const foreignConsumers = Object.entries(durables).flatMap(([owner, all]) => (owner === user ? [] : all))
    const publish = [
      ...streams.flatMap(name => verbs.map(verb => `${api}.STREAM.${verb}.${name}`)),
      ...streams
        .filter(name => user !== 'notification' || !name.endsWith('_dead'))
        .map(name => `${api}.STREAM.MSG.DELETE.${name}`),
      `${api}.STREAM.CREATE.another`,
      // Without a name in the subject, the broker would accept any.
      `${api}.CONSUMER.CREATE.${stream}`,
      ...foreignConsumers.flatMap(({ durable, subject }) => [
        `${api}.CONSUMER.CREATE.${stream}.${durable}`,
        `${api}.CONSUMER.CREATE.${stream}.${durable}.${subject}`,
        `${api}.CONSUMER.CREATE.${stream}.${durable}.platform.notification.member.updated`,
        `${api}.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
        `${api}.CONSUMER.MSG.NEXT.${stream}.${durable}`,
        `$JS.ACK.${stream}.${durable}.1.1.1.1.1`,
      ]),
      ...Object.values(durables).flatMap(all =>
        all.map(({ durable }) => `${api}.CONSUMER.DELETE.${stream}.${durable}`),
      ),
    ]
    assert.equal((await listRefused(user, { publish })).publish, publish, user)
  }
  const payment = await open('payment')
  const deletion = payment.request(`${api}.STREAM.DELETE.${stream}`, '', patient)
  assert.match(await deletion.then(() => 'deleted', String), 'Permissions Violation')
  await payment.close()
  assert.is((await jsm.streams.info(stream)).config.name, stream)
  assert.is((await jsm.consumers.list(stream).next()).length, Object.values(durables).flat().length)
})

test('no account receives the replies of another, or messages on the bus', async () => {
  for (const user of brokerUsers) {
    const inboxes = brokerUsers.filter(other => other !== user).map(other => `${inboxOf(other)}.>`)
    const subscribe = [...inboxes, '_INBOX.>', '*.>', '>', 'platform.>', 'dead.>', 'live.frames', '$JS.API.>']
    assert.equal((await listRefused(user, { subscribe })).subscribe, subscribe, user)
  }
})

test('an account without the right to change a stream uses it as it is and logs that', async () => {
  const warnings: string[] = []
  const warn = (_: object, text: string) => void warnings.push(text)
  const bus = await busOf('payment', {
    replicas: 3,
    log: { info: () => undefined, warn, error: warn },
  })
  await bus.publish('platform.payment.subscription_changed', '{}', { id: 'one' })
  await bus.close()
  assert.ok(warnings.includes('no permission to change the stream; the doctor command shows how an operator does it'))
  assert.ok(warnings.includes('no permission for a subject of the message broker'))
  assert.is((await jsm.streams.info(stream)).config.num_replicas, 1)
})

test.run()
