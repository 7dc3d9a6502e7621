import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sources } from '../../cli/sources.ts'
import { type Call, call, type LooseJson, type RouteAnswer } from '../../cli/tour/client.ts'
import { addressOf, password } from '../../cli/tour/world.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { eventually } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { short } from '../kit/requests/probing.ts'

/* The legacy version over HTTP, with real mails, alongside the modern version and all services. */
const test = suite('legacy version over HTTP')
const platform = await sharedPlatform()
let hotels: TwoHotels
let key: string
const phone = { 'user-agent': 'HotelApp/3.1 (iPhone)' }
const temporaryPassword = 'temporary horse 4'
const chosenPassword = 'chosen horse 12'

async function legacy(method: string, path: string, options: Call = {}): Promise<RouteAnswer> {
  const headers = { ...phone, ...options.headers }
  const answer = await call(platform.urls, 'legacyauth', method, path, { ...options, headers })
  if (answer.status >= 400 && !('accept' in headers)) assert.ok(isOurs(answer.body), short(answer))
  return answer
}

/** The body of an answer that must have this status; legacy answers must name their end date. */
async function expectBody(status: number, method: string, path: string, options: Call = {}): Promise<LooseJson> {
  const answer = await legacy(method, path, options)
  assert.is(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/)
  assert.ok(Date.parse(answer.headers.get('sunset') ?? ''))
  return answer.body
}
const seenCodes = new Set<string>()
/** Asserts status and message code of a refusal. */
async function isRefused(status: number, msg: string, method: string, path: string, options: Call = {}) {
  seenCodes.add(msg)
  assert.is((await expectBody(status, method, path, options))['msg'], msg, `${method} ${path}`)
}
const keysOf = (body: LooseJson): string[] => Object.keys(body).toSorted()
const isOurs = (body: LooseJson): boolean =>
  keysOf(body).join() === 'msg,success' && typeof body['msg'] === 'string' && body['success'] === false

/** A member of our hotel without an account. */
async function member(name: string): Promise<{ email: string; memberId: string }> {
  const email = addressOf(hotels.world, name)
  const body = {
    email,
    firstName: 'Lea',
    lastName: 'Ghost',
    dashboardAccess: true,
    workspaceId: hotels.ownHotel.workspace,
  }
  const creation = await call(platform.urls, 'member', 'POST', '/members', { token: hotels.ownHotel.token, body })
  assert.is(creation.status, 201, JSON.stringify(creation.body))
  return { email, memberId: String(creation.body['id']) }
}
async function inviteMember(name: string) {
  const one = await member(name)
  const body = await expectBody(201, 'POST', '/auth/invitation', { key, body: { ...one, password: temporaryPassword } })
  return { ...one, userId: String(body['user']?.['id']), body }
}
const login = (email: string, secret: string, type = 'mobile') =>
  expectBody(200, 'POST', `/auth/login/${type}`, { body: { email, password: secret } })

test('two hotels exist', async () => {
  hotels = await twoHotels(platform)
  key = hotels.apiKey
})

test('every message code of a sign-in has its status', async () => {
  seenCodes.clear()
  const { email, memberId } = await inviteMember('ivy')
  const path = '/auth/login/dashboard'
  await isRefused(400, 'MSG_600', 'POST', path, { body: { email } })
  await isRefused(400, 'MSG_600', 'POST', path, { body: { password: 'x' } })
  await isRefused(400, 'MSG_600', 'POST', '/auth/loginAsAdmin', { body: {} })
  await isRefused(401, 'MSG_601', 'POST', path, { body: { email, password: 'wrong horse 7' } })
  await isRefused(401, 'MSG_601', 'POST', '/auth/refresh', { body: { refreshToken: 'none of ours' } })
  await isRefused(401, 'MSG_601', 'POST', '/auth/registerTemp', {
    body: { token: 'none of ours', password: chosenPassword },
  })
  await login(email, temporaryPassword, 'dashboard')
  const otherDevice = { headers: { 'user-agent': 'Other/1.0' } }
  const body = { email, password: temporaryPassword }
  await isRefused(409, 'MSG_624', 'POST', path, { body, ...otherDevice })
  const outsiderEmail = addressOf(hotels.world, 'alone')
  await call(platform.urls, 'auth', 'POST', '/auth/register', { body: { email: outsiderEmail, password } })
  await isRefused(404, 'MSG_602', 'POST', path, { body: { email: outsiderEmail, password } })
  for (const [type, code, settingsPath, change] of [
    ['mobile', 'MSG_603', '/settings/member', { mobileAccess: false }],
    ['dashboard', 'MSG_604', '/members/update', { dashboardAccess: false }],
  ] as const) {
    const { token } = hotels.ownHotel
    const answer = await call(platform.urls, 'member', 'PATCH', `${settingsPath}/${memberId}`, { token, body: change })
    assert.is(answer.status, 200, short(answer))
    await isRefused(403, code, 'POST', `/auth/login/${type}`, { body })
  }
  const thrown = sources()
    .filter(({ path: file }) => file.startsWith('services/auth/legacy/sign-in/') && !file.endsWith('.test.ts'))
    .flatMap(({ text }) => text.match(/(?<=failure\(')MSG_\d+/g) ?? [])
  assert.equal([...seenCodes].toSorted(), [...new Set(thrown)].toSorted())
})

test('a person’s legacy and modern tokens open every service alike', async () => {
  const email = addressOf(hotels.world, 'ada')
  const tokens = [
    String((await login(email, password, 'dashboard'))['accessToken']),
    String(
      (await call(platform.urls, 'auth', 'POST', '/auth/login', { body: { email, password } })).body['accessToken'],
    ),
  ]
  const { workspace, ecosystem } = hotels.ownHotel
  const places: [RestService, string][] = [
    ['auth', '/users/me'],
    ['legacyauth', '/user/profile'],
    ['member', `/workspaces/get/${workspace}`],
    ['hotel', `/hotel/get/${ecosystem}`],
    ['media', `/media/usage/${ecosystem}`],
    ['news', `/api/v1/pages?workspaceId=${workspace}`],
    ['notification', '/api/v1/notifications'],
    ['payment', '/sub/plans'],
  ]
  assert.is(new Set(places.map(([service]) => service)).size, Object.keys(platform.urls).length)
  for (const [service, path] of places) {
    const ask = () => Promise.all(tokens.map(token => call(platform.urls, service, 'GET', path, { token })))
    // Events of earlier tests may still change one of the two answers.
    const areAlike = (all: RouteAnswer[]) => new Set(all.map(({ body }) => JSON.stringify(body))).size === 1
    const [old, modern] = await eventually(async () => {
      const both = await ask()
      return areAlike(both) ? both : undefined
    }).catch(ask)
    assert.equal([old?.status, modern?.status], [200, 200], `${service} ${path}`)
    assert.equal(old?.body, modern?.body, service)
    assert.is((await call(platform.urls, service, 'GET', path)).status, 401, service)
  }
})

test.run()
