import { strict as assert } from 'node:assert'
import { databaseOf, startPlain } from './plain/start.ts'
import { interleaved, type Side, table } from './support/load.ts'
import { bySize } from './support/size.ts'
import { seed, startPlatform, withServers } from './support/world.ts'

const [rounds, seconds] = bySize([5, 6], [1, 3], [1, 1])

/** Both must give the same answer before either is measured. */
async function check(sides: Side[]): Promise<void> {
  const bodies = await Promise.all(sides.map(async ({ url, headers }) => (await fetch(url, { headers })).json()))
  const facts = (bodies as { data: { title: string }[]; meta: unknown }[]).map(body => [
    body.data.length,
    body.data[0]?.title,
    body.meta,
  ])
  for (const one of facts) assert.deepEqual(one, facts[0])
}

/** GET /api/v1/pages, 20 of 10,000, against a process per service, and the plain program with and without its count. */
export async function benchList(): Promise<string> {
  return withServers(async () => {
    const platform = await startPlatform('one', { TENANT_GUARD: 'off' })
    const seeded = await seed(platform, 1000, 10_000)
    const split = await startPlatform('split', { TENANT_GUARD: 'off' })
    const seededSplit = await seed(split, 1000, 10_000)
    const schema = databaseOf(platform.env['NEWS_DATABASE_URL'])
    const counting = await startPlain(platform, schema)
    const bare = await startPlain(platform, schema, { PLAIN_COUNT: 'no' })
    const sideOf = (name: string, url: string, token: string, { workspaceId } = seeded): Side => ({
      name,
      url: `${url}/api/v1/pages?workspaceId=${workspaceId}&page=1&limit=20`,
      headers: { authorization: `Bearer ${token}` },
    })
    const sides = [
      sideOf('platform, one process', platform.urls.news, seeded.token),
      sideOf('platform, a process per service', split.urls.news, seededSplit.token, seededSplit),
      sideOf('plain Express, rows + COUNT', counting.url, counting.tokenOf('bench')),
      sideOf('plain Express, rows alone', bare.url, bare.tokenOf('bench')),
    ]
    await check(sides)
    const samePage = await interleaved(sides, rounds, seconds)
    const different = await interleaved(
      sides.map(side => ({ ...side, pages: 50 })),
      rounds,
      seconds,
    )
    await counting.stop()
    await bare.stop()
    await platform.stop()
    await split.stop()
    return `All connections ask the first page, so that concurrent questions are the same:\n\n${table(samePage)}

Each request asks another of the first 50 pages, so that hardly two are:\n\n${table(different)}`
  })
}
