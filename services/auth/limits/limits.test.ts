import { getOption } from '@bufbuild/protobuf'
import { ConnectError, createClient } from '@connectrpc/connect'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { SignInService as LegacySignIn } from '../../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { limit as limitOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { password } from '../../../test/kit/auth/auth.ts'
import { legacyForTest } from '../../../test/kit/auth/legacy.ts'
import { assert, refusal, statusOf, suite } from '../../../test/kit/kit.ts'
import { testPool } from '../../../test/kit/sql.ts'
import { addressKey } from '../../kernel/base/client-address.ts'
import { newId } from '../../kernel/base/ids.ts'
import { digest, newToken } from '../../kernel/base/secrets.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { startHost } from '../../kernel/rpc/host.ts'
import { service } from '../service.ts'

const test = suite('sign-in limits')
const { host, anonymous, withToken } = await legacyForTest(test, {
  SIGN_IN_LIMIT: '20',
  SIGN_IN_SUBJECT_LIMIT: '5',
  SIGN_IN_WINDOW_SECONDS: '900',
  ANONYMOUS_LIMIT: '100',
})
const signIn = anonymous.signIn
const from = (address: string) => ({ headers: { 'x-client-ip': address } })

const db = testPool(host.databaseUrl('auth'))
test.after(() => db.end())

test('the 21st sign-in from an address within the window is refused with the time to wait', async () => {
  const accounts = Array.from({ length: 21 }, () => host.newEmail())
  for (const email of accounts.slice(0, 20)) {
    const error = await refusal(signIn.login({ email, password }, from('192.0.2.7')))
    assert.is(error.info.status, 401)
  }
  const error = await refusal(signIn.login({ email: accounts[20] ?? '', password }, from('192.0.2.7')))
  assert.is(error.info.class, 'TooManyRequestsError')
  assert.match(error.rawMessage, /too many login attempts/i)
  assert.ok(error.info.retryAfterSeconds > 0 && error.info.retryAfterSeconds <= 900)
  assert.is((await refusal(signIn.login({ email: host.newEmail(), password }, from('192.0.2.8')))).info.status, 401)
})

test('thirty people of a shift sign in behind one address, and the 21st sign-in of one of them is refused', async () => {
  const shift = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const email = host.newEmail()
      await signIn.register({ email, password })
      return email
    }),
  )
  const options = from('192.0.2.30')
  const statuses = await Promise.all(shift.map(email => statusOf(signIn.login({ email, password }, options))))
  assert.equal(statuses, Array(30).fill(200))
  const [email = ''] = shift
  for (let n = 1; n < 20; n++) assert.is(await statusOf(signIn.login({ email, password }, options)), 200)
  assert.is(await statusOf(signIn.login({ email, password }, options)), 429)
  assert.is(await statusOf(signIn.login({ email, password }, from('192.0.2.31'))), 200)
})

test('an account that others locked is open from the addresses that it signed in from', async () => {
  const email = host.newEmail()
  await signIn.register({ email, password }, from('192.0.2.40'))
  for (let n = 0; n < 5; n++) await refusal(signIn.login({ email, password: 'wrong horse 7' }, from('192.0.2.41')))
  assert.is(await statusOf(signIn.login({ email, password }, from('192.0.2.42'))), 429)
  assert.is(await statusOf(signIn.login({ email, password }, from('192.0.2.40'))), 200)
})

test('wrong passwords from an address that the account signed in from lock it nowhere else', async () => {
  const email = host.newEmail()
  await signIn.register({ email, password }, from('192.0.2.43'))
  for (let n = 0; n < 6; n++)
    assert.is(await statusOf(signIn.login({ email, password: 'wrong horse 7' }, from('192.0.2.43'))), 401)
  assert.is(await statusOf(signIn.login({ email, password }, from('192.0.2.44'))), 200)
})

test('a page’s session is refreshed 600 times in a window, and unknown tokens of pages are tried 20 times', async () => {
  const page = { headers: { 'x-client-ip': '192.0.2.50', 'x-page-session': 'front' } }
  let { refreshToken } = await signIn.register({ email: host.newEmail(), password })
  for (let n = 0; n < 30; n++) ({ refreshToken } = await signIn.refreshToken({ refreshToken }, page))
  await db.query("update rate_counters set hits = 600 where name like 'page-session:%'")
  assert.is(await statusOf(signIn.refreshToken({ refreshToken }, page)), 429)
  for (let n = 0; n < 20; n++) assert.is(await statusOf(signIn.refreshToken({ refreshToken: newToken() }, page)), 401)
  assert.is(await statusOf(signIn.refreshToken({ refreshToken: newToken() }, page)), 429)
})

test('simultaneous sign-ins are counted one by one', async () => {
  const tries = Array.from({ length: 25 }, () => signIn.login({ email: host.newEmail(), password }, from('192.0.2.9')))
  const statuses = await Promise.all(tries.map(async one => (await refusal(one)).info.status))
  assert.is(statuses.filter(status => status === 429).length, 5)
})

test('simultaneous right passwords admit as many as the limit, also over two processes', async () => {
  const email = host.newEmail()
  const { user } = await signIn.register({ email, password })
  const otherHost = await startHost([service], host.env, silentLog, { accounts: 'strangers' })
  const clients = [signIn, createClient(SignInService, otherHost.transport(SignInService))]
  const tries = Array.from({ length: 50 }, (_, n) =>
    (clients[n % 2] ?? signIn).login({ email, password }, from('192.0.2.10')),
  )
  const outcomes = await Promise.all(tries.map(statusOf))
  await otherHost.stop()
  assert.equal(
    [200, 429].map(status => outcomes.filter(one => one === status).length),
    [20, 30],
  )
  const [sessions] = await db.query('select count(*) as opened from sessions where user_id = ?', [user?.id])
  assert.equal(sessions, [{ opened: 21 }])
})

const guesses = Array.from({ length: 30 }, (_, n) => (n < 29 ? `wrong horse ${n}` : password))
/** Guesses that are made at once, the right one last; five are answered. */
const atOnce: Record<string, (email: string, accessToken: string) => (guess: string, n: number) => Promise<unknown>> = {
  'a sign-in, each from another address': email => (guess, n) =>
    signIn.login({ email, password: guess }, from(`198.18.0.${n}`)),
  'a legacy sign-in, each from another address': email => (guess, n) =>
    anonymous.legacySignIn.login({ email, password: guess, type: 'mobile' }, from(`198.18.1.${n}`)),
  'a change of address': (_email, accessToken) => currentPassword =>
    withToken(accessToken).users.updateMe({
      email: host.newEmail(),
      currentPassword,
      updateMask: { paths: ['email'] },
    }),
  'a legacy change of password': (_email, accessToken) => oldPassword =>
    withToken(accessToken).legacyPasswords.changePassword({ oldPassword, newPassword: 'another horse 8' }),
}
for (const [kind, guesser] of Object.entries(atOnce))
  test(`of simultaneous wrong passwords of ${kind}, as many are answered as the limit, and none is told from a right one`, async () => {
    const email = host.newEmail()
    const { accessToken } = await signIn.register({ email, password })
    const outcomes = await Promise.all(guesses.map(guesser(email, accessToken)).map(statusOf))
    assert.is(outcomes.filter(status => status !== 429).length, 5, outcomes.join())
    assert.is(outcomes.at(-1), 429)
  })

test('a right password without access is counted too', async () => {
  const email = host.newEmail()
  await signIn.register({ email, password })
  const legacy = anonymous.legacySignIn
  const codes = []
  for (let n = 0; n < 21; n++)
    codes.push((await refusal(legacy.login({ email, password, type: 'mobile' }, from('192.0.2.11')))).info.status)
  assert.equal(codes, [...Array<number>(20).fill(codes[0] ?? 0), 429])
  assert.is.not(codes[0], 429)
})

test('an account with too many wrong passwords is locked for a while, for every caller and address', async () => {
  const email = host.newEmail()
  await signIn.register({ email, password })
  for (let i = 0; i < 5; i++) {
    const error = await refusal(signIn.login({ email, password: 'wrong horse 7' }, from(`198.51.100.${i}`)))
    assert.is(error.info.status, 401)
  }
  assert.is((await refusal(signIn.login({ email, password }, from('198.51.100.9')))).info.status, 429)
})

test('a right password resets the count of wrong ones', async () => {
  const email = host.newEmail()
  await signIn.register({ email, password })
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 4; i++)
      await refusal(signIn.login({ email, password: 'wrong horse 7' }, from(`203.0.113.${i}`)))
    await signIn.login({ email, password }, from('203.0.113.9'))
  }
})

test('refreshes are counted by session, so that people behind one address do not lock each other out', async () => {
  const pairs = await Promise.all([0, 1].map(() => signIn.register({ email: host.newEmail(), password })))
  let [one = '', other = ''] = pairs.map(pair => pair.refreshToken)
  for (let i = 0; i < 5; i++) one = (await signIn.refreshToken({ refreshToken: one }, from('192.0.2.7'))).refreshToken
  assert.is((await refusal(signIn.refreshToken({ refreshToken: one }, from('192.0.2.7')))).info.status, 429)
  other = (await signIn.refreshToken({ refreshToken: other }, from('192.0.2.7'))).refreshToken
  assert.ok(other)
})

test('all processes count together, modern and legacy sign-ins alike, and an IPv6 address by its /64', async () => {
  const otherHost = await startHost([service], host.env, silentLog, { accounts: 'strangers' })
  const clients = [signIn, createClient(SignInService, otherHost.transport(SignInService))]
  const legacy = createClient(LegacySignIn, otherHost.transport(LegacySignIn))
  const statuses = []
  for (let n = 0; n < 21; n++) {
    const [credentials, options] = [{ email: host.newEmail(), password }, from(`2001:db8:7:7::${n.toString(16)}`)]
    const client = clients[n % 2] ?? signIn
    const call = n % 3 ? client.login(credentials, options) : legacy.login({ ...credentials, type: 'mobile' }, options)
    statuses.push((await refusal(call)).info.status)
  }
  await otherHost.stop()
  assert.equal(statuses, [...Array<number>(20).fill(401), 429])
})

test('the creation of accounts is limited per address, also by invitation', async () => {
  const optionsFor = (n: number) => from(`2001:db8:8:8:${n.toString(16)}::1`)
  await signIn.register({ email: host.newEmail(), password }, optionsFor(0))
  const counter = `anonymous:${digest(addressKey('2001:db8:8:8::')).slice(0, 40)}`
  await db.query('update rate_counters set hits = 99 where name = ?', [counter])
  await signIn.register({ email: host.newEmail(), password }, optionsFor(1))
  assert.is((await refusal(signIn.register({ email: host.newEmail(), password }, optionsFor(2)))).info.status, 429)
  const signUp = anonymous.users.signUp({ token: host.invite(host.newEmail()), password }, optionsFor(3))
  assert.is((await refusal(signUp)).info.status, 429)
})

test('each other path of /auth counts by its subject and states when to retry', async () => {
  const [email, token] = [host.newEmail(), newToken()]
  const { accessToken } = await signIn.register({ email: host.newEmail(), password })
  const ownSignIn = withToken(accessToken).signIn
  const paths: Record<string, (subject: string) => Promise<unknown>> = {
    Register: subject =>
      signIn.register({ email: subject === token ? email : `${subject}@hotel.example`, password: 'password123' }),
    RefreshToken: refreshToken => signIn.refreshToken({ refreshToken }),
    VerifyEmail: subject => signIn.verifyEmail({ token: subject }),
    Logout: refreshToken => ownSignIn.logout({ refreshToken }),
  }
  const countedMethods = SignInService.methods.filter(method => getOption(method, limitOption).subject !== '')
  assert.equal(countedMethods.map(({ name }) => name).toSorted(), Object.keys(paths).toSorted())
  for (const ask of Object.values(paths)) {
    for (let n = 0; n < 5; n++) assert.is.not(await statusOf(ask(token)), 429)
    const { info, rawMessage } = await refusal(ask(token))
    assert.is(info.status, 429)
    assert.match(rawMessage, /^Too many login attempts/)
    assert.ok(info.retryAfterSeconds > 0 && info.retryAfterSeconds <= 900)
    assert.is.not(await statusOf(ask(newId())), 429)
  }
})

/** Limit headers of a response or refusal; times within the window read T, since they run. */
async function readLimits(
  call: (onHeader: (headers: Headers) => void) => Promise<unknown>,
): Promise<(string | null)[]> {
  let headers = new Headers()
  await call(responseHeaders => void (headers = responseHeaders)).catch(
    async error => void (headers = ConnectError.from(error).metadata),
  )
  const values = ['ratelimit-policy', 'ratelimit'].map(name => headers.get(name))
  const longest = Math.max(...[...(values[0] ?? '').matchAll(/;w=(\d+)/g)].map(match => Number(match[1])))
  const runs = (text: string, seconds: string) => (Number(seconds) > 0 && Number(seconds) <= longest ? ';t=T' : text)
  return values.map(value => value && value.replace(/;t=(\d+)\b/g, runs))
}

test('answers state the limit of the address or token that they are counted by', async () => {
  const options = { headers: { 'x-client-ip': '192.0.2.66' } }
  const [email, policy] = [host.newEmail(), '"sign-in";q=20;w=900']
  const wrong = () =>
    readLimits(onHeader => signIn.login({ email, password: 'wrong horse 7' }, { ...options, onHeader }))
  assert.equal(await wrong(), [policy, '"sign-in";r=19;t=T'])
  const registration = await readLimits(onHeader => signIn.register({ email, password }, { ...options, onHeader }))
  assert.equal(registration, ['"anonymous";q=100;w=900, "register";q=5;w=900', '"anonymous";r=99;t=T'])
  const right = await readLimits(onHeader => signIn.login({ email, password }, { ...options, onHeader }))
  assert.equal(right, [policy, '"sign-in";r=18;t=T'])
  await db.query('update rate_counters set hits = 20 where name = ?', [
    `sign-in:${digest(`${email} 192.0.2.66`).slice(0, 40)}`,
  ])
  assert.equal(await wrong(), [policy, '"sign-in";r=0;t=T'])
  const refreshed = (refreshToken: string) =>
    readLimits(onHeader => signIn.refreshToken({ refreshToken }, { ...options, onHeader }))
  const { refreshToken } = await signIn.login({ email, password }, from('192.0.2.67'))
  assert.equal(await refreshed(refreshToken), ['"refresh";q=5;w=900', '"refresh";r=4;t=T'])
  const token = newToken()
  for (const [index, ofToken] of [4, 3, 2, 1, 0].entries())
    assert.equal(await refreshed(token), [
      '"anonymous";q=100;w=900, "refresh";q=5;w=900',
      `"anonymous";r=${98 - index};t=T, "refresh";r=${ofToken};t=T`,
    ])
  assert.equal(await refreshed(token), ['"anonymous";q=100;w=900, "refresh";q=5;w=900', '"refresh";r=0;t=T'])
})

test('the remaining limit of an account or e-mail is not revealed, nor whether an account exists', async () => {
  const [knownEmail, unknownEmail] = [host.newEmail(), host.newEmail()]
  await signIn.register({ email: knownEmail, password })
  const readBoth = (email: string, n: number) => {
    const options = from(`2001:db8:${email === knownEmail ? 66 : 67}:${n}::1`)
    return Promise.all([
      readLimits(onHeader => signIn.login({ email, password: 'wrong horse 7' }, { ...options, onHeader })),
      readLimits(onHeader => anonymous.passwords.forgotPassword({ email }, { ...options, onHeader })),
    ])
  }
  const answers = []
  for (let n = 1; n <= 11; n++) {
    const [one, other] = await Promise.all([readBoth(knownEmail, n), readBoth(unknownEmail, n)])
    assert.equal(one, other)
    answers.push(one)
  }
  const forgot = '"anonymous";q=100;w=900, "forgot-password";q=10;w=3600'
  const anonymousQuota = '"anonymous";r=99;t=T'
  assert.equal(answers[4], [
    ['"sign-in";q=20;w=900', '"sign-in";r=19;t=T'],
    [forgot, anonymousQuota],
  ])
  // The limit that refuses the sixth wrong password is not reported; only its Retry-After is.
  assert.equal(answers[5], [
    ['"sign-in";q=20;w=900', null],
    [forgot, anonymousQuota],
  ])
  assert.equal(answers[10]?.[1], [forgot, '"forgot-password";r=0;t=T'])
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
