import { sql } from 'kysely'
import { routine } from '../kernel/routines.ts'
import { counting } from './limits.sql.ts'

/*
 * What sign-ins and refreshes write, which are asked for most and write most. Types are those of the columns
 * (`migrations/`); `last_activity` is judged by one clock, that of the database.
 */
const ascii = (type: string) => `${type} character set ascii collate ascii_bin`
const text = (type: string) => `${type} character set utf8mb4 collate utf8mb4_unicode_ci`
const id = ascii('char(24)')
const digest = ascii('char(64)')
const hash = ascii('varchar(72)')
const moment = 'datetime(3)'

type Entering = {
  user_id: string
  /** The hash that the password fitted, and the one that shall replace it. */
  password_hash: string
  new_hash: string | null
  session_id: string
  member_id: string | null
  user_agent: string | null
  ip: string | null
  device: string | null
  os: string | null
  token_id: string
  token_digest: string
  expires_at: Date
  now: Date
  /** The attempt, as `counting` takes it, and the most that it may carry back. */
  counter: string
  ends: Date
  first: number
  most: number
}

/** What came of it: whether all was kept, and what the count carried back; null when it did not come to that. */
type Entered = { is_kept: 0 | 1; carried: number | null }

const hit = counting({
  counter: sql.raw('given_counter'),
  now: sql.raw('given_now'),
  ends: sql.raw('given_ends'),
  first: sql.raw('given_first'),
})

/**
 * Stores a modern sign-in: the note on the account, the session with its first refresh token, and the counted attempt.
 * Nothing is kept when password or account changed since they were checked, or when the attempt is one too many. Whoever
 * has signed in needs no sign-up to be taken up again, nor the legacy version's flag of the first sign-in.
 */
export const storeEntry = routine<Entering, Entered>(
  'store_entry',
  {
    user_id: id,
    password_hash: hash,
    new_hash: hash,
    session_id: id,
    member_id: id,
    user_agent: text('varchar(1000)'),
    ip: ascii('varchar(64)'),
    device: text('varchar(32)'),
    os: text('varchar(32)'),
    token_id: id,
    token_digest: digest,
    expires_at: moment,
    now: moment,
    counter: ascii('varchar(100)'),
    ends: moment,
    first: 'bigint',
    most: 'bigint',
  },
  sql`
    declare carried bigint;
    update users
    set
      password_hash = coalesce(given_new_hash, password_hash),
      last_login_at = given_now,
      sign_up_pending = 0,
      is_first_login = 0,
      updated_at = given_now
    where id = given_user_id and password_hash = given_password_hash and is_active = 1 and deleted_at is null;
    if row_count() = 1 then
      insert into sessions
        (id, user_id, member_id, user_agent, ip, device, os, last_activity, expires_at, created_at, updated_at)
      values
        (given_session_id, given_user_id, given_member_id, given_user_agent, given_ip, given_device, given_os,
          now(3), given_expires_at, given_now, given_now);
      insert into refresh_tokens (id, token_digest, session_id, kind, expires_at, created_at, updated_at)
      values (given_token_id, given_token_digest, given_session_id, 'modern', given_expires_at, given_now, given_now);
      ${hit};
      set carried = last_insert_id();
    end if;
    if carried <= given_most then
      commit;
      select 1 as is_kept, carried;
    else
      rollback;
      select 0 as is_kept, carried;
    end if;
  `,
)

type Exchanging = {
  /** Digest of the token that the client presented. */
  presented: string
  session_id: string
  token_id: string
  token_digest: string
  kind: string
  expires_at: Date
  session_ends: Date
  now: Date
}

/**
 * Spends a refresh token and stores the next one; the session ends no earlier than before. The first statement decides who of several exchanges it: it matches a
 * row for the winner alone, and the others store nothing.
 */
export const storeExchange = routine<Exchanging, { is_kept: 0 | 1 }>(
  'store_exchange',
  {
    presented: digest,
    session_id: id,
    token_id: id,
    token_digest: digest,
    kind: ascii('varchar(16)'),
    expires_at: moment,
    session_ends: moment,
    now: moment,
  },
  sql`
    update refresh_tokens
    set used_at = given_now, updated_at = given_now
    where token_digest = given_presented and used_at is null and is_revoked = 0 and expires_at > given_now;
    if row_count() = 1 then
      insert into refresh_tokens (id, token_digest, session_id, kind, expires_at, created_at, updated_at)
      values (given_token_id, given_token_digest, given_session_id, given_kind, given_expires_at, given_now, given_now);
      update sessions
      set
        last_activity = now(3),
        expires_at = greatest(coalesce(expires_at, given_session_ends), given_session_ends),
        updated_at = given_now
      where id = given_session_id;
      commit;
      select 1 as is_kept;
    else
      rollback;
      select 0 as is_kept;
    end if;
  `,
)
