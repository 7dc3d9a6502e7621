import { type Kysely, sql } from 'kysely'
import { addColumn } from '../../kernel/database/schema.ts'

/** Digests list unread pages, at the hour and on the day that the member chose. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // loses no data
  await sql`
    alter table digests modify frequency enum('off','daily','weekly','automatic') character set ascii not null
  `.execute(db)
  await addColumn(db, 'digests', 'digest_hour', 'tinyint unsigned not null default 8')
  await addColumn(db, 'digests', 'digest_weekday', 'tinyint unsigned not null default 1')
  // Pages published later are still to be listed.
  await addColumn(db, 'digests', 'news_since', 'datetime(3) null')
  // The pages that a digest lists were published between these; null for none.
  await addColumn(db, 'deliveries', 'news_since', 'datetime(3) null')
  await addColumn(db, 'deliveries', 'news_until', 'datetime(3) null')
}
