import { sql } from 'kysely'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { notificationsForTest, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { service as hotel } from '../../hotel/service.ts'
import { newId } from '../../kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'

const test = suite('what mails and pushes take from a hotel')
const world = await notificationsForTest({}, [hotel])
const { db, frames, person, workspace, publish, waitUntilHandled } = world
const hotels = openDatabase<unknown>(world.host.databaseUrl('hotel'))
test.after(async () => {
  await closeDatabase(hotels)
  await world.end()
})

async function settingsOf(workspaceId: string, { push, email }: { push: number; email: number }) {
  const { rows } = await sql<{
    id: string
  }>`select ecosystem_id as id from workspaces where id = ${workspaceId}`.execute(world.members)
  const [setting, hotelId] = [newId(), rows[0]?.id]
  await sql`
    insert into hotel_settings (
      id, timezone, language, currency, enable_push, enable_email, check_in_time, check_out_time, primary_color,
      secondary_color
    )
    values (${setting}, 'Europe/Paris', 'fr', 'EUR', ${push}, ${email}, '14:00', '11:00', '#000000', '#000000')
  `.execute(hotels)
  await sql`insert into hotels (id, name, setting_id) values (${hotelId}, 'Azur', ${setting})`.execute(hotels)
}

const author = await person()

/**
 * Publishes until the receivers have these channels: on a stalled machine the call for a hotel's switches may time out,
 * which closes no channel. @returns the notification
 */
const whenKnown = (
  workspaceId: string,
  people: Someone[],
  channels: string[],
  expectedMasks: number[],
): Promise<string> =>
  eventually(async () => {
    await waitUntilHandled(await publish('page.created', pageCreated(workspaceId, author, people, { channels })))
    const { id } = await db
      .selectFrom('notifications')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const rows = await db.selectFrom('receivers').selectAll().where('notification_id', '=', id).execute()
    assert.equal(
      people.map(one => rows.find(row => row.member_id === one.id)?.channels),
      expectedMasks,
    )
    return id
  })

test('members of a hotel with e-mail disabled are notified by socket and in their inbox', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  await settingsOf(workspaceId, { push: 1, email: 0 })
  const notificationId = await whenKnown(workspaceId, [ada], ['email', 'socket'], [4])
  await eventually(() => frames.some(each => each.event === 'notification:new' && each.id === notificationId))
  const deliveries = db.selectFrom('deliveries').selectAll().where('notification_id', '=', notificationId)
  assert.is((await deliveries.execute()).length, 0)
})

test('a hotel with push disabled leaves an entry without a push, whatever the member’s preferences', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  await settingsOf(workspaceId, { push: 0, email: 1 })
  await world.host
    .as(PreferenceService, ada.userId)
    .updatePreferences({ updateMask: { paths: ['category_prefs'] }, categoryPrefs: { 'page.created': { push: true } } })
  await world.host.as(PreferenceService, bob.userId).updatePreferences({
    updateMask: { paths: ['category_prefs'] },
    categoryPrefs: { 'page.created': { email: false } },
  })
  await whenKnown(workspaceId, [ada, bob], ['push', 'email'], [2, 0])
})

test('a workspace with an unknown hotel has every channel', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  await waitUntilHandled(
    await publish('page.created', pageCreated(workspaceId, author, [ada], { channels: ['email'] })),
  )
  assert.is((await db.selectFrom('deliveries').selectAll().where('workspace_id', '=', workspaceId).execute()).length, 1)
})

test.run()
