import type { RowDataPacket } from 'mysql2/promise'
import { password } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, eventually, isRefused, statusOf, suite } from '../../../test/kit/kit.ts'
import { someAddress } from '../../../test/kit/member.ts'
import { testPool } from '../../../test/kit/sql.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('accounts of deleted members and of former platform administrators')
const { host, root, workspaceId, openHotel, invite, person, anonymous, asService, withToken } =
  await authWithMember(test)
const [sql, memberSql] = [testPool(host.databaseUrl('auth')), testPool(host.databaseUrl('member'))]
const accounts = asService.accounts
const legacy = anonymous.legacySignIn
const signIn = anonymous.signIn
const loadUser = async (accessToken: string) => (await withToken(accessToken).users.getMe({})).user

test.after(async () => {
  await sql.end()
  await memberSql.end()
})

const chiefs = withToken(root).members
const entersAsAdmin = (credentials: { email: string; password: string }) => statusOf(legacy.loginAsAdmin(credentials))

test('the sign-ins of a deleted person end at once', async () => {
  const { email, accessToken, refreshToken, id, userId } = await person()
  await withToken(root).members.deleteMember({ id })
  await isRefused(withToken(accessToken).users.getMe({}), 401)
  await isRefused(signIn.refreshToken({ refreshToken }), 401)
  // The event of the deletion leaves later sign-ins alone.
  const later = await signIn.login({ email, password })
  await eventually(async () => {
    const [rows] = await memberSql.query<RowDataPacket[]>(
      "select id from outbox where subject = 'platform.member.departed' and body like ?",
      [`%${userId}%`],
    )
    return rows.length === 1
  })
  assert.is((await loadUser(later.accessToken))?.memberId, undefined)
})

test('somebody of two hotels whom one deletes loses it at once and goes on in the other', async () => {
  const other = await openHotel('Le Môle')
  const manager = await person(undefined, { workspaceRole: 'admin' })
  const { email, accessToken, refreshToken, id } = await person()
  const token = await invite(email, { workspaceId: other.workspaceId })
  await withToken(accessToken).onboarding.acceptInvitation({ token })
  assert.is((await loadUser(accessToken))?.workspaceId, workspaceId)
  await withToken(manager.accessToken).members.deleteMember({ id })
  assert.is((await loadUser(accessToken))?.workspaceId, other.workspaceId)
  await isRefused(withToken(accessToken).workspaces.getWorkspace({ id: workspaceId }), 403)
  const renewed = await signIn.refreshToken({ refreshToken })
  assert.is(host.tokens.verify(renewed.accessToken)?.workspaceId, other.workspaceId)
})

/** Another platform administrator, signed in to both versions. */
async function administrator() {
  const credentials = { email: someAddress(), password: 'other horse 99' }
  const { userId } = await accounts.ensureAdministrator(credentials)
  const { profile } = await asService.profiles.getProfile({ userId })
  const old = await legacy.loginAsAdmin(credentials)
  const { accessToken } = await signIn.login(credentials)
  const isAdmin = async () => (await accounts.getAccountState({ userId })).isAdmin
  return { ...credentials, userId, id: profile?.id ?? '', old, accessToken, isAdmin }
}

/** Whether nothing of an account's platform rights is left. */
async function assertEnded({ email, password, old, accessToken }: Awaited<ReturnType<typeof administrator>>) {
  await isRefused(legacy.loginAsAdmin({ email, password }), 401, 'MSG_601')
  await isRefused(legacy.refresh({ refreshToken: old.refreshToken }), 401, 'MSG_601')
  await isRefused(withToken(old.accessToken).legacyProfiles.getProfileAsAdmin({}), 401)
  await isRefused(withToken(accessToken).users.getMe({}), 401)
}

const off = (path: 'is_super_admin' | 'is_active') => (id: string) =>
  chiefs.updateMember({ id, isSuperAdmin: false, isActive: false, updateMask: { paths: [path] } })
const ends: [string, (id: string) => Promise<unknown>][] = [
  ['loses that right', off('is_super_admin')],
  ['is switched off', off('is_active')],
  ['is deleted', id => chiefs.deleteMember({ id })],
]
for (const [cause, end] of ends)
  test(`a platform administrator who ${cause} is none in either version, and all their sign-ins end`, async () => {
    const former = await administrator()
    await end(former.id)
    await eventually(async () => !(await former.isAdmin()))
    await assertEnded(former)
    const { user } = await signIn.login(former)
    assert.is(user?.isAdmin, false)
    // As at a start with BOOTSTRAP_ADMIN_EMAIL.
    await accounts.ensureAdministrator(former)
    assert.is((await legacy.loginAsAdmin(former)).admin?.id, former.old.admin?.id)
  })

test('a platform administrator who is erased is none in either version', async () => {
  const former = await administrator()
  await chiefs.eraseMember({ id: former.id })
  await eventually(async () => (await entersAsAdmin(former)) === 401)
  await assertEnded(former)
})

test('an administrator without an account of their own ends with the account of their address', async () => {
  const former = await administrator()
  await sql.query('update administrators set user_id = null where email = ?', [former.email])
  await off('is_super_admin')(former.id)
  await eventually(async () => !(await former.isAdmin()))
  await assertEnded(former)
})

test('a platform administrator moves to the address of a deleted one, whose legacy Administrator gives it up', async () => {
  const [deletedAdmin, presentAdmin] = [await administrator(), await administrator()]
  await withToken(deletedAdmin.accessToken).users.deleteMe({ password: deletedAdmin.password })
  await chiefs.deleteMember({ id: deletedAdmin.id })
  const { email } = deletedAdmin
  await asService.legacyAccounts.changeMail({ oldEmail: presentAdmin.email, newEmail: email })
  assert.is((await legacy.loginAsAdmin({ ...presentAdmin, email })).admin?.id, presentAdmin.old.admin?.id)
})

test('other changes, and an event from before the right was given again, revoke nothing', async () => {
  const [present, former] = [await administrator(), await administrator()]
  await chiefs.updateMember({ id: present.id, firstName: 'New', updateMask: { paths: ['first_name'] } })
  const payload = { id: present.id, memberId: present.id, userId: present.userId }
  const body = JSON.stringify({ type: 'member.administration_revoked', payload })
  await host.bus.publish('platform.member.administration_revoked', body, { id: newId() })
  await off('is_super_admin')(former.id)
  await eventually(async () => !(await former.isAdmin()))
  assert.is(await entersAsAdmin(present), 200)
  assert.is(await statusOf(withToken(present.accessToken).users.getMe({})), 200)
  const [events] = await sql.query<RowDataPacket[]>('select id from outbox where body like ?', [
    `%sessions_revoked%${present.userId}%`,
  ])
  assert.equal(events, [])
})

test.run()
