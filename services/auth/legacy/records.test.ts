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
async function added(call: () => Promise<unknown>) {
  const [events, before] = [(await bodies()).length, new Set((await logs()).map(({ id }) => id))]
  await call().catch(() => undefined)
  const told = (await bodies()).slice(events)
  // Records of the same millisecond may be in either order.
  const wrote = (await logs()).filter(({ id }) => !before.has(id))
  return {
    told,
    wrote,
    keys: told.map(one => one.subject.replace('platform.', '')).toSorted(),
    lines: wrote.map(one => `${one.level} ${one.message}`),
  }
}

const createToken = async (email: string) =>
  (await eventually(() => host.next.mails.find(one => one.to === email && one.slug === 'user_invitation'))).variables[
    'token'
  ] ?? ''

test('every changing route emits one event and writes one log record', async () => {
  const who = member()
  const invite = await added(() => accounts.inviteAccount({ email: who.email, password, memberId: who.memberId }))
  assert.equal(invite.keys, ['audit.recorded', 'auth.user.created', 'authentication.user_invited'])
  assert.equal(invite.lines, ['info account invited'])
  const userId = invite.wrote[0]?.user_id ?? ''

  const entered = await added(() => enter(who.email))
  assert.equal(entered.keys, ['authentication.signed_in', 'notification.socket'])
  assert.equal(entered.lines, ['info signed in'])
  assert.equal([entered.wrote[0]?.user_id, JSON.parse(entered.wrote[0]?.meta ?? '')], [userId, { type: 'mobile' }])

  const refused = await added(() => enter(who.email, device, 'wrong horse 7'))
  assert.equal([refused.keys, refused.lines], [[], ['warn sign-in refused']])
  assert.equal((await added(() => enter(who.email, otherDevice))).keys, [])

  const flags = await added(() => accounts.setLoginData({ userId, isForced: true }))
  assert.equal(
    [flags.keys, flags.lines],
    [['audit.recorded', 'authentication.login_data_set'], ['info login data set']],
  )

  const asked = await added(() => trusted.sendResetEmail({ email: who.email }))
  assert.equal([asked.keys, asked.lines], [['authentication.reset_requested'], ['info reset requested']])
  assert.equal((await added(() => trusted.requestReset({ email: who.email }))).keys, ['authentication.reset_requested'])

  const { generatedcode: code = '', tokenFrontRoute: token = '' } = await trusted.requestReset({ email: who.email })
  assert.equal((await added(() => trusted.checkResetCode({ email: who.email, code }))).keys, [])
  assert.equal((await added(() => trusted.checkResetRequest({ email: who.email, token }))).keys, [])
  const reset = await added(() => trusted.resetPassword({ email: who.email, code, token, newPassword }))
  assert.equal(reset.keys, ['auth.user.sessions_revoked', 'authentication.password_changed'])
  assert.equal(reset.lines, ['info password reset'])

  const { accessToken } = await enter(who.email, device, newPassword)
  const mine = noted(withToken(accessToken).legacyPasswords)
  const changed = await added(() => mine.changePassword({ oldPassword: newPassword, newPassword: password }))
  assert.equal(changed.keys, ['auth.user.sessions_revoked', 'authentication.password_changed'])
  assert.equal(changed.lines, ['info password changed'])
  const byAdmin = await added(() => trusted.changePasswordByAdmin({ email: who.email }))
  assert.equal(byAdmin.keys, ['audit.recorded', 'auth.user.sessions_revoked', 'authentication.password_changed'])
  assert.equal(byAdmin.lines, ['info temporary password set'])

  for (const way of [
    () => accounts.revokeRefreshTokens({ userId }),
    () => accounts.deleteUserTokens({ userId }),
    () => accounts.revokeTokensByEmail({ email: who.email }),
  ]) {
    const { keys, lines } = await added(way)
    assert.equal(keys, ['audit.recorded', 'auth.user.sessions_revoked', 'authentication.tokens_revoked'])
    assert.equal(lines, ['info tokens revoked'])
  }

  const newEmail = host.newEmail()
  const moved = await added(() => accounts.changeMail({ oldEmail: who.email, newEmail }))
  assert.equal([moved.keys, moved.lines], [['audit.recorded', 'authentication.email_changed'], ['info email changed']])
  assert.equal((await added(() => accounts.changeMail({ oldEmail: newEmail, newEmail }))).keys, [])

  const gone = await added(() => accounts.deleteAccount({ email: newEmail }))
  assert.equal(
    [gone.keys, gone.lines],
    [['audit.recorded', 'auth.user.deleted', 'authentication.user_deleted'], ['info account deleted']],
  )
})

test('registerTemp, the administrator’s sign-in and the deletion of an ecosystem do so too', async () => {
  const who = await invited()
  const token = await createToken(who.email)
  const registered = await added(() => signIn.registerTemp({ token, password: 'chosen horse 12' }, device))
  assert.equal(registered.keys, [
    'auth.user.sessions_revoked',
    'authentication.password_changed',
    'authentication.signed_in',
    'notification.socket',
  ])
  assert.equal(registered.lines.toSorted(), ['info password chosen', 'info signed in'])
  const entered = await added(() => signIn.loginAsAdmin(chief))
  assert.equal([entered.keys, entered.lines], [['authentication.signed_in'], ['info administrator signed in']])
  const refused = await added(() => signIn.loginAsAdmin({ ...chief, password: 'wrong horse 7' }))
  assert.equal([refused.keys, refused.lines], [[], ['warn administrator sign-in refused']])
  const ended = await added(() => accounts.deleteEcosystemAccounts({ ecosystemId: who.hotelId }))
  assert.equal(ended.keys, ['audit.recorded', 'auth.user.deleted', 'authentication.ecosystem_deleted'])
  assert.equal(ended.lines, ['info users of an ecosystem deleted'])
})

test('the sign-in reaches the bus as a frame for the member’s own room', async () => {
  const who = await invited()
  type Heard = {
    workspaceId: string
    channels: string[]
    payload: { rooms: string[]; event: string }
    metadata: { receiverIds: string[] }
  }
  const heard: Heard[] = []
  host.bus.subscribeCore('platform.notification.socket', bytes => heard.push(JSON.parse(Buffer.from(bytes).toString())))
  await enter(who.email)
  const { payload, workspaceId, channels } = await eventually(() =>
    heard.find(one => one.metadata.receiverIds[0] === who.memberId),
  )
  assert.equal([payload.event, payload.rooms], ['auth:signed-in', [`member:${who.memberId}`]])
  assert.equal([workspaceId, channels], [who.workspaceId, ['socket']])
})

test('events and records contain no password, code or token', async () => {
  const who = await invited()
  const { refreshToken, accessToken } = await enter(who.email)
  const { generatedcode = '', tokenFrontRoute = '' } = await trusted.requestReset({ email: who.email })
  const { temporaryPassword } = await trusted.changePasswordByAdmin({ email: who.email })
  const secrets = [password, refreshToken, accessToken, tokenFrontRoute, temporaryPassword]
  const text = JSON.stringify([await bodies(), await logs()])
  for (const secret of secrets) assert.not.ok(text.includes(secret))
  const values = (await logs()).flatMap(row => [row.message, row.meta])
  assert.not.ok(values.some(value => value?.includes(`"${generatedcode}"`)))
})

test('an unexpected error is reported on the bus and recorded, with its place only', async () => {
  await sql`rename table route_usage to gone`.execute(db)
  const { told, lines, wrote } = await added(() => isRefused(asService.usage.listUsage({}), 500))
  await sql`rename table gone to route_usage`.execute(db)
  assert.equal(
    told.map(one => one.subject),
    ['platform.webhook.report-error'],
  )
  const { payload } = JSON.parse(told[0]?.body ?? '{}') as { payload: Record<string, string> }
  assert.equal(
    [payload['service'], payload['error'], payload['message']],
    ['legacy-authentication-service', 'InternalServerError', 'ListUsage failed'],
  )
  assert.not.match(JSON.stringify(payload), /route_usage/)
  assert.equal(lines, ['error ListUsage failed'])
  assert.is((JSON.parse(wrote[0]?.meta ?? '{}') as { requestId: string }).requestId, payload['requestId'])
  const expected = await added(() => isRefused(accounts.deleteAccount({ email: host.newEmail() }), 404, 'MSG_623'))
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
