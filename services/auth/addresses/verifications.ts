import type { Kysely, Transaction } from 'kysely'
import { frontLink } from '../../kernel/base/front-link.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Language } from '../../kernel/base/language.ts'
import { digest, newToken } from '../../kernel/base/secrets.ts'
import { deleteOld } from '../../kernel/database/retention.ts'
import { lifetimes } from '../config.ts'
import type { Context } from '../context.ts'
import type { Tables } from '../tables.ts'

/** Voids the open verifications of an account; with onlyChanges, only those that would change its address. */
export async function voidVerifications(trx: Transaction<Tables>, userId: string, onlyChanges = false): Promise<void> {
  const open = trx
    .updateTable('email_verifications')
    .set({ is_used: 1 })
    .where('user_id', '=', userId)
    .where('is_used', '=', 0)
  await (onlyChanges ? open.where('is_change', '=', 1) : open).execute()
}

/**
 * Mails a link that verifies an address and voids earlier ones.
 * @param isChange whether the address replaces the account's present one
 */
export async function sendVerification(
  { config, mails }: Pick<Context, 'config' | 'mails'>,
  trx: Transaction<Tables>,
  user: {
    id: string
    email: string
    firstName?: string | undefined
    /** The browser's. */
    language?: Language | undefined
    /** The hotel that invites. */
    ecosystemId?: string | undefined
  },
  isChange = false,
): Promise<void> {
  const token = newToken()
  const now = new Date()
  await voidVerifications(trx, user.id)
  await trx
    .insertInto('email_verifications')
    .values({
      id: newId(),
      user_id: user.id,
      email: user.email,
      token_digest: digest(token),
      is_change: isChange ? 1 : 0,
      expires_at: new Date(now.getTime() + lifetimes.verification),
      created_at: now,
    })
    .execute()
  const link = frontLink(config.FRONT_BASE_URL, config.FRONT_VERIFY_EMAIL_SUFFIX, token)
  await mails.queue(trx, {
    slug: 'verify_email',
    to: user.email,
    variables: { link, token, email: user.email, firstName: user.firstName ?? '' },
    fallbackLanguage: user.language,
    ecosystemId: user.ecosystemId,
  })
}

/**
 * Consumes a verification token.
 * @returns what it verifies, or undefined when it is unknown, used or expired
 */
export async function takeVerification(
  trx: Transaction<Tables>,
  token: string,
): Promise<{ userId: string; email: string; isChange: boolean } | undefined> {
  const tokenDigest = digest(token)
  const { numUpdatedRows } = await trx
    .updateTable('email_verifications')
    .set({ is_used: 1 })
    .where('token_digest', '=', tokenDigest)
    .where('is_used', '=', 0)
    .where('expires_at', '>', new Date())
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return undefined
  const row = await trx
    .selectFrom('email_verifications')
    .select(['user_id', 'email', 'is_change'])
    .where('token_digest', '=', tokenDigest)
    .executeTakeFirstOrThrow()
  return { userId: row.user_id, email: row.email, isChange: row.is_change === 1 }
}

/** Deletes verifications that expired long ago. */
export const deleteOldVerifications = (db: Kysely<Tables>, before: Date) =>
  deleteOld(db, 'email_verifications', most =>
    db.deleteFrom('email_verifications').where('expires_at', '<', before).limit(most).executeTakeFirst(),
  )
