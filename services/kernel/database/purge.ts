import { type Kysely, sql } from 'kysely'
import { deleteOldRows } from './retention.ts'

/**
 * Deletes, in small statements, published events and idempotency keys after a day, and records of handled events after
 * eight, which is longer than the stream could redeliver a message.
 */
export async function purge<T>(db: Kysely<T>): Promise<void> {
  await deleteOldRows(db, 'outbox', most =>
    sql`
      delete from outbox where published_at < now(3) - interval 24 hour order by published_at limit ${most}
    `.execute(db),
  )
  await deleteOldRows(db, 'inbox', most =>
    sql`delete from inbox where done_at < now(3) - interval 8 day order by done_at limit ${most}`.execute(db),
  )
  await deleteOldRows(db, 'idempotency_keys', most =>
    sql`
      delete from idempotency_keys where claimed_at < now(3) - interval 24 hour order by claimed_at limit ${most}
    `.execute(db),
  )
}
