import { password } from '../../../test/kit/auth/auth.ts'
import { legacyForTest } from '../../../test/kit/auth/legacy.ts'
import { assert, eventually, isRefused, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

/* Every state transition of the legacy version, and those that are refused. */
const test = suite('states of the legacy version')
const { host, db, accounts, signIn, invited, enter, userOf, expire, anonymous, asService, withToken } =
  await legacyForTest(test, {
    PASSWORD_BLOCKLIST: 'true',
  })
const passwords = anonymous.legacyPasswords
const trusted = asService.legacyPasswords
const newPassword = 'another horse 8'

const flagsOf = async (id: string) => {
  const { is_tmp_password, is_first_login, is_forced } = await userOf(id)
  return [is_tmp_password, is_first_login, is_forced]
}
const openClient = async (email: string, secret = password) =>
  withToken((await enter(email, undefined, secret)).accessToken).legacyPasswords
const requestReset = async (email: string) => {
  const { generatedcode: code = '', tokenFrontRoute: token = '' } = await trusted.requestReset({ email })
  return { email, code, token, newPassword }
}
const resetRow = (email: string) =>
  db
    .selectFrom('password_resets')
    .selectAll()
    .where('email', '=', email)
    .where('kind', '=', 'legacy')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()

test('user, any → invitation → temporary and first sign-in, from nothing and from settled', async () => {
  const { userId, email, memberId } = await invited()
  assert.equal(await flagsOf(userId), [1, 1, 0])
  await (await openClient(email)).changePassword({ oldPassword: password, newPassword })
  await accounts.inviteAccount({ email, password, memberId })
  assert.equal(await flagsOf(userId), [1, 1, 0])
  await isRefused(enter(email, undefined, newPassword), 401, 'MSG_601')
})

test('user, temporary → changePassword with the old password → no flag; a wrong one changes nothing', async () => {
  const { userId, email } = await invited()
  await accounts.setLoginData({ userId, isForced: true })
  const client = await openClient(email)
  await isRefused(client.changePassword({ oldPassword: 'wrong horse 7', newPassword }), 400, 'MSG_622')
  await isRefused(client.changePassword({ oldPassword: password, newPassword: 'password123' }), 400, 'MSG_621')
  assert.equal(await flagsOf(userId), [1, 1, 1])
  const { user } = await client.changePassword({ oldPassword: password, newPassword })
  assert.equal([user?.isTmpPassword, user?.isFirstLogin, user?.isForced], [false, false, false])
  assert.equal(await flagsOf(userId), [0, 0, 0])
  const answer = await enter(email, undefined, newPassword)
  assert.equal([answer.isTmpPassword, answer.isFirstLogin, answer.requirePasswordChange], [false, false, false])
})

test('user, any → change by an administrator → temporary; the old password and other callers are refused', async () => {
  const { userId, email } = await invited()
  const client = await openClient(email)
  await client.changePassword({ oldPassword: password, newPassword })
  await isRefused(client.changePasswordByAdmin({ email }), 403)
  assert.equal(await flagsOf(userId), [0, 0, 0])
  const { temporaryPassword } = await trusted.changePasswordByAdmin({ email })
  assert.equal(await flagsOf(userId), [1, 0, 0])
  await isRefused(enter(email, undefined, newPassword), 401, 'MSG_601')
  assert.is((await enter(email, undefined, temporaryPassword)).requirePasswordChange, true)
})

test('user, any → set-login-data → flags as supplied; each of them requires a change at the next sign-in', async () => {
  const { userId, email } = await invited()
  await accounts.setLoginData({ userId, isTmpPassword: false, isFirstLogin: false, isForced: false })
  assert.is((await enter(email)).requirePasswordChange, false)
  for (const flag of ['isTmpPassword', 'isFirstLogin', 'isForced'] as const) {
    const none = { isTmpPassword: false, isFirstLogin: false, isForced: false }
    await accounts.setLoginData({ userId, ...none, [flag]: true })
    assert.is((await enter(email)).requirePasswordChange, true, flag)
  }
})

test('a modern sign-in is the first one, and keeps a temporary password temporary', async () => {
  const { userId, email } = await invited()
  await anonymous.signIn.login({ email, password })
  assert.equal(await flagsOf(userId), [1, 0, 0])
})

test('reset, none → request → created for 24 hours → code and token → password, not temporary, request used', async () => {
  const { userId, email } = await invited()
  const before = Date.now()
  const proof = await requestReset(email)
  const row = await resetRow(email)
  const hours = (row.expires_at.getTime() - before) / 3_600_000
  assert.ok(hours > 23.9 && hours < 24.1, `${hours}`)
  await passwords.resetPassword(proof)
  assert.equal((await flagsOf(userId))[0], 0)
  assert.is((await resetRow(email)).is_used, 1)
  await isRefused(passwords.resetPassword(proof), 400, 'MSG_606')
  await enter(email, undefined, newPassword)
})

test('reset, created → 24 hours → nothing', async () => {
  const { email } = await invited()
  const proof = await requestReset(email)
  await expire(email)
  await isRefused(passwords.checkResetCode(proof), 400, 'MSG_606')
  await isRefused(passwords.checkResetRequest({ email, token: proof.token }), 400, 'MSG_606')
  await isRefused(passwords.resetPassword(proof), 400, 'MSG_606')
})

test('reset, created → any other change of the password, an invitation, a changed address → void', async () => {
  const ways: ((person: Awaited<ReturnType<typeof invited>>) => Promise<unknown>)[] = [
    async ({ email }) =>
      (await openClient(email)).changePassword({ oldPassword: password, newPassword: 'third horse 99' }),
    ({ email }) => trusted.changePasswordByAdmin({ email }),
    ({ email, memberId }) => accounts.inviteAccount({ email, password, memberId }),
    ({ email }) => accounts.changeMail({ oldEmail: email, newEmail: host.newEmail() }),
    async ({ email }) => {
      const { accessToken } = await anonymous.signIn.login({ email, password })
      const change = { email: host.newEmail(), currentPassword: password }
      await withToken(accessToken).users.updateMe({ updateMask: { paths: ['email'] }, ...change })
    },
    ({ email }) => accounts.deleteAccount({ email }),
  ]
  for (const way of ways) {
    const person = await invited()
    const proof = await requestReset(person.email)
    await way(person)
    await isRefused(passwords.resetPassword(proof), 400, 'MSG_606')
  }
})

test('a proof of one version is not valid in the other', async () => {
  const { email } = await invited()
  const { token } = await requestReset(email)
  await isRefused(anonymous.passwords.resetPassword({ token, password: newPassword }), 400)
  await anonymous.passwords.forgotPassword({ email })
  const mail = await eventually(() => host.next.mails.find(one => one.to === email && one.slug === 'password_reset'))
  const modern = mail.variables['token'] ?? ''
  assert.ok(modern)
  await isRefused(passwords.checkResetRequest({ email, token: modern }), 400, 'MSG_606')
})

test('refresh token, active → each of the three routes → revoked for good', async () => {
  const { email, userId } = await invited()
  const ways = [
    () => accounts.revokeRefreshTokens({ userId }),
    () => accounts.deleteUserTokens({ userId }),
    () => accounts.revokeTokensByEmail({ email }),
  ]
  for (const way of ways) {
    const legacy = await enter(email)
    const modern = await anonymous.signIn.login({ email, password })
    assert.is((await way()).revoked, 2)
    await isRefused(signIn.refresh({ refreshToken: legacy.refreshToken }), 401, 'MSG_601')
    await isRefused(anonymous.signIn.refreshToken({ refreshToken: modern.refreshToken }), 401)
    assert.is((await way()).revoked, 0)
  }
  await isRefused(accounts.revokeRefreshTokens({ userId: newId() }), 404, 'MSG_623')
  await isRefused(accounts.deleteUserTokens({ userId: newId() }), 404, 'MSG_623')
  await isRefused(accounts.revokeTokensByEmail({ email: host.newEmail() }), 404, 'MSG_623')
})

test('a deleted user leaves every state: no sign-in, no refresh, no reset, no flag', async () => {
  const { email, userId } = await invited()
  const { refreshToken } = await enter(email)
  await accounts.deleteAccount({ email })
  await isRefused(enter(email), 401, 'MSG_601')
  await isRefused(signIn.refresh({ refreshToken }), 401, 'MSG_601')
  await isRefused(accounts.setLoginData({ userId, isForced: true }), 404, 'MSG_623')
  await isRefused(trusted.changePasswordByAdmin({ email }), 404, 'MSG_623')
  await isRefused(accounts.deleteAccount({ email }), 404, 'MSG_623')
})

test.run()
