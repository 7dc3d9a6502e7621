import { type Kysely, sql } from 'kysely'

/** `past_due` is 1 while a payment is overdue that the provider still collects. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`show columns from payment_subscriptions like 'past_due'`.execute(db)
  if (rows.length > 0) return
  await sql`alter table payment_subscriptions add column past_due tinyint(1) not null default 0`.execute(db)
}
