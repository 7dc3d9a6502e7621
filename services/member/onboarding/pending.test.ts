import type { RowDataPacket } from 'mysql2/promise'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { acceptFor, cellsOf, type HotelWorld, openWorld, someAddress } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'
import { service as news } from '../../news/service.ts'
import { service as notification } from '../../notification/service.ts'

const test = suite('person invited by a second hotel')
let home: HotelWorld
let asking: HotelWorld
const { host, sql, asUser, asService } = await memberForTest(test, {}, [news, notification])
test.before.each(async () => {
  home = await openWorld(host)
  asking = await openWorld(host)
})

const members = ({ userId }: { userId: string }) => asUser(userId).members
const typed = { firstName: 'Typed', lastName: 'Name', workspaceRole: 'viewer' }

/** A member of one hotel, without an account, whom the other hotel has invited. */
async function addInvitedMember(): Promise<{ memberId: string; email: string }> {
  const email = someAddress()
  const { member } = await members(home.admin).createMember({
    ...{ firstName: 'Nia', lastName: 'Verity', workspaceRole: 'viewer' },
    ...{ email, workspaceId: home.workspaceId },
  })
  const { workspaceId } = asking
  await members(asking.admin).createMember({ ...typed, email: email.toUpperCase(), workspaceId })
  return { memberId: member?.id ?? '', email }
}

const withAccount = (email: string, userId = newId()) =>
  asService.profiles.linkUser({ userId, email }).then(() => userId)

const readdress = (by: { userId: string }, id: string, email: string) =>
  members(by).updateMember({ id, email, updateMask: { paths: ['email'] } })

/** Every address of a person that the inviting hotel sees, by route. */
async function shownTo({ admin, workspaceId }: HotelWorld, id: string): Promise<Record<string, unknown>> {
  const { member: one } = await members(admin).getMember({ id })
  const { data: list } = await members(admin).listMembers({ workspaceId, search: 'typed' })
  const { data: workspaceMembers } = await asUser(admin).memberships.listWorkspaceMembers({ id: workspaceId })
  const teams = asUser(admin).teams
  const { team } = await teams.createTeam({ workspaceId, name: 'Desk', leaderId: id })
  const { data: inTeam } = await teams.listTeamMembers({ id: team?.id ?? '' })
  const { results } = await asUser(admin).bulk.bulkUpdateRoles({
    workspaceId,
    members: [{ memberId: id, workspaceRole: 'viewer' }],
  })
  let file = ''
  for await (const { chunk } of asUser(admin).exports.exportMembers({ workspaceId, format: 'csv' }))
    file += Buffer.from(chunk?.data ?? []).toString()
  const { member: exportedMember } = await asUser(admin).exports.exportMemberData({ id })
  return {
    one: one?.email,
    list: list[0]?.email,
    there: workspaceMembers.find(row => row.memberId === id)?.email,
    team: inTeam[0]?.email,
    bulk: results[0]?.email,
    file: cellsOf(file)
      .find(row => row.includes('Typed'))
      ?.find(cell => cell.includes('@')),
    own: exportedMember?.email,
  }
}

test('is shown at the typed address, whatever it is now, until they accept', async () => {
  const person = await addInvitedMember()
  const newAddress = someAddress()
  await readdress(home.admin, person.memberId, newAddress)
  const shownAddresses = await shownTo(asking, person.memberId)
  assert.equal(shownAddresses, Object.fromEntries(Object.keys(shownAddresses).map(way => [way, person.email])))
  const countMatches = async (search: string) =>
    (await members(asking.admin).listMembers({ workspaceId: asking.workspaceId, search })).data.length
  assert.equal([await countMatches(person.email), await countMatches(newAddress)], [1, 0])
  // Once they accept an invitation to their present address, their own values are shown.
  const { invitation } = await asUser(asking.admin).onboarding.invite({
    email: newAddress,
    workspaceId: asking.workspaceId,
    workspaceRole: 'viewer',
  })
  await acceptFor(host, invitation?.token, { email: newAddress, userId: await withAccount(newAddress) })
  const { member: now } = await members(asking.admin).getMember({ id: person.memberId })
  assert.equal([now?.email, now?.firstName], [newAddress, 'Nia'])
})

const entries = async ({ admin, workspaceId }: HotelWorld) =>
  (await asUser(admin).audit.listAuditEntries({ workspaceId, limit: 100 })).data

test('when another hotel changes their address, the invitation ends without naming anyone of that hotel', async () => {
  const person = await addInvitedMember()
  const before = (await entries(asking)).length
  await readdress(home.admin, person.memberId, someAddress())
  const newEntries = (await entries(asking)).slice(0, -before)
  assert.equal(
    newEntries.map(one => [one.action, one.actor?.type, one.actor?.id]),
    [['invitation.cancelled', 'system', 'system']],
  )
  const { data } = await asUser(asking.admin).onboarding.listInvitations({})
  assert.equal(
    data.filter(one => one.email.toLowerCase() === person.email).map(one => one.status),
    ['cancelled'],
  )
})

test('when removed, no invitation to their present address remains', async () => {
  const { memberId } = await addInvitedMember()
  const newAddress = someAddress()
  await readdress(home.admin, memberId, newAddress)
  const { workspaceId, admin } = asking
  await asUser(admin).onboarding.invite({ email: newAddress, workspaceId, workspaceRole: 'viewer' })
  await asUser(admin).memberships.removeWorkspaceMember({ workspaceId, memberId })
  const { data } = await asUser(admin).onboarding.listInvitations({ search: newAddress })
  assert.equal(
    data.map(one => one.status),
    ['cancelled'],
  )
})

test('when they change their own address, the invitation ends too', async () => {
  const person = await addInvitedMember()
  const before = (await entries(asking)).length
  const userId = await withAccount(person.email)
  await asService.profiles.updateUserProfile({ userId, email: someAddress(), updateMask: { paths: ['email'] } })
  const newEntries = (await entries(asking)).slice(0, -before)
  assert.equal(
    newEntries.map(one => [one.action, one.actor?.type]),
    [['invitation.cancelled', 'system']],
  )
  assert.is((await shownTo(asking, person.memberId))['one'], person.email)
})

for (const way of ['deleteMember', 'eraseMember'] as const)
  test(`${way} by another hotel is announced to the inviting one without naming anyone of that hotel`, async () => {
    const person = await addInvitedMember()
    const before = (await entries(asking)).length
    await members(home.admin)[way]({ id: person.memberId })
    const newEntries = (await entries(asking)).slice(0, -before)
    assert.equal(newEntries.map(one => one.action).toSorted(), ['invitation.cancelled', 'membership.removed'])
    assert.equal(
      newEntries.map(one => [one.actor?.type, one.actor?.id]),
      newEntries.map(() => ['system', 'system']),
    )
    const [events] = await sql.query<RowDataPacket[]>(
      "select body from outbox where subject = 'platform.notification.workspace.member_left' and body like ?",
      [`%${asking.workspaceId}%`],
    )
    assert.is(events.length, 1)
    assert.not.match(String(events[0]?.['body']), home.admin.memberId)
  })

test('when deleted by their own hotel, they are also erased by it, with what the other one typed', async () => {
  const { memberId, email } = await addInvitedMember()
  await members(home.admin).deleteMember({ id: memberId })
  await members(home.admin).eraseMember({ id: memberId })
  const [rows] = await sql.query<RowDataPacket[]>(
    'select sort_first, typed_email, convert(search_text using utf8mb4) as text from workspace_members where member_id = ?',
    [memberId],
  )
  assert.is(rows.length, 2)
  for (const { sort_first, typed_email, text } of rows) {
    assert.equal([sort_first, typed_email], ['Former', null])
    assert.not.match(String(text), email)
  }
  assert.not.ok((await entries(asking)).some(one => one.actor?.id === home.admin.memberId))
})

test('is counted wherever the lists show them, and what they do elsewhere is not', async () => {
  const figures = async () => {
    const {
      members: people,
      activity,
      teams,
    } = await asUser(asking.admin).analytics.getWorkspaceAnalytics({ id: asking.workspaceId })
    const { total, active, pending, byRole } = people ?? {}
    const { data, meta } = await members(asking.admin).listMembers({ workspaceId: asking.workspaceId })
    assert.equal([total, byRole?.['viewer'] ?? 0], [meta?.total, data.length - 1])
    const { newMembersThisMonth: joined, activeToday: today } = activity ?? {}
    return { total, active, pending, joined, today, size: teams?.averageSize }
  }
  await asUser(asking.admin).teams.createTeam({ workspaceId: asking.workspaceId, name: 'Bar' })
  // The calls of the administrator are recorded a moment later.
  const activityInsert = 'insert ignore into member_activity (member_id, seen_at) values (?, now(3))'
  await sql.query(activityInsert, [asking.admin.memberId])
  const before = await figures()
  const person = await addInvitedMember()
  // They are active in their own hotel and have a pending team membership here.
  await sql.query(activityInsert, [person.memberId])
  const [[team]] = await sql.query<RowDataPacket[]>('select id from teams where workspace_id = ?', [asking.workspaceId])
  await asUser(asking.admin).teams.addTeamMember({
    id: String(team?.['id']),
    memberId: person.memberId,
    role: 'member',
  })
  assert.equal(before, { total: 1, active: 1, pending: 0, joined: 1, today: 1, size: 0 })
  assert.equal(await figures(), { total: 2, active: 1, pending: 1, joined: 2, today: 1, size: 1 })
})

test('a person who has not accepted is notified of no change of their membership', async () => {
  const { memberId } = await addInvitedMember()
  const { workspaceId, admin } = asking
  const eventTypes: string[] = []
  const stop = host.bus.tail('platform.>', ({ body }) => {
    const { type, metadata } = Object(body)
    // Sockets and caches follow it; it notifies nobody.
    if (metadata?.receiverIds?.includes(memberId) && type !== 'member.access_changed') eventTypes.push(type)
  })
  const places = asUser(admin).memberships
  for (const workspaceRole of ['member', 'viewer'])
    await places.updateWorkspaceMember({
      workspaceId,
      memberId,
      workspaceRole,
      updateMask: { paths: ['workspace_role'] },
    })
  for (const dashboardAccess of [true, false])
    await members(admin).updateMember({ id: memberId, dashboardAccess, updateMask: { paths: ['dashboard_access'] } })
  // Events are published in order: once this one is here, all earlier ones are.
  await members(home.admin).updateMember({
    id: memberId,
    dashboardAccess: true,
    updateMask: { paths: ['dashboard_access'] },
  })
  await eventually(() => eventTypes.length > 0)
  assert.equal(eventTypes, ['member.updated'])
  stop()
})

test.run()
