import { readdir, readFile } from 'node:fs/promises'
import type { RowDataPacket } from 'mysql2/promise'
import { type ListAuditEntriesRequest } from '../../../gen/platform/member/v1/audit_pb.ts'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, type HotelWorld, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'

const test = suite('audit of groups, settings and the platform')
const { host, sql, asUser, asService } = await memberForTest(test)

type Filter = Partial<Omit<ListAuditEntriesRequest, '$typeName' | '$unknown'>>
/** The audit log as [action, member, before, after], oldest first. */
async function entries({ workspaceId, admin }: HotelWorld, filter: Filter) {
  const { data } = await asUser(admin).audit.listAuditEntries({ workspaceId, limit: 100, ...filter })
  return data.toReversed().map(one => [one.action, one.memberId, one.before, one.after])
}

test('a team and its members are recorded from creation to deletion, and calls without a change are not', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const clerk = await addPerson(host, world, 'viewer')
  const client = asUser(admin).teams
  const id = (await client.createTeam({ workspaceId, name: 'Desk', leaderId: admin.memberId })).team?.id ?? ''
  const place = { id, memberId: clerk.memberId }
  await client.addTeamMember(place)
  await client.addTeamMember(place)
  await client.addTeamMember({ ...place, role: 'leader' })
  await client.updateTeam({ id, name: 'Front', updateMask: { paths: ['name'] } })
  await client.updateTeam({ id, name: 'Front', updateMask: { paths: ['name'] } })
  await client.removeTeamMember(place)
  await client.removeTeamMember(place)
  await client.deleteTeam({ id })
  const { memberId } = clerk
  const createdTeam = {
    name: 'Desk',
    description: null,
    color: null,
    icon: null,
    leaderId: admin.memberId,
    isActive: true,
  }
  const deletedTeam = { ...createdTeam, name: 'Front', leaderId: null }
  assert.equal(await entries(world, { entity: 'team' }), [
    ['team.created', undefined, undefined, createdTeam],
    ['team.member_added', memberId, undefined, { role: 'member' }],
    ['team.member_changed', memberId, { role: 'member' }, { role: 'leader' }],
    ['team.updated', undefined, { name: 'Desk' }, { name: 'Front' }],
    ['team.member_removed', memberId, { role: 'leader' }, undefined],
    ['team.deleted', undefined, deletedTeam, undefined],
  ])
  assert.is((await entries(world, { entity: 'team', memberId })).length, 3)
  assert.is((await entries(world, { entity: 'team', action: 'team.deleted' })).length, 1)
  assert.is((await entries(world, { entity: 'department' })).length, 0)
})

test('a department and its members are recorded, including moved children and managers', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const { memberId } = await addPerson(host, world, 'viewer')
  const client = asUser(admin).departments
  const make = async (name: string) => (await client.createDepartment({ workspaceId, name })).department?.id ?? ''
  const [top, id] = [await make('Rooms'), await make('Floors')]
  await client.updateDepartment({
    id,
    parentId: top,
    managerId: memberId,
    updateMask: { paths: ['parent_id', 'manager_id'] },
  })
  await client.addDepartmentMember({ id, memberId })
  await client.removeDepartmentMember({ id, memberId })
  await client.deleteDepartment({ id })
  const all = await entries(world, { entity: 'department' })
  assert.equal(
    all.map(([action]) => action),
    [
      'department.created',
      'department.created',
      'department.updated',
      'department.member_changed',
      'department.member_removed',
      'department.deleted',
    ],
  )
  assert.equal(all[2]?.slice(2), [
    { parentId: null, managerId: null },
    { parentId: top, managerId: memberId },
  ])
  assert.equal(all[3]?.slice(1), [memberId, { role: 'manager' }, { role: 'member' }])
})

test('settings are recorded with their author, in every workspace of the member, and refused changes are not', async () => {
  const world = await openWorld(host)
  const { admin } = world
  const { memberId, userId } = await addPerson(host, world, 'viewer')
  const ownSettings = asUser(userId).settings
  await ownSettings.updateMemberSettings({ id: memberId, language: 'en', updateMask: { paths: ['language'] } })
  const mobile = { id: memberId, mobileAccess: false, updateMask: { paths: ['mobile_access'] } }
  assert.is((await refusal(ownSettings.updateMemberSettings(mobile))).info.status, 403)
  await asUser(admin).settings.updateMemberSettings(mobile)
  assert.equal(await entries(world, { entity: 'settings' }), [
    ['settings.updated', memberId, { language: 'fr' }, { language: 'en' }],
    ['settings.updated', memberId, { mobileAccess: true }, { mobileAccess: false }],
  ])
  assert.is((await entries(world, { entity: 'settings', actorId: admin.memberId })).length, 1)
})

test('ecosystem rights, and members deactivated with their hotel, are recorded where the hotel can see it', async () => {
  const world = await openWorld(host)
  const { memberId } = await addPerson(host, world, 'viewer')
  const change = { memberId, ecosystemId: world.hotelId, permissions: ['access_live_chat'] }
  const mask = { updateMask: { paths: ['permissions'] } }
  await asUser(world.root).ecosystems.updateEcosystemMember({ ...change, ...mask })
  assert.equal(await entries(world, { entity: 'ecosystem' }), [
    ['ecosystem.updated', memberId, { permissions: [] }, { permissions: ['access_live_chat'] }],
  ])
  await asService.hotelMembers.deactivateHotelMembers({ hotelId: world.hotelId, isDeleted: true })
  await asService.hotelMembers.reactivateHotelMembers({ hotelId: world.hotelId })
  assert.equal(
    (await entries(world, { entity: 'member', memberId })).map(([action]) => action),
    ['member.created', 'member.deactivated', 'member.reactivated'],
  )
})

test('changes outside of workspaces are listed for platform administrators', async () => {
  const world = await openWorld(host)
  const slug = `custom_${world.workspaceId}`.slice(0, 40)
  const fields = { slug, name: 'Do', category: 'content', resource: 'page', action: 'manage' }
  await asUser(world.root).permissions.createPermission(fields)
  const { data, meta } = await asUser(world.root).audit.listPlatformAuditEntries({
    action: 'permission.created',
    limit: 100,
  })
  assert.ok(data.some(one => one.after?.['slug'] === slug))
  assert.is(meta?.total, data.length)
  assert.ok(data.every(one => one.workspaceId === undefined))
})

test('entries are only added: no statement except erasure changes them, and none but AUDIT_KEPT_DAYS deletes them', async () => {
  const folder = new URL('../', import.meta.url)
  const files = (await readdir(folder, { recursive: true })).filter(
    name => name.endsWith('.ts') && !name.includes('.test.'),
  )
  const textByFile = new Map<string, string>()
  for (const name of files) {
    const text = await readFile(new URL(name, folder), 'utf8')
    if (text.includes('audit_entries')) textByFile.set(name, text)
  }
  const writers = [...textByFile].filter(([, text]) =>
    /(updateTable|deleteFrom|replaceInto|insertInto)\(\s*'audit_entries'|(update|delete from|replace into|truncate)\s+audit_entries/i.test(
      text,
    ),
  )
  assert.equal(writers.map(([name]) => name).toSorted(), ['audit/retention.ts', 'audit/sql.ts'])
  assert.not.match(textByFile.get('audit/retention.ts') ?? '', /updateTable|insertInto|update audit/i)
  const text = textByFile.get('audit/sql.ts') ?? ''
  const [before, erasure = ''] = text.split('export async function eraseInAudit')
  assert.not.ok(/updateTable|deleteFrom/.test(before ?? ''))
  assert.not.ok(/deleteFrom/.test(erasure))
  // Triggers on the server prove it: with updates and deletions refused, everything works but erasure.
  const world = await openWorld(host)
  const { memberId } = await addPerson(host, world, 'viewer')
  for (const verb of ['update', 'delete'])
    await sql.query(
      `create trigger audit_no_${verb} before ${verb} on audit_entries for each row signal sqlstate '45000'`,
    )
  const client = asUser(world.admin).members
  await client.updateMember({ id: memberId, lastName: 'New', updateMask: { paths: ['last_name'] } })
  assert.is((await refusal(client.eraseMember({ id: memberId }))).info.status, 500)
  assert.ok((await client.getMember({ id: memberId })).member)
  for (const verb of ['update', 'delete']) await sql.query(`drop trigger audit_no_${verb}`)
  const count = async () => {
    const [rows] = await sql.query<RowDataPacket[]>('select count(*) as n from audit_entries')
    return Number(rows[0]?.['n'])
  }
  const total = await count()
  await client.eraseMember({ id: memberId })
  assert.ok((await count()) > total)
})

test.run()
