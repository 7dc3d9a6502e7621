import { PasswordService } from '../../../gen/platform/auth/v1/passwords_pb.ts'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { authForTest, newPassword, password, startAuthHost } from '../../../test/kit/auth/auth.ts'
import { assert, eventually, isRefused, refusal, suite } from '../../../test/kit/kit.ts'

const test = suite('passwords')
const { host, db, account, anonymous, withToken } = await authForTest(test, {
  FRONT_BASE_URL: 'https://front.example/app/',
  PASSWORD_BLOCKLIST: 'true',
})
const passwords = anonymous.passwords
const signIn = anonymous.signIn

async function resetToken(email: string, nth = 0): Promise<string> {
  const mail = await eventually(() => host.next.mails.filter(m => m.to === email && m.slug === 'password_reset')[nth])
  return new URL(mail.variables['link'] ?? '').searchParams.get('token') ?? ''
}

test('the mailed link sets a new password once and ends every session', async () => {
  const { email, refreshToken, accessToken } = await account()
  await passwords.forgotPassword({ email })
  const token = await resetToken(email)
  await passwords.resetPassword({ token, password: newPassword })
  await isRefused(signIn.refreshToken({ refreshToken }), 401)
  await isRefused(withToken(accessToken).users.getMe({}), 401)
  await isRefused(signIn.login({ email, password }), 401)
  await signIn.login({ email, password: newPassword })
  await isRefused(passwords.resetPassword({ token, password: 'a third horse 9' }), 400)
})

test('the link uses the configured front end, with the token as a query parameter', async () => {
  const { email } = await account()
  await passwords.forgotPassword({ email }, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } })
  await resetToken(email)
  const mail = host.next.mails.find(one => one.to === email && one.slug === 'password_reset')
  assert.match(mail?.variables['link'] ?? '', /^https:\/\/front\.example\/app\/reset-password\?token=[\w-]{43}$/)
})

test('for a front end with a hash router the token of a link is in the fragment', async () => {
  const hashed = await startAuthHost({ FRONT_BASE_URL: 'https://front.example/#/' })
  const email = hashed.newEmail()
  try {
    await hashed.as(SignInService).register({ email, password })
    await hashed.as(PasswordService).forgotPassword({ email })
    const links = await eventually(() => {
      const mails = hashed.next.mails.filter(mail => mail.to === email)
      return mails.length === 2 ? mails.map(mail => mail.variables['link'] ?? '').toSorted() : undefined
    })
    assert.match(links[0] ?? '', /^https:\/\/front\.example\/#\/reset-password\?token=[\w-]{43}$/)
    assert.match(links[1] ?? '', /^https:\/\/front\.example\/#\/verify-email\?token=[\w-]{43}$/)
  } finally {
    await hashed.end()
  }
})

test('an unknown e-mail gets the same answer with the same statements, and no mail', async () => {
  const email = host.newEmail()
  const owner = await account()
  const answers = [await passwords.forgotPassword({ email }), await passwords.forgotPassword({ email: owner.email })]
  assert.is(answers[0]?.message, answers[1]?.message)
  await resetToken(owner.email)
  await eventually(async () => (await db.selectFrom('mails').selectAll().execute()).length === 0)
  assert.not.ok(host.next.mails.some(mail => mail.to === email))
  const [row] = await db.selectFrom('password_resets').selectAll().where('email', '=', email).execute()
  assert.is(row?.user_id, null)
})

test('of two simultaneous uses of a link one is refused', async () => {
  const { email } = await account()
  await passwords.forgotPassword({ email })
  const token = await resetToken(email)
  const uses = ['first horse 11', 'second horse 12'].map(one => passwords.resetPassword({ token, password: one }))
  const outcomes = await Promise.allSettled(uses)
  assert.is(outcomes.filter(result => result.status === 'fulfilled').length, 1)
})

test('an unknown token, a common password and two different ones are refused', async () => {
  const { email } = await account()
  await passwords.forgotPassword({ email })
  const token = await resetToken(email)
  for (const name of ['password', 'newPassword']) {
    const { info } = await refusal(passwords.resetPassword({ token, [name]: 'password123' }))
    assert.equal([info.status, info.violations[0]?.path], [400, name], 'the name that the client sent')
  }
  await isRefused(passwords.resetPassword({ token }), 400)
  await isRefused(passwords.resetPassword({ token, password: newPassword, newPassword: 'unlike horse 8' }), 400)
  await isRefused(passwords.resetPassword({ token: 'nothing', password: newPassword }), 400)
})

test('the eleventh request for one e-mail within an hour is refused, known or not', async () => {
  const email = host.newEmail()
  for (let i = 0; i < 10; i++) await passwords.forgotPassword({ email })
  await isRefused(passwords.forgotPassword({ email }), 429)
})

test('a mail waits for the notification service and is sent once when it returns', async () => {
  const { email } = await account()
  host.next.outages.mail = true
  await passwords.forgotPassword({ email })
  const isReset = (mail: { to: string; slug: string }) => mail.to === email && mail.slug === 'password_reset'
  await eventually(() => host.next.refused.some(isReset))
  const mails = () => db.selectFrom('mails').selectAll().execute()
  const waiting = await mails()
  assert.ok(waiting.some(({ slug }) => slug === 'password_reset'))
  assert.not.ok(JSON.stringify(waiting).includes(email))
  host.next.outages.mail = false
  // No mail is left to retry.
  await eventually(async () => (await mails()).length === 0)
  assert.is(host.next.mails.filter(isReset).length, 1)
})

test('a change keeps the current session and ends the others', async () => {
  const { email, refreshToken, accessToken } = await account()
  const other = await signIn.login({ email, password })
  const ownPasswords = withToken(accessToken).passwords
  await isRefused(ownPasswords.changePassword({ oldPassword: 'wrong horse 7', newPassword }), 400)
  await isRefused(ownPasswords.changePassword({ newPassword }), 400)
  await isRefused(
    ownPasswords.changePassword({ currentPassword: password, oldPassword: 'wrong horse 7', newPassword }),
    400,
  )
  await ownPasswords.changePassword({ currentPassword: password, newPassword })
  await isRefused(signIn.refreshToken({ refreshToken: other.refreshToken }), 401)
  await signIn.refreshToken({ refreshToken })
  await signIn.login({ email, password: newPassword })
})

test('of simultaneous changes one succeeds, and the current password is refused as the new one', async () => {
  const { email, accessToken } = await account()
  const ownPasswords = withToken(accessToken).passwords
  await isRefused(ownPasswords.changePassword({ currentPassword: password, newPassword: password }), 400)
  const newPasswords = ['first horse 71', 'second horse 72', 'third horse 73']
  const changes = await Promise.allSettled(
    newPasswords.map(secret => ownPasswords.changePassword({ currentPassword: password, newPassword: secret })),
  )
  const winnerIndex = changes.findIndex(({ status }) => status === 'fulfilled')
  assert.equal(changes.filter(({ status }) => status === 'fulfilled').length, 1)
  await signIn.login({ email, password: newPasswords[winnerIndex] ?? '' })
})

test.run()
