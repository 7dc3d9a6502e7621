import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** Why an attempt failed, as a code; null for one that failed before there were codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(
    db,
    'webhook_deliveries',
    'error_code',
    `enum('status','timeout','connection_failed','name_unresolved','address_not_public','address_not_allowed',
      'endpoint_disabled','hotel_closed','secret_unreadable','process_ended') character set ascii null`,
  )
}
