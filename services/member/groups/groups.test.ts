import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, callDuringTransaction, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('teams and departments')
const { host, sql, asUser } = await memberForTest(test)
const ownHotel = await openWorld(host)

const teams = (person: { userId: string }) => asUser(person).teams
const departments = (person: { userId: string }) => asUser(person).departments

test('a team is created with its leader, listed with its count, updated and deleted', async () => {
  const { workspaceId, admin } = ownHotel
  const clerk = await addPerson(host, ownHotel, 'viewer', { firstName: 'Cleo', lastName: 'Clerk' })
  const { team } = await teams(admin).createTeam({
    workspaceId,
    name: 'Front desk',
    color: '#1E40AF',
    leaderId: admin.memberId,
  })
  const id = team?.id ?? ''
  assert.equal([team?.membersCount, team?.leaderId, team?.isActive], [1, admin.memberId, true])
  const membership = await teams(admin).addTeamMember({ id, memberId: clerk.memberId })
  assert.equal([membership.teamId, membership.role], [id, 'member'])
  const led = await teams(admin).addTeamMember({ id, memberId: clerk.memberId, role: 'leader' })
  assert.is(led.role, 'leader')
  // Added again without a role, a leader stays leader.
  assert.is((await teams(admin).addTeamMember({ id, memberId: clerk.memberId })).role, 'leader')
  const { data } = await teams(clerk).listTeamMembers({ id })
  assert.equal(
    data.map(one => [one.firstName, one.role]),
    [
      ['Ada', 'member'],
      ['Cleo', 'leader'],
    ],
  )
  const updateAnswer = await teams(admin).updateTeam({
    id,
    name: 'Reception',
    updateMask: { paths: ['name', 'leader_id', 'color'] },
  })
  assert.equal(
    [updateAnswer.team?.name, updateAnswer.team?.leaderId, updateAnswer.team?.color],
    ['Reception', undefined, undefined],
  )
  await teams(admin).removeTeamMember({ id, memberId: clerk.memberId })
  assert.is((await teams(admin).listTeams({ workspaceId })).data[0]?.membersCount, 1)
  await teams(admin).deleteTeam({ id })
  assert.equal((await teams(admin).listTeams({ workspaceId })).data, [])
  assert.is((await refusal(teams(admin).listTeamMembers({ id }))).info.status, 404)
  assert.is((await teams(admin).createTeam({ workspaceId, name: 'Reception' })).team?.name, 'Reception')
})

test('departments form a tree with managers and counts', async () => {
  const { workspaceId, admin } = ownHotel
  const make = async (name: string, fields: object = {}) =>
    (await departments(admin).createDepartment({ workspaceId, name, ...fields })).department?.id ?? ''
  const rooms = await make('Rooms', { code: 'RMS', managerId: admin.memberId })
  const floors = await make('Floors', { parentId: rooms })
  const linen = await make('Linen', { parentId: floors })
  const clerk = await addPerson(host, ownHotel, 'viewer')
  await departments(admin).addDepartmentMember({ id: floors, memberId: clerk.memberId })
  const { data } = await departments(clerk).listDepartments({ workspaceId })
  assert.equal([data.length, data[0]?.code, data[0]?.manager?.id, data[0]?.membersCount], [1, 'RMS', admin.memberId, 1])
  assert.is(data[0]?.subDepartments[0]?.membersCount, 1)
  assert.is(data[0]?.subDepartments[0]?.subDepartments[0]?.id, linen)
  const cycle = { id: rooms, parentId: linen, updateMask: { paths: ['parent_id'] } }
  assert.is((await refusal(departments(admin).updateDepartment(cycle))).info.violations[0]?.rule, 'cycle')
  await departments(admin).deleteDepartment({ id: floors })
  const after = await departments(admin).listDepartments({ workspaceId })
  assert.is(after.data[0]?.subDepartments[0]?.id, linen)
  const { member: manager } = await asUser(admin).members.getMember({ id: admin.memberId })
  assert.equal(
    manager?.departments.map(one => [one.departmentName, one.role]),
    [['Rooms', 'manager']],
  )
})

test('departments have at most 100 levels', async () => {
  const { workspaceId, admin } = await openWorld(host)
  const chain = Array.from({ length: 99 }, newId)
  await sql.query('insert into departments (id, workspace_id, name, parent_id) values ?', [
    chain.map((id, index) => [id, workspaceId, 'Level', chain[index - 1] ?? null]),
  ])
  const make = async (parentId?: string) => {
    const fields = { workspaceId, name: 'New', ...(parentId ? { parentId } : {}) }
    return (await departments(admin).createDepartment(fields)).department?.id ?? ''
  }
  const rule = async (call: Promise<unknown>) => (await refusal(call)).info.violations[0]?.rule
  assert.is(await rule(make(await make(chain[98]))), 'depth')
  const above = await make()
  await make(above)
  const move = (parentId = '') =>
    departments(admin).updateDepartment({ id: above, parentId, updateMask: { paths: ['parent_id'] } })
  assert.is(await rule(move(chain[98])), 'depth')
  await move(chain[97])
})

test('a member who is leaving the workspace cannot be added to a team or department', async () => {
  const { workspaceId, admin } = ownHotel
  const { team } = await teams(admin).createTeam({ workspaceId, name: 'Evening' })
  const { department } = await departments(admin).createDepartment({ workspaceId, name: 'Evening' })
  const puts: ((memberId: string) => Promise<unknown>)[] = [
    memberId => teams(admin).addTeamMember({ id: team?.id ?? '', memberId }),
    memberId => departments(admin).addDepartmentMember({ id: department?.id ?? '', memberId }),
  ]
  for (const put of puts) {
    const { memberId } = await addPerson(host, ownHotel, 'viewer')
    const outcome = await callDuringTransaction(
      sql,
      [
        ['update workspace_members set left_at = now(3) where member_id = ?', [memberId]],
        ['update workspaces set members_count = members_count - 1 where id = ?', [workspaceId]],
      ],
      () => put(memberId),
    )
    assert.is(outcome?.status, 'rejected')
  }
})

test("the members' list shows departments, and only those of a team or department when asked", async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const { workspaceId, admin } = world
  const [cook, clerk] = [await addPerson(host, world, 'viewer'), await addPerson(host, world, 'member')]
  const { team } = await teams(admin).createTeam({ workspaceId, name: 'Evening' })
  const make = async (name: string) =>
    (await departments(admin).createDepartment({ workspaceId, name })).department?.id ?? ''
  const [rooms, kitchen] = [await make('Rooms'), await make('Kitchen')]
  const teamId = team?.id ?? ''
  await teams(admin).addTeamMember({ id: teamId, memberId: clerk.memberId })
  for (const id of [rooms, kitchen]) await departments(admin).addDepartmentMember({ id, memberId: cook.memberId })
  await departments(admin).addDepartmentMember({ id: rooms, memberId: clerk.memberId })
  const list = async (filter: object, caller = admin) => {
    const answer = await asUser(caller).memberships.listWorkspaceMembers({ id: workspaceId, ...filter })
    assert.is(answer.meta?.total, answer.data.length)
    return answer.data.map(one => [one.memberId, one.departments])
  }
  const cooks = [cook.memberId, ['Kitchen', 'Rooms']]
  const clerks = [clerk.memberId, ['Rooms']]
  assert.equal(await list({ teamId }), [clerks])
  assert.equal(await list({ departmentId: kitchen }), [cooks])
  assert.equal((await list({ departmentId: rooms })).toSorted(), [cooks, clerks].toSorted())
  assert.equal(await list({ departmentId: rooms, workspaceRole: 'member' }), [clerks])
  assert.equal(await list({ teamId, departmentId: kitchen }), [])
  assert.equal(await list({ memberId: [cook.memberId, other.admin.memberId, newId()] }), [cooks])
  assert.equal(await list({ memberId: [cook.memberId, clerk.memberId], teamId }), [clerks])
  const foreign = await teams(other.admin).createTeam({ workspaceId: other.workspaceId, name: 'Evening' })
  assert.equal(await list({ teamId: foreign.team?.id ?? '' }), [])
  await teams(admin).deleteTeam({ id: teamId })
  assert.equal(await list({ teamId }), [])
})

test.run()
