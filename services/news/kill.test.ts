import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { assert, eventually, suite } from '../kernel/testing.ts'
import { body, type NewsForTest, newsForTest } from './testing.ts'
import type { Work } from './testing-worker.ts'

const test = suite('sudden death of the news service')
let world: NewsForTest

test.before(async () => {
  world = await newsForTest()
})
test.after(() => world.end())

/** Another process of the service over the same databases. */
function startWorker(work: Partial<Work>, failpoint = '') {
  const { env } = world.host
  const file = fileURLToPath(new URL('./testing-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, FAILPOINT: failpoint, WORK: JSON.stringify({ env, token: '', ...work }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const answers: string[] = []
  createInterface({ input: child.stdout }).on('line', line => answers.push(line))
  const ended = once(child, 'close').then(([code, signal]) => {
    process.off('exit', kill)
    return String(signal ?? code)
  })
  return { answers, kill, ended }
}

/** No counter differs from what it counts, as soon as the server is done with what the dead process had begun. */
const isExact = (workspaceId: string) =>
  eventually(async () => (await world.host.client(PageService).recountPages({ workspaceId })).wrong === 0)

test('a page that is due is published once, also when a process dies while it publishes', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const ids = await Promise.all(
    [1, 2, 3].map(
      async i => (await editor.pages.createPage({ title: `Due ${i}`, content: body, workspaceId })).page?.id ?? '',
    ),
  )
  await world.rows('update pages set scheduled_at = now(3) - interval 1 second where id in (?)', [ids])
  const doomed = startWorker({}, 'page-published')
  assert.is(await doomed.ended, 'SIGKILL')
  const heir = startWorker({})
  await eventually(async () => {
    const rows = await world.rows("select 1 from pages where id in (?) and status = 'published'", [ids])
    return rows.length === ids.length
  }, 30_000)
  heir.kill()
  await heir.ended
  for (const id of ids) {
    const told = (await world.events('page.created')).filter(event => event.payload['id'] === id)
    assert.equal(
      told.map(event => event.channels),
      [['socket'], ['push', 'socket']],
    )
  }
  await isExact(workspaceId)
})

test('every view and every comment that was answered is there after kill -9, with its events and its count', async () => {
  const workspaceId = await world.hotel()
  const [editor, ben] = [await world.editor(workspaceId), await world.person(workspaceId, [], 'Ben')]
  const { page } = await editor.pages.createPage({ title: 'Busy', content: body, workspaceId, status: 'published' })
  const pageId = page?.id ?? ''
  const token = world.host.tokens.issue({ ...ben.claims, ...nobody, userId: ben.userId }, 900)
  const worker = startWorker({ pageId, token })
  const isView = (answer: string) => answer === 'view'
  await eventually(
    () => worker.answers.filter(isView).length > 200 && worker.answers.filter(one => !isView(one)).length > 100,
    60_000,
  )
  worker.kill()
  assert.is(await worker.ended, 'SIGKILL')

  const views = worker.answers.filter(isView).length
  // What the dead process had begun may be committed by its connection as well, but nothing answered may lack.
  const stored = await world.rows('select id from page_views where page_id = ?', [pageId])
  assert.ok(stored.length >= views, `${views} answered, ${stored.length} stored`)
  const comments = await world.rows<{ id: string }>('select id from comments where page_id = ?', [pageId])
  const kept = new Set(comments.map(({ id }) => id))
  for (const id of worker.answers.filter(one => !isView(one))) assert.ok(kept.has(id), id)
  const events = (await world.events('comment.created')).filter(event => event.payload['pageId'] === pageId)
  assert.is(events.length, 2 * kept.size)
  await isExact(workspaceId)
})

const nobody = { isAdmin: false, roles: [], permissions: [], kind: 'modern' as const, sessionId: null }

test.run()
