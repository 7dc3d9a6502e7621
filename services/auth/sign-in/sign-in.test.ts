import { sql } from 'kysely'
import { authForTest, password } from '../../../test/kit/auth/auth.ts'
import { assert, isRefused, refusal, suite } from '../../../test/kit/kit.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { digest } from '../../kernel/base/secrets.ts'

const test = suite('sign-in')
const { host, db, anonymous, asService, withToken } = await authForTest(test, { PASSWORD_BLOCKLIST: 'true' })
const signIn = anonymous.signIn
const register = (email: string) => signIn.register({ email, password })

test('a registration returns the account without a member and a working pair of tokens', async () => {
  const email = host.newEmail()
  const answer = await register(` ${email.toUpperCase()}`.trim())
  assert.is(answer.user?.email, email)
  assert.is(answer.user?.emailVerified, false)
  assert.is(answer.user?.workspaceId, undefined)
  assert.equal(answer.user?.roles, [])
  assert.is(answer.expiresIn, 900)
  assert.match(answer.accessToken, /^[\w-]+\.[\w-]+\.[\w-]+$/)
  const claims = host.tokens.verify(answer.accessToken)
  assert.is(claims?.userId, answer.user?.id)
  assert.is(claims?.workspaceId, null)
  assert.is(claims?.kind, 'modern')
  assert.match(claims?.sessionId ?? '', /^[0-9a-f]{24}$/)
  const me = await withToken(answer.accessToken).users.getMe({})
  assert.is(me.user?.email, email)
})

test('a known e-mail is a conflict, in any spelling', async () => {
  const email = host.newEmail()
  await register(email)
  await isRefused(register(email.toUpperCase()), 409)
})

test('a new password has 8 characters, at most 72 bytes, and is not a common one', async () => {
  for (const bad of ['short', 'é'.repeat(37), 'Password123', 'aaaaaaaaaa'])
    await isRefused(signIn.register({ email: host.newEmail(), password: bad }), 400)
  await signIn.register({ email: host.newEmail(), password: 'é'.repeat(34) + 'abcd' })
})

test('a sign-in returns tokens whose claims are the member and their first workspace', async () => {
  const email = host.newEmail()
  const { user } = await register(email)
  const workspace = { id: newId(), name: 'Hotel', role: 'manager' }
  host.next.members.push({
    id: newId(),
    userId: user?.id ?? '',
    email,
    isActive: true,
    firstname: 'Ada',
    lastname: 'Byron',
    workspaces: [workspace],
    roles: ['manager'],
    permissions: ['view_members', 'invite_members'],
  })
  const answer = await signIn.login({ email, password })
  const claims = host.tokens.verify(answer.accessToken)
  assert.is(claims?.workspaceId, workspace.id)
  assert.equal(claims?.roles, ['manager'])
  assert.equal(claims?.permissions, ['view_members', 'invite_members'])
  assert.is(claims?.isAdmin, false)
  assert.is(answer.user?.firstName, 'Ada')
  assert.ok(answer.user?.lastLoginAt)
})

test('an unknown e-mail, a wrong password and a deactivated account are refused with the same text', async () => {
  const email = host.newEmail()
  const { user } = await register(email)
  const wrong = await refusal(signIn.login({ email, password: 'wrong horse 7' }))
  const unknown = await refusal(signIn.login({ email: host.newEmail(), password }))
  await asService.accounts.deactivateUsers({ userIds: [user?.id ?? ''] })
  const inactive = await refusal(signIn.login({ email, password }))
  for (const error of [wrong, unknown, inactive]) {
    assert.is(error.info.status, 401)
    assert.is(error.rawMessage, wrong.rawMessage)
  }
})

test('a password longer than 72 bytes is refused with 400, not truncated', async () => {
  const longPassword = `${'correct horse '.repeat(6)}7`.slice(0, 73)
  const email = host.newEmail()
  await signIn.register({ email, password: longPassword.slice(0, 72) })
  await isRefused(signIn.login({ email, password: longPassword }), 400)
  await signIn.login({ email, password: longPassword.slice(0, 72) })
})

test('a refresh token is exchanged once; of simultaneous exchanges one succeeds, the others get 401, and the session stays valid', async () => {
  const { refreshToken } = await register(host.newEmail())
  const all = await Promise.allSettled(Array.from({ length: 18 }, () => signIn.refreshToken({ refreshToken })))
  const lostStatuses = all.flatMap(result =>
    result.status === 'rejected' ? [toRpcError(result.reason).info.status] : [],
  )
  assert.equal(lostStatuses, Array(17).fill(401))
  const winners = all.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  assert.is(winners.length, 1)
  const next = await signIn.refreshToken({ refreshToken: winners[0]?.refreshToken ?? '' })
  assert.ok(host.tokens.verify(next.accessToken))
})

test('a session ends after ninety days, however often it was refreshed, and its last tokens end with it', async () => {
  const { refreshToken } = await register(host.newEmail())
  const row = () =>
    db
      .selectFrom('refresh_tokens')
      .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
      .select(['sessions.id', 'refresh_tokens.expires_at'])
      .where('token_digest', '=', digest(token))
      .executeTakeFirstOrThrow()
  let token = refreshToken
  const { id } = await row()
  const backdateSession = async (days: number) => {
    const created_at = new Date(Date.now() - days * 86_400_000)
    await db
      .updateTable('sessions')
      .set({ created_at } as never)
      .where('id', '=', id)
      .execute()
    return created_at
  }
  const since = await backdateSession(88)
  token = (await signIn.refreshToken({ refreshToken: token })).refreshToken
  assert.is((await row()).expires_at.getTime(), since.getTime() + 90 * 86_400_000)
  await backdateSession(90)
  await isRefused(signIn.refreshToken({ refreshToken: token }), 401)
})

test('only digests of refresh tokens are stored', async () => {
  const { refreshToken } = await register(host.newEmail())
  const rows = await db.selectFrom('refresh_tokens').selectAll().execute()
  assert.ok(rows.some(row => row.token_digest === digest(refreshToken)))
  assert.not.ok(JSON.stringify(rows).includes(refreshToken))
})

test('while the member service is unavailable a refresh is refused and the token stays valid', async () => {
  const { refreshToken } = await register(host.newEmail())
  host.next.outages.member = true
  const error = await refusal(signIn.refreshToken({ refreshToken })).finally(() => (host.next.outages.member = false))
  assert.is(error.info.status, 503)
  await signIn.refreshToken({ refreshToken })
})

/** What may be sent beside a bearer, from the sessions of two people. */
const besideBearer: Record<string, (ownToken: string, strangerToken: string) => Promise<string>> = {
  'a refresh token of another session of the person': async ownToken => ownToken,
  'an ended one': async ownToken => (await signIn.logout({ refreshToken: ownToken }), ownToken),
  'an unknown one': async () => 'unknown',
  'another person’s': async (_own, strangerToken) => strangerToken,
}
for (const [kind, present] of Object.entries(besideBearer))
  test(`a sign-out with a bearer and ${kind} ends the bearer’s session, and no other person’s`, async () => {
    const email = host.newEmail()
    const other = await register(email)
    const [bearer, keptSession] = [await signIn.login({ email, password }), await signIn.login({ email, password })]
    const stranger = await register(host.newEmail())
    const refreshToken = await present(other.refreshToken, stranger.refreshToken)
    const ownClients = withToken(bearer.accessToken)
    const { message } = await ownClients.signIn.logout({ refreshToken })
    assert.is((await ownClients.signIn.logout({ refreshToken: 'unknown' })).message, message)
    await isRefused(ownClients.users.getMe({}), 401)
    await isRefused(signIn.refreshToken({ refreshToken: bearer.refreshToken }), 401)
    for (const one of [keptSession, stranger]) await signIn.refreshToken({ refreshToken: one.refreshToken })
    if (refreshToken === other.refreshToken) await isRefused(withToken(other.accessToken).users.getMe({}), 401)
  })

test('a valid bearer token alone ends its session, as does a refresh token alone', async () => {
  const [one, two] = [await register(host.newEmail()), await register(host.newEmail())]
  const { message } = await withToken(one.accessToken).signIn.logout({})
  await isRefused(signIn.refreshToken({ refreshToken: one.refreshToken }), 401)
  assert.is((await signIn.logout({ refreshToken: two.refreshToken })).message, message)
  await isRefused(withToken(two.accessToken).users.getMe({}), 401)
  await isRefused(signIn.refreshToken({ refreshToken: two.refreshToken }), 401)
  assert.is((await signIn.logout({ refreshToken: 'unknown' })).message, message)
  await isRefused(signIn.logout({}), 401)
  await isRefused(withToken(one.accessToken).signIn.logout({}), 401)
})

test('an ended bearer token beside a refresh token does not prevent the sign-out', async () => {
  const email = host.newEmail()
  const [old, present] = [await register(email), await signIn.login({ email, password })]
  await signIn.logout({ refreshToken: old.refreshToken })
  await withToken(old.accessToken).signIn.logout({ refreshToken: present.refreshToken })
  await isRefused(signIn.refreshToken({ refreshToken: present.refreshToken }), 401)
})

test('beside a valid bearer token another person’s refresh token is left alone', async () => {
  const { refreshToken } = await register(host.newEmail())
  const other = await register(host.newEmail())
  await withToken(other.accessToken).signIn.logout({ refreshToken })
  await signIn.refreshToken({ refreshToken })
})

test('a registration notifies the other services', async () => {
  const email = host.newEmail()
  const { user } = await register(email)
  const { rows } = await sql<{ body: string }>`
    select body from outbox where subject = 'platform.auth.user.created'`.execute(db)
  const events = rows.map(row => JSON.parse(row.body) as { payload: { userId: string; email: string } })
  assert.is(events.find(one => one.payload.email === email)?.payload.userId, user?.id)
})

test.run()
