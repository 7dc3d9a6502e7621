import type { JsonObject } from '@bufbuild/protobuf'
import { inTransaction } from '../../kernel/database/database.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import type { Context } from '../context.ts'
import type { Unread } from '../live/unread.ts'
import type { NotificationDb, NotificationRow } from '../tables.ts'
import { renderStored, type TextSources } from '../texts/stored.ts'
import { type Effect, type EffectCause, effectOf } from './effects.ts'
import * as statements from './sql.ts'

type Parts = Pick<Context, 'db'> & TextSources & { unread: Unread }

const notificationsAtOnce = 200
const entriesAtOnce = 2_000

/**
 * Applies an event to the notifications before it: inboxes, counts, pushes, mails, digests and sockets. A repetition
 * changes nothing.
 * @param before the id that the event's own notification has, or would have
 */
export async function applyEffect(
  parts: Parts,
  event: EffectCause & { workspaceId: string },
  before: string,
): Promise<void> {
  const effect = effectOf(event)
  if (!effect) return
  const workspaceId = event.workspaceId || undefined
  // A person's notifications are in all their workspaces; a membership's in one.
  const isEverywhere = event.key === 'member.deleted' || event.key === 'member.erased'
  const scope = { target: effect.target, workspaceId: isEverywhere ? undefined : workspaceId, before }
  for (let after = ''; ; ) {
    const rows = await next(parts, scope, after, effect)
    const lastRow = rows.at(-1)
    if (!lastRow) return
    if (effect.kind === 'withdraw') await withdraw(parts, rows)
    after = lastRow.id
  }
}

/** The next notifications, rewritten or with nothing that waits to be sent. */
const next = (
  parts: Parts,
  scope: statements.RemovalScope,
  after: string,
  effect: Effect,
): Promise<NotificationRow[]> =>
  inTransaction(parts.db, async trx => {
    const rows = await statements.lockNext(trx, scope, after, notificationsAtOnce)
    if (effect.kind === 'rewrite') {
      const sources = await withActorsOf(parts, rows)
      for (const row of rows)
        await statements.rewriteNotification(trx, row.id, await rewrittenTexts(sources, row, effect.values))
    } else if (rows.length > 0)
      await statements.dropWaiting(
        trx,
        rows.map(({ id }) => id),
      )
    return rows
  })

async function withdraw({ db, unread }: Parts, rows: readonly NotificationRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const entries = await removeAllUnread(db, ids)
  await statements.emptyNotifications(db, ids)
  for (const [workspaceId, workspaceEntries] of Map.groupBy(entries, entry => entry.workspace_id))
    unread.publishCounts(
      workspaceId,
      workspaceEntries.map(entry => entry.member_id),
    )
}

async function removeAllUnread(db: NotificationDb, ids: readonly string[]) {
  const removedEntries: Awaited<ReturnType<typeof statements.removeUnread>> = []
  for (const part of toChunks(ids, 50))
    for (;;) {
      const entriesOfStep = await statements.removeUnread(db, part, entriesAtOnce)
      removedEntries.push(...entriesOfStep)
      if (entriesOfStep.length < entriesAtOnce) break
    }
  return removedEntries
}

/** Reads all actors at once. */
async function withActorsOf(
  { audience, templates }: TextSources,
  rows: readonly NotificationRow[],
): Promise<TextSources> {
  const people = await audience.people(rows.flatMap(row => row.named_actor_id ?? []))
  return { templates, audience: { workspace: audience.workspace, people: async () => people } }
}

/** Their events leave out the excerpt of a page without one. */
const excerptKinds: ReadonlySet<string> = new Set(['page.created', 'page.due'])

/** Values replace those that the notification has; an excerpt may be its first. */
function rewrittenTexts(parts: TextSources, row: NotificationRow, values: JsonObject) {
  const data = (row.data === null ? {} : JSON.parse(row.data)) as JsonObject
  const takesExcerpt = excerptKinds.has(`${row.type}.${row.category}`)
  const takenValues = Object.entries(values).filter(
    ([name]) => Object.hasOwn(data, name) || (name === 'excerpt' && takesExcerpt),
  )
  return renderStored(parts, row, { ...data, ...Object.fromEntries(takenValues) }, row.named_actor_id)
}
