import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { RowDataPacket } from 'mysql2/promise'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { acceptFor, addPerson, type HotelWorld, openWorld, someAddress } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('transitions of an invitation')
const { host, sql, asUser, asService } = await memberForTest(test)

const admin = (world: HotelWorld) => asUser(world.admin).onboarding
type Grant = { workspaceRole?: string; permissions?: string[] }

async function open(world: HotelWorld, email: string, grant: Grant = {}) {
  const { invitation } = await admin(world).invite({ workspaceId: world.workspaceId, email, ...grant })
  return { id: invitation?.id ?? '', token: invitation?.token ?? '' }
}
const accept = (token: string, email: string, userId = newId()) => acceptFor(host, token, { email, userId })
const status = async (call: Promise<unknown>) => (await refusal(call)).info.status
const expire = (id: string) =>
  sql.query('update onboardings set expires_at = utc_timestamp(3) - interval 1 second where id = ?', [id])
const stateOf = async (world: HotelWorld, id: string) =>
  (await admin(world).listInvitations({ limit: 100 })).data.find(one => one.id === id)?.status
const rightsOf = async (userId: string) => (await host.rights.ofUser(userId))?.workspaces[0]

/** Brings an invitation into a state. */
const states: Record<string, (world: HotelWorld, id: string, token: string, email: string) => Promise<unknown>> = {
  pending: async () => undefined,
  accepted: (_world, _id, token, email) => accept(token, email),
  cancelled: (world, id) => admin(world).cancelInvitation({ id }),
  expired: (_world, id) => expire(id),
}

/** Statuses of accepting, cancelling and resending in each state; 200 where allowed. */
const statusesByState: Record<string, [accept: number, cancel: number, resend: number]> = {
  pending: [200, 200, 200],
  accepted: [409, 409, 409],
  cancelled: [409, 409, 409],
  // Resending an expired one renews it for seven days.
  expired: [410, 410, 200],
}

for (const [state, expectedStatuses] of Object.entries(statusesByState))
  test(`an invitation that is ${state} can be accepted, cancelled and resent as in the table`, async () => {
    const world = await openWorld(host)
    const statuses: number[] = []
    const acts = [
      (_id: string, token: string, email: string) => accept(token, email),
      (id: string) => admin(world).cancelInvitation({ id }),
      (id: string) => admin(world).resendInvitation({ id }),
    ]
    for (const act of acts) {
      const email = someAddress()
      const { id, token } = await open(world, email)
      await states[state]?.(world, id, token, email)
      assert.is(await stateOf(world, id), state)
      const [before] = await sql.query<RowDataPacket[]>('select * from onboardings where id = ?', [id])
      const result = await act(id, token, email).then(
        () => 200,
        (error: unknown) => toRpcError(error).info.status,
      )
      statuses.push(result)
      const [after] = await sql.query<RowDataPacket[]>('select * from onboardings where id = ?', [id])
      if (result !== 200) assert.equal(after, before)
    }
    assert.equal(statuses, expectedStatuses)
  })

test('the clock of the database decides, to the millisecond, for accepting, cancelling and every list', async () => {
  const world = await openWorld(host)
  const email = someAddress()
  const { id, token } = await open(world, email)
  await sql.query('update onboardings set expires_at = utc_timestamp(3) + interval 1 hour where id = ?', [id])
  assert.is(await stateOf(world, id), 'pending')
  await expire(id)
  assert.is(await stateOf(world, id), 'expired')
  assert.equal(
    (await admin(world).listInvitations({ status: 'pending' })).data.filter(one => one.id === id),
    [],
  )
  assert.is((await admin(world).listInvitations({ status: 'expired' })).data[0]?.id, id)
  const answer = await asService.invitations.getInvitationByToken({ token })
  assert.is(answer.invitation?.status, 'expired')
  // A stored expiry and one by the clock have the same result.
  await sql.query("update onboardings set status = 'expired', open_key = null where id = ?", [id])
  assert.is(await status(accept(token, email)), 410)
  const renewed = await open(world, email)
  assert.not.equal(renewed.id, id)
  assert.is((await accept(renewed.token, email)).invitation?.status, 'accepted')
})

test('a repeated acceptance returns the stored time, as the first answer did', async () => {
  const world = await openWorld(host)
  const [email, userId] = [someAddress(), newId()]
  const { id, token } = await open(world, email)
  const answers = [await accept(token, email, userId), await accept(token, email, userId)]
  const [rows] = await sql.query<RowDataPacket[]>('select accepted_at from onboardings where id = ?', [id])
  const storedTime = new Date(rows[0]?.['accepted_at'] as Date).getTime()
  const answeredTimes = answers.map(({ invitation }) => invitation?.acceptedAt && timestampMs(invitation.acceptedAt))
  assert.equal(answeredTimes, [storedTime, storedTime])
})

test('a renewal invalidates the old token, and replaces grants and expiry of the same invitation', async () => {
  const world = await openWorld(host)
  const email = someAddress()
  const first = await open(world, email, { workspaceRole: 'viewer' })
  await expire(first.id)
  const second = await open(world, email.toUpperCase(), { workspaceRole: 'member', permissions: ['view_reports'] })
  assert.is(second.id, first.id)
  assert.is(await status(accept(first.token, email)), 404)
  const userId = newId()
  await accept(second.token, email, userId)
  const rights = await rightsOf(userId)
  assert.is(rights?.role, 'member')
  assert.ok(rights?.permissions.includes('view_reports'))
})

test('of two people who accept at once with two accounts, one succeeds and the other gets the documented error', async () => {
  const world = await openWorld(host)
  const email = someAddress()
  const { token } = await open(world, email)
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => accept(token, email, newId())))
  assert.is(results.filter(one => one.status === 'fulfilled').length, 1)
  for (const one of results) if (one.status === 'rejected') assert.is(toRpcError(one.reason).info.status, 409)
  const [rows] = await sql.query<RowDataPacket[]>('select id from members where live_email = ?', [email])
  assert.is(rows.length, 1)
})

test('a simultaneous acceptance and cancellation end in one of both, never in half of each', async () => {
  const world = await openWorld(host)
  for (let round = 0; round < 4; round += 1) {
    const [email, userId] = [someAddress(), newId()]
    const { id, token } = await open(world, email)
    await Promise.allSettled([accept(token, email, userId), admin(world).cancelInvitation({ id })])
    const state = await stateOf(world, id)
    host.rights.evict()
    assert.equal([state, (await rightsOf(userId)) !== undefined], [state, state === 'accepted'])
  }
})

test('an address matches in any spelling', async () => {
  const world = await openWorld(host)
  const email = someAddress()
  const { token } = await open(world, `  ${email}`.trim().toUpperCase())
  assert.is(await status(accept(token, someAddress())), 403)
  assert.is(await status(accept(`${token}x`, email)), 404)
  assert.is((await accept(token, email)).invitation?.status, 'accepted')
})

test('an existing membership wins over the invitation, and the invitee gets its latest state', async () => {
  const world = await openWorld(host)
  const { workspaceId } = world
  const client = asUser(world.admin).memberships
  const email = someAddress()
  const fields = { firstName: 'A', lastName: 'B', email, workspaceId, workspaceRole: 'manager' }
  const { member } = await asUser(world.admin).members.createMember(fields)
  const memberId = member?.id ?? ''
  const change = { workspaceId, memberId, workspaceRole: 'viewer', permissions: ['view_reports'] }
  await client.updateWorkspaceMember({ ...change, updateMask: { paths: ['workspace_role', 'permissions'] } })
  const [listedInvitation] = (await admin(world).listInvitations({ search: email })).data
  assert.equal([listedInvitation?.workspaceRole, listedInvitation?.permissions], ['viewer', ['view_reports']])
  const other = admin(world).invite({ workspaceId, email, workspaceRole: 'manager' })
  assert.match((await refusal(other)).rawMessage, /is already a member, as viewer/)
  const secondInvitation = await open(world, email, { workspaceRole: 'viewer', permissions: ['view_reports'] })
  const userId = newId()
  // The rights of an account without a member are read, and cached, before the acceptance.
  assert.is(await rightsOf(userId), undefined)
  await accept(secondInvitation.token, email, userId)
  assert.equal(
    [(await rightsOf(userId))?.role, (await rightsOf(userId))?.permissions.toSorted()],
    ['viewer', ['view_members', 'view_reports']],
  )
  assert.is(await status(admin(world).invite({ workspaceId, email })), 409)
})

test('a suspended or deactivated invitee cannot join with an open invitation', async () => {
  const world = await openWorld(host)
  const { workspaceId } = world
  const people = asUser(world.admin).members
  const make = async () => {
    const email = someAddress()
    const answer = await people.createMember({
      firstName: 'A',
      lastName: 'B',
      email,
      workspaceId,
      workspaceRole: 'viewer',
    })
    return {
      email,
      memberId: answer.member?.id ?? '',
      token: (await open(world, email, { workspaceRole: 'viewer' })).token,
    }
  }
  const [suspended, resting] = [await make(), await make()]
  await asUser(world.admin).memberships.suspendWorkspaceMember({ workspaceId, memberId: suspended.memberId })
  const userId = newId()
  await accept(suspended.token, suspended.email, userId)
  // An entry cached before they had an account would give the same result.
  host.rights.evict()
  assert.is(await rightsOf(userId), undefined)
  await people.updateMember({ id: resting.memberId, isActive: false, updateMask: { paths: ['is_active'] } })
  assert.is(await status(accept(resting.token, resting.email)), 409)
})

test('invitations follow a role whose slug changes, and a role with invitations cannot be deleted', async () => {
  const world = await openWorld(host)
  const { workspaceId } = world
  const roles = asUser(world.admin).roles
  const { role } = await roles.createRole({ workspaceId, name: 'Porter', permissions: ['view_reports'] })
  const id = role?.id ?? ''
  const [email, userId] = [someAddress(), newId()]
  const { token } = await open(world, email, { workspaceRole: 'porter' })
  assert.is(await status(roles.deleteRole({ id })), 409)
  await roles.updateRole({ id, slug: 'bell', updateMask: { paths: ['slug'] } })
  await accept(token, email, userId)
  const ownRights = await asUser(userId).permissions.getMyPermissions({ workspaceId })
  assert.equal([ownRights.workspaceRole, ownRights.permissions], ['bell', ['view_reports']])
  assert.equal(ownRights.source?.role, ['view_reports'])
})

test('resending keeps the grants, requires the rights of the sender, and is recorded', async () => {
  const world = await openWorld(host)
  const { workspaceId } = world
  const inviter = await addPerson(host, world, 'viewer')
  await asUser(world.admin).memberships.updateWorkspaceMember({
    workspaceId,
    memberId: inviter.memberId,
    permissions: ['invite_members'],
    updateMask: { paths: ['permissions'] },
  })
  host.rights.evict()
  const email = someAddress()
  const { id } = await open(world, email, { workspaceRole: 'viewer', permissions: ['export_data'] })
  assert.is(await status(asUser(inviter).onboarding.resendInvitation({ id })), 403)
  const resentInvitation = (await admin(world).resendInvitation({ id })).invitation
  const userId = newId()
  await accept(resentInvitation?.token ?? '', email, userId)
  assert.ok((await rightsOf(userId))?.permissions.includes('export_data'))
  const { data } = await asUser(world.admin).audit.listAuditEntries({ workspaceId, entity: 'invitation' })
  assert.equal(
    data.filter(one => one.entityId === id).map(one => one.action),
    ['invitation.accepted', 'invitation.opened', 'invitation.opened'],
  )
})

/** What ends the right of an inviter, with the reason that administrators then see. */
const losses: Record<string, [lose: (world: HotelWorld, inviterId: string) => Promise<unknown>, reason: string]> = {
  'was removed': [
    ({ root, workspaceId }, memberId) => asUser(root).memberships.removeWorkspaceMember({ workspaceId, memberId }),
    'Its sender no longer has access to the workspace',
  ],
  'may no longer invite': [
    ({ root, workspaceId }, memberId) => setRole(root, workspaceId, memberId, 'viewer'),
    'Its sender may no longer invite',
  ],
  'is no longer an administrator': [
    ({ root, workspaceId }, memberId) => setRole(root, workspaceId, memberId, 'manager'),
    'Its sender may no longer grant its role or permissions',
  ],
}

const setRole = (by: string, workspaceId: string, memberId: string, workspaceRole: string) =>
  asUser(by).memberships.updateWorkspaceMember({
    workspaceId,
    memberId,
    workspaceRole,
    updateMask: { paths: ['workspace_role'] },
  })

for (const [loss, [lose, reason]] of Object.entries(losses))
  test(`an invitation whose inviter ${loss} is a 410, and administrators see why until one resends it`, async () => {
    const world = await openWorld(host)
    const inviter = await addPerson(host, world, 'admin')
    const email = someAddress()
    const request = { workspaceId: world.workspaceId, email, workspaceRole: 'admin' }
    const { invitation } = await asUser(inviter).onboarding.invite(request)
    await lose(world, inviter.memberId)
    const userId = newId()
    assert.is(await status(accept(invitation?.token ?? '', email, userId)), 410)
    assert.is(await rightsOf(userId), undefined)
    const { data } = await admin(world).listInvitations({ limit: 100 })
    const listedInvitation = data.find(one => one.id === invitation?.id)
    assert.equal([listedInvitation?.status, listedInvitation?.refusal], ['pending', reason])
    const renewed = await admin(world).resendInvitation({ id: invitation?.id ?? '' })
    await accept(renewed.invitation?.token ?? '', email, userId)
    host.rights.evict()
    assert.is((await rightsOf(userId))?.role, 'admin')
  })

test.run()
