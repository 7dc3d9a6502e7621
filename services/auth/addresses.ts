import type { Transaction } from 'kysely'
import { isDuplicateKey } from '../kernel/database.ts'
import { ConflictError } from '../kernel/errors.ts'
import { moveAdministrator } from './administrators.sql.ts'
import { voidUserResets } from './password-resets.sql.ts'
import type { Tables } from './tables.ts'
import { updateUser } from './users.sql.ts'

/**
 * Gives an account another address, normalised, which nobody has proven yet. What was mailed to the old one opens
 * nothing any more. ConflictError when another account has it.
 */
export async function changeAddress(trx: Transaction<Tables>, userId: string, email: string): Promise<void> {
  await voidUserResets(trx, userId)
  try {
    await updateUser(trx, userId, { email, email_verified: 0 })
    await moveAdministrator(trx, userId, email)
  } catch (error) {
    if (isDuplicateKey(error)) throw new ConflictError('An account with this email exists already')
    throw error
  }
}
