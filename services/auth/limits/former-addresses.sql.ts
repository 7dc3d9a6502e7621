import type { Kysely } from 'kysely'
import { addressKey } from '../../kernel/base/client-address.ts'
import type { Tables } from '../tables.ts'

/** Whether an account has signed in from an address before, as far as its stored sessions go back. */
export async function hasSignedInFrom(db: Kysely<Tables>, email: string, address: string | null): Promise<boolean> {
  if (address === null) return false
  const rows = await db
    .selectFrom('sessions')
    .select('ip')
    .distinct()
    .where('ip', 'is not', null)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('user_id', 'in', selectFrom('users').select('id').where('email', '=', email)),
        eb('administrator_id', 'in', selectFrom('administrators').select('id').where('email', '=', email)),
      ]),
    )
    .execute()
  return rows.some(({ ip }) => addressKey(ip) === addressKey(address))
}
