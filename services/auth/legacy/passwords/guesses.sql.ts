import type { Kysely } from 'kysely'
import type { AuthTables } from '../../tables.ts'

type Db = Kysely<AuthTables>

/** Counts a guess before it is compared. @returns false once `maxGuesses` were counted */
export async function countGuess(db: Db, requestId: string, maxGuesses: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('password_resets')
    .set(eb => ({ wrong_codes: eb('wrong_codes', '+', 1), updated_at: new Date() }))
    .where('id', '=', requestId)
    .where('is_used', '=', 0)
    .where('wrong_codes', '<', maxGuesses)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Takes a correct guess off the count. */
export const uncountGuess = (db: Db, requestId: string) =>
  db
    .updateTable('password_resets')
    .set(eb => ({ wrong_codes: eb('wrong_codes', '-', 1) }))
    .where('id', '=', requestId)
    .where('wrong_codes', '>', 0)
    .execute()

/** Voids a request, both code and token, after `maxGuesses` wrong guesses. */
export const voidGuessed = (db: Db, requestId: string, maxGuesses: number) =>
  db
    .updateTable('password_resets')
    .set({ is_used: 1, updated_at: new Date() })
    .where('id', '=', requestId)
    .where('wrong_codes', '>=', maxGuesses)
    .execute()
