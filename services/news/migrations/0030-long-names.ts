import { type Kysely, sql } from 'kysely'

/** Names have 255 characters, descriptions 5,000 [R84]. Widening the columns loses no data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['categories', 'templates'])
    await sql`
      alter table ${sql.table(table)} modify name varchar(255) not null, modify description varchar(5000) null
    `.execute(db)
}
