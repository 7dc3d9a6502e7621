import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import {
  addPerson,
  comeInto,
  type HotelWorld,
  openWorld,
  someAddress,
  type TestPerson,
} from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'

const test = suite('effects of bulk calls')
const { host, sql, asUser } = await memberForTest(test)

const bulk = (person: { userId: string }) => asUser(person).bulk
const row = (email = someAddress()) => ({ email, firstName: 'Ana', lastName: 'Roux' })

/** Rows that a workspace wrote, counted by kind. */
async function countRows({ workspaceId }: HotelWorld): Promise<Record<string, number>> {
  const count = async (from: string): Promise<number> =>
    Number(((await sql.query(`select count(*) as n from ${from}`, [workspaceId]))[0] as { n: number }[])[0]?.n)
  const event = (key: string) =>
    count(`outbox where subject = 'platform.${key}' and json_value(body, '$.workspaceId') = ?`)
  return {
    members: await count('workspace_members where left_at is null and workspace_id = ?'),
    counted: Number(
      (
        (await sql.query('select members_count as n from workspaces where id = ?', [workspaceId]))[0] as [{ n: number }]
      )[0].n,
    ),
    invitations: await count("onboardings where status = 'pending' and workspace_id = ?"),
    joined: await event('notification.workspace.member_joined'),
    invited: await event('notification.member.onboarding'),
    roles: await event('member.role_updated'),
    audit: await count('audit_entries where workspace_id = ?'),
    revisions: await count('workspace_members where revision > 0 and workspace_id = ?'),
  }
}

/** The difference between two counts. */
const difference = (after: Record<string, number>, before: Record<string, number>) =>
  Object.fromEntries(Object.entries(after).map(([name, n]) => [name, n - (before[name] ?? 0)]))

test('a thousand new members have every effect of a single one', async () => {
  const [one, many] = [await openWorld(host), await openWorld(host)]
  const beforeOne = await countRows(one)
  await asUser(one.admin).members.createMember({ ...row(), workspaceRole: 'viewer' })
  const single = difference(await countRows(one), beforeOne)
  const before = await countRows(many)
  const members = Array.from({ length: 1_000 }, () => ({ ...row(), workspaceRole: 'viewer' }))
  const { results, succeeded } = await bulk(many.admin).bulkAddMembers({ members })
  assert.is(succeeded, 1_000)
  assert.equal(
    results.map(({ index, email }) => [index, email]),
    members.map(({ email }, index) => [index, email]),
  )
  const bulkCounts = difference(await countRows(many), before)
  assert.equal(bulkCounts, Object.fromEntries(Object.entries(single).map(([name, n]) => [name, n * 1_000])))
  assert.equal([single['members'], single['joined'], single['invited'], single['audit']], [1, 1, 1, 3])
  const memberList = await asUser(many.admin).members.listMembers({ search: members[999]?.email ?? '' })
  assert.is(memberList.data[0]?.id, results[999]?.memberId)
})

test('people known elsewhere are invited and shown as typed, and people who left return as they are now', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const foreignMember = await addPerson(host, other, 'viewer', { firstName: 'Own', lastName: 'Name' })
  const returningMember = await addPerson(host, world, 'manager')
  const manage = asUser(world.admin).memberships
  const target = { workspaceId: world.workspaceId, memberId: returningMember.memberId }
  await manage.updateWorkspaceMember({
    ...target,
    permissions: ['view_reports'],
    updateMask: { paths: ['permissions'] },
  })
  await manage.removeWorkspaceMember(target)
  const rename = { id: returningMember.memberId, lastName: 'Martin', updateMask: { paths: ['last_name'] } }
  await asUser(world.root).members.updateMember(rename)
  const before = await countRows(world)
  const { results } = await bulk(world.admin).bulkAddMembers({
    members: [row(foreignMember.email), { ...row(returningMember.email), workspaceRole: 'viewer' }, row()],
  })
  assert.equal(results.map(one => one.memberId).slice(0, 2), [foreignMember.memberId, returningMember.memberId])
  const { members, counted, joined, invited } = difference(await countRows(world), before)
  assert.equal([members, counted, joined, invited], [3, 3, 2, 2])
  const { data } = await asUser(world.admin).members.listMembers({ search: foreignMember.email })
  assert.not.equal([data[0]?.firstName, data[0]?.lastName], ['Own', 'Name'])
  assert.is(data[0]?.workspaces[0]?.status, 'pending')
  await comeInto(host, world, foreignMember, 'member')
  const listAfterJoin = await asUser(world.admin).members.listMembers({ search: foreignMember.email })
  assert.equal([listAfterJoin.data[0]?.firstName, listAfterJoin.data[0]?.lastName], ['Own', 'Name'])
  const renamed = await asUser(world.admin).members.listMembers({ search: 'martin' })
  assert.is(renamed.data[0]?.id, returningMember.memberId)
  const detail = await asUser(world.admin).members.getMember({ id: returningMember.memberId })
  const membership = detail.member?.workspaces[0]
  assert.equal([membership?.workspaceRole, membership?.permissions.includes('view_reports')], ['viewer', false])
})

test('a hotel that adds somebody who left learns no address that they took since', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const bob = await addPerson(host, other, 'viewer')
  await comeInto(host, world, bob)
  const target = { id: world.workspaceId, workspaceId: world.workspaceId, memberId: bob.memberId }
  await asUser(world.admin).memberships.removeWorkspaceMember(target)
  const add = () => asUser(world.admin).memberships.addWorkspaceMember({ ...target, workspaceRole: 'viewer' })
  await sql.query('update members set email = ?, live_email = ? where id = ?', [
    ...Array(2).fill(someAddress()),
    bob.memberId,
  ])
  assert.is((await refusal(add())).info.status, 404)
  await sql.query('update members set email = ?, live_email = ? where id = ?', [bob.email, bob.email, bob.memberId])
  assert.is((await add()).membership?.status, 'pending')
})

test('the same people in two simultaneous calls become one member each, and each call reports which ones it created', async () => {
  const world = await openWorld(host)
  const members = Array.from({ length: 60 }, () => row())
  const reports = await Promise.all(
    [members, members.toReversed()].map(rows => bulk(world.admin).bulkAddMembers({ members: rows })),
  )
  assert.is(
    reports.reduce((sum, one) => sum + one.succeeded, 0),
    60,
  )
  assert.is(
    reports.reduce((sum, one) => sum + one.failed, 0),
    60,
  )
  const { members: present, counted, invitations } = await countRows(world)
  assert.equal([present, counted, invitations], [61, 61, 61])
})

test('roles are applied in the order of the rows, so that an administrator can leave once another one was added', async () => {
  const world = await openWorld(host)
  const next = await addPerson(host, world, 'member')
  const crowd = await Promise.all(Array.from({ length: 5 }, () => addPerson(host, world, 'member')))
  const change = ({ memberId }: TestPerson, workspaceRole: string) => ({ memberId, workspaceRole })
  const before = await countRows(world)
  const { results } = await bulk(world.admin).bulkUpdateRoles({
    members: [
      change(world.admin, 'viewer'),
      ...crowd.map(one => change(one, 'viewer')),
      change(next, 'admin'),
      change(world.admin, 'member'),
    ],
  })
  assert.equal(
    results.map(one => one.error),
    ['ConflictError', ...crowd.map(() => undefined), undefined, undefined],
  )
  const afterChange = await countRows(world)
  const { roles, audit } = difference(afterChange, before)
  assert.equal([roles, audit], [7, 7])
  const sameRoles = await bulk(next).bulkUpdateRoles({
    members: [change(next, 'admin'), change(world.admin, 'member')],
  })
  assert.equal([sameRoles.succeeded, await countRows(world)], [2, afterChange])
  const { data } = await asUser(next).members.listMembers({})
  const roleOf = ({ memberId }: TestPerson) => data.find(one => one.id === memberId)?.workspaces[0]
  assert.equal(
    [next, world.admin, ...crowd].map(one => [roleOf(one)?.workspaceRole, roleOf(one)?.isAdmin]),
    [['admin', true], ['member', false], ...crowd.map(() => ['viewer', false])],
  )
})

test('granted permissions are added to existing ones, and a call refused as a whole writes nothing', async () => {
  const world = await openWorld(host)
  const [one, two] = [await addPerson(host, world, 'viewer'), await addPerson(host, world, 'viewer')]
  const memberIds = [one.memberId, two.memberId]
  await bulk(world.admin).bulkAssignPermissions({ memberIds: [one.memberId], permissions: ['view_reports'] })
  await bulk(world.admin).bulkAssignPermissions({ memberIds, permissions: ['export_data', 'view_reports'] })
  const { data } = await asUser(world.admin).members.listMembers({ workspaceRole: 'viewer' })
  const slugs = new Map(data.map(person => [person.id, person.workspaces[0]?.permissionSlugs]))
  assert.equal(
    memberIds.map(id => slugs.get(id)?.toSorted()),
    [
      ['export_data', 'view_reports'],
      ['export_data', 'view_reports'],
    ],
  )
  const before = await countRows(world)
  const viewer = bulk(one)
  for (const call of [
    () => viewer.bulkAddMembers({ members: [row()] }),
    () => viewer.bulkUpdateRoles({ members: [{ memberId: two.memberId, workspaceRole: 'member' }] }),
    () => viewer.bulkAssignPermissions({ memberIds, permissions: ['view_reports'] }),
    () => bulk(world.admin).bulkAssignPermissions({ memberIds, permissions: ['view_members', 'fly'] }),
    () => bulk(world.admin).bulkAddMembers({ members: [] }),
    () => bulk(world.admin).bulkAddMembers({ members: Array.from({ length: 1_001 }, () => row()) }),
  ])
    assert.ok([400, 403].includes((await refusal(call())).info.status))
  assert.equal(await countRows(world), before)
})

test('a database failure during a call leaves nothing of it', async () => {
  const world = await openWorld(host)
  const before = await countRows(world)
  await sql.query('alter table onboardings add constraint no_more check (email <> ?)', ['no@hotel.example'])
  try {
    const members = [row(), row('no@hotel.example')]
    assert.is((await refusal(bulk(world.admin).bulkAddMembers({ members }))).info.status, 500)
  } finally {
    await sql.query('alter table onboardings drop constraint no_more')
  }
  assert.equal(await countRows(world), before)
})

test.run()
