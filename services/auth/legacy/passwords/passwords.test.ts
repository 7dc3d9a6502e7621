import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { bootstrap, chief, newPassword, password } from '../../../../test/kit/auth/auth.ts'
import { legacyForTest } from '../../../../test/kit/auth/legacy.ts'
import { assert, eventually, isRefused, refusal, suite } from '../../../../test/kit/kit.ts'
import { cipher } from '../../../kernel/base/secrets.ts'

const test = suite('legacy passwords')
const formerKey = randomBytes(32).toString('hex')
const { host, db, account, anonymous, asService, withToken } = await legacyForTest(test, {
  NODE_ENV: 'production',
  FRONT_BASE_URL: 'https://front.example',
  ...bootstrap,
  PASSWORD_ENCRYPTION_KEY_PREVIOUS: formerKey,
})
const passwords = anonymous.legacyPasswords
const trusted = asService.legacyPasswords
const modern = anonymous.signIn

async function requested(email: string): Promise<{ code: string; token: string }> {
  const { generatedcode = '', tokenFrontRoute = '' } = await trusted.requestReset({ email })
  return { code: generatedcode, token: tokenFrontRoute }
}

const wrongOf = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('code and token are mailed, the code is checked, and both together set a new password', async () => {
  const { email, refreshToken } = await account()
  assert.equal((await passwords.sendResetEmail({ email })).msg, 'MSG_605')
  const mail = await eventually(() => host.next.mails.find(m => m.to === email && m.slug === 'password_reset_code'))
  const { code = '', link = '' } = mail.variables
  assert.match(code, /^[0-9]{6}$/)
  const checked = await passwords.checkResetCode({ email, code })
  assert.is(checked.data?.couponCode, code)
  const hashedToken = checked.data?.hashedToken ?? ''
  assert.is(new URL(link).searchParams.get('token'), hashedToken)
  const byToken = await passwords.checkResetRequest({ email, token: hashedToken })
  assert.is(byToken.data?.couponCode, undefined)
  await db.updateTable('users').set({ is_tmp_password: 1 }).where('email', '=', email).execute()
  assert.is((await passwords.resetPassword({ email, code, hashedToken, newPassword })).msg, 'MSG_620')
  const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  assert.is(row.is_tmp_password, 0)
  assert.is((await refusal(modern.refreshToken({ refreshToken }))).info.status, 401)
  await modern.login({ email, password: newPassword })
  await isRefused(passwords.resetPassword({ email, code, hashedToken, newPassword }), 400, 'MSG_606')
})

test('in production an anonymous caller gets neither code nor token, for a known and an unknown e-mail', async () => {
  const { email } = await account()
  for (const typed of [email, host.newEmail()]) {
    const answer = await passwords.requestReset({ email: typed })
    assert.equal([answer.email, answer.generatedcode, answer.tokenFrontRoute], [typed, undefined, undefined])
  }
})

test('in production services and administrators get code and token, and no other signed-in person does', async () => {
  const { email, accessToken } = await account()
  const legacy = await anonymous.legacySignIn.loginAsAdmin(chief)
  const modernSession = await eventually(async () => {
    const answer = await modern.login(chief)
    return host.next.members.some(one => one.email === chief.email) ? answer : undefined
  })
  for (const token of [legacy.accessToken, modernSession.accessToken]) {
    const { generatedcode = '', tokenFrontRoute = '' } = await withToken(token).legacyPasswords.requestReset({ email })
    await passwords.checkResetRequest({ email, code: generatedcode, token: tokenFrontRoute })
  }
  const answer = await withToken(accessToken).legacyPasswords.requestReset({ email })
  assert.equal([answer.generatedcode, answer.tokenFrontRoute], [undefined, undefined])
})

test('ten codes an hour are mailed to one address, known or not, over all routes', async () => {
  for (const email of [(await account()).email, host.newEmail()]) {
    for (let i = 0; i < 5; i++) {
      await passwords.sendResetEmail({ email })
      await passwords.requestReset({ email: ` ${email.toUpperCase()}`.trim() })
    }
    for (const call of [() => passwords.sendResetEmail({ email }), () => passwords.requestReset({ email })]) {
      const { info } = await refusal(call())
      assert.is(info.status, 429)
      assert.ok(info.retryAfterSeconds > 0 && info.retryAfterSeconds <= 3600)
    }
  }
})

test('a code is stored encrypted, under the current or the previous key', async () => {
  const { email } = await account()
  const { code } = await requested(email)
  const seal = (key: string) =>
    db
      .updateTable('password_resets')
      .set({ sealed_code: cipher('stored-secret', [key]).seal(code) })
      .where('email', '=', email)
      .execute()
  await passwords.checkResetCode({ email, code })
  await seal(formerKey)
  await passwords.checkResetCode({ email, code })
  await seal(randomBytes(32).toString('hex'))
  await isRefused(passwords.checkResetCode({ email, code }), 400, 'MSG_606')
})

test('code and token must both be valid and of the same request', async () => {
  const [one, other] = [await account(), await account()]
  const proof = await requested(one.email)
  const foreign = await requested(other.email)
  const email = one.email
  const tries = [
    { email, code: proof.code, newPassword },
    { email, token: proof.token, newPassword },
    { email, ...proof },
    { email, code: wrongOf(proof.code), token: proof.token, newPassword },
    { email, code: proof.code, token: foreign.token, newPassword },
  ]
  for (const bad of tries) await isRefused(passwords.resetPassword(bad), 400, 'MSG_606')
  const fullRequest = { email, ...proof, newPassword }
  // Each field has two names; different values are refused.
  for (const second of [{ couponCode: wrongOf(proof.code) }, { hashedToken: foreign.token }, { password }]) {
    const { info } = await refusal(passwords.resetPassword({ ...fullRequest, ...second }))
    assert.equal([info.status, info.violations?.[0]?.rule], [400, 'same'])
  }
  const twoCodes = { email, code: proof.code, couponCode: wrongOf(proof.code) }
  assert.is((await refusal(passwords.checkResetRequest(twoCodes))).info.status, 400)
  await passwords.resetPassword({ email, couponCode: proof.code, token: proof.token, password: newPassword })
})

test('a refused new password has the name that the client sent', async () => {
  const { email } = await account()
  const proof = await requested(email)
  for (const name of ['newPassword', 'password']) {
    const { info } = await refusal(passwords.resetPassword({ email, ...proof, [name]: 'password123' }))
    assert.equal([info.msg, info.violations?.[0]?.path], ['MSG_606', name])
  }
})

test('the sixth wrong code voids the request and its token', async () => {
  const { email } = await account()
  const { code, token } = await requested(email)
  for (let i = 0; i < 6; i++) await isRefused(passwords.checkResetCode({ email, code: wrongOf(code) }), 400, 'MSG_606')
  await isRefused(passwords.checkResetRequest({ email, token }), 400, 'MSG_606')
  await isRefused(passwords.checkResetCode({ email, code }), 400, 'MSG_606')
})

test('simultaneous guesses are counted one by one', async () => {
  const { email } = await account()
  const { code } = await requested(email)
  const guesses = Array.from({ length: 10 }, () => refusal(passwords.checkResetCode({ email, code: wrongOf(code) })))
  await Promise.all(guesses)
  const row = await db.selectFrom('password_resets').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  assert.equal([row.wrong_codes, row.is_used], [6, 1])
  assert.is((await refusal(passwords.checkResetCode({ email, code }))).info.status, 429)
})

test('right codes count nothing; ten wrong ones in an hour close all three steps, for a known and an unknown e-mail', async () => {
  for (const [email, rightCodes] of [
    [(await account()).email, 8],
    [host.newEmail(), 0],
  ] as const) {
    const { code, token } = await requested(email)
    const steps = (guess: string) => [
      () => passwords.checkResetCode({ email, code: guess }),
      () => passwords.checkResetRequest({ email, code: guess }),
      () => passwords.resetPassword({ email, code: guess, token, newPassword }),
    ]
    for (let n = 0; n < rightCodes; n++) for (const check of steps(code).slice(0, 2)) await check()
    for (let n = 0; n < 10; n++)
      for (const step of steps(wrongOf(code)).slice(n % 3, (n % 3) + 1)) await isRefused(step(), 400, 'MSG_606')
    for (const step of steps(code)) {
      const { info } = await refusal(step())
      assert.equal([info.status, info.retryAfterSeconds > 3500 && info.retryAfterSeconds <= 3600], [429, true])
    }
  }
})

test('a repeated request mails the same code, so that asking again voids nothing, and earlier guesses still count', async () => {
  const { email } = await account()
  const first = await requested(email)
  await isRefused(passwords.checkResetCode({ email, code: wrongOf(first.code) }), 400, 'MSG_606')
  for (let i = 0; i < 8; i++) assert.equal(await requested(email), first)
  const mails = await eventually(() => {
    const codeMails = host.next.mails.filter(one => one.to === email && one.slug === 'password_reset_code')
    return codeMails.length === 9 ? codeMails : undefined
  })
  assert.equal(new Set(mails.map(({ variables }) => `${variables['code']} ${variables['token']}`)).size, 1)
  const row = await db.selectFrom('password_resets').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  assert.is(row.wrong_codes, 1)
  await passwords.resetPassword({ email, ...first, newPassword })
  const next = await requested(email)
  assert.is.not(next.token, first.token)
  const { token } = next
  assert.is((await refusal(anonymous.passwords.resetPassword({ token, password: newPassword }))).info.status, 400)
})

/** An account with two open requests; the first has less than half its lifetime left. */
async function twice() {
  const { email } = await account()
  const first = await requested(email)
  const ends = new Date(Date.now() + 11 * 3_600_000)
  await sql`update password_resets set expires_at = ${ends} where email = ${email}`.execute(db)
  const second = await requested(email)
  assert.is.not(second.token, first.token)
  return { email, first, second }
}

test('a code past half its life stays valid beside the next one, until either is used', async () => {
  const { email, first, second } = await twice()
  for (const { code, token } of [first, second]) {
    await passwords.checkResetCode({ email, code })
    await passwords.checkResetCode({ email, code, hashedToken: token })
  }
  if (first.code !== second.code)
    await isRefused(passwords.checkResetCode({ email, code: second.code, hashedToken: first.token }), 400, 'MSG_606')
  await passwords.resetPassword({ email, ...first, newPassword })
  await isRefused(passwords.checkResetCode({ email, code: second.code }), 400, 'MSG_606')
})

test('guesses are counted per person: the sixth wrong one voids every code', async () => {
  const { email, first, second } = await twice()
  const validCodes = [first.code, second.code]
  const wrong = ['000000', '000001', '000002'].find(code => !validCodes.includes(code)) ?? ''
  for (let i = 0; i < 6; i++) await isRefused(passwords.checkResetCode({ email, code: wrong }), 400, 'MSG_606')
  for (const { token } of [first, second])
    await isRefused(passwords.checkResetRequest({ email, token }), 400, 'MSG_606')
  assert.not.ok([first.token, second.token].includes((await requested(email)).token))
})

test('an unknown e-mail has a request that can never be used', async () => {
  const email = host.newEmail()
  const { code, token } = await requested(email)
  await isRefused(passwords.resetPassword({ email, code, token, newPassword }), 400, 'MSG_606')
  await isRefused(passwords.checkResetCode({ email, code }), 400, 'MSG_606')
})

test('code and token are not stored in plain text', async () => {
  const { email } = await account()
  const { code, token } = await requested(email)
  const rows = await db.selectFrom('password_resets').selectAll().where('email', '=', email).execute()
  const { rows: events } = await sql<{ body: string }>`select body from outbox`.execute(db)
  const text = JSON.stringify(rows) + JSON.stringify(events)
  assert.not.ok(text.includes(token))
  assert.not.ok(rows.some(row => Object.values(row).includes(code)))
})

test('a change clears the three flags and ends the other sessions', async () => {
  const { email, accessToken, refreshToken } = await account()
  await db.updateTable('users').set({ is_tmp_password: 1, is_forced: 1 }).where('email', '=', email).execute()
  const other = await modern.login({ email, password })
  const ownPasswords = withToken(accessToken).legacyPasswords
  await isRefused(ownPasswords.changePassword({ oldPassword: 'wrong horse 7', newPassword }), 400, 'MSG_622')
  await isRefused(ownPasswords.changePassword({ oldPassword: password, newPassword: 'password123' }), 400, 'MSG_621')
  await isRefused(ownPasswords.changePassword({ oldPassword: password, newPassword: password }), 400, 'MSG_621')
  const request = { oldPassword: password, newPassword }
  const both = await Promise.allSettled([ownPasswords.changePassword(request), ownPasswords.changePassword(request)])
  const answers = both.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
  assert.is(answers.length, 1)
  const answer = answers[0]
  assert.is(answer?.msg, 'MSG_620')
  const { user } = answer ?? {}
  assert.equal([user?.isTmpPassword, user?.isFirstLogin, user?.isForced], [false, false, false])
  assert.is((await refusal(modern.refreshToken({ refreshToken: other.refreshToken }))).info.status, 401)
  await modern.refreshToken({ refreshToken })
})

test('an administrator sets a temporary password, which is mailed and must be changed', async () => {
  const { email, accessToken } = await account()
  const { temporaryPassword } = await trusted.changePasswordByAdmin({ email })
  const mail = await eventually(() => host.next.mails.find(m => m.to === email && m.slug === 'temporary_password'))
  assert.is(mail.variables['temporaryPassword'], temporaryPassword)
  assert.is((await refusal(withToken(accessToken).legacyProfiles.getProfile({}))).info.status, 401)
  const entered = await modern.login({ email, password: temporaryPassword })
  assert.equal([entered.isTmpPassword, entered.requirePasswordChange], [true, true])
  const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  assert.is(row.is_tmp_password, 1)
  await isRefused(trusted.changePasswordByAdmin({ email: host.newEmail() }), 404, 'MSG_623')
  assert.is((await refusal(passwords.changePasswordByAdmin({ email }))).info.status, 401)
})

test.run()
