import type { RowDataPacket } from 'mysql2/promise'
import { password } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, eventually, isRefused, suite } from '../../../test/kit/kit.ts'
import { testPool } from '../../../test/kit/sql.ts'

const test = suite('accounts of deleted members')
const { host, root, workspaceId, openHotel, invite, person, anonymous, withToken } = await authWithMember(test)
const sql = testPool(host.databaseUrl('member'))
const signIn = anonymous.signIn
const loadUser = async (accessToken: string) => (await withToken(accessToken).users.getMe({})).user
test.after(() => sql.end())

test('the sign-ins of a deleted person end at once', async () => {
  const { email, accessToken, refreshToken, id, userId } = await person()
  await withToken(root).members.deleteMember({ id })
  await isRefused(withToken(accessToken).users.getMe({}), 401)
  await isRefused(signIn.refreshToken({ refreshToken }), 401)
  // The event of the deletion leaves later sign-ins alone.
  const later = await signIn.login({ email, password })
  await eventually(async () => {
    const [rows] = await sql.query<RowDataPacket[]>(
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

test.run()
