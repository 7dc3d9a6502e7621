import { sql } from 'kysely'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world, host, db, sandbox, person, workspace, publish, waitUntilHandled } =
  await notificationSuite('rights of what waits')

const wish = (one: Someone) => host.as(PreferenceService, one.userId)
const mailsTo = async ({ email }: Someone): Promise<{ text: string }[]> =>
  (await sandbox.call('GET', `/_inbox?to=${email}`)).json.data
const pushesTo = async (token: string) => (await sandbox.call('GET', `/_pushes?to=${token}`)).json.data

/** A sender with the right to send, and a reader of their workspace with a device. */
async function pair() {
  const [sender, reader] = [await person({ firstName: 'Bob' }), await person({ language: 'en' })]
  const workspaceId = await workspace(reader)
  await world.join(workspaceId, sender, ['send_notifications'])
  const deviceToken = `fcm-${newId()}`
  const device = { deviceToken, platform: 'fcm', deviceType: 'ios', workspaceId }
  await host.as(SubscriptionService, reader.userId).registerDevice(device)
  const channels = ['push', 'email', 'socket', 'app']
  const remind = async () => {
    const body = pageCreated(workspaceId, sender, [reader], { channels })
    await waitUntilHandled(
      await publish('page.reminded', { ...body, payload: { ...body.payload, title: 'Fire drill' } }),
    )
  }
  const write = () =>
    host.as(NotificationService, sender.userId).sendNotification({
      ...{ workspaceId, receiverIds: [reader.id], title: 'Tonight', body: 'At noon', channels },
    })
  return { sender, reader, workspaceId, deviceToken, remind, write }
}

/** Ends do-not-disturb, moves what waits for a member to now, and waits until it is settled. */
async function end({ id }: Someone) {
  await sql`update preferences set do_not_disturb = 0 where member_id = ${id}`.execute(db)
  await sql`update deliveries set due_at = utc_timestamp(3) where member_id = ${id} and status = 'pending'`.execute(db)
  await sql`update digests set due_at = utc_timestamp(3) where member_id = ${id}`.execute(db)
  await eventually(async () => {
    const digest = await sql`select 1 from digests where member_id = ${id} and due_at <= utc_timestamp(3)`.execute(db)
    const rows = await db.selectFrom('deliveries').select('status').where('member_id', '=', id).execute()
    return digest.rows.length === 0 && rows.every(({ status }) => status !== 'pending')
  })
}

type Pair = Awaited<ReturnType<typeof pair>>
const senderLosses: Record<string, (pair: Pair) => Promise<unknown>> = {
  'lost the permission': ({ workspaceId, sender }) => world.change(workspaceId, sender, "permission_slugs = '[]'"),
  'left the workspace': ({ workspaceId, sender }) => world.leave(workspaceId, sender),
  'is suspended': ({ workspaceId, sender }) => world.suspend(workspaceId, sender),
  'was deleted': ({ sender }) => world.erase(sender),
}
const readerLosses: typeof senderLosses = {
  'left the workspace': ({ workspaceId, reader }) => world.leave(workspaceId, reader),
  'is suspended': ({ workspaceId, reader }) => world.suspend(workspaceId, reader),
  'was deleted': ({ reader }) => world.erase(reader),
}
const losses = [
  ...Object.entries(senderLosses).map(([description, lose]) => ({ loss: `sender ${description}`, lose })),
  ...Object.entries(readerLosses).map(([description, lose]) => ({ loss: `receiver ${description}`, lose })),
]

for (const { loss, lose } of losses)
  test(`a reminder and a message whose ${loss} while they waited are neither pushed nor mailed`, async () => {
    const one = await pair()
    await wish(one.reader).setDoNotDisturb({ duration: 3_600 })
    await one.remind()
    await one.write()
    await lose(one)
    await end(one.reader)
    assert.equal([await mailsTo(one.reader), await pushesTo(one.deviceToken)], [[], []])
    const attempts = await db
      .selectFrom('delivery_attempts')
      .select(['status', 'error'])
      .where('member_id', '=', one.reader.id)
      .execute()
    const error = 'The receiver, or the right of the sender, no longer exists'
    assert.equal(attempts, Array(4).fill({ status: 'failed', error }))
  })

test('a reminder and a message whose sender keeps the right are pushed and mailed when the silent hours end', async () => {
  const { reader, deviceToken, remind, write } = await pair()
  await wish(reader).setDoNotDisturb({ duration: 3_600 })
  await remind()
  await write()
  await end(reader)
  assert.equal([(await mailsTo(reader)).length, (await pushesTo(deviceToken)).length], [2, 2])
})

const changes: [what: string, sent: number[], change: (reader: ReturnType<typeof wish>) => Promise<unknown>][] = [
  ['silence', [0, 0], reader => reader.setGlobalSilence({ enabled: true })],
  [
    'no mails of their kind',
    [0, 1],
    reader => {
      const categoryPrefs = { 'message.direct': { email: false } }
      return reader.updatePreferences({ categoryPrefs, updateMask: { paths: ['category_prefs'] } })
    },
  ],
]
for (const [choice, expectedCounts, change] of changes)
  test(`a message that waited is not sent to a receiver who has chosen ${choice} meanwhile`, async () => {
    const { reader, deviceToken, write } = await pair()
    await wish(reader).setDoNotDisturb({ duration: 3_600 })
    await write()
    await change(wish(reader))
    await end(reader)
    assert.equal([(await mailsTo(reader)).length, (await pushesTo(deviceToken)).length], expectedCounts)
  })

test('a message that waited waits on when its receiver has extended the silence', async () => {
  const { reader, write } = await pair()
  await wish(reader).setDoNotDisturb({ duration: 3_600 })
  await write()
  await wish(reader).setDoNotDisturb({ duration: 7_200 })
  await sql`update deliveries set due_at = utc_timestamp(3) where member_id = ${reader.id}`.execute(db)
  const extendedEnd = Date.now() + 3_700_000
  await eventually(async () => {
    const rows = await db.selectFrom('deliveries').selectAll().where('member_id', '=', reader.id).execute()
    return rows.every(({ due_at, attempts }) => attempts === 0 && Number(due_at) > extendedEnd)
  })
  assert.equal(await mailsTo(reader), [])
})

test('what waited for the end of do-not-disturb is sent when its receiver ends it early', async () => {
  const { reader, deviceToken, remind, write } = await pair()
  await wish(reader).setDoNotDisturb({ duration: 604_800 })
  await remind()
  await write()
  await wish(reader).setGlobalSilence({ enabled: true })
  await wish(reader).endDoNotDisturb({})
  await wish(reader).endGlobalSilence({})
  await eventually(async () => (await pushesTo(deviceToken)).length === 2 && (await mailsTo(reader)).length === 2)
})

for (const [description, lose] of Object.entries(senderLosses))
  test(`a digest leaves out the messages of a sender who ${description} while they waited`, async () => {
    const one = await pair()
    await wish(one.reader).updatePreferences({ emailDigest: 'daily', updateMask: { paths: ['email_digest'] } })
    await one.write()
    const colleague = await person({ firstName: 'Eve' })
    await world.join(one.workspaceId, colleague)
    const body = pageCreated(one.workspaceId, colleague, [one.reader], { channels: ['email'] })
    await waitUntilHandled(await publish('page.created', body))
    await lose(one)
    await end(one.reader)
    const [digest, ...otherMails] = await mailsTo(one.reader)
    assert.equal(otherMails, [])
    assert.match(digest?.text ?? '', 'Menu of the day')
    assert.not.match(digest?.text ?? '', 'Tonight')
    const items = await db.selectFrom('digest_items').selectAll().where('member_id', '=', one.reader.id).execute()
    assert.equal(items, [], 'nor does the next one have them')
  })

test.run()
