import { authForTest, password } from '../../../test/kit/auth/auth.ts'
import { assert, eventually, isRefused, refusal, suite } from '../../../test/kit/kit.ts'
import { ConflictError, GoneError } from '../../kernel/base/errors.ts'

const test = suite('sign-up')
const { host, db, anonymous, withToken } = await authForTest(test, { PASSWORD_BLOCKLIST: 'true' })
const users = anonymous.users
const signIn = anonymous.signIn
const invitations = anonymous.invitations
/** Moves an interrupted sign-up to the past. */
const abandon = (email: string) =>
  db
    .updateTable('users')
    .set({ updated_at: new Date(Date.now() - 31_000) })
    .where('email', '=', email)
    .execute()
const accounts = (email: string) => db.selectFrom('users').selectAll().where('email', '=', email).execute()

test.before.each(() => {
  host.next.onAccept = { before: () => undefined, after: () => undefined }
})
test('an invited person gets an account with the invited address, and a token with workspace and rights', async () => {
  const email = host.newEmail()
  const token = host.invite(email, { workspaceRole: 'manager' })
  const answer = await users.signUp({ token, password, firstName: 'Grace', lastName: 'Hopper' })
  assert.is(answer.user?.email, email)
  assert.is(answer.user?.emailVerified, false)
  assert.is(answer.user?.firstName, 'Grace')
  const claims = host.tokens.verify(answer.accessToken)
  assert.is(claims?.memberId, answer.user?.memberId)
  assert.is(claims?.workspaceId, host.next.invitations.find(one => one.token === token)?.workspaceId)
  assert.equal(claims?.roles, ['manager'])
  await signIn.login({ email, password })
})

test('an account made with an invitation is verified only by its own mail, not by accepting another invitation', async () => {
  const email = host.newEmail()
  const { accessToken } = await users.signUp({ token: host.invite(email), password })
  const isVerified = async () => (await withToken(accessToken).users.getMe({})).user?.emailVerified
  await withToken(accessToken).invitations.acceptInvitation({ token: host.invite(email) })
  assert.is(await isVerified(), false)
  const mail = await eventually(() => host.next.mails.find(one => one.to === email && one.slug === 'verify_email'))
  await withToken(accessToken).signIn.verifyEmail({ token: mail.variables['token'] ?? '' })
  assert.is(await isVerified(), true)
})

const claimTo = (email: string) =>
  eventually(() => host.next.mails.findLast(one => one.to === email && one.slug === 'account_claim'))

for (const way of ['sign-up', 'acceptance'] as const)
  test(`${way} at an address that another person registered is a 409, and its owner gets the account by mail`, async () => {
    const email = host.newEmail()
    const stranger = await signIn.register({ email, password: 'squatting horse 1' })
    const token = host.invite(email)
    const attempt = () =>
      way === 'sign-up' ? users.signUp({ token, password }) : invitations.acceptInvitation({ token, password })
    await isRefused(attempt(), 409)
    const first = await claimTo(email)
    await isRefused(attempt(), 409)
    const second = await eventually(async () => {
      const claim = await claimTo(email)
      return claim === first ? undefined : claim
    })
    const passwords = anonymous.passwords
    const reset = (mail: typeof first) => passwords.resetPassword({ token: mail.variables['token'] ?? '', password })
    // Both links work until one is used.
    await reset(first)
    await isRefused(reset(first), 400)
    await isRefused(reset(second), 400)
    await isRefused(signIn.login({ email, password: 'squatting horse 1' }), 401)
    await isRefused(signIn.refreshToken({ refreshToken: stranger.refreshToken }), 401)
    await isRefused(withToken(stranger.accessToken).users.getMe({}), 401)
    const { accessToken, user } = await signIn.login({ email, password })
    assert.equal([user?.id, user?.emailVerified], [stranger.user?.id, true])
    const acceptance = await withToken(accessToken).invitations.acceptInvitation({ token })
    assert.ok(acceptance.user?.memberId)
  })

test('an invitation is tried at most ten times an hour, on both routes together and from any address', async () => {
  const email = host.newEmail()
  await signIn.register({ email, password: 'squatting horse 1' })
  const token = host.invite(email)
  const from = (n: number) => ({ headers: { 'x-client-ip': `198.51.100.${n}` } })
  const tries = Array.from({ length: 11 }, (_, n) =>
    n % 2 ? users.signUp({ token, password }, from(n)) : invitations.acceptInvitation({ token, password }, from(n)),
  )
  const statuses = await Promise.all(tries.map(async one => (await refusal(one)).info.status))
  assert.equal(statuses.toSorted(), [...Array<number>(10).fill(409), 429])
  const { info } = await refusal(users.signUp({ token, password }, from(20)))
  assert.ok(info.retryAfterSeconds > 0 && info.retryAfterSeconds <= 3600)
  await isRefused(users.signUp({ token: host.invite(email), password }, from(20)), 409)
})

test('an invited person with a verified address gets no link that sets a password', async () => {
  const email = host.newEmail()
  const { accessToken } = await signIn.register({ email, password })
  const mail = await eventually(() => host.next.mails.find(one => one.to === email))
  await withToken(accessToken).signIn.verifyEmail({ token: mail.variables['token'] ?? '' })
  await isRefused(users.signUp({ token: host.invite(email), password }), 409)
  const kinds = await db.selectFrom('password_resets').select('kind').where('email', '=', email).execute()
  assert.equal(kinds, [])
})

test('an unknown, used, cancelled or expired invitation is refused', async () => {
  const used = host.invite(host.newEmail())
  await users.signUp({ token: used, password })
  await isRefused(users.signUp({ token: used, password }), 409)
  await isRefused(users.signUp({ token: 'nothing', password }), 404)
  const revoked = host.invite(host.newEmail(), { status: 'cancelled' })
  assert.is((await refusal(users.signUp({ token: revoked, password }))).rawMessage, 'Invitation already revoked')
  await isRefused(users.signUp({ token: host.invite(host.newEmail(), { status: 'expired' }), password }), 410)
  await isRefused(users.signUp({ token: host.invite(host.newEmail()), password: 'password123' }), 400)
})

test('two simultaneous sign-ups create one account and both are signed in', async () => {
  const email = host.newEmail()
  const token = host.invite(email)
  // Neither ends before the other has its account.
  const waiting: (() => void)[] = []
  host.next.onAccept.before = () =>
    new Promise(resolve => {
      if (waiting.push(resolve) === 2) for (const go of waiting) go()
    })
  const both = await Promise.all([users.signUp({ token, password }), invitations.acceptInvitation({ token, password })])
  assert.is(both[0].user?.id, both[1].user?.id)
  assert.is((await accounts(email)).length, 1)
})

test('of two simultaneous sign-ups with different passwords one succeeds', async () => {
  const email = host.newEmail()
  const token = host.invite(email)
  const words = ['winning horse 1', 'losing horse 22']
  const outcomes = await Promise.allSettled(words.map(one => users.signUp({ token, password: one })))
  const winners = words.filter((_, i) => outcomes[i]?.status === 'fulfilled')
  assert.is(winners.length, 1)
  await signIn.login({ email, password: winners[0] ?? '' })
})

for (const moment of ['before', 'after'] as const)
  test(`a sign-up interrupted ${moment} the member is created is completed by the next one`, async () => {
    const email = host.newEmail()
    const token = host.invite(email)
    host.next.onAccept[moment] = () => {
      host.next.onAccept[moment] = () => undefined
      throw new Error('the process died')
    }
    await refusal(users.signUp({ token, password }))
    assert.is((await accounts(email))[0]?.sign_up_pending, 1)
    const { user } = await users.signUp({ token, password })
    assert.ok(user?.memberId)
    assert.equal(
      (await accounts(email)).map(row => row.sign_up_pending),
      [0],
    )
  })

test('a sign-up whose invitation is cancelled meanwhile leaves no account', async () => {
  const email = host.newEmail()
  const cancelled = host.invite(email)
  host.next.onAccept.before = () => {
    for (const one of host.next.invitations) if (one.token === cancelled) one.status = 'cancelled'
    throw new ConflictError('The invitation is cancelled')
  }
  await isRefused(users.signUp({ token: cancelled, password }), 409)
  assert.equal(await accounts(email), [])
  host.next.onAccept.before = () => undefined
  const { user } = await users.signUp({ token: host.invite(email), password, firstName: ' ' })
  assert.is(user?.firstName, 'Ada')
})

test('a sign-up whose invitation is refused meanwhile leaves no account, also when it was interrupted before', async () => {
  const email = host.newEmail()
  const token = host.invite(email)
  const signUp = (error: Error) => {
    host.next.onAccept.before = () => {
      throw error
    }
    return users.signUp({ token, password })
  }
  const goneError = new GoneError('The invitation is no longer valid')
  await isRefused(signUp(goneError), 410)
  assert.equal(await accounts(email), [])
  await refusal(signUp(new Error('the process died')))
  assert.is((await accounts(email)).length, 1)
  await isRefused(signUp(goneError), 410)
  assert.equal(await accounts(email), [])
  host.next.onAccept.before = () => undefined
  await users.signUp({ token: host.invite(email), password })
})

/** Begins a sign-up whose process dies before the member joins. */
async function beginSignUp(token: string): Promise<void> {
  host.next.onAccept.before = () => {
    throw new Error('the process died')
  }
  await refusal(users.signUp({ token, password }))
  host.next.onAccept.before = () => undefined
}

test('a new password is accepted only long after an interrupted sign-up', async () => {
  const email = host.newEmail()
  const token = host.invite(email)
  await beginSignUp(token)
  await isRefused(users.signUp({ token, password: 'forgotten horse 1' }), 409)
  await abandon(email)
  await users.signUp({ token, password: 'forgotten horse 1' })
  await signIn.login({ email, password: 'forgotten horse 1' })
})

test('the sender of an invitation cannot take over a sign-up whose address is confirmed', async () => {
  const email = host.newEmail()
  const token = host.invite(email)
  await beginSignUp(token)
  // As the mailed link of the invitation does.
  await db.updateTable('users').set({ email_verified: 1 }).where('email', '=', email).execute()
  await abandon(email)
  await isRefused(users.signUp({ token, password: 'stealing horse 1' }), 409)
  await users.signUp({ token, password })
})

test('after a sign-in an interrupted sign-up cannot be taken over with the old token', async () => {
  const email = host.newEmail()
  const token = host.invite(email)
  host.next.onAccept.after = () => {
    throw new Error('the process died')
  }
  await refusal(users.signUp({ token, password }))
  await signIn.login({ email, password })
  await abandon(email)
  await isRefused(users.signUp({ token, password: 'stealing horse 1' }), 409)
})

test('a person with an account accepts with their bearer token, and no other person can', async () => {
  const email = host.newEmail()
  const { accessToken } = await signIn.register({ email, password })
  const stranger = await signIn.register({ email: host.newEmail(), password })
  const token = host.invite(email)
  await isRefused(withToken(stranger.accessToken).invitations.acceptInvitation({ token }), 403)
  await isRefused(withToken(stranger.accessToken).users.signUp({ token, password }), 403)
  const registration = await signIn.register({ email: host.newEmail(), password })
  const change = { email: host.newEmail(), currentPassword: password }
  await withToken(registration.accessToken).users.updateMe({ updateMask: { paths: ['email'] }, ...change })
  const former = host.invite(registration.user?.email ?? '')
  await isRefused(withToken(registration.accessToken).users.signUp({ token: former, password }), 403)
  await isRefused(invitations.acceptInvitation({ token }), 400)
  const answer = await withToken(accessToken).invitations.acceptInvitation({ token })
  assert.ok(answer.user?.memberId)
  const secondAnswer = await withToken(accessToken).invitations.acceptInvitation({ token })
  assert.is(secondAnswer.user?.memberId, answer.user?.memberId)
  await isRefused(withToken(stranger.accessToken).invitations.acceptInvitation({ token }), 403)
  await isRefused(users.signUp({ token, password }), 409)
})

type Account = { email: string; accessToken: string }
/** What ends the sign-ins of an account. */
const endings: Record<string, (account: Account) => Promise<unknown>> = {
  'the password is reset': async ({ email }) => {
    await anonymous.passwords.forgotPassword({ email })
    const mail = await eventually(() => host.next.mails.find(one => one.to === email && one.slug === 'password_reset'))
    await anonymous.passwords.resetPassword({ token: mail.variables['token'] ?? '', password: 'another horse 8' })
  },
  'the password is changed': ({ accessToken }) =>
    withToken(accessToken).passwords.changePassword({ currentPassword: password, newPassword: 'another horse 8' }),
  'its session ends': ({ accessToken }) => withToken(accessToken).signIn.logout({}),
  'the account is deleted': ({ accessToken }) => withToken(accessToken).users.deleteMe({ password }),
}
for (const [ending, end] of Object.entries(endings))
  test(`an acceptance opens no session when ${ending} meanwhile`, async () => {
    const email = host.newEmail()
    const { accessToken, user } = await signIn.register({ email, password })
    host.next.onAccept.after = () => end({ email, accessToken }).then(() => undefined)
    await isRefused(withToken(accessToken).invitations.acceptInvitation({ token: host.invite(email) }), 401)
    const openSessions = await db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', user?.id ?? '')
      .execute()
    assert.ok(openSessions.length <= 1)
  })

test('a sign-up opens no session when the owner of the address confirms it with another password meanwhile', async () => {
  const email = host.newEmail()
  host.next.onAccept.after = async () => {
    const mail = await eventually(() => host.next.mails.find(one => one.to === email && one.slug === 'verify_email'))
    await signIn.verifyEmail({ token: mail.variables['token'] ?? '', password: 'owners horse 9' })
  }
  await isRefused(users.signUp({ token: host.invite(email), password }), 401)
  await signIn.login({ email, password: 'owners horse 9' })
})

test.run()
