import type { RowDataPacket } from 'mysql2/promise'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, comeInto, openWorld, someAddress, type TestPerson } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('escalation of rights')
const levers = ['view_members', 'manage_members', 'invite_members', 'remove_members', 'manage_roles']
const only = (...paths: string[]) => ({ updateMask: { paths } })
const { host, sql, asUser, asService } = await memberForTest(test)
const world = await openWorld(host)
const roles = asUser(world.admin).roles
const { workspaceId } = world
const { role } = await roles.createRole({ workspaceId, name: 'Clever', permissions: levers })
await roles.createRole({ workspaceId, name: 'Strong', permissions: ['export_data'] })
const roleId = role?.id ?? ''
/** Holds every permission that leads to other members' rights, and no other. */
const clever = await addPerson(host, world, 'clever')
const victim = await addPerson(host, world, 'viewer')

/** All stored rows that decide rights. */
async function rightsAsStored(): Promise<string> {
  const tables = [
    'select member_id, workspace_id, workspace_role, permission_slugs, is_admin, status, left_at from workspace_members order by 1, 2',
    'select id, live_slug, is_default, is_system from workspace_roles order by 1',
    'select role_id, permission_id from role_permissions order by 1, 2',
    'select member_id, ecosystem_id, role, is_owner, permissions from ecosystem_memberships order by 1, 2',
    'select id, workspace_role, permissions, status from onboardings order by 1',
    'select id, is_super_admin, is_active, email from members order by 1',
    'select member_id, ecosystem_id, status, is_active, superior_id, dashboard_access from ecosystem_memberships order by 1, 2',
    'select slug from permissions order by 1',
    'select id, subject from outbox order by 1',
  ]
  const rows = await Promise.all(tables.map(text => sql.query<RowDataPacket[]>(text)))
  return JSON.stringify(rows.map(([tableRows]) => tableRows))
}

test('no sequence of calls gives an ordinary member a right that they lack', async () => {
  const { workspaceId, admin, hotelId } = world
  const as = { id: workspaceId, workspaceId }
  const { memberId } = victim
  const ownId = clever.memberId
  const members = asUser(clever).members
  const memberships = asUser(clever).memberships
  const roles = asUser(clever).roles
  const bulk = asUser(clever).bulk
  const invite = asUser(clever).onboarding
  const newcomer = () => ({ email: someAddress(), firstName: 'N', lastName: 'N', workspaceId })
  const formerMember = await addPerson(host, world, 'viewer')
  await asUser(admin).memberships.removeWorkspaceMember({ workspaceId, memberId: formerMember.memberId })
  const suspended = await addPerson(host, world, 'strong')
  await asUser(admin).memberships.suspendWorkspaceMember({ workspaceId, memberId: suspended.memberId })
  const resting = await addPerson(host, world, 'strong')
  await asUser(admin).members.updateMember({ id: resting.memberId, isActive: false, ...only('is_active') })
  host.rights.evict()
  const roads: Record<string, () => Promise<unknown>> = {
    'a stronger role made': () => roles.createRole({ ...as, name: 'More', permissions: ['export_data'] }),
    'a slug added to the own role': () => roles.addRolePermission({ id: roleId, permissionSlug: 'export_data' }),
    'the own role changed': () =>
      roles.updateRole({ id: roleId, permissions: [...levers, 'manage_settings'], ...only('permissions') }),
    'a role made of a system slug': () => roles.createRole({ ...as, name: 'Admin', slug: 'admin' }),
    'the own role renamed to a system slug': () => roles.updateRole({ id: roleId, slug: 'admin', ...only('slug') }),
    'an unknown slug': () => roles.addRolePermission({ id: roleId, permissionSlug: 'fly' }),
    'an ecosystem slug': () => roles.addRolePermission({ id: roleId, permissionSlug: 'manage_ecosystem' }),
    'a stronger role for oneself': () =>
      memberships.updateWorkspaceMember({ ...as, memberId: ownId, workspaceRole: 'strong', ...only('workspace_role') }),
    'the default role, which holds more, for oneself': () =>
      memberships.updateWorkspaceMember({ ...as, memberId: ownId, workspaceRole: 'member', ...only('workspace_role') }),
    'the administrator’s role for oneself': () =>
      memberships.updateWorkspaceMember({ ...as, memberId: ownId, workspaceRole: 'admin', ...only('workspace_role') }),
    'the administrator’s flag for oneself': () =>
      memberships.updateWorkspaceMember({ ...as, memberId: ownId, isAdmin: true, ...only('is_admin') }),
    'a slug for oneself': () =>
      memberships.updateWorkspaceMember({
        ...as,
        memberId: ownId,
        permissions: ['export_data'],
        ...only('permissions'),
      }),
    'a slug for another': () =>
      memberships.updateWorkspaceMember({ ...as, memberId, permissions: ['export_data'], ...only('permissions') }),
    'an administrator demoted': () =>
      memberships.updateWorkspaceMember({
        ...as,
        memberId: admin.memberId,
        workspaceRole: 'viewer',
        ...only('workspace_role'),
      }),
    'an administrator suspended': () => memberships.suspendWorkspaceMember({ ...as, memberId: admin.memberId }),
    'an administrator removed': () => memberships.removeWorkspaceMember({ ...as, memberId: admin.memberId }),
    'an administrator deleted': () => members.deleteMember({ id: admin.memberId }),
    'an administrator erased': () => members.eraseMember({ id: admin.memberId }),
    'an administrator’s address taken': () =>
      members.updateMember({ id: admin.memberId, email: someAddress(), ...only('email') }),
    'an administrator put to rest': () =>
      members.updateMember({ id: admin.memberId, isActive: false, ...only('is_active') }),
    'an administrator put below': () =>
      members.updateMember({ id: admin.memberId, superior: ownId, ...only('superior') }),
    'a suspended stronger member woken': () =>
      memberships.reactivateWorkspaceMember({ ...as, memberId: suspended.memberId }),
    'a stronger member activated again': () =>
      members.updateMember({ id: resting.memberId, isActive: true, ...only('is_active') }),
    'somebody brought back stronger': () =>
      memberships.addWorkspaceMember({ id: workspaceId, memberId: formerMember.memberId, workspaceRole: 'strong' }),
    'somebody brought back with a slug': () =>
      memberships.addWorkspaceMember({
        id: workspaceId,
        memberId: formerMember.memberId,
        permissions: ['export_data'],
      }),
    'a stronger newcomer': () => members.createMember({ ...newcomer(), workspaceRole: 'strong' }),
    'an administrator as a newcomer': () => members.createMember({ ...newcomer(), workspaceRole: 'admin' }),
    'an invitation to a stronger role': () => invite.invite({ ...newcomer(), workspaceRole: 'strong' }),
    'an invitation with a slug': () => invite.invite({ ...newcomer(), permissions: ['export_data'] }),
    'an invitation through the authentication service': () =>
      asService.invitations.inviteForUser({
        userId: clever.userId,
        workspaceId,
        workspaceRole: 'admin',
        email: someAddress(),
      }),
    'slugs in bulk': () =>
      bulk.bulkAssignPermissions({ ...as, memberIds: [memberId, ownId], permissions: ['export_data'] }),
    'the platform’s administrator': () =>
      members.updateMember({ id: ownId, isSuperAdmin: true, ...only('is_super_admin') }),
    'the dashboard for oneself': () =>
      members.updateMember({ id: ownId, dashboardAccess: true, ...only('dashboard_access') }),
    'a permission of one’s own': () =>
      asUser(clever).permissions.createPermission({
        slug: 'mine',
        name: 'Mine',
        category: 'members',
        resource: 'member',
        action: 'manage',
      }),
    'a workspace of one’s own': () => asUser(clever).workspaces.createWorkspace({ name: 'Mine', ecosystemId: hotelId }),
    'a workspace put to rest': () =>
      asUser(clever).workspaces.updateWorkspace({ id: workspaceId, isActive: false, ...only('is_active') }),
    'mobile access for oneself': () =>
      asUser(clever).settings.updateMemberSettings({ id: ownId, mobileAccess: false, ...only('mobile_access') }),
  }
  const before = await rightsAsStored()
  for (const [name, road] of Object.entries(roads)) {
    const { info } = await refusal(road())
    assert.ok([400, 403, 409].includes(info.status), `${name}: ${info.status}`)
    assert.is(await rightsAsStored(), before, name)
  }
  const flag = { workspaceId, memberId, isAdmin: false, ...only('is_admin') }
  assert.is((await asUser(clever).memberships.updateWorkspaceMember(flag)).membership?.isAdmin, false)
})

test('rows of bulk calls have the same limits, one by one', async () => {
  const { workspaceId, admin } = world
  const bulk = asUser(clever).bulk
  const turn = (memberId: string, workspaceRole: string) => ({ memberId, workspaceRole })
  const changes = [
    turn(victim.memberId, 'strong'),
    turn(clever.memberId, 'admin'),
    turn(admin.memberId, 'viewer'),
    turn(clever.memberId, 'member'),
  ]
  const roles = await bulk.bulkUpdateRoles({ workspaceId, members: changes })
  assert.equal(
    roles.results.map(one => one.error),
    ['ForbiddenError', 'ForbiddenError', 'ForbiddenError', 'ForbiddenError'],
  )
  const rows = ['strong', 'admin', 'viewer'].map(workspaceRole => ({
    email: someAddress(),
    firstName: 'N',
    lastName: 'N',
    workspaceRole,
  }))
  const answer = await bulk.bulkAddMembers({ workspaceId, members: rows })
  assert.equal(
    answer.results.map(one => one.success),
    [false, false, true],
  )
})

test('leading a team, managing a department and being a superior give no rights', async () => {
  const { workspaceId, admin } = world
  const plain = await addPerson(host, world, 'viewer')
  await asUser(admin).teams.createTeam({ workspaceId, name: 'Lead', leaderId: plain.memberId })
  await asUser(admin).departments.createDepartment({ workspaceId, name: 'Lead', managerId: plain.memberId })
  const below = await addPerson(host, world, 'viewer', { superior: plain.memberId })
  host.rights.evict()
  const ownRights = await asUser(plain).permissions.getMyPermissions({ workspaceId })
  assert.equal(ownRights.permissions, ['view_members'])
  const target = { workspaceId, memberId: below.memberId }
  const act = asUser(plain).memberships.suspendWorkspaceMember(target)
  assert.is((await refusal(act)).info.status, 403)
})

test('a manager cannot make a member their subordinate to gain control', async () => {
  const { workspaceId } = world
  const boss = await addPerson(host, world, 'manager')
  const free = await addPerson(host, world, 'viewer', { superior: world.admin.memberId })
  const members = asUser(boss).members
  for (const superior of [boss.memberId, undefined]) {
    const call = members.updateMember({ id: free.memberId, ...(superior ? { superior } : {}), ...only('superior') })
    assert.is((await refusal(call)).rawMessage, 'Cannot manage this member')
  }
  const self = members.updateMember({ id: boss.memberId, superior: free.memberId, ...only('superior') })
  assert.is((await refusal(self)).rawMessage, 'Cannot manage this member')
  assert.is((await asUser(boss).permissions.getMyPermissions({ workspaceId })).workspaceRole, 'manager')
})

test('a manager adds and removes people below them in teams and departments, and themselves', async () => {
  const { workspaceId } = world
  const boss = await addPerson(host, world, 'manager')
  const below = await addPerson(host, world, 'viewer', { superior: boss.memberId })
  const deep = await addPerson(host, world, 'viewer', { superior: below.memberId })
  const beside = await addPerson(host, world, 'viewer')
  const denied = '403 Cannot manage this member'
  const saying = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      error => `${toRpcError(error).info.status} ${toRpcError(error).rawMessage}`,
    )
  for (const { make, add, remove, head, headOf } of placesOf(boss, workspaceId)) {
    assert.is(await saying(make({ [head]: beside.memberId })), denied)
    const id = await make({ [head]: boss.memberId })
    for (const { memberId } of [below, deep]) assert.is(await saying(add({ id, memberId })), 'done')
    assert.is(await saying(add({ id, memberId: newId() })), '404 Member not found')
    assert.is(await saying(add({ id, memberId: beside.memberId })), denied)
    assert.is(await saying(add({ id, memberId: beside.memberId, role: head.replace('Id', '') })), denied)
    assert.is(await saying(headOf(id, beside.memberId)), denied)
    for (const { memberId } of [deep, boss]) assert.is(await saying(remove({ id, memberId })), 'done')
    // They can neither remove nor replace a head whom a superior appointed.
    const [above] = placesOf(world.admin, workspaceId).filter(one => one.head === head)
    await above?.headOf(id, beside.memberId)
    for (const memberId of [below.memberId, undefined]) assert.is(await saying(headOf(id, memberId)), denied)
    assert.is(await saying(add({ id, memberId: below.memberId, role: head.replace('Id', '') })), denied)
    assert.is(await saying(remove({ id, memberId: beside.memberId })), denied)
  }
})

/** Changes of teams and departments through one interface. */
function placesOf({ userId }: TestPerson, workspaceId: string) {
  const [teams, departments] = [asUser(userId).teams, asUser(userId).departments]
  const name = () => newId()
  return [
    {
      head: 'leaderId',
      make: async (fields: object) => (await teams.createTeam({ workspaceId, name: name(), ...fields })).team?.id ?? '',
      add: teams.addTeamMember,
      remove: teams.removeTeamMember,
      headOf: (id: string, leaderId?: string) =>
        teams.updateTeam({ id, ...(leaderId ? { leaderId } : {}), ...only('leader_id') }),
    },
    {
      head: 'managerId',
      make: async (fields: object) =>
        (await departments.createDepartment({ workspaceId, name: name(), ...fields })).department?.id ?? '',
      add: departments.addDepartmentMember,
      remove: departments.removeDepartmentMember,
      headOf: (id: string, managerId?: string) =>
        departments.updateDepartment({ id, ...(managerId ? { managerId } : {}), ...only('manager_id') }),
    },
  ]
}

test('a caller who could not grant an invitation can neither cancel nor renew it, unless it is their own', async () => {
  const { workspaceId, admin } = world
  const boss = await addPerson(host, world, 'manager')
  const [onboarding, invitations] = [asUser(boss).onboarding, asService.invitations]
  const createInvitation = async (by: TestPerson, workspaceRole: string) => {
    const call = asUser(by).onboarding.invite({ workspaceId, email: someAddress(), workspaceRole })
    return (await call).invitation?.id ?? ''
  }
  const toAdmin = await createInvitation(admin, 'admin')
  for (const call of [
    () => onboarding.resendInvitation({ id: toAdmin }),
    () => onboarding.cancelInvitation({ id: toAdmin }),
  ]) {
    const { info, rawMessage } = await refusal(call())
    assert.equal([info.status, rawMessage], [403, 'Permission denied'])
  }
  const cancellation = invitations.cancelInvitationForUser({ userId: boss.userId, id: toAdmin })
  assert.is((await refusal(cancellation)).info.status, 404)
  const { data } = await asUser(admin).onboarding.listInvitations({ workspaceId })
  const { email = '' } = data.find(one => one.id === toAdmin) ?? {}
  const instead = onboarding.invite({ workspaceId, email, workspaceRole: 'viewer' })
  assert.is((await refusal(instead)).info.status, 403)
  await onboarding.cancelInvitation({ id: await createInvitation(admin, 'viewer') })
  await asUser(admin).onboarding.cancelInvitation({ id: toAdmin })
  // Their own invitation, even when it now grants more than they hold; and one to a deleted role, which grants nothing.
  const ownInvitationId = await createInvitation(boss, 'viewer')
  await sql.query("update onboardings set workspace_role = 'admin' where id = ?", [ownInvitationId])
  await invitations.cancelInvitationForUser({ userId: boss.userId, id: ownInvitationId })
  const orphanedInvitationId = await createInvitation(admin, 'viewer')
  await sql.query("update onboardings set workspace_role = 'gone' where id = ?", [orphanedInvitationId])
  await onboarding.cancelInvitation({ id: orphanedInvitationId })
})

test('an open invitation that the caller cannot cancel is not replaced by any way of adding people', async () => {
  const { workspaceId, admin } = world
  const boss = await addPerson(host, world, 'manager')
  const email = someAddress()
  const request = { workspaceId, email, workspaceRole: 'admin' }
  const id = (await asUser(admin).onboarding.invite(request)).invitation?.id ?? ''
  const loadInvitation = async () => {
    const [rows] = await sql.query<RowDataPacket[]>('select * from onboardings where id = ?', [id])
    return rows[0]
  }
  const before = await loadInvitation()
  const person = { email: email.toUpperCase(), firstName: 'A', lastName: 'B', workspaceRole: 'viewer' }
  const members = asUser(boss).members
  const { info } = await refusal(members.createMember({ workspaceId, ...person }))
  assert.is(info.status, 403)
  const other = { ...person, email: someAddress() }
  const { results } = await asUser(boss).bulk.bulkAddMembers({ members: [person, other] })
  assert.equal(
    results.map(({ success, error }) => [success, error]),
    [
      [false, 'ForbiddenError'],
      [true, undefined],
    ],
  )
  const [nobody] = await sql.query<RowDataPacket[]>('select id from members where live_email = ?', [
    email.toLowerCase(),
  ])
  assert.equal(nobody, [])
  // At the new address of a member without an account, an existing invitation stays.
  const { member } = await members.createMember({
    ...person,
    workspaceId,
    email: someAddress(),
    superior: boss.memberId,
  })
  await members.updateMember({ id: member?.id ?? '', email, ...only('email') })
  assert.equal(await loadInvitation(), before)
  // An expired invitation grants nothing and blocks nothing.
  await sql.query('update onboardings set expires_at = now(3) where id = ?', [id])
  await asUser(boss).onboarding.invite({ ...request, workspaceRole: 'viewer' })
  assert.is((await loadInvitation())?.['workspace_role'], 'viewer')
})

test('a hotel cannot change the identity of a person it did not create, and its own values apply to itself', async () => {
  const other = await openWorld(host)
  const sharedMember = await addPerson(host, world, 'viewer')
  await comeInto(host, other, sharedMember)
  const hostile = asUser(other.admin).members
  for (const [set, path] of [
    [{ lastName: 'Clown' }, 'last_name'],
    [{ phone: '1' }, 'phone'],
    [{ email: someAddress() }, 'email'],
  ] as const) {
    const { info } = await refusal(hostile.updateMember({ id: sharedMember.memberId, ...set, ...only(path) }))
    assert.is(info.status, 403, path)
  }
  assert.is((await refusal(hostile.eraseMember({ id: sharedMember.memberId }))).info.status, 403)
  // Superior, dashboard access and activity are set per hotel.
  const { admin } = world
  const ownMembers = asUser(admin).members
  await ownMembers.updateMember({ id: sharedMember.memberId, superior: admin.memberId, ...only('superior') })
  const paths = ['superior', 'dashboard_access', 'is_active']
  await hostile.updateMember({
    id: sharedMember.memberId,
    superior: other.admin.memberId,
    dashboardAccess: true,
    isActive: false,
    updateMask: { paths },
  })
  const viewMember = async (client: typeof ownMembers) => {
    const { member } = await client.getMember({ id: sharedMember.memberId })
    return [member?.manager?.id, member?.dashboardAccess, member?.isActive]
  }
  assert.equal(await viewMember(ownMembers), [admin.memberId, false, true])
  assert.equal(await viewMember(hostile), [other.admin.memberId, true, false])
  assert.is((await refusal(hostile.getMember({ id: newId() }))).info.status, 404)
})

test.run()
