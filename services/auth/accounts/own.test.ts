import { sql } from 'kysely'
import { authForTest, password } from '../../../test/kit/auth/auth.ts'
import { assert, eventually, isRefused, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('own account')
const { host, db, account, anonymous, withToken } = await authForTest(test)
const signIn = anonymous.signIn

test('names and picture of an account without a member are stored here and can be cleared', async () => {
  const { me } = await account()
  const paths = ['first_name', 'photo_url']
  const { user } = await me.updateMe({ updateMask: { paths }, firstName: 'Grace', photoUrl: 'https://p.example/1.png' })
  assert.is(user?.firstName, 'Grace')
  assert.is(user?.photoUrl, 'https://p.example/1.png')
  const cleared = await me.updateMe({ updateMask: { paths }, firstName: '  ' })
  assert.is(cleared.user?.firstName, undefined)
  assert.is(cleared.user?.photoUrl, undefined)
})

test('names of a member are copied to it and cannot be cleared', async () => {
  const { me, id, email } = await account()
  host.next.members.push({ id: newId(), userId: id, email, isActive: true, firstname: 'Ada', lastname: 'Byron' })
  const { user } = await me.updateMe({ updateMask: { paths: ['last_name'] }, lastName: 'Lovelace' })
  assert.is(user?.lastName, 'Lovelace')
  assert.is(user?.firstName, 'Ada')
  await isRefused(me.updateMe({ updateMask: { paths: ['last_name'] } }), 400)
})

test('a new e-mail requires the password, is unverified until its link is opened, and then reaches the member', async () => {
  const { me, id, email, accessToken } = await account()
  host.next.members.push({ id: newId(), userId: id, email, isActive: true, firstname: 'Ada', lastname: 'Byron' })
  const newEmail = host.newEmail()
  const updateMask = { paths: ['email', 'current_password'] }
  await isRefused(me.updateMe({ updateMask: { paths: ['email'] }, email: newEmail }), 400)
  await isRefused(me.updateMe({ updateMask, email: newEmail, currentPassword: 'wrong horse 7' }), 400)
  await isRefused(me.updateMe({ updateMask: { paths: ['email'] } }), 400)
  const { user } = await me.updateMe({ updateMask, email: newEmail, currentPassword: password })
  assert.is(user?.email, newEmail)
  assert.is(user?.emailVerified, false)
  const mail = await eventually(() => host.next.mails.find(one => one.to === newEmail))
  await withToken(accessToken).signIn.verifyEmail({ token: mail.variables['token'] ?? '' })
  assert.is((await me.getMe({})).user?.emailVerified, true)
  assert.equal(host.next.updates.at(-1), { userId: id, paths: ['email'], email: newEmail })
})

test('a reset link at a new e-mail verifies it, and reaches the member too', async () => {
  const { me, id, email } = await account()
  host.next.members.push({ id: newId(), userId: id, email, isActive: true, firstname: 'Ada', lastname: 'Byron' })
  const newEmail = host.newEmail()
  await me.updateMe({ updateMask: { paths: ['email'] }, email: newEmail, currentPassword: password })
  await anonymous.passwords.forgotPassword({ email: newEmail })
  const mail = await eventually(() => host.next.mails.find(one => one.to === newEmail && one.slug.includes('reset')))
  await anonymous.passwords.resetPassword({ token: mail.variables['token'] ?? '', password: 'another horse 12' })
  assert.equal(host.next.updates.at(-1), { userId: id, paths: ['email'], email: newEmail })
})

test('a taken e-mail is a conflict and changes nothing', async () => {
  const [one, other] = [await account(), await account()]
  host.next.members.push({ id: newId(), userId: one.id, email: one.email, isActive: true, firstname: 'Ada' })
  const request = { email: other.email, currentPassword: password, firstName: 'Grace' }
  await isRefused(one.me.updateMe({ updateMask: { paths: ['email', 'first_name'] }, ...request }), 409)
  const { user } = await one.me.getMe({})
  assert.equal([user?.email, user?.firstName], [one.email, 'Ada'])
})

test('an account changes its address ten times in an hour', async () => {
  const { me } = await account()
  const updateMask = { paths: ['email', 'current_password'] }
  const change = () => me.updateMe({ updateMask, email: host.newEmail(), currentPassword: password })
  for (let n = 0; n < 10; n++) await change()
  await isRefused(change(), 429)
  await me.updateMe({ updateMask: { paths: ['first_name'] }, firstName: 'Ada' })
})

test('a deleted account loses tokens, sessions and its address, and other services are notified', async () => {
  const { me, id, email, refreshToken } = await account()
  const calls = await Promise.allSettled([1, 2, 3].map(() => me.deleteMe({ password })))
  assert.equal(
    calls.flatMap(call => (call.status === 'fulfilled' ? call.value.id : [])),
    [id],
  )
  const { rows } = await sql`
    select id from outbox where subject = 'platform.auth.user.deleted' and body like ${`%${id}%`}`.execute(db)
  assert.is(rows.length, 1)
  await isRefused(me.getMe({}), 401)
  await isRefused(signIn.refreshToken({ refreshToken }), 401)
  await isRefused(signIn.login({ email, password }), 401)
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  assert.is(row.is_active, 0)
  assert.is(row.former_email, email)
  await signIn.register({ email, password })
})

test.run()
