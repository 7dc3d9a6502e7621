import { type Kysely, sql } from 'kysely'
import { hasColumn } from '../../kernel/database/schema.ts'

/** Counters by workspace, so that totals cover the owner's present workspaces. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (await hasColumn(db, 'member_counters', 'workspace_id')) return
  await sql`
    alter table member_counters
      add column workspace_id char(24) character set ascii collate ascii_bin not null default '' after member_id,
      drop primary key,
      add primary key (member_id, workspace_id, type, lane)
  `.execute(db)
}
