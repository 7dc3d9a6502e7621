import { type Kysely, sql } from 'kysely'
import { addColumn, addIndex } from '../../kernel/database/schema.ts'

const id = 'char(24) character set ascii collate ascii_bin'

/** Finds what names a member, so that an erasure can remove the name; and the members erased lately. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'notifications', 'named_actor_id', `${id} null`)
  await addColumn(db, 'notifications', 'named_member_id', `${id} null`)
  await sql`
    update notifications set
      named_actor_id = if(actor_id regexp '^[0-9a-f]{24}$', actor_id, null),
      named_member_id = if(
        json_unquote(json_extract(data, '$.memberId')) regexp '^[0-9a-f]{24}$',
        json_unquote(json_extract(data, '$.memberId')),
        null
      )
    where named_actor_id is null and named_member_id is null
  `.execute(db)
  await addIndex(db, 'notifications', 'notifications_named_actor', 'named_actor_id')
  await addIndex(db, 'notifications', 'notifications_named_member', 'named_member_id')
  await addIndex(db, 'delivery_attempts', 'delivery_attempts_member', 'member_id')
  await sql`
    create table if not exists erased_members (
      id ${sql.raw(id)} not null primary key,
      erased_at datetime(3) not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
