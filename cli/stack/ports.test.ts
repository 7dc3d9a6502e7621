import { type AddressInfo, createServer, type Server } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { environment, platformPorts } from '../environment.ts'
import { newFolder, removeFolders } from '../fixtures/helpers.ts'
import { addressesOf } from '../published.ts'
import { checkPorts, freePort, onFreePort } from './ports.ts'
import { loadSecrets } from './secrets.ts'

const test = suite('ports and settings')
let server: Server
let takenPort = 0
test.before(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  takenPort = (server.address() as AddressInfo).port
})
test.after(() => {
  server.close()
  removeFolders()
})

const message = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    error => error.message,
  )

test('every port in use is reported with its purpose and setting', async () => {
  const free = await freePort()
  const ports = [
    { name: 'news', setting: 'NEWS_PORT', port: takenPort },
    { name: 'member', setting: 'MEMBER_PORT', port: free },
    { name: 'member RPC', setting: 'MEMBER_RPC_PORT', port: takenPort, host: '127.0.0.1' },
  ]
  const lines = (await message(checkPorts(ports))).split('\n')
  assert.is(lines[0], `Port ${takenPort} (news) is in use by another program: set NEWS_PORT to move it.`)
  assert.match(lines[1] ?? '', `Port ${takenPort} (member RPC) is also configured for news (NEWS_PORT)`)
  assert.is(lines.length, 2)
})

test('free ports are accepted and remain free', async () => {
  const port = await freePort()
  for (let i = 0; i < 2; i++) assert.is(await message(checkPorts([{ name: 'x', setting: 'X', port }])), '')
})

test('a wanted port that is taken is replaced by a free one', async () => {
  assert.is.not(await freePort(takenPort), takenPort)
})

test('a server whose port is taken before it starts gets another port; any other failure is reported', async () => {
  const otherServers: Server[] = []
  const quicker = async (port: number) => {
    if (otherServers.length === 1) return port
    const other = createServer().listen(port, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    otherServers.push(other)
    throw new Error('the port is taken')
  }
  const port = await onFreePort(undefined, quicker)
  const [lostPort] = otherServers.map(other => (other.address() as AddressInfo).port)
  for (const other of otherServers) other.close()
  assert.ok(port !== lostPort, `${port} and ${lostPort}`)
  let tries = 0
  const failure = onFreePort(undefined, async () => {
    tries++
    throw new Error('no data')
  })
  assert.is(await message(failure), 'no data')
  assert.is(tries, 1)
})

test('every documented port is checked once, at its configured place', () => {
  const numbers = (env: Record<string, string>) => platformPorts(env).map(each => each.port)
  const documentedPorts = [3000, 3001, 3002, 3003, 3004, 3005, 3006, 3007, 4000, 4001, 4002, 4003, 4004, 4005, 4006]
  assert.equal(
    numbers({}).sort((a, b) => a - b),
    [...documentedPorts.slice(0, 8), 3010, ...documentedPorts.slice(8), 8080, 9464],
  )
  assert.ok(numbers({ LEGACY_AUTH_PORT: '3055' }).includes(3055))
  assert.ok(numbers({ NEWS_PORT: '5' }).includes(5))
  assert.not.ok(numbers({ NEWS_PORT: '0' }).includes(0))
})

test('of the addresses that the start prints, the web client’s comes first, as FRONT_BASE_URL has it', () => {
  const urls = { auth: 'http://a', legacyauth: 'http://b', member: 'http://c', hotel: 'http://d' }
  const all = { ...urls, media: 'http://e', news: 'http://f', notification: 'http://g', payment: 'http://h' }
  const listAddresses = (env: Record<string, string>) => addressesOf(all, env).map(({ name, url }) => `${name} ${url}`)
  assert.is(listAddresses({})[0], 'web-client http://localhost:8080')
  assert.is(listAddresses({ FRONT_BASE_URL: 'https://hotel.example/#/' })[0], 'web-client https://hotel.example/#/')
  assert.is(listAddresses({}).at(-1)?.split(' ')[0], 'operator-console')
  const without = listAddresses({ FRONT_CLIENT: 'off' })
  assert.not.ok(without.some(line => line.startsWith('web-client')))
})

test('existing settings are kept, also as files; the others come from the stack and its secrets', () => {
  const secrets = loadSecrets(newFolder())
  const stack = {
    databaseUrl: (name: string) => `mysql://${name}`,
    memberReadUrl: 'mysql://read',
    natsUrl: 'nats://bus',
  }
  const env = environment(stack, secrets, { NEWS_DATABASE_URL: 'mysql://mine', JWT_ACCESS_SECRET_FILE: '/run/secret' })
  assert.is(env['NEWS_DATABASE_URL'], 'mysql://mine')
  assert.is(env['AUTH_DATABASE_URL'], 'mysql://auth')
  assert.is(env['NEWS_MEMBER_DATABASE_URL'], 'mysql://read')
  assert.is(env['NOTIFICATION_MEMBER_DATABASE_URL'], 'mysql://read')
  assert.is(env['AMQP_GATEWAY_URL'], 'nats://bus')
  assert.is(env['AMQP_EXCHANGE_NAME'], 'platform_events')
  assert.is(env['JWT_ACCESS_SECRET'], undefined)
  assert.is(env['JWT_REFRESH_SECRET'], secrets.JWT_REFRESH_SECRET)
  assert.is(Buffer.from(env['PASSWORD_ENCRYPTION_KEY'] ?? '', 'hex').length, 32)
  assert.is(env['MEDIA_PUBLIC_URL'], undefined)
  const movedEnv = environment(stack, secrets, { MEDIA_PORT: '13003', MEDIA_PUBLIC_URL: '', NOTIFICATION_PORT: '0' })
  assert.equal(
    [movedEnv['MEDIA_PUBLIC_URL'], movedEnv['NOTIFICATION_PUBLIC_URL']],
    ['http://127.0.0.1:13003', undefined],
  )
})

test('secrets are created once, differ between folders, and are added when a later version needs more', () => {
  const folder = newFolder()
  const first = loadSecrets(folder)
  assert.equal(loadSecrets(folder), first)
  const other = loadSecrets(newFolder())
  for (const name of Object.keys(first) as (keyof typeof first)[]) assert.is.not(first[name], other[name], name)
})

test.run()
