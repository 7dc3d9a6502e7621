import { setTimeout as sleep } from 'node:timers/promises'
import { call, type Json } from '../../cli/tour/client.ts'
import type { World } from '../../cli/tour/world.ts'
import type { RestService } from '../../edge/catalogue.ts'
import type { Attempt } from './load.ts'

export type Verdict = {
  acknowledged: number
  unknown: number
  refused: number
  /** Contents of comments that were acknowledged and are gone. */
  lost: string[]
  /** Contents that stand more than once, or although they were refused. */
  doubled: string[]
  /** Comments whose author of the page was not told. */
  untold: string[]
  /** Comments he was told of more than once. */
  toldTwice: string[]
}

/** Every row of a list, read page after page until all that its answer counts have come. */
async function all(
  world: World,
  service: RestService,
  path: string,
  totalOf: (body: Json) => unknown,
): Promise<Json[]> {
  const rows: Json[] = []
  for (let page = 1; ; page++) {
    const from = `${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`
    const answer = await call(world.urls, service, 'GET', from, { token: world.tokens.admin })
    if (answer.status !== 200) throw new Error(`${from}: ${answer.status}`)
    rows.push(...(answer.body['data'] as Json[]))
    if (rows.length >= Number(totalOf(answer.body)) || (answer.body['data'] as Json[]).length === 0) return rows
  }
}

const commentsOf = (world: World) =>
  all(world, 'news', `/api/v1/comments/page/${world.ids['page']}`, body => body['total'])
const toldOf = (world: World) =>
  all(world, 'notification', '/api/v1/notifications?type=comment', body => body['meta']?.['total'])

/** Compares what clients were told with what the platform holds, once its events have arrived or a minute is over. */
export async function judge(world: World, attempts: Attempt[]): Promise<Verdict> {
  const comments = (await commentsOf(world)).filter(one => String(one['content']).startsWith('comment '))
  const ids = new Map(comments.map(one => [String(one['id']), String(one['content'])]))
  const told = new Map<string, number>()
  for (const until = Date.now() + 60_000; ; await sleep(500)) {
    told.clear()
    for (const one of await toldOf(world)) {
      const id = String(one['data']?.['id'] ?? one['data']?.['commentId'])
      told.set(id, (told.get(id) ?? 0) + 1)
    }
    if ([...ids.keys()].every(id => told.has(id)) || Date.now() > until) break
  }
  const standing = Map.groupBy(comments, one => String(one['content']))
  const of = (outcome: Attempt['outcome']) => attempts.filter(one => one.outcome === outcome)
  return {
    acknowledged: of('acknowledged').length,
    unknown: of('unknown').length,
    refused: of('refused').length,
    lost: of('acknowledged').flatMap(({ content }) => (standing.has(content) ? [] : [content])),
    doubled: [
      ...[...standing].flatMap(([content, rows]) => (rows.length > 1 ? [content] : [])),
      ...of('refused').flatMap(({ content }) => (standing.has(content) ? [content] : [])),
    ],
    untold: [...ids].flatMap(([id, content]) => (told.has(id) ? [] : [content])),
    toldTwice: [...told].flatMap(([id, times]) => (times > 1 ? [ids.get(id) ?? id] : [])),
  }
}
