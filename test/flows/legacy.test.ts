import { create } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sources } from '../../cli/sources.ts'
import { type Answer, type Call, call, type Json, mailsTo } from '../../cli/tour/client.ts'
import { addressOf, password } from '../../cli/tour/world.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { PasswordService } from '../../gen/platform/legacyauth/v1/passwords_pb.ts'
import { eventually } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { pathsOf, short } from '../kit/requests/probing.ts'
import { type RpcSurface, rpcClient, rpcSurfaces } from '../kit/requests/surfaces.ts'

/* The legacy version over HTTP, with real mails, alongside the modern version and all services. */
const test = suite('legacy version over HTTP')
const platform = await sharedPlatform()
let hotels: TwoHotels
let key: string
const phone = { 'user-agent': 'HotelApp/3.1 (iPhone)' }
const temporary = 'temporary horse 4'
const chosen = 'chosen horse 12'

/** Fields at fault are named only to clients that ask for problem details. */
const inDetail = { accept: 'application/problem+json' }

async function legacy(method: string, path: string, options: Call = {}): Promise<Answer> {
  const headers = { ...phone, ...options.headers }
  const answer = await call(platform.urls, 'legacyauth', method, path, { ...options, headers })
  if (answer.status >= 400 && !('accept' in headers)) assert.ok(isOurs(answer.body), short(answer))
  return answer
}

/** The body of an answer that must have this status; legacy answers must name their end date. */
async function said(status: number, method: string, path: string, options: Call = {}): Promise<Json> {
  const answer = await legacy(method, path, options)
  assert.is(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  assert.match(answer.headers.get('deprecation') ?? '', /^@\d+$/)
  assert.ok(Date.parse(answer.headers.get('sunset') ?? ''))
  return answer.body
}
const seen = new Set<string>()
/** Asserts status and message code of a refusal. */
async function isRefused(status: number, msg: string, method: string, path: string, options: Call = {}) {
  seen.add(msg)
  assert.is((await said(status, method, path, options))['msg'], msg, `${method} ${path}`)
}
/** The same for a 400, whose problem details name a field. */
async function isRefusedBy(field: string, msg: string | undefined, method: string, path: string, options: Call) {
  await isRefused(400, msg ?? 'NO_MSG', method, path, options)
  const answer = await legacy(method, path, { ...options, headers: inDetail })
  assert.equal([answer.body['msg'], pathsOf(answer)], [msg, [field]], path)
}
const keysOf = (body: Json): string[] => Object.keys(body).toSorted()
const isOurs = (body: Json): boolean =>
  keysOf(body).join() === 'msg,success' && typeof body['msg'] === 'string' && body['success'] === false

/** A member of our hotel without an account. */
async function member(who: string): Promise<{ email: string; memberId: string }> {
  const email = addressOf(hotels.world, who)
  const body = { email, firstName: 'Lea', lastName: 'Ghost', dashboardAccess: true, workspaceId: hotels.ours.workspace }
  const made = await call(platform.urls, 'member', 'POST', '/members', { token: hotels.ours.token, body })
  assert.is(made.status, 201, JSON.stringify(made.body))
  return { email, memberId: String(made.body['id']) }
}
async function invited(who: string) {
  const one = await member(who)
  const body = await said(201, 'POST', '/auth/invitation', { key, body: { ...one, password: temporary } })
  return { ...one, userId: String(body['user']?.['id']), body }
}
const login = (email: string, secret: string, type = 'mobile') =>
  said(200, 'POST', `/auth/login/${type}`, { body: { email, password: secret } })

test('two hotels exist', async () => {
  hotels = await twoHotels(platform)
  key = hotels.apiKey
})

test('invitation, first sign-in, profile and change of the temporary password have the documented bodies', async () => {
  const { email, memberId, userId, body } = await invited('lea')
  assert.equal(body, { success: true, user: { id: userId, email, isTmpPassword: true, isFirstLogin: true } })
  const first = await login(email, temporary)
  assert.equal([first['isTmpPassword'], first['isFirstLogin'], first['requirePasswordChange']], [true, true, true])
  const token = String(first['accessToken'])
  const known = await call(platform.urls, 'member', 'GET', `/members/get/with/${email}`, { token: hotels.ours.token })
  assert.ok(known.body['registeredAt'], JSON.stringify(known.body))
  const sessions = await call(platform.urls, 'auth', 'GET', '/users/me/sessions', { token })
  assert.equal(
    (sessions.body['data'] as unknown as Json[]).map(one => [one['appType'], one['memberId'], one['isActive']]),
    [['mobile', memberId, true]],
  )
  const profile = await said(200, 'GET', '/user/profile', { token })
  const places = [profile['hotelId'], profile['ecosystemId'], profile['workspaceId']]
  assert.equal(places, [hotels.ours.ecosystem, hotels.ours.ecosystem, hotels.ours.workspace])
  assert.equal([profile['memberId'], profile['firstname'], profile['isFirstLogin']], [memberId, 'Lea', true])
  const change = { oldPassword: temporary, newPassword: chosen }
  const wrong = { ...change, oldPassword: 'wrong horse 7' }
  await isRefused(400, 'MSG_622', 'PUT', '/user/changePassword', { token, body: wrong })
  const common = { token, body: { ...change, newPassword: 'password123' } }
  await isRefusedBy('newPassword', 'MSG_621', 'PUT', '/user/changePassword', common)
  const user = { isTmpPassword: false, isFirstLogin: false, isForced: false }
  assert.equal(await said(200, 'PUT', '/user/changePassword', { token, body: change }), {
    success: true,
    msg: 'MSG_620',
    user,
  })
  const next = await login(email, chosen)
  assert.is(next['requirePasswordChange'], false)
  const pair = await said(200, 'POST', '/auth/refresh', { body: { refreshToken: next['refreshToken'] } })
  assert.equal(keysOf(pair), ['accessToken', 'refreshToken'])
})

test('the six steps of a reset work with the code and the link of a real mail', async () => {
  const { email } = await invited('max')
  assert.equal(await said(200, 'POST', '/user/sentreset/email', { body: { email } }), { success: true, msg: 'MSG_605' })
  const mail = await eventually(async () =>
    (await mailsTo(platform.sandboxUrl, email)).find(one => /code/.test(String(one['subject']))),
  )
  const text = String(mail['text'])
  const code = /\b(\d{6})\b/.exec(text)?.[1] ?? ''
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? ''
  const hashedToken = new URL(link).searchParams.get('token') ?? ''
  assert.match(hashedToken, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  await isRefused(400, 'MSG_606', 'POST', '/user/check/reset/code', { body: { email, code: other } })
  const checked = await said(200, 'POST', '/user/check/reset/code', { body: { email, code } })
  assert.equal(checked, { success: true, data: { hashedToken, couponCode: code } })
  await said(200, 'POST', '/user/reset_password/request/check', { body: { email, code } })
  const byToken = await said(200, 'POST', '/user/reset_password/request/check', { body: { email, token: hashedToken } })
  assert.equal(byToken, { success: true, data: { hashedToken, couponCode: null } })
  await isRefusedBy('code', 'MSG_606', 'POST', '/user/reset_password/request/check', { body: { email } })
  const proof = { email, code, hashedToken, newPassword: chosen }
  const part = { body: { email, code, newPassword: chosen } }
  await isRefusedBy('hashedToken', 'MSG_606', 'PUT', '/user/change/Password', part)
  assert.equal(await said(200, 'PUT', '/user/change/Password', { body: proof }), { success: true, msg: 'MSG_620' })
  await isRefused(400, 'MSG_606', 'PUT', '/user/change/Password', { body: proof })
  assert.is((await login(email, chosen))['isTmpPassword'], false)
  const asked = await said(200, 'POST', '/user/reset_password/request', { body: { email } })
  assert.equal(keysOf(asked), ['email', 'generatedcode', 'tokenFrontRoute'])
  assert.match(String(asked['generatedcode']), /^\d{6}$/)
})

test('on every surface right codes of a reset count nothing, and ten wrong ones end the checks for an hour', async () => {
  const { checkResetCode } = PasswordService.method
  const overRpc = (surface: RpcSurface) => {
    const ask = rpcClient(platform, surface)
    return (email: string, code: string) => ask(checkResetCode, create(checkResetCode.input, { email, code }), {})
  }
  const overRest = (email: string, code: string) => legacy('POST', '/user/check/reset/code', { body: { email, code } })
  for (const [n, check] of [overRest, ...rpcSurfaces.map(overRpc)].entries()) {
    const { email } = await invited(`guessed${n}`)
    const asked = await said(200, 'POST', '/user/reset_password/request', { body: { email } })
    const code = String(asked['generatedcode'])
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const guesses = [...Array(11).fill(code), ...Array(10).fill(wrong), code]
    const statuses = []
    for (const guess of guesses) statuses.push((await check(email, guess)).status)
    assert.equal(statuses, [...Array(11).fill(200), ...Array(10).fill(400), 429])
  }
})

test('the administrator’s routes have the documented bodies, for a key and for an administrator’s token', async () => {
  const admin = await said(200, 'POST', '/auth/loginAsAdmin', { body: platform.administrator })
  assert.equal(keysOf(admin), ['accessToken', 'admin', 'refreshToken'])
  assert.equal(
    [keysOf(admin['admin'] as Json), admin['admin']?.['email']],
    [['email', 'id'], platform.administrator.email],
  )
  const token = String(admin['accessToken'])
  const profile = await said(200, 'GET', '/user/profileAsAdmin', { token })
  assert.equal([profile['id'], profile['isAdmin']], [admin['admin']?.['id'], true])
  const { email, userId } = await invited('joe')
  const flags = { isTmpPassword: false, isFirstLogin: false, isForced: true }
  const set = await said(200, 'POST', '/auth/set-login-data', { token, body: { userId, ...flags } })
  assert.equal(set['user'], flags)
  const by = await said(200, 'POST', '/user/change/Password/by/admin', { token: hotels.root, body: { email } })
  assert.equal(keysOf(by), ['message', 'success', 'temporaryPassword'])
  assert.is((await login(email, String(by['temporaryPassword'])))['isTmpPassword'], true)
  assert.is((await said(200, 'POST', '/auth/revokeRefreshTokens', { token, body: { userId } }))['revoked'], 1)
  assert.is((await said(200, 'DELETE', `/user/tokens/${userId}`, { key }))['revoked'], 0)
  assert.is((await said(200, 'POST', '/user/tokens/revoke', { key, body: { email } }))['revoked'], 0)
  const newEmail = addressOf(hotels.world, 'joseph')
  const moved = await said(200, 'PUT', '/auth/change_mail', { key, body: { oldEmail: email, newEmail } })
  assert.equal([moved['userId'], moved['email']], [userId, newEmail])
  assert.is((await said(200, 'DELETE', `/auth/delete/${newEmail}`, { key }))['userId'], userId)
  const ended = await said(200, 'DELETE', '/user/ecosystem/delete', { key, body: { ecosystemId: 'ab'.repeat(12) } })
  assert.equal([ended['success'], ended['deletedUsers']], [true, 0])
  const unknown = { userId: 'ab'.repeat(12), email: 'nobody@phare.example' }
  await isRefused(404, 'MSG_623', 'DELETE', '/auth/delete/nobody@phare.example', { key })
  await isRefused(404, 'MSG_623', 'POST', '/auth/revokeRefreshTokens', { key, body: { userId: unknown.userId } })
  await isRefused(404, 'MSG_623', 'DELETE', `/user/tokens/${unknown.userId}`, { key })
  await isRefused(404, 'MSG_623', 'POST', '/user/tokens/revoke', { key, body: { email: unknown.email } })
  await isRefused(404, 'MSG_623', 'POST', '/user/change/Password/by/admin', { key, body: { email: unknown.email } })
  await isRefused(404, 'MSG_623', 'PUT', '/auth/change_mail', { key, body: { oldEmail: unknown.email, newEmail } })
})

test('every message code of a sign-in has its status', async () => {
  seen.clear()
  const { email, memberId } = await invited('ivy')
  const path = '/auth/login/dashboard'
  await isRefused(400, 'MSG_600', 'POST', path, { body: { email } })
  await isRefused(400, 'MSG_600', 'POST', path, { body: { password: 'x' } })
  await isRefused(400, 'MSG_600', 'POST', '/auth/loginAsAdmin', { body: {} })
  await isRefused(401, 'MSG_601', 'POST', path, { body: { email, password: 'wrong horse 7' } })
  await isRefused(401, 'MSG_601', 'POST', '/auth/refresh', { body: { refreshToken: 'none of ours' } })
  await isRefused(401, 'MSG_601', 'POST', '/auth/registerTemp', { body: { token: 'none of ours', password: chosen } })
  await login(email, temporary, 'dashboard')
  const elsewhere = { headers: { 'user-agent': 'Other/1.0' } }
  const body = { email, password: temporary }
  await isRefused(409, 'MSG_624', 'POST', path, { body, ...elsewhere })
  const alone = addressOf(hotels.world, 'alone')
  await call(platform.urls, 'auth', 'POST', '/auth/register', { body: { email: alone, password } })
  await isRefused(404, 'MSG_602', 'POST', path, { body: { email: alone, password } })
  for (const [type, code, where, closed] of [
    ['mobile', 'MSG_603', '/settings/member', { mobileAccess: false }],
    ['dashboard', 'MSG_604', '/members/update', { dashboardAccess: false }],
  ] as const) {
    const { token } = hotels.ours
    const answer = await call(platform.urls, 'member', 'PATCH', `${where}/${memberId}`, { token, body: closed })
    assert.is(answer.status, 200, short(answer))
    await isRefused(403, code, 'POST', `/auth/login/${type}`, { body })
  }
  const thrown = sources()
    .filter(({ path: file }) => file.startsWith('services/auth/legacy/sign-in/') && !file.endsWith('.test.ts'))
    .flatMap(({ text }) => text.match(/(?<=failure\(')MSG_\d+/g) ?? [])
  assert.equal([...seen].toSorted(), [...new Set(thrown)].toSorted())
})

test('a person’s legacy and modern tokens open every service alike', async () => {
  const email = addressOf(hotels.world, 'ada')
  const tokens = [
    String((await login(email, password, 'dashboard'))['accessToken']),
    String(
      (await call(platform.urls, 'auth', 'POST', '/auth/login', { body: { email, password } })).body['accessToken'],
    ),
  ]
  const { workspace, ecosystem } = hotels.ours
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
    const areAlike = (all: Answer[]) => new Set(all.map(({ body }) => JSON.stringify(body))).size === 1
    const [old, modern] = await eventually(async () => {
      const both = await ask()
      return areAlike(both) ? both : undefined
    }).catch(ask)
    assert.equal([old?.status, modern?.status], [200, 200], `${service} ${path}`)
    assert.equal(old?.body, modern?.body, service)
    assert.is((await call(platform.urls, service, 'GET', path)).status, 401, service)
  }
})

test('a path with an unknown app type, without an address or without an id is refused by its field', async () => {
  const wrongs: [string, string, string, Call][] = [
    ['type', 'POST', '/auth/login/fax', { body: { email: 'a@b.example', password: 'x' } }],
    ['email', 'DELETE', '/auth/delete/nobody', { key }],
    ['userId', 'DELETE', '/user/tokens/ABC', { key }],
    ['days', 'GET', '/user/legacyUsage?days=0', { key }],
  ]
  for (const [field, method, path, options] of wrongs) {
    await isRefusedBy(field, undefined, method, path, options)
  }
})

test('a foreign administrator changes no account of the hotel, whatever a body names', async () => {
  const { email, userId } = await invited('safe')
  const { ecosystem } = hotels.ours
  const token = hotels.theirs.token
  await isRefused(403, 'NO_MSG', 'POST', '/auth/set-login-data', { token, body: { userId, isTmpPassword: false } })
  await isRefused(403, 'NO_MSG', 'DELETE', `/auth/delete/${email}`, { token })
  await isRefused(403, 'NO_MSG', 'DELETE', '/user/ecosystem/delete', { token, body: { ecosystemId: ecosystem } })
  await isRefused(403, 'NO_MSG', 'POST', '/user/change/Password/by/admin', { token, body: { email } })
  assert.is((await login(email, temporary))['isTmpPassword'], true)
})

test.run()
