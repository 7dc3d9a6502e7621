import { type Kysely, sql } from 'kysely'

/** The directory also says when each member last opened a client, for the digests of who stays away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace view member_directory as
    select m.id as member_id, m.user_id, m.first_name, m.last_name, m.email, m.live_email, m.photo_url,
      coalesce(json_unquote(json_extract(s.settings, '$.language')), 'fr') as language,
      json_unquote(json_extract(s.settings, '$.timezone')) as timezone,
      (m.deleted_at is null and m.is_active = 1 and (
        exists (select 1 from ecosystem_memberships e
          where e.member_id = m.id and e.status = 'active' and e.is_active = 1)
        or not exists (select 1 from ecosystem_memberships e where e.member_id = m.id and e.status = 'active')
      )) as is_active,
      a.seen_at
    from members m
    left join member_settings s on s.member_id = m.id
    left join member_activity a on a.member_id = m.id
    where m.email not like '%@erased.invalid'
  `.execute(db)
}
