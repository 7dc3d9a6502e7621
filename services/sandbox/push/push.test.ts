import { createSign, generateKeyPairSync } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'

const test = suite('sandbox push')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const env = { FCM_PROJECT_ID: 'demo', FCM_CLIENT_EMAIL: 'push@demo.test', FCM_PRIVATE_KEY: pem.replaceAll('\n', '\\n') }
const sandbox = await sandboxForTest({ env })
test.after(() => sandbox.close())

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
function assertion(more: object = {}, header: object = {}, key = pem) {
  const iat = Math.floor(Date.now() / 1000)
  const scope = 'https://www.googleapis.com/auth/firebase.messaging'
  const claims = { iss: 'push@demo.test', scope, aud: `${sandbox.url}/fcm/token`, iat, exp: iat + 3600, ...more }
  const text = `${encoded({ alg: 'RS256', typ: 'JWT', ...header })}.${encoded(claims)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}
const token = (jwt: string, grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer') =>
  sandbox.call('POST', '/fcm/token', new URLSearchParams({ grant_type: grant, assertion: jwt }).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
const access = (await token(assertion())).json.access_token
const push = (message: unknown, bearer = access, project = 'demo') =>
  sandbox.call('POST', `/fcm/v1/projects/${project}/messages:send`, { message }, { authorization: `Bearer ${bearer}` })

test('a signed assertion returns an access token, and a forged, expired or foreign one does not', async () => {
  const good = await token(assertion())
  assert.is(good.status, 200)
  assert.is(good.json.token_type, 'Bearer')
  assert.is(good.json.expires_in, 3599)
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const past = Math.floor(Date.now() / 1000) - 7200
  const bad = [
    assertion({}, {}, other),
    assertion({ iat: past, exp: past + 3600 }),
    assertion({ iss: 'x@y.z' }),
    assertion({ scope: 'mail' }),
    assertion({ aud: 'https://elsewhere' }),
    assertion({}, { alg: 'HS256' }),
    'a.b.c',
    '',
    `${assertion()}.x`,
  ]
  for (const jwt of bad) {
    const { status, json } = await token(jwt)
    assert.is(status, 400)
    assert.is(json.error, 'invalid_grant')
  }
  assert.is((await token(assertion(), 'password')).json.error, 'unsupported_grant_type')
})

test('a message to a registered device is accepted by name and listed', async () => {
  const sent = await push({
    token: 'device-1',
    notification: { title: 'Bonjour', body: 'Une page' },
    data: { pageId: 'p1' },
  })
  assert.is(sent.status, 200)
  assert.match(sent.json.name, /^projects\/demo\/messages\/0:/)
  const { data } = (await sandbox.call('GET', '/_pushes?to=device-1')).json
  assert.is(data[0].title, 'Bonjour')
  assert.equal(data[0].data, { pageId: 'p1' })
})

test("refusals carry the provider's error codes", async () => {
  const stale = await push({ token: 'stale-1' })
  assert.is(stale.status, 404)
  assert.is(stale.json.error.status, 'NOT_FOUND')
  assert.is(stale.json.error.details[0].errorCode, 'UNREGISTERED')
  assert.is((await push({ token: 'mismatch-1' })).json.error.details[0].errorCode, 'SENDER_ID_MISMATCH')
  const malformed = (await push({ token: 'invalid-1' })).json.error
  assert.equal(malformed.details, [
    { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'INVALID_ARGUMENT' },
  ])
  assert.match(malformed.message, 'not a valid FCM registration token')
  const wrong = [
    undefined,
    {},
    { token: 'a', topic: 'b' },
    { token: 'a', data: { n: 1 } },
    { token: 'a', data: { from: 'x' } },
    { token: 'a', data: { big: 'x'.repeat(5000) } },
    { token: 'a', title: 'x' },
    { token: 'a', notification: 'x' },
  ]
  for (const message of wrong) {
    const { status, json } = await push(message)
    assert.is(status, 400, JSON.stringify(message)?.slice(0, 80))
    assert.is(json.error.status, 'INVALID_ARGUMENT')
    assert.match(json.error.details[0].fieldViolations[0].field, /^message/)
  }
  assert.is((await push({ token: 'a' }, 'nonsense')).json.error.status, 'UNAUTHENTICATED')
  assert.is((await push({ token: 'a' }, access, 'other')).json.error.status, 'PERMISSION_DENIED')
})

const one = (
  body: unknown,
  headers: Record<string, string> = { authorization: 'Key os_v2' },
  path = '/api/v1/notifications',
) => sandbox.call('POST', `/onesignal${path}`, body, headers)
const note = (ids: string[], more: object = {}) => ({
  app_id: 'app',
  include_player_ids: ids,
  headings: { en: 'Hi', fr: 'Salut' },
  contents: { en: 'Text', fr: 'Texte' },
  data: { a: 1 },
  ...more,
})

test('the other push provider answers with an id and the number of recipients, on both of its paths', async () => {
  const sent = await one(note(['player-1', 'player-2']))
  assert.is(sent.json.recipients, 2)
  assert.type(sent.json.id, 'string')
  assert.is(
    (
      await one(
        { ...note([]), include_player_ids: undefined, include_subscription_ids: ['s1'] },
        { authorization: 'Basic k3y' },
        '/notifications',
      )
    ).json.recipients,
    1,
  )
  assert.is((await sandbox.call('GET', '/_pushes?to=player-2')).json.data[0].title, 'Salut')
})

test('it answers 200 with errors for an unknown player, and an empty id without recipients', async () => {
  const mixed = await one(note(['player-3', 'stale-9']))
  assert.is(mixed.status, 200)
  assert.equal(mixed.json.errors, { invalid_player_ids: ['stale-9'] })
  const none = await one(note(['unsubscribed-1']))
  assert.is(none.status, 200)
  assert.is(none.json.id, '')
  assert.equal(none.json.errors, ['All included players are not subscribed'])
  assert.equal((await one(note(['stale-9']))).json, { errors: { invalid_player_ids: ['stale-9'] } })
})

test('it replays an idempotency key and refuses invalid requests', async () => {
  const keyed = note(['player-4'], { idempotency_key: 'b0b0b0b0-0000-4000-8000-000000000000' })
  assert.is((await one(keyed)).json.id, (await one(keyed)).json.id)
  assert.is((await sandbox.call('GET', '/_pushes?to=player-4')).json.data.length, 1)
  for (const body of [
    {},
    note(['a'], { app_id: undefined }),
    note(['a'], { contents: { fr: 'x' } }),
    note([]),
    note(['a'], { include_player_ids: 'a' }),
    '[]',
  ]) {
    const { status, json } = await one(body)
    assert.is(status, 400, JSON.stringify(body))
    assert.type(json.errors[0], 'string')
  }
  assert.is((await one(note(['a']), {})).status, 403)
})

test.run()
