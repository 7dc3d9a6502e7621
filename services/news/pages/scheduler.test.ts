import { assert, eventually } from '../../../test/kit/kit.ts'
import { body, newsSuite } from '../../../test/kit/news.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { createLog, silentLog } from '../../kernel/process/log.ts'
import { type DirectoryViews, memberDirectory } from '../members.ts'
import { type NewsTables, tenantTables } from '../tables.ts'
import { newScheduler } from './scheduler.ts'

const { test, world } = await newsSuite('scheduler')

function replica(log = silentLog) {
  const db = openDatabase<NewsTables>(world.host.databaseUrl('news'), { tables: tenantTables })
  const memberDb = openDatabase<DirectoryViews>(world.host.databaseUrl('member'))
  const scheduler = newScheduler({ ...world.host, db, members: memberDirectory(memberDb), log })
  const stop = async () => {
    await scheduler.stop()
    await Promise.all([closeDatabase(db), closeDatabase(memberDb)])
  }
  return { scheduler, stop }
}

const statusOf = async (id: string) => (await world.rows('select * from pages where id = ?', [id]))[0]

test('a due draft is published once by any number of replicas, on push and socket', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    const { page } = await editor.pages.createPage({ title: `Due ${i}`, content: body, workspaceId })
    ids.push(page?.id ?? '')
  }
  const { page: later } = await editor.pages.createPage({ title: 'Later', content: body, workspaceId })
  const { page: deletedPage } = await editor.pages.createPage({ title: 'Gone', content: body, workspaceId })
  await world.rows('update pages set scheduled_at = now(3) - interval 1 second where id in (?)', [
    [...ids, deletedPage?.id],
  ])
  await world.rows('update pages set scheduled_at = now(3) + interval 1 hour where id = ?', [later?.id])
  await editor.pages.deletePage({ id: deletedPage?.id ?? '' })
  const replicas = [replica(), replica(), replica()]
  await Promise.all(replicas.map(({ scheduler }) => scheduler.run()))
  await Promise.all(replicas.map(({ stop }) => stop()))
  // The service's own scheduler may hold some of these pages and publishes those.
  await eventually(async () => (await Promise.all(ids.map(statusOf))).every(row => row?.['status'] === 'published'))
  for (const id of ids) {
    const row = await statusOf(id)
    assert.is(row?.['status'], 'published')
    assert.ok(row?.['published_at'])
    assert.is(row?.['scheduled_at'], null)
    const events = (await world.events('page.created')).filter(event => event.payload['id'] === id)
    assert.equal(
      events.map(event => event.channels),
      [['socket'], ['push', 'socket']],
    )
    assert.equal(events[0]?.metadata.actor, { id: editor.memberId, name: 'Edith Lind', type: 'member' })
  }
  assert.is((await statusOf(later?.id ?? ''))?.['status'], 'draft')
  assert.is((await statusOf(deletedPage?.id ?? ''))?.['status'], 'draft')
  assert.is((await editor.pages.listPages({ workspaceId, status: 'published' })).meta?.total, 5)
})

test('a page that cannot be published is retried less and less often and does not block the others', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const create = async () =>
    (await editor.pages.createPage({ title: 'Due', content: body, workspaceId })).page?.id ?? ''
  const [brokenId, validId] = [await create(), await create()]
  // Its event can't be written.
  await world.rows("update pages set medias = '{', scheduled_at = now(3) - interval 2 second where id = ?", [brokenId])
  await world.rows('update pages set scheduled_at = now(3) - interval 1 second where id = ?', [validId])
  const timeOf = async (text: string, values: unknown[] = []) =>
    Math.round(Number((await world.rows(`select unix_timestamp(${text}) * 1000 as t`, values))[0]?.['t']))
  /** Asserts that the page waits this many seconds, counted from a moment between `startedAt` and now. */
  const assertPause = async (seconds: number, startedAt: number): Promise<void> => {
    const until = await timeOf('(select publish_retry_at from pages where id = ?)', [brokenId])
    const from = until - seconds * 1_000
    assert.ok(startedAt <= from && from <= (await timeOf('now(3)')), `${from - startedAt} ms after it began`)
  }
  const [first, { scheduler, stop }] = [await timeOf('now(3)'), replica()]
  await scheduler.run()
  assert.is((await statusOf(validId))?.['status'], 'published')
  await assertPause(60, first)
  await world.rows('update pages set publish_retry_at = now(3) - interval 1 second where id = ?', [brokenId])
  const second = await timeOf('now(3)')
  await scheduler.run()
  await assertPause(120, second)
  assert.is((await statusOf(brokenId))?.['publish_failures'], 2)
  // A hotel that was closed for years.
  await world.rows('update pages set publish_retry_at = now(3), publish_failures = 2000 where id = ?', [brokenId])
  await scheduler.run()
  assert.is((await statusOf(brokenId))?.['publish_failures'], 2001)
  await stop()
})

test('a due draft of a closed workspace waits without an error, and is published once the workspace is open', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const { page } = await editor.pages.createPage({ title: 'Due', content: body, workspaceId })
  const id = page?.id ?? ''
  await world.members('update workspaces set is_active = 0 where id = ?', [workspaceId])
  await world.rows('update pages set scheduled_at = now(3) - interval 1 second where id = ?', [id])
  const lines: string[] = []
  const loggingReplica = replica(createLog('test', 'debug', { write: line => lines.push(line) }))
  await loggingReplica.scheduler.run()
  await loggingReplica.stop()
  const levels = lines.map(line => JSON.parse(line) as { pageId?: string; level: number })
  assert.equal(
    levels.filter(line => line.pageId === id).map(line => line.level),
    [30],
  )
  assert.is((await statusOf(id))?.['publish_failures'], 1)
  await world.members('update workspaces set is_active = 1 where id = ?', [workspaceId])
  await world.rows('update pages set publish_retry_at = now(3) - interval 1 second where id = ?', [id])
  const open = replica()
  await open.scheduler.run()
  await open.stop()
  assert.is((await statusOf(id))?.['status'], 'published')
})

test.run()
