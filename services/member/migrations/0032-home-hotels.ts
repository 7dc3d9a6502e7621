import { type Kysely, sql } from 'kysely'
import { hasColumn } from '../../kernel/database/schema.ts'

/** The hotel that created the record of a person: its administrators may change name, phone and picture. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(await hasColumn(db, 'members', 'home_ecosystem_id')))
    await sql`
    ALTER TABLE members
      ADD COLUMN home_ecosystem_id CHAR(24) CHARACTER SET ascii COLLATE ascii_bin NULL
    `.execute(db)
}
