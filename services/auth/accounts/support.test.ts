import { password } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, eventually, isRefused, refusal, suite } from '../../../test/kit/kit.ts'
import { someAddress } from '../../../test/kit/member.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('support of accounts')
const limits = { SIGN_IN_LIMIT: '20', SIGN_IN_SUBJECT_LIMIT: '5', ANONYMOUS_LIMIT: '1000' }
const { root, person, anonymous, withToken, mailTo, mailbox } = await authWithMember(test, limits)
const { support, sessions } = withToken(root)
const from = (address: string) => ({ headers: { 'x-client-ip': address } })
const findAccounts = async (search: string) => (await support.listAccounts({ search })).data

/** Actions on an account in the platform's log, newest first, and who did them. */
const actionsOn = async (entityId: string) =>
  (await withToken(root).audit.listPlatformAuditEntries({ entityId })).data.map(({ action, actor }) => [
    action,
    actor?.type,
  ])

test('an account is found by a part of its address or name in any case, or by its id', async () => {
  const { email, userId } = await person(undefined, undefined, 'Zoë')
  for (const search of [email.slice(1).toUpperCase(), 'ZOE', userId])
    assert.equal(
      (await findAccounts(search)).map(one => [one.id, one.email, one.firstName, one.activeSessions, one.lockedUntil]),
      [[userId, email, 'Zoë', 1, undefined]],
      search,
    )
  assert.equal(await findAccounts('nobody%'), [])
  assert.equal(await findAccounts(newId()), [])
  const { data, meta } = await support.listAccounts({ limit: 1 })
  assert.equal([data.length, meta?.page], [1, 1])
  assert.ok(Number(meta?.total) > 1)
})

test('somebody whom wrong passwords locked out signs in again once they are unlocked', async () => {
  const { email, userId } = await person()
  const ownAddress = from('198.51.100.1')
  await anonymous.signIn.login({ email, password }, ownAddress)
  // Their own address, and guesses from elsewhere.
  for (let i = 0; i < 20; i++) await refusal(anonymous.signIn.login({ email, password: 'wrong' }, ownAddress))
  for (let i = 0; i < 6; i++)
    await refusal(anonymous.signIn.login({ email, password: 'wrong' }, from(`203.0.113.${i}`)))
  await isRefused(anonymous.signIn.login({ email, password }, ownAddress), 429)
  await isRefused(anonymous.signIn.login({ email, password }, from('203.0.113.99')), 429)
  const [locked] = await findAccounts(email)
  assert.ok(Number(locked?.lockedUntil?.seconds) * 1_000 > Date.now())
  assert.is((await support.unlockAccount({ userId })).id, userId)
  assert.is((await findAccounts(email))[0]?.lockedUntil, undefined)
  await anonymous.signIn.login({ email, password }, ownAddress)
  await anonymous.signIn.login({ email, password }, from('203.0.113.99'))
  await eventually(async () => (await actionsOn(userId)).length === 1)
  assert.equal(await actionsOn(userId), [['account.unlocked', 'member']])
})

test('all sessions of an account end at once, or one of them, and the account stays', async () => {
  const { email, userId, accessToken, refreshToken } = await person()
  const { accessToken: other } = await anonymous.signIn.login({ email, password })
  const [session] = (await sessions.listSessions({ userId, isActive: true })).data
  await sessions.endSession({ id: session?.id ?? '' })
  assert.is((await support.endAccountSessions({ userId })).ended, 1)
  for (const token of [accessToken, other]) await isRefused(withToken(token).users.getMe({}), 401)
  await isRefused(anonymous.signIn.refreshToken({ refreshToken }), 401)
  await anonymous.signIn.login({ email, password })
  await eventually(async () => (await actionsOn(userId)).length === 2)
  assert.equal(await actionsOn(userId), [
    ['account.sessions_ended', 'member'],
    ['account.session_ended', 'member'],
  ])
})

test('the mail that confirms an address is sent again until it is confirmed, and the earlier link ends', async () => {
  const email = someAddress()
  const { user } = await anonymous.signIn.register({ email, password })
  const userId = user?.id ?? ''
  const first = (await mailTo(email)).variables['token'] ?? ''
  await support.sendAccountConfirmation({ userId })
  await eventually(() => mailbox.mails.filter(one => one.to === email).length === 2)
  const second = (await mailTo(email)).variables['token'] ?? ''
  await isRefused(anonymous.signIn.verifyEmail({ token: first, password }), 400)
  await anonymous.signIn.verifyEmail({ token: second, password })
  assert.is((await findAccounts(email))[0]?.isVerified, true)
  await isRefused(support.sendAccountConfirmation({ userId }), 409)
})

test('a temporary password of an administrator signs in where wrong ones had locked the account', async () => {
  const { email } = await person()
  const signIn = (secret: string, address: string) =>
    anonymous.signIn.login({ email, password: secret }, { headers: { 'x-client-ip': address } })
  for (let n = 0; n < 5; n++) await isRefused(signIn('wrong horse 7', '192.0.2.71'), 401)
  await isRefused(signIn(password, '192.0.2.72'), 429)
  const { temporaryPassword } = await withToken(root).legacyPasswords.changePasswordByAdmin({ email })
  await signIn(temporaryPassword, '192.0.2.72')
})

test('what administrators do by the legacy routes is recorded, and what people do to their own account isn’t', async () => {
  const { legacyAccounts: accounts, legacyPasswords: passwords } = withToken(root)
  const { email, userId, id: memberId, accessToken } = await person()
  await withToken(accessToken).legacyAccounts.revokeRefreshTokens({ userId })
  const newEmail = someAddress()
  await accounts.inviteAccount({ email, password, memberId })
  await accounts.setLoginData({ userId, isForced: true })
  await accounts.revokeRefreshTokens({ userId })
  await accounts.changeMail({ oldEmail: email, newEmail })
  await passwords.changePasswordByAdmin({ email: newEmail })
  await accounts.deleteAccount({ email: newEmail })
  const actions = ['invited', 'flags_set', 'sessions_ended', 'address_changed', 'password_reset', 'deleted']
  await eventually(async () => (await actionsOn(userId)).length >= actions.length)
  assert.equal(
    (await actionsOn(userId)).toReversed(),
    actions.map(action => [`account.${action}`, 'member']),
  )
})

test('an unknown account is not found', async () => {
  const userId = newId()
  await isRefused(support.unlockAccount({ userId }), 404)
  await isRefused(support.endAccountSessions({ userId }), 404)
  await isRefused(support.sendAccountConfirmation({ userId }), 404)
})

test.run()
