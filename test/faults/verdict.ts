import { setTimeout as sleep } from 'node:timers/promises'
import { call, type Json } from '../../cli/tour/client.ts'
import type { World } from '../../cli/tour/world.ts'
import type { RestService } from '../../edge/catalogue.ts'
import type { Attempt } from './load.ts'
import type { SocketVerdict } from './sockets.ts'

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
  /** Contents of all comments that stand. */
  standing: Set<string>
}

/** What went wrong, by what it is. */
export function faultsIn(verdict: Verdict & SocketVerdict) {
  const { lost, doubled, untold, toldTwice, unheard, heardTwice, miscounted } = verdict
  return { lost, doubled, untold, toldTwice, unheard, heardTwice, miscounted }
}

/** Every row of a list, read page after page until all that its answer counts have come, or `until` says so. */
async function all(
  world: World,
  service: RestService,
  path: string,
  totalOf: (body: Json) => unknown,
  until: (rows: Json[]) => boolean = () => false,
): Promise<Json[]> {
  const rows: Json[] = []
  for (let page = 1; ; page++) {
    const from = `${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`
    const answer = await call(world.urls, service, 'GET', from, { token: world.tokens.admin })
    if (answer.status !== 200) throw new Error(`${from}: ${answer.status}`)
    rows.push(...(answer.body['data'] as Json[]))
    if (until(rows) || rows.length >= Number(totalOf(answer.body)) || (answer.body['data'] as Json[]).length === 0)
      return rows
  }
}

const commentsOf = (world: World) =>
  all(world, 'news', `/api/v1/comments/page/${world.ids['page']}`, body => body['total'])

/** The newest come first, so that nobody reads on below the last that was there before. */
const toldOf = (world: World, since: string) =>
  all(
    world,
    'notification',
    '/api/v1/notifications?type=comment',
    body => body['meta']?.['total'],
    rows => rows.some(row => String(row['id']) === since),
  )

/** The newest notification of a comment: what comes after it is of the next round. */
export async function latestTold(world: World): Promise<string> {
  const path = '/api/v1/notifications?type=comment&limit=1'
  const { status, body } = await call(world.urls, 'notification', 'GET', path, { token: world.tokens.admin })
  if (status !== 200) throw new Error(`${path}: ${status}`)
  return String(body['data']?.[0]?.['id'] ?? '')
}

/**
 * Compares what clients were told with what the platform holds, once its events have arrived or a minute and a half is
 * over: what a process that died had taken comes again late.
 * @param prefix of the comments to judge
 * @param since the notification up to which everything was judged before
 */
export async function judge(
  world: World,
  attempts: Attempt[],
  { prefix = 'comment', since = '' }: { prefix?: string; since?: string } = {},
): Promise<Verdict> {
  const comments = (await commentsOf(world)).filter(one => String(one['content']).startsWith(`${prefix} `))
  const ids = new Map(comments.map(one => [String(one['id']), String(one['content'])]))
  const told = new Map<string, number>()
  for (const until = Date.now() + 90_000; ; await sleep(500)) {
    told.clear()
    for (const one of await toldOf(world, since)) {
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
    standing: new Set(standing.keys()),
  }
}
