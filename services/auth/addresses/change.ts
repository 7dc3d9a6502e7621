import type { Transaction } from 'kysely'
import { ConflictError } from '../../kernel/base/errors.ts'
import { normalEmail } from '../../kernel/base/text.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { voidUserResets } from '../passwords/resets.sql.ts'
import type { Tables } from '../tables.ts'
import { moveAdministrator } from '../users/administrators.sql.ts'
import { updateUser, userByEmail, userById } from '../users/users.sql.ts'
import { sendVerification, voidVerifications } from './verifications.ts'

const taken = () => new ConflictError('An account with this email already exists')

/**
 * Sets a new address of an account, normalised and unverified. Mails sent to the old one and links to further addresses
 * become void. ConflictError when another account has the address.
 */
export async function changeAddress(trx: Transaction<Tables>, userId: string, email: string): Promise<void> {
  await voidUserResets(trx, userId)
  await voidVerifications(trx, userId)
  try {
    await updateUser(trx, userId, { email, email_verified: 0 })
    await moveAdministrator(trx, userId, email)
  } catch (error) {
    if (isDuplicateKey(error)) throw taken()
    throw error
  }
}

/**
 * Starts the change of an account's address on another person's request [R43]: it takes effect once the link mailed to
 * the new address is opened, and the present address is notified at once. ConflictError while another account has the
 * address.
 */
export async function beginAddressChange(
  parts: Pick<Context, 'db' | 'config' | 'mails'>,
  userId: string,
  wanted: string,
): Promise<void> {
  const email = normalEmail(wanted)
  await inTransaction(parts.db, async trx => {
    const user = await userById(trx, userId)
    if (!user) return
    if (email === user.email) return voidVerifications(trx, userId, true)
    if (await userByEmail(trx, email)) throw taken()
    const firstName = user.first_name ?? ''
    await sendVerification(parts, trx, { id: userId, email, firstName }, true)
    if (!user.email) return
    const variables = { email, oldEmail: user.email, firstName }
    await parts.mails.queue(trx, { slug: 'email_changing', to: user.email, variables })
  })
}
