import { assert, eventually, millisOf, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, callDuringTransaction, openWorld, someAddress } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'

const test = suite('roles and permissions')
const { host, sql, asUser } = await memberForTest(test)
const ownHotel = await openWorld(host)

const roles = (person: { userId: string }) => asUser(person).roles
const rights = (person: { userId: string }) => asUser(person).permissions
const members = (person: { userId: string }) => asUser(person).memberships

test('all permissions are listed with the slugs of each category', async () => {
  const { data, categories } = await rights(ownHotel.admin).listPermissions({})
  assert.ok(data.some(one => one.slug === 'manage_members' && one.level === 'workspace'))
  assert.equal(categories?.['analytics'], ['export_data', 'view_analytics', 'view_reports'])
})

test('only platform administrators create permissions, each slug once', async () => {
  const fields = { slug: 'drive_shuttle', name: 'Drive', category: 'transport', resource: 'shuttle', action: 'manage' }
  const { permission } = await rights({ userId: ownHotel.root }).createPermission(fields)
  assert.equal([permission?.slug, permission?.level], ['drive_shuttle', 'workspace'])
  assert.is((await refusal(rights({ userId: ownHotel.root }).createPermission(fields))).info.status, 409)
  const tooLong = { ...fields, slug: 'long', resource: 'r'.repeat(41) }
  const { info } = await refusal(rights({ userId: ownHotel.root }).createPermission(tooLong))
  assert.equal([info.status, info.violations[0]?.path], [400, 'resource'])
  assert.is((await refusal(rights(ownHotel.admin).createPermission({ ...fields, slug: 'other' }))).info.status, 403)
})

test('categories and roles may have the name of a method of objects', async () => {
  const words = { name: 'Build', category: 'constructor', resource: 'deck', action: 'create' }
  await rights({ userId: ownHotel.root }).createPermission({ ...words, slug: 'build_deck' })
  const { categories } = await rights(ownHotel.admin).listPermissions({})
  assert.equal(categories?.['constructor'], ['build_deck'])
  const { workspaceId, admin } = ownHotel
  const { role } = await roles(admin).createRole({ workspaceId, name: 'Constructor', permissions: [] })
  await addPerson(host, ownHotel, role?.slug ?? '')
  const { members: people } = await asUser(admin).analytics.getWorkspaceAnalytics({ id: workspaceId })
  assert.is(people?.byRole['constructor'], 1)
})

test('effective permissions are those of the role and the direct ones, without duplicates, with their source', async () => {
  const { workspaceId, admin } = ownHotel
  const { memberId, ...viewer } = await addPerson(host, ownHotel, 'viewer')
  await members(admin).updateWorkspaceMember({
    workspaceId,
    memberId,
    permissions: ['view_members', 'view_reports'],
    updateMask: { paths: ['permissions'] },
  })
  const memberRights = await rights(admin).getMemberPermissions({ memberId, workspaceId })
  assert.equal(memberRights.permissions, ['view_members', 'view_reports'])
  assert.equal(
    [memberRights.source?.role, memberRights.source?.direct],
    [['view_members'], ['view_members', 'view_reports']],
  )
  assert.equal((await rights(viewer).getMyPermissions({ workspaceId })).permissions, memberRights.permissions)
  await members(admin).suspendWorkspaceMember({ workspaceId, memberId })
  assert.equal((await rights(admin).getMemberPermissions({ memberId, workspaceId })).permissions, [])
})

test('a custom role is created and changed, and its holders follow at once', async () => {
  const world = await openWorld(host)
  const { role } = await roles(world.admin).createRole({ name: 'Réception de nuit', permissions: ['view_members'] })
  assert.equal(
    [role?.slug, role?.isSystem, role?.permissions.map(one => one.slug)],
    ['reception-de-nuit', false, ['view_members']],
  )
  const id = role?.id ?? ''
  const clerk = await addPerson(host, world, 'reception-de-nuit')
  const { workspaceId } = world
  await roles(world.admin).addRolePermission({ id, permissionSlug: 'view_reports' })
  const loadOwnRights = () => rights(clerk).getMyPermissions({ workspaceId })
  assert.equal((await loadOwnRights()).permissions, ['view_members', 'view_reports'])
  await roles(world.admin).removeRolePermission({ id, permissionSlug: 'view_members' })
  await eventually(async () => (await refusal(roles(clerk).listRoles({ workspaceId }))).info.status === 403)
  const { role: updatedRole } = await roles(world.admin).updateRole({
    id,
    slug: 'night',
    permissions: ['view_members', 'access_chat'],
    updateMask: { paths: ['slug', 'permissions'] },
  })
  assert.equal([updatedRole?.slug, updatedRole?.membersCount], ['night', 1])
  assert.equal((await loadOwnRights()).workspaceRole, 'night')
  const [events] = await sql.query('select count(*) as n from outbox where subject = ? and body like ?', [
    'platform.member.role_updated',
    `%${clerk.memberId}%`,
  ])
  assert.is((events as { n: number }[])[0]?.n, 3)
  assert.is((await refusal(roles(world.admin).deleteRole({ id }))).info.status, 409)
  await members(world.admin).removeWorkspaceMember({ workspaceId, memberId: clerk.memberId })
  await roles(world.admin).deleteRole({ id })
  assert.is((await refusal(roles(world.admin).deleteRole({ id }))).info.status, 404)
})

test('a change of a role’s permissions dates the role', async () => {
  const as = roles((await openWorld(host)).admin)
  const { role } = await as.createRole({ name: 'Porter', permissions: ['view_members'] })
  const id = role?.id ?? ''
  const changes = [
    () => as.updateRole({ id, permissions: ['view_reports'], updateMask: { paths: ['permissions'] } }),
    () => as.addRolePermission({ id, permissionSlug: 'view_members' }),
    () => as.removeRolePermission({ id, permissionSlug: 'view_members' }),
  ]
  let last = millisOf(role?.updatedAt)
  for (const change of changes) {
    const { role: updatedRole } = await change()
    assert.ok(millisOf(updatedRole?.updatedAt) > last)
    last = millisOf(updatedRole?.updatedAt)
  }
})

test('the default role is given to new memberships', async () => {
  const world = await openWorld(host)
  const { role } = await roles(world.admin).createRole({ name: 'Trainee', permissions: ['view_members'] })
  const id = role?.id ?? ''
  const { data: before } = await roles(world.admin).listRoles({ workspaceId: world.workspaceId })
  const system = { id: before[0]?.id ?? '', updateMask: { paths: ['name'] } }
  const unchanged = await roles(world.admin).updateRole({ ...system, name: before[0]?.name ?? '' })
  assert.is(unchanged.role?.isSystem, true)
  assert.is((await refusal(roles(world.admin).updateRole({ ...system, name: 'Other' }))).info.status, 403)
  const set = await roles(world.admin).updateRole({ id, isDefault: true, updateMask: { paths: ['is_default'] } })
  assert.is(set.role?.isDefault, true)
  const { data } = await roles(world.admin).listRoles({ workspaceId: world.workspaceId })
  assert.equal(
    data.filter(one => one.isDefault).map(one => one.slug),
    ['trainee'],
  )
})

test('a role that is being deleted cannot be assigned', async () => {
  const { workspaceId, admin } = ownHotel
  const { memberId } = await addPerson(host, ownHotel, 'viewer')
  const newcomer = () => ({ email: someAddress(), firstName: 'New', lastName: 'Comer' })
  const gives: ((workspaceRole: string) => Promise<unknown>)[] = [
    workspaceRole => asUser(admin).members.createMember({ ...newcomer(), workspaceId, workspaceRole }),
    workspaceRole => asUser(admin).onboarding.invite({ ...newcomer(), workspaceId, workspaceRole }),
    workspaceRole =>
      members(admin).updateWorkspaceMember({
        workspaceId,
        memberId,
        workspaceRole,
        updateMask: { paths: ['workspace_role'] },
      }),
    workspaceRole => asUser(admin).bulk.bulkAddMembers({ members: [{ ...newcomer(), workspaceRole }], workspaceId }),
    workspaceRole => asUser(admin).bulk.bulkUpdateRoles({ members: [{ memberId, workspaceRole }], workspaceId }),
  ]
  for (const give of gives) {
    const { role } = await roles(admin).createRole({ workspaceId, name: 'Dawn', permissions: [] })
    const deleteStatement = 'update workspace_roles set deleted_at = now(3), live_slug = null where id = ?'
    const outcome = await callDuringTransaction(sql, [[deleteStatement, [role?.id]]], () => give('dawn'))
    // A bulk call reports it per row.
    const isRefused = outcome?.status === 'rejected' || JSON.stringify(outcome?.value).includes('"success":false')
    assert.ok(isRefused, String(give))
    const [holders] = await sql.query("select 1 from workspace_members where workspace_role = 'dawn'")
    assert.equal(holders, [], String(give))
  }
})

test('a member who can add people assigns the default role, also without holding its permissions, and no other slug', async () => {
  const { workspaceId, admin } = ownHotel
  const roles = asUser(admin).roles
  await roles.createRole({ workspaceId, name: 'Doorkeeper', permissions: ['manage_members'] })
  await roles.createRole({ workspaceId, name: 'Inviter', permissions: ['invite_members'] })
  const keeper = await addPerson(host, ownHotel, 'doorkeeper')
  const inviter = await addPerson(host, ownHotel, 'inviter')
  const newcomer = () => ({ email: someAddress(), firstName: 'N', lastName: 'N', workspaceId })
  const { member } = await asUser(keeper).members.createMember(newcomer())
  assert.is(member?.workspaces[0]?.workspaceRole, 'member')
  const invite = asUser(inviter).onboarding
  const answer = await invite.invite({ ...newcomer(), workspaceRole: 'member' })
  assert.is(answer.invitation?.status, 'pending')
  const forbiddenCalls = [
    () => invite.invite({ ...newcomer(), workspaceRole: 'member', permissions: ['access_chat'] }),
    () => invite.invite({ ...newcomer(), workspaceRole: 'viewer' }),
    () => asUser(keeper).members.createMember({ ...newcomer(), workspaceRole: 'manager' }),
  ]
  for (const call of forbiddenCalls) assert.is((await refusal(call())).info.status, 403)
})

test.run()
