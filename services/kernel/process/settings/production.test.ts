import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newSecret, rotatableSecrets } from '../../../../cli/stack/secrets.ts'
import { assert, suite } from '../../../../test/kit/kit.ts'
import type { ServiceName } from '../../base/service-names.ts'
import type { Environment } from '../config.ts'
import { assertProduction } from './production.ts'

const test = suite('what production refuses')

const production = { NODE_ENV: 'production', FRONT_BASE_URL: 'https://hotel.example' }

/** The lines with which a start is refused; none for one that is accepted. */
function refusals(env: Environment, ...services: ServiceName[]): string[] {
  try {
    assertProduction(env, new Set(services))
    return []
  } catch (error) {
    return (error as Error).message.split('\n  ').slice(1)
  }
}

/** Settings, the line that refuses them, and what ALLOW_IN_PRODUCTION has to list; nothing for a rule without exception. */
const refusedSettings: [env: Environment, line: string, risk?: string][] = [
  ...['dev-dev-dev-dev-dev-dev', 'platform-JWT-0123456789', 'my-Secret-0123456789', 'ab1ab1ab1ab1ab1ab1'].map(
    (value): [Environment, string, string] => [
      { JWT_ACCESS_SECRET: value },
      'JWT_ACCESS_SECRET: is a value for development; set it to the output of `openssl rand -hex 32`',
      'development-secrets',
    ],
  ),
  [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS: * lets the pages of all sites call; list the origins of yours', 'open-cors'],
  [
    { EMAIL_BASE_URL: 'http://sandbox:3010/email' },
    "EMAIL_BASE_URL: sandbox:3010 is a stand-in, without TLS; remove it or name the provider's address",
    'sandbox',
  ],
  [
    { NOTIFICATION_SMTP_URL: 'smtp://user:hunter2@sandbox:3025' },
    "NOTIFICATION_SMTP_URL: sandbox:3025 is a stand-in, without TLS; remove it or name the provider's address",
    'sandbox',
  ],
  [
    { PAYMENT_SECRET_KEY: 'sk_test_sandbox_secret_key' },
    "PAYMENT_SECRET_KEY: is the sandbox's; set the one of the provider",
    'sandbox',
  ],
  [
    { NEWS_MEMBER_DATABASE_URL: 'mysql://reader:hunter2@db.example:3306/member' },
    'NEWS_MEMBER_DATABASE_URL: db.example:3306 is another host, and the address asks for no TLS; add ?ssl=true, or ?ssl=false on a private network',
  ],
]

test('each is one line with setting, value and what to do, and no secret; named in ALLOW_IN_PRODUCTION it is accepted', () => {
  for (const [env, line, risk] of refusedSettings) {
    const advice = risk ? `, or add ${risk} to ALLOW_IN_PRODUCTION` : ''
    assert.equal(refusals({ ...production, ...env }), [line + advice])
    assert.equal(refusals({ ...env, NODE_ENV: 'development' }), [])
    if (risk) assert.equal(refusals({ ...production, ...env, ALLOW_IN_PRODUCTION: risk }), [])
    assert.not.match(line, 'hunter2')
  }
  const all = Object.assign({}, ...refusedSettings.map(([env]) => env), production)
  assert.is(refusals(all).length, new Set(refusedSettings.map(([, line]) => line)).size)
  assert.match(refusals({ ...production, ALLOW_IN_PRODUCTION: 'everything' })[0] ?? '', 'may list development-secrets')
})

test('a value in a file is refused as one in the environment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'production-'))
  writeFileSync(join(folder, 'url'), 'mysql://auth:hunter2@db.example/auth')
  assert.match(
    refusals({ ...production, AUTH_DATABASE_URL_FILE: join(folder, 'url') })[0] ?? '',
    /^AUTH_DATABASE_URL: db/,
  )
  rmSync(folder, { recursive: true })
})

test('generated secrets, real providers, private networks and this machine are accepted', () => {
  const secrets = Object.fromEntries(rotatableSecrets.map(name => [name, newSecret(name)]))
  const providers = { EMAIL_BASE_URL: 'https://api.sendgrid.com', SMTP_URL: 'smtp://user:x@mail.example:587' }
  for (const url of ['127.0.0.1', 'localhost:3306', '[::1]', 'db.example', 'db'].map(
    host => `mysql://a:b@${host}/auth`,
  )) {
    const AUTH_DATABASE_URL = /db/.test(url) ? `${url}?ssl=${url.includes('example')}` : url
    assert.equal(refusals({ ...production, ...secrets, ...providers, AUTH_DATABASE_URL }, 'auth'), [])
  }
})

test('production is refused without the address that links lead to, where links are made', () => {
  const line = 'FRONT_BASE_URL: is required in production; mails would link to http://localhost:8080'
  const { NODE_ENV } = production
  assert.equal(refusals({ NODE_ENV }, 'auth'), [line])
  assert.equal(refusals({ NODE_ENV }), [line])
  assert.equal(refusals({ NODE_ENV }, 'news', 'media'), [])
  assert.equal(refusals({ NODE_ENV, MEMBER_FRONT_BASE_URL: 'https://a.example' }, 'member'), [])
  assert.equal(refusals({}, 'auth'), [])
})

test.run()
