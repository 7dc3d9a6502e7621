import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Environment } from '../../services/kernel/process/config.ts'
import { testBus, testDatabase } from '../kit/database.ts'
import { anyPorts } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { type Process, ready, startProcess } from '../kit/process.ts'

const test = suite('the log level of a running process')

const bus = await testBus()
const database = await testDatabase(new URL('../../services/auth/migrations/', import.meta.url))
// Where the member service isn't: auth tries once a second, and logs each failure as debug.
let attempts = 0
const member = createServer(socket => {
  attempts++
  socket.destroy()
}).listen(0, '127.0.0.1')
await once(member, 'listening')
const processes: Process[] = []
test.after(async () => {
  await Promise.all(processes.map(one => one.stop()))
  member.close()
  await bus.close()
  await database.drop()
})

/** Starts a process. @returns it with the lines of its log: level and message */
async function start(script: string, settings: Environment) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const secret = (letter: string) => `k3yXb9-Zq2vLw7Rt5Nf8Hs1Jd4Gm6Pc${letter}`
  const env = {
    ...{ PATH, NODE_COMPILE_CACHE, ...anyPorts, METRICS_PORT: '0', AMQP_GATEWAY_URL: bus.url },
    ...{ AMQP_EXCHANGE_NAME: bus.stream, JWT_ACCESS_SECRET: secret('0'), JWT_REFRESH_SECRET: secret('1') },
    ...{ PASSWORD_ENCRYPTION_KEY: secret('2'), SERVICE_API_KEY: secret('3'), AUTH_RPC_PORT: '0', ...settings },
  }
  const one = startProcess(script, env, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  processes.push(one)
  let text = ''
  one.child.stdout?.setEncoding('utf8').on('data', chunk => (text += chunk))
  await ready(script, one.child)
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as { level: number; msg: string; service?: string })
  const failures = () => lines().filter(({ level, service }) => level === 20 && service === 'auth').length
  /** Sends the signal and waits for the line about it. */
  const switched = async (level: string) => {
    const count = lines().length
    one.child.kill('SIGUSR2')
    const isSwitched = () =>
      lines()
        .slice(count)
        .some(({ msg }) => msg.startsWith(`the log level is ${level};`))
    await eventually(isSwitched)
  }
  return { failures, switched }
}

const moreAttempts = async () => {
  const before = attempts
  await eventually(() => attempts >= before + 3)
}

test('SIGUSR2 switches a service to debug and back, its own log included', async () => {
  const { failures, switched } = await start('services/main.ts', {
    SERVICES: 'auth',
    AUTH_DATABASE_URL: database.url,
    BOOTSTRAP_ADMIN_EMAIL: 'root@phare.example',
    BOOTSTRAP_ADMIN_PASSWORD: 'a long enough phrase',
    MEMBER_RPC_URL: `http://127.0.0.1:${(member.address() as AddressInfo).port}`,
    LOG_LEVEL: 'warn',
  })
  await moreAttempts()
  assert.is(failures(), 0)
  await switched('debug')
  await eventually(() => failures() > 1)
  await switched('warn')
  const count = failures()
  await moreAttempts()
  assert.is(failures(), count)
})

test('the edge obeys, too', async () => {
  const { switched } = await start('edge/main.ts', { LOG_LEVEL: 'silent' })
  await switched('debug')
  await switched('silent')
})

test.run()
