import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Accounts of both versions. A deleted account keeps its row with a null e-mail, which frees the address: a unique
  // key allows any number of nulls.
  await sql`
    create table if not exists users (
      id char(24) character set ascii collate ascii_bin not null primary key,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin null,
      former_email varchar(254) character set utf8mb4 collate utf8mb4_bin null,
      password_hash varchar(72) character set ascii collate ascii_bin not null,
      first_name varchar(255) null,
      last_name varchar(255) null,
      photo_url varchar(2048) null,
      is_tmp_password tinyint not null default 0,
      is_first_login tinyint not null default 0,
      is_forced tinyint not null default 0,
      is_active tinyint not null default 1,
      is_admin tinyint not null default 0,
      email_verified tinyint not null default 0,
      invitation_id char(24) character set ascii collate ascii_bin null,
      sign_up_pending tinyint not null default 0,
      tokens_valid_from datetime(3) null,
      last_login_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      deleted_at datetime(3) null,
      unique key users_email (email)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // System administrators of the legacy version, who are not users. `user_id` is the account that one was created with;
  // it shares that account's password and ends with it.
  await sql`
    create table if not exists administrators (
      id char(24) character set ascii collate ascii_bin not null primary key,
      user_id char(24) character set ascii collate ascii_bin null,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin not null,
      password_hash varchar(72) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key administrators_email (email),
      key administrators_user (user_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Sign-ins of both versions. A session is also the family of the refresh tokens from one sign-in.
  await sql`
    create table if not exists sessions (
      id char(24) character set ascii collate ascii_bin not null primary key,
      user_id char(24) character set ascii collate ascii_bin null,
      administrator_id char(24) character set ascii collate ascii_bin null,
      member_id char(24) character set ascii collate ascii_bin null,
      app_type varchar(16) character set ascii collate ascii_bin null,
      user_agent varchar(1000) null,
      ip varchar(64) character set ascii collate ascii_bin null,
      device varchar(32) null,
      os varchar(32) null,
      is_active tinyint not null default 1,
      last_activity datetime(3) not null,
      expires_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      key sessions_user (user_id, is_active, last_activity, id),
      key sessions_member (member_id, is_active, last_activity),
      key sessions_activity (last_activity, id),
      key sessions_state (is_active, last_activity, id),
      key sessions_expiry (expires_at),
      constraint sessions_of_user foreign key (user_id) references users (id) on delete cascade,
      constraint sessions_of_administrator foreign key (administrator_id) references administrators (id)
        on delete cascade
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Refresh tokens, by digest. `used_at` is the time of the exchange; a token can be exchanged once.
  await sql`
    create table if not exists refresh_tokens (
      id char(24) character set ascii collate ascii_bin not null primary key,
      token_digest char(64) character set ascii collate ascii_bin not null,
      session_id char(24) character set ascii collate ascii_bin not null,
      kind varchar(16) character set ascii collate ascii_bin not null,
      is_revoked tinyint not null default 0,
      used_at datetime(3) null,
      expires_at datetime(3) not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key refresh_tokens_digest (token_digest),
      key refresh_tokens_session (session_id, is_revoked),
      key refresh_tokens_expiry (expires_at),
      constraint refresh_tokens_of_session foreign key (session_id) references sessions (id) on delete cascade
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Reset requests of both versions. One for an unknown e-mail has no user: it costs the same but can't be used.
  await sql`
    create table if not exists password_resets (
      id char(24) character set ascii collate ascii_bin not null primary key,
      kind varchar(16) character set ascii collate ascii_bin not null,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin not null,
      user_id char(24) character set ascii collate ascii_bin null,
      token_digest char(64) character set ascii collate ascii_bin not null,
      sealed_code varchar(255) character set ascii collate ascii_bin null,
      sealed_token varchar(1024) character set ascii collate ascii_bin null,
      wrong_codes int not null default 0,
      is_used tinyint not null default 0,
      expires_at datetime(3) not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key password_resets_token (token_digest),
      key password_resets_email (email, kind, is_used, created_at),
      key password_resets_expiry (expires_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Tokens of the mails that verify an address, by digest. With is_change, the account gets the address when the token
  // is used; then the right of the asker is checked again.
  await sql`
    create table if not exists email_verifications (
      id char(24) character set ascii collate ascii_bin not null primary key,
      user_id char(24) character set ascii collate ascii_bin not null,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin not null,
      is_change tinyint not null default 0,
      asker text null,
      token_digest char(64) character set ascii collate ascii_bin not null,
      is_used tinyint not null default 0,
      expires_at datetime(3) not null,
      created_at datetime(3) not null,
      unique key email_verifications_token (token_digest),
      key email_verifications_user (user_id, is_used),
      key email_verifications_expiry (expires_at),
      constraint email_verifications_of_user foreign key (user_id) references users (id) on delete cascade
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // API credentials of ecosystems. The secret is stored encrypted. Unknown permissions are words that
  // were none when the credential was created.
  await sql`
    create table if not exists ecosystem_credentials (
      id char(24) character set ascii collate ascii_bin not null primary key,
      user_id char(24) character set ascii collate ascii_bin not null,
      ecosystem_id char(24) character set ascii collate ascii_bin not null,
      api_key varchar(64) character set ascii collate ascii_bin not null,
      api_secret varchar(512) character set ascii collate ascii_bin not null,
      permissions json not null,
      unknown_permissions json null,
      is_active tinyint not null default 1,
      expires_at datetime(3) null,
      created_at datetime(3) not null,
      unique key ecosystem_credentials_key (api_key),
      key ecosystem_credentials_ecosystem (ecosystem_id, created_at, id),
      constraint ecosystem_credentials_of_user foreign key (user_id) references users (id) on delete cascade
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Counters of rate limits: one row per subject and window, shared by all processes.
  await sql`
    create table if not exists rate_counters (
      name varchar(100) character set ascii collate ascii_bin not null primary key,
      hits int unsigned not null,
      ends_at datetime(3) not null,
      key rate_counters_end (ends_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Mails queued for the notification service. Their contents are sealed, since links and codes open accounts.
  await sql`
    create table if not exists mails (
      id char(24) character set ascii collate ascii_bin not null primary key,
      slug varchar(100) character set ascii collate ascii_bin not null,
      sealed text character set ascii collate ascii_bin not null,
      is_decoy tinyint not null default 0,
      attempts int unsigned not null default 0,
      next_attempt_at datetime(3) not null,
      created_at datetime(3) not null,
      key mails_due (next_attempt_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Log records of the legacy version.
  await sql`
    create table if not exists user_logs (
      id char(24) character set ascii collate ascii_bin not null primary key,
      timestamp datetime(3) not null,
      user_id char(24) character set ascii collate ascii_bin null,
      level varchar(8) character set ascii collate ascii_bin not null,
      message varchar(500) not null,
      meta json null,
      key user_logs_user (user_id, timestamp),
      key user_logs_time (timestamp)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Calls of legacy routes per day and client: shows which clients have yet to move to the modern version.
  await sql`
    create table if not exists route_usage (
      day date not null,
      route varchar(100) character set ascii collate ascii_bin not null,
      client varchar(60) character set ascii collate ascii_bin not null,
      calls int unsigned not null,
      last_called_at datetime(3) not null,
      primary key (day, route, client)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
