import { sql as sqlText } from 'kysely'
import { assert, suite } from '../../../test/kit/kit.ts'
import { addPerson, comeInto, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import type { MemberTables } from '../tables.ts'
import { treeBelow } from './hierarchy.ts'
import { walkBelow } from './sql.ts'

const test = suite('hierarchy of a hotel')
const { host, sql, asUser } = await memberForTest(test)

type Below = { id: string; firstName: string; lastName: string; subordinates: Below[] }

/**
 * Adds members below others, who each get one or more.
 * @returns their ids
 */
async function addBelow(workspaceId: string, superiors: string[], count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  const rows = ids.map((id, index) => [
    id,
    `Ana ${index}`,
    `Number ${(index * 7919) % 1000}`,
    `${id}@hotel.example`,
    `${id}@hotel.example`,
    superiors[index % superiors.length],
  ])
  await sql.query('insert into members (id, first_name, last_name, email, live_email) values ?', [
    rows.map(row => row.slice(0, 5)),
  ])
  const memberships = rows.map(([id, first, last, , , superior]) => [workspaceId, id, '[]', first, last, superior])
  await sql.query(
    'insert into workspace_members (workspace_id, member_id, permission_slugs, sort_first, sort_last, superior_id) values ?',
    [memberships],
  )
  return ids
}

const countOf = (nodes: Below[]): number => nodes.reduce((sum, one) => sum + 1 + countOf(one.subordinates), 0)
const depthOf = (nodes: Below[]): number =>
  nodes.reduce((depth, one) => Math.max(depth, 1 + depthOf(one.subordinates)), 0)

test('five levels of a thousand members are one tree, without people of other hotels', async () => {
  const [world, otherHotel] = [await openWorld(host), await openWorld(host)]
  const { admin, workspaceId } = world
  let superiors = [admin.memberId]
  for (let level = 0; level < 5; level++) superiors = await addBelow(workspaceId, superiors, 1_000)
  await addBelow(otherHotel.workspaceId, [admin.memberId], 3)
  const [deletedId = '', departedId = ''] = await addBelow(workspaceId, [admin.memberId], 2)
  await asUser(admin).members.deleteMember({ id: deletedId })
  await sql.query('update workspace_members set left_at = now(3) where member_id = ?', [departedId])
  const ask = () => asUser(admin).members.getMemberHierarchy({ id: admin.memberId })
  const { subordinates } = await ask()
  assert.equal([subordinates.length, depthOf(subordinates), countOf(subordinates)], [1_000, 5, 5_000])
  assert.equal(
    subordinates.slice(0, 2).map(one => one.lastName),
    ['Number 0', 'Number 1'],
  )
  if (!process.env['SHOW_TIMES']) return
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    const began = performance.now()
    await ask()
    times.push(performance.now() - began)
  }
  const [least = 0] = times.toSorted((a, b) => a - b)
  console.log(`5,000 members below one: ${least.toFixed(1)} ms at best`)
})

const below = async (person: { userId: string; memberId: string }, id = person.memberId) =>
  namesOf((await asUser(person).members.getMemberHierarchy({ id })).subordinates)
const namesOf = (nodes: Below[]): unknown[] => nodes.map(one => [one.lastName, ...namesOf(one.subordinates)])

test('the tree follows every change of a superior and a name, and subordinates of a deleted member move up', async () => {
  const world = await openWorld(host)
  const { admin } = world
  const add = (lastName: string, superior: string) => addPerson(host, world, 'member', { lastName, superior })
  const members = asUser(admin).members
  const head = await add('Head', admin.memberId)
  const middle = await add('Middle', head.memberId)
  const low = await add('Low', middle.memberId)
  assert.equal(await below(admin), [['Head', ['Middle', ['Low']]]])
  const name = { id: low.memberId, lastName: 'Last', updateMask: { paths: ['last_name'] } }
  await members.updateMember(name)
  await members.updateMember({ id: low.memberId, superior: head.memberId, updateMask: { paths: ['superior'] } })
  assert.equal(await below(admin), [['Head', ['Last'], ['Middle']]])
  await members.deleteMember({ id: head.memberId })
  assert.equal(await below(admin), [['Last'], ['Middle']])
  await members.updateMember({ id: low.memberId, updateMask: { paths: ['superior'] } })
  assert.equal(await below(admin), [['Middle']])
})

test('a person in several visible workspaces appears once, and a suspended member stays', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const head = await addPerson(host, world, 'member', { lastName: 'Head', superior: world.admin.memberId })
  await addPerson(host, world, 'member', { lastName: 'Low', superior: head.memberId })
  for (const person of [world.admin, head]) await comeInto(host, other, person, 'admin')
  // Each hotel has its own hierarchy.
  assert.equal(await below(other.admin, world.admin.memberId), [])
  await asUser(other.admin).members.updateMember({
    id: head.memberId,
    superior: world.admin.memberId,
    updateMask: { paths: ['superior'] },
  })
  await asUser(world.admin).memberships.suspendWorkspaceMember({
    workspaceId: world.workspaceId,
    memberId: head.memberId,
  })
  assert.equal(await below(world.admin), [['Head', ['Low']]])
  const seenByRoot = await asUser(world.root).members.getMemberHierarchy({ id: world.admin.memberId })
  assert.equal(namesOf(seenByRoot.subordinates), [['Head', ['Low']]])
  assert.equal(await below(other.admin, world.admin.memberId), [['Head']])
})

test('a superior who left the hotel is omitted, and blocks no change', async () => {
  const world = await openWorld(host)
  const { memberId: id } = await addPerson(host, world, 'member')
  const missingId = newId()
  for (const table of ['ecosystem_memberships', 'workspace_members'])
    await sql.query(`update ${table} set superior_id = ? where member_id = ?`, [missingId, id])
  const members = asUser(world.admin).members
  const { member } = await members.getMember({ id })
  assert.is(member?.manager, undefined)
  const paths = ['superior', 'last_name']
  const updateAnswer = await members.updateMember({ id, lastName: 'New', updateMask: { paths } })
  assert.equal([updateAnswer.member?.lastName, updateAnswer.member?.superior], ['New', undefined])
})

test('a cycle in a corrupt database ends where it closes', async () => {
  const world = await openWorld(host)
  const head = await addPerson(host, world, 'member', { lastName: 'Head', superior: world.admin.memberId })
  for (const table of ['ecosystem_memberships', 'workspace_members'])
    await sql.query(`update ${table} set superior_id = ? where member_id = ?`, [head.memberId, world.admin.memberId])
  assert.equal(await below(world.admin), [['Head']])
  const seenByRoot = await asUser(world.root).members.getMemberHierarchy({ id: world.admin.memberId })
  assert.equal(namesOf(seenByRoot.subordinates), [['Head']])
})

test('the traversal reads only the index, whatever the planner prefers', async () => {
  const db = openDatabase<MemberTables>(host.databaseUrl('member'))
  for (const [workspaceIds, index] of [
    [[newId()], 'workspace_members_below'],
    [[newId(), newId()], 'workspace_members_below'],
    [undefined, 'ecosystem_memberships_below'],
  ] as const) {
    const walk = walkBelow(newId(), { ecosystemId: newId(), workspaceIds: workspaceIds && [...workspaceIds] })
    const plan = await sqlText<{
      table: string
      key: string
      Extra: string
    }>`explain format=traditional ${walk}`.execute(db)
    const steps = plan.rows.filter(row => row.table === 'p').map(row => `${row.key}: ${row.Extra}`)
    assert.is(steps.length, 2)
    for (const step of steps) assert.match(step, new RegExp(`^${index}: .*Using index(?! condition)`))
  }
  await closeDatabase(db)
})

test('simultaneous changes of superiors never close a cycle', async () => {
  const world = await openWorld(host)
  const ring = await Promise.all(['A', 'B', 'C', 'D'].map(lastName => addPerson(host, world, 'member', { lastName })))
  for (let round = 0; round < 8; round++) {
    const set = (id: string, superior?: string) =>
      asUser(world.admin).members.updateMember({
        id,
        ...(superior ? { superior } : {}),
        updateMask: { paths: ['superior'] },
      })
    const results = await Promise.allSettled(
      ring.map(({ memberId }, index) => set(memberId, ring[(index + 1) % ring.length]?.memberId)),
    )
    assert.equal(
      results.flatMap(one => (one.status === 'rejected' ? [toRpcError(one.reason).info.status] : [])),
      [400],
    )
    for (const { memberId } of ring) await set(memberId)
  }
})

test('a tree lists every level by name and each person once, even from a cycle', () => {
  const row = (id: string, superior_id: string, last_name: string) => ({ id, superior_id, first_name: 'A', last_name })
  const rows = [row('top', 'c', 'Top'), row('a', 'top', 'Zed'), row('b', 'top', 'Élan'), row('c', 'a', 'Low')]
  const tree = treeBelow(rows, 'top')
  assert.equal(
    tree.map(one => [one.id, one.subordinates.map(below => below.id)]),
    [
      ['b', []],
      ['a', ['c']],
    ],
  )
})

test.run()
