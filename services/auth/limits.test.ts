import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { assert, refusal, suite } from '../kernel/testing.ts'
import { addressKey } from './addresses.rules.ts'
import { password, startAuthHost } from './testing.ts'

const test = suite('sign-in limits')
const host = await startAuthHost({ SIGN_IN_LIMIT: '20', SIGN_IN_SUBJECT_LIMIT: '5', SIGN_IN_WINDOW_SECONDS: '60' })
const signIn = host.as(SignInService)
const from = (address: string) => ({ headers: { 'x-client-ip': address } })

test.after(() => host.end())

test('the 21st sign-in of an address within the window is refused with the time to wait', async () => {
  const accounts = Array.from({ length: 21 }, () => host.newEmail())
  for (const email of accounts.slice(0, 20)) {
    const error = await refusal(signIn.login({ email, password }, from('192.0.2.7')))
    assert.is(error.info.status, 401)
  }
  const error = await refusal(signIn.login({ email: accounts[20] ?? '', password }, from('192.0.2.7')))
  assert.is(error.info.class, 'TooManyRequestsError')
  assert.match(error.rawMessage, /too many login attempts/i)
  assert.ok(error.info.retryAfterSeconds > 0 && error.info.retryAfterSeconds <= 60)
  assert.is((await refusal(signIn.login({ email: host.newEmail(), password }, from('192.0.2.8')))).info.status, 401)
})

test('sign-ins that arrive together are counted one by one', async () => {
  const tries = Array.from({ length: 25 }, () => signIn.login({ email: host.newEmail(), password }, from('192.0.2.9')))
  const statuses = await Promise.all(tries.map(async one => (await refusal(one)).info.status))
  assert.is(statuses.filter(status => status === 429).length, 5)
})

test('an account that saw too many wrong passwords is closed for a while, whoever asks from wherever', async () => {
  const email = host.newEmail()
  await signIn.register({ email, password })
  for (let i = 0; i < 5; i++) {
    const error = await refusal(signIn.login({ email, password: 'wrong horse 7' }, from(`198.51.100.${i}`)))
    assert.is(error.info.status, 401)
  }
  assert.is((await refusal(signIn.login({ email, password }, from('198.51.100.9')))).info.status, 429)
})

test('a right password forgives the wrong ones before it', async () => {
  const email = host.newEmail()
  await signIn.register({ email, password })
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 4; i++)
      await refusal(signIn.login({ email, password: 'wrong horse 7' }, from(`203.0.113.${i}`)))
    await signIn.login({ email, password }, from('203.0.113.9'))
  }
})

test('refreshes are counted by family, so that people behind one address do not lock each other out', async () => {
  const pairs = await Promise.all([0, 1].map(() => signIn.register({ email: host.newEmail(), password })))
  let [one = '', other = ''] = pairs.map(pair => pair.refreshToken)
  for (let i = 0; i < 5; i++) one = (await signIn.refreshToken({ refreshToken: one }, from('192.0.2.7'))).refreshToken
  assert.is((await refusal(signIn.refreshToken({ refreshToken: one }, from('192.0.2.7')))).info.status, 429)
  other = (await signIn.refreshToken({ refreshToken: other }, from('192.0.2.7'))).refreshToken
  assert.ok(other)
})

test('an IPv6 address counts as its /64 and a mapped IPv4 address as itself', () => {
  assert.is(addressKey('2001:db8:1:2:3:4:5:6'), addressKey('2001:db8:1:2::9'))
  assert.is.not(addressKey('2001:db8:1:2::9'), addressKey('2001:db8:1:3::9'))
  assert.is(addressKey('2001:0db8:0001:0002::'), addressKey('2001:db8:1:2:ffff::1'))
  assert.is(addressKey('::1'), '0:0:0:0::/64')
  assert.is(addressKey('::ffff:192.0.2.1'), '192.0.2.1')
  assert.is(addressKey('fe80::1%eth0'), addressKey('fe80::2'))
  assert.is(addressKey(null), 'unknown')
})

test.run()
