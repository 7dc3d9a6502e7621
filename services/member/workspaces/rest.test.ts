import type { RowDataPacket } from 'mysql2/promise'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import {
  acceptFor,
  addPerson,
  callDuringTransaction,
  comeInto,
  openWorld,
  someAddress,
  type TestPerson,
} from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'
import { forEachPage } from '../../kernel/rpc/paging.ts'

const test = suite('inactive workspaces, workspaces of deleted hotels, and departures')
const { host, sql, asUser, asService } = await memberForTest(test)

const as = ({ userId }: Pick<TestPerson, 'userId'>) => asUser(userId).workspaces
const refusalText = async (call: Promise<unknown>) => {
  const { info, rawMessage } = await refusal(call)
  return `${info.status} ${rawMessage}`
}
const setActive = (id: string, isActive: boolean) => ({ id, isActive, updateMask: { paths: ['is_active'] } })

test('an inactive workspace is closed to its members, and its administrators can read and reactivate it', async () => {
  const world = await openWorld(host)
  const { workspaceId: id, admin } = world
  const clerk = await addPerson(host, world, 'manager')
  const { workspace } = await as(admin).updateWorkspace(setActive(id, false))
  assert.is(workspace?.isActive, false)
  await eventually(async () => (await refusalText(as(clerk).getWorkspace({ id }))) === '403 Workspace access denied')
  assert.is((await as(admin).getWorkspace({ id })).workspace?.isActive, false)
  const rights = asUser(admin).permissions
  const countPermissions = async ({ memberId }: TestPerson) =>
    (await rights.getMemberPermissions({ workspaceId: id, memberId })).permissions.length
  assert.equal(
    [await countPermissions(clerk), (await countPermissions(admin)) > 0, (await countPermissions(admin)) < 10],
    [0, true, true],
  )
  const team = asUser(admin).teams.createTeam({ workspaceId: id, name: 'Night' })
  assert.is(await refusalText(team), '403 Permission denied')
  const inactiveList = await as({ userId: world.root }).listWorkspaces({ ecosystemId: world.hotelId, isActive: false })
  assert.equal(
    inactiveList.data.map(one => one.id),
    [id],
  )
  assert.is((await as(admin).updateWorkspace(setActive(id, true))).workspace?.isActive, true)
  await eventually(async () => (await as(clerk).getWorkspace({ id })).workspace?.isActive)
})

test('only administrators deactivate a workspace, whatever slugs others hold', async () => {
  const world = await openWorld(host)
  const { workspaceId } = world
  await asUser(world.admin).roles.createRole({
    workspaceId,
    name: 'Keeper',
    permissions: ['view_members', 'manage_settings'],
  })
  const keeper = await addPerson(host, world, 'keeper')
  const { workspace } = await as(keeper).updateWorkspace({
    id: workspaceId,
    description: 'Kept',
    updateMask: { paths: ['description'] },
  })
  assert.is(workspace?.description, 'Kept')
  assert.is(await refusalText(as(keeper).updateWorkspace(setActive(workspaceId, false))), '403 Permission denied')
})

test('an inactive workspace accepts no members: created, added, invited or accepting', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin, root } = world
  const [email, userId] = [someAddress(), newId()]
  const invite = await asUser(admin).onboarding.invite({ workspaceId, email })
  await as(admin).updateWorkspace(setActive(workspaceId, false))
  const resting = '409 The workspace is inactive and accepts no new members'
  const accept = () => acceptFor(host, invite.invitation?.token, { email, userId })
  assert.is(await refusalText(accept()), resting)
  const newcomer = { workspaceId, email: someAddress(), firstName: 'A', lastName: 'B' }
  assert.is(await refusalText(asUser(root).members.createMember(newcomer)), resting)
  await as(admin).updateWorkspace(setActive(workspaceId, true))
  assert.is((await accept()).invitation?.status, 'accepted')
})

test('the workspace of a deleted hotel is closed to all, and returns unchanged with the hotel', async () => {
  const world = await openWorld(host)
  const { workspaceId: id, admin, hotelId, root } = world
  const { invitation } = await asUser(admin).onboarding.invite({ workspaceId: id, email: someAddress() })
  const clerk = await addPerson(host, world, 'viewer')
  await as(admin).updateWorkspace(setActive(id, false))
  await asService.hotelMembers.deactivateHotelMembers({ hotelId, isDeleted: true })
  await eventually(async () => (await refusalText(as(admin).getWorkspace({ id }))) === '403 Workspace access denied')
  assert.is(await refusalText(as({ userId: root }).updateWorkspace(setActive(id, true))), '404 Workspace not found')
  const token = invitation?.token ?? ''
  assert.is(
    await refusalText(acceptFor(host, token, { email: someAddress(), userId: newId() })),
    '403 The invitation is for another e-mail address',
  )
  const email = invitation?.email ?? ''
  const acceptance = acceptFor(host, token, { email, userId: newId() })
  assert.is(await refusalText(acceptance), '409 The hotel of the workspace is closed')
  const creation = as({ userId: root }).createWorkspace({ name: 'Beach', ecosystemId: hotelId })
  assert.is(await refusalText(creation), '409 The hotel of the ecosystem is closed')
  await asService.hotelMembers.reactivateHotelMembers({ hotelId })
  // Its administrator had deactivated it before, and reactivates it.
  await eventually(async () => (await as(admin).getWorkspace({ id })).workspace?.isActive === false)
  assert.is(await refusalText(as(clerk).getWorkspace({ id })), '403 Workspace access denied')
  await as(admin).updateWorkspace(setActive(id, true))
  await eventually(() => as(clerk).getWorkspace({ id }))
})

test('members inactive with a deleted hotel are updated by what happens to them meanwhile', async () => {
  const [deletedHotel, otherHotel, nextHotel] = [await openWorld(host), await openWorld(host), await openWorld(host)]
  const [sharedMember, arrivingMember, restingMember, inactiveMember] = [
    await addPerson(host, deletedHotel, 'viewer'),
    await addPerson(host, deletedHotel, 'viewer'),
    await addPerson(host, deletedHotel, 'viewer'),
    await addPerson(host, deletedHotel, 'viewer'),
  ]
  await comeInto(host, otherHotel, sharedMember)
  const state = async ({ memberId }: TestPerson) => {
    const [rows] = await sql.query<RowDataPacket[]>(
      'select is_active, rested_at is not null as rests from members where id = ?',
      [memberId],
    )
    return [rows[0]?.['is_active'], rows[0]?.['rests']]
  }
  // Meanwhile the other hotel of `sharedMember` is deleted, `arrivingMember` joins a hotel, and `inactiveMember` is
  // deactivated by hand.
  const deletion = await callDuringTransaction(
    sql,
    [
      ['select id from members where id in (?) for update', [[sharedMember.memberId, arrivingMember.memberId]]],
      ['update workspaces set closed_at = now(3) where ecosystem_id = ?', [otherHotel.hotelId]],
      [
        "insert into ecosystem_memberships (member_id, ecosystem_id, permissions) values (?, ?, '[]')",
        [arrivingMember.memberId, nextHotel.hotelId],
      ],
      ['update members set is_active = 0 where id = ?', [inactiveMember.memberId]],
    ],
    () => asService.hotelMembers.deactivateHotelMembers({ hotelId: deletedHotel.hotelId, isDeleted: true }),
  )
  assert.is(deletion?.status, 'fulfilled')
  const { memberIds } = (deletion as PromiseFulfilledResult<{ memberIds: string[] }>).value
  assert.equal(
    memberIds.toSorted(),
    [deletedHotel.admin, sharedMember, restingMember].map(one => one.memberId).toSorted(),
  )
  const states = await Promise.all([sharedMember, arrivingMember, restingMember, inactiveMember].map(state))
  assert.equal(states, [
    [0, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ])
  // Accepting an invitation elsewhere reactivates a resting member, but not one deactivated by hand.
  for (const person of [restingMember, inactiveMember, sharedMember]) await comeInto(host, nextHotel, person)
  assert.equal(await Promise.all([restingMember, inactiveMember, sharedMember].map(state)), [
    [1, 0],
    [0, 0],
    [1, 0],
  ])
})

test('restoring one of two deleted hotels reactivates shared members, except those deactivated by hand', async () => {
  const [former, later] = [await openWorld(host), await openWorld(host)]
  const members = asService.hotelMembers
  const sharedMembers: TestPerson[] = []
  for (let i = 0; i < 4; i++) {
    const person = await addPerson(host, former, 'viewer')
    await comeInto(host, later, person)
    sharedMembers.push(person)
  }
  const [activeMember, inactiveMember, deactivatedMember, toggledMember] = sharedMembers as [
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
  ]
  const set = ({ memberId }: TestPerson, isActive: boolean) =>
    asUser(former.root).members.updateMember({ id: memberId, isActive, updateMask: { paths: ['is_active'] } })
  const active = async (...people: TestPerson[]) => {
    const ids = people.map(({ memberId }) => memberId)
    const [rows] = await sql.query<RowDataPacket[]>(
      'select m.id, m.is_active, w.member_active from members m join workspace_members w on w.member_id = m.id where m.id in (?)',
      [ids],
    )
    return ids.map(id => {
      const flags = rows.filter(row => row['id'] === id).flatMap(row => [row['is_active'], row['member_active']])
      return flags.length === 4 && new Set(flags).size === 1 && flags[0] === 1
    })
  }
  await set(inactiveMember, false)
  await members.deactivateHotelMembers({ hotelId: former.hotelId, isDeleted: true })
  assert.equal(await active(...sharedMembers), [true, false, true, true])
  await members.deactivateHotelMembers({ hotelId: later.hotelId, isDeleted: true })
  assert.equal(await active(...sharedMembers), [false, false, false, false])
  // One is deactivated by hand while resting, and one is activated and deactivated again.
  await set(deactivatedMember, false)
  await set(toggledMember, true)
  await set(toggledMember, false)
  const { memberIds } = await members.reactivateHotelMembers({ hotelId: former.hotelId })
  assert.equal(memberIds.toSorted(), [former.admin, activeMember].map(one => one.memberId).toSorted())
  assert.equal(await active(...sharedMembers), [true, false, false, false])
  // The other hotel's rest has ended for good: its restoration reactivates none of them, and it can be deleted and
  // restored again.
  assert.equal((await members.reactivateHotelMembers({ hotelId: later.hotelId })).memberIds, [later.admin.memberId])
  await members.deactivateHotelMembers({ hotelId: later.hotelId, isDeleted: true })
  assert.equal(await active(activeMember, later.admin), [true, false])
  // Concurrently: a member restored while the other hotel is being deleted doesn't rest with that one.
  await members.deactivateHotelMembers({ hotelId: former.hotelId, isDeleted: true })
  await members.reactivateHotelMembers({ hotelId: later.hotelId })
  const outcome = await callDuringTransaction(
    sql,
    [['select id from members where id = ? for update', [activeMember.memberId]]],
    () =>
      Promise.all([
        members.reactivateHotelMembers({ hotelId: former.hotelId }),
        members.deactivateHotelMembers({ hotelId: later.hotelId, isDeleted: true }),
      ]),
  )
  assert.is(outcome?.status, 'fulfilled')
  assert.equal(await active(activeMember), [true])
  assert.equal(
    (await members.listHotelMemberIds({ hotelId: former.hotelId })).members.map(one => one.isResting),
    [...Array.from({ length: 5 }, () => false)],
  )
})

test('a member removed from the closed hotel that made them inactive stays inactive with another closed one, or none', async () => {
  const [closedHotel, otherHotel, nextHotel] = [await openWorld(host), await openWorld(host), await openWorld(host)]
  const names = { firstName: 'Some', lastName: 'Body' }
  const into = (workspaceId: string, { email }: TestPerson) =>
    asUser(closedHotel.root).members.createMember({ ...names, workspaceId, email })
  const people: TestPerson[] = []
  for (let i = 0; i < 4; i++) people.push(await addPerson(host, closedHotel, 'viewer'))
  const [removedMember, sharedMember, movedMember, keptMember] = people as [
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
  ]
  // A second workspace is deleted: one member is only in that, another in both.
  const root = as({ userId: closedHotel.root })
  const { workspace } = await root.createWorkspace({ name: 'Beach', ecosystemId: closedHotel.hotelId })
  const second = workspace?.id ?? ''
  for (const one of [movedMember, keptMember]) await into(second, one)
  await comeInto(host, otherHotel, sharedMember)
  const remove = (workspaceId: string, { memberId }: TestPerson) =>
    asUser(closedHotel.root).memberships.removeWorkspaceMember({ workspaceId, memberId })
  await remove(closedHotel.workspaceId, movedMember)
  const members = asService.hotelMembers
  // Suspended hotels, because the platform changes nothing in deleted ones.
  for (const { hotelId } of [otherHotel, closedHotel]) await members.deactivateHotelMembers({ hotelId })
  const active = async () => {
    const ids = people.map(({ memberId }) => memberId)
    const [rows] = await sql.query<RowDataPacket[]>('select id, is_active from members where id in (?)', [ids])
    return ids.map(id => rows.find(row => row['id'] === id)?.['is_active'] === 1)
  }
  assert.equal(await active(), [false, false, false, false])
  for (const one of [removedMember, sharedMember]) await remove(closedHotel.workspaceId, one)
  await root.deleteWorkspace({ id: second })
  assert.equal(await active(), [true, false, true, false])
  // Their accounts are enabled, and the log records the reactivation.
  const [eventRows] = await sql.query<RowDataPacket[]>(
    "select json_value(body, '$.payload.id') as id from outbox where subject = 'platform.member.rest_ended'",
  )
  const [entryRows] = await sql.query<RowDataPacket[]>(
    "select member_id as id from audit_entries where action = 'member.reactivated' and member_id in (?)",
    [people.map(({ memberId }) => memberId)],
  )
  const awake = [removedMember, movedMember].map(({ memberId }) => memberId).toSorted()
  for (const rows of [eventRows, entryRows]) {
    const ids = rows.map(row => String(row['id']))
    assert.equal(ids.filter(id => people.some(one => one.memberId === id)).toSorted(), awake)
  }
  // The hotel that lost them reactivates none of them; the one with which one of them now rests does.
  const reactivate = async ({ hotelId }: typeof closedHotel) =>
    (await members.reactivateHotelMembers({ hotelId })).memberIds
  assert.equal(
    (await reactivate(closedHotel)).toSorted(),
    [closedHotel.admin, keptMember].map(one => one.memberId).toSorted(),
  )
  assert.equal(
    (await reactivate(otherHotel)).toSorted(),
    [otherHotel.admin, sharedMember].map(one => one.memberId).toSorted(),
  )
  for (const one of people) await comeInto(host, nextHotel, one)
  assert.equal(await active(), [true, true, true, true])
})

test('closed and inactive workspaces appear only when left, and the hotel of a profile is an open one', async () => {
  const [closedHotel, nextHotel] = [await openWorld(host), await openWorld(host)]
  const { email, memberId } = closedHotel.admin
  await comeInto(host, nextHotel, closedHotel.admin)
  const loadVisibility = async () => {
    const ownWorkspaces = (await as(closedHotel.admin).listMyWorkspaces({})).data
    const { member } = await asUser(closedHotel.admin).members.getMember({ id: memberId })
    const { profile } = await asService.profiles.getProfileByEmail({ email })
    const rights = [closedHotel, nextHotel].map(({ workspaceId }) => [
      ownWorkspaces.find(one => one.id === workspaceId)?.isActive,
      ownWorkspaces.find(one => one.id === workspaceId)?.permissions.length,
      member?.workspaces.find(one => one.workspaceId === workspaceId)?.permissions.length,
    ])
    return [...rights, profile?.hotelId]
  }
  assert.equal(await loadVisibility(), [[true, 19, 19], [true, 1, 1], closedHotel.hotelId])
  await as(nextHotel.admin).updateWorkspace(setActive(nextHotel.workspaceId, false))
  await as(closedHotel.admin).updateWorkspace(setActive(closedHotel.workspaceId, false))
  assert.equal(await loadVisibility(), [[false, 6, 6], [false, 0, 0], closedHotel.hotelId])
  await as(nextHotel.admin).updateWorkspace(setActive(nextHotel.workspaceId, true))
  await asService.hotelMembers.deactivateHotelMembers({ hotelId: closedHotel.hotelId, isDeleted: true })
  assert.equal(await loadVisibility(), [[undefined, undefined, undefined], [true, 1, 1], nextHotel.hotelId])
})

test('people of a deleted hotel are deactivated and reactivated page by page, each once, also after a restart or a late page', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const { hotelId } = world
  const sharedMember = await addPerson(host, world, 'viewer')
  await comeInto(host, other, sharedMember)
  const lone = [world.admin.memberId]
  for (let i = 0; i < 4; i++) lone.push((await addPerson(host, world, 'viewer')).memberId)
  lone.sort()
  const all = [...lone, sharedMember.memberId].toSorted()
  const selectValues = async (statement: string, ...values: unknown[]) => {
    const [rows] = await sql.query<RowDataPacket[]>(statement, values)
    return rows.map(row => String(row['found'])).toSorted()
  }
  const active = () => selectValues('select id as found from members where is_active = 1 and id in (?)', all)
  const selectClosedFlags = () =>
    selectValues('select closed_at is not null as found from workspaces where ecosystem_id = ?', hotelId)
  const recorded = (action: string) =>
    selectValues('select member_id as found from audit_entries where action = ? and member_id in (?)', action, all)
  const selectEvents = () =>
    selectValues(
      "select id as found from outbox where subject = 'platform.member.access_changed' and json_value(body, '$.payload.id') = ?",
      hotelId,
    )
  const members = asService.hotelMembers
  const part = { hotelId, limit: 2 }
  const ways = [
    { go: members.deactivateHotelMembers, back: members.reactivateHotelMembers, verb: 'deactivated', isClosed: '1' },
    { go: members.reactivateHotelMembers, back: members.deactivateHotelMembers, verb: 'reactivated', isClosed: '0' },
  ]
  for (const [index, { go, back, verb, isClosed }] of ways.entries()) {
    // One call processes one page.
    const { memberIds, next } = await go(part)
    assert.ok(next && memberIds.length > 0 && memberIds.length <= 2)
    assert.equal(await selectClosedFlags(), [isClosed])
    const lateAnswer = await back({ ...part, after: newId(1) })
    assert.equal([lateAnswer.memberIds, lateAnswer.next], [[], undefined])
    const rest: string[] = []
    await forEachPage(async after => {
      const page = await go({ ...part, after })
      rest.push(...page.memberIds)
      return page
    })
    assert.equal([...memberIds, ...rest].toSorted(), lone)
    assert.equal(await active(), isClosed === '1' ? [sharedMember.memberId] : all)
    assert.equal(await recorded(`member.${verb}`), lone)
    assert.is((await selectEvents()).length, index + 1)
  }
})

test('a workspace in an unknown ecosystem is refused', async () => {
  const { root, admin } = await openWorld(host)
  const [before] = await sql.query<RowDataPacket[]>('select count(*) as n from workspaces')
  const { info } = await refusal(as({ userId: root }).createWorkspace({ name: 'Nowhere', ecosystemId: newId() }))
  assert.equal([info.status, info.violations[0]?.path], [400, 'ecosystemId'])
  const creation = as(admin).createWorkspace({ name: 'Nowhere', ecosystemId: newId() })
  assert.is(await refusalText(creation), '403 Ecosystem access denied')
  const [after] = await sql.query<RowDataPacket[]>('select count(*) as n from workspaces')
  assert.equal(after, before)
})

test('members leave a workspace by themselves', async () => {
  const world = await openWorld(host)
  const { workspaceId: id } = world
  const leave = ({ userId }: TestPerson) => asUser(userId).memberships.leaveWorkspace({ id })
  const clerk = await addPerson(host, world, 'manager')
  assert.is((await leave(clerk)).id, id)
  await eventually(async () => (await refusalText(leave(clerk))) === '403 Workspace access denied')
  const [rows] = await sql.query<RowDataPacket[]>(
    "select body from outbox where subject like '%member_left' and body like ?",
    [`%${clerk.memberId}%`],
  )
  assert.is(rows.length, 1)
  assert.is(await refusalText(asUser(world.root).memberships.leaveWorkspace({ id })), '404 Member not found')
})

test.run()
