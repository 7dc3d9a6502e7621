import { sql } from 'kysely'
import { MustReadService } from '../../../gen/platform/news/v1/must_read_pb.ts'
import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { editorial } from '../../../test/kit/notification/editorial.ts'
import { notificationsForTest, type Someone } from '../../../test/kit/notification/notification.ts'
import { service as news } from '../../news/service.ts'

const test = suite('reminders of deadlines by mail')
const world = await notificationsForTest({}, [news])
const { host, db, sandbox, person, publish, waitUntilHandled } = world
const { team, close } = editorial(world)
test.after(async () => {
  await close()
  await world.end()
})

const dueAt = new Date('2030-06-03T16:00:00Z')
const mailsOf = async (one: Someone) => (await sandbox.call('GET', `/_inbox?to=${one.email}`)).json.data
const preferencesOf = (one: Someone) => host.as(PreferenceService, one.userId)
const waiting = (...people: Someone[]) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'due_at'])
    .where('lane', '=', 'email')
    .where('status', '=', 'pending')
    .where(
      'member_id',
      'in',
      people.map(({ id }) => id),
    )
    .execute()

/** A must-read page, and the reminder that the news service sends on the day before its deadline. */
async function remindable(...readers: Someone[]) {
  const readerTeam = await team(...readers)
  const pageId = await readerTeam.publish({ title: 'Fire drill' })
  await readerTeam.mustRead(pageId, dueAt)
  const remind = async () => {
    const payload = {
      id: pageId,
      title: 'Fire drill',
      pageType: 'article',
      dueAt: dueAt.toISOString(),
      dueDay: 'tomorrow',
    }
    const event = {
      workspaceId: readerTeam.workspaceId,
      workspaceName: 'Hotel Azur',
      payload: { ...payload, excerpt: 'Meet in the yard' },
      channels: ['push', 'email', 'socket', 'app'],
      priority: 2,
      metadata: {
        timestamp: new Date().toISOString(),
        actor: { id: 'system', name: 'Platform', type: 'system' },
        receiverIds: readers.map(({ id }) => id),
      },
    }
    await waitUntilHandled(await publish('page.due', event))
  }
  return { ...readerTeam, pageId, remind }
}

/** Ends the quiet hours of waiting mails. */
const endQuiet = async (...people: Someone[]) => {
  for (const one of people) await preferencesOf(one).updatePreferences({ updateMask: { paths: ['quiet_hours'] } })
  await sql`
    update deliveries set due_at = utc_timestamp(3)
    where status = 'pending' and member_id in (${sql.join(people.map(({ id }) => id))})
  `.execute(db)
  await eventually(async () => (await waiting(...people)).length === 0)
}

/** A time of day in UTC, some hours from now. */
const hourFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)

const beQuiet = (one: Someone) =>
  preferencesOf(one).updatePreferences({
    quietHours: { enabled: true, start: hourFromNow(-1), end: hourFromNow(1), timezone: 'Etc/UTC' },
    updateMask: { paths: ['quiet_hours'] },
  })

test('a reminder is mailed at once, in the reader’s language, with deadline, summary and a way to end such mails', async () => {
  const [ada, eve, bob] = [await person(), await person({ language: 'en' }), await person()]
  const { pageId, remind } = await remindable(ada, eve, bob)
  // Reminders don't wait for a digest.
  await preferencesOf(ada).updatePreferences({ emailDigest: 'daily', updateMask: { paths: ['email_digest'] } })
  const categoryPrefs = { 'page.due': { email: false } }
  await preferencesOf(bob).updatePreferences({ categoryPrefs, updateMask: { paths: ['category_prefs'] } })
  await remind()
  await eventually(async () => (await mailsOf(ada)).length + (await mailsOf(eve)).length === 2)
  const [french] = await mailsOf(ada)
  const [english] = await mailsOf(eve)
  assert.is(french.subject, 'Échéance demain\u00a0: merci de lire «\u00a0Fire drill\u00a0»')
  assert.is(english.subject, 'Due tomorrow: please read “Fire drill”')
  for (const part of ['3 June 2030 at 18:00 (Europe/Paris)', 'Meet in the yard', `/pages/${pageId}`])
    assert.ok(english.text.includes(part), english.text)
  assert.is(english.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  const token = /unsubscribe\/([\w.-]+)>/.exec(english.headers['list-unsubscribe'])?.[1] ?? ''
  assert.is((await host.client(PreferenceService).unsubscribe({ token })).category, 'page.due')
  assert.equal([await mailsOf(bob), await waiting(bob)], [[], []])
})

test('a reminder waits for the end of quiet hours, and isn’t mailed to who has confirmed meanwhile', async () => {
  const [ada, eve] = [await person(), await person()]
  const { pageId, remind } = await remindable(ada, eve)
  for (const one of [ada, eve]) await beQuiet(one)
  await remind()
  assert.is((await waiting(ada, eve)).filter(({ due_at }) => due_at && due_at > new Date()).length, 2)
  await host.as(MustReadService, ada.userId).acknowledgePage({ pageId })
  await endQuiet(ada, eve)
  assert.equal([(await mailsOf(ada)).length, (await mailsOf(eve)).length], [0, 1])
})

test('a reminder that waited isn’t mailed once its deadline has moved, or its page is hidden', async () => {
  const [ada, eve] = [await person(), await person()]
  const [movedPage, hiddenPage] = [await remindable(ada), await remindable(eve)]
  for (const one of [ada, eve]) await beQuiet(one)
  await movedPage.remind()
  await hiddenPage.remind()
  assert.is((await waiting(ada, eve)).length, 2)
  await movedPage.mustRead(movedPage.pageId, new Date('2031-01-01T12:00:00Z'))
  await hiddenPage.asEditor.archivePage({ id: hiddenPage.pageId })
  await eventually(async () => (await waiting(eve)).length === 0)
  await endQuiet(ada, eve)
  assert.equal([await mailsOf(ada), await mailsOf(eve)], [[], []])
})

test.run()
