import { createPool, type Pool } from 'mysql2/promise'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { SyncService } from '../../gen/platform/member/v1/sync_pb.ts'
import { WorkspaceMemberService } from '../../gen/platform/member/v1/workspace_members_pb.ts'
import { assert, refusal, startTestHost, suite, type TestHost } from '../kernel/testing.ts'
import { service as member } from './service.ts'
import { readCursor, writeCursor } from './sync.rules.ts'
import { addPerson, openWorld } from './testing.ts'

const test = suite('sync')
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

/** Moves every change of the past out of the overlap in which changes are answered twice. */
const letTimePass = async () => {
  for (const table of ['members', 'workspace_members'])
    await sql.query(`update ${table} set updated_at = date_sub(updated_at, interval 1 minute)`)
}

test('without a cursor all active members come, in parts when a limit is named', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const people = [admin, await addPerson(host, world, 'viewer'), await addPerson(host, world, 'viewer')]
  const ids = people.map(one => one.memberId).toSorted()
  const whole = await host.client(SyncService).syncMembers({ workspaceId })
  assert.equal(
    whole.members.map(one => one.id),
    ids,
  )
  assert.equal([whole.hasMore, whole.removed], [false, []])
  const first = await host.as(SyncService, admin.userId).syncMembers({ limit: 2 })
  assert.equal([first.members.length, first.hasMore], [2, true])
  const second = await host.as(SyncService, admin.userId).syncMembers({ limit: 2, cursor: first.cursor })
  assert.equal(
    [...first.members, ...second.members].map(one => one.id),
    ids,
  )
  assert.is(second.hasMore, false)
})

test('with a cursor only changes come, and the ids of those who went', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const leaver = await addPerson(host, world, 'viewer')
  const suspended = await addPerson(host, world, 'viewer')
  const renamed = await addPerson(host, world, 'viewer')
  const { cursor } = await host.client(SyncService).syncMembers({ workspaceId })
  await letTimePass()
  assert.equal((await host.client(SyncService).syncMembers({ workspaceId, cursor })).members, [])
  const memberships = host.as(WorkspaceMemberService, admin.userId)
  await memberships.removeWorkspaceMember({ workspaceId, memberId: leaver.memberId })
  await memberships.suspendWorkspaceMember({ workspaceId, memberId: suspended.memberId })
  await host
    .as(MemberService, admin.userId)
    .updateMember({ id: renamed.memberId, lastName: 'Neu', updateMask: { paths: ['last_name'] } })
  const next = await host.client(SyncService).syncMembers({ workspaceId, cursor })
  assert.equal(
    next.members.map(one => one.lastName),
    ['Neu'],
  )
  assert.equal(next.removed.toSorted(), [leaver.memberId, suspended.memberId].toSorted())
  const parts = await host.client(SyncService).syncMembers({ workspaceId, cursor, limit: 1 })
  assert.equal([parts.members.length + parts.removed.length, parts.hasMore], [1, true])
})

test('a cursor of another workspace, a broken one and an old one are refused', async () => {
  const ours = await openWorld(host)
  const theirs = await openWorld(host)
  const { cursor } = await host.client(SyncService).syncMembers({ workspaceId: theirs.workspaceId })
  const { workspaceId } = ours
  for (const bad of [cursor, 'x', '', 'W10', cursor.slice(3)])
    assert.is((await refusal(host.client(SyncService).syncMembers({ workspaceId, cursor: bad }))).info.status, 400)
  const old = writeCursor({ workspaceId, full: false, since: 1, until: 1, at: 0, id: '' })
  assert.is(readCursor(old, workspaceId, Date.now()), undefined)
  const foreign = await refusal(
    host.as(SyncService, ours.admin.userId).syncMembers({ workspaceId: theirs.workspaceId }),
  )
  assert.is(foreign.rawMessage, 'Workspace access denied')
})

test.run()
