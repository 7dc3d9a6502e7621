import { rpcsOfPackage } from '../../test/contract/descriptors.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { databaseWithPlans, scansIn, sortsIn } from '../../test/kit/plans.ts'
import { systemTenant } from '../kernel/access/tenant.ts'
import { newId } from '../kernel/base/ids.ts'
import { listEntriesPage, newestFirst } from './audit/sql.ts'
import { departmentsWithManagers } from './groups/departments.sql.ts'
import { department, team } from './groups/kinds.ts'
import { listGroupMembers, listGroups } from './groups/sql.ts'
import { hotelMemberIds, hotelMembers } from './hotels/hotel-members.sql.ts'
import { listInvitations } from './onboarding/sql.ts'
import { listEverybodyPage } from './people/list.sql.ts'
import { memberWithRights } from './rights/access.sql.ts'
import { rolesOf } from './roles/roles.sql.ts'
import type { MemberTables } from './tables.ts'
import { listMembers } from './workspace-memberships/list.sql.ts'
import { liveMemberships } from './workspace-memberships/live.sql.ts'
import { receiversOf } from './workspace-memberships/sql.ts'
import { listWorkspaces } from './workspaces/sql.ts'

const test = suite('query plans of member lists')
const { db, fill, plansOf, end } = await databaseWithPlans<MemberTables>(new URL('./migrations/', import.meta.url))
test.after(end)

/** Twenty hotels with rows in every table. */
const workspaceIds = Array.from({ length: 20 }, () => newId())
const hotelIds = Array.from({ length: 20 }, () => newId())
const [workspaceId = '', hotelId = ''] = [workspaceIds[3], hotelIds[3]]
const tenant = systemTenant(workspaceId, hotelId, 'a plan is looked at')
const count = 3_000
const people = Array.from({ length: count }, () => newId())
const teams = Array.from({ length: count }, () => newId())
const [teamId = '', memberId = ''] = [teams[3], people[3]]
const workspaceColumn = (i: number) => ({ workspace_id: workspaceIds[i % 20] })
const timeOf = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 60_000)
const timeColumns = (i: number) => ({ created_at: timeOf(i), updated_at: timeOf(i) })
const nameOf = (i: number) => `N ${(i * 7_919) % count}`

await fill('workspaces', count, i => ({
  id: workspaceIds[i] ?? newId(),
  ecosystem_id: hotelIds[i] ?? newId(),
  name: nameOf(i),
  ...timeColumns(i),
}))
await fill('members', count, i => ({
  id: people[i],
  first_name: 'A',
  last_name: nameOf(i),
  email: `${i}@hotel.example`,
  live_email: `${i}@hotel.example`,
  ...timeColumns(i),
}))
await fill('workspace_members', count, i => ({
  ...workspaceColumn(i),
  member_id: people[i],
  workspace_role: 'member',
  permission_slugs: '[]',
  status: 'active',
  sort_last: nameOf(i),
  joined_at: timeOf(i),
  ...timeColumns(i),
}))
await fill('ecosystem_memberships', count, i => ({
  member_id: people[i],
  ecosystem_id: hotelIds[i % 20],
  permissions: '[]',
  role: 'member',
  ...timeColumns(i),
}))
const noSettings = { settings: '{}', preferences: '{}' }
await fill('member_settings', count, i => ({ member_id: people[i], ...noSettings }))
const permission = { name: 'P', category: 'pages', resource: 'page', action: 'view' }
await fill('permissions', 50, i => ({ id: hotelIds[i] ?? newId(), slug: `p${i}`, ...permission }))
await fill('role_permissions', count, i => ({ role_id: newId(), permission_id: hotelIds[i % 20] }))
await fill('workspace_roles', count, i => ({
  id: newId(),
  ...workspaceColumn(i),
  name: nameOf(i),
  slug: `r${i}`,
  live_slug: `r${i}`,
}))
for (const [table, member, key] of [
  ['teams', 'team_members', 'team_id'],
  ['departments', 'department_members', 'department_id'],
] as const) {
  await fill(table, count, i => ({ id: teams[i], ...workspaceColumn(i), name: nameOf(i), ...timeColumns(i) }))
  // Twenty members each, of whom all are in the group's workspace.
  await fill(member, count, i => {
    const group = i % 150
    return {
      [key]: teams[group],
      member_id: people[(group + i) % count],
      ...workspaceColumn(group),
      role: 'member',
      joined_at: timeOf(i),
    }
  })
}
await fill('onboardings', count, i => ({
  id: newId(),
  ...workspaceColumn(i),
  email: `${i}@hotel.example`,
  token_digest: newId(),
  invited_by: people[i % 200],
  ecosystem_id: hotelIds[i % 20],
  workspace_role: 'member',
  permissions: '[]',
  status: i % 3 ? 'accepted' : 'pending',
  expires_at: timeOf(i),
  ...timeColumns(i),
}))
await fill('audit_entries', count, i => ({
  id: newId(),
  workspace_id: i % 20 === 7 ? null : workspaceIds[i % 20],
  actor_id: people[i % 200],
  actor_name: 'A',
  actor_type: 'member',
  action: 'membership.updated',
  entity: 'membership',
  entity_id: newId(),
  member_id: people[i],
  created_at: timeOf(i),
}))

const slice = { page: 1, limit: 20, offset: 0 }
type List = [run: () => Promise<unknown>, key: string, rpc?: string]

/** An index serves the predicate and the order. */
const ordered: Record<string, List> = {
  'invitations of a workspace': [() => listInvitations(db, [workspaceId], {}, slice), 'onboardings_newest'],
  'accepted invitations of a workspace': [
    () => listInvitations(db, [workspaceId], { status: 'accepted' }, slice),
    'onboardings_list',
  ],
  'invitations of all': [() => listInvitations(db, 'all', {}, slice), 'onboardings_created', 'ListInvitations'],
  'invitations of a sender': [
    () => listInvitations(db, 'all', { senderId: memberId }, slice),
    'onboardings_sender',
    'ListInvitationsForUser',
  ],
  'members of all': [() => listEverybodyPage(db, {}, slice), 'members_list'],
  'workspaces of all': [() => listWorkspaces(db, undefined, {}, slice), 'workspaces_name', 'ListWorkspaces'],
  'audit log': [() => listEntriesPage(db, tenant, {}, slice), 'audit_entries_list', 'ListAuditEntries'],
  'audit log after a cursor': [
    () => listEntriesPage(db, tenant, {}, { ...slice, order: newestFirst, after: [timeOf(1_000), 1_000] }),
    'audit_entries_list',
  ],
  'audit log of a member': [() => listEntriesPage(db, tenant, { memberId }, slice), 'audit_entries_member'],
  'audit log of an actor': [() => listEntriesPage(db, tenant, { actorId: memberId }, slice), 'audit_entries_actor'],
  'audit log of no workspace': [
    () => listEntriesPage(db, undefined, {}, slice),
    'audit_entries_list',
    'ListPlatformAuditEntries',
  ],
  teams: [() => listGroups(db, tenant, team), 'teams_list', 'ListTeams'],
  departments: [() => departmentsWithManagers(db, tenant), 'departments_list', 'ListDepartments'],
  'ids of the members of a hotel': [
    () => hotelMemberIds(db, hotelId, { limit: 100 }),
    'ecosystem_memberships_ecosystem',
    'ListHotelMemberIds',
  ],
}

/** Rows of one hotel, group or person, all of which are read, or few: an index finds and the database sorts them. */
const sorted: Record<string, List> = {
  'workspaces of a hotel': [() => listWorkspaces(db, [hotelId], {}, slice), 'workspaces_ecosystem'],
  'members of a hotel': [
    () => hotelMembers(db, { hotelId, workspaceId }, {}, slice),
    'ecosystem_memberships_ecosystem',
    'ListHotelMembers',
  ],
  'members of a team': [() => listGroupMembers(db, tenant, team, teamId), 'PRIMARY', 'ListTeamMembers'],
  'members of a department': [
    () => listGroupMembers(db, tenant, department, teamId),
    'PRIMARY',
    'ListDepartmentMembers',
  ],
  // Both begin with the workspace, and the statistics of few rows decide.
  'receivers of an event': [() => receiversOf(db, tenant), 'workspace_members_role or PRIMARY'],
  roles: [() => rolesOf(db, tenant).execute(), 'workspace_roles_slug', 'ListRoles'],
  'rights of a member': [() => memberWithRights(db, { memberId }), 'workspace_members_member'],
  'workspaces of a member': [() => liveMemberships(db, [memberId]), 'workspace_members_member', 'ListMyWorkspaces'],
}

for (const [lists, sorts] of [
  [ordered, false],
  [sorted, true],
] as const)
  for (const [name, [run, key]] of Object.entries(lists))
    test(`the list of ${name} is found by ${key}${sorts ? '' : ' in its order'}`, async () => {
      const plans = await plansOf(run)
      assert.ok(plans.length > 0)
      // One row that is looked up by its id comes before the list.
      const first = plans[0]?.find(step => step['type'] !== 'const')
      assert.ok(key.split(' or ').includes(first?.key ?? ''), JSON.stringify(plans))
      // The first step may read its index from the end, and stops once the page is full.
      for (const plan of plans) {
        assert.equal(scansIn(plan.slice(1)), [], JSON.stringify(plan))
        if (!sorts) assert.is(sortsIn(plan), false, JSON.stringify(plan))
      }
    })

test('no list of members of a workspace reads a table whole', async () => {
  for (const plan of await plansOf(() => listMembers(db, tenant, {}, slice)))
    assert.equal(scansIn(plan), [], JSON.stringify(plan))
})

test('every list of the service is tested here, elsewhere, or is read whole', async () => {
  const exemptLists = {
    ListMembers: 'services/member/workspace-memberships/list.test.ts',
    ListWorkspaceMembers: 'services/member/workspace-memberships/list.test.ts',
    ListPermissions: 'few rows, which every caller may read: a scan is their best plan',
  }
  const declaredLists = (await rpcsOfPackage('platform.member.v1'))
    .map(({ name }) => name)
    .filter(name => name.startsWith('List'))
  const testedLists = [...Object.values(ordered), ...Object.values(sorted)].flatMap(([, , rpc]) => rpc ?? [])
  assert.equal(
    declaredLists.toSorted(),
    [...testedLists, ...Object.keys(exemptLists)].toSorted(),
    'Add a new list to `ordered` or `sorted`, with its index, and rows of its tables.',
  )
})

test.run()
