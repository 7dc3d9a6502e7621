import type { Kysely } from 'kysely'
import { newId } from '../../kernel/base/ids.ts'
import type { AuthTables, TokenKind } from '../tables.ts'

type Db = Kysely<AuthTables>

type NewToken = { digest: string; sessionId: string; kind: TokenKind; expiresAt: Date; now: Date }

export const insertRefreshToken = (db: Db, { digest, sessionId, kind, expiresAt, now }: NewToken) =>
  db
    .insertInto('refresh_tokens')
    .values({
      id: newId(),
      token_digest: digest,
      session_id: sessionId,
      kind,
      expires_at: expiresAt,
      created_at: now,
      updated_at: now,
    })
    .execute()

export type RefreshTokenRow = NonNullable<Awaited<ReturnType<typeof loadRefreshToken>>>

/** A refresh token with its session. */
export const loadRefreshToken = (db: Db, tokenDigest: string) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .select([
      'refresh_tokens.session_id',
      'refresh_tokens.kind',
      'refresh_tokens.is_revoked',
      'refresh_tokens.used_at',
      'refresh_tokens.expires_at',
      'sessions.user_id',
      'sessions.administrator_id',
      'sessions.member_id',
      'sessions.app_type',
      'sessions.is_active as session_active',
      'sessions.created_at as session_since',
    ])
    .where('refresh_tokens.token_digest', '=', tokenDigest)
    .executeTakeFirst()

/** Marks a token used; of concurrent exchanges only one gets true. */
export async function useToken(db: Db, tokenDigest: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refresh_tokens')
    .set({ used_at: now, updated_at: now })
    .where('token_digest', '=', tokenDigest)
    .where('used_at', 'is', null)
    .where('is_revoked', '=', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
