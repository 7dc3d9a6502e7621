import type { Pool, RowDataPacket } from 'mysql2/promise'
import { BulkService } from '../../gen/platform/member/v1/bulk_pb.ts'
import { DepartmentService } from '../../gen/platform/member/v1/departments_pb.ts'
import { InvitationService } from '../../gen/platform/member/v1/invitations_pb.ts'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { MemberSettingsService } from '../../gen/platform/member/v1/member_settings_pb.ts'
import { OnboardingService } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { PermissionService } from '../../gen/platform/member/v1/permissions_pb.ts'
import { RoleService } from '../../gen/platform/member/v1/roles_pb.ts'
import { TeamService } from '../../gen/platform/member/v1/teams_pb.ts'
import { WorkspaceMemberService } from '../../gen/platform/member/v1/workspace_members_pb.ts'
import { WorkspaceService } from '../../gen/platform/member/v1/workspaces_pb.ts'
import { newId } from '../kernel/ids.ts'
import { assert, refusal, startTestHost, suite, type TestHost } from '../kernel/testing.ts'
import { testPool } from '../kernel/testing-sql.ts'
import { service as member } from './service.ts'
import { addPerson, openWorld, type Person, someAddress, type World } from './testing.ts'

const test = suite('nobody gives what they do not hold')
let host: TestHost
let sql: Pool
let world: World
/** Holds everything that leads to rights of others, and nothing beside. */
let clever: Person
let victim: Person
let roleId: string

const levers = ['view_members', 'manage_members', 'invite_members', 'remove_members', 'manage_roles']
const only = (...paths: string[]) => ({ updateMask: { paths } })

test.before(async () => {
  host = await startTestHost([member])
  sql = testPool(host.databaseUrl('member'))
  world = await openWorld(host)
  const roles = host.as(RoleService, world.admin.userId)
  const { workspaceId } = world
  const { role } = await roles.createRole({ workspaceId, name: 'Clever', permissions: levers })
  await roles.createRole({ workspaceId, name: 'Strong', permissions: ['export_data'] })
  roleId = role?.id ?? ''
  clever = await addPerson(host, world, 'clever')
  victim = await addPerson(host, world, 'viewer')
})
test.after(async () => {
  await sql.end()
  await host.end()
})

/** Everything that decides rights, as it stands. */
async function rightsAsStored(): Promise<string> {
  const tables = [
    'select member_id, workspace_id, workspace_role, permission_slugs, is_admin, status, left_at from workspace_members order by 1, 2',
    'select id, live_slug, is_default, is_system from workspace_roles order by 1',
    'select role_id, permission_id from role_permissions order by 1, 2',
    'select member_id, ecosystem_id, role, is_owner, permissions from ecosystem_memberships order by 1, 2',
    'select id, workspace_role, permissions, status from onboardings order by 1',
    'select id, is_super_admin, is_active, superior_id, dashboard_access, email from members order by 1',
    'select slug from permissions order by 1',
    'select id, subject from outbox order by 1',
  ]
  const rows = await Promise.all(tables.map(text => sql.query<RowDataPacket[]>(text)))
  return JSON.stringify(rows.map(([found]) => found))
}

test('no road of an ordinary holder of every lever leads to a right that they lack', async () => {
  const { workspaceId, admin, hotelId } = world
  const as = { id: workspaceId, workspaceId }
  const { memberId } = victim
  const own = clever.memberId
  const members = host.as(MemberService, clever.userId)
  const memberships = host.as(WorkspaceMemberService, clever.userId)
  const roles = host.as(RoleService, clever.userId)
  const bulk = host.as(BulkService, clever.userId)
  const invite = host.as(OnboardingService, clever.userId)
  const newcomer = () => ({ email: someAddress(), firstName: 'N', lastName: 'N', workspaceId })
  const left = await addPerson(host, world, 'viewer')
  await host.as(WorkspaceMemberService, admin.userId).removeWorkspaceMember({ workspaceId, memberId: left.memberId })
  const suspended = await addPerson(host, world, 'strong')
  await host
    .as(WorkspaceMemberService, admin.userId)
    .suspendWorkspaceMember({ workspaceId, memberId: suspended.memberId })
  host.rights.forget()
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
      memberships.updateWorkspaceMember({ ...as, memberId: own, workspaceRole: 'strong', ...only('workspace_role') }),
    'the administrator’s role for oneself': () =>
      memberships.updateWorkspaceMember({ ...as, memberId: own, workspaceRole: 'admin', ...only('workspace_role') }),
    'the administrator’s flag for oneself': () =>
      memberships.updateWorkspaceMember({ ...as, memberId: own, isAdmin: true, ...only('is_admin') }),
    'a slug for oneself': () =>
      memberships.updateWorkspaceMember({ ...as, memberId: own, permissions: ['export_data'], ...only('permissions') }),
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
      members.updateMember({ id: admin.memberId, superior: own, ...only('superior') }),
    'a suspended stronger member woken': () =>
      memberships.reactivateWorkspaceMember({ ...as, memberId: suspended.memberId }),
    'somebody brought back stronger': () =>
      memberships.addWorkspaceMember({ id: workspaceId, memberId: left.memberId, workspaceRole: 'strong' }),
    'somebody brought back with a slug': () =>
      memberships.addWorkspaceMember({ id: workspaceId, memberId: left.memberId, permissions: ['export_data'] }),
    'a stronger newcomer': () => members.createMember({ ...newcomer(), workspaceRole: 'strong' }),
    'an administrator as a newcomer': () => members.createMember({ ...newcomer(), workspaceRole: 'admin' }),
    'an invitation to a stronger role': () => invite.invite({ ...newcomer(), workspaceRole: 'strong' }),
    'an invitation with a slug': () => invite.invite({ ...newcomer(), permissions: ['export_data'] }),
    'an invitation through the authentication service': () =>
      host
        .client(InvitationService)
        .inviteForUser({ userId: clever.userId, workspaceId, workspaceRole: 'admin', email: someAddress() }),
    'slugs in bulk': () =>
      bulk.bulkAssignPermissions({ ...as, memberIds: [memberId, own], permissions: ['export_data'] }),
    'the platform’s administrator': () =>
      members.updateMember({ id: own, isSuperAdmin: true, ...only('is_super_admin') }),
    'the dashboard for oneself': () =>
      members.updateMember({ id: own, dashboardAccess: true, ...only('dashboard_access') }),
    'a permission of one’s own': () =>
      host.as(PermissionService, clever.userId).createPermission({
        slug: 'mine',
        name: 'Mine',
        category: 'members',
        resource: 'member',
        action: 'manage',
      }),
    'a workspace of one’s own': () =>
      host.as(WorkspaceService, clever.userId).createWorkspace({ name: 'Mine', ecosystemId: hotelId }),
    'a workspace put to rest': () =>
      host
        .as(WorkspaceService, clever.userId)
        .updateWorkspace({ id: workspaceId, isActive: false, ...only('is_active') }),
    'mobile access for oneself': () =>
      host
        .as(MemberSettingsService, clever.userId)
        .updateMemberSettings({ id: own, mobileAccess: true, ...only('mobile_access') }),
  }
  const before = await rightsAsStored()
  for (const [name, road] of Object.entries(roads)) {
    const { info } = await refusal(road())
    assert.ok([400, 403, 409].includes(info.status), `${name}: ${info.status}`)
    assert.is(await rightsAsStored(), before, name)
  }
})

test('rows of bulk calls are held to the same, one by one', async () => {
  const { workspaceId, admin } = world
  const bulk = host.as(BulkService, clever.userId)
  const turn = (memberId: string, workspaceRole: string) => ({ memberId, workspaceRole })
  const wanted = [turn(victim.memberId, 'strong'), turn(clever.memberId, 'admin'), turn(admin.memberId, 'viewer')]
  const roles = await bulk.bulkUpdateRoles({ workspaceId, members: wanted })
  assert.equal(
    roles.results.map(one => one.error),
    ['ForbiddenError', 'ForbiddenError', 'ForbiddenError'],
  )
  const rows = ['strong', 'admin', 'viewer'].map(workspaceRole => ({
    email: someAddress(),
    firstName: 'N',
    lastName: 'N',
    workspaceRole,
  }))
  const added = await bulk.bulkAddMembers({ workspaceId, members: rows })
  assert.equal(
    added.results.map(one => one.success),
    [false, false, true],
  )
})

test('leading a team, managing a department and being a superior give no right', async () => {
  const { workspaceId, admin } = world
  const plain = await addPerson(host, world, 'viewer')
  await host.as(TeamService, admin.userId).createTeam({ workspaceId, name: 'Lead', leaderId: plain.memberId })
  await host
    .as(DepartmentService, admin.userId)
    .createDepartment({ workspaceId, name: 'Lead', managerId: plain.memberId })
  const below = await addPerson(host, world, 'viewer', { superior: plain.memberId })
  host.rights.forget()
  const own = await host.as(PermissionService, plain.userId).getMyPermissions({ workspaceId })
  assert.equal(own.permissions, ['view_members'])
  const target = { workspaceId, memberId: below.memberId }
  const act = host.as(WorkspaceMemberService, plain.userId).suspendWorkspaceMember(target)
  assert.is((await refusal(act)).info.status, 403)
})

test('a manager cannot make somebody their own to act on them', async () => {
  const { workspaceId } = world
  const boss = await addPerson(host, world, 'manager')
  const free = await addPerson(host, world, 'viewer')
  const members = host.as(MemberService, boss.userId)
  for (const superior of [boss.memberId, undefined]) {
    const call = members.updateMember({ id: free.memberId, ...(superior ? { superior } : {}), ...only('superior') })
    assert.is((await refusal(call)).rawMessage, 'Cannot manage this member')
  }
  const self = members.updateMember({ id: boss.memberId, superior: free.memberId, ...only('superior') })
  assert.is((await refusal(self)).rawMessage, 'Cannot manage this member')
  assert.is((await host.as(PermissionService, boss.userId).getMyPermissions({ workspaceId })).workspaceRole, 'manager')
})

test('what a person is in every tenant, one of their tenants alone does not change', async () => {
  const other = await openWorld(host)
  const shared = await addPerson(host, world, 'viewer')
  const { email } = shared
  const fields = { firstName: 'X', lastName: 'Y', email, workspaceId: other.workspaceId, workspaceRole: 'viewer' }
  await host.as(MemberService, other.admin.userId).createMember(fields)
  const hostile = host.as(MemberService, other.admin.userId)
  for (const [set, path] of [
    [{ lastName: 'Clown' }, 'last_name'],
    [{ phone: '1' }, 'phone'],
    [{ dashboardAccess: true }, 'dashboard_access'],
    [{ email: someAddress() }, 'email'],
    [{ isActive: false }, 'is_active'],
  ] as const) {
    const { info } = await refusal(hostile.updateMember({ id: shared.memberId, ...set, ...only(path) }))
    assert.is(info.status, 403, path)
  }
  assert.is((await refusal(hostile.eraseMember({ id: shared.memberId }))).info.status, 403)
  // A superior whom one tenant gave stays, whatever another would like.
  const { admin } = world
  await host
    .as(MemberService, admin.userId)
    .updateMember({ id: shared.memberId, superior: admin.memberId, ...only('superior') })
  const steal = hostile.updateMember({ id: shared.memberId, superior: other.admin.memberId, ...only('superior') })
  assert.is((await refusal(steal)).info.status, 403)
  assert.is(
    (await host.as(MemberService, shared.userId).getMember({ id: shared.memberId })).member?.manager?.id,
    admin.memberId,
  )
  assert.is((await refusal(hostile.getMember({ id: newId() }))).info.status, 404)
})

test.run()
