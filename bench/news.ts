import type { RowDataPacket } from 'mysql2/promise'
import { connectDatabase } from '../services/kernel/database/connection.ts'
import { closeDatabase, openDatabase } from '../services/kernel/database/database.ts'
import { recountTexts } from '../services/news/search/recount.ts'
import type { NewsTables } from '../services/news/tables.ts'
import type { Platform } from '../test/kit/platform/platform.ts'
import { line, median } from './support/figures.ts'
import { load, type Result, type Side } from './support/load.ts'
import { bySize } from './support/size.ts'
import { type Seeded, seed, startPlatform, withServers } from './support/world.ts'

const [rounds, seconds, searches] = bySize([3, 5, 100], [1, 2, 20], [1, 1, 2])
const [people, pages] = [100, bySize(100_000, 100_000, 3_000)]

/** Near the end of the list. */
const farPage = pages / 20 - 100

const heading = (...names: string[]): string => [line(...names), line(...names.map(() => '-'))].join('\n')

const rateLine = (title: string, { perSecond, p50, p99, bad }: Result, storedText: string): string =>
  line(title, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), bad, storedText)

/** A published page with a body, created through the API. */
async function createPage(url: string, headers: Record<string, string>, workspaceId: string): Promise<string> {
  const content = { blocks: [{ type: 'paragraph', data: { text: 'The spa opens again. '.repeat(50) } }] }
  const body = JSON.stringify({ workspaceId, title: 'The spa opens again', content, status: 'published' })
  const jsonHeaders = { ...headers, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1/pages`, { method: 'POST', headers: jsonHeaders, body })
  const { id } = (await response.json()) as { id?: string }
  if (!id) throw new Error(`no page was made: ${response.status}`)
  return id
}

/** Times of requests one after another, in ms. */
async function latencies(urls: string[], headers: Record<string, string>): Promise<string[]> {
  const times: number[] = []
  for (const url of urls) {
    const startedAt = performance.now()
    const response = await fetch(url, { headers })
    await response.text()
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
    times.push(performance.now() - startedAt)
  }
  return [median(times).toFixed(1), Math.max(...times).toFixed(1)]
}

const times = <T>(count: number, of: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i))

/** Adds the directly inserted pages to the search index. */
async function makeSearchable(platform: Platform, { workspaceId }: Seeded): Promise<void> {
  const db = openDatabase<NewsTables>(platform.env['NEWS_DATABASE_URL'] ?? '')
  await recountTexts(db, workspaceId, true)
  await closeDatabase(db)
}

/** The news service over 100,000 pages of one hotel, everything in one process. */
export async function benchNews(): Promise<string> {
  return withServers(async () => {
    const platform = await startPlatform('one', { TENANT_GUARD: 'off' })
    const seeded = await seed(platform, people, pages)
    const { workspaceId, token } = seeded
    await makeSearchable(platform, seeded)
    const headers = { authorization: `Bearer ${token}` }
    const db = await connectDatabase(platform.env['NEWS_DATABASE_URL'] ?? '')
    const rows = async (text: string) => (await db.query<RowDataPacket[]>(text))[0]
    await rows('analyze table pages, page_texts')

    const pageId = await createPage(platform.urls.news, headers, workspaceId)
    const list = `${platform.urls.news}/api/v1/pages?workspaceId=${workspaceId}&page=1&limit=20`
    const search = (word: (index: number) => string) =>
      latencies(
        times(searches, i => `${list}&search=${word(i)}`),
        headers,
      )
    const singleTimes: [string, string[]][] = [
      ['search, found in 1 to 1,111 pages', await search(i => `number ${i * 37}`)],
      ['search, found nowhere', await search(i => `nowhere${i}`)],
      ['search, found in every page', await search(i => ['maintenance', 'weekly', 'tonight'][i % 3] ?? '')],
      ['search of one letter', await search(i => 'aeinst'[i % 6] ?? '')],
      [
        `pages ${farPage.toLocaleString('en')} and on`,
        await latencies(
          times(searches, i => list.replace('page=1&', `page=${farPage + i}&`)),
          headers,
        ),
      ],
    ]

    const views = async () =>
      Number((await rows(`select count(*) as n from page_views where page_id = '${pageId}'`))[0]?.['n'])
    const read: Side = { name: 'page read', url: `${platform.urls.news}/api/v1/pages/${pageId}`, headers }
    await load(read, Math.min(2, seconds))
    const viewsBefore = await views()
    const reads = await load(read, seconds * rounds)
    const viewed = (await views()) - viewsBefore

    const body = JSON.stringify({ pageId, content: 'The spa was lovely.' })
    const write: Side = { name: 'comment', url: `${platform.urls.news}/api/v1/comments`, headers, body }
    await load(write, Math.min(2, seconds))
    const events = () => rows('select count(*) as n, sum(published_at is null) as waiting from outbox')
    const eventsBefore = Number((await events())[0]?.['n'])
    const comments = await load(write, seconds * rounds)
    const [after] = await events()
    const newEvents = Number(after?.['n']) - eventsBefore

    await db.end()
    await platform.stop()
    return `${heading('one after the other', 'p50 ms', 'slowest ms')}
${singleTimes.map(([title, figures]) => line(title, ...figures)).join('\n')}

${heading('64 connections, one page', 'req/s', 'p50 ms', 'p99 ms', 'failed', 'stored')}
${rateLine('page read with its view', reads, `${viewed} views`)}
${rateLine('comment with its events', comments, `${newEvents} events, ${Number(after?.['waiting'])} waiting at the end`)}`
  })
}
