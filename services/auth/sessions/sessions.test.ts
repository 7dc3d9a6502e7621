import { sql } from 'kysely'
import { authForTest, password } from '../../../test/kit/auth/auth.ts'
import { assert, isRefused, refusal, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('sessions')
const { host, db, account, anonymous, asService, withToken } = await authForTest(test)
const signIn = anonymous.signIn

test('people see their own active sessions with device and address, last used first', async () => {
  const { email, accessToken } = await account()
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile'
  await signIn.login({ email, password }, { headers: { 'user-agent': userAgent, 'x-client-ip': '192.0.2.44' } })
  const { data } = await withToken(accessToken).sessions.listMySessions({})
  assert.is(data.length, 2)
  assert.is(data[0]?.deviceInfo?.os, 'iOS')
  assert.is(data[0]?.deviceInfo?.device, 'phone')
  assert.is(data[0]?.deviceInfo?.ip, '192.0.2.44')
  assert.equal(
    data.map(one => one.isCurrent),
    [false, true],
  )
  // A proxy may forward text that isn't an address; the sign-in must still succeed.
  for (const odd of ['é', '1'.repeat(65)]) {
    const entered = await signIn.login({ email, password }, { headers: { 'x-client-ip': odd } })
    const ownSessions = await withToken(entered.accessToken).sessions.listMySessions({})
    assert.is(ownSessions.data.find(one => one.isCurrent)?.deviceInfo?.ip, undefined, odd)
  }
})

test('all other sessions end at once and the current one continues', async () => {
  const { email, accessToken, refreshToken } = await account()
  for (let i = 0; i < 2; i++) await signIn.login({ email, password })
  const { ended } = await withToken(accessToken).sessions.endMyOtherSessions({})
  assert.is(ended, 2)
  await signIn.refreshToken({ refreshToken })
})

test('only a platform administrator finds sessions by e-mail and ends one', async () => {
  const { id, accessToken, refreshToken, email } = await account()
  const chief = await account()
  host.next.members.push({ id: newId(), userId: chief.id, email: chief.email, isActive: true, isSuperAdmin: true })
  const sessions = withToken(chief.accessToken).sessions
  const { data } = await sessions.listSessions({ email: email.toUpperCase() })
  assert.equal(
    data.map(one => [one.userId, one.email, one.isCurrent]),
    [[id, email, false]],
  )
  assert.equal((await sessions.listSessions({ email: email.slice(1, -3) })).data, data, 'a part of it')
  assert.equal((await sessions.listSessions({ email: email.replace('@', '_') })).data, [])
  assert.equal((await sessions.listSessions({ email, userId: chief.id })).data, [])
  await isRefused(sessions.listSessions({ email: 'x'.repeat(255) }), 400)
  assert.is((await sessions.listSessions({ email: host.newEmail() })).meta?.total, 0)
  assert.is((await sessions.listSessions({ userId: id, isActive: true })).meta?.total, 1)
  await isRefused(withToken(accessToken).sessions.listSessions({}), 403)
  const session = { id: data[0]?.id ?? '' }
  await isRefused(withToken(accessToken).sessions.endSession(session), 403)
  assert.equal((await sessions.endSession(session)).id, session.id)
  await isRefused(sessions.endSession(session), 404)
  await isRefused(sessions.endSession({ id: newId() }), 404)
  await isRefused(withToken(accessToken).users.getMe({}), 401)
  await isRefused(signIn.refreshToken({ refreshToken }), 401)
})

test('the member service records a session, and people cannot', async () => {
  const memberId = newId()
  const answer = await asService.sessions.createSession({ memberId, appType: 'mobile', ip: '192.0.2.1' })
  assert.is(answer.memberId, memberId)
  assert.is(answer.isActive, true)
  for (const ip of ['é', '😀', 'a\0b']) {
    const error = await refusal(asService.sessions.createSession({ memberId, appType: 'mobile', ip }))
    assert.equal([error.info.status, error.info.violations[0]?.path], [400, 'ip'], ip)
  }
  const { accessToken } = await account()
  await isRefused(withToken(accessToken).sessions.createSession({ memberId, appType: 'mobile' }), 403)
})

test('a changed password is announced with the session that continues', async () => {
  const { accessToken, id } = await account()
  const change = { currentPassword: password, newPassword: 'another horse 8' }
  await withToken(accessToken).passwords.changePassword(change)
  const { rows } = await sql<{
    body: string
  }>`select body from outbox where subject = 'platform.auth.user.sessions_revoked' order by position desc`.execute(db)
  const { payload } = JSON.parse(rows[0]?.body ?? '{}') as { payload: { userId: string; exceptSessionId: string } }
  assert.is(payload.userId, id)
  assert.is(payload.exceptSessionId, host.tokens.verify(accessToken)?.sessionId)
})

test.run()
