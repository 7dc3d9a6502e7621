import { testDatabase } from '../../../test/kit/database.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { changeState, countsByType, markRead } from '../inbox/sql.ts'
import { unreadOf } from '../live/unread.ts'
import { cachedPreferences, changePreferences } from '../settings/preferences.sql.ts'
import { type NotificationTables, tenantTables } from '../tables.ts'
import type { EventArrival } from './arrival.ts'
import { notificationId } from './notification.ts'
import { channelsByReceiver } from './receivers.sql.ts'
import { storeArrivals, storeInOrder } from './store.ts'

const test = suite('notification store')
const database = await testDatabase(new URL('../migrations/', import.meta.url))
const db = openDatabase<NotificationTables>(database.url, { tables: tenantTables })
test.after(async () => {
  await closeDatabase(db)
  await database.drop()
})

const workspaceId = newId()
const arrival = (memberIds: string[], overrides: Partial<EventArrival> = {}, occurrence = newId()): EventArrival => ({
  eventId: newId(),
  notification: {
    id: notificationId(new Date()),
    workspace_id: workspaceId,
    ecosystem_id: null,
    occurrence_id: occurrence,
    type: 'page',
    category: 'created',
    title: 'T',
    body: 'B',
    title_en: 'T',
    body_en: 'B',
    data: null,
    actor_id: null,
    actor_type: 'system',
    entity_id: null,
    entity_type: null,
    channels: 4,
    priority: 1,
    created_at: new Date(),
  },
  receivers: memberIds.map(memberId => ({ memberId, channels: 4 })),
  sealedMail: null,
  ...overrides,
})
const inboxOf = (memberId: string) => ({ memberId, openWorkspaceIds: [workspaceId] })
const everywhere = {
  workspacesOf: async (memberIds: readonly string[]) => new Map(memberIds.map(id => [id, new Set([workspaceId])])),
}
const counters = (memberIds: string[]) =>
  db.selectFrom('member_counters').selectAll().where('member_id', 'in', memberIds).execute()

test('a redelivered event has no second effect, alone or in a batch', async () => {
  const members = [newId(), newId()]
  const one = arrival(members)
  const [first] = await storeArrivals(db, 'test', [one])
  const [secondResult, other] = await storeArrivals(db, 'test', [one, arrival(members)])
  assert.equal([first?.isFirst, secondResult?.isFirst, other?.isFirst], [true, false, true])
  assert.is(secondResult?.notificationId, first?.notificationId)
  assert.equal(
    (await counters(members)).map(row => [row.total, row.unread]),
    [
      [2, 2],
      [2, 2],
    ],
  )
})

test('a redriven deletion of a page that was restored since is ignored, also when it is redelivered', async () => {
  const [pageId, redrivenFrom] = [newId(), new Date(Date.now() - 1_000)]
  const { notification } = arrival([])
  const data = JSON.stringify({ changes: { status: 'published' } })
  const restoration = arrival([], { notification: { ...notification, category: 'updated', data, entity_id: pageId } })
  const subject = { entityIds: [pageId], endedId: pageId, occurredAt: redrivenFrom, redrivenFrom }
  const deletion = arrival([], { subject })
  await storeArrivals(db, 'test', [restoration])
  for (const delivery of ['first', 'second']) {
    const [storedEvent] = await storeArrivals(db, 'test', [deletion])
    assert.is(storedEvent?.isLate, true, delivery)
  }
})

test('simultaneous events for the same thousand people in any order leave exact counters and no deadlock', async () => {
  const members = Array.from({ length: 1_000 }, () => newId())
  const events = Array.from({ length: 12 }, (_, i) => arrival(i % 2 ? members : members.toReversed()))
  await Promise.all(events.map(event => storeArrivals(db, 'test', [event])))
  const rows = await counters(members)
  assert.is(rows.length, 1_000)
  assert.ok(rows.every(row => row.total === 12 && row.unread === 12))
})

test('events are stored for the same people during their own changes, and the counters stay exact', async () => {
  const members = Array.from({ length: 200 }, () => newId())
  const reader = members[0] ?? ''
  const before = Array.from({ length: 3 }, () => arrival(members))
  await storeArrivals(db, 'test', before)
  const batch = () => [arrival(members), arrival(members.toReversed())]
  const [reading] = before
  await Promise.all([
    ...Array.from({ length: 4 }, () => storeArrivals(db, 'test', batch())),
    storeArrivals(db, 'test', before),
    changeState(db, inboxOf(reader), reading?.notification.id ?? '', state => ({ ...state, dismissedAt: new Date() })),
    markRead(db, inboxOf(reader), 2, { upTo: 'f'.repeat(24) }),
  ])
  const [remainingCounts] = await countsByType(db, inboxOf(reader))
  const rows = await db.selectFrom('receivers').selectAll().where('member_id', '=', reader).execute()
  const remainingRows = rows.filter(row => row.is_dismissed === 0)
  assert.equal(remainingCounts, {
    type: 'page',
    total: remainingRows.length,
    unread: remainingRows.filter(row => row.is_read === 0).length,
    dismissed: 1,
  })
  assert.is(remainingRows.length, 10)
  const { counts } = await unreadOf(db, everywhere, new Set(members))
  assert.is(counts.get(reader), remainingCounts?.unread)
  assert.ok(members.slice(1).every(id => counts.get(id) === 11))
})

test('events of one occurrence that arrive together become one notification with all receivers', async () => {
  const [ann = '', ben = ''] = [newId(), newId()]
  const occurrence = newId()
  const store = storeInOrder(db, 'test')
  const [first, other, second] = await Promise.all([
    store(arrival([ann], {}, occurrence)),
    store(arrival([ann])),
    store(arrival([ann, ben], {}, occurrence)),
  ])
  assert.is(second?.notificationId, first?.notificationId)
  assert.is.not(other?.notificationId, first?.notificationId)
  assert.equal(
    second?.addedReceivers.map(each => each.memberId),
    [ben],
  )
  assert.equal(
    (await counters([ann, ben])).map(row => [row.member_id, row.total]).toSorted(),
    [
      [ann, 2],
      [ben, 1],
    ].toSorted(),
  )
})

const receiving = (channels: number, ...members: string[]) => ({
  receivers: members.map(memberId => ({ memberId, channels })),
})

for (const together of [false, true]) {
  test(`later events of several occurrences, stored ${together ? 'with' : 'after'} the first ones, add channels and receivers to their own only`, async () => {
    const [ann = '', ben = '', cid = ''] = [newId(), newId(), newId()]
    const occurrences = [newId(), newId(), newId()]
    const first = occurrences.map(occurrence => arrival([ann, ben], {}, occurrence))
    const later = [receiving(1, ann, ben), receiving(1, ann, ben), receiving(6, ann, cid)].map((overrides, index) =>
      arrival([], overrides, occurrences[index]),
    )
    const results = together
      ? await storeArrivals(db, 'test', [...first, ...later])
      : [...(await storeArrivals(db, 'test', first)), ...(await storeArrivals(db, 'test', later))]
    const [{ receivers: all }, { receivers: newcomer }] = [receiving(1, ann, ben), receiving(6, cid)]
    // Stored together, the first event of an occurrence adds the channels of all for its receivers.
    const apart = [all, all, [{ memberId: ann, channels: 2 }, ...newcomer]]
    const folded = [[], [], newcomer]
    assert.equal(
      results.slice(3).map(each => each.addedReceivers),
      together ? folded : apart,
    )
    assert.equal(
      results.map(each => each.newcomers.map(({ memberId }) => memberId)),
      [[ann, ben], [ann, ben], [ann, ben], [], [], [cid]],
    )
    const storedChannels = await channelsByReceiver(
      db,
      results.slice(0, 3).map(each => each.notificationId),
      [ann, ben, cid],
    )
    const both = { [ann]: 5, [ben]: 5 }
    assert.equal(
      [...storedChannels.values()].map(channels => Object.fromEntries(channels)),
      [both, both, { [ann]: 6, [ben]: 4, [cid]: 6 }],
    )
    const rows = await db
      .selectFrom('notifications')
      .select(['receiver_count', 'socket_count'])
      .where('workspace_id', '=', workspaceId)
      .where('occurrence_id', 'in', occurrences)
      .orderBy('receiver_count')
      .execute()
    assert.equal(
      rows.map(row => [row.receiver_count, row.socket_count]),
      [
        [2, 2],
        [2, 2],
        [3, 3],
      ],
    )
    assert.equal((await counters([ann, ben, cid])).map(row => row.total).toSorted(), [1, 3, 3])
  })
}

test('preferences are cached until a member changes theirs, also in another process', async () => {
  const [quiet = '', other = ''] = [newId(), newId()]
  const otherDb = openDatabase<NotificationTables>(database.url)
  const ask = cachedPreferences(db)
  const silent = async () => (await ask([quiet, other])).get(quiet)?.isGlobalSilent
  assert.is(await silent(), undefined)
  for (const isGlobalSilent of [true, false, true]) {
    await changePreferences(
      otherDb,
      quiet,
      before => ({ ...before, isGlobalSilent }),
      () => ({ dueAt: null, now: new Date() }),
    )
    assert.is(await silent(), isGlobalSilent)
    // Concurrent reads get the state at the time of the call, or a newer one.
    const [first, second] = await Promise.all([silent(), silent()])
    assert.equal([first, second], [isGlobalSilent, isGlobalSilent])
  }
  await closeDatabase(otherDb)
})

test('ids sort by the millisecond', () => {
  const startMs = Date.UTC(2026, 5, 1, 12, 0, 0)
  const ids = [0, 1, 2, 500, 999, 1_000].map(ms => notificationId(new Date(startMs + ms)))
  assert.equal(ids, ids.toSorted())
  assert.ok(ids.every(id => /^[0-9a-f]{24}$/.test(id)))
})

test.run()
