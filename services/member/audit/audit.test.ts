import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { RowDataPacket } from 'mysql2/promise'
import { type ListAuditEntriesRequest } from '../../../gen/platform/member/v1/audit_pb.ts'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { acceptFor, addPerson, type HotelWorld, openWorld, someAddress } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { readWhileChanging } from '../../../test/kit/writes/cursors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { type MemberTables, tenantTables } from '../tables.ts'
import { auditRetention } from './retention.ts'

const test = suite('audit')
const { host, sql, asUser, asService } = await memberForTest(test)

type Filter = Partial<Omit<ListAuditEntriesRequest, '$typeName' | '$unknown'>>
const list = ({ workspaceId, admin }: HotelWorld, filter: Filter = {}) =>
  asUser(admin).audit.listAuditEntries({ workspaceId, limit: 100, ...filter })
/** Entries since an earlier query, by id: the database's clock differs from the test's. */
const since = <T extends { id: string }>(data: T[], before: { id: string }[]): T[] =>
  data.filter(one => before.every(({ id }) => id !== one.id))
const actions = async (world: HotelWorld, filter: Filter = {}) =>
  (await list(world, filter)).data.map(one => one.action)

const rows = async (text: string, values: unknown[] = []) => (await sql.query<RowDataPacket[]>(text, values))[0]

test('a membership change records its author and the values before and after', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const clerk = await addPerson(host, world, 'viewer')
  const before = await list(world, { memberId: clerk.memberId })
  const client = asUser(admin).memberships
  const target = { workspaceId, memberId: clerk.memberId }
  const change = { workspaceRole: 'member', permissions: ['view_reports'] }
  await client.updateWorkspaceMember({ ...target, ...change, updateMask: { paths: ['workspace_role', 'permissions'] } })
  await client.suspendWorkspaceMember(target)
  await client.suspendWorkspaceMember(target)
  await client.reactivateWorkspaceMember(target)
  await client.removeWorkspaceMember(target)
  await client.addWorkspaceMember({ id: workspaceId, memberId: clerk.memberId, workspaceRole: 'manager' })
  const { data: all, meta } = await list(world, { memberId: clerk.memberId })
  const data = since(all, before.data)
  assert.equal(
    data.map(one => one.action),
    [
      'membership.added',
      'membership.removed',
      'invitation.cancelled',
      'membership.reactivated',
      'membership.suspended',
      'membership.updated',
    ],
  )
  assert.is(meta?.total, Number(before.meta?.total) + 6)
  const updateEntry = data.at(-1)
  assert.equal(
    [updateEntry?.before, updateEntry?.after],
    [
      { workspaceRole: 'viewer', permissionSlugs: [] },
      { workspaceRole: 'member', permissionSlugs: ['view_reports'] },
    ],
  )
  assert.equal(
    [updateEntry?.entity, updateEntry?.entityId, updateEntry?.workspaceId],
    ['membership', clerk.memberId, workspaceId],
  )
  assert.equal(
    data.map(one => [one.actor?.id, one.actor?.name, one.actor?.type]),
    data.map(() => [admin.memberId, 'Ada Chef', 'member']),
  )
  const [additionEntry, removalEntry] = data
  assert.equal([additionEntry?.before, removalEntry?.after], [undefined, undefined])
  assert.is(additionEntry?.after?.['workspaceRole'], 'manager')
  assert.is(removalEntry?.before?.['workspaceRole'], 'member')
})

test('changes of roles and permissions are recorded, refused and empty ones are not', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const client = asUser(admin).roles
  const { role } = await client.createRole({ workspaceId, name: 'Porter', permissions: ['view_members'] })
  const id = role?.id ?? ''
  await client.addRolePermission({ id, permissionSlug: 'view_reports' })
  await client.addRolePermission({ id, permissionSlug: 'view_reports' })
  await client.removeRolePermission({ id, permissionSlug: 'view_members' })
  await client.updateRole({ id, name: 'Bell', isDefault: true, updateMask: { paths: ['name', 'is_default'] } })
  assert.is((await refusal(client.updateRole({ id, slug: 'admin', updateMask: { paths: ['slug'] } }))).info.status, 409)
  await client.deleteRole({ id })
  const { data } = await list(world, { entity: 'role' })
  assert.equal(
    data.map(({ action, before, after }) => [action, before?.['permissions'], after?.['permissions']]),
    [
      ['role.deleted', ['view_reports'], undefined],
      ['role.updated', undefined, undefined],
      ['role.updated', ['view_members', 'view_reports'], ['view_reports']],
      ['role.updated', ['view_members'], ['view_members', 'view_reports']],
      ['role.created', undefined, ['view_members']],
    ],
  )
  assert.equal(data[1]?.after, { name: 'Bell', isDefault: true })
  const slug = `do_${newId().slice(0, 6).replace(/\d/g, 'x')}`
  await asUser(world.root).permissions.createPermission({
    slug,
    name: 'Do',
    category: 'content',
    resource: 'page',
    action: 'manage',
  })
  const [creationEntry] = await rows("select * from audit_entries where action = 'permission.created'")
  assert.equal([creationEntry?.['workspace_id'], creationEntry?.['actor_type']], [null, 'member'])
  const paths = { name: 'Le Port', updateMask: { paths: ['name'] } }
  await asUser(admin).workspaces.updateWorkspace({ id: workspaceId, ...paths })
  const [renamed] = (await list(world, { action: 'workspace.updated' })).data
  assert.equal([renamed?.before, renamed?.after], [{ name: 'Le Phare' }, { name: 'Le Port' }])
})

test('invitations are recorded when created, cancelled and accepted, without token or link', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const client = asUser(admin).onboarding
  const email = someAddress()
  const { invitation } = await client.invite({ workspaceId, email, workspaceRole: 'member' })
  await client.cancelInvitation({ id: invitation?.id ?? '' })
  const second = (await client.invite({ workspaceId, email, workspaceRole: 'viewer' })).invitation
  await acceptFor(host, second?.token, { email, userId: newId() })
  const { data } = await list(world, { entity: 'invitation' })
  const invitationEntries = data.filter(one => [invitation?.id, second?.id].includes(one.entityId))
  assert.equal(
    invitationEntries.map(one => one.action),
    ['invitation.accepted', 'invitation.opened', 'invitation.cancelled', 'invitation.opened'],
  )
  assert.equal(invitationEntries[1]?.after, { email, workspaceRole: 'viewer', permissions: [] })
  assert.is(invitationEntries[0]?.memberId, invitationEntries[0]?.actor?.id)
  const joined = await actions(world, { memberId: invitationEntries[0]?.memberId ?? '' })
  assert.equal(joined, ['invitation.accepted', 'member.created', 'membership.added'])
  const secrets = [invitation?.token, second?.token].map(token => `%${token}%`)
  const leakingEntries = await rows(
    'select id from audit_entries where new_values like ? or new_values like ?',
    secrets,
  )
  assert.is(leakingEntries.length, 0)
})

test('a member is recorded from creation to erasure, which removes the person from the record', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const clerk = await addPerson(host, world, 'viewer', { firstName: 'Zelda', lastName: 'Quint' })
  const client = asUser(admin).members
  const phone = { phone: '+33612345678', updateMask: { paths: ['phone'] } }
  await asUser(clerk).members.updateMember({ id: clerk.memberId, ...phone })
  await client.updateMember({ id: clerk.memberId, lastName: 'Quinn', updateMask: { paths: ['last_name'] } })
  const [renamed, called] = (await list(world, { memberId: clerk.memberId, entity: 'member' })).data
  assert.equal([renamed?.before, renamed?.after], [{ lastName: 'Quint' }, { lastName: 'Quinn' }])
  assert.equal([called?.actor?.id, called?.after], [clerk.memberId, { phone: '+33612345678' }])
  await client.eraseMember({ id: clerk.memberId })
  const { data } = await list(world, { memberId: clerk.memberId })
  assert.equal(
    data.map(one => one.action),
    [
      'member.erased',
      'membership.removed',
      'invitation.cancelled',
      'member.updated',
      'member.updated',
      'membership.added',
      'member.created',
    ],
  )
  const remainingText = JSON.stringify(await rows('select * from audit_entries where workspace_id = ?', [workspaceId]))
  for (const trace of ['Zelda', 'Quin', '+336', clerk.email]) assert.not.ok(remainingText.includes(trace), trace)
  const other = await addPerson(host, world, 'viewer')
  await client.deleteMember({ id: other.memberId })
  assert.is((await actions(world, { memberId: other.memberId }))[0], 'member.deleted')
})

test('changes without a caller are made by the system; for a hotel that never opened the record remains, without people', async () => {
  const hotelId = newId()
  const hotels = asService.hotelWorkspaces
  const { workspace } = await hotels.createHotelWorkspace({ hotelId, name: 'Short' })
  const email = someAddress()
  const person = { hotelId, email, firstName: 'A', lastName: 'B', isAdmin: true }
  const { member } = await asService.hotelMembers.addHotelMember(person)
  await asService.hotelMembers.addHotelMember(person)
  const workspaceId = workspace?.id ?? ''
  const find = () => rows('select * from audit_entries where workspace_id = ? order by position', [workspaceId])
  assert.equal(
    (await find()).map(row => [row['action'], row['actor_type'], row['member_id']]),
    [
      ['member.created', 'system', member?.id],
      ['membership.awaited', 'system', member?.id],
    ],
  )
  await asService.hotelMembers.removeHotelMember({ hotelId, email })
  assert.is((await find()).at(-1)?.['action'], 'membership.removed')
  await hotels.removeHotelWorkspace({ hotelId })
  const remainingEntries = await find()
  assert.is(remainingEntries.length, 3)
  assert.not.ok(JSON.stringify(remainingEntries).includes(email))
})

test('a list contains one workspace, newest first, in pages, by actor, kind, action and time', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  await addPerson(host, other, 'viewer')
  for (let i = 0; i < 3; i += 1) await addPerson(host, world, 'viewer')
  const { data, meta } = await list(world)
  assert.ok(data.every(one => one.workspaceId === world.workspaceId))
  const times = data.map(one => (one.createdAt ? timestampDate(one.createdAt).getTime() : 0))
  assert.equal(
    times,
    times.toSorted((a, b) => b - a),
  )
  const second = await list(world, { page: 2, limit: 2 })
  assert.equal(
    second.data.map(one => one.id),
    data.slice(2, 4).map(one => one.id),
  )
  assert.equal([second.meta?.total, second.meta?.totalPages], [meta?.total, Math.ceil((meta?.total ?? 0) / 2)])
  assert.equal(await actions(world, { actorId: newId() }), [])
  assert.equal(new Set(await actions(world, { action: 'membership.added' })), new Set(['membership.added']))
  const [newest = 0] = times
  const after = timestampFromDate(new Date(newest + 1))
  assert.equal(await actions(world, { from: after }), [])
  assert.is((await actions(world, { until: after })).length, data.length)
  const from = timestampFromDate(new Date(newest))
  assert.is((await actions(world, { from })).length, times.filter(time => time === newest).length)
})

test('a long log keeps its number of entries, and counts those that came later', async () => {
  const world = await openWorld(host)
  const { workspaceId } = world
  const add = (count: number, hoursAgo: number) =>
    rows(
      `insert into audit_entries (id, workspace_id, actor_id, actor_name, actor_type, action, entity, entity_id, created_at)
      select lpad(hex(n), 24, 'a'), ?, repeat('c', 24), 'X', 'system', 'member.created', 'member', lpad(n, 24, 'b'),
        now(3) - interval ? hour
      from (with recursive s (n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s) t`,
      [workspaceId, hoursAgo],
    )
  const total = async () => (await list(world, { limit: 1 })).meta?.total
  const loadTotals = () => rows('select total from audit_totals where workspace_id = ?', [workspaceId])
  const few = (await total()) ?? 0
  await add(900, 3)
  assert.equal([await total(), await loadTotals()], [few + 900, []])
  await add(200, 2)
  assert.is(await total(), few + 1_100)
  assert.equal(
    (await loadTotals()).map(row => Number(row['total'])),
    [1_100],
    'the entries of the last hour may not all be committed',
  )
  await add(5, 0)
  assert.is(await total(), few + 1_105)
  assert.is((await list(world, { entity: 'member', actorId: 'c'.repeat(24) })).meta?.total, 1_105)
  const db = openDatabase<MemberTables>(host.databaseUrl('member'), { tables: tenantTables })
  await auditRetention(db, 1).deleteBefore(new Date(Date.now() - 2.5 * 3_600_000))
  await closeDatabase(db)
  assert.is(await total(), few + 205, 'older ones are deleted, and the number follows')
})

test('a thousand entries are read by cursors while others are added and expire: none twice, none missed', async () => {
  const world = await openWorld(host)
  const insert = async (count: number) => {
    const ids = Array.from({ length: count }, () => newId())
    const columns = 'id, workspace_id, actor_id, actor_name, actor_type, action, entity, entity_id'
    const entry = [world.workspaceId, 'system', 'system', 'system', 'team.created', 'team', newId()]
    await rows(`insert into audit_entries (${columns}) values ?`, [ids.map(id => [id, ...entry])])
    return ids
  }
  await readWhileChanging({
    ids: await insert(1_000),
    async load(cursor) {
      const { data, meta } = await list(world, { cursor, entity: 'team' })
      return { ids: data.map(({ id }) => id), nextCursor: meta?.nextCursor }
    },
    insert: () => insert(3),
    remove: ids => rows('delete from audit_entries where id in (?)', [ids]),
  })
  const cursor = Buffer.from(JSON.stringify(['audit', 1, null, null])).toString('base64url')
  assert.is((await refusal(list(world, { cursor }))).info.status, 400)
})

test.run()
