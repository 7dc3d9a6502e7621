import { sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import { deleteInParts } from '../../kernel/database/retention.ts'
import type { NotificationDb, NotificationRow, NotificationTrx } from '../tables.ts'
import type { StoredTexts } from '../texts/stored.ts'

const allTenants = <T extends NotificationDb>(db: T): NotificationDb =>
  exempt(db, 'an erased person is forgotten in every tenant')

/** Records an erasure; a repeated one keeps its time. */
export const recordErasure = (db: NotificationDb, id: string) =>
  db.insertInto('erased_members').ignore().values({ id, erased_at: sql<Date>`current_timestamp(3)` }).execute()

export async function erasedSince(db: NotificationDb, ms: number): Promise<string[]> {
  const rows = await db
    .selectFrom('erased_members')
    .select('id')
    .where('erased_at', '>', sql<Date>`current_timestamp(3) - interval ${sql.lit(ms * 1_000)} microsecond`)
    .execute()
  return rows.map(row => row.id)
}

export const dropOldErasures = (db: NotificationDb, days: number) =>
  db
    .deleteFrom('erased_members')
    .where('erased_at', '<', sql<Date>`current_timestamp(3) - interval ${sql.lit(days)} day`)
    .execute()

/** Some notifications that name a member, locked until the transaction ends. */
export async function lockNaming(trx: NotificationTrx, memberId: string, limit: number): Promise<NotificationRow[]> {
  const notificationsNaming = (column: 'named_actor_id' | 'named_member_id') =>
    allTenants(trx)
      .selectFrom('notifications')
      .selectAll()
      .where(column, '=', memberId)
      .limit(limit)
      .forUpdate()
      .execute()
  const byActor = await notificationsNaming('named_actor_id')
  return byActor.length > 0 ? byActor : notificationsNaming('named_member_id')
}

export type NamelessTexts = StoredTexts & Pick<NotificationRow, 'named_actor_id' | 'named_member_id'>

/** Rewrites a notification without a name. */
export const writeNameless = (trx: NotificationTrx, id: string, set: NamelessTexts) =>
  allTenants(trx).updateTable('notifications').set(set).where('id', '=', id).execute()

/**
 * Removes from some attempts what a provider answered: it may name the address or the device.
 * @returns how many were changed
 */
export async function dropAnswers(db: NotificationDb, memberId: string, limit: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('delivery_attempts')
    .set({ provider_response: null, error: null })
    .where('member_id', '=', memberId)
    .where(eb => eb.or([eb('provider_response', 'is not', null), eb('error', 'is not', null)]))
    .limit(limit)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes an erased person's rows in small statements, what waits to be sent first. */
export async function removeRowsOf(db: NotificationDb, memberId: string): Promise<void> {
  await deleteInParts(maxRows =>
    allTenants(db)
      .deleteFrom('deliveries')
      .where('member_id', '=', memberId)
      .where('status', '=', 'pending')
      .limit(maxRows)
      .executeTakeFirst(),
  )
  for (const table of [
    'digest_items',
    'digests',
    'subscriptions',
    'receivers',
    'member_counters',
    'preferences',
  ] as const)
    await deleteInParts(maxRows =>
      db.deleteFrom(table).where('member_id', '=', memberId).limit(maxRows).executeTakeFirst(),
    )
}
