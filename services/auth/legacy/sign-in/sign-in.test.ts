import bcrypt from 'bcrypt'
import { sql } from 'kysely'
import { bootstrap, chief, password } from '../../../../test/kit/auth/auth.ts'
import { device, legacyForTest, otherDevice } from '../../../../test/kit/auth/legacy.ts'
import { assert, eventually, isRefused, refusal, suite } from '../../../../test/kit/kit.ts'
import { type AccessClaims, accessTokens } from '../../../kernel/access/tokens.ts'
import { toRpcError } from '../../../kernel/base/errors.ts'
import { newId } from '../../../kernel/base/ids.ts'
import { digest } from '../../../kernel/base/secrets.ts'

const test = suite('sign-in of the legacy version')
const { host, db, accounts, signIn, invited, member, enter, userOf, expire, anonymous, asService, withToken } =
  await legacyForTest(test, {
    PASSWORD_BLOCKLIST: 'true',
    ...bootstrap,
    LEGACY_ACCESS_TOKEN_SECONDS: '1800',
  })
const modern = anonymous.signIn
const toldOf = async (id: string) => {
  const query = sql<{ subject: string }>`select subject from outbox where body like ${`%"userId":"${id}"%`}`
  return (await query.execute(db)).rows.map(row => row.subject)
}
const idle = (userId: string, seconds: number) =>
  sql`update sessions set last_activity = date_sub(now(3), interval ${seconds} second) where user_id = ${userId}`.execute(
    db,
  )
const waitsForUser = async () => {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from information_schema.processlist
    where db = database() and info like '%users%for update%' and info not like '%processlist%'
  `.execute(db)
  return Number(rows[0]?.n) > 0
}
const createToken = async (email: string) => {
  const mail = await eventually(() =>
    host.next.mails.findLast(one => one.to === email && one.slug === 'user_invitation'),
  )
  return mail.variables['token'] ?? ''
}

test('the token contains the chat token and lives as long as configured', async () => {
  const { email } = await invited({ chatAccessToken: 'chat-of-ada' })
  const { accessToken, refreshToken, user } = await enter(email)
  const claims = host.tokens.verify(accessToken)
  assert.equal([claims?.['chatApiKey'], user?.chatApiKey], ['chat-of-ada', 'chat-of-ada'])
  assert.is((claims?.exp ?? 0) - (claims?.iat ?? 0), 1800)
  const next = host.tokens.verify((await signIn.refresh({ refreshToken })).accessToken)
  assert.equal([next?.['chatApiKey'], (next?.exp ?? 0) - (next?.iat ?? 0)], ['chat-of-ada', 1800])
  const { profile } = await withToken(accessToken).legacyProfiles.getProfile({})
  assert.is(profile?.chatApiKey, 'chat-of-ada')
})

test('tokens issued before the lifetime was shortened end with current ones, also an administrator’s', async () => {
  const { email } = await invited()
  const admin = await signIn.loginAsAdmin(chief)
  const ownSession = await enter(email)
  const { email: invitedEmail } = await invited()
  const registration = await signIn.registerTemp({
    token: await createToken(invitedEmail),
    password: 'chosen horse 12',
  })
  // The new password ended all tokens from before it.
  const tokens_valid_from = new Date(Date.now() - 7_200_000)
  await db.updateTable('users').set({ tokens_valid_from }).where('email', '=', invitedEmail).execute()
  const ago = (seconds: number) =>
    accessTokens([host.env['JWT_ACCESS_SECRET'] ?? ''], () => Date.now() - seconds * 1000)
  const opens = async (token: string, seconds: number) => {
    const claims = host.tokens.verify(token) as AccessClaims
    const old = ago(seconds).issue(claims, 8_640_000)
    const profiles = withToken(old).legacyProfiles
    const call = claims.kind === 'administrator' ? profiles.getProfileAsAdmin({}) : profiles.getProfile({})
    return call.then(
      () => 200,
      error => toRpcError(error).info.status,
    )
  }
  for (const { accessToken } of [ownSession, registration, admin])
    assert.equal([await opens(accessToken, 1700), await opens(accessToken, 1900)], [200, 401])
  await accounts.deleteUserTokens({ userId: admin.admin?.id ?? '' })
})

test('of two simultaneous devices one signs in, and only that one is marked as registered', async () => {
  const { email, userId } = await invited()
  const both = await Promise.allSettled([device, otherDevice].map(options => enter(email, options)))
  assert.equal(both.map(one => one.status).toSorted(), ['fulfilled', 'rejected'])
  const rejection = both.find(one => one.status === 'rejected')
  assert.is(toRpcError(rejection?.reason).info.msg, 'MSG_624')
  const live = await db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()
  assert.is(live.length, 1)
})

test('another device waits until the first was idle for 15 minutes, by the clock of the database', async () => {
  const { email, userId } = await invited()
  await enter(email)
  await idle(userId, 14 * 60)
  await isRefused(enter(email, otherDevice), 409, 'MSG_624')
  await idle(userId, 15 * 60 + 1)
  await enter(email, otherDevice)
})

test('the session that a second sign-in of the same device replaces ends, and an event is emitted', async () => {
  const { email, userId } = await invited()
  const { accessToken } = await enter(email)
  const isRevocation = (subject: string) => subject === 'platform.auth.user.sessions_revoked'
  assert.is((await toldOf(userId)).filter(isRevocation).length, 0)
  await enter(email)
  assert.is((await toldOf(userId)).filter(isRevocation).length, 1)
  await isRefused(withToken(accessToken).legacyProfiles.getProfile({}), 401)
})

test('a device that only makes calls is in use, and its token keeps others out', async () => {
  const { email, userId } = await invited()
  const { accessToken } = await enter(email)
  await idle(userId, 16 * 60)
  await withToken(accessToken).legacyProfiles.getProfile({})
  await isRefused(enter(email, otherDevice), 409, 'MSG_624')
})

test('a device in use, and any other fact about a member, is revealed only after a right password', async () => {
  const { email } = await invited({ dashboardAccess: false })
  await enter(email)
  await isRefused(enter(email, otherDevice, 'wrong horse 7'), 401, 'MSG_601')
  for (const type of ['mobile', 'dashboard'])
    await isRefused(signIn.login({ type, email, password: 'wrong horse 7' }, otherDevice), 401, 'MSG_601')
  const inactivePerson = await invited()
  const record = host.next.members.find(one => one.id === inactivePerson.memberId)
  Object.assign(record ?? {}, { isActive: false })
  await isRefused(enter(inactivePerson.email, device, 'wrong horse 7'), 401, 'MSG_601')
  await isRefused(enter(inactivePerson.email), 404, 'MSG_602')
})

test('a password that changes between check and session opens no session', async () => {
  const { email, userId } = await invited()
  const entering = await db.transaction().execute(async trx => {
    await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    const waiting = refusal(enter(email))
    // A sign-in that waits for the row has passed its check.
    await eventually(waitsForUser)
    const password_hash = await bcrypt.hash('new horse 77', 4)
    await trx.updateTable('users').set({ password_hash }).where('id', '=', userId).execute()
    return [waiting] as const
  })
  const { info } = await entering[0]
  assert.equal([info.status, info.msg], [401, 'MSG_601'])
})

test('an administrator whose account loses its rights between check and session opens none', async () => {
  const entering = await db.transaction().execute(async trx => {
    await trx.selectFrom('users').select('id').where('email', '=', chief.email).forUpdate().execute()
    const waiting = refusal(signIn.loginAsAdmin(chief))
    await eventually(waitsForUser)
    await trx.updateTable('users').set({ is_admin: 0 }).where('email', '=', chief.email).execute()
    return [waiting] as const
  })
  const { info } = await entering[0]
  assert.equal([info.status, info.msg], [401, 'MSG_601'])
  await db.updateTable('users').set({ is_admin: 1 }).where('email', '=', chief.email).execute()
  await signIn.loginAsAdmin(chief)
})

test('an administrator’s changed password is that of their own account', async () => {
  const { accessToken } = await modern.login(chief)
  const newPassword = 'chief horse 100'
  const before = await signIn.loginAsAdmin(chief)
  await withToken(accessToken).passwords.changePassword({ currentPassword: chief.password, newPassword })
  await isRefused(signIn.loginAsAdmin(chief), 401, 'MSG_601')
  await isRefused(signIn.refresh({ refreshToken: before.refreshToken }), 401, 'MSG_601')
  await isRefused(withToken(before.accessToken).legacyProfiles.getProfileAsAdmin({}), 401)
  assert.ok((await toldOf(before.admin?.id ?? '')).includes('platform.auth.user.sessions_revoked'))
  const answer = await signIn.loginAsAdmin({ ...chief, password: newPassword })
  const userId = answer.admin?.id ?? ''
  assert.is((await accounts.deleteUserTokens({ userId })).revoked, 1)
  await isRefused(signIn.refresh({ refreshToken: answer.refreshToken }), 401, 'MSG_601')
  await isRefused(withToken(answer.accessToken).legacyProfiles.getProfileAsAdmin({}), 401)
  const secondSession = await signIn.loginAsAdmin({ ...chief, password: newPassword })
  // One of the administrator, one of the account.
  assert.is((await accounts.revokeTokensByEmail({ email: chief.email })).revoked, 2)
  await isRefused(signIn.refresh({ refreshToken: secondSession.refreshToken }), 401, 'MSG_601')
})

test('a reused refresh token of an administrator ends the session, and an event is emitted', async () => {
  const secret = 'chief horse 100'
  const before = await signIn.loginAsAdmin({ ...chief, password: secret })
  const id = before.admin?.id ?? ''
  const next = await signIn.refresh({ refreshToken: before.refreshToken })
  const eventCount = (await toldOf(id)).length
  const usedAt = (used_at: Date) =>
    db.updateTable('refresh_tokens').set({ used_at }).where('token_digest', '=', digest(before.refreshToken)).execute()
  // Keeps the exchanges within the race window on a slow machine.
  await usedAt(new Date(Date.now() + 60_000))
  await isRefused(signIn.refresh({ refreshToken: before.refreshToken }), 401, 'MSG_601')
  assert.is((await toldOf(id)).length, eventCount, 'a lost race ends nothing')
  await usedAt(new Date(Date.now() - 11_000))
  await isRefused(signIn.refresh({ refreshToken: before.refreshToken }), 401, 'MSG_601')
  await isRefused(signIn.refresh({ refreshToken: next.refreshToken }), 401, 'MSG_601')
  await isRefused(withToken(next.accessToken).legacyProfiles.getProfileAsAdmin({}), 401)
  assert.equal((await toldOf(id)).slice(eventCount), ['platform.auth.user.sessions_revoked'])
})

test('an administrator changes address and is deleted with their own account', async () => {
  const secret = 'chief horse 100'
  const { accessToken } = await modern.login({ ...chief, password: secret })
  const me = withToken(accessToken).users
  const email = host.newEmail()
  await me.updateMe({ updateMask: { paths: ['email'] }, email, currentPassword: secret })
  for (const old of [chief.password, secret])
    await isRefused(signIn.loginAsAdmin({ email: chief.email, password: old }), 401, 'MSG_601')
  const { refreshToken, admin, ...signedIn } = await signIn.loginAsAdmin({ email, password: secret })
  const eventCount = (await toldOf(admin?.id ?? '')).length
  const other = await signIn.loginAsAdmin({ email, password: secret })
  const id = host.tokens.verify(other.accessToken)?.sessionId ?? ''
  await withToken(signedIn.accessToken).sessions.endSession({ id })
  assert.is((await toldOf(admin?.id ?? '')).length, eventCount + 1)
  await me.deleteMe({ password: secret })
  await isRefused(signIn.refresh({ refreshToken }), 401, 'MSG_601')
  await isRefused(signIn.loginAsAdmin({ email, password: secret }), 401, 'MSG_601')
  // Recreated, as at the next start, it is an administrator again.
  await asService.accounts.ensureAdministrator({ email, password: secret })
  assert.is((await signIn.loginAsAdmin({ email, password: secret })).admin?.id, admin?.id)
})

test('an ordinary account that becomes the bootstrap administrator signs in to both versions as one', async () => {
  const { email, userId } = await invited()
  await db.updateTable('users').set({ email_verified: 1 }).where('id', '=', userId).execute()
  await isRefused(signIn.loginAsAdmin({ email, password }), 401, 'MSG_601')
  await asService.accounts.ensureAdministrator({ email, password })
  await asService.accounts.ensureAdministrator({ email, password })
  assert.is((await modern.login({ email, password })).user?.isAdmin, true)
  assert.is((await signIn.loginAsAdmin({ email, password })).admin?.email, email)
})

test('registerTemp ends sessions with the temporary password, also of a device in use', async () => {
  const { email } = await invited()
  const { refreshToken } = await enter(email)
  const ownPassword = 'chosen horse 12'
  const answer = await signIn.registerTemp({ token: await createToken(email), password: ownPassword }, otherDevice)
  await isRefused(signIn.refresh({ refreshToken }), 401, 'MSG_601')
  assert.equal([answer.user?.isTmpPassword, answer.user?.isFirstLogin], [false, false])
  await withToken(answer.accessToken).legacyProfiles.getProfile({})
  await isRefused(enter(email), 401, 'MSG_601')
  await enter(email, device, ownPassword)
})

test('registerTemp accepts a token once, within four hours, and no token of another kind', async () => {
  const { email, memberId } = await invited()
  const token = await createToken(email)
  const { tokenFrontRoute = '' } = await asService.legacyPasswords.requestReset({ email })
  const { refreshToken } = await enter(email)
  for (const other of [tokenFrontRoute, refreshToken, 'garbage', `${token.slice(0, -2)}xx`])
    await isRefused(signIn.registerTemp({ token: other, password: 'chosen horse 12' }), 401, 'MSG_601')
  const weak = await refusal(signIn.registerTemp({ token, password: 'password123' }))
  assert.equal([weak.info.status, weak.info.violations[0]?.path], [400, 'password'])
  const twice = [1, 2].map(() => signIn.registerTemp({ token, password: 'chosen horse 12' }, device))
  const both = await Promise.allSettled(twice)
  assert.equal(both.map(one => one.status).toSorted(), ['fulfilled', 'rejected'])
  await accounts.inviteAccount({ email, password, memberId })
  const secondToken: string = await eventually(async () => {
    const other = await createToken(email)
    return other === token ? undefined : other
  })
  const hours = async () => {
    const row = await db
      .selectFrom('password_resets')
      .selectAll()
      .where('email', '=', email)
      .where('kind', '=', 'create')
      .where('is_used', '=', 0)
      .executeTakeFirstOrThrow()
    return Math.round((row.expires_at.getTime() - row.created_at.getTime()) / 3_600_000)
  }
  assert.is(await hours(), 4)
  await expire(email)
  await isRefused(signIn.registerTemp({ token: secondToken, password: 'chosen horse 12' }), 401, 'MSG_601')
})

test('a hash of another cost is replaced at a modern sign-in, and works in both versions', async () => {
  const { email, userId } = await invited()
  const password_hash = await bcrypt.hash(password, 4)
  await db.updateTable('users').set({ password_hash }).where('id', '=', userId).execute()
  await Promise.all([1, 2, 3].map(() => modern.login({ email, password })))
  const after = await userOf(userId)
  assert.match(after.password_hash, /^\$2b\$10\$/)
  assert.is(after.is_first_login, 0)
  await enter(email)
  await modern.login({ email, password })
  assert.is((await userOf(userId)).password_hash, after.password_hash)
})

test('a session of an app is not refreshed while the hotel has closed that app to the member', async () => {
  for (const [type, field] of [
    ['mobile', 'mobileAccess'],
    ['dashboard', 'dashboardAccess'],
  ] as const) {
    const { email, memberId } = await invited()
    const { refreshToken } = await signIn.login({ type, email, password }, device)
    const record = host.next.members.find(one => one.id === memberId) ?? {}
    Object.assign(record, { mobileAccess: false, dashboardAccess: false, [field]: true })
    const next = await signIn.refresh({ refreshToken })
    Object.assign(record, { [field]: false })
    await isRefused(signIn.refresh({ refreshToken: next.refreshToken }), 401, 'MSG_601')
    Object.assign(record, { [field]: true })
    await signIn.refresh({ refreshToken: next.refreshToken })
  }
})

test('a refresh never shortens a session, which ends no earlier than its access tokens', async () => {
  const { email, userId } = await invited()
  const { refreshToken } = await enter(email)
  // Opened while access tokens lived for a hundred days.
  const expires_at = new Date(Math.floor(Date.now() / 1000) * 1000 + 100 * 86_400_000)
  await db.updateTable('sessions').set({ expires_at }).where('user_id', '=', userId).execute()
  await signIn.refresh({ refreshToken })
  const after = await db.selectFrom('sessions').select('expires_at').where('user_id', '=', userId).execute()
  assert.equal(
    after.map(row => Number(row.expires_at)),
    [Number(expires_at)],
  )
})

test('paths below /auth are counted by their subject: the 21st call is refused, and another subject is not', async () => {
  const paths: ((subject: string) => Promise<unknown>)[] = [
    userId => accounts.setLoginData({ userId, isForced: true }),
    userId => accounts.revokeRefreshTokens({ userId }),
    id => accounts.deleteAccount({ email: `${id}@hotel.example` }),
    id => accounts.changeMail({ oldEmail: `${id}@hotel.example`, newEmail: host.newEmail() }),
    id => accounts.inviteAccount({ email: `${id}@hotel.example`, password, memberId: id }),
    id => signIn.refresh({ refreshToken: id }),
    id => signIn.registerTemp({ token: id, password }),
  ]
  for (const path of paths) {
    const subject = newId()
    const first = await Promise.all(Array.from({ length: 20 }, () => refusal(path(subject))))
    assert.not.ok(
      first.some(({ info }) => info.status === 429),
      String(path),
    )
    const { info } = await refusal(path(subject))
    assert.is(info.status, 429, String(path))
    assert.ok(info.retryAfterSeconds > 0 && info.retryAfterSeconds <= 900)
    assert.is.not((await refusal(path(newId()))).info.status, 429)
  }
})

test('two simultaneous invitations create one account; a member of another account is refused and nothing changes', async () => {
  const person = member()
  const both = await Promise.all(
    [1, 2].map(() => accounts.inviteAccount({ email: person.email, password, memberId: person.memberId })),
  )
  assert.is(both[0]?.user?.id, both[1]?.user?.id)
  const linkedPerson = member()
  const record = host.next.members.find(one => one.id === linkedPerson.memberId)
  Object.assign(record ?? {}, { userId: both[0]?.user?.id })
  await isRefused(accounts.inviteAccount({ email: linkedPerson.email, password, memberId: linkedPerson.memberId }), 409)
  await isRefused(enter(linkedPerson.email), 401, 'MSG_601')
  const wrongMember = { email: host.newEmail(), password, memberId: person.memberId }
  await isRefused(accounts.inviteAccount(wrongMember), 404, 'MSG_602')
})

test('a changed address is unverified, simultaneous changes apply once, and the old address becomes free', async () => {
  const { email, userId } = await invited()
  await db.updateTable('users').set({ email_verified: 1 }).where('id', '=', userId).execute()
  const newEmails = [host.newEmail(), host.newEmail()]
  const both = await Promise.allSettled(newEmails.map(newEmail => accounts.changeMail({ oldEmail: email, newEmail })))
  assert.equal(both.map(one => one.status).toSorted(), ['fulfilled', 'rejected'])
  const rejection = both.find(one => one.status === 'rejected')
  assert.is(toRpcError(rejection?.reason).info.msg, 'MSG_623')
  const after = await userOf(userId)
  assert.ok(newEmails.includes(after.email ?? ''))
  assert.is(after.email_verified, 0)
  await modern.register({ email, password })
})

test.run()
