import { createPool, type Pool } from 'mysql2/promise'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { newId } from '../kernel/ids.ts'
import { assert, startTestHost, suite, type TestHost } from '../kernel/testing.ts'
import { treeBelow } from './hierarchy.ts'
import { service as member } from './service.ts'
import { openWorld } from './testing.ts'

const test = suite('the hierarchy of a hotel')
let host: TestHost
let sql: Pool

test.before(async () => {
  host = await startTestHost([member])
  sql = createPool(host.databaseUrl('member'))
})
test.after(async () => {
  await sql.end()
  await host.end()
})

type Below = { id: string; firstName: string; lastName: string; subordinates: Below[] }

/** Puts people below others, one each or more. @returns their ids */
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
  await sql.query('insert into members (id, first_name, last_name, email, live_email, superior_id) values ?', [rows])
  await sql.query('insert into workspace_members (workspace_id, member_id, permission_slugs) values ?', [
    ids.map(id => [workspaceId, id, '[]']),
  ])
  return ids
}

const countOf = (nodes: Below[]): number => nodes.reduce((sum, one) => sum + 1 + countOf(one.subordinates), 0)
const depthOf = (nodes: Below[]): number =>
  nodes.reduce((most, one) => Math.max(most, 1 + depthOf(one.subordinates)), 0)

test('five levels of a thousand members come as one tree without anybody of elsewhere', async () => {
  const [world, elsewhere] = [await openWorld(host), await openWorld(host)]
  const { admin, workspaceId } = world
  let superiors = [admin.memberId]
  for (let level = 0; level < 5; level++) superiors = await addBelow(workspaceId, superiors, 1_000)
  await addBelow(elsewhere.workspaceId, [admin.memberId], 3)
  const [gone = '', left = ''] = await addBelow(workspaceId, [admin.memberId], 2)
  await sql.query('update members set deleted_at = now(3), live_email = null where id = ?', [gone])
  await sql.query('update workspace_members set left_at = now(3) where member_id = ?', [left])
  const ask = () => host.as(MemberService, admin.userId).getMemberHierarchy({ id: admin.memberId })
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

test('a tree has every level by name and nobody twice, even out of a cycle', () => {
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
