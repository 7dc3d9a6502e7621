import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import type { RowDataPacket } from 'mysql2/promise'
import { startStack } from '../../cli/stack/stack.ts'
import { call } from '../../cli/tour/client.ts'
import { mainJob } from '../../cli/tour/main-job.ts'
import { newWorld, type World } from '../../cli/tour/world.ts'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import { inspectBus } from '../../services/kernel/bus/inspect.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { closeDatabase, isUnavailable, openDatabase, pingDatabase } from '../../services/kernel/database/database.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { makeAuthority, makeCertificate } from '../kit/platform/certificates.ts'
import { type OwnPlatform, startPlatform } from '../kit/platform/platform.ts'
import { brokerLogin, databaseLogin, type TlsServer, tlsMariadb, tlsNats } from '../kit/platform/tls-servers.ts'

const test = suite('TLS to the database and the broker')
const root = new URL('../../', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'tls-'))
const ownAuthority = makeAuthority(folder, 'ours')
const otherAuthority = makeAuthority(folder, 'theirs')
const right = makeCertificate(folder, 'right', ownAuthority, 'DNS:localhost')
const wrongHost = makeCertificate(folder, 'elsewhere', ownAuthority, 'DNS:db.elsewhere.example')
const client = makeCertificate(folder, 'client', ownAuthority, 'DNS:news')

let database: TlsServer
let broker: TlsServer
let plainDatabase: string
const addresses = (host = 'localhost') => ({
  database: `mysql://${databaseLogin}@${host}:${database.port}/mysql?ssl=true`,
  broker: `tls://${brokerLogin}@${host}:${broker.port}`,
})

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Sets the TLS files of this process, which its connections use. */
function trust(settings: Environment): void {
  for (const kind of ['DATABASE', 'NATS'])
    for (const part of ['CA', 'CERT', 'KEY']) delete process.env[`${kind}_${part}_FILE`]
  Object.assign(process.env, settings)
}
const trusted = { DATABASE_CA_FILE: ownAuthority.cert, NATS_CA_FILE: ownAuthority.cert }

test.before(async () => {
  plainDatabase = process.env['TEST_DATABASE_URL'] ?? ''
  database = await tlsMariadb(folder, ownAuthority)
  broker = await tlsNats(folder, 'nats')
  await Promise.all([database.start(right), broker.start(right)])
})
test.before.each(() => trust(trusted))
test.after(async () => {
  trust({})
  await Promise.all([database.kill(), broker.kill()])
  rmSync(folder, { recursive: true, force: true })
})

/** The error of a refused call; fails if the call was not refused, or if the error contains a secret. */
async function refusal(work: () => Promise<unknown>): Promise<Error> {
  let reason: unknown
  try {
    await work()
  } catch (error) {
    reason = error
  }
  if (!(reason instanceof Error)) throw new Error('it was not refused')
  assert.not.match(inspect(reason, { depth: 5 }), /password-of-the-test|PRIVATE KEY/)
  return reason
}
const noDatabase = (url: string) =>
  refusal(async () => {
    const db = openDatabase<unknown>(url)
    await pingDatabase(db).finally(() => closeDatabase(db))
  })
const noBroker = (url: string) => refusal(() => inspectBus(url, 'nothing'))

/** Runs a command or a process until it ends or prints `awaited`. */
const run = (script: string, words: string[], env: Environment, awaited?: RegExp) =>
  new Promise<{ status: number | null; output: string }>(resolve => {
    const child = spawn(process.execPath, [fileURLToPath(new URL(script, root)), ...words], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', data => {
        output += String(data)
        if (awaited?.test(output)) child.kill('SIGTERM')
      })
    child.once('close', status => {
      assert.not.match(output, /password-of-the-test|PRIVATE KEY/)
      resolve({ status, output })
    })
  })

test('with a CA of the operator both are accepted, under TLS 1.3, and without it neither is', async () => {
  const connection = await connectDatabase(addresses().database)
  const [[row]] = await connection.query<RowDataPacket[]>("show session status like 'Ssl_version'")
  await connection.end()
  assert.is(row?.['Value'], 'TLSv1.3')
  assert.ok((await inspectBus(addresses().broker, 'nothing')).hasJetStream)

  for (const settings of [{}, { DATABASE_CA_FILE: otherAuthority.cert, NATS_CA_FILE: otherAuthority.cert }]) {
    trust(settings)
    const reason = await noDatabase(addresses().database)
    assert.match(reason.message, /^localhost:\d+ presents an untrusted certificate, .*: set DATABASE_CA/)
    // An operator may fix it, so it is a 503 instead of an unexpected error.
    assert.ok(isUnavailable(reason))
    assert.match((await noBroker(addresses().broker)).message, /untrusted certificate, .*: set NATS_CA/)
    // With nats://, a broker that demands TLS isn't trusted either.
    const bus = await connectBus({
      url: addresses().broker.replace('tls:', 'nats:'),
      stream: 'nothing',
      name: 'test',
      log: quiet,
      maxStartWaitMs: 500,
    }).catch(() => undefined)
    assert.match(bus?.status().problem ?? 'set NATS_CA, refused at once', /set NATS_CA|does not enable TLS/)
    await bus?.close()
  }
})

test('a certificate of the same CA for another host is refused, as is an address without a host name', async () => {
  await Promise.all([database.start(wrongHost), broker.start(wrongHost)])
  assert.match(
    (await noDatabase(addresses().database)).message,
    /^localhost:\d+ presents a certificate of another host/,
  )
  assert.match((await noBroker(addresses().broker)).message, /^localhost:\d+ presents a certificate of another host/)
  // Drivers would accept a certificate for "localhost" at every IP address.
  await Promise.all([database.start(right), broker.start(right)])
  for (const host of ['127.0.0.1', '[::1]']) {
    assert.match((await noDatabase(addresses(host).database)).message, /names the server by an IP address/)
    assert.match((await noBroker(addresses(host).broker)).message, /names the server by an IP address/)
  }
})

test('where TLS is demanded nothing is sent in plain text, whichever side demands it', async () => {
  trust({})
  const { database: address } = addresses()
  assert.match(
    (await noDatabase(address.replace('?ssl=true', ''))).message,
    /Access denied .*add \?ssl=true to its address/,
  )
  const plain = await tlsNats(folder, 'plain')
  await plain.start()
  try {
    const { message } = await noBroker(`tls://${brokerLogin}@localhost:${plain.port}`)
    assert.match(message, /^localhost:\d+ does not offer TLS, which its address requires/)
  } finally {
    await plain.kill()
  }
  await database.start()
  assert.match((await noDatabase(address)).message, /does not offer TLS, which its address requires/)
  await database.start(right)
})

test('client certificates are presented where the servers request them', async () => {
  const asking = await tlsNats(folder, 'asking', ownAuthority)
  await asking.start(right)
  const holder = addresses().database.replace(/\/\/\w+:/, '//holder:')
  const url = `tls://${brokerLogin}@localhost:${asking.port}`
  try {
    await noDatabase(holder)
    await noBroker(url)
    const clientFiles = { DATABASE_CERT_FILE: client.cert, DATABASE_KEY_FILE: client.key }
    trust({ ...trusted, ...clientFiles, NATS_CERT_FILE: client.cert, NATS_KEY_FILE: client.key })
    await (await connectDatabase(holder)).end()
    assert.ok((await inspectBus(url, 'nothing')).hasJetStream)
  } finally {
    await asking.kill()
  }
})

test('a CA configured in Node works without a setting of the platform', async () => {
  const env = { NEWS_DATABASE_URL: addresses().database.replace('/mysql?', '/known?'), DATA_DIR: folder }
  const admin = await connectDatabase(addresses().database)
  await admin.query('create database known character set utf8mb4 collate utf8mb4_unicode_ci')
  await admin.end()
  const words = ['platform', 'migrate', '--service', 'news']
  for (const caSettings of [
    { NODE_EXTRA_CA_CERTS: ownAuthority.cert },
    { NODE_USE_SYSTEM_CA: '1', SSL_CERT_FILE: ownAuthority.cert },
  ]) {
    const { status, output } = await run('cli/bootstrap.mjs', words, { ...env, ...caSettings })
    assert.is(status, 0, output)
  }
})

test('npm start creates its schemas and accounts on a server that accepts only TLS', async () => {
  const url = addresses().database.replace('/mysql?', '/started?')
  const options = { dataDir: join(folder, 'start'), databaseUrl: url, natsUrl: addresses().broker }
  const stack = await startStack(options)
  // The read-only account can't open the schema until views are granted, so the address names none.
  const reader = Object.assign(new URL(stack.memberReadUrl), { pathname: '/' }).href
  for (const each of [stack.databaseUrl('news'), reader]) await (await connectDatabase(each)).end()
  await stack.stop()
  trust({ ...trusted, DATABASE_CA_FILE: otherAuthority.cert })
  const { message } = await refusal(() => startStack(options))
  assert.match(message, /^DATABASE_URL: tls@localhost:\d+ cannot be used: .* set DATABASE_CA to the trusted CAs/)
})

test('the platform does its main job over both, its commands reach them, and it recovers when they restart', async () => {
  process.env['TEST_DATABASE_URL'] = addresses().database.replace('/mysql?', '/?')
  let platform: OwnPlatform | undefined
  try {
    platform = await startPlatform('one', {
      ...trusted,
      AMQP_GATEWAY_URL: addresses().broker,
      AMQP_EXCHANGE_NAME: 'platform_events',
    })
    const world: World = newWorld({ ...platform, report: () => undefined })
    for (const step of mainJob) await step.run(world)
    for (const socket of Object.values(world.sockets)) socket?.close()

    const looked = await run('cli/bootstrap.mjs', ['platform', 'doctor', '--json'], platform.env)
    const findings = JSON.parse(looked.output).findings as { what: string; state: string }[]
    const faults = findings.filter(({ what, state }) => state === 'fault' && /^(database|NATS|stream|views)/.test(what))
    assert.equal(faults, [])
    const wrongFiles = { DATABASE_CA_FILE: otherAuthority.cert, NATS_CA_FILE: otherAuthority.cert }
    const strange = await run('cli/bootstrap.mjs', ['platform', 'doctor'], { ...platform.env, ...wrongFiles })
    for (const kind of ['DATABASE', 'NATS']) assert.match(strange.output, `set ${kind}_CA to the trusted CAs`)
    const backup = await run('cli/bootstrap.mjs', ['platform', 'backup', join(folder, 'backup')], platform.env)
    assert.is(backup.status, 0, backup.output)

    await Promise.all([database.kill(), broker.kill()])
    const { urls } = platform
    const ready = async () => (await fetch(`${urls.news}/ready`)).status
    await eventually(async () => (await ready()) === 503)
    await Promise.all([database.start(right), broker.start(right)])
    await eventually(async () => (await ready()) === 200, 60_000)
    const path = `/api/v1/pages/${world.ids['page']}`
    assert.is((await call(urls, 'news', 'GET', path, { token: world.tokens.colleague })).status, 200)
  } finally {
    await platform?.stop()
    process.env['TEST_DATABASE_URL'] = plainDatabase
  }
})

test.run()
