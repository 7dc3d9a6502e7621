import { type Kysely, sql } from 'kysely'

/** Addresses are stored in the spelling in which they are compared [R17]. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['members', 'email'],
    ['onboardings', 'email'],
    ['ecosystem_memberships', 'email'],
    ['workspace_members', 'typed_email'],
  ] as const)
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = lower(${sql.ref(column)}), updated_at = updated_at
      where binary ${sql.ref(column)} <> binary lower(${sql.ref(column)})
    `.execute(db)
}
