import { type Kysely, sql } from 'kysely'

/** Invitations sent from this service. The member service's onboarding record holds the invitation itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists invitations (
      id char(24) character set ascii collate ascii_bin not null primary key,
      onboarding_id char(24) character set ascii collate ascii_bin not null,
      invited_by char(24) character set ascii collate ascii_bin not null,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin not null,
      token_digest char(64) character set ascii collate ascii_bin not null,
      role varchar(64) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      is_used tinyint not null default 0,
      revoked_at datetime(3) null,
      expires_at datetime(3) not null,
      created_at datetime(3) not null,
      unique key invitations_onboarding (onboarding_id),
      key invitations_sender (invited_by, created_at, id),
      key invitations_token (token_digest)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
