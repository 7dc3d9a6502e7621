import { createServer } from 'node:http'
import { newId } from '../../../services/kernel/base/ids.ts'
import { serviceNames } from '../../../services/kernel/base/service-names.ts'
import { connectBroker } from '../../../services/kernel/bus/inspect.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { testBus, testDatabase } from '../../../test/kit/database.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { platformPorts } from '../../environment.ts'
import { authorizationText } from '../../stack/broker-config.ts'
import { brokerNames } from '../../stack/broker-permissions.ts'
import { freePort } from '../../stack/ports.ts'
import { accountFindings } from './broker-accounts.ts'
import { brokerFinding, busFindings, streamFindings } from './bus.ts'
import { databaseFindings, serverFinding } from './databases.ts'
import { clockFinding } from './finding.ts'
import { lateFindings } from './late.ts'
import { portFindings } from './ports.ts'
import { programFindings } from './programs.ts'

const test = suite('the doctor')
/** Ports without a listener. */
const anyPorts = Object.fromEntries(platformPorts({}).map(({ setting }) => [setting, '0']))

test('an account without rights, pending migrations and outdated servers are reported', async () => {
  const database = await testDatabase(new URL('../../../services/payment/migrations/', import.meta.url))
  const url = new URL(database.url)
  const [schema, account] = [url.pathname.slice(1), `doctor_${newId()}`]
  const root = await connectDatabase(url.href)
  try {
    await root.query(`create user '${account}'@'%' identified by 'x'`)
    await root.query(`grant select, insert, create on \`${schema}\`.* to '${account}'@'%'`)
    await root.query("delete from kysely_migration where name = '0001-baseline'")
    const inspectAs = async (user: string, password: string) => {
      const accountUrl = Object.assign(new URL(url), { username: user, password })
      const findings = await databaseFindings({ PAYMENT_DATABASE_URL: accountUrl.href })
      return findings.filter(({ title }) => title === 'database payment')
    }
    const lacking = 'UPDATE, DELETE, ALTER, DROP, INDEX, CREATE VIEW'
    const [rights, migrations] = await inspectAs(account, 'x')
    assert.equal(
      [rights?.state, rights?.detail, rights?.fix],
      ['fault', `the account lacks ${lacking}`, `grant ${lacking} on \`${schema}\`.* to it`],
    )
    assert.equal([migrations?.state, migrations?.detail], ['note', 'pending migrations: 1'])
    assert.match((await inspectAs('nobody', 'x'))[0]?.fix ?? '', 'correct the address')
    const news = (await databaseFindings({ NEWS_DATABASE_URL: url.href })).find(
      ({ title }) => title === 'database news',
    )
    assert.equal(
      [news?.state, news?.detail, news?.fix],
      ['fault', `the schema ${schema} belongs to the service payment`, 'set NEWS_DATABASE_URL to a schema of its own'],
    )
  } finally {
    await root.query(`drop user if exists '${account}'@'%'`)
    await root.end()
    await database.drop()
  }
  const states = ['10.5.9-MariaDB', '10.11.6-MariaDB-1', '8.0.39', '8.4.0', '9.7.0'].map(
    each => serverFinding(each).state,
  )
  assert.equal(states, ['fault', 'ok', 'fault', 'ok', 'ok'])
  assert.equal(
    ['2.8.4', '2.9.10', '3.0.0'].map(each => brokerFinding(each, false).state),
    ['fault', 'ok', 'ok'],
  )
  assert.equal(
    ['2.9.10', '2.11.9', '2.12.0'].map(each => brokerFinding(each, true).state),
    ['fault', 'fault', 'ok'],
  )
})

test('endpoints, mails and set-ups that need somebody are reported', async () => {
  const services = ['notification', 'hotel', 'auth'] as const
  const databases = await Promise.all(
    services.map(name => testDatabase(new URL(`../../../services/${name}/migrations/`, import.meta.url))),
  )
  const env = Object.fromEntries(
    services.map((name, index) => [`${name.toUpperCase()}_DATABASE_URL`, databases[index]?.url]),
  )
  const loadFindings = async () => (await lateFindings(env)).map(({ title, detail, state }) => [title, detail, state])
  const run = async (index: number, text: string) => {
    const connection = await connectDatabase(databases[index]?.url ?? '')
    await connection.query(text)
    await connection.end()
  }
  try {
    assert.equal(await loadFindings(), [['waiting work', 'nothing is late, failing or parked', 'ok']])
    const webhook = `insert into webhooks
      (id, workspace_id, url, event_types, secret, created_at, is_enabled, disabled_reason, failing_since)`
    await run(0, `${webhook} values ('a', 'w', 'https://a', '[]', 's', now(), 0, 'failing', now())`)
    await run(0, `${webhook} values ('b', 'w', 'https://b', '[]', 's', now(), 1, null, now() - interval 2 hour)`)
    await run(0, `${webhook} values ('c', 'w', 'https://c', '[]', 's', now(), 0, null, null)`)
    await run(
      0,
      `insert into webhook_deliveries (id, workspace_id, webhook_id, event_type, occurrence_id, body, due_at, created_at)
      values ('d', 'w', 'b', 'x', 'o', '{}', now() - interval 1 hour, now())`,
    )
    await run(
      1,
      `insert into hotel_setups (id, hotel_id, hotel_name, kind, status, input, actor)
      values ('s', 'h', 'H', 'creation', 'parked', '{}', '{}')`,
    )
    await run(
      2,
      `insert into mails (id, slug, sealed, next_attempt_at, created_at)
      values ('m', 'x', '', now() - interval 1 hour, now())`,
    )
    await run(2, `insert into outbox (id, subject, body, created_at) values ('o', 'x', '', now() - interval 1 hour)`)
    assert.equal((await loadFindings()).toSorted(), [
      ['account mails', 'more than five minutes late: 1', 'note'],
      ['outbox of auth', 'events that wait for more than a minute: 1', 'note'],
      ['set-ups', 'parked: 1', 'note'],
      ['webhooks', 'endpoints that fail for more than an hour: 1', 'note'],
      ['webhooks', 'endpoints that the platform has disabled: 1', 'note'],
    ])
  } finally {
    for (const database of databases) await database.drop()
  }
})

test('the programs of private servers are not looked for where servers are configured', () => {
  const listTitles = (env: Environment) => programFindings(env).map(({ title }) => title)
  const databases = Object.fromEntries(
    serviceNames.map(name => [`${name.toUpperCase()}_DATABASE_URL`, 'mysql://127.0.0.1/x']),
  )
  assert.equal(listTitles({}), ['Node', 'MariaDB program', 'NATS program'])
  assert.equal(listTitles({ AMQP_GATEWAY_URL: 'nats://broker' }), ['Node', 'MariaDB program'])
  assert.equal(listTitles({ DATABASE_URL: 'mysql://server' }), ['Node', 'NATS program'])
  assert.equal(listTitles(databases), ['Node', 'NATS program'])
})

test('a port in use and a port configured twice are reported with their setting', async () => {
  const stranger = createServer((_request, response) => response.end('hello'))
  // A port that no other process takes once it is free again.
  const port = String(await freePort())
  await new Promise<void>(resolve => {
    stranger.listen(Number(port), '127.0.0.1', resolve)
  })
  const findings = await portFindings({ ...anyPorts, NEWS_PORT: port })
  assert.equal(
    findings.map(({ title, state }) => [title, state]),
    [[`port ${port}`, 'fault']],
  )
  assert.match(findings[0]?.detail ?? '', /^needed by news(-service)?, but is in use by another program/)
  assert.match(findings[0]?.fix ?? '', 'set NEWS_PORT to another port')
  stranger.closeAllConnections()
  await new Promise(resolve => stranger.close(resolve))
  const twice = await portFindings({ ...anyPorts, NEWS_PORT: port, MEMBER_PORT: port })
  assert.equal(
    twice.map(({ detail }) => detail.slice(detail.indexOf(','))),
    [', but is configured twice'],
  )
})

test('a broker account without a permission is reported with it, and a single account for all services is accepted', async () => {
  const event = 'platform.payment.subscription_changed'
  const config = (stream: string) =>
    authorizationText({ ...brokerNames({}), stream }, () => '"x"').replaceAll(`"${event}"`, '"nothing"')
  const broker = await testBus({ config, login: 'operator:x' })
  try {
    const addressOf = (user: string) => Object.assign(new URL(broker.url), { username: user }).href
    const accountEnv = { NEWS_AMQP_GATEWAY_URL: addressOf('news'), PAYMENT_AMQP_GATEWAY_URL: addressOf('payment') }
    const checkAccounts = (env: Environment) => accountFindings({ AMQP_EXCHANGE_NAME: broker.stream, ...env })
    assert.equal(
      (await checkAccounts(accountEnv)).map(({ title, state, detail }) => [title, state, detail]),
      [['NATS account of payment', 'fault', `is not allowed to publish ${event}`]],
    )
    assert.equal(
      (await checkAccounts({ NEWS_AMQP_GATEWAY_URL: addressOf('news') })).map(({ state }) => state),
      ['ok'],
    )
    assert.equal(
      (await checkAccounts({ AMQP_GATEWAY_URL: broker.url })).map(({ state, detail }) => [state, detail]),
      [['note', 'one account is shared by all processes']],
    )
    const streams = await busFindings({ AMQP_EXCHANGE_NAME: broker.stream, NEWS_AMQP_GATEWAY_URL: addressOf('news') })
    assert.equal(
      streams.map(({ title, state }) => [title, state]),
      [
        ['NATS', 'note'],
        ['NATS accounts', 'ok'],
      ],
    )
    assert.match(
      (await checkAccounts({ NEWS_AMQP_GATEWAY_URL: addressOf('nobody') }))[0]?.detail ?? '',
      /authorization/i,
    )
    const listener = await connectBroker(broker.url)
    const delivered: string[] = []
    listener.subscribe('>', { callback: (_error, { subject }) => void delivered.push(subject) })
    await listener.flush()
    for (const env of [accountEnv, { AMQP_GATEWAY_URL: broker.url }]) await checkAccounts(env)
    await listener.flush()
    await listener.close()
    assert.equal(delivered, [], 'asking reaches nobody')
  } finally {
    await broker.close()
  }
})

test('a stream that keeps messages too briefly or too long is reported with the command that fixes it', () => {
  const good = {
    name: 'platform_events',
    isPresent: true,
    subjects: ['platform.>'],
    isOnDisk: true,
    days: 7,
    duplicateSeconds: 120,
    replicas: 3,
    messages: 2,
  }
  const checkStream = (change: object) => streamFindings({ ...good, ...change }).map(one => [one.state, one.fix])
  assert.equal(checkStream({}), [['ok', undefined]])
  assert.equal(checkStream({ days: 1 }), [['note', 'nats stream edit platform_events --max-age 7d']])
  assert.equal(checkStream({ duplicateSeconds: 5 }), [['fault', 'nats stream edit platform_events --dupe-window 2m']])
  assert.equal(checkStream({ subjects: [] }), [['fault', "nats stream edit platform_events --subjects 'platform.>'"]])
  assert.equal(
    streamFindings(good, 5).map(({ detail, fix: mend }) => [detail, mend]),
    [['has 3 of 5 replicas', 'nats stream edit platform_events --replicas 5']],
  )
  assert.is(checkStream({ isOnDisk: false })[0]?.[0], 'fault')
  assert.is(checkStream({ isPresent: false })[0]?.[0], 'note')
  const frames = { name: 'platform_events_live', subjects: ['live.frames'], days: 360 / 86_400, duplicateSeconds: 360 }
  assert.equal(checkStream(frames), [['ok', undefined]])
  assert.equal(checkStream({ ...frames, days: 60 / 86_400 }), [
    ['note', 'nats stream edit platform_events_live --max-age 5m'],
  ])
  assert.equal(checkStream({ ...frames, duplicateSeconds: 120 }), [
    ['fault', 'nats stream edit platform_events_live --dupe-window 5m'],
  ])
  assert.equal(checkStream({ ...frames, subjects: ['x'] }), [
    ['fault', "nats stream edit platform_events_live --subjects 'x,live.frames'"],
  ])
  assert.is(clockFinding('clock', -6_000).state, 'fault')
  assert.match(clockFinding('clock', 2_000).detail, /^2\.0 s ahead of this machine/)
})

test.run()
