import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sources } from '../../cli/sources.ts'
import { readConfig as authConfig } from '../../services/auth/config.ts'
import { hotelConfig } from '../../services/hotel/config.ts'
import { ConfigError, type Environment } from '../../services/kernel/process/config.ts'
import { silentLog } from '../../services/kernel/process/log.ts'
import { startHost } from '../../services/kernel/rpc/host.ts'
import { memberConfig } from '../../services/member/config.ts'
import { notificationConfig } from '../../services/notification/config.ts'
import { paymentConfig } from '../../services/payment/config.ts'
import { assert, suite } from '../kit/kit.ts'

const test = suite('secrets refused at start')

const longSecret = 'k3yXb9-Zq2vLw7Rt5Nf8Hs1Jd4Gm6Pc0'
const database = 'mysql://user:pass@127.0.0.1:1/none'
const fullEnv: Environment = {
  NODE_ENV: 'production',
  AMQP_GATEWAY_URL: 'nats://127.0.0.1:1',
  FRONT_BASE_URL: 'https://front.example',
  ...Object.fromEntries(
    ['AUTH', 'MEMBER', 'HOTEL', 'NOTIFICATION', 'PAYMENT'].map(name => [`${name}_DATABASE_URL`, database]),
  ),
  NOTIFICATION_MEMBER_DATABASE_URL: database,
  JWT_ACCESS_SECRET: longSecret,
  JWT_REFRESH_SECRET: longSecret,
  PASSWORD_ENCRYPTION_KEY: longSecret,
  SERVICE_API_KEY: longSecret,
  PAYMENT_SECRET_KEY: 'sk_live_0123456789abcdef',
  PAYMENT_WEBHOOK_SECRET: longSecret,
}

type Reader = { read(env: Environment): unknown; needed: string[]; optional: string[] }
const beside = (name: string) => [`${name}_PREVIOUS`, `${name}_NEXT`]
const storage = { needed: ['PASSWORD_ENCRYPTION_KEY'], optional: beside('PASSWORD_ENCRYPTION_KEY') }

/** The secrets that each configuration reads at start. */
const readers: Record<string, Reader> = {
  'every process': {
    read: env => startHost([], env, silentLog),
    needed: ['JWT_ACCESS_SECRET', 'SERVICE_API_KEY'],
    optional: [...beside('JWT_ACCESS_SECRET'), ...beside('SERVICE_API_KEY')],
  },
  auth: {
    read: authConfig,
    needed: ['JWT_REFRESH_SECRET', ...storage.needed],
    optional: [...beside('JWT_REFRESH_SECRET'), ...storage.optional, 'BOOTSTRAP_ADMIN_PASSWORD'],
  },
  member: { read: memberConfig, ...storage },
  hotel: { read: hotelConfig, ...storage },
  notification: { read: notificationConfig, ...storage },
  payment: { read: paymentConfig, needed: ['PAYMENT_SECRET_KEY', 'PAYMENT_WEBHOOK_SECRET'], optional: [] },
}

const bad: Record<string, string> = {
  short: 'q7',
  'an example': '<JWT_SECRET_OF_THE_PLATFORM_HERE>',
  'to be changed': 'change-me-change-me-change-me-please',
  'one letter': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
}

async function refusalOf(read: Reader['read'], env: Environment): Promise<string> {
  try {
    await read(env)
  } catch (error) {
    assert.instance(error, ConfigError)
    return (error as Error).message
  }
  return assert.unreachable('it was not refused') as never
}

for (const [reader, { read, needed, optional }] of Object.entries(readers)) {
  test(`${reader}: each missing secret is named`, async () => {
    for (const name of needed) {
      const message = await refusalOf(read, { ...fullEnv, [name]: undefined })
      assert.match(message, new RegExp(`\\b${name}: is required`))
    }
    const none = await refusalOf(read, { ...fullEnv, ...Object.fromEntries(needed.map(name => [name, ''])) })
    for (const name of needed) assert.match(none, `${name}: is required`)
  })

  test(`${reader}: each secret that is short or an example is named, without its value`, async () => {
    for (const name of [...needed, ...optional])
      for (const [kind, value] of Object.entries(bad)) {
        // The administrator's password is typed by a person, so weaker rules apply.
        if (name === 'BOOTSTRAP_ADMIN_PASSWORD' && value.length > 8 && kind !== 'one letter') continue
        const message = await refusalOf(read, { ...fullEnv, [name]: value })
        assert.match(message, name, `${name}: ${kind}`)
        assert.not.match(message, value)
      }
  })
}

test('every reader starts with the whole set', () => {
  for (const [reader, { read }] of Object.entries(readers))
    if (reader !== 'every process') assert.ok(read(fullEnv), reader)
})

test('every secret that a service reads at start is in `readers`', () => {
  const tabled = new Set(Object.values(readers).flatMap(({ needed, optional }) => [...needed, ...optional]))
  const files = sources().filter(({ path }) => /^services\/([\w-]+\/config|kernel\/rpc\/host)\.ts$/.test(path))
  const read = files.flatMap(({ text }) =>
    [...text.matchAll(/^ +([A-Z_]+): (?:secret|storageKey)\b/gm)].map(match => match[1] ?? ''),
  )
  assert.ok(read.length > 15)
  assert.equal(
    read.filter(name => !tabled.has(name)),
    [],
  )
})

test('a process exits with 1 and names the setting at fault without its value', () => {
  const args = [fileURLToPath(new URL('../../services/main.ts', import.meta.url))]
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { ...fullEnv, PATH, NODE_COMPILE_CACHE, SERVICES: 'auth', JWT_ACCESS_SECRET: 'hunter2' }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  assert.is(status, 1)
  assert.match(stdout + stderr, /JWT_ACCESS_SECRET: must have at least 16 characters/)
  assert.not.match(stdout + stderr, 'hunter2')
})

test.run()
