import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'

const chunk = 1_000

/**
 * Deletes, in small statements, published events and idempotency keys after a day, and records of handled events after
 * eight, which is longer than the stream could redeliver a message.
 */
export async function purge<T>(db: Kysely<T>): Promise<void> {
  const statements = [
    sql`delete from outbox where published_at < now(3) - interval 24 hour order by published_at limit ${chunk}`,
    sql`delete from inbox where done_at < now(3) - interval 8 day order by done_at limit ${chunk}`,
    sql`delete from idempotency_keys where claimed_at < now(3) - interval 24 hour order by claimed_at limit ${chunk}`,
  ]
  for (const statement of statements) {
    while (Number((await statement.execute(db)).numAffectedRows ?? 0) === chunk) await sleep(20)
  }
}
