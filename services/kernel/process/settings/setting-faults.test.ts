import { assert, suite } from '../../../../test/kit/kit.ts'
import type { Environment } from '../config.ts'
import { settingWarnings } from './setting-faults.ts'

const test = suite('settings that are probably wrong')

const production = { NODE_ENV: 'production' }
const secret = 'k3yXb9-Zq2vLw7Rt5Nf8'

/** Settings, and the lines that a process with the notification service warns with. */
const warned: [env: Environment, lines: string[]][] = [
  [{ NOTIFICATON_PREFETCH: '3' }, ['NOTIFICATON_PREFETCH is no setting; did you mean NOTIFICATION_PREFETCH?']],
  [{ SMTP_URI_FILE: '/x' }, ['SMTP_URI_FILE is no setting; did you mean SMTP_URL_FILE?']],
  [{ MEMBER_RATE_LIMIT_PER_MINUTE: '3', HOSTNAME: 'a', NATS_PORT: 'tcp://x', NODE_VERSION: '24', PATH: '/bin' }, []],
  [
    { EMAIL_FROM: 'a@b', EMAIL_FROM_FILE: '/x' },
    ['EMAIL_FROM_FILE has no effect beside EMAIL_FROM; remove one of them'],
  ],
  [
    { JWT_ACCESS_SECRET: secret, SERVICE_API_KEY: 'another', JWT_REFRESH_SECRET: secret },
    ['JWT_REFRESH_SECRET has the value of JWT_ACCESS_SECRET; give it its own: openssl rand -hex 32'],
  ],
  [production, ['no mail is sent, neither invitations nor resets: set SMTP_URL, or EMAIL_API_KEY']],
  [{ ...production, NOTIFICATION_SMTP_URL: 'smtp://x' }, []],
  [{}, []],
]

test('each is told in one line that names it and what to do, without a value', () => {
  for (const [env, lines] of warned) assert.equal(settingWarnings(env, new Set(['notification'])), lines)
})

test('PORT is reported as unused in a process with several services, or with none in the edge', () => {
  const env = { PORT: '3000', MEDIA_API_URL: 'http://media.example', AMQP_ROUTING_KEY_BASE: 'page' }
  const line = 'settings without effect on this process: MEDIA_API_URL, AMQP_ROUTING_KEY_BASE'
  assert.is(settingWarnings(env, new Set(['member']))[0], line)
  assert.is(settingWarnings(env, new Set(['member', 'news']))[0], `${line}, PORT`)
  assert.is(settingWarnings(env, new Set())[0], `${line}, PORT`)
})

test('only the process that sends mails misses their settings', () => {
  assert.equal(settingWarnings(production, new Set(['news'])), [])
})

test.run()
