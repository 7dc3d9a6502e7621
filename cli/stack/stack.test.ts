import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2/promise'
import { connect } from 'nats'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serviceNames } from '../../services/kernel/base/service-names.ts'
import { refusedSubjects } from '../../services/kernel/bus/inspect.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { settingsOf } from '../commands/operator-settings.ts'
import { newFolder, processesOf, removeFolders, until } from '../fixtures/helpers.ts'
import { brokerNames, brokerUsers, permissionsOf } from './broker-permissions.ts'
import { grantMemberViews, type Stack, startStack } from './stack.ts'

const test = suite('stack')

const dataDir = newFolder()
const printedLines: string[] = []
let stack: Stack
const start = async () => {
  stack = await startStack({ dataDir, print: line => printedLines.push(line) })
}
test.before(start)
test.after(async () => {
  await stack?.stop()
  removeFolders()
})

async function query(url: string, sql: string): Promise<RowDataPacket[]> {
  const connection = await connectDatabase(url)
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql)
    return rows
  } finally {
    await connection.end()
  }
}
const refusal = (url: string, sql: string) =>
  query(url, sql).then(
    () => 'allowed',
    error => error.code as string,
  )
/** The time of a stuck broker, not of a busy machine. */
const patient = { timeout: 30_000 }
const bus = () => {
  const { host, username: user, password: pass } = new URL(stack.natsUrlOf('operator'))
  return connect({ servers: host, user, pass })
}

test('every service has an account and an empty schema', async () => {
  for (const service of serviceNames) {
    const [row] = await query(stack.databaseUrl(service), 'select database() as name, current_user() as user')
    assert.equal(row, { name: service, user: `${service}@127.0.0.1` })
  }
})

test('the server keeps UTC, utf8mb4, durable commits and READ COMMITTED', async () => {
  const sql = `select @@time_zone as zone, @@character_set_server as charset, @@tx_isolation as isolation,
    @@innodb_flush_log_at_trx_commit as flush, @@bind_address as address`
  const [row] = await query(stack.databaseUrl('auth'), sql)
  const expectedSettings = {
    zone: '+00:00',
    charset: 'utf8mb4',
    isolation: 'READ-COMMITTED',
    flush: 1,
    address: '127.0.0.1',
  }
  assert.equal(row, expectedSettings)
})

test('a service can not read the database of another', async () => {
  await query(stack.databaseUrl('payment'), 'create table cards (id int)')
  assert.equal(await refusal(stack.databaseUrl('news'), 'select * from payment.cards'), 'ER_TABLEACCESS_DENIED_ERROR')
  assert.equal(await refusal(stack.databaseUrl('news'), 'create database other'), 'ER_DBACCESS_DENIED_ERROR')
})

test('the reading account sees only the published views of the member service', async () => {
  await query(stack.databaseUrl('member'), 'create table members (id int, secret int)')
  await query(stack.databaseUrl('member'), 'create view member_directory as select id from members')
  await grantMemberViews(stack, ['member_directory'])
  assert.equal(await query(stack.memberReadUrl, 'select * from member_directory'), [])
  assert.equal(await refusal(stack.memberReadUrl, 'select * from members'), 'ER_TABLEACCESS_DENIED_ERROR')
  assert.equal(await refusal(stack.memberReadUrl, 'delete from member_directory'), 'ER_TABLEACCESS_DENIED_ERROR')
})

test('a password is required', async () => {
  const url = new URL(stack.adminDatabaseUrl ?? '')
  for (const [name, password] of [
    ['root', ''],
    ['', ''],
    ['auth', ''],
    [url.username, 'wrong'],
  ] as const) {
    url.username = name
    url.password = password
    assert.equal(await refusal(url.href, 'select 1'), 'ER_ACCESS_DENIED_ERROR', name)
  }
  await connect({ servers: new URL(stack.natsUrl).host, reconnect: false }).then(
    () => assert.unreachable(),
    error => assert.is(error.code, 'AUTHORIZATION_VIOLATION'),
  )
})

test('the broker has accounts for each service, for all services together and for the operator', async () => {
  const names = brokerNames({})
  for (const user of brokerUsers) {
    const { publish, subscribe } = permissionsOf(user, names)
    const allowedSubjects = { publish: publish.allow, subscribe }
    assert.equal(await refusedSubjects(stack.natsUrlOf(user), allowedSubjects), { publish: [], subscribe: [] }, user)
    assert.equal(
      await refusedSubjects(stack.natsUrl, { ...allowedSubjects, subscribe: [] }),
      { publish: [], subscribe: [] },
      user,
    )
  }
  const settings = settingsOf({ DATA_DIR: dataDir })
  assert.equal(
    [settings['AMQP_GATEWAY_URL'], settings['NEWS_AMQP_GATEWAY_URL'], settings['OPERATOR_AMQP_GATEWAY_URL']],
    [stack.natsUrl, stack.natsUrlOf('news'), stack.natsUrlOf('operator')],
  )
  const configuredEnv = settingsOf({ DATA_DIR: dataDir, AMQP_GATEWAY_URL: 'nats://elsewhere' })
  assert.equal(
    [configuredEnv['AMQP_GATEWAY_URL'], configuredEnv['OPERATOR_AMQP_GATEWAY_URL']],
    ['nats://elsewhere', undefined],
  )
  const events = ['platform.notification.page.created', '$JS.API.STREAM.DELETE.platform_events']
  const listRefused = async (url: string) => (await refusedSubjects(url, { publish: events, subscribe: [] })).publish
  assert.equal(await listRefused(stack.natsUrlOf('payment')), events)
  assert.equal(await listRefused(stack.natsUrl), events.slice(1))
  assert.equal(await listRefused(stack.natsUrlOf('operator')), [])
})

test('secrets are readable by their owner only', () => {
  assert.is(statSync(join(dataDir, 'secrets.json')).mode & 0o777, 0o600)
  assert.is(statSync(join(dataDir, 'mariadb', 'accounts.sql')).mode & 0o777, 0o600)
  assert.is(statSync(join(dataDir, 'nats', 'nats.conf')).mode & 0o777, 0o600)
})

test('a second start finds rows, messages, passwords and ports, and restores revoked rights', async () => {
  await query(stack.databaseUrl('news'), 'create table pages (id int)')
  await query(stack.databaseUrl('news'), 'insert into pages values (7)')
  await query(stack.adminDatabaseUrl ?? '', `drop user 'hotel'@'127.0.0.1'`)
  const first = await bus()
  await (await first.jetstreamManager(patient)).streams.add({ name: 'kept', subjects: ['kept'] })
  await first.jetstream(patient).publish('kept', 'still here')
  await first.close()

  const before = { database: stack.databaseUrl('news'), bus: stack.natsUrl }
  await stack.stop()
  assert.equal(processesOf(dataDir), [])
  await start()
  assert.equal({ database: stack.databaseUrl('news'), bus: stack.natsUrl }, before)
  assert.equal(await query(stack.databaseUrl('news'), 'select id from pages'), [{ id: 7 }])
  assert.equal(await query(stack.memberReadUrl, 'select * from member_directory'), [])
  assert.equal(await query(stack.databaseUrl('hotel'), 'select 1 as one'), [{ one: 1 }])
  const second = await bus()
  assert.is((await (await second.jetstreamManager(patient)).streams.info('kept')).state.messages, 1)
  await second.close()
})

test('a killed server restarts at its address with all acknowledged data, which is logged', async () => {
  for (const server of stack.servers) process.kill(server.pid, 'SIGKILL')
  await until(
    'both are noticed',
    () => printedLines.filter(line => /stopped unexpectedly \(signal SIGKILL\)/.test(line)).length === 2,
  )
  await until('both are back', () => printedLines.filter(line => /restarted after/.test(line)).length === 2)
  assert.equal(await query(stack.databaseUrl('news'), 'select id from pages'), [{ id: 7 }])
  const connection = await bus()
  assert.is((await (await connection.jetstreamManager(patient)).streams.info('kept')).state.messages, 1)
  await connection.close()
})

test('a broker whose storage is off is restarted, with its data', async () => {
  const config = join(dataDir, 'nats', 'nats.conf')
  writeFileSync(config, readFileSync(config, 'utf8').replace(/^jetstream .*$/m, ''))
  process.kill(JSON.parse(readFileSync(join(dataDir, 'nats.pid'), 'utf8')).pid, 'SIGHUP')
  await until('it is noticed', () => printedLines.some(line => line.includes('its storage (JetStream) is off')))
  await until('it is back', () => printedLines.filter(line => /NATS restarted after/.test(line)).length === 2)
  const connection = await bus()
  assert.is((await (await connection.jetstreamManager(patient)).streams.info('kept')).state.messages, 1)
  await connection.close()
})

test('data without its secrets is refused with the name of the file', async () => {
  await stack.stop()
  const file = join(dataDir, 'secrets.json')
  const savedSecrets = readFileSync(file)
  rmSync(file)
  await startStack({ dataDir }).then(
    () => assert.unreachable(),
    error => assert.match(error.message, /holds a database but no secrets.json/),
  )
  writeFileSync(file, savedSecrets, { mode: 0o600 })
  await start()
})

test('a configured server replaces the private one, and gets the schemas', async () => {
  const other = newFolder()
  const configuredStack = await startStack({
    dataDir: other,
    databaseUrl: `${stack.adminDatabaseUrl}/trial`,
    natsUrl: stack.natsUrl,
  })
  assert.equal(configuredStack.servers, [])
  assert.is(configuredStack.natsUrl, stack.natsUrl)
  const [row] = await query(configuredStack.databaseUrl('media'), 'select database() as name')
  assert.equal(row, { name: 'trial_media' })
  await query(configuredStack.databaseUrl('member'), 'create view member_directory as select 1 as id')
  await grantMemberViews(configuredStack, ['member_directory'])
  assert.equal(await query(configuredStack.memberReadUrl, 'select * from member_directory'), [{ id: 1 }])
  await configuredStack.stop()
})

test('an unreachable address and an account without the right to create schemas are reported', async () => {
  const message = async (databaseUrl: string) =>
    startStack({ dataDir: newFolder(), databaseUrl, natsUrl: stack.natsUrl }).then(
      () => 'started',
      error => error.message as string,
    )
  assert.match(await message('mysql://someone:secret@127.0.0.1:1'), /^DATABASE_URL: someone@127.0.0.1:1 cannot be used/)
  assert.not.match(await message('mysql://someone:secret@127.0.0.1:1'), /secret/)
  assert.match(
    await message(stack.databaseUrl('news')),
    /schema news_auth is missing and news is not allowed to create it/,
  )
})

test.run()
