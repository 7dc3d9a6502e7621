import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { assert, suite } from '../../../test/kit/kit.ts'
import { body, nearDeadline, newsForTest } from '../../../test/kit/news.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { type DirectoryViews, type MemberDirectory, memberDirectory } from '../members.ts'
import { type NewsTables, tenantTables } from '../tables.ts'
import type { DeadlineRow } from './deadlines.sql.ts'
import { dueReminder, remindOfDeadlines } from './deadlines.ts'

const test = suite('reminders of deadlines')
const world = await newsForTest()
const db = openDatabase<NewsTables>(world.host.databaseUrl('news'), { tables: tenantTables })
const memberDb = openDatabase<DirectoryViews>(world.host.databaseUrl('member'))
test.after(async () => {
  await Promise.all([closeDatabase(db), closeDatabase(memberDb)])
  await world.end()
})

/** A run of another process, which has cached nothing. */
const run = (change: Partial<MemberDirectory> = {}) =>
  remindOfDeadlines({ db, members: { ...memberDirectory(memberDb), ...change }, logFailure: () => {} })

async function scene() {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const [ben, cleo] = [await world.person(workspaceId, [], 'Ben'), await world.person(workspaceId, [], 'Cleo')]
  const fields = { title: 'Fire drill', excerpt: 'Read it', content: body, workspaceId, status: 'published' }
  const pageId = (await editor.pages.createPage(fields)).page?.id ?? ''
  await editor.mustReads.setMustRead({ pageId })
  const near = (days: number) => nearDeadline(world, { pageId, workspaceId }, days)
  const reminders = async () => (await world.events('page.due')).filter(event => event.payload['id'] === pageId)
  return { workspaceId, editor, ben, cleo, pageId, near, reminders }
}

test('who has not confirmed is reminded once on the day before and once on the day, by any number of processes', async () => {
  const { ben, cleo, pageId, near, reminders } = await scene()
  await ben.mustReads.acknowledgePage({ pageId })
  await near(2)
  await run()
  assert.equal(await reminders(), [])
  await near(1)
  await Promise.all([run(), run(), run()])
  const [first, ...otherReminders] = await reminders()
  assert.equal(otherReminders, [])
  assert.equal(
    [first?.payload['dueDay'], first?.payload['excerpt'], first?.channels.toSorted()],
    ['tomorrow', 'Read it', ['app', 'email', 'push', 'socket']],
  )
  assert.equal([first?.metadata.receiverIds, first?.metadata.actor.type], [[cleo.memberId], 'system'])
  await near(0)
  await Promise.all([run(), run()])
  assert.equal(
    (await reminders()).map(({ payload }) => payload['dueDay']),
    ['tomorrow', 'today'],
  )
})

test('nobody is reminded of a silent page', async () => {
  const { pageId, near, reminders } = await scene()
  await world.rows('update pages set is_silent = 1 where id = ?', [pageId])
  await near(1)
  await run()
  assert.equal(await reminders(), [])
})

test('nobody is reminded of a page that is hidden or optional again, nor when the deadline moved, and nobody who left', async () => {
  const [hiddenScene, optionalScene, movedScene, leaverScene] = [
    await scene(),
    await scene(),
    await scene(),
    await scene(),
  ]
  // First, because the service looks for deadlines by itself, too.
  await hiddenScene.editor.pages.archivePage({ id: hiddenScene.pageId })
  await optionalScene.editor.mustReads.removeMustRead({ pageId: optionalScene.pageId })
  for (const one of [hiddenScene, optionalScene, leaverScene]) await one.near(1)
  await movedScene.near(5)
  await world.members('update workspace_members set left_at = now(3) where member_id = ?', [leaverScene.ben.memberId])
  await run()
  for (const one of [hiddenScene, optionalScene, movedScene]) assert.equal(await one.reminders(), [])
  const [reminder] = await leaverScene.reminders()
  assert.equal(reminder?.metadata.receiverIds, [leaverScene.cleo.memberId])
  await movedScene.near(1)
  await run()
  assert.is((await movedScene.reminders()).length, 1)
  const dueAt = timestampFromDate(new Date(Date.now() + 5 * 86_400_000))
  await movedScene.editor.mustReads.setMustRead({ pageId: movedScene.pageId, dueAt })
  await movedScene.near(1)
  await run()
  assert.is((await movedScene.reminders()).length, 2, 'a new deadline has its own reminders')
})

test('a hotel that fails keeps nobody else’s reminders waiting, and gets its own by the next run', async () => {
  const [failing, other] = [await scene(), await scene()]
  for (const one of [failing, other]) await one.near(1)
  const { audience } = memberDirectory(memberDb)
  // The failure comes first and last, whichever hotel is read first.
  const failsFor = (failingId: string) => (id: string) =>
    id === failingId ? Promise.reject(new Error('no audience')) : audience(id)
  await run({ audience: failsFor(failing.workspaceId) })
  await run({ audience: failsFor(other.workspaceId) })
  for (const one of [failing, other]) assert.is((await one.reminders()).length, 1)
})

test('an unknown time zone counts as the default one', async () => {
  const { workspaceId, near } = await scene()
  await near(1)
  for (const timezone of ['Mars/X', null, '', 5]) {
    const settings = JSON.stringify({ timezone })
    await world.members('update workspaces set settings = ? where id = ?', [settings, workspaceId])
    assert.is(await memberDirectory(memberDb).timeZone(workspaceId), 'Europe/Paris', String(timezone))
    assert.type(await run(), 'number')
  }
})

test('the hour is that of the workspace, and people who learn of a deadline later that day are not reminded', () => {
  const dueAt = '2026-06-04T16:00:00Z'
  const reminderAt = (now: string, change: Partial<DeadlineRow> = {}) => {
    const publicationDate = new Date('2026-06-01T00:00:00Z')
    const times = {
      due_at: new Date(dueAt),
      due_set_at: publicationDate,
      published_at: publicationDate,
      now: new Date(now),
    }
    return dueReminder({ ...times, due_reminder: 0, ...change } as DeadlineRow, { timezone: 'Europe/Paris' })?.dueDay
  }
  assert.is(reminderAt('2026-06-02T20:00:00Z'), undefined)
  assert.is(reminderAt('2026-06-03T05:59:59Z'), undefined)
  assert.is(reminderAt('2026-06-03T06:00:00Z'), 'tomorrow')
  assert.is(reminderAt('2026-06-03T21:00:00Z', { due_reminder: 1 }), undefined)
  assert.is(reminderAt('2026-06-04T05:00:00Z'), undefined)
  assert.is(reminderAt('2026-06-04T06:00:00Z', { due_reminder: 1 }), 'today')
  assert.is(reminderAt('2026-06-04T07:00:00Z', { due_reminder: 2 }), undefined)
  const later = new Date('2026-06-03T07:00:00Z')
  for (const change of [{ published_at: later }, { due_set_at: later }]) {
    assert.is(reminderAt('2026-06-03T08:00:00Z', change), undefined)
    assert.is(reminderAt('2026-06-04T06:00:00Z', change), 'today')
  }
})

test.run()
