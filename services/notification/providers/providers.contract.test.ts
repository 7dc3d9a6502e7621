import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { webPushKeys } from '../../../cli/stack/secrets.ts'
import { assert } from '../../../test/kit/kit.ts'
import { newBrowser } from '../../../test/kit/notification/browser.ts'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'
import { contract } from '../../../test/kit/sandbox-contract.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Environment } from '../../kernel/process/config.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { createProvider } from '../../kernel/provider/provider.ts'
import { providerSettings } from '../../kernel/provider/settings.ts'
import { notificationConfig } from '../config.ts'
import type { MailJob } from '../mails/queued.ts'
import { fcmSender } from './fcm.ts'
import { mailSender } from './mail.ts'
import { oneSignalSender } from './onesignal.ts'
import type { DeliveryFailure, DeliveryOutcome } from './outcome.ts'
import type { PushJob } from './push.ts'
import { webPushSender } from './web-push.ts'

const newKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const fcm = { FCM_PROJECT_ID: 'demo', FCM_CLIENT_EMAIL: 'push@demo.test', FCM_PRIVATE_KEY: newKey() }
const sandbox = await sandboxForTest({ env: fcm })
const calls = createProvider('contract', providerSettings({}, ''), { log: silentLog })
const config = (env: Environment) =>
  notificationConfig({
    DATABASE_URL: 'mysql://127.0.0.1/none',
    MEMBER_DATABASE_URL: 'mysql://127.0.0.1/none',
    PASSWORD_ENCRYPTION_KEY: newId().repeat(3),
    ...env,
  })

function job(token: string): PushJob {
  const notification = { id: newId(), title: 'Essai', body: 'Un essai', title_en: 'Test', body_en: 'A test' }
  const entityFields = {
    type: 'page',
    category: 'created',
    workspace_id: newId(),
    entity_id: newId(),
    entity_type: 'page',
  }
  const data = JSON.stringify({ title: 'Essai', medias: [{ type: 'image' }], parent: null })
  return {
    delivery: { id: newId() },
    notification: { ...notification, ...entityFields, data },
    device: { device_token: token },
    person: { language: 'fr' },
  } as PushJob
}
const one = async (outcomes: Promise<DeliveryOutcome[]>): Promise<DeliveryOutcome> =>
  (await outcomes)[0] as DeliveryOutcome
function expectFailure(outcome: DeliveryOutcome): DeliveryFailure {
  if (outcome.ok) assert.unreachable('it was sent')
  return outcome as DeliveryFailure
}
function assertSent(outcome: DeliveryOutcome): void {
  assert.ok(outcome.ok, JSON.stringify(outcome))
  assert.ok(outcome.ok && outcome.providerId, 'no id of the provider')
}

type Place = { env: Environment; knownToken: string | undefined }

contract(
  'FCM',
  {
    sandbox: {
      env: { ...fcm, FCM_BASE_URL: `${sandbox.url}/fcm`, FCM_TOKEN_URL: `${sandbox.url}/fcm/token` },
      knownToken: `device-${newId()}`,
    } as Place,
    needs: ['FCM_PROJECT_ID', 'FCM_CLIENT_EMAIL', 'FCM_PRIVATE_KEY'],
    takes: ['FCM_DEVICE_TOKEN'],
    real: ({ FCM_DEVICE_TOKEN: knownToken, ...env }) => ({ env, knownToken }),
  },
  (test, { env, knownToken }) => {
    // Validation only: no message reaches a device.
    const push = (token: string, overrides: Environment = {}) =>
      one(fcmSender(config({ ...env, ...overrides }), calls, { validateOnly: true })([job(token)]))
    const knownOnly = knownToken ? test : test.skip

    knownOnly('a message to a registered device is accepted', async () => assertSent(await push(knownToken ?? '')))
    test('a malformed token is refused permanently, as a fault of the device', async () => {
      const { code, isFinal, isStale } = expectFailure(await push(`invalid-${newId()}`))
      assert.equal([code, isFinal, isStale], ['INVALID_ARGUMENT', true, true])
    })
    test('a foreign key sends nothing', async () => {
      const { error, isStale } = expectFailure(await push(`invalid-${newId()}`, { FCM_PRIVATE_KEY: newKey() }))
      assert.match(error, 'rejected its credentials')
      assert.is(isStale, false)
    })
  },
)

contract(
  'OneSignal',
  {
    sandbox: {
      env: {
        ONESIGNAL_BASE_URL: `${sandbox.url}/onesignal`,
        ONESIGNAL_APP_ID: randomUUID(),
        ONESIGNAL_REST_KEY: 'os_v2_app_of_the_tests',
      },
      knownToken: randomUUID(),
    } as Place,
    needs: ['ONESIGNAL_APP_ID', 'ONESIGNAL_REST_KEY'],
    takes: ['ONESIGNAL_PLAYER_ID'],
    real: ({ ONESIGNAL_PLAYER_ID: knownToken, ...env }) => ({ env, knownToken }),
  },
  (test, { env, knownToken, isReal }) => {
    const push = (tokens: string[], overrides: Environment = {}) => {
      const first = job('')
      const jobs = tokens.map(token => ({ ...job(token), notification: first.notification }))
      return oneSignalSender(config({ ...env, ...overrides }), calls)(jobs)
    }
    /** A player that doesn't exist; the sandbox recognises one by its prefix. */
    const nobody = () => (isReal ? randomUUID() : `stale-${randomUUID()}`)
    const knownOnly = knownToken ? test : test.skip

    knownOnly('a notification reaches the test player, and unknown players are reported', async () => {
      const [first, second] = await push([knownToken ?? '', nobody()])
      assertSent(first as DeliveryOutcome)
      assert.is(second?.ok === false && second.code, 'invalid_player_ids')
    })
    test('an unknown player is a permanent failure', async () => {
      const { code, isFinal } = expectFailure(await one(push([nobody()])))
      assert.ok(['invalid_player_ids', 'no_recipients'].includes(code ?? ''), `${code}`)
      assert.is(isFinal, true)
    })
    test('an invalid key sends nothing', async () => {
      for (const key of ['os_v2_app_invalid', 'invalid-rest-key']) {
        const { code, isStale } = expectFailure(await one(push([nobody()], { ONESIGNAL_REST_KEY: key })))
        assert.match(code ?? '', /^40[0-3]$/)
        assert.is(isStale, false)
      }
    })
  },
)

const browser = newBrowser(sandbox.url)
type BrowserPlace = { env: Environment; endpoint: string; p256dh: string; auth: string }

contract(
  'web push',
  {
    sandbox: { env: webPushKeys(), ...browser.subscription } as BrowserPlace,
    needs: [
      'VAPID_PUBLIC_KEY',
      'VAPID_PRIVATE_KEY',
      'EMAIL_FROM',
      'BROWSER_ENDPOINT',
      'BROWSER_P256DH',
      'BROWSER_AUTH',
    ],
    real: ({ BROWSER_ENDPOINT: endpoint, BROWSER_P256DH: p256dh, BROWSER_AUTH: auth, ...env }) => ({
      env,
      endpoint,
      p256dh,
      auth,
    }),
  },
  (test, { env, endpoint, p256dh, auth }) => {
    const push = (address: string) => {
      const device = { device_token: address, p256dh, auth, session_id: newId() }
      const parts = { findLiveSessions: async (ids: string[]) => ids, countUnread: async () => new Map() }
      const sender = webPushSender({ config: config(env), callsTo: () => calls, ...parts })
      return one(sender([{ ...job(''), device } as PushJob]))
    }
    test('a push to a subscribed browser is accepted', async () => assertSent(await push(endpoint)))
    test('a subscription that has ended is a permanent failure', async () => {
      const { isFinal } = expectFailure(await push(endpoint.replace(/[^/]+$/, `stale-${newId()}`)))
      assert.is(isFinal, true)
    })
  },
)

type MailPlace = { env: Environment; to: string }
const mail = async ({ env, to }: MailPlace, overrides: Environment = {}): Promise<DeliveryOutcome> => {
  const headers = { 'List-Unsubscribe': '<https://platform.example/unsubscribe>' }
  const content = { senderName: 'Essai', subject: 'Essai — é', html: '<p>Un essai</p>', text: 'Un essai', headers }
  const compose = async () => ({ id: newId(), to: { email: to, name: 'Essai, "Contrat"' }, ...content })
  const sender = mailSender(config({ ...env, ...overrides }), compose, calls, silentLog)
  const outcome = await one(sender.send([{} as MailJob]))
  sender.close()
  return outcome
}

contract(
  'the mail provider over HTTP',
  {
    sandbox: {
      env: { EMAIL_BASE_URL: `${sandbox.url}/email`, EMAIL_API_KEY: 'SG.contract' },
      to: `${newId()}@hotel.example`,
    } as MailPlace,
    needs: ['EMAIL_API_KEY', 'EMAIL_FROM', 'EMAIL_TO'],
    real: ({ EMAIL_TO: to, ...env }) => ({ env, to }),
  },
  (test, { isReal, ...place }) => {
    test('a mail to the test receiver is accepted, with an id', async () => assertSent(await mail(place)))
    test('an invalid address is refused permanently', async () => {
      const { code, isFinal, error } = expectFailure(await mail({ ...place, to: 'nobody' }))
      assert.equal([code, isFinal], ['400', true])
      assert.ok(error.length > '400 '.length)
    })
    test('an invalid key sends nothing', async () => {
      assert.match(expectFailure(await mail(place, { EMAIL_API_KEY: 'SG.invalid' })).code ?? '', /^40[13]$/)
    })
    const inSandbox = isReal ? test.skip : test
    inSandbox('a rate limit states when to retry', async () => {
      await sandbox.control({ provider: 'email', mode: '429', retryAfter: 9 })
      const { retryAfterMs, isFinal } = expectFailure(await mail(place))
      assert.is(isFinal, false)
      assert.ok(retryAfterMs >= 9_000 && retryAfterMs <= 10_000, `${retryAfterMs}`)
    })
  },
)

contract(
  'a mail server',
  {
    sandbox: { env: { SMTP_URL: sandbox.smtpUrl }, to: `${newId()}@hotel.example` } as MailPlace,
    needs: ['SMTP_URL', 'EMAIL_FROM', 'EMAIL_TO'],
    real: ({ EMAIL_TO: to, ...env }) => ({ env, to }),
  },
  (test, { isReal, ...place }) => {
    test('a mail to the test receiver is accepted, with an id', async () => assertSent(await mail(place)))
    test('an invalid password sends nothing', async () => {
      const url = new URL(place.env['SMTP_URL'] ?? '')
      url.username ||= 'nobody'
      url.password = 'invalid'
      expectFailure(await mail(place, { SMTP_URL: url.href }))
    })
    test('a receiver without a domain is refused', async () => {
      expectFailure(await mail({ ...place, to: 'refused-nobody@' }))
    })
    if (!isReal) test.after(() => sandbox.close())
  },
)
