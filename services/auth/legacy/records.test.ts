import { sql } from 'kysely'
import { routesOf } from '../../../edge/rest/routes.ts'
import { catalogue } from '../../../gen/catalogue.ts'
import { bootstrap, chief, newPassword, password } from '../../../test/kit/auth/auth.ts'
import { device, legacyForTest, otherDevice } from '../../../test/kit/auth/legacy.ts'
import { assert, eventually, isRefused, suite } from '../../../test/kit/kit.ts'

/* Events and log records of each legacy route; read-only routes have neither. */
const test = suite('events and log records of the legacy version')
const legacy = await legacyForTest(test, {
  ...bootstrap,
})
const { host, db, invited, member, asService, withToken } = legacy
/** Names of the RPCs that these tests called. */
const called = new Set<string>()
const noted = <T extends object>(client: T): T =>
  new Proxy(client, { get: (target, name) => (called.add(String(name)), Reflect.get(target, name)) })
const [accounts, signIn] = [noted(legacy.accounts), noted(legacy.signIn)]
const enter: typeof legacy.enter = (...input) => (called.add('login'), legacy.enter(...input))
const trusted = noted(asService.legacyPasswords)
const bodies = (): Promise<{ subject: string; body: string }[]> =>
  sql<{ subject: string; body: string }>`select subject, body from outbox order by position`
    .execute(db)
    .then(({ rows }) => rows)
const logs = () => db.selectFrom('user_logs').selectAll().orderBy('timestamp').orderBy('id').execute()

/** Subjects and log messages that a call adds. */
async function traceCall(call: () => Promise<unknown>) {
  const [eventCount, formerIds] = [(await bodies()).length, new Set((await logs()).map(({ id }) => id))]
  await call().catch(() => undefined)
  const events = (await bodies()).slice(eventCount)
  // Records of the same millisecond may be in either order.
  const records = (await logs()).filter(({ id }) => !formerIds.has(id))
  return {
    events,
    records,
    keys: events.map(one => one.subject.replace('platform.', '')).toSorted(),
    lines: records.map(one => `${one.level} ${one.message}`),
  }
}

const createToken = async (email: string) =>
  (await eventually(() => host.next.mails.find(one => one.to === email && one.slug === 'user_invitation'))).variables[
    'token'
  ] ?? ''

test('every changing route emits one event and writes one log record', async () => {
  const person = member()
  const invite = await traceCall(() =>
    accounts.inviteAccount({ email: person.email, password, memberId: person.memberId }),
  )
  assert.equal(invite.keys, ['audit.recorded', 'auth.user.created', 'authentication.user_invited'])
  assert.equal(invite.lines, ['info account invited'])
  const userId = invite.records[0]?.user_id ?? ''

  const login = await traceCall(() => enter(person.email))
  assert.equal(login.keys, ['authentication.signed_in', 'notification.socket'])
  assert.equal(login.lines, ['info signed in'])
  assert.equal([login.records[0]?.user_id, JSON.parse(login.records[0]?.meta ?? '')], [userId, { type: 'mobile' }])

  const failedLogin = await traceCall(() => enter(person.email, device, 'wrong horse 7'))
  assert.equal([failedLogin.keys, failedLogin.lines], [[], ['warn sign-in refused']])
  assert.equal((await traceCall(() => enter(person.email, otherDevice))).keys, [])

  const flags = await traceCall(() => accounts.setLoginData({ userId, isForced: true }))
  assert.equal(
    [flags.keys, flags.lines],
    [['audit.recorded', 'authentication.login_data_set'], ['info login data set']],
  )

  const resetRequest = await traceCall(() => trusted.sendResetEmail({ email: person.email }))
  assert.equal([resetRequest.keys, resetRequest.lines], [['authentication.reset_requested'], ['info reset requested']])
  assert.equal((await traceCall(() => trusted.requestReset({ email: person.email }))).keys, [
    'authentication.reset_requested',
  ])

  const { generatedcode: code = '', tokenFrontRoute: token = '' } = await trusted.requestReset({ email: person.email })
  assert.equal((await traceCall(() => trusted.checkResetCode({ email: person.email, code }))).keys, [])
  assert.equal((await traceCall(() => trusted.checkResetRequest({ email: person.email, token }))).keys, [])
  const reset = await traceCall(() => trusted.resetPassword({ email: person.email, code, token, newPassword }))
  assert.equal(reset.keys, ['auth.user.sessions_revoked', 'authentication.password_changed'])
  assert.equal(reset.lines, ['info password reset'])

  const { accessToken } = await enter(person.email, device, newPassword)
  const ownPasswords = noted(withToken(accessToken).legacyPasswords)
  const passwordChange = await traceCall(() =>
    ownPasswords.changePassword({ oldPassword: newPassword, newPassword: password }),
  )
  assert.equal(passwordChange.keys, ['auth.user.sessions_revoked', 'authentication.password_changed'])
  assert.equal(passwordChange.lines, ['info password changed'])
  const byAdmin = await traceCall(() => trusted.changePasswordByAdmin({ email: person.email }))
  assert.equal(byAdmin.keys, ['audit.recorded', 'auth.user.sessions_revoked', 'authentication.password_changed'])
  assert.equal(byAdmin.lines, ['info temporary password set'])

  for (const way of [
    () => accounts.revokeRefreshTokens({ userId }),
    () => accounts.deleteUserTokens({ userId }),
    () => accounts.revokeTokensByEmail({ email: person.email }),
  ]) {
    const { keys, lines } = await traceCall(way)
    assert.equal(keys, ['audit.recorded', 'auth.user.sessions_revoked', 'authentication.tokens_revoked'])
    assert.equal(lines, ['info tokens revoked'])
  }

  const newEmail = host.newEmail()
  const emailChange = await traceCall(() => accounts.changeMail({ oldEmail: person.email, newEmail }))
  assert.equal(
    [emailChange.keys, emailChange.lines],
    [['audit.recorded', 'authentication.email_changed'], ['info email changed']],
  )
  assert.equal((await traceCall(() => accounts.changeMail({ oldEmail: newEmail, newEmail }))).keys, [])

  const deletion = await traceCall(() => accounts.deleteAccount({ email: newEmail }))
  assert.equal(
    [deletion.keys, deletion.lines],
    [['audit.recorded', 'auth.user.deleted', 'authentication.user_deleted'], ['info account deleted']],
  )
})

test('registerTemp, the administrator’s sign-in and the deletion of an ecosystem do so too', async () => {
  const person = await invited()
  const token = await createToken(person.email)
  const registration = await traceCall(() => signIn.registerTemp({ token, password: 'chosen horse 12' }, device))
  assert.equal(registration.keys, [
    'auth.user.sessions_revoked',
    'authentication.password_changed',
    'authentication.signed_in',
    'notification.socket',
  ])
  assert.equal(registration.lines.toSorted(), ['info password chosen', 'info signed in'])
  const login = await traceCall(() => signIn.loginAsAdmin(chief))
  assert.equal([login.keys, login.lines], [['authentication.signed_in'], ['info administrator signed in']])
  const failedLogin = await traceCall(() => signIn.loginAsAdmin({ ...chief, password: 'wrong horse 7' }))
  assert.equal([failedLogin.keys, failedLogin.lines], [[], ['warn administrator sign-in refused']])
  const deletion = await traceCall(() => accounts.deleteEcosystemAccounts({ ecosystemId: person.hotelId }))
  assert.equal(deletion.keys, ['audit.recorded', 'auth.user.deleted', 'authentication.ecosystem_deleted'])
  assert.equal(deletion.lines, ['info users of an ecosystem deleted'])
})

test('the sign-in reaches the bus as a frame for the member’s own room', async () => {
  const person = await invited()
  type Frame = {
    workspaceId: string
    channels: string[]
    payload: { rooms: string[]; event: string }
    metadata: { receiverIds: string[] }
  }
  const frames: Frame[] = []
  host.bus.subscribeCore('platform.notification.socket', bytes =>
    frames.push(JSON.parse(Buffer.from(bytes).toString())),
  )
  await enter(person.email)
  const { payload, workspaceId, channels } = await eventually(() =>
    frames.find(one => one.metadata.receiverIds[0] === person.memberId),
  )
  assert.equal([payload.event, payload.rooms], ['auth:signed-in', [`member:${person.memberId}`]])
  assert.equal([workspaceId, channels], [person.workspaceId, ['socket']])
})

test('events and records contain no password, code or token', async () => {
  const person = await invited()
  const { refreshToken, accessToken } = await enter(person.email)
  const { generatedcode = '', tokenFrontRoute = '' } = await trusted.requestReset({ email: person.email })
  const { temporaryPassword } = await trusted.changePasswordByAdmin({ email: person.email })
  const secrets = [password, refreshToken, accessToken, tokenFrontRoute, temporaryPassword]
  const text = JSON.stringify([await bodies(), await logs()])
  for (const secret of secrets) assert.not.ok(text.includes(secret))
  const values = (await logs()).flatMap(row => [row.message, row.meta])
  assert.not.ok(values.some(value => value?.includes(`"${generatedcode}"`)))
})

test('an unexpected error is reported on the bus and recorded, with its place only', async () => {
  await sql`rename table route_usage to gone`.execute(db)
  const { events, lines, records } = await traceCall(() => isRefused(asService.usage.listUsage({}), 500))
  await sql`rename table gone to route_usage`.execute(db)
  assert.equal(
    events.map(one => one.subject),
    ['platform.webhook.report-error'],
  )
  const { payload } = JSON.parse(events[0]?.body ?? '{}') as { payload: Record<string, string> }
  assert.equal(
    [payload['service'], payload['error'], payload['message']],
    ['legacy-authentication-service', 'InternalServerError', 'ListUsage failed'],
  )
  assert.not.match(JSON.stringify(payload), /route_usage/)
  assert.equal(lines, ['error ListUsage failed'])
  assert.is((JSON.parse(records[0]?.meta ?? '{}') as { requestId: string }).requestId, payload['requestId'])
  const expected = await traceCall(() => isRefused(accounts.deleteAccount({ email: host.newEmail() }), 404, 'MSG_623'))
  assert.equal([expected.keys, expected.lines], [[], []])
})

test('every changing route is among those above', () => {
  // A refresh writes its session alone, which is no event.
  const silent = ['refresh']
  const changing = catalogue.legacyauth.flatMap(routesOf).filter(({ verb }) => verb !== 'GET')
  const missing = changing.filter(({ method }) => !called.has(method.localName) && !silent.includes(method.localName))
  assert.equal(
    missing.map(({ method }) => method.name),
    [],
  )
})

test.run()
