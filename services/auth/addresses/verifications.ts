import { fromJsonString, toJsonString } from '@bufbuild/protobuf'
import type { Kysely, Transaction } from 'kysely'
import { type Asker, AskerSchema } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { frontLink } from '../../kernel/base/front-link.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Language } from '../../kernel/base/language.ts'
import { digest, newToken } from '../../kernel/base/secrets.ts'
import { lifetimes } from '../config.ts'
import type { Context } from '../context.ts'
import type { AuthTables } from '../tables.ts'

/** Voids the unused verifications of an account; with `onlyChanges`, only those that would change its address. */
export async function voidVerifications(
  trx: Transaction<AuthTables>,
  userId: string,
  onlyChanges = false,
): Promise<void> {
  const unusedVerifications = trx
    .updateTable('email_verifications')
    .set({ is_used: 1 })
    .where('user_id', '=', userId)
    .where('is_used', '=', 0)
  await (onlyChanges ? unusedVerifications.where('is_change', '=', 1) : unusedVerifications).execute()
}

/**
 * Mails a link that verifies an address, and voids earlier links.
 * @param asker the member or administrator who changes the account's address; absent to verify the present address
 */
export async function sendVerification(
  { config, mails }: Pick<Context, 'config' | 'mails'>,
  trx: Transaction<AuthTables>,
  user: {
    id: string
    email: string
    firstName?: string | undefined
    /** The language of the browser. */
    language?: Language | undefined
    /** The hotel that invites. */
    ecosystemId?: string | undefined
  },
  asker?: Asker,
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
      is_change: asker ? 1 : 0,
      asker: asker ? toJsonString(AskerSchema, asker) : null,
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

/** The address that a link verifies. */
export type Verification = { userId: string; email: string; isChange: boolean; asker: Asker | undefined }

const openVerifications = (db: Kysely<AuthTables>) =>
  db
    .selectFrom('email_verifications')
    .select(['user_id', 'email', 'is_change', 'asker'])
    .where('is_used', '=', 0)
    .where('expires_at', '>', new Date())

/** Finds the verification of a token that is neither used nor expired. */
export async function findOpenVerification(db: Kysely<AuthTables>, token: string): Promise<Verification | undefined> {
  const row = await openVerifications(db).where('token_digest', '=', digest(token)).executeTakeFirst()
  if (!row) return undefined
  const asker = row.asker === null ? undefined : fromJsonString(AskerSchema, row.asker)
  return { userId: row.user_id, email: row.email, isChange: row.is_change === 1, asker }
}

/** Consumes a verification token. Undefined when it is unknown, used or expired. */
export async function consumeVerification(
  trx: Transaction<AuthTables>,
  token: string,
): Promise<Verification | undefined> {
  const verification = await findOpenVerification(trx, token)
  const { numUpdatedRows } = await trx
    .updateTable('email_verifications')
    .set({ is_used: 1 })
    .where('token_digest', '=', digest(token))
    .where('is_used', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? verification : undefined
}

/** Finds the unconfirmed address that is to replace an account's present one. */
export async function findPendingAddress(db: Kysely<AuthTables>, userId: string): Promise<string | undefined> {
  const query = openVerifications(db).where('user_id', '=', userId).where('is_change', '=', 1)
  return (await query.executeTakeFirst())?.email
}
