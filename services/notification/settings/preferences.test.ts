import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { notificationsForTest, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { cipher } from '../../kernel/base/secrets.ts'
import { unsubscribeToken } from './preferences.ts'

const test = suite('notification preferences')
const world = await notificationsForTest()
const { host, db, person, workspace, publish, done } = world
test.after(() => world.end())

const as = (one: Someone) => host.as(PreferenceService, one.userId)
const paths = (...names: string[]) => ({ updateMask: { paths: names } })
async function member() {
  const ada = await person()
  return { ada, client: as(ada), workspaceId: await workspace(ada) }
}

test('a member without stored preferences sees the defaults, and nothing is stored', async () => {
  const { ada, client } = await member()
  const { preferences: p } = await client.getPreferences({})
  assert.equal([p?.memberId, p?.isGlobalSilent, p?.doNotDisturb, p?.quietHours], [ada.id, false, false, undefined])
  assert.equal(p?.categoryPrefs, {})
  const eve = await as(await person({ language: 'en' })).getPreferences({})
  assert.equal([p?.language, eve.preferences?.language], ['fr', 'en'])
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
  const cleared = await client.updatePreferences({ ...paths('quiet_hours', 'category_prefs'), categoryPrefs: {} })
  assert.is(cleared.preferences?.quietHours, undefined)
  assert.equal(Object.keys(cleared.preferences?.categoryPrefs ?? {}).toSorted(), ['like.created', 'page.created'])
})

test('an unknown time zone, a start without an end and do-not-disturb without its end are refused', async () => {
  const { client } = await member()
  const fault = async (request: object) => (await refusal(client.updatePreferences(request))).info.violations[0]?.path
  const hours = { start: '22:00', end: '07:00' }
  // Switching off quiet hours that were never set is no error.
  const off = await client.updatePreferences({ ...paths('quiet_hours'), quietHours: { enabled: false } })
  assert.is(off.preferences?.quietHours, undefined)
  assert.is(
    await fault({ ...paths('quiet_hours'), quietHours: { ...hours, timezone: 'Mars/Base' } }),
    'quietHours.timezone',
  )
  assert.is(await fault({ ...paths('quiet_hours'), quietHours: { start: '22:00' } }), 'quietHours.end')
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
  const asked = Date.now()
  const until = (await client.setDoNotDisturb({ duration: 600 })).preferences?.dndUntil
  const answered = Date.now()
  const from = until ? timestampDate(until).getTime() - 600_000 : NaN
  // Tolerates the difference between the database's clock and ours.
  assert.ok(asked - 5_000 < from && from < answered + 5_000, String(from - asked))
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
  const moved = await client.updatePreferences({ ...paths('dnd_until'), dndUntil: later })
  assert.equal([moved.preferences?.doNotDisturb, moved.preferences?.dndUntil], [true, later])
  const ended = await client.updatePreferences(paths('dnd_until'))
  assert.equal([ended.preferences?.doNotDisturb, ended.preferences?.dndUntil], [false, undefined])
  const begun = await client.updatePreferences({ ...paths('dnd_until'), dndUntil: later })
  assert.equal([begun.preferences?.doNotDisturb, begun.preferences?.dndUntil], [true, later])
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
  await done(await publish('page.created', pageCreated(workspaceId, ada, [ada, bob], { channels: ['push', 'socket'] })))
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
  const token = unsubscribeToken(
    cipher('unsubscribe', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? '']),
    ada.id,
    'page.created',
  )
  const nobody = host.as(PreferenceService)
  for (let i = 0; i < 2; i++) assert.is((await nobody.unsubscribe({ token })).category, 'page.created')
  const { preferences: p } = await client.getPreferences({})
  assert.equal([p?.categoryPrefs['page.created']?.email, p?.categoryPrefs['page.created']?.push], [false, true])
  assert.is((await refusal(nobody.unsubscribe({ token: 'a.b.c' }))).info.status, 400)
})

test.run()
