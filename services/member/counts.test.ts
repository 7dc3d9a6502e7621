import { assert, eventually, suite } from '../../test/kit/kit.ts'
import { addPerson, openWorld, type TestPerson, zoneAtNoon } from '../../test/kit/member.ts'
import { memberForTest } from '../../test/kit/member-service.ts'
import { startsIn } from './analytics/analytics.ts'

const test = suite('counts of members')
const { host, sql, asUser } = await memberForTest(test)
const world = await openWorld(host)

/**
 * A workspace with a member of every kind, all in one team and one department below the administrator, and an outsider
 * who is in them only through corrupt rows.
 */
const people: Record<string, TestPerson> = {}
const { admin, workspaceId } = world
const teams = asUser(admin).teams
const departments = asUser(admin).departments
const teamId = (await teams.createTeam({ workspaceId, name: 'Front' })).team?.id ?? ''
const departmentId = (await departments.createDepartment({ workspaceId, name: 'Rooms' })).department?.id ?? ''
for (const kind of ['active', 'deactivated', 'suspended', 'pending', 'left', 'deleted', 'erased']) {
  const person = await addPerson(host, world, 'viewer', { lastName: kind, superior: admin.memberId })
  people[kind] = person
  await teams.addTeamMember({ id: teamId, memberId: person.memberId })
  await departments.addDepartmentMember({ id: departmentId, memberId: person.memberId })
}
const idOf = (kind: string) => people[kind]?.memberId ?? ''
const inWorkspace = asUser(admin).memberships
const members = asUser(admin).members
await members.updateMember({ id: idOf('deactivated'), isActive: false, updateMask: { paths: ['is_active'] } })
await inWorkspace.suspendWorkspaceMember({ workspaceId, memberId: idOf('suspended') })
await sql.query("update workspace_members set status = 'pending' where member_id = ?", [idOf('pending')])
await inWorkspace.removeWorkspaceMember({ workspaceId, memberId: idOf('left') })
await members.deleteMember({ id: idOf('deleted') })
await members.eraseMember({ id: idOf('erased') })
const stranger = (await openWorld(host)).admin.memberId
for (const id of [stranger, idOf('left'), idOf('deleted')]) {
  await sql.query('replace into team_members (team_id, member_id, workspace_id) values (?)', [
    [teamId, id, workspaceId],
  ])
  await sql.query('replace into department_members (department_id, member_id, workspace_id) values (?)', [
    [departmentId, id, workspaceId],
  ])
}

const present = ['active', 'deactivated', 'pending', 'suspended']

test('lists, details and hierarchy show the members of the workspace, and count exactly those', async () => {
  const { admin, workspaceId } = world
  const everybody = ['Chef', ...present].toSorted()
  const lastNamesOf = (rows: { lastName: string }[]) => rows.map(one => one.lastName).toSorted()
  const memberList = await asUser(admin).members.listMembers({})
  assert.equal([lastNamesOf(memberList.data), memberList.meta?.total], [everybody, 5])
  const workspaceMembers = await asUser(admin).memberships.listWorkspaceMembers({ id: workspaceId })
  assert.equal([lastNamesOf(workspaceMembers.data), workspaceMembers.meta?.total], [everybody, 5])
  const { workspace } = await asUser(admin).workspaces.getWorkspace({ id: workspaceId })
  assert.equal(lastNamesOf(workspace?.members ?? []), everybody)
  assert.equal([workspace?.teams[0]?.membersCount, workspace?.departments[0]?.membersCount], [4, 4])
  const { subordinates } = await asUser(admin).members.getMemberHierarchy({ id: admin.memberId })
  assert.equal(lastNamesOf(subordinates), present)
  const detail = await asUser(admin).members.getMember({ id: admin.memberId })
  assert.equal(lastNamesOf(detail.member?.subordinates ?? []), present)
  let csv = ''
  for await (const { chunk } of asUser(admin).exports.exportMembers({ workspaceId }))
    csv += Buffer.from(chunk?.data ?? []).toString()
  assert.is(csv.trimEnd().split('\r\n').length, 1 + 5)
})

test('teams and departments count their members within the workspace', async () => {
  const { admin, workspaceId } = world
  const departments = asUser(admin).departments
  assert.is((await departments.listDepartments({ workspaceId })).data[0]?.membersCount, 4)
  const members = await departments.listDepartmentMembers({ id: departmentId })
  assert.equal(members.data.map(one => one.lastName).toSorted(), present)
  const teams = asUser(admin).teams
  assert.is((await teams.listTeams({ workspaceId })).data[0]?.membersCount, 4)
  const inTeam = await teams.listTeamMembers({ id: teamId })
  assert.equal(inTeam.data.map(one => one.lastName).toSorted(), present)
  await departments.createDepartment({ workspaceId, name: 'Below', parentId: departmentId })
  const deletedDepartment = await departments.createDepartment({ workspaceId, name: 'Gone' })
  await departments.deleteDepartment({ id: deletedDepartment.department?.id ?? '' })
  const [rooms, ...otherDepartments] = (await departments.listDepartments({ workspaceId })).data
  assert.equal([otherDepartments.length, rooms?.membersCount, rooms?.subDepartments.length], [0, 4, 1])
})

test('analytics count members by role and status, and those who joined and were seen lately', async () => {
  const { admin, workspaceId } = world
  await sql.query('update workspace_members set joined_at = joined_at - interval 40 day where member_id = ?', [
    people['pending']?.memberId,
  ])
  await sql.query(
    'insert into member_activity (member_id, seen_at) select member_id, utc_timestamp(3) from team_members',
  )
  const settings = { timezone: zoneAtNoon() }
  await asUser(admin).workspaces.updateWorkspace({ id: workspaceId, settings, updateMask: { paths: ['settings'] } })
  // The administrator's call is noted in the background; the test noted the four of the team.
  const figures = await eventually(async () => {
    const all = await asUser(admin).analytics.getWorkspaceAnalytics({ id: workspaceId })
    return all.activity?.activeToday === 5 ? all : undefined
  })
  const { total, active, pending, suspended, byRole } = figures.members ?? { byRole: {} }
  assert.equal([total, active, pending, suspended], [5, 2, 1, 1])
  assert.equal(byRole, { admin: 1, viewer: 4 })
  assert.equal([figures.teams?.total, figures.teams?.averageSize, figures.departments?.total], [1, 4, 2])
  assert.is(figures.activity?.newMembersThisMonth, 4)
})

test('days and months start in the workspace’s time zone, also across changes of daylight saving time', () => {
  const paris = startsIn('Europe/Paris', new Date('2024-03-31T10:00:00Z'))
  assert.is(paris.day.toISOString(), '2024-03-30T23:00:00.000Z')
  assert.is(paris.month.toISOString(), '2024-02-29T23:00:00.000Z')
  const tokyo = startsIn('Asia/Tokyo', new Date('2024-05-31T15:30:00Z'))
  assert.is(tokyo.day.toISOString(), '2024-05-31T15:00:00.000Z')
  assert.is(tokyo.month.toISOString(), '2024-05-31T15:00:00.000Z')
})

test.run()
