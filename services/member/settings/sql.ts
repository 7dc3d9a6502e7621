import type { Db, Trx } from '../tables.ts'

/** Stored settings and preferences of a member; undefined while all are defaults. */
export const findSettings = (db: Db, memberId: string) =>
  db
    .selectFrom('member_settings')
    .select(['is_invisible', 'settings', 'preferences'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()

/** Stored settings of a member, created when missing and locked until the transaction ends. */
export async function lockSettings(trx: Trx, memberId: string) {
  await trx
    .insertInto('member_settings')
    .ignore()
    .values({ member_id: memberId, settings: '{}', preferences: '{}', chat_access_token: null })
    .execute()
  return trx
    .selectFrom('member_settings')
    .select(['is_invisible', 'settings', 'preferences'])
    .where('member_id', '=', memberId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export const saveSettings = (
  trx: Trx,
  memberId: string,
  set: Partial<{ is_invisible: number; settings: string; preferences: string }>,
) => trx.updateTable('member_settings').set(set).where('member_id', '=', memberId).execute()

/** The sealed chat token of a member. */
export const chatTokenOf = (db: Db, memberId: string) =>
  db.selectFrom('member_settings').select('chat_access_token').where('member_id', '=', memberId).executeTakeFirst()

/** Stores the sealed chat token; null removes it. */
export const setChatToken = (trx: Trx, memberId: string, encryptedToken: string | null) =>
  trx
    .insertInto('member_settings')
    .values({ member_id: memberId, settings: '{}', preferences: '{}', chat_access_token: encryptedToken })
    .onDuplicateKeyUpdate({ chat_access_token: encryptedToken })
    .execute()
