import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { bootstrap, chief, password } from '../../../test/kit/auth/auth.ts'
import { device, legacyForTest } from '../../../test/kit/auth/legacy.ts'
import { assert, isRefused, refusal, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'
import { digest } from '../../kernel/base/secrets.ts'

const test = suite('legacy version')
const { host, db, accounts, signIn, invited, anonymous, asService, withToken } = await legacyForTest(test, {
  ...bootstrap,
})
test('an invitation creates an account that must change its password, as the first sign-in states', async () => {
  const { email, userId, memberId, hotelId, workspaceId } = await invited()
  const answer = await signIn.login({ type: 'mobile', email, password }, device)
  assert.is(answer.isTmpPassword, true)
  assert.is(answer.isFirstLogin, true)
  assert.is(answer.requirePasswordChange, true)
  const claims = host.tokens.verify(answer.accessToken)
  assert.ok(claims)
  const { exp, iat, ...rest } = claims as NonNullable<typeof claims>
  assert.is(exp - iat, 8_640_000)
  const names = { firstname: 'Ada', lastname: 'Byron', picture: null, chatApiKey: null }
  const places = { ecosystemId: hotelId, hotelId, workspaceId, workspace_id: workspaceId }
  const rights = { isAdmin: false, asAdminRole: false, roles: ['member'], permissions: [] }
  const tokenFields = { kind: 'legacy', sessionId: rest.sessionId }
  assert.equal(rest, { userId, email, memberId, ...names, ...places, ...rights, ...tokenFields })
  assert.ok(host.next.members.find(one => one.id === memberId)?.registeredAt)
  const session = await db
    .selectFrom('sessions')
    .selectAll()
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  assert.equal([session.app_type, session.user_agent], ['mobile', device.headers['user-agent']])
})

test('missing, wrong and forbidden input is answered with its code, and access is checked only after a right password', async () => {
  const { email } = await invited({ mobileAccess: false, dashboardAccess: false })
  await isRefused(signIn.login({ type: 'mobile', password }), 400, 'MSG_600')
  await isRefused(signIn.login({ type: 'mobile', email }), 400, 'MSG_600')
  await isRefused(signIn.login({ type: 'mobile', email, password: 'wrong horse 7' }), 401, 'MSG_601')
  await isRefused(signIn.login({ type: 'mobile', email: host.newEmail(), password }), 401, 'MSG_601')
  await isRefused(signIn.login({ type: 'mobile', email, password }), 403, 'MSG_603')
  await isRefused(signIn.login({ type: 'dashboard', email, password }), 403, 'MSG_604')
  const memberlessEmail = host.newEmail()
  await anonymous.signIn.register({ email: memberlessEmail, password })
  await isRefused(signIn.login({ type: 'mobile', email: memberlessEmail, password }), 404, 'MSG_602')
})

test('the same device replaces its session', async () => {
  const { email } = await invited()
  const first = await signIn.login({ type: 'mobile', email, password }, device)
  await signIn.login({ type: 'mobile', email, password }, device)
  await isRefused(signIn.refresh({ refreshToken: first.refreshToken }), 401, 'MSG_601')
})

test('a legacy refresh token is exchanged once, ends its session when reused, and is not valid in the modern version', async () => {
  const { email } = await invited()
  const { refreshToken } = await signIn.login({ type: 'mobile', email, password }, device)
  assert.is((await refusal(anonymous.signIn.refreshToken({ refreshToken }))).info.status, 401)
  const next = await signIn.refresh({ refreshToken })
  assert.is(host.tokens.verify(next.accessToken)?.kind, 'legacy')
  const used = db.updateTable('refresh_tokens').where('token_digest', '=', digest(refreshToken))
  await used.set({ used_at: new Date(Date.now() - 11_000) }).execute()
  await isRefused(signIn.refresh({ refreshToken }), 401, 'MSG_601')
  await isRefused(signIn.refresh({ refreshToken: next.refreshToken }), 401, 'MSG_601')
  assert.is(host.tokens.verify(refreshToken), undefined)
})

test('the profile uses the names of the claims, and tokens of both versions open it', async () => {
  const { email, memberId, hotelId } = await invited()
  const { accessToken } = await signIn.login({ type: 'dashboard', email, password }, device)
  const { profile } = await withToken(accessToken).legacyProfiles.getProfile({})
  assert.equal([profile?.memberId, profile?.hotelId, profile?.isFirstLogin], [memberId, hotelId, true])
  const modern = await anonymous.signIn.login({ email, password })
  await withToken(modern.accessToken).legacyProfiles.getProfile({})
  await withToken(accessToken).users.getMe({})
})

test('the modern sign-out ends the caller’s own legacy session, also an administrator’s, and no other', async () => {
  const { email } = await invited()
  const one = await signIn.login({ type: 'mobile', email, password }, device)
  const stranger = (await signIn.loginAsAdmin(chief)).accessToken
  await withToken(stranger).signIn.logout({ refreshToken: one.refreshToken })
  const { profile } = await withToken(one.accessToken).legacyProfiles.getProfile({})
  assert.is(profile?.email, email)
  const admin = await signIn.loginAsAdmin(chief)
  for (const { accessToken, refreshToken } of [one, admin]) {
    await withToken(accessToken).signIn.logout({ refreshToken })
    assert.is((await refusal(signIn.refresh({ refreshToken }))).info.status, 401)
  }
  assert.is((await refusal(withToken(one.accessToken).legacyProfiles.getProfile({}))).info.status, 401)
  assert.is((await refusal(withToken(admin.accessToken).legacyProfiles.getProfileAsAdmin({}))).info.status, 401)
})

test('a system administrator signs in, refreshes and sees the administrator’s profile and routes', async () => {
  const answer = await signIn.loginAsAdmin(chief)
  assert.is(answer.admin?.email, chief.email)
  const claims = host.tokens.verify(answer.accessToken)
  assert.equal([claims?.kind, claims?.asAdminRole], ['administrator', true])
  // Documented claims that only members have.
  for (const name of ['ecosystemId', 'hotelId', 'chatApiKey', 'firstname', 'lastname', 'picture', 'workspace_id'])
    assert.is(claims?.[name], null, name)
  const { admin } = await withToken(answer.accessToken).legacyProfiles.getProfileAsAdmin({})
  assert.is(admin?.id, answer.admin?.id)
  const { userId } = await invited()
  const { revoked } = await withToken(answer.accessToken).legacyAccounts.deleteUserTokens({ userId })
  assert.is(revoked, 0)
  const next = await signIn.refresh({ refreshToken: answer.refreshToken })
  assert.is(host.tokens.verify(next.accessToken)?.kind, 'administrator')
  await isRefused(signIn.loginAsAdmin({ ...chief, password: 'wrong horse 7' }), 401, 'MSG_601')
  await isRefused(signIn.loginAsAdmin({ email: chief.email }), 400, 'MSG_600')
})

test('people end their own sign-ins by each of the three routes, and those of nobody else', async () => {
  const other = await invited()
  const { email, userId } = await invited()
  const ways = [
    (client: typeof accounts, one: typeof other) => client.revokeRefreshTokens({ userId: one.userId }),
    (client: typeof accounts, one: typeof other) => client.deleteUserTokens({ userId: one.userId }),
    (client: typeof accounts, one: typeof other) => client.revokeTokensByEmail({ email: one.email }),
  ]
  const unknown = { ...other, userId: newId(), email: host.newEmail() }
  for (const way of ways) {
    const { accessToken, refreshToken } = await signIn.login({ type: 'mobile', email, password }, device)
    const client = withToken(accessToken).legacyAccounts
    for (const one of [other, unknown]) await isRefused(way(client, one), 403, '')
    assert.is((await way(client, { ...other, email, userId })).revoked, 1)
    await isRefused(signIn.refresh({ refreshToken }), 401, 'MSG_601')
  }
})

test('a person with the address of an administrator’s record ends none of its sign-ins', async () => {
  const email = host.newEmail()
  const record = await db
    .selectFrom('administrators')
    .selectAll()
    .where('email', '=', chief.email)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('administrators')
    .values({ ...record, id: newId(), user_id: null, email })
    .execute()
  const { refreshToken } = await signIn.loginAsAdmin({ ...chief, email })
  const { accessToken } = await anonymous.signIn.register({ email, password })
  await withToken(accessToken).legacyAccounts.revokeTokensByEmail({ email })
  await signIn.refresh({ refreshToken })
})

test('flags are set as in the body, and unknown users have their code', async () => {
  const { userId } = await invited()
  const { user } = await accounts.setLoginData({ userId, isTmpPassword: false, isForced: true })
  assert.equal([user?.isTmpPassword, user?.isFirstLogin, user?.isForced], [false, true, true])
  await isRefused(accounts.setLoginData({ userId: newId(), isForced: true }), 404, 'MSG_623')
  const { info } = await refusal(accounts.setLoginData({ userId }))
  assert.equal(
    [info.status, ...info.violations.map(({ path, rule }) => `${path} ${rule}`)],
    [400, 'isTmpPassword required', 'isFirstLogin required', 'isForced required'],
  )
  await isRefused(accounts.deleteAccount({ email: host.newEmail() }), 404, 'MSG_623')
  await isRefused(accounts.revokeTokensByEmail({ email: host.newEmail() }), 404, 'MSG_623')
  await isRefused(accounts.inviteAccount({ email: host.newEmail(), password, memberId: newId() }), 404, 'MSG_602')
})

test('a changed address signs in and reaches the member, and a taken one is refused', async () => {
  const [one, other] = [await invited(), await invited()]
  const newEmail = host.newEmail()
  const change = accounts.changeMail({ oldEmail: one.email, newEmail: other.email })
  assert.is((await refusal(change)).info.status, 409)
  await accounts.changeMail({ oldEmail: one.email, newEmail })
  assert.is(host.next.updates.at(-1)?.email, newEmail)
  await signIn.login({ type: 'mobile', email: newEmail, password }, device)
})

test('reported calls are summed per route and client, and clients beyond 500 a day count as others', async () => {
  const day = new Date().toISOString().slice(0, 10)
  const route = 'GET /user/profile'
  const lastCalledAt = timestampFromDate(new Date())
  const usage = asService.usage
  const createUsage = (client: string, number: number) => ({ day, route, client, calls: number, lastCalledAt })
  await usage.recordUsage({ calls: [createUsage('Twice', 2), createUsage('Twice', 3)] })
  for (const batch of [0, 1])
    await usage.recordUsage({ calls: Array.from({ length: 260 }, (_, i) => createUsage(`c${batch}-${i}`, 1)) })
  await usage.recordUsage({ calls: [createUsage('Twice', 1), createUsage('Newcomer', 7)] })
  // Two days, since midnight may have passed.
  const { data } = await usage.listUsage({ days: 2 })
  const calls = Object.fromEntries(data.filter(row => row.route === route).map(row => [row.client, row.calls]))
  assert.equal([calls['Twice'], calls['Newcomer'], calls['others']], [6, undefined, 7 + 21])
  assert.is((await refusal(anonymous.usage.recordUsage({ calls: [] }))).info.status, 401)
  const odd: [string, object][] = [
    ['route', { route: 'GET /é' }],
    ['day', { day: '2026-99-99' }],
    ['day', { day: '2026-02-30' }],
    ['day', { day: '0000-00-00' }],
  ]
  for (const [field, fault] of odd) {
    const error = await refusal(
      usage.recordUsage({ calls: [createUsage('Twice', 1), { ...createUsage('Twice', 1), ...fault }] }),
    )
    assert.equal([error.info.status, error.info.violations[0]?.path], [400, `calls[1].${field}`])
  }
})

test.run()
