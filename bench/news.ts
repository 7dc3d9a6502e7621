import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { interleaved, load, median, type Result, type Row, type Side } from './support/load.ts'
import { seed, startPlatform, withServers } from './support/world.ts'

const quickly = process.argv.includes('--quick')
const [rounds, seconds, searches] = quickly ? [1, 3, 20] : [3, 6, 100]
const [people, pages] = [100, 100_000]

const line = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`
const heading = (...names: string[]): string => [line(...names), line(...names.map(() => '-'))].join('\n')

const listTable = (rows: Row[]): string =>
  [
    heading('list', 'req/s', 'p50 ms', 'p99 ms', 'failed'),
    ...rows.map(row => line(row.name, row.perSecond.toFixed(0), row.p50.toFixed(1), row.p99.toFixed(1), row.bad)),
  ].join('\n')

const rateLine = (what: string, { perSecond, p50, p99, bad }: Result, kept: string): string =>
  line(what, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), bad, kept)

/** A published page, made as people make one: with its body. */
async function createPage(url: string, headers: Record<string, string>, workspaceId: string): Promise<string> {
  const content = { blocks: [{ type: 'paragraph', data: { text: 'The spa opens again. '.repeat(50) } }] }
  const body = JSON.stringify({ workspaceId, title: 'The spa opens again', content, status: 'published' })
  const sent = { ...headers, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1/pages`, { method: 'POST', headers: sent, body })
  const { id } = (await response.json()) as { id?: string }
  if (!id) throw new Error(`no page was made: ${response.status}`)
  return id
}

/** Times of one request after the other, in ms. */
async function latencies(urls: string[], headers: Record<string, string>): Promise<number[]> {
  const times: number[] = []
  for (const url of urls) {
    const started = performance.now()
    const response = await fetch(url, { headers })
    await response.text()
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
    times.push(performance.now() - started)
  }
  return times
}

/** The news service over 100,000 pages of one hotel, everything in one process. */
export async function benchNews(): Promise<string> {
  return withServers(async () => {
    const platform = await startPlatform('one', { NODE_ENV: 'bench' })
    const { workspaceId, token } = await seed(platform, people, pages)
    const headers = { authorization: `Bearer ${token}` }
    const db = await createConnection(platform.env['NEWS_DATABASE_URL'] ?? '')
    const rows = async (text: string) => (await db.query<RowDataPacket[]>(text))[0]
    const list = `${platform.urls.news}/api/v1/pages?workspaceId=${workspaceId}&page=1&limit=20`
    const [category] = await rows('select id from categories limit 1')
    const pageId = await createPage(platform.urls.news, headers, workspaceId)

    const filters = {
      'no filter': '',
      status: '&status=published',
      pageType: '&pageType=article',
      categoryId: `&categoryId=${String(category?.['id'])}`,
      'all three': `&status=published&pageType=article&categoryId=${String(category?.['id'])}`,
      'by createdAt': '&sortBy=createdAt',
      'by viewCount': '&sortBy=viewCount',
      'by likeCount, ascending': '&sortBy=likeCount&sortOrder=asc',
    }
    // Unlike questions, so that each is a statement of its own.
    const sides: Side[] = Object.entries(filters).map(([name, query]) => ({
      name,
      url: list + query,
      headers,
      pages: 50,
    }))
    const lists = listTable(await interleaved(sides, rounds, seconds))

    const words = (prefix: string) => Array.from({ length: searches }, (_, i) => `${list}&search=${prefix}${i * 37}`)
    const found = await latencies(words('number '), headers)
    const absent = await latencies(words('nowhere'), headers)
    const deep = await latencies(
      Array.from({ length: searches }, (_, i) => list.replace('page=1&', `page=${4_900 + i}&`)),
      headers,
    )

    const views = () => rows(`select count(*) as n from page_views where page_id = '${pageId}'`)
    const read: Side = { name: 'page read', url: `${platform.urls.news}/api/v1/pages/${pageId}`, headers }
    await load(read, 2)
    const viewsBefore = Number((await views())[0]?.['n'])
    const reads = await load(read, seconds * rounds)
    const viewed = Number((await views())[0]?.['n']) - viewsBefore

    const body = JSON.stringify({ pageId, content: 'The spa was lovely.' })
    const write: Side = { name: 'comment', url: `${platform.urls.news}/api/v1/comments`, headers, body }
    await load(write, 2)
    const events = () => rows('select count(*) as n, sum(published_at is null) as waiting from outbox')
    const eventsBefore = Number((await events())[0]?.['n'])
    const comments = await load(write, seconds * rounds)
    const [after] = await events()
    const written = Number(after?.['n']) - eventsBefore

    const ask = (path: string) =>
      latencies(
        Array.from({ length: 20 }, () => `${platform.urls.news}/api/v1/analytics/${path}`),
        headers,
      )
    const [ofPage, ofHotel] = [await ask(`page/${pageId}`), await ask(`workspace/${workspaceId}`)]
    await db.end()
    await platform.stop()
    return `${lists}

${heading('one after the other', 'p50 ms', 'slowest ms')}
${line('search that finds', median(found).toFixed(1), Math.max(...found).toFixed(1))}
${line('search that finds nothing', median(absent).toFixed(1), Math.max(...absent).toFixed(1))}
${line('pages 4,900 and on', median(deep).toFixed(1), Math.max(...deep).toFixed(1))}
${line('statistics of the page that was read', median(ofPage).toFixed(1), Math.max(...ofPage).toFixed(1))}
${line('statistics of the hotel', median(ofHotel).toFixed(1), Math.max(...ofHotel).toFixed(1))}

${heading('64 connections, one page', 'req/s', 'p50 ms', 'p99 ms', 'failed', 'stored')}
${rateLine('page read with its view', reads, `${viewed} views`)}
${rateLine('comment with its events', comments, `${written} events, ${Number(after?.['waiting'])} waiting at the end`)}`
  })
}
