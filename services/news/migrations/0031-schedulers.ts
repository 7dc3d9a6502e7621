import type { Kysely } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** Who scheduled a page, whose right is checked again when it is due, and why its publication was refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'pages', 'scheduled_by', 'text null')
  await addColumn(db, 'pages', 'schedule_refusal', 'varchar(255) null')
}
