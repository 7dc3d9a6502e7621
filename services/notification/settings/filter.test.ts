import { sql } from 'kysely'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { author, notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { maskOf } from '../channels.ts'

const { test, host, db, person, workspace, publish, waitUntilHandled } = await notificationSuite(
  'preferences applied to an event',
)

const as = (one: Someone) => host.as(PreferenceService, one.userId)
const paths = (...names: string[]) => ({ updateMask: { paths: names } })
/** The channels left for a member at the newest event; undefined when they weren't notified. */
const remainingChannels = async (one: Someone) => {
  const rows = await db
    .selectFrom('receivers')
    .select('channels')
    .where('member_id', '=', one.id)
    .orderBy('notification_id', 'desc')
    .execute()
  return rows.map(row => row.channels)
}
/** HH:mm in a zone, some minutes from now by the database's clock. */
async function clock(timezone: string, minutes: number): Promise<string> {
  const { rows } = await sql<{ now: Date }>`select utc_timestamp(3) as now`.execute(db)
  const moment = new Date((rows[0]?.now.getTime() ?? 0) + minutes * 60_000)
  return moment.toLocaleTimeString('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}
const entry = (switches: object) => ({ ...paths('category_prefs'), categoryPrefs: { 'page.created': switches } })

test('the rules apply to each receiver in order, and mask the channels of those who remain', async () => {
  // A zone without summer time: otherwise the night in which an hour repeats would be ambiguous.
  const zone = 'Asia/Seoul'
  const hours = { enabled: true, start: await clock(zone, -60), end: await clock(zone, 60), timezone: zone }
  const cases: [
    title: string,
    wishes: (one: Someone) => Promise<unknown>,
    pushed: string[] | null,
    socket: string[] | null,
  ][] = [
    ['no record', async () => undefined, ['push', 'socket', 'app'], ['socket']],
    ['silence', one => as(one).setGlobalSilence({}), null, null],
    [
      'silence that ended',
      one =>
        as(one)
          .setGlobalSilence({})
          .then(() => as(one).endGlobalSilence({})),
      ['push', 'socket', 'app'],
      ['socket'],
    ],
    ['do not disturb', one => as(one).setDoNotDisturb({ duration: 600 }), null, null],
    ['quiet hours', one => as(one).updatePreferences({ ...paths('quiet_hours'), quietHours: hours }), null, ['socket']],
    [
      'quiet hours that are off',
      one => as(one).updatePreferences({ ...paths('quiet_hours'), quietHours: { ...hours, enabled: false } }),
      ['push', 'socket', 'app'],
      ['socket'],
    ],
    ['no push', one => as(one).updatePreferences(entry({ push: false })), ['socket', 'app'], ['socket']],
    [
      'only e-mail',
      one => as(one).updatePreferences(entry({ push: false, socket: false, app: false, email: true })),
      null,
      null,
    ],
    ['no socket', one => as(one).updatePreferences(entry({ socket: false })), ['push', 'app'], null],
    [
      'another category',
      one =>
        as(one).updatePreferences({
          ...paths('category_prefs'),
          categoryPrefs: { 'page.updated': { push: false, socket: false } },
        }),
      ['push', 'socket', 'app'],
      ['socket'],
    ],
  ]
  const people = await Promise.all(cases.map(() => person()))
  const [ada] = people
  if (!ada) throw new Error('nobody')
  const workspaceId = await workspace(...people)
  for (const [i, [, ask]] of cases.entries()) await ask(people[i] ?? ada)
  for (const channels of [['socket'], ['push', 'socket', 'app']])
    await waitUntilHandled(
      await publish('page.created', pageCreated(workspaceId, await person(), people, { channels })),
    )
  for (const [i, [title, , pushed, socket]] of cases.entries())
    assert.equal(
      await remainingChannels(people[i] ?? ada),
      [pushed, socket].flatMap(each => (each ? [maskOf(each)] : [])),
      title,
    )
})

test('quiet hours follow local time in zones with offsets of half or quarter hours, by the clock of the database', async () => {
  const zones = [
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Pacific/Chatham',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
  ]
  // Less than half an hour to each side, so that rounding the zone to whole hours would miss the window.
  const people = await Promise.all(zones.flatMap(() => [person(), person()]))
  const [ada] = people
  if (!ada) throw new Error('nobody')
  const workspaceId = await workspace(...people)
  for (const [i, timezone] of zones.entries()) {
    const around = { start: await clock(timezone, -12), end: await clock(timezone, 12) }
    for (const [one, hours] of [
      [people[2 * i], around],
      [people[2 * i + 1], { start: around.end, end: around.start }],
    ] as const)
      await as(one ?? ada).updatePreferences({
        ...paths('quiet_hours'),
        quietHours: { enabled: true, timezone, ...hours },
      })
  }
  await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, ada, people, { channels: ['push'] })))
  for (const [i, zone] of zones.entries())
    assert.equal(
      [await remainingChannels(people[2 * i] ?? ada), await remainingChannels(people[2 * i + 1] ?? ada)],
      [[], [maskOf(['push'])]],
      zone,
    )
})

test('an event with a deadline keeps its row in quiet hours, and its push and mail wait until they end', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const device = { deviceToken: newId(), platform: 'fcm', deviceType: 'ios', workspaceId }
  await host.as(SubscriptionService, ada.userId).registerDevice(device)
  const zone = 'Asia/Seoul'
  const quietHours = { enabled: true, start: await clock(zone, -60), end: await clock(zone, 60), timezone: zone }
  await as(ada).updatePreferences({ ...paths('quiet_hours'), quietHours })
  const tell = async (dueAt: string | null) => {
    const body = pageCreated(workspaceId, author(), [ada, bob], { channels: ['push', 'email', 'socket'] })
    await waitUntilHandled(await publish('page.created', { ...body, payload: { ...body.payload, dueAt } }))
  }
  await tell(null)
  assert.equal([await remainingChannels(ada), (await remainingChannels(bob)).length], [[], 1])
  await tell(new Date(Date.now() + 86_400_000).toISOString())
  assert.equal(
    [await remainingChannels(ada), (await remainingChannels(bob)).length],
    [[maskOf(['push', 'email', 'socket'])], 2],
  )
  const waiting = () =>
    db.selectFrom('deliveries').selectAll().where('member_id', '=', ada.id).orderBy('lane').execute()
  const waitingDeliveries = await waiting()
  assert.equal(
    waitingDeliveries.map(({ lane, attempts, due_at }) => [
      lane,
      attempts,
      due_at?.toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }),
    ]),
    [
      ['email', 0, quietHours.end],
      ['fcm', 0, quietHours.end],
    ],
  )
  await as(ada).updatePreferences(paths('quiet_hours'))
  await sql`update deliveries set due_at = utc_timestamp(3) where member_id = ${ada.id}`.execute(db)
  await eventually(async () => (await waiting()).every(({ status }) => status === 'success'))
})

test('do-not-disturb ends by the clock of the database, and is reported as over from then on', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  await as(ada).setDoNotDisturb({ duration: 600 })
  const { rows } = await sql<{ rest: number }>`
    select timestampdiff(second, utc_timestamp(3), dnd_until) as rest from preferences where member_id = ${ada.id}
  `.execute(db)
  assert.ok(Number(rows[0]?.rest) > 500 && Number(rows[0]?.rest) <= 600)
  await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, ada, [ada])))
  await sql`update preferences set dnd_until = utc_timestamp(3) where member_id = ${ada.id}`.execute(db)
  await sql`update preference_changes set changes = changes + 1`.execute(db)
  assert.is((await as(ada).getPreferences({})).preferences?.doNotDisturb, false)
  await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, ada, [ada])))
  assert.is((await host.as(NotificationService, ada.userId).listNotifications({})).meta?.total, 1)
})

test.run()
