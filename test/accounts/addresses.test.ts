import { call, type Json, mailsTo } from '../../cli/tour/client.ts'
import { addressOf, expect, password, takeUpInvitation } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'

/** Ownership of e-mail addresses, with real mails, in one process [R20] [R57]. */
const test = suite('addresses over HTTP')
let platform: Platform
let hotels: TwoHotels

test.before(async () => {
  platform = await sharedPlatform()
  hotels = await twoHotels(platform)
})
const invite = (email: string): Promise<Json> => {
  const { workspace: workspaceId, token } = hotels.ours
  const body = { email, firstName: 'Lou', lastName: 'Vent', workspaceId, workspaceRole: 'viewer', permissions: [] }
  return expect(hotels.world, 201, 'member', 'POST', '/onboarding/invite', { token, body })
}
/** The token in the newest mail to an address with this subject. */
const tokenIn = (address: string, subject: RegExp): Promise<string> =>
  eventually(async () => {
    const mail = (await mailsTo(platform.sandboxUrl, address)).findLast(one => subject.test(String(one['subject'])))
    return /[?&]token=([\w.-]+)/.exec(String(mail?.['text']))?.[1]
  })
const enters = async (email: string, secret = password) => {
  const body = { email, password: secret }
  const modern = await call(platform.urls, 'auth', 'POST', '/auth/login', { body })
  const legacy = await call(platform.urls, 'legacyauth', 'POST', '/auth/login/mobile', { body })
  return [modern.status, legacy.status]
}

test('a mail to somebody who is no member yet is in the language of their browser', async () => {
  const register = async (name: string, language: string) => {
    const email = addressOf(hotels.world, name)
    const answer = await fetch(`${platform.urls.auth}/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ email, password, firstName: 'Sol' }),
    })
    assert.is(answer.status, 201, await answer.clone().text())
    return eventually(async () => (await mailsTo(platform.sandboxUrl, email)).at(-1))
  }
  const english = await register('sol.en', 'en-GB,en;q=0.9,fr;q=0.5')
  assert.is(english['subject'], 'Confirm your e-mail address')
  assert.match(String(english['text']), 'Hello Sol,')
  assert.is((await register('sol.de', 'de'))['subject'], 'Confirmez votre adresse e-mail')
})

test('a member with a new address signs in with the old one until the new one is confirmed, and the old one is notified', async () => {
  const [email, next] = [addressOf(hotels.world, 'lou'), addressOf(hotels.world, 'lou.next')]
  await invite(email)
  const token = await takeUpInvitation(hotels.world, email)
  const own = { token, body: { token: await tokenIn(email, /Confirmez/) } }
  await expect(hotels.world, 200, 'auth', 'POST', '/auth/verify-email', own)
  const me = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token })
  const path = `/members/update/${String(me['memberId'])}`
  const [ours, viewer] = [hotels.ours.token, hotels.viewer]
  assert.is((await call(platform.urls, 'member', 'PATCH', path, { token: viewer, body: { email: next } })).status, 403)
  const changed = await expect(hotels.world, 200, 'member', 'PATCH', path, { token: ours, body: { email: next } })
  assert.equal([changed['email'], changed['pendingEmail']], [email, next])
  const told = await eventually(async () =>
    (await mailsTo(platform.sandboxUrl, email)).find(mail => /adresse de connexion/.test(String(mail['subject']))),
  )
  assert.match(String(told['text']), next)
  assert.not.match(String(told['text']), 'token=')
  assert.equal(
    [await enters(email), await enters(next)],
    [
      [200, 200],
      [401, 401],
    ],
  )
  const body = { token: await tokenIn(next, /Confirmez/) }
  await expect(hotels.world, 200, 'auth', 'POST', '/auth/verify-email', { body })
  assert.equal(
    [await enters(email), await enters(next)],
    [
      [401, 401],
      [200, 200],
    ],
  )
  const again = await call(platform.urls, 'auth', 'POST', '/auth/verify-email', { body })
  assert.equal([again.status, again.body['error']?.[0]?.['path']], [400, 'token'])
})

test('an invited person whose address was registered by another gets the account by mail, and then the workspace', async () => {
  const email = addressOf(hotels.world, 'max')
  const squatter = { email, password: 'squatting horse 1' }
  const { accessToken } = await expect(hotels.world, 201, 'auth', 'POST', '/auth/register', { body: squatter })
  const { token } = await invite(email)
  const signUp = { body: { token, password } }
  const refused = await call(platform.urls, 'auth', 'POST', '/users/signUp', signUp)
  assert.equal([refused.status, refused.body['error']], [409, 'ConflictError'])
  const reset = { token: await tokenIn(email, /déjà un compte/), password }
  await expect(hotels.world, 200, 'auth', 'POST', '/password/reset', { body: reset })
  const gone = await call(platform.urls, 'auth', 'GET', '/users/me', { token: String(accessToken) })
  assert.is(gone.status, 401)
  assert.is((await call(platform.urls, 'auth', 'POST', '/auth/login', { body: squatter })).status, 401)
  const signed = await expect(hotels.world, 200, 'auth', 'POST', '/auth/login', { body: { email, password } })
  const bearer = String(signed['accessToken'])
  const accepted = { token: bearer, body: { token } }
  await expect(hotels.world, 201, 'auth', 'POST', '/invitations/accept', accepted)
  const me = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token: bearer })
  assert.equal([me['emailVerified'], me['workspaceId']], [true, hotels.ours.workspace])
})

test.run()
