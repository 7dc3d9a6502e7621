import { type Kysely, sql } from 'kysely'

/**
 * Names have 255 characters, descriptions 5,000 [R84]; widening loses no data. Search texts, which are copies, shrink,
 * since the list index holds both in 3,072 bytes; only names of two hundred letters outside Latin come near the limit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const people = 'modify first_name varchar(255) not null, modify last_name varchar(255) not null'
  const typed = 'modify first_name varchar(255) null, modify last_name varchar(255) null'
  const things = 'modify name varchar(255) not null, modify description varchar(5000) null'
  const copies =
    "modify sort_last varchar(255) not null default '', modify sort_first varchar(255) not null default '', modify search_text varbinary(880) not null default ''"
  await sql`update workspace_members set search_text = left(search_text, 880) where length(search_text) > 880`.execute(
    db,
  )
  for (const [table, columns] of [
    ['members', people],
    ['onboardings', typed],
    ['ecosystem_memberships', typed],
    ['workspaces', things],
    ['permissions', things],
    ['workspace_roles', things],
    ['teams', things],
    ['departments', things],
    ['workspace_members', copies],
  ] as const)
    await sql`alter table ${sql.table(table)} ${sql.raw(columns)}`.execute(db)
}
