import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** Web push: the keys of browsers, which are subscribed until their session ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = { p256dh: 'char(87)', auth: 'char(22)', session_id: 'char(24)' }
  for (const [name, type] of Object.entries(columns))
    await addColumn(db, 'subscriptions', name, `${type} character set ascii collate ascii_bin null`)
}
