import { assert, millisOf, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, comeInto, openWorld, someAddress } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('members')
const { host, sql, asUser, asService } = await memberForTest(test)
const ours = await openWorld(host)
const theirs = await openWorld(host)

const as = (person: { userId: string }) => asUser(person).members
const count = async (workspaceId: string) => {
  const [rows] = await sql.query('select members_count as n from workspaces where id = ?', [workspaceId])
  return (rows as { n: number }[])[0]?.n
}

test('a new member joins the workspace and is invited to sign up', async () => {
  const { workspaceId, admin } = ours
  const before = await count(workspaceId)
  const email = someAddress()
  const { member: made } = await as(admin).createMember({
    firstName: 'Bea',
    lastName: 'Roux',
    email,
    workspaceRole: 'viewer',
    superior: admin.memberId,
    dashboardAccess: true,
  })
  assert.equal(
    made?.workspaces.map(one => [one.workspaceId, one.workspaceRole, one.permissionSlugs]),
    [[workspaceId, 'viewer', []]],
  )
  assert.is(made?.superior, admin.memberId)
  assert.is(made?.dashboardAccess, true)
  const [open] = await sql.query("select id from onboardings where email = ? and status = 'pending'", [email])
  assert.is((open as unknown[]).length, 1)
  assert.is(await count(workspaceId), (before ?? 0) + 1)
})

test('an address in the workspace is refused, and one of another tenant is added', async () => {
  const stranger = await addPerson(host, theirs, 'member', { firstName: 'Zoe', lastName: 'Far' })
  const fields = { firstName: 'Other', lastName: 'Name', email: stranger.email.toUpperCase() }
  const { member: joined } = await as(ours.admin).createMember(fields)
  assert.is(joined?.id, stranger.memberId)
  assert.is(joined?.workspaces.length, 1)
  const again = await refusal(as(ours.admin).createMember(fields))
  assert.is(again.info.status, 409)
})

test('two simultaneous requests for a new address create one member', async () => {
  const email = someAddress()
  const fields = { firstName: 'Twin', lastName: 'One', email }
  const results = await Promise.allSettled([as(ours.admin).createMember(fields), as(ours.admin).createMember(fields)])
  assert.equal(results.map(one => one.status).toSorted(), ['fulfilled', 'rejected'])
})

test('a member is shown with manager, subordinates and rights, limited to what the caller shares', async () => {
  const world = await openWorld(host)
  const boss = await addPerson(host, world, 'manager')
  const clerk = await addPerson(host, world, 'viewer', { superior: boss.memberId })
  await as({ userId: theirs.root }).createMember({
    firstName: 'x',
    lastName: 'x',
    email: boss.email,
    workspaceId: theirs.workspaceId,
  })
  const { member: seen } = await as(clerk).getMember({ id: boss.memberId })
  assert.equal(
    seen?.subordinates.map(one => one.id),
    [clerk.memberId],
  )
  assert.equal(
    seen?.workspaces.map(one => one.workspaceId),
    [world.workspaceId],
  )
  assert.ok(seen?.workspaces[0]?.permissions.includes('manage_members'))
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
  assert.is((await refusal(set(ours.admin.memberId))).info.violations[0]?.rule, 'unknown_member')
  await set()
  assert.equal(await superiors(), [undefined, undefined])
})

test('a change of what a hotel keeps about a member dates the record there, also of those below whose superior leaves', async () => {
  const [world, elsewhere] = [await openWorld(host), await openWorld(host)]
  const [boss, clerk] = [await addPerson(host, world, 'viewer'), await addPerson(host, world, 'viewer')]
  await comeInto(host, elsewhere, clerk)
  const get = async (by = world.admin) => (await as(by).getMember({ id: clerk.memberId })).member
  const dateElsewhere = (await get(elsewhere.admin))?.updatedAt
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
  assert.equal((await get(elsewhere.admin))?.updatedAt, dateElsewhere)
})

test('people can change their own names, and nothing that requires a right', async () => {
  const viewer = await addPerson(host, ours, 'viewer')
  const { member: changed } = await as(viewer).updateMember({
    id: viewer.memberId,
    firstName: 'New',
    updateMask: { paths: ['first_name', 'phone'] },
  })
  assert.equal([changed?.firstName, changed?.phone], ['New', undefined])
  const flag = { id: viewer.memberId, dashboardAccess: true, updateMask: { paths: ['dashboard_access'] } }
  assert.is((await refusal(as(viewer).updateMember(flag))).info.status, 403)
  const root = { id: viewer.memberId, isSuperAdmin: true, updateMask: { paths: ['is_super_admin'] } }
  assert.is((await refusal(as(ours.admin).updateMember(root))).info.status, 403)
  const unchanged = { id: viewer.memberId, email: viewer.email, isActive: true, dashboardAccess: false }
  const unchangedPaths = ['email', 'is_active', 'dashboard_access', 'superior', 'is_super_admin', 'phone']
  const same = await as(viewer).updateMember({
    ...unchanged,
    isSuperAdmin: false,
    updateMask: { paths: unchangedPaths },
  })
  assert.is(same.member?.isActive, true)
  const mixed = { ...unchanged, isActive: false, updateMask: { paths: unchangedPaths } }
  assert.is((await refusal(as(viewer).updateMember(mixed))).info.status, 403)
  const cleared = { id: viewer.memberId, updateMask: { paths: ['last_name'] } }
  assert.is((await refusal(as(viewer).updateMember(cleared))).info.status, 400)
  const taken = { id: viewer.memberId, email: ours.admin.email, updateMask: { paths: ['email'] } }
  assert.is((await refusal(as(ours.admin).updateMember(taken))).info.status, 409)
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
  const { member: made } = await as(world.admin).createMember(person)
  const id = made?.id ?? ''
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
  const own = someAddress()
  const taking = as(boss).updateMember({ id: memberId, email: own, updateMask: { paths: ['email'] } })
  assert.is((await refusal(taking)).info.status, 403)
  const open = (await openOnes()).filter(one => one.email === own || one.email === below.email)
  assert.equal(
    open.map(one => one.email),
    [below.email],
  )
})

test('a deleted member leaves every workspace and frees the address', async () => {
  const world = await openWorld(host)
  const gone = await addPerson(host, world, 'viewer')
  const before = (await count(world.workspaceId)) ?? 0
  await as(world.admin).deleteMember({ id: gone.memberId })
  assert.is(await count(world.workspaceId), before - 1)
  assert.is((await refusal(as(world.admin).getMember({ id: gone.memberId }))).info.status, 404)
  assert.is((await refusal(as(world.admin).deleteMember({ id: gone.memberId }))).info.status, 404)
  const again = await as(world.admin).createMember({ firstName: 'A', lastName: 'B', email: gone.email })
  assert.is.not(again.member?.id, gone.memberId)
})

test('a session of another person, and of an unknown member, is refused', async () => {
  const clerk = await addPerson(host, ours, 'viewer')
  const fields = { memberId: ours.admin.memberId, appType: 'mobile' }
  assert.is((await refusal(asUser(clerk).sessions.createSession(fields))).info.status, 404)
  assert.is((await refusal(asService.sessions.createSession({ ...fields, memberId: newId() }))).info.status, 404)
})

test('of two simultaneous deletions one succeeds, and emits one event', async () => {
  const gone = await addPerson(host, ours, 'viewer')
  const both = await Promise.allSettled([1, 2].map(() => as(ours.admin).deleteMember({ id: gone.memberId })))
  assert.equal(both.map(one => one.status).toSorted(), ['fulfilled', 'rejected'])
  const told = 'select id from outbox where subject like ? and body like ?'
  const [events] = await sql.query(told, ['%member.deleted', `%${gone.memberId}%`])
  assert.is((events as unknown[]).length, 1)
})

test('a member of two tenants leaves only the one that deletes them', async () => {
  const both = await addPerson(host, ours, 'viewer')
  await comeInto(host, theirs, both)
  await as(ours.admin).deleteMember({ id: both.memberId })
  assert.is((await refusal(as(ours.admin).getMember({ id: both.memberId }))).info.status, 404)
  assert.is((await as(theirs.admin).getMember({ id: both.memberId })).member?.email, both.email)
})

test.run()
