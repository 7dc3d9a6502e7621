import { type Kysely, sql } from 'kysely'
import { hasColumn } from '../../kernel/schema.ts'

/** 1 while the person has not accepted: lists then show what was typed of them, and no more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(await hasColumn(db, 'workspace_members', 'is_veiled')))
    await sql`ALTER TABLE workspace_members ADD COLUMN is_veiled TINYINT(1) NOT NULL DEFAULT 0`.execute(db)
}
