import { connectDatabase } from '../services/kernel/database/connection.ts'
import { closeDatabase, openDatabase } from '../services/kernel/database/database.ts'
import { recountTexts } from '../services/news/search/recount.ts'
import type { NewsTables } from '../services/news/tables.ts'
import type { Platform } from '../test/kit/platform/platform.ts'
import { line, median } from './support/figures.ts'
import { bySize } from './support/size.ts'
import { type Seeded, seed, startPlatform, withServers } from './support/world.ts'

const searches = bySize(100, 20, 2)
const [people, pages] = [100, bySize(100_000, 100_000, 3_000)]

/** Near the end of the list. */
const farPage = pages / 20 - 100

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
    await db.query('analyze table pages, page_texts')
    await db.end()

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
    await platform.stop()
    const rows = singleTimes.map(([title, figures]) => line(title, ...figures))
    return [line('one after the other', 'p50 ms', 'slowest ms'), line('-', '-', '-'), ...rows].join('\n')
  })
}
