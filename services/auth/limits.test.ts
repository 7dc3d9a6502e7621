import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { createClient } from '@connectrpc/connect'
import { createPool } from 'mysql2/promise'
import { UserService } from '../../gen/platform/auth/v1/users_pb.ts'
import { SignInService as LegacySignIn } from '../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { startHost } from '../kernel/host.ts'
import { newId } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { newToken } from '../kernel/secrets.ts'
import { assert, refusal, suite } from '../kernel/testing.ts'
import { addressKey } from './addresses.rules.ts'
import { service } from './service.ts'
import { password, startAuthHost } from './testing.ts'

const test = suite('sign-in limits')
const host = await startAuthHost({ SIGN_IN_LIMIT: '20', SIGN_IN_SUBJECT_LIMIT: '5', SIGN_IN_WINDOW_SECONDS: '60' })
const signIn = host.as(SignInService)
const from = (address: string) => ({ headers: { 'x-client-ip': address } })

const db = createPool(host.databaseUrl('auth'))
test.after(async () => {
  await db.end()
  await host.end()
})

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

test('all processes count together, modern and legacy sign-ins alike, an IPv6 address by its /64', async () => {
  const far = await startHost([service], host.env, silentLog, { accounts: 'strangers' })
  const clients = [signIn, createClient(SignInService, far.transport(SignInService))]
  const legacy = createClient(LegacySignIn, far.transport(LegacySignIn))
  const statuses = []
  for (let n = 0; n < 21; n++) {
    const [credentials, where] = [{ email: host.newEmail(), password }, from(`2001:db8:7:7::${n.toString(16)}`)]
    const client = clients[n % 2] ?? signIn
    const call = n % 3 ? client.login(credentials, where) : legacy.login({ ...credentials, type: 'mobile' }, where)
    statuses.push((await refusal(call)).info.status)
  }
  await far.stop()
  assert.equal(statuses, [...Array<number>(20).fill(401), 429])
})

test('accounts are not made without end from one address, nor by invitation', async () => {
  const where = (n: number) => from(`2001:db8:8:8:${n.toString(16)}::1`)
  await db.query('delete from rate_counters where name like ?', ['newcomer:%'])
  await signIn.register({ email: host.newEmail(), password }, where(0))
  await db.query('update rate_counters set hits = 99 where name like ?', ['newcomer:%'])
  await signIn.register({ email: host.newEmail(), password }, where(1))
  assert.is((await refusal(signIn.register({ email: host.newEmail(), password }, where(2)))).info.status, 429)
  const signUp = host.as(UserService).signUp({ token: host.invite(host.newEmail()), password }, where(3))
  assert.is((await refusal(signUp)).info.status, 429)
})

test('each other path of /auth counts by what it is shown, and says when to come back', async () => {
  const [email, token] = [host.newEmail(), newToken()]
  const { accessToken } = await signIn.register({ email: host.newEmail(), password })
  const mine = host.bearing(SignInService, accessToken)
  const paths: ((subject: string) => Promise<unknown>)[] = [
    subject =>
      signIn.register({ email: subject === token ? email : `${subject}@hotel.example`, password: 'password123' }),
    refreshToken => signIn.refreshToken({ refreshToken }),
    subject => signIn.verifyEmail({ token: subject }),
    refreshToken => mine.logout({ refreshToken }),
  ]
  for (const ask of paths) {
    for (let n = 0; n < 5; n++) await ask(token).catch(error => assert.is.not(error.info?.status, 429))
    const { info } = await refusal(ask(token))
    assert.is(info.status, 429)
    assert.ok(info.retryAfterSeconds > 0 && info.retryAfterSeconds <= 60)
    await ask(newId()).catch(error => assert.is.not(error.info?.status, 429))
  }
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
