import { call, type LooseJson, mailsTo } from '../../cli/tour/client.ts'
import { addressOf, expect, password, takeUpInvitation } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { testPool } from '../kit/sql.ts'

/** Passwords, sessions, mails and links over HTTP. */
const test = suite('sign-ins over HTTP')
let platform: Platform
let hotels: TwoHotels

test.before(async () => {
  platform = await sharedPlatform()
  hotels = await twoHotels(platform)
})

/** A signed-in new member of our hotel. */
async function colleague(name: string): Promise<{ email: string; memberId: string; token: string }> {
  const email = addressOf(hotels.world, name)
  const { workspace: workspaceId, token: chief } = hotels.ownHotel
  const body = { email, firstName: 'Lou', lastName: 'Vent', workspaceId, workspaceRole: 'viewer', permissions: [] }
  await expect(hotels.world, 201, 'member', 'POST', '/onboarding/invite', { token: chief, body })
  const token = await takeUpInvitation(hotels.world, email)
  const me = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token })
  return { email, memberId: String(me['memberId']), token }
}

test('a password without letters is accepted unless it is listed or monotonous', async () => {
  const register = (name: string, secret: string) =>
    call(platform.urls, 'auth', 'POST', '/auth/register', {
      body: { email: addressOf(hotels.world, name), password: secret },
    })
  for (const [index, secret] of ['4820 1957 3306', '71-94-20-83-66', '#!%?$§&/()='].entries())
    assert.is((await register(`digits${index}`, secret)).status, 201, secret)
  for (const secret of ['12345678', 'PASSWORD1', '77777777777', '98765432']) {
    const { status, body } = await register('common', secret)
    assert.equal([status, body['error']?.[0]?.['path']], [400, 'password'], secret)
  }
})

test('a session recorded by a client is listed, in use, and ended only by its owner', async () => {
  const { email, memberId, token } = await colleague('sess')
  const record = (by: string | undefined, id = memberId) =>
    call(platform.urls, 'member', 'POST', '/sessions', {
      token: by,
      body: { memberId: id, userAgent: 'HotelApp/3.1 (iPhone)', appType: 'mobile' },
    })
  assert.equal(
    await Promise.all([undefined, hotels.viewer, hotels.otherHotel.token].map(async by => (await record(by)).status)),
    [401, 404, 404],
  )
  const creation = await record(token)
  assert.is(creation.status, 201)
  const id = String(creation.body['id'])
  const isListed = async (): Promise<boolean> => {
    const { data } = await expect(hotels.world, 200, 'auth', 'GET', '/users/me/sessions', { token })
    return (data as unknown as LooseJson[]).some(one => one['id'] === id)
  }
  assert.ok(await isListed())
  const enter = () =>
    call(platform.urls, 'legacyauth', 'POST', '/auth/login/mobile', {
      body: { email, password },
      headers: { 'user-agent': 'OtherApp/1.0 (Android)' },
    })
  const conflict = await enter()
  assert.equal([conflict.status, conflict.body['msg']], [409, 'MSG_624'])
  const end = (by: string) => call(platform.urls, 'auth', 'DELETE', `/users/me/sessions/${id}`, { token: by })
  assert.is((await end(hotels.viewer)).status, 404)
  assert.is((await end(token)).status, 200)
  assert.not.ok(await isListed())
  assert.is((await enter()).status, 200)
})

test('the session of a legacy access token lasts as long as the token, also after a late refresh', async () => {
  const { email, token } = await colleague('late')
  const me = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token })
  const sql = testPool(platform.env['AUTH_DATABASE_URL'] ?? '')
  const pass = (days: number) =>
    sql.query(
      `update sessions set created_at = created_at - interval ? day, expires_at = expires_at - interval ? day
       where user_id = ?`,
      [days, days, me['id']],
    )
  try {
    const options = { body: { email, password } }
    const first = await expect(hotels.world, 200, 'legacyauth', 'POST', '/auth/login/mobile', options)
    // One day before the sign-in's refresh token expires.
    await pass(89)
    const body = { refreshToken: first['refreshToken'] }
    const { accessToken } = await expect(hotels.world, 200, 'legacyauth', 'POST', '/auth/refresh', { body })
    await pass(60)
    const { data } = await expect(hotels.world, 200, 'auth', 'GET', '/users/me/sessions', {
      token: String(accessToken),
    })
    // An expired session is no longer listed; the next clean-up ends it.
    assert.ok((data as unknown as LooseJson[]).some(one => Boolean(one['isCurrent'])))
  } finally {
    await sql.end()
  }
})

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

test.run()
