import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { type TestBus, type TestDatabase, testBus, testDatabase } from '../kit/database.ts'
import { anyPorts } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'

const test = suite('what keeps a process from starting')

const migrationsOf = (name: string) => new URL(`../../services/${name}/migrations/`, import.meta.url)
const portHolder = createServer()
let bus: TestBus
let databases: Record<string, TestDatabase>
test.before(async () => {
  bus = await testBus()
  databases = {
    auth: await testDatabase(migrationsOf('auth')),
    media: await testDatabase(migrationsOf('media')),
    member: await testDatabase(migrationsOf('member')),
    later: await testDatabase(migrationsOf('auth')),
  }
  const connection = await connectDatabase(databases['later']?.url ?? '')
  await connection.query("insert into kysely_migration (name, timestamp) values ('0099-since-99-0-no-names', '')")
  await connection.end()
  await new Promise<void>(resolve => {
    portHolder.listen(0, '127.0.0.1', resolve)
  })
})
test.after(async () => {
  portHolder.close()
  await bus.close()
  for (const database of Object.values(databases)) await database.drop()
})

const urlOf = (name: string) => new URL(databases[name]?.url ?? '')
const hostOf = (name: string) => urlOf(name).host
const schemaOf = (name: string) => urlOf(name).pathname.slice(1)
const port = () => String((portHolder.address() as AddressInfo).port)

/** A process with one wrong setting, and its only line. `services`: none for the edge. */
type Fault = { services: string; wrong: Environment; line: string | RegExp }
const faults: (() => Fault)[] = [
  () => ({
    services: 'media',
    wrong: { LOG_LEVEL: 'loud' },
    line: 'invalid settings: LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent',
  }),
  () => ({
    services: 'newz',
    wrong: {},
    line: 'SERVICES names newz; known services: auth, member, hotel, media, news, notification, payment',
  }),
  () => ({
    services: 'media',
    wrong: { MEDIA_RPC_PORT: port() },
    line: `port ${port()} is in use; set MEDIA_RPC_PORT to move it`,
  }),
  () => ({ services: '', wrong: { NEWS_PORT: port() }, line: `port ${port()} is in use; set NEWS_PORT to move it` }),
  () => ({
    services: '',
    wrong: { EDGE_HOST: '192.0.2.1' },
    line: '192.0.2.1 is no address of this machine; correct EDGE_HOST',
  }),
  () => ({
    services: 'media',
    wrong: { MEDIA_DIR: '/dev/null/media' },
    line: "MEDIA_DIR: /dev/null/media can't be written (ENOTDIR); name a folder of this user",
  }),
  () => ({
    services: 'media',
    wrong: { MEDIA_DATABASE_URL: Object.assign(urlOf('media'), { username: 'nobody', password: 'hunter2' }).href },
    line: new RegExp(
      `^MEDIA_DATABASE_URL: nobody@${hostOf('media')}/${schemaOf('media')} can't be used: Access denied`,
    ),
  }),
  () => ({
    services: 'media',
    wrong: { MEDIA_DATABASE_URL: Object.assign(urlOf('media'), { pathname: '/nowhere' }).href },
    line: new RegExp(`^MEDIA_DATABASE_URL: \\w+@${hostOf('media')}/nowhere can't be used: Unknown database 'nowhere'`),
  }),
  () => ({
    services: 'media',
    wrong: { MEDIA_DATABASE_URL: 'mysql://media:hunter2@127.0.0.1:1/media' },
    line: "MEDIA_DATABASE_URL: media@127.0.0.1:1/media can't be used: connect ECONNREFUSED 127.0.0.1:1",
  }),
  () => ({
    services: 'auth',
    wrong: { AUTH_DATABASE_URL: urlOf('member').href },
    line: new RegExp(
      `^AUTH_DATABASE_URL: the schema ${schemaOf('member')} belongs to the service member; give auth its own$`,
    ),
  }),
  () => ({
    services: 'auth',
    wrong: { AUTH_DATABASE_URL: urlOf('later').href },
    line: /^the schema \w+ was migrated by a later version \(0099-since-99-0-no-names\), and this is [\d.]+: start 99\.0/,
  }),
  () => ({
    services: 'auth',
    wrong: {
      NODE_ENV: 'production',
      FRONT_BASE_URL: 'https://hotel.example',
      AUTH_DATABASE_URL: 'mysql://auth:hunter2@db.example/auth',
    },
    line: 'invalid settings: AUTH_DATABASE_URL: db.example is another host, and the address asks for no TLS; add ?ssl=true, or ?ssl=false on a private network',
  }),
  () => ({
    services: 'auth',
    wrong: { NODE_ENV: 'production' },
    line: 'invalid settings: FRONT_BASE_URL: is required in production; mails would link to http://localhost:8080',
  }),
]

const secret = (letter: string) => `k3yXb9-Zq2vLw7Rt5Nf8Hs1Jd4Gm6Pc${letter}`

/** Starts a process. @returns its exit code and the messages of its log */
async function start({ services, wrong }: Fault): Promise<[code: number, lines: string[]]> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = {
    ...{ PATH, NODE_COMPILE_CACHE, ...anyPorts, METRICS_PORT: '0', AMQP_GATEWAY_URL: bus.url },
    ...{ AMQP_EXCHANGE_NAME: bus.stream, JWT_ACCESS_SECRET: secret('0'), JWT_REFRESH_SECRET: secret('1') },
    ...{ PASSWORD_ENCRYPTION_KEY: secret('2'), SERVICE_API_KEY: secret('3'), SERVICES: services },
    ...{ AUTH_DATABASE_URL: databases['auth']?.url, MEDIA_DATABASE_URL: databases['media']?.url },
    ...{ AUTH_RPC_PORT: '0', MEDIA_RPC_PORT: '0', LOG_LEVEL: 'error', ...wrong },
  }
  const script = services ? '../../services/main.ts' : '../../edge/main.ts'
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], { env })
  const whenExited = new Promise<number>(resolve => child.once('exit', code => resolve(code ?? -1)))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const lines = `${stdout}${stderr}`.trim().split('\n')
  const messageOf = (line: string) => (line.startsWith('{') ? String(JSON.parse(line).msg) : line)
  return [await whenExited, lines.map(messageOf)]
}

test('each fault is told in one line with setting, value and what to do, without a stack and without a secret', async () => {
  for (const fault of faults) {
    const { line, ...settings } = fault()
    const [code, lines] = await start({ line, ...settings })
    assert.equal([code, lines.length], [1, 1], lines.join('\n'))
    assert.match(lines[0] ?? '', line)
    assert.not.match(lines[0] ?? '', /hunter2|k3yXb9/)
  }
})

test.run()
