import type { RowDataPacket } from 'mysql2/promise'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { acceptFor, addPerson, openWorld, type TestPerson } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('last administrator of a workspace')
const { host, sql, asUser, asService } = await memberForTest(test)

const only = (...paths: string[]) => ({ updateMask: { paths } })
const manage = ({ userId }: TestPerson) => asUser(userId).memberships
const people = ({ userId }: TestPerson) => asUser(userId).members

type Strike = (by: TestPerson, target: TestPerson, workspaceId: string) => Promise<unknown>
/** Every way in which an administrator stops being one. */
const ways: Record<string, Strike> = {
  remove: (by, { memberId }, workspaceId) => manage(by).removeWorkspaceMember({ workspaceId, memberId }),
  suspend: (by, { memberId }, workspaceId) => manage(by).suspendWorkspaceMember({ workspaceId, memberId }),
  demote: (by, { memberId }, workspaceId) =>
    manage(by).updateWorkspaceMember({ workspaceId, memberId, workspaceRole: 'viewer', ...only('workspace_role') }),
  unflag: (by, { memberId }, workspaceId) =>
    manage(by).updateWorkspaceMember({
      ...{ workspaceId, memberId, workspaceRole: 'viewer', isAdmin: false },
      ...only('workspace_role', 'is_admin'),
    }),
  'demote in bulk': async (by, { memberId }, workspaceId) => {
    const members = [{ memberId, workspaceRole: 'viewer' }]
    const { results } = await asUser(by).bulk.bulkUpdateRoles({ workspaceId, members })
    if (results[0]?.success) return
    throw Object.assign(new Error(results[0]?.message), { refused: results[0]?.error })
  },
  deactivate: (by, { memberId }) => people(by).updateMember({ id: memberId, isActive: false, ...only('is_active') }),
  delete: (by, { memberId }) => people(by).deleteMember({ id: memberId }),
  erase: (by, { memberId }) => people(by).eraseMember({ id: memberId }),
  leave: (_by, target, id) => manage(target).leaveWorkspace({ id }),
}

async function administrators(workspaceId: string): Promise<number> {
  const [rows] = await sql.query<RowDataPacket[]>(
    `select count(*) as n from workspace_members wm join members m on m.id = wm.member_id
      where wm.workspace_id = ? and wm.status = 'active' and wm.left_at is null
        and (wm.is_admin = 1 or wm.workspace_role = 'admin') and wm.member_active = 1 and m.deleted_at is null`,
    [workspaceId],
  )
  return Number(rows[0]?.['n'])
}

test('the last administrator cannot be removed in any of these ways, by any caller', async () => {
  const { workspaceId, admin, root } = await openWorld(host)
  const platform = { ...admin, userId: root }
  // Erasing oneself requires a password: services/auth/accounts/erasure.test.ts.
  for (const [name, strike] of Object.entries(ways))
    for (const by of name === 'leave' ? [admin] : name === 'erase' ? [platform] : [admin, platform]) {
      const error = await strike(by, admin, workspaceId).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      const errorName = (error as { refused?: string })?.refused
      if (errorName) assert.is(errorName, 'ConflictError', name)
      else assert.is(toRpcError(error).info.status, 409, name)
      assert.is(await administrators(workspaceId), 1, name)
    }
})

test('of two administrators who remove each other at once, in any of these ways, one stays', async () => {
  const kinds = Object.keys(ways)
  for (const [index, name] of kinds.entries()) {
    const world = await openWorld(host)
    const { workspaceId, admin } = world
    const second = await addPerson(host, world, 'admin')
    const [one, other] = [ways[name], ways[kinds[(index + 1) % kinds.length] ?? '']]
    for (const strikes of [one, other]) assert.ok(strikes)
    const results = await Promise.allSettled([one?.(admin, second, workspaceId), other?.(second, admin, workspaceId)])
    assert.ok(
      results.some(({ status }) => status === 'rejected'),
      name,
    )
    assert.ok((await administrators(workspaceId)) >= 1, `${name} against ${kinds[(index + 1) % kinds.length]}`)
    const secondWorld = await openWorld(host)
    const rival = await addPerson(host, secondWorld, 'admin')
    const secondResults = await Promise.allSettled([
      one?.(secondWorld.admin, rival, secondWorld.workspaceId),
      one?.(rival, secondWorld.admin, secondWorld.workspaceId),
    ])
    assert.ok(
      secondResults.some(({ status }) => status === 'rejected'),
      name,
    )
    assert.is(await administrators(secondWorld.workspaceId), 1, name)
  }
})

test('an invitee who has not signed up, and a suspended member, do not count as administrators', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const email = 'awaited@hotel.example'
  await people(admin).createMember({ firstName: 'A', lastName: 'B', email, workspaceId, workspaceRole: 'admin' })
  const suspended = await addPerson(host, world, 'admin')
  await manage(admin).suspendWorkspaceMember({ workspaceId, memberId: suspended.memberId })
  const { info } = await refusal(manage(admin).leaveWorkspace({ id: workspaceId }))
  assert.is(info.status, 409)
})

test('an administrator who is deleting their account doesn’t count, however late the event of the deletion is', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const second = await addPerson(host, world, 'admin')
  const depart = ({ userId }: TestPerson) => asService.profiles.announceDeparture({ userId })
  assert.equal((await depart(admin)).workspaceNames, [])
  // Six days during which the broker is away.
  const later = 'update members set departing_until = departing_until - interval 6 day where id = ?'
  await sql.query(later, [admin.memberId])
  assert.equal((await depart(second)).workspaceNames, ['Le Phare'])
  assert.is((await refusal(manage(second).leaveWorkspace({ id: workspaceId }))).info.status, 409)
  // Once the event has arrived, they are invited again, and count.
  const { userId, email } = admin
  const body = { type: 'user.deleted', payload: { id: userId, userId, email } }
  await host.bus.publish('platform.auth.user.deleted', JSON.stringify(body), { id: newId() })
  const invite = () => asUser(second).onboarding.invite({ email, workspaceId, workspaceRole: 'admin' })
  const { invitation } = await eventually(() => invite().catch(() => undefined))
  await acceptFor(host, invitation?.token, { email, userId: newId() })
  assert.equal((await depart(second)).workspaceNames, [])
})

test.run()
