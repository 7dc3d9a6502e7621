import { setTimeout as sleep } from 'node:timers/promises'
import { call, type LooseJson } from '../../cli/tour/client.ts'
import type { World } from '../../cli/tour/world.ts'
import type { RestService } from '../../gen/catalogue.ts'
import type { Attempt } from './load.ts'
import type { SocketVerdict } from './sockets.ts'

export type Verdict = {
  acknowledged: number
  unknown: number
  refused: number
  /** Acknowledged comments that are gone. */
  lost: string[]
  /** Comments that exist more than once, or although they were refused. */
  doubled: string[]
  /** Comments of which the page's author was not notified. */
  untold: string[]
  /** Comments of which the author was notified more than once. */
  toldTwice: string[]
  /** Contents of all existing comments. */
  standing: Set<string>
}

/** The faults by kind. */
export function faultsIn(verdict: Verdict & SocketVerdict) {
  const { lost, doubled, untold, toldTwice, unheard, heardTwice, miscounted } = verdict
  return { lost, doubled, untold, toldTwice, unheard, heardTwice, miscounted }
}

/** All rows of a list, page by page, until the total is reached or `until` returns true. */
async function all(
  world: World,
  service: RestService,
  path: string,
  totalOf: (body: LooseJson) => unknown,
  until: (rows: LooseJson[]) => boolean = () => false,
): Promise<LooseJson[]> {
  const rows: LooseJson[] = []
  for (let page = 1; ; page++) {
    const from = `${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`
    const answer = await call(world.urls, service, 'GET', from, { token: world.tokens.admin })
    if (answer.status !== 200) throw new Error(`${from}: ${answer.status}`)
    rows.push(...(answer.body['data'] as LooseJson[]))
    if (until(rows) || rows.length >= Number(totalOf(answer.body)) || (answer.body['data'] as LooseJson[]).length === 0)
      return rows
  }
}

const commentsOf = (world: World) =>
  all(world, 'news', `/api/v1/comments/page/${world.ids['page']}`, body => body['total'])

/** Newest first, so that reading stops at the last notification of the round before. */
const toldOf = (world: World, since: string) =>
  all(
    world,
    'notification',
    '/api/v1/notifications?type=comment',
    body => body['meta']?.['total'],
    rows => rows.some(row => String(row['id']) === since),
  )

/** The newest comment notification: those after it belong to the next round. */
export async function latestTold(world: World): Promise<string> {
  const path = '/api/v1/notifications?type=comment&limit=1'
  const { status, body } = await call(world.urls, 'notification', 'GET', path, { token: world.tokens.admin })
  if (status !== 200) throw new Error(`${path}: ${status}`)
  return String(body['data']?.[0]?.['id'] ?? '')
}

/**
 * Compares the answers to clients with what the platform holds, once all events have arrived, after a minute and a half
 * at most: messages of a killed process are redelivered late.
 * @param prefix of the comments to judge
 * @param since the last notification of the round before
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
