import { assert, millisOf, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, comeInto, openWorld, someAddress } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('members')
const { host, sql, asUser, asService } = await memberForTest(test)
const ownHotel = await openWorld(host)
const otherHotel = await openWorld(host)

const as = (person: { userId: string }) => asUser(person).members
const count = async (workspaceId: string) => {
  const [rows] = await sql.query('select members_count as n from workspaces where id = ?', [workspaceId])
  return (rows as { n: number }[])[0]?.n
}

test('a new member joins the workspace and is invited to sign up', async () => {
  const { workspaceId, admin } = ownHotel
  const before = await count(workspaceId)
  const email = someAddress()
  const { member } = await as(admin).createMember({
    firstName: 'Bea',
    lastName: 'Roux',
    email,
    workspaceRole: 'viewer',
    superior: admin.memberId,
    dashboardAccess: true,
  })
  assert.equal(
    member?.workspaces.map(one => [one.workspaceId, one.workspaceRole, one.permissionSlugs]),
    [[workspaceId, 'viewer', []]],
  )
  assert.is(member?.superior, admin.memberId)
  assert.is(member?.dashboardAccess, true)
  const [open] = await sql.query("select id from onboardings where email = ? and status = 'pending'", [email])
  assert.is((open as unknown[]).length, 1)
  assert.is(await count(workspaceId), (before ?? 0) + 1)
})

test('an address in the workspace is refused, and one of another tenant is added', async () => {
  const stranger = await addPerson(host, otherHotel, 'member', { firstName: 'Zoe', lastName: 'Far' })
  const fields = { firstName: 'Other', lastName: 'Name', email: stranger.email.toUpperCase() }
  const { member: joined } = await as(ownHotel.admin).createMember(fields)
  assert.is(joined?.id, stranger.memberId)
  assert.is(joined?.workspaces.length, 1)
  const conflict = await refusal(as(ownHotel.admin).createMember(fields))
  assert.is(conflict.info.status, 409)
})

test('two simultaneous requests for a new address create one member', async () => {
  const email = someAddress()
  const fields = { firstName: 'Twin', lastName: 'One', email }
  const results = await Promise.allSettled([
    as(ownHotel.admin).createMember(fields),
    as(ownHotel.admin).createMember(fields),
  ])
  assert.equal(results.map(one => one.status).toSorted(), ['fulfilled', 'rejected'])
})

test('a member is shown with manager, subordinates and rights, limited to what the caller shares', async () => {
  const world = await openWorld(host)
  const boss = await addPerson(host, world, 'manager')
  const clerk = await addPerson(host, world, 'viewer', { superior: boss.memberId })
  await as({ userId: otherHotel.root }).createMember({
    firstName: 'x',
    lastName: 'x',
    email: boss.email,
    workspaceId: otherHotel.workspaceId,
  })
  const { member } = await as(clerk).getMember({ id: boss.memberId })
  assert.equal(
    member?.subordinates.map(one => one.id),
    [clerk.memberId],
  )
  assert.equal(
    member?.workspaces.map(one => one.workspaceId),
    [world.workspaceId],
  )
  assert.ok(member?.workspaces[0]?.permissions.includes('manage_members'))
  const { member: below } = await as(boss).getMember({ id: clerk.memberId })
  assert.is(below?.manager?.id, boss.memberId)
})

test('the platform sets a superior in those hotels of a member in which the superior is', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const [boss, clerk] = [await addPerson(host, world, 'manager'), await addPerson(host, world, 'viewer')]
  await comeInto(host, other, clerk)
  const root = asUser(world.root).members
  const set = (superior?: string) =>
    root.updateMember({ id: clerk.memberId, ...(superior ? { superior } : {}), updateMask: { paths: ['superior'] } })
  const superiors = () =>
    Promise.all(
      [world, other].map(async ({ admin }) => (await as(admin).getMember({ id: clerk.memberId })).member?.manager?.id),
    )
  await set(boss.memberId)
  assert.equal(await superiors(), [boss.memberId, undefined])
  await set(other.admin.memberId)
  assert.equal(await superiors(), [boss.memberId, other.admin.memberId])
  assert.is((await refusal(set(ownHotel.admin.memberId))).info.violations[0]?.rule, 'unknown_member')
  await set()
  assert.equal(await superiors(), [undefined, undefined])
})

test('a change of what a hotel keeps about a member dates the record there, also of those below whose superior leaves', async () => {
  const [world, secondHotel] = [await openWorld(host), await openWorld(host)]
  const [boss, clerk] = [await addPerson(host, world, 'viewer'), await addPerson(host, world, 'viewer')]
  await comeInto(host, secondHotel, clerk)
  const get = async (by = world.admin) => (await as(by).getMember({ id: clerk.memberId })).member
  const dateElsewhere = (await get(secondHotel.admin))?.updatedAt
  let last = millisOf((await get())?.updatedAt)
  const isDated = async () => {
    const { updatedAt } = (await get()) ?? {}
    const isLater = millisOf(updatedAt) > last
    last = millisOf(updatedAt)
    return isLater
  }
  for (const [path, value] of [
    ['superior', { superior: boss.memberId }],
    ['is_active', { isActive: false }],
    ['dashboard_access', { dashboardAccess: true }],
  ] as const) {
    await as(world.admin).updateMember({ id: clerk.memberId, ...value, updateMask: { paths: [path] } })
    assert.ok(await isDated(), path)
  }
  await as(world.admin).deleteMember({ id: boss.memberId })
  assert.ok(await isDated(), 'the superior left')
  assert.equal((await get(secondHotel.admin))?.updatedAt, dateElsewhere)
})

test('people can change their own names, and nothing that requires a right', async () => {
  const viewer = await addPerson(host, ownHotel, 'viewer')
  const { member: updatedMember } = await as(viewer).updateMember({
    id: viewer.memberId,
    firstName: 'New',
    updateMask: { paths: ['first_name', 'phone'] },
  })
  assert.equal([updatedMember?.firstName, updatedMember?.phone], ['New', undefined])
  const flag = { id: viewer.memberId, dashboardAccess: true, updateMask: { paths: ['dashboard_access'] } }
  assert.is((await refusal(as(viewer).updateMember(flag))).info.status, 403)
  const root = { id: viewer.memberId, isSuperAdmin: true, updateMask: { paths: ['is_super_admin'] } }
  assert.is((await refusal(as(ownHotel.admin).updateMember(root))).info.status, 403)
  const unchanged = { id: viewer.memberId, email: viewer.email, isActive: true, dashboardAccess: false }
  const unchangedPaths = ['email', 'is_active', 'dashboard_access', 'superior', 'is_super_admin', 'phone']
  const answer = await as(viewer).updateMember({
    ...unchanged,
    isSuperAdmin: false,
    updateMask: { paths: unchangedPaths },
  })
  assert.is(answer.member?.isActive, true)
  const mixed = { ...unchanged, isActive: false, updateMask: { paths: unchangedPaths } }
  assert.is((await refusal(as(viewer).updateMember(mixed))).info.status, 403)
  const cleared = { id: viewer.memberId, updateMask: { paths: ['last_name'] } }
  assert.is((await refusal(as(viewer).updateMember(cleared))).info.status, 400)
  const addressChange = { id: viewer.memberId, email: ownHotel.admin.email, updateMask: { paths: ['email'] } }
  assert.is((await refusal(as(ownHotel.admin).updateMember(addressChange))).info.status, 409)
  const [events] = await sql.query(
    "select count(*) as n from outbox where subject like '%member.updated' and body like ?",
    [`%${viewer.memberId}%`],
  )
  assert.is((events as { n: number }[])[0]?.n, 1)
})

test('correcting an invitee’s address sends the invitation there, and invalidates the old link', async () => {
  const world = await openWorld(host)
  const invitations = asUser(world.admin).onboarding
  const openOnes = async () => (await invitations.listInvitations({ status: 'pending' })).data
  const [wrong, right] = [someAddress(), someAddress()]
  const person = { firstName: 'Typing', lastName: 'Error', email: wrong, workspaceRole: 'manager' }
  const { member } = await as(world.admin).createMember(person)
  const id = member?.id ?? ''
  const before = (await openOnes()).find(one => one.email === wrong)
  await as(world.admin).updateMember({ id, email: right, updateMask: { paths: ['email'] } })
  const after = (await openOnes()).filter(one => one.email === wrong || one.email === right)
  assert.equal(
    after.map(one => [one.email, one.workspaceRole, one.id === before?.id]),
    [[right, 'manager', false]],
  )
  const [mails] = await sql.query('select 1 from outbox where subject = ? and body like ?', [
    'member.onboarding',
    `%${right}%`,
  ])
  assert.is((mails as unknown[]).length, 1)
  await as(world.admin).updateMember({ id, email: right.toUpperCase(), updateMask: { paths: ['email'] } })
  assert.is((await openOnes()).find(one => one.email === right)?.id, after[0]?.id)
  // A caller who couldn't grant the membership's rights can't redirect them to an address, such as their own.
  const boss = await addPerson(host, world, 'manager')
  const below = { ...person, email: someAddress(), workspaceRole: 'viewer', superior: boss.memberId }
  const memberId = (await as(world.admin).createMember(below)).member?.id ?? ''
  const grant = { memberId, workspaceId: world.workspaceId, permissions: ['export_data'] }
  const workspaceMembers = asUser(world.admin).memberships
  await workspaceMembers.updateWorkspaceMember({ ...grant, updateMask: { paths: ['permissions'] } })
  const newAddress = someAddress()
  const taking = as(boss).updateMember({ id: memberId, email: newAddress, updateMask: { paths: ['email'] } })
  assert.is((await refusal(taking)).info.status, 403)
  const open = (await openOnes()).filter(one => one.email === newAddress || one.email === below.email)
  assert.equal(
    open.map(one => one.email),
    [below.email],
  )
})

test('a deleted member leaves every workspace and frees the address', async () => {
  const world = await openWorld(host)
  const deletedMember = await addPerson(host, world, 'viewer')
  const before = (await count(world.workspaceId)) ?? 0
  await as(world.admin).deleteMember({ id: deletedMember.memberId })
  assert.is(await count(world.workspaceId), before - 1)
  assert.is((await refusal(as(world.admin).getMember({ id: deletedMember.memberId }))).info.status, 404)
  assert.is((await refusal(as(world.admin).deleteMember({ id: deletedMember.memberId }))).info.status, 404)
  const secondAnswer = await as(world.admin).createMember({ firstName: 'A', lastName: 'B', email: deletedMember.email })
  assert.is.not(secondAnswer.member?.id, deletedMember.memberId)
})

test('a session of another person, and of an unknown member, is refused', async () => {
  const clerk = await addPerson(host, ownHotel, 'viewer')
  const fields = { memberId: ownHotel.admin.memberId, appType: 'mobile' }
  assert.is((await refusal(asUser(clerk).sessions.createSession(fields))).info.status, 404)
  assert.is((await refusal(asService.sessions.createSession({ ...fields, memberId: newId() }))).info.status, 404)
})

test('of two simultaneous deletions one succeeds, and emits one event', async () => {
  const deletedMember = await addPerson(host, ownHotel, 'viewer')
  const both = await Promise.allSettled(
    [1, 2].map(() => as(ownHotel.admin).deleteMember({ id: deletedMember.memberId })),
  )
  assert.equal(both.map(one => one.status).toSorted(), ['fulfilled', 'rejected'])
  const statement = 'select id from outbox where subject like ? and body like ?'
  const [events] = await sql.query(statement, ['%member.deleted', `%${deletedMember.memberId}%`])
  assert.is((events as unknown[]).length, 1)
})

test('a member of two tenants leaves only the one that deletes them', async () => {
  const both = await addPerson(host, ownHotel, 'viewer')
  await comeInto(host, otherHotel, both)
  await as(ownHotel.admin).deleteMember({ id: both.memberId })
  assert.is((await refusal(as(ownHotel.admin).getMember({ id: both.memberId }))).info.status, 404)
  assert.is((await as(otherHotel.admin).getMember({ id: both.memberId })).member?.email, both.email)
})

test.run()
