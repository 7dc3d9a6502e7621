import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { sql } from 'kysely'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { PreferenceService, type QuietHours } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { cipher } from '../../kernel/base/secrets.ts'
import { unsubscribeToken } from './preferences.ts'

const { test, world, host, db, person, workspace, publish, waitUntilHandled } =
  await notificationSuite('notification preferences')

const as = (one: Someone) => host.as(PreferenceService, one.userId)
const plain = (hours: QuietHours | undefined) =>
  hours && { enabled: hours.enabled, start: hours.start, end: hours.end, timezone: hours.timezone }
const paths = (...names: string[]) => ({ updateMask: { paths: names } })
async function member() {
  const ada = await person()
  return { ada, client: as(ada), workspaceId: await workspace(ada) }
}

test('a member without stored preferences sees the defaults, and nothing is stored', async () => {
  const { ada, client } = await member()
  const { preferences: p } = await client.getPreferences({})
  assert.equal([p?.memberId, p?.isGlobalSilent, p?.doNotDisturb], [ada.id, false, false])
  assert.equal(plain(p?.quietHours), { enabled: false, start: '22:00', end: '07:00', timezone: 'Europe/Paris' })
  assert.equal(p?.categoryPrefs, {})
  const eve = await as(await person({ language: 'en', timezone: 'Asia/Seoul' })).getPreferences({})
  assert.equal([p?.language, eve.preferences?.language], ['fr', 'en'])
  assert.is(eve.preferences?.quietHours?.timezone, 'Asia/Seoul')
  assert.is((await db.selectFrom('preferences').selectAll().where('member_id', '=', ada.id).execute()).length, 0)
})

test('a change updates the named fields: entries, channels and parts of the quiet hours', async () => {
  const { client } = await member()
  const hours = { enabled: true, start: '22:00', end: '07:00', timezone: 'Asia/Seoul' }
  await client.updatePreferences({ ...paths('quiet_hours'), quietHours: hours })
  await client.updatePreferences({ ...paths('category_prefs'), categoryPrefs: { 'page.created': { push: false } } })
  await client.updatePreferences({
    ...paths('category_prefs', 'quiet_hours'),
    quietHours: { end: '06:30' },
    categoryPrefs: { 'page.created': { email: false }, 'like.created': { socket: false } },
  })
  const { preferences: p } = await client.getPreferences({})
  const { enabled, start, end, timezone } = p?.quietHours ?? {}
  assert.equal([enabled, start, end, timezone], [true, '22:00', '06:30', 'Asia/Seoul'])
  // Sorted, because MySQL orders JSON keys by length.
  const switches = Object.entries(p?.categoryPrefs ?? {}).toSorted(([a], [b]) => a.localeCompare(b))
  assert.equal(
    switches.map(([key, { app, push, email, socket }]) => [key, app, push, email, socket]),
    [
      ['like.created', true, true, true, false],
      ['page.created', true, false, false, true],
    ],
  )
  const cleared = await client.updatePreferences(paths('quiet_hours', 'category_prefs'))
  assert.equal([cleared.preferences?.quietHours?.enabled, cleared.preferences?.categoryPrefs], [false, {}])
})

test('switches exist for every type that an event can have', async () => {
  const { client } = await member()
  const categoryPrefs = { 'chat.newMessage': { push: false }, 'test.event123': { app: false } }
  const { preferences } = await client.updatePreferences({ ...paths('category_prefs'), categoryPrefs })
  assert.equal(Object.keys(preferences?.categoryPrefs ?? {}).toSorted(), ['chat.newMessage', 'test.event123'])
})

test('a change to what is already set does not make all processes read preferences again', async () => {
  const { client } = await member()
  await client.setGlobalSilence({ enabled: true })
  const countChanges = async () => (await sql`select changes from preference_changes`.execute(db)).rows
  const before = await countChanges()
  await client.setGlobalSilence({ enabled: true })
  assert.equal(await countChanges(), before)
})

test('a partial change builds on the hours that are shown', async () => {
  const { client } = await member()
  const after = async (quietHours: object) =>
    plain((await client.updatePreferences({ ...paths('quiet_hours'), quietHours })).preferences?.quietHours)
  const zone = { timezone: 'Europe/Paris' }
  assert.equal(await after({ enabled: false }), { enabled: false, start: '22:00', end: '07:00', ...zone })
  assert.equal(await after({ start: '21:00' }), { enabled: false, start: '21:00', end: '07:00', ...zone })
  assert.equal(await after({ enabled: true }), { enabled: true, start: '21:00', end: '07:00', ...zone })
  const other = await member()
  const hours = { start: '20:00', end: '06:00' }
  const { preferences } = await other.client.updatePreferences({ ...paths('quiet_hours'), quietHours: hours })
  assert.equal(plain(preferences?.quietHours), { enabled: true, ...hours, ...zone })
})

test('an unknown time zone and do-not-disturb without its end are refused', async () => {
  const { client } = await member()
  const fault = async (request: object) => (await refusal(client.updatePreferences(request))).info.violations[0]?.path
  const hours = { start: '22:00', end: '07:00' }
  assert.is(
    await fault({ ...paths('quiet_hours'), quietHours: { ...hours, timezone: 'Mars/Base' } }),
    'quietHours.timezone',
  )
  assert.is(await fault({ ...paths('quiet_hours'), quietHours: { ...hours, end: '24:00' } }), 'quietHours.end')
  assert.is(await fault({ ...paths('do_not_disturb'), doNotDisturb: true }), 'dndUntil')
  assert.equal(
    (await client.updatePreferences({ ...paths('quiet_hours'), quietHours: hours })).preferences?.quietHours?.timezone,
    'Europe/Paris',
  )
  const spelt = { ...paths('quiet_hours'), quietHours: { ...hours, timezone: 'europe/LISBON' } }
  assert.is((await client.updatePreferences(spelt)).preferences?.quietHours?.timezone, 'Europe/Lisbon')
})

test('silence and do-not-disturb start and end by their routes and by PATCH', async () => {
  const { client } = await member()
  const state = async () => {
    const { preferences: p } = await client.getPreferences({})
    return [p?.isGlobalSilent, p?.doNotDisturb]
  }
  await client.setGlobalSilence({})
  const requestedAt = Date.now()
  const until = (await client.setDoNotDisturb({ duration: 600 })).preferences?.dndUntil
  const answeredAt = Date.now()
  const from = until ? timestampDate(until).getTime() - 600_000 : NaN
  // Tolerates the difference between the database's clock and ours.
  assert.ok(requestedAt - 5_000 < from && from < answeredAt + 5_000, String(from - requestedAt))
  assert.equal(await state(), [true, true])
  await client.setGlobalSilence({ enabled: false })
  await client.setDoNotDisturb({ duration: 0 })
  assert.equal(await state(), [false, false])
  const dndUntil = timestampFromDate(new Date(Date.now() + 600_000))
  await client.updatePreferences({
    ...paths('is_global_silent', 'do_not_disturb', 'dnd_until'),
    isGlobalSilent: true,
    doNotDisturb: true,
    dndUntil,
  })
  assert.equal(await state(), [true, true])
  // A time alone extends or starts the silence; null alone ends it.
  const later = timestampFromDate(new Date(Date.now() + 900_000))
  const extension = await client.updatePreferences({ ...paths('dnd_until'), dndUntil: later })
  assert.equal([extension.preferences?.doNotDisturb, extension.preferences?.dndUntil], [true, later])
  const ending = await client.updatePreferences(paths('dnd_until'))
  assert.equal([ending.preferences?.doNotDisturb, ending.preferences?.dndUntil], [false, undefined])
  const restart = await client.updatePreferences({ ...paths('dnd_until'), dndUntil: later })
  assert.equal([restart.preferences?.doNotDisturb, restart.preferences?.dndUntil], [true, later])
  await client.endGlobalSilence({})
  await client.endDoNotDisturb({})
  assert.equal(await state(), [false, false])
  assert.is((await refusal(client.setDoNotDisturb({}))).info.status, 400)
  assert.is((await refusal(client.setDoNotDisturb({ duration: -1 }))).info.status, 400)
  assert.is((await refusal(host.as(PreferenceService).getPreferences({}))).info.status, 401)
})

test('a member’s preferences decide which notifications they receive', async () => {
  const { ada, client, workspaceId } = await member()
  const bob = await person()
  await world.join(workspaceId, bob)
  await client.setGlobalSilence({})
  await as(bob).updatePreferences({ ...paths('category_prefs'), categoryPrefs: { 'page.created': { push: false } } })
  await waitUntilHandled(
    await publish('page.created', pageCreated(workspaceId, ada, [ada, bob], { channels: ['push', 'socket'] })),
  )
  const total = async (one: Someone) =>
    (await host.as(NotificationService, one.userId).listNotifications({})).meta?.total
  assert.equal([await total(ada), await total(bob)], [0, 1])
  const row = await db
    .selectFrom('receivers')
    .select('channels')
    .where('member_id', '=', bob.id)
    .executeTakeFirstOrThrow()
  assert.is(row.channels, 4)
})

test('an unsubscribe link ends the mails of its category without a sign-in, and can be repeated', async () => {
  const { ada, client } = await member()
  const token = unsubscribeToken(cipher('unsubscribe', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? '']), {
    memberId: ada.id,
    category: 'page.created',
    hotelId: null,
  })
  const nobody = host.as(PreferenceService)
  for (let i = 0; i < 2; i++) assert.is((await nobody.unsubscribe({ token })).category, 'page.created')
  const { preferences: p } = await client.getPreferences({})
  assert.equal([p?.categoryPrefs['page.created']?.email, p?.categoryPrefs['page.created']?.push], [false, true])
  assert.is((await refusal(nobody.unsubscribe({ token: 'a.b.c' }))).info.status, 400)
})

test.run()
