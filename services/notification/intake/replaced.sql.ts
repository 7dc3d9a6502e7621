import { type ExpressionBuilder, sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import { emailBit, pushBit } from '../channels.ts'
import { deleteEntries } from '../removals/sql.ts'
import { type NotificationTables, type NotificationTrx, pushLanes } from '../tables.ts'
import type { NewNotification } from './store.sql.ts'

const allTenants = (trx: NotificationTrx): NotificationTrx =>
  exempt(trx, 'the earlier notifications of the entities that are being stored')

/** Older versions are unread only by members who weren't receivers of the later ones. */
const mostVersions = 1_000

type Version = Awaited<ReturnType<typeof versionsOf>>[number]

/**
 * Leaves one unread entry per receiver, type, entity and actor: the latest [R54]. Runs after the insertion, so that of
 * two writers of one entity the second waits here for the first.
 */
export async function replaceEarlier(trx: NotificationTrx, notifications: readonly NewNotification[]): Promise<void> {
  const entityNotifications = notifications.filter(({ entity_id }) => entity_id !== null)
  if (entityNotifications.length === 0) return
  const versions = await versionsOf(trx, entityNotifications)
  const groups = Map.groupBy(versions, ({ id: _, channels: __, ...content }) => JSON.stringify(content))
  for (const group of groups.values()) if (group.length > 1) await keepLatest(trx, group)
}

/** All notifications of the same type, entity and actor, oldest first. */
async function versionsOf(trx: NotificationTrx, notifications: readonly NewNotification[]) {
  const sameAs = (eb: ExpressionBuilder<NotificationTables, 'notifications'>, one: NewNotification) =>
    eb.and([
      eb('entity_id', '=', one.entity_id),
      eb('type', '=', one.type),
      eb('category', '=', one.category),
      eb('named_member_id', '<=>', one.named_member_id ?? null),
      eb('actor_id', '<=>', one.actor_id),
      eb('workspace_id', '=', one.workspace_id),
    ])
  const rows = await allTenants(trx)
    .selectFrom('notifications')
    .select(['id', 'channels', 'workspace_id', 'entity_id', 'type', 'category', 'named_member_id', 'actor_id'])
    .where(eb => eb.or(notifications.map(one => sameAs(eb, one))))
    .orderBy('id', 'desc')
    .limit(mostVersions)
    .forUpdate()
    .execute()
  return rows.toReversed()
}

/** Removes the unread entries of members who have a later version too. Waiting deliveries are sent as the latest. */
async function keepLatest(trx: NotificationTrx, group: readonly Version[]): Promise<void> {
  const latestVersion = group[group.length - 1] as Version
  const ids = group.map(({ id }) => id)
  const staleEntries = await allTenants(trx)
    .selectFrom('receivers as r')
    .select(['member_id', 'notification_id', 'workspace_id', 'type', 'is_read', 'is_dismissed'])
    .where('notification_id', 'in', ids.slice(0, -1))
    .where('is_read', '=', 0)
    .where('is_dismissed', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('receivers as later')
          .select('later.member_id')
          .whereRef('later.member_id', '=', 'r.member_id')
          .where('later.notification_id', 'in', ids)
          .whereRef('later.notification_id', '>', 'r.notification_id'),
      ),
    )
    .forUpdate()
    .execute()
  await deleteEntries(trx, staleEntries)
  const sentLater = new Set(group.filter(({ channels }) => channels & (pushBit | emailBit)).map(({ id }) => id))
  for (const [id, entries] of Map.groupBy(staleEntries, row => row.notification_id))
    if (sentLater.has(id))
      await moveWaiting(
        trx,
        id,
        latestVersion,
        entries.map(row => row.member_id),
      )
}

/**
 * Drops an earlier version's waiting deliveries where the latest is sent too; otherwise sends them with the latest's
 * texts.
 */
async function moveWaiting(
  trx: NotificationTrx,
  fromId: string,
  latestVersion: Version,
  memberIds: readonly string[],
): Promise<void> {
  const isSentAnyway = [
    ...(latestVersion.channels & pushBit ? pushLanes : []),
    ...(latestVersion.channels & emailBit ? (['email'] as const) : []),
  ]
  if (isSentAnyway.length > 0)
    await allTenants(trx)
      .deleteFrom('deliveries')
      .where('notification_id', '=', fromId)
      .where('member_id', 'in', memberIds)
      .where('lane', 'in', isSentAnyway)
      .where('status', '=', 'pending')
      .execute()
  await allTenants(trx)
    .updateTable('deliveries')
    .set({ notification_id: latestVersion.id })
    .where('notification_id', '=', fromId)
    .where('member_id', 'in', memberIds)
    .where('status', '=', 'pending')
    .execute()
  await sql`
    update ignore digest_items set notification_id = ${latestVersion.id}
    where notification_id = ${fromId} and member_id in (${sql.join(memberIds)})
  `.execute(trx)
  await trx
    .deleteFrom('digest_items')
    .where('notification_id', '=', fromId)
    .where('member_id', 'in', memberIds)
    .execute()
}
