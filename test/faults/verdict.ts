import { setTimeout as sleep } from 'node:timers/promises'
import { call, type LooseJson } from '../../cli/tour/client.ts'
import type { World } from '../../cli/tour/world.ts'
import type { RestService } from '../../gen/catalogue.ts'
import type { Attempt } from './load.ts'

/** What must not happen, by kind. */
export type FaultsByKind = Record<string, unknown[]>

export type Verdict = {
  /** Number of comments that clients tried to write, by outcome. */
  outcomes: Record<Attempt['outcome'], number>
  faults: {
    /** Acknowledged comments that are gone. */
    missingComments: string[]
    /** Comments that exist more than once, or although they were refused. */
    duplicateComments: string[]
    /** Comments of which the page's author was not notified. */
    missingNotifications: string[]
    /** Comments of which the author was notified more than once. */
    duplicateNotifications: string[]
  }
  /** Contents of all existing comments. */
  storedContents: Set<string>
}

/** The same kinds without a fault. */
export const faultless = (faults: FaultsByKind): FaultsByKind =>
  Object.fromEntries(Object.keys(faults).map(kind => [kind, []]))

export const countFaults = (faults: FaultsByKind): number => Object.values(faults).flat().length

/** All rows of a list, page by page, until the total is reached or `until` returns true. */
async function readAll(
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
  readAll(world, 'news', `/api/v1/comments/page/${world.ids['page']}`, body => body['total'])

/** Newest first, so that reading stops at the last notification of the round before. */
const commentNotifications = (world: World, since: string) =>
  readAll(
    world,
    'notification',
    '/api/v1/notifications?type=comment',
    body => body['meta']?.['total'],
    rows => rows.some(row => String(row['id']) === since),
  )

/** The newest comment notification: those after it belong to the next round. */
export async function latestNotification(world: World): Promise<string> {
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
  const notificationCounts = new Map<string, number>()
  for (const until = Date.now() + 90_000; ; await sleep(500)) {
    notificationCounts.clear()
    for (const one of await commentNotifications(world, since)) {
      const id = String(one['data']?.['id'] ?? one['data']?.['commentId'])
      notificationCounts.set(id, (notificationCounts.get(id) ?? 0) + 1)
    }
    if ([...ids.keys()].every(id => notificationCounts.has(id)) || Date.now() > until) break
  }
  const rowsByContent = Map.groupBy(comments, one => String(one['content']))
  const contentsWith = (outcome: Attempt['outcome']) =>
    attempts.filter(one => one.outcome === outcome).map(({ content }) => content)
  const [acknowledgedComments, refusedComments] = [contentsWith('acknowledged'), contentsWith('refused')]
  return {
    outcomes: {
      acknowledged: acknowledgedComments.length,
      unknown: contentsWith('unknown').length,
      refused: refusedComments.length,
    },
    faults: {
      missingComments: acknowledgedComments.filter(content => !rowsByContent.has(content)),
      duplicateComments: [
        ...[...rowsByContent].flatMap(([content, rows]) => (rows.length > 1 ? [content] : [])),
        ...refusedComments.filter(content => rowsByContent.has(content)),
      ],
      missingNotifications: [...ids].flatMap(([id, content]) => (notificationCounts.has(id) ? [] : [content])),
      duplicateNotifications: [...notificationCounts].flatMap(([id, times]) => (times > 1 ? [ids.get(id) ?? id] : [])),
    },
    storedContents: new Set(rowsByContent.keys()),
  }
}
