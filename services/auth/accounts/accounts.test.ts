import { authForTest, bootstrap, chief, password } from '../../../test/kit/auth/auth.ts'
import { assert, eventually, isRefused, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('accounts')
const { host, db, account, anonymous, asService, withToken } = await authForTest(test, {
  ...bootstrap,
  BOOTSTRAP_ADMIN_EMAIL: chief.email.toUpperCase(),
})
const signIn = anonymous.signIn
const accounts = asService.accounts

test('the first start creates the administrator, whom the member service knows', async () => {
  const { user, accessToken } = await signIn.login(chief)
  assert.is(user?.isAdmin, true)
  assert.is(user?.emailVerified, true)
  assert.is(host.tokens.verify(accessToken)?.isAdmin, true)
  await eventually(() => host.next.members.find(one => one.userId === user?.id && one.isSuperAdmin))
  const rows = await db.selectFrom('administrators').select('email').execute()
  assert.equal(rows, [{ email: chief.email }])
})

test('an existing administrator keeps the password, and an unverified account is not promoted', async () => {
  const secondAnswer = await accounts.ensureAdministrator({ ...chief, password: 'another horse 8' })
  assert.is(secondAnswer.created, false)
  await signIn.login(chief)
  const { email } = await account()
  await isRefused(accounts.ensureAdministrator({ email, password }), 409)
  await isRefused(anonymous.accounts.ensureAdministrator(chief), 401)
})

test('a deactivated account is refused at once and returns with a new sign-in', async () => {
  const { id, email, accessToken, refreshToken } = await account()
  assert.equal((await accounts.deactivateUsers({ userIds: [id, newId()] })).userIds, [id])
  assert.equal((await accounts.deactivateUsers({ userIds: [id] })).userIds, [])
  assert.is((await accounts.getAccountState({ userId: id })).isActive, false)
  await isRefused(withToken(accessToken).users.getMe({}), 401)
  await isRefused(signIn.refreshToken({ refreshToken }), 401)
  await isRefused(signIn.login({ email, password }), 401)
  assert.equal((await accounts.reactivateUsers({ userIds: [id] })).userIds, [id])
  await isRefused(withToken(accessToken).users.getMe({}), 401)
  await signIn.login({ email, password })
})

test('of some sessions, those are live that have neither ended nor expired', async () => {
  const sessions = await Promise.all(
    [1, 2, 3].map(async () => host.tokens.verify((await account()).accessToken)?.sessionId ?? ''),
  )
  const [liveId = '', endedId = '', expiredId = ''] = sessions
  await db.updateTable('sessions').set({ is_active: 0 }).where('id', '=', endedId).execute()
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', expiredId)
    .execute()
  assert.equal((await accounts.findLiveSessions({ ids: [...sessions, newId()] })).ids, [liveId])
  assert.equal((await accounts.findLiveSessions({})).ids, [])
  await isRefused(anonymous.accounts.findLiveSessions({}), 401)
})

test('the state of an account contains its session, and covers administrators without a user', async () => {
  const { id, accessToken } = await account()
  const sessionId = host.tokens.verify(accessToken)?.sessionId ?? ''
  assert.is((await accounts.getAccountState({ userId: id, sessionId })).sessionActive, true)
  assert.is((await accounts.getAccountState({ userId: id, sessionId: newId() })).sessionActive, false)
  const { id: administratorId } = await db.selectFrom('administrators').select('id').executeTakeFirstOrThrow()
  assert.is((await accounts.getAccountState({ userId: administratorId })).isAdministrator, true)
  await isRefused(accounts.getAccountState({ userId: newId() }), 404)
})

test.run()
