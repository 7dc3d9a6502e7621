import { sql } from 'kysely'
import { MustReadService } from '../../../gen/platform/news/v1/must_read_pb.ts'
import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { digestsIn } from '../../../test/kit/notification/digests.ts'
import { editorial } from '../../../test/kit/notification/editorial.ts'
import { hotelLooks } from '../../../test/kit/notification/look.ts'
import { notificationsForTest, type Someone } from '../../../test/kit/notification/notification.ts'
import { service as hotel } from '../../hotel/service.ts'
import { service as news } from '../../news/service.ts'

const test = suite('news by mail')
const world = await notificationsForTest({}, [hotel, news])
const { host, db, sandbox, members, person } = world
const looks = hotelLooks(world)
const { team, pages, close } = editorial(world)
test.after(async () => {
  await looks.close()
  await close()
  await world.end()
})

const { preferencesOf, wish, dueOf, makeDue, handled, mailsOf } = digestsIn(world)
/** The mails of a digest that comes now. */
const mailsAfter = async (one: Someone) => {
  await makeDue(one)
  await handled(one)
  return mailsOf(one)
}
/** Makes a member have been here this number of days ago. */
const lastSeen = (one: Someone, days: number) =>
  sql`
    insert into member_activity (member_id, seen_at) values (${one.id}, utc_timestamp(3) - interval ${days} day)
    on duplicate key update seen_at = values(seen_at)
  `.execute(members)
/** A member without a choice, whose client has not called for this number of days. */
const stayAway = async (one: Someone, days: number) => {
  await sql`
    insert into digests (member_id, frequency, due_at, news_since)
    values (${one.id}, 'automatic', utc_timestamp(3) + interval 1 day, utc_timestamp(3) - interval 30 day)
  `.execute(db)
  await lastSeen(one, days)
}

test('a digest lists unread pages, must-reads first, with summary and picture, in the look of the hotel', async () => {
  const reader = await person({ language: 'en', timezone: 'America/New_York' })
  const { workspaceId, publish, mustRead } = await team(reader)
  await looks.set(workspaceId, { name: 'Le Phare', colour: '#7a1f3d' })
  const picture = { fileUrl: 'https://cdn.example/pool.png', thumbnailUrl: 'https://cdn.example/s.png', type: 'image' }
  const read = await publish({ title: 'Read already' })
  await host.as(PageService, reader.userId).getPage({ id: read })
  const drill = await publish({ title: 'Fire drill', hoursAgo: 3 })
  await mustRead(drill, new Date('2030-06-03T16:00:00Z'))
  const pool = await publish({ title: 'Pool', excerpt: 'Open <late>', medias: [picture] })
  await publish({ title: 'Silent', isSilent: true })
  await wish(reader, 'daily')
  const [mail, ...otherMails] = await mailsAfter(reader)
  assert.equal([mail.subject, mail.from, otherMails], ['Le Phare: 2 updates', 'Le Phare <hotel@platform.example>', []])
  assert.match(
    mail.html,
    /To read and confirm<\/h2>.*Fire drill.*Confirm by Monday,? 3 June 2030 at 12:00.*News<\/h2>.*Pool.*Open &lt;late&gt;.*cdn\.example\/s\.png/s,
  )
  for (const part of [`/pages/${drill}`, `/pages/${pool}`, '#7a1f3d', 'Open the news']) assert.match(mail.html, part)
  for (const part of ['TO READ AND CONFIRM', '- Pool\n  Open <late>\n', `/pages/${pool}`, 'Le Phare\n'])
    assert.match(mail.text, part)
  assert.not.match(mail.text, /Read already|Silent/)
  assert.is(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  assert.is((await mailsAfter(reader)).length, 1, 'nothing new: no second mail')
  await publish({ title: 'Later', hoursAgo: 0 })
  await sql`update pages set published_at = utc_timestamp(3) - interval 61 second where title = 'Later'`.execute(pages)
  await sql`update digests set news_since = utc_timestamp(3) - interval 2 minute where member_id = ${reader.id}`.execute(
    db,
  )
  const later = (await mailsAfter(reader)).at(-1)
  assert.equal(later.subject, 'Le Phare: 1 update', 'only what came since the last digest')
})

test('a weekly digest that becomes a daily one still lists what came since the last one', async () => {
  const reader = await person()
  const { publish } = await team(reader)
  await publish({ title: 'Menu', hoursAgo: 72 })
  await wish(reader, 'weekly')
  await wish(reader, 'daily')
  assert.match((await mailsAfter(reader))[0]?.text ?? '', 'Menu')
})

test('a digest lists ten pages and says how many more there are', async () => {
  const reader = await person()
  const { publish } = await team(reader)
  for (let n = 1; n <= 13; n++) await publish({ title: `Menu ${n}.`, hoursAgo: n })
  await wish(reader, 'daily')
  const [mail] = await mailsAfter(reader)
  assert.is(mail.subject, 'Platform\u00a0: 13 nouveautés')
  assert.equal(
    [mail.text.match(/Menu \d+\./g)?.length, mail.text.includes('3 autres pages vous attendent.')],
    [10, true],
  )
  assert.not.match(mail.text, 'Menu 11.')
})

test('without a choice, only who has not been here for seven days gets a digest, of what came since', async () => {
  const [absentMember, activeMember, unseenMember, mutedMember] = [
    await person(),
    await person(),
    await person(),
    await person(),
  ]
  const { publish } = await team(absentMember, activeMember, unseenMember, mutedMember)
  await stayAway(absentMember, 9)
  await stayAway(activeMember, 6)
  await sql`insert into digests (member_id, frequency, due_at) values (${unseenMember.id}, 'automatic', null)`.execute(
    db,
  )
  await wish(mutedMember, 'off')
  await lastSeen(mutedMember, 30)
  await publish({ title: 'Seen then', hoursAgo: 24 * 10 })
  await publish({ title: 'Missed', hoursAgo: 24 * 8 })
  await publish({ title: 'Fresh' })
  await makeDue(absentMember, activeMember, unseenMember, mutedMember)
  for (const one of [absentMember, activeMember, unseenMember, mutedMember]) await handled(one)
  const [mail, ...otherMails] = await mailsOf(absentMember)
  assert.equal([mail.subject, otherMails.length], ['Platform\u00a0: 2 nouveautés', 0])
  assert.match(mail.text, /Fresh.*Missed/s)
  assert.is((await mailsOf(unseenMember))[0]?.subject, 'Platform\u00a0: 1 nouveauté', 'a week back')
  assert.equal([await mailsOf(activeMember), await mailsOf(mutedMember)], [[], []])
  const local = (await dueOf(activeMember))?.toLocaleString('en-GB', { timeZone: 'Europe/Paris' })
  const dueAt = await dueOf(activeMember)
  assert.match(
    dueAt?.toLocaleString('en-GB', { timeZone: 'Europe/Paris', weekday: 'long', hour: 'numeric' }) ?? '',
    /Monday.*08/,
    local,
  )
  await lastSeen(activeMember, 8)
  assert.is((await mailsAfter(activeMember))[0]?.subject, 'Platform\u00a0: 1 nouveauté')
})

test('quiet hours hold a digest back, and the next one comes at the chosen hour and day', async () => {
  const reader = await person({ timezone: 'Asia/Seoul' })
  const { publish } = await team(reader)
  await publish({ title: 'Menu' })
  const formatTime = (minutes: number) =>
    new Date(Date.now() + minutes * 60_000).toLocaleTimeString('en-GB', {
      timeZone: 'Asia/Seoul',
      hour: '2-digit',
      minute: '2-digit',
    })
  const end = formatTime(90)
  await preferencesOf(reader).updatePreferences({
    emailDigest: 'weekly',
    digestHour: 17,
    digestWeekday: 5,
    quietHours: { enabled: true, start: formatTime(-60), end, timezone: 'Asia/Seoul' },
    updateMask: { paths: ['email_digest', 'digest_hour', 'digest_weekday', 'quiet_hours'] },
  })
  assert.equal(await mailsAfter(reader), [])
  const dueAt = await dueOf(reader)
  assert.is(dueAt?.toLocaleTimeString('en-GB', { timeZone: 'Asia/Seoul', hour: '2-digit', minute: '2-digit' }), end)
  await preferencesOf(reader).updatePreferences({ updateMask: { paths: ['quiet_hours'] } })
  const [mail] = await mailsAfter(reader)
  assert.is(mail.subject, 'Platform\u00a0: 1 nouveauté')
  const next = await dueOf(reader)
  const local = next?.toLocaleString('en-GB', { timeZone: 'Asia/Seoul', weekday: 'long', hour: 'numeric' })
  assert.match(local ?? '', /Friday.*17/)
})

test('one click ends the digest of who never asked for one, and leaves other mails', async () => {
  const reader = await person()
  const { publish } = await team(reader)
  await publish({ title: 'Menu' })
  await stayAway(reader, 8)
  const [mail] = await mailsAfter(reader)
  const token = /unsubscribe\/([\w.-]+)>/.exec(mail.headers['list-unsubscribe'])?.[1] ?? ''
  await host.client(PreferenceService).unsubscribe({ token })
  const { preferences } = await preferencesOf(reader).getPreferences({})
  assert.equal([preferences?.emailDigest, preferences?.categoryPrefs], ['off', {}])
  await publish({ title: 'Pool', hoursAgo: 0 })
  await lastSeen(reader, 30)
  assert.is(await dueOf(reader), null)
})

test('nothing is listed of a workspace that the reader has left, of a hotel without e-mails, or that is no longer public', async () => {
  const [leaver, muted, reader] = [await person(), await person(), await person()]
  const [leftTeam, silentTeam, openTeam] = [await team(leaver), await team(muted), await team(reader)]
  await leftTeam.publish({ title: 'Secret' })
  await looks.set(silentTeam.workspaceId, { name: 'Silence', colour: '#000000', emails: false })
  await silentTeam.publish({ title: 'Unsent' })
  const hiddenId = await openTeam.publish({ title: 'Hidden' })
  for (const one of [leaver, muted, reader]) await wish(one, 'daily')
  await world.leave(leftTeam.workspaceId, leaver)
  await openTeam.asEditor.archivePage({ id: hiddenId })
  for (const one of [leaver, muted, reader]) assert.equal(await mailsAfter(one), [])
  const byAuthor = await openTeam.publish({ title: 'Own' })
  await wish(openTeam.editor, 'daily')
  assert.equal([byAuthor.length, await mailsAfter(openTeam.editor)], [24, []])
})

test('a must-read stays listed until it is confirmed, also once it was opened', async () => {
  const [reader, other] = [await person(), await person()]
  const { publish, mustRead } = await team(reader, other)
  const id = await publish({ title: 'Fire drill' })
  await mustRead(id)
  for (const one of [reader, other]) await host.as(PageService, one.userId).getPage({ id })
  await host.as(MustReadService, other.userId).acknowledgePage({ pageId: id })
  for (const one of [reader, other]) await wish(one, 'weekly')
  assert.is((await mailsAfter(reader)).length, 1)
  assert.equal(await mailsAfter(other), [])
})

test('what a digest listed that failed four times is listed by the next one', async () => {
  const reader = await person()
  const { publish } = await team(reader)
  await publish({ title: 'Menu' })
  await wish(reader, 'daily')
  await sandbox.control({ provider: 'email', mode: '500', times: 4 })
  assert.equal(await mailsAfter(reader), [])
  await sandbox.control({ provider: 'email', mode: 'ok' })
  assert.match((await mailsAfter(reader))[0]?.text, 'Menu')
})

test.run()
