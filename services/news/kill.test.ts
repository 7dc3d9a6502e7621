import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { assert, eventually } from '../../test/kit/kit.ts'
import { body, newsSuite } from '../../test/kit/news.ts'
import type { Work } from '../../test/kit/news-worker.ts'
import { startProcess } from '../../test/kit/process.ts'

const { test, world } = await newsSuite('kill -9 of the news service')

/** Another process of the service over the same databases. */
function startWorker(work: Partial<Work>, failpoint = '') {
  const { env } = world.host
  const { child, stop } = startProcess(
    'test/kit/news-worker.ts',
    { ...process.env, FAILPOINT: failpoint, WORK: JSON.stringify({ env, token: '', ...work }) },
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  const answers: string[] = []
  createInterface({ input: child.stdout as Readable }).on('line', line => answers.push(line))
  // Its last answers may be read after its exit.
  const ended = once(child, 'close').then(([, signal]) => String(signal))
  return { answers, kill: () => void stop('SIGKILL'), ended }
}

/** All counters are exact, once the server has finished what the killed process had started. */
const isExact = (workspaceId: string) =>
  eventually(async () => (await world.host.client(PageService).recountPages({ workspaceId })).wrong === 0)

test('a due page is published once, also when a process dies while publishing', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const publishedQuery = "select 1 from pages where id in (?) and status = 'published'"
  const areOut = (ids: string[]) =>
    eventually(async () => (await world.rows(publishedQuery, [ids])).length === ids.length, 100_000)
  const comeDue = async (): Promise<string[]> => {
    const titles = [1, 2, 3].map(i => `Due ${i}`)
    const creations = titles.map(title => editor.pages.createPage({ title, content: body, workspaceId }))
    const ids = (await Promise.all(creations)).map(({ page }) => page?.id ?? '')
    await world.rows('update pages set scheduled_at = now(3) - interval 1 second where id in (?)', [ids])
    return ids
  }
  let ids = await comeDue()
  const doomed = startWorker({}, 'page-published')
  // This process's scheduler runs once a minute and may publish the pages first; then further pages are tried.
  while ((await Promise.race([doomed.ended, areOut(ids)])) === true) ids = await comeDue()
  assert.is(await doomed.ended, 'SIGKILL')
  const heir = startWorker({})
  await areOut(ids)
  heir.kill()
  await heir.ended
  for (const id of ids) {
    const events = (await world.events('page.created')).filter(event => event.payload['id'] === id)
    assert.equal(
      events.map(event => event.channels),
      [['socket'], ['push', 'socket']],
    )
  }
  await isExact(workspaceId)
})

test('every acknowledged view and comment survives kill -9, with its events and its count', async () => {
  const workspaceId = await world.hotel()
  const [editor, ben] = [await world.editor(workspaceId), await world.person(workspaceId, [], 'Ben')]
  const { page } = await editor.pages.createPage({ title: 'Busy', content: body, workspaceId, status: 'published' })
  const pageId = page?.id ?? ''
  const token = world.host.tokens.issue({ ...ben.claims, ...nobody, userId: ben.userId }, 900)
  const worker = startWorker({ pageId, token })
  const isView = (answer: string) => answer === 'view'
  await eventually(
    () => worker.answers.filter(isView).length > 200 && worker.answers.filter(one => !isView(one)).length > 100,
    120_000,
  )
  worker.kill()
  assert.is(await worker.ended, 'SIGKILL')

  const views = worker.answers.filter(isView).length
  // A view without an answer may be stored as well; an answered one must be.
  const storedViews = await world.rows('select id from page_views where page_id = ?', [pageId])
  assert.ok(storedViews.length >= views, `${views} answered, ${storedViews.length} stored`)
  const commentIds = async () =>
    (await world.rows<{ id: string }>('select id from comments where page_id = ?', [pageId])).map(({ id }) => id)
  const storedCommentIds = new Set(await commentIds())
  for (const id of worker.answers.filter(one => !isView(one))) assert.ok(storedCommentIds.has(id), id)
  // Rows are read before and after, because open transactions may still commit in between.
  await eventually(async () => {
    const events = (await world.events('comment.created')).filter(event => event.payload['pageId'] === pageId)
    return events.length === 2 * (await commentIds()).length
  })
  await isExact(workspaceId)
})

const nobody = { isAdmin: false, roles: [], permissions: [], kind: 'modern' as const, sessionId: null }

test.run()
