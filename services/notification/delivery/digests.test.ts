import { sql } from 'kysely'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import { digestsIn } from '../../../test/kit/notification/digests.ts'
import { during, notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { defaultSchedule, nextDigest } from '../digests/schedule.ts'

const { test, world, host, db, sandbox, person, workspace, publish, waitUntilHandled } =
  await notificationSuite('digests by mail')

const { preferencesOf: as, wish, dueOf, makeDue, handled, mailsOf: mailsNow } = digestsIn(world)
const itemsOf = (one: Someone) => db.selectFrom('digest_items').selectAll().where('member_id', '=', one.id).execute()
const mailsOf = async (one: Someone, count = 1) =>
  (await sandbox.call('GET', `/_inbox?to=${one.email}&wait=25000&count=${count}`)).json.data
const waitUntilSettled = async (one: Someone) => {
  await handled(one)
  await eventually(async () => (await itemsOf(one)).every(({ delivery_id }) => delivery_id === null))
}

async function team(frequency: string, profile: Parameters<typeof person>[0] = {}) {
  const [author, reader] = [await person({ firstName: 'Bob' }), await person(profile)]
  const workspaceId = await workspace(author, reader)
  if (frequency !== 'off') await wish(reader, frequency)
  const tell = async (type: string, payload: object = {}, rest: object = {}) => {
    const body = pageCreated(workspaceId, author, [reader], { channels: ['email', 'socket'], ...rest })
    await waitUntilHandled(await publish(type, { ...body, payload: { ...body.payload, ...payload } }))
  }
  return { author, reader, workspaceId, tell }
}

test('the preference is automatic before the first change, is changed by PATCH and refuses other words', async () => {
  const ada = await person()
  const before = await as(ada).getPreferences({})
  assert.is(before.preferences?.emailDigest, 'automatic')
  const { preferences } = await wish(ada, 'weekly')
  assert.is(preferences?.emailDigest, 'weekly')
  const dueAt = await dueOf(ada)
  const local = dueAt?.toLocaleString('en-GB', { timeZone: 'Europe/Paris', weekday: 'long', hour: 'numeric' })
  assert.match(local ?? '', /Monday.*08/)
  assert.equal(
    (await refusal(wish(ada, 'hourly'))).info.violations.map(({ path }) => path),
    ['emailDigest'],
  )
  assert.is((await wish(ada, 'off')).preferences?.emailDigest, 'off')
})

test('8:00 is that of the time zone in the member’s settings', async () => {
  const ada = await person({ timezone: 'Asia/Tokyo' })
  await wish(ada, 'daily')
  const dueAt = await dueOf(ada)
  assert.is(dueAt?.toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo' }), '08:00:00')
})

test('what is unread comes in one mail by kind, with excerpts and links, once', async () => {
  const { reader, tell } = await team('daily', { language: 'en' })
  const pageId = newId()
  await tell('comment.created', { id: newId(), pageId, title: 'Menu', content: 'Very good' })
  await tell('page.created', { title: 'Pool', excerpt: 'Open <late>' })
  const read = newId()
  await tell('page.created', { id: read, title: 'Read already' })
  assert.is((await itemsOf(reader)).length, 3)
  const inbox = host.as(NotificationService, reader.userId)
  const { data } = await inbox.listNotifications({ limit: 10 })
  await inbox.markRead({ id: data[0]?.id ?? '' })
  assert.equal(await mailsNow(reader), [])
  await makeDue(reader)
  const [mail, ...otherMails] = await mailsOf(reader)
  assert.equal([mail.subject, otherMails], ['Platform: 2 updates', []])
  assert.match(mail.html, /New pages<\/h2>.*Pool.*Open &lt;late&gt;.*Comments<\/h2>.*Very good/s)
  assert.match(mail.html, `href="http://localhost:8080/pages/${pageId}"`)
  assert.not.match(mail.html, 'Read already')
  for (const part of ['NEW PAGES', 'Open <late>', `/pages/${pageId}`, 'Open my notifications', 'unsubscribe/'])
    assert.match(mail.text, part)
  assert.is(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  await waitUntilSettled(reader)
  assert.equal(await itemsOf(reader), [])
  // Nothing new: no mail.
  await makeDue(reader)
  await handled(reader)
  assert.is((await mailsNow(reader)).length, 1)
  const { rows } = await sql<{ status: string }>`
    select status from receivers where member_id = ${reader.id} order by notification_id
  `.execute(db)
  assert.equal(
    rows.map(({ status }) => status),
    ['delivered', 'delivered', 'read'],
  )
})

test('a digest shows the newest 20 and says how many more wait', async () => {
  const { reader, tell } = await team('weekly')
  for (let n = 0; n < 23; n++) await tell('page.created', { id: newId(), title: `Menu ${n}` })
  await makeDue(reader)
  const [mail] = await mailsOf(reader)
  assert.is(mail.subject, 'Platform\u00a0: 23 nouveautés')
  assert.is(mail.html.match(/« ?Menu|«\u00a0Menu/g)?.length >= 20, true)
  assert.match(mail.text, '3 autres vous attendent')
  assert.not.match(mail.text, /Menu [012]\u00a0/)
  assert.match(mail.text, 'Menu 22')
})

test('two events of one occurrence are one entry, and urgent messages are mailed at once', async () => {
  const { author, reader, workspaceId, tell } = await team('daily')
  const occurrence = newId()
  for (const channels of [['socket', 'app'], ['email'], ['email', 'push']]) {
    const body = during(occurrence, pageCreated(workspaceId, author, [reader], { channels }))
    await waitUntilHandled(await publish('page.created', body))
  }
  assert.is((await itemsOf(reader)).length, 1)
  await tell('page.reminded', { title: 'Fire drill' })
  await tell('page.created', { id: newId(), title: 'Evacuation' }, { priority: 3 })
  const mails = await mailsOf(reader, 2)
  assert.equal(mails.map(({ subject }: { subject: string }) => subject).toSorted(), [
    'Bob Martin a publié «\u00a0Evacuation\u00a0»',
    'Rappel\u00a0: merci de lire «\u00a0Fire drill\u00a0»',
  ])
  assert.is((await itemsOf(reader)).length, 1)
})

test('turning digests off sends what was collected, and mails are single from then on', async () => {
  const { reader, tell } = await team('daily')
  await tell('page.created', { title: 'Before' })
  await wish(reader, 'off')
  const [mail] = await mailsOf(reader)
  assert.is(mail.subject, 'Platform\u00a0: 1 nouveauté')
  await tell('page.created', { id: newId(), title: 'After' })
  assert.is((await mailsOf(reader, 2)).at(-1).subject, 'Bob Martin a publié «\u00a0After\u00a0»')
})

test('do-not-disturb, silence and quiet hours delay a digest, and lose nothing of it', async () => {
  const { reader, tell } = await team('daily')
  await tell('page.created', { title: 'Menu' })
  await as(reader).setDoNotDisturb({ duration: 3600 })
  await makeDue(reader)
  await handled(reader)
  const until = (await as(reader).getPreferences({})).preferences?.dndUntil
  const end = Number(until?.seconds) * 1_000 + Math.round((until?.nanos ?? 0) / 1e6)
  const regular = nextDigest({ ...defaultSchedule, frequency: 'daily' }, 'Europe/Paris', new Date()).getTime()
  assert.is(Number(await dueOf(reader)), Math.min(end, regular))
  await as(reader).endDoNotDisturb({})
  await as(reader).setGlobalSilence({})
  await makeDue(reader)
  await handled(reader)
  assert.is((await dueOf(reader))?.toLocaleTimeString('en-GB', { timeZone: 'Europe/Paris' }), '08:00:00')
  await as(reader).endGlobalSilence({})
  // A zone without summer time.
  const zone = 'Asia/Seoul'
  const formatTime = (minutes: number) =>
    new Date(Date.now() + minutes * 60_000).toLocaleTimeString('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
    })
  const quietHours = { enabled: true, start: formatTime(-60), end: formatTime(90), timezone: zone }
  await as(reader).updatePreferences({ quietHours, updateMask: { paths: ['quiet_hours'] } })
  await tell('page.created', { id: newId(), title: 'In the night' })
  await makeDue(reader)
  await handled(reader)
  const dueAt = await dueOf(reader)
  assert.is(dueAt?.toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }), quietHours.end)
  assert.equal(await mailsNow(reader), [])
  await as(reader).updatePreferences({ updateMask: { paths: ['quiet_hours'] } })
  await makeDue(reader)
  const [mail] = await mailsOf(reader)
  assert.is(mail.subject, 'Platform\u00a0: 2 nouveautés')
})

test('a digest comes at its next regular time after a long do-not-disturb ends early', async () => {
  const { reader, tell } = await team('daily')
  await tell('page.created', { title: 'Menu' })
  await as(reader).setDoNotDisturb({ duration: 31_536_000 })
  await makeDue(reader)
  await handled(reader)
  await as(reader).endDoNotDisturb({})
  assert.equal(await dueOf(reader), nextDigest({ ...defaultSchedule, frequency: 'daily' }, 'Europe/Paris', new Date()))
})

test('what a digest holds that failed four times comes with the next one', async () => {
  const { reader, tell } = await team('daily')
  await tell('page.created', { title: 'Menu' })
  await sandbox.control({ provider: 'email', mode: '500', times: 4 })
  await makeDue(reader)
  await eventually(async () => {
    const deliveries = await db.selectFrom('deliveries').select('status').where('member_id', '=', reader.id).execute()
    return deliveries[0]?.status === 'failed'
  })
  const [item] = await itemsOf(reader)
  assert.is(item?.delivery_id, null)
  await sandbox.control({ provider: 'email', mode: 'ok' })
  await tell('page.created', { id: newId(), title: 'Pool' })
  await makeDue(reader)
  assert.is((await mailsOf(reader))[0].subject, 'Platform\u00a0: 2 nouveautés')
})

test('the unsubscribe link of a digest ends mails of every kind', async () => {
  const { reader, tell } = await team('daily')
  await tell('page.created', { title: 'Menu' })
  await makeDue(reader)
  const [mail] = await mailsOf(reader)
  const token = /unsubscribe\/([\w.-]+)>/.exec(mail.headers['list-unsubscribe'])?.[1] ?? ''
  const answer = await host.client(PreferenceService).unsubscribe({ token })
  assert.is(answer.category, 'digest')
  await tell('page.created', { id: newId(), title: 'Pool' })
  await tell('comment.created', { id: newId(), pageId: newId(), content: 'Hm' })
  assert.equal(await itemsOf(reader), [])
  const { preferences } = await as(reader).getPreferences({})
  assert.equal(
    ['page.created', 'comment.created', 'message.direct'].map(kind => preferences?.categoryPrefs[kind]?.email),
    [false, false, false],
  )
})

test('what a digest leaves out of a closed workspace counts as undelivered and comes once that is open again', async () => {
  const { author, reader, tell } = await team('daily')
  const other = await workspace(author, reader)
  await tell('page.created', { title: 'Menu' })
  const body = pageCreated(other, author, [reader], { channels: ['email'] })
  await waitUntilHandled(
    await publish('page.created', { ...body, payload: { ...body.payload, id: newId(), title: 'Pool' } }),
  )
  const countOf = async () => {
    const { delivered_count } = await db
      .selectFrom('notifications')
      .select('delivered_count')
      .where('workspace_id', '=', other)
      .executeTakeFirstOrThrow()
    return delivered_count
  }
  await world.suspend(other, reader)
  await makeDue(reader)
  const [first] = await mailsOf(reader)
  await waitUntilSettled(reader)
  assert.is(first.subject, 'Platform\u00a0: 1 nouveauté')
  assert.equal([(await itemsOf(reader)).length, await countOf()], [1, 0])
  await world.change(other, reader, "status = 'active'")
  await makeDue(reader)
  const second = (await mailsOf(reader, 2)).at(-1)
  await waitUntilSettled(reader)
  assert.match(second.text, 'Pool')
  assert.not.match(second.text, 'Menu')
  assert.equal([(await itemsOf(reader)).length, await countOf()], [0, 1])
})

test('nothing is shown of a workspace that the member has left, and an erased member leaves no row', async () => {
  const { reader, workspaceId, tell } = await team('daily')
  await tell('page.created', { title: 'Secret' })
  await world.leave(workspaceId, reader)
  await makeDue(reader)
  await waitUntilSettled(reader)
  assert.equal(await mailsNow(reader), [])
  assert.is((await itemsOf(reader)).length, 1)
  const queued = await db.selectFrom('deliveries').select('status').where('member_id', '=', reader.id).execute()
  assert.equal(queued, [], 'no digest fails every day')
  const body = { type: 'member.erased', workspaceId, payload: { id: reader.id, memberId: reader.id } }
  await host.bus.publish('platform.member.erased', JSON.stringify(body), { id: newId() })
  await eventually(async () => (await itemsOf(reader)).length === 0 && (await dueOf(reader)) === undefined)
})

test.run()
