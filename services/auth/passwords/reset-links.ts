import type { Transaction } from 'kysely'
import { frontLink } from '../../kernel/base/front-link.ts'
import type { Language } from '../../kernel/base/language.ts'
import { digest, newToken } from '../../kernel/base/secrets.ts'
import { lifetimes } from '../config.ts'
import type { Context } from '../context.ts'
import type { AuthTables } from '../tables.ts'
import type { UserRow } from '../users/users.sql.ts'
import { insertReset } from './resets.sql.ts'

const mailOf = { modern: 'password_reset', claim: 'account_claim' } as const

type ResetReceiver = {
  email: string
  receiver: UserRow | undefined
  /** The browser's. */
  language?: Language | undefined
  /** The hotel that invites. */
  ecosystemId?: string | undefined
}

/**
 * Mails a link that sets a password. Earlier links stay valid until one is used: otherwise a stranger who knows the
 * address could void its owner's link once the mail limit is reached. An address without an account runs the same
 * statements, with a request without a user and a mail that is never sent.
 * @param kind modern: the user forgot the password; claim: an invited person whose address has an account
 */
export async function sendResetLink(
  { config, mails }: Pick<Context, 'config' | 'mails'>,
  trx: Transaction<AuthTables>,
  kind: keyof typeof mailOf,
  { email, receiver, language, ecosystemId }: ResetReceiver,
): Promise<void> {
  const token = newToken()
  const now = new Date()
  await insertReset(trx, {
    kind,
    email,
    user_id: receiver?.id ?? null,
    token_digest: digest(token),
    expires_at: new Date(now.getTime() + lifetimes.reset),
    created_at: now,
    updated_at: now,
  })
  const link = frontLink(config.FRONT_BASE_URL, config.FRONT_RESET_PASSWORD_SUFFIX, token)
  const variables = { link, token, email, firstName: receiver?.first_name ?? '', expiresIn: '1 h' }
  await mails.queue(
    trx,
    { slug: mailOf[kind], to: email, variables, fallbackLanguage: language, ecosystemId },
    !receiver,
  )
}
