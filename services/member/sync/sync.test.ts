import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { addPerson, openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { closeDatabase, inTransaction, openDatabase } from '../../kernel/database/database.ts'
import { updateMember } from '../people/sql.ts'
import { type MemberTables, tenantTables } from '../tables.ts'
import { readCursor, writeCursor } from './cursor.ts'

const test = suite('sync')
const { host, asUser, asService } = await memberForTest(test)

/** A promise that the test resolves. */
function gate() {
  let open = (): void => undefined
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open: () => open(), opened }
}

test('without a cursor all active members are returned, in parts when a limit is given', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const people = [admin, await addPerson(host, world, 'viewer'), await addPerson(host, world, 'viewer')]
  const ids = people.map(one => one.memberId).toSorted()
  const fullSync = await asService.sync.syncMembers({ workspaceId })
  assert.equal(
    fullSync.members.map(one => one.id),
    ids,
  )
  assert.equal([fullSync.hasMore, fullSync.removed], [false, []])
  const first = await asUser(admin).sync.syncMembers({ limit: 2 })
  assert.equal([first.members.length, first.hasMore], [2, true])
  const second = await asUser(admin).sync.syncMembers({ limit: 2, cursor: first.cursor })
  assert.equal(
    [...first.members, ...second.members].map(one => one.id),
    ids,
  )
  assert.is(second.hasMore, false)
})

test('with a cursor only changes are returned, and the ids of those who left', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const leaver = await addPerson(host, world, 'viewer')
  const suspended = await addPerson(host, world, 'viewer')
  const renamed = await addPerson(host, world, 'viewer')
  const { cursor } = await asService.sync.syncMembers({ workspaceId })
  assert.equal((await asService.sync.syncMembers({ workspaceId, cursor })).members, [])
  const memberships = asUser(admin).memberships
  await memberships.removeWorkspaceMember({ workspaceId, memberId: leaver.memberId })
  await memberships.suspendWorkspaceMember({ workspaceId, memberId: suspended.memberId })
  await asUser(admin).members.updateMember({
    id: renamed.memberId,
    lastName: 'Neu',
    updateMask: { paths: ['last_name'] },
  })
  const next = await asService.sync.syncMembers({ workspaceId, cursor })
  assert.equal(
    next.members.map(one => one.lastName),
    ['Neu'],
  )
  assert.equal(next.removed.toSorted(), [leaver.memberId, suspended.memberId].toSorted())
  const parts = await asService.sync.syncMembers({ workspaceId, cursor, limit: 1 })
  assert.equal([parts.members.length + parts.removed.length, parts.hasMore], [1, true])
})

test('a cursor that is foreign, invalid or too old is refused', async () => {
  const ownHotel = await openWorld(host)
  const otherHotel = await openWorld(host)
  const { cursor } = await asService.sync.syncMembers({ workspaceId: otherHotel.workspaceId })
  const { workspaceId } = ownHotel
  const place = { workspaceId, isFull: true, revision: 1, issuedAt: Date.now() }
  const forgedCursors = ['é', 'h', 'g'.repeat(24)].map(id => writeCursor({ ...place, id }))
  for (const bad of [cursor, 'x', '', 'W10', cursor.slice(3), ...forgedCursors])
    assert.is((await refusal(asService.sync.syncMembers({ workspaceId, cursor: bad }))).info.status, 400)
  const old = writeCursor({ workspaceId, isFull: false, revision: 1, issuedAt: 1, id: '' })
  assert.is(readCursor(old, workspaceId, Date.now()), undefined)
})

test('a change that commits late is returned late, and nothing is returned twice', async () => {
  const world = await openWorld(host)
  const { workspaceId } = world
  const slow = await addPerson(host, world, 'viewer')
  const ask = (cursor?: string) => asService.sync.syncMembers({ workspaceId, ...(cursor ? { cursor } : {}) })
  const start = await ask()
  const db = openDatabase<MemberTables>(host.databaseUrl('member'), { tables: tenantTables })
  try {
    const [hold, holding] = [gate(), gate()]
    const lateUpdate = inTransaction(db, async trx => {
      await updateMember(trx, slow.memberId, { last_name: 'Late' })
      holding.open()
      await hold.opened
    })
    await holding.opened
    // Queried while the transaction is open, the change is missing; it appears later by its revision, despite its old
    // timestamp.
    const during = await ask(start.cursor)
    assert.equal([during.members, during.removed], [[], []])
    hold.open()
    await lateUpdate
    const after = await ask(during.cursor)
    assert.equal(
      after.members.map(one => [one.id, one.lastName]),
      [[slow.memberId, 'Late']],
    )
    const rest = await ask(after.cursor)
    assert.equal([rest.members, rest.removed], [[], []])
  } finally {
    await closeDatabase(db)
  }
})

test('a reader with small steps during many changes misses no member', async () => {
  const world = await openWorld(host)
  const { workspaceId, admin } = world
  const people = await Promise.all(Array.from({ length: 8 }, () => addPerson(host, world, 'viewer')))
  let { cursor } = await asService.sync.syncMembers({ workspaceId })
  const last = new Map<string, string>()
  const step = async () => {
    const part = await asService.sync.syncMembers({ workspaceId, cursor, limit: 2 })
    for (const one of part.members) last.set(one.id, one.lastName)
    cursor = part.cursor
    return part.hasMore
  }
  const client = asUser(admin).members
  const rename = ({ memberId }: { memberId: string }, round: number) =>
    client.updateMember({ id: memberId, lastName: `Round ${round}`, updateMask: { paths: ['last_name'] } })
  const work = (async () => {
    for (let round = 1; round <= 4; round += 1) await Promise.all(people.map(one => rename(one, round)))
  })()
  let isDone = false
  const finish = work.finally(() => {
    isDone = true
  })
  while (!isDone) await step()
  await finish
  while (await step());
  assert.equal(
    people.map(one => last.get(one.memberId)),
    people.map(() => 'Round 4'),
  )
})

test('deletion, erasure, deactivation and a new picture are returned, and changes of others are not', async () => {
  const [world, other] = [await openWorld(host), await openWorld(host)]
  const { workspaceId, admin } = world
  const [deletedMember, erasedMember, restingMember, picturedMember, roledMember] = await Promise.all(
    Array.from({ length: 5 }, () => addPerson(host, world, 'viewer')),
  )
  if (!deletedMember || !erasedMember || !restingMember || !picturedMember || !roledMember) return assert.unreachable()
  const { cursor } = await asService.sync.syncMembers({ workspaceId })
  const foreign = await asService.sync.syncMembers({ workspaceId: other.workspaceId })
  const client = asUser(admin).members
  await client.deleteMember({ id: deletedMember.memberId })
  await client.eraseMember({ id: erasedMember.memberId })
  await client.updateMember({ id: restingMember.memberId, isActive: false, updateMask: { paths: ['is_active'] } })
  const photoUrl = 'https://a.example/p.png'
  await client.updateMember({ id: picturedMember.memberId, photoUrl, updateMask: { paths: ['photo_url'] } })
  const next = await asService.sync.syncMembers({ workspaceId, cursor })
  assert.equal(
    next.members.map(one => [one.id, one.photoUrl]),
    [[picturedMember.memberId, photoUrl]],
  )
  assert.equal(
    next.removed.toSorted(),
    [deletedMember, erasedMember, restingMember].map(one => one.memberId).toSorted(),
  )
  const otherSync = await asService.sync.syncMembers({ workspaceId: other.workspaceId, cursor: foreign.cursor })
  assert.equal([otherSync.members, otherSync.removed], [[], []])
})

test.run()
