import type { Kysely, Transaction } from 'kysely'
import type { Asker } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import type { Language } from '../../kernel/base/language.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import { provePassword } from '../passwords/check.ts'
import { voidUserResets } from '../passwords/resets.sql.ts'
import type { AuthTables } from '../tables.ts'
import { administratorById, moveAdministrator } from '../users/administrators.sql.ts'
import { type UserRow, updateUser, userByEmail, userById } from '../users/users.sql.ts'
import { sendVerification, voidVerifications } from './verifications.ts'

const addressTaken = () => new ConflictError('An account with this email already exists')

/**
 * Sets a new address of an account, normalised and unverified. Mails sent to the old one and links to further addresses
 * become void. ConflictError when another account has the address.
 */
export async function changeAddress(trx: Transaction<AuthTables>, userId: string, email: string): Promise<void> {
  await voidUserResets(trx, userId)
  await voidVerifications(trx, userId)
  try {
    await updateUser(trx, userId, { email, email_verified: 0 })
    await moveAdministrator(trx, userId, email)
  } catch (error) {
    if (isDuplicateKey(error)) throw addressTaken()
    throw error
  }
}

type AddressMove = { user: UserRow; email: string; language?: Language | undefined }

/**
 * Gives an account a new address at once, unverified until the link mailed there is opened. The former address is
 * notified. ConflictError when another member or account has the new one.
 */
export async function moveAccount(
  parts: Context,
  trx: Transaction<AuthTables>,
  { user, email, language }: AddressMove,
): Promise<void> {
  const member = await parts.members.memberWithAddress(email)
  if (member && member.userId !== user.id) throw addressTaken()
  await changeAddress(trx, user.id, email)
  await sendVerification(parts, trx, { id: user.id, email, firstName: user.first_name ?? undefined, language })
  await notifyFormerAddress(parts, trx, { user, email, language })
}

async function notifyFormerAddress(
  { mails }: Context,
  trx: Transaction<AuthTables>,
  { user, email, language }: AddressMove,
): Promise<void> {
  if (!user.email) return
  const variables = { email, oldEmail: user.email, firstName: user.first_name ?? '' }
  await mails.queue(trx, { slug: 'email_changing', to: user.email, variables, fallbackLanguage: language })
}

type AddressChange = { userId: string; email: string; asker: Asker; currentPassword?: string | undefined }

/**
 * Starts the change of an account's address [R57]: it takes effect once the link mailed to the new address is opened,
 * and the present address is notified at once. ConflictError while another account has the address. ValidationError
 * when the askers change their own without their password.
 */
export async function beginAddressChange(parts: Context, change: AddressChange): Promise<void> {
  const { db } = parts
  const { userId, asker, currentPassword } = change
  const email = normalizeEmail(change.email)
  const account = await userById(db, userId)
  if (account && account.email !== email && (await isOwnAccount(db, asker.userId, userId)))
    await provePassword(parts, account, { currentPassword }, 'change the email')
  await inTransaction(db, async trx => {
    const user = await userById(trx, userId)
    if (!user) return
    if (email === user.email) return voidVerifications(trx, userId, true)
    if (await userByEmail(trx, email)) throw addressTaken()
    await sendVerification(parts, trx, { id: userId, email, firstName: user.first_name ?? undefined }, asker)
    await notifyFormerAddress(parts, trx, { user, email })
  })
}

/** Whether a caller is the account's user, or the legacy Administrator that was created with it. */
export async function isOwnAccount(db: Kysely<AuthTables>, callerId: string, userId: string): Promise<boolean> {
  return callerId === userId || (await administratorById(db, callerId))?.user_id === userId
}
