import { authForTest, password } from '../../../test/kit/auth/auth.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'

const test = suite('confirmed addresses')
const { host, anonymous, withToken } = await authForTest(test, { PASSWORD_BLOCKLIST: 'true' })
const signIn = anonymous.signIn
const chosenPassword = 'chosen horse 12'

const tokenTo = async (email: string) => {
  const mail = await eventually(() => host.next.mails.findLast(one => one.to === email && one.slug === 'verify_email'))
  return mail.variables['token'] ?? ''
}

/** Every way in which an account gets an address that nobody confirmed. */
const ways: Record<string, (email: string) => Promise<{ accessToken: string }>> = {
  'a registration': email => signIn.register({ email, password }),
  'a sign-up': email => anonymous.users.signUp({ token: host.invite(email), password }),
  'an accepted invitation': email => anonymous.invitations.acceptInvitation({ token: host.invite(email), password }),
  'an own change of address': async email => {
    const { accessToken } = await signIn.register({ email: host.newEmail(), password })
    const change = { email, currentPassword: password, updateMask: { paths: ['email'] } }
    await withToken(accessToken).users.updateMe(change)
    return { accessToken }
  },
}
for (const [way, make] of Object.entries(ways)) {
  test(`the address of ${way} is confirmed in its session, which goes on with the password`, async () => {
    const email = host.newEmail()
    const { accessToken } = await make(email)
    const ownSignIn = withToken(accessToken).signIn
    assert.is((await ownSignIn.verifyEmail({ token: await tokenTo(email) })).emailVerified, true)
    assert.is((await withToken(accessToken).users.getMe({})).user?.emailVerified, true)
    await signIn.login({ email, password })
  })

  test(`outside the session, the address of ${way} is confirmed with a new password, which ends all sessions`, async () => {
    const email = host.newEmail()
    const { accessToken } = await make(email)
    const token = await tokenTo(email)
    const stranger = await signIn.register({ email: host.newEmail(), password })
    for (const caller of [signIn, withToken(stranger.accessToken).signIn]) {
      const { info } = await refusal(caller.verifyEmail({ token }))
      assert.equal([info.status, info.violations.map(one => one.path)], [400, ['password']])
    }
    assert.is((await refusal(signIn.verifyEmail({ token, password: 'password123' }))).info.status, 400)
    assert.is((await withToken(accessToken).users.getMe({})).user?.emailVerified, false)
    assert.is((await signIn.verifyEmail({ token, password: chosenPassword })).emailVerified, true)
    assert.is((await refusal(withToken(accessToken).users.getMe({}))).info.status, 401)
    assert.is((await refusal(signIn.login({ email, password }))).info.status, 401)
    assert.is((await signIn.login({ email, password: chosenPassword })).user?.emailVerified, true)
    assert.is((await refusal(signIn.verifyEmail({ token, password: chosenPassword }))).info.status, 400)
  })
}

test.run()
