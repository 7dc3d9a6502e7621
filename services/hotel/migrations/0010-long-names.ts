import { type Kysely, sql } from 'kysely'

/** Names have 255 characters, descriptions 5,000 [R84]. Widening the columns loses no data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table hotels modify name varchar(255) not null`.execute(db)
  await sql`alter table hotel_setups modify hotel_name varchar(255) not null`.execute(db)
  for (const table of ['hotel_types', 'hotel_groups'])
    await sql`
      alter table ${sql.table(table)} modify name varchar(255) not null, modify description varchar(5000) null
    `.execute(db)
}
