import type { Db, Trx } from '../rows.ts'

/** What the side table says of a member. */
export const settingsOf = (db: Db, memberId: string) =>
  db.selectFrom('member_settings').select('chat_access_token').where('member_id', '=', memberId).executeTakeFirst()

/** Any member by id, deleted or not: a profile says when its member was deleted. */
export const findAnyMember = (db: Db, memberId: string) =>
  db.selectFrom('members').selectAll().where('id', '=', memberId).executeTakeFirst()

/** Stores (or with null removes) the sealed chat token. */
export const setChatToken = (trx: Trx, memberId: string, sealed: string | null) =>
  trx
    .insertInto('member_settings')
    .values({ member_id: memberId, settings: '{}', preferences: '{}', chat_access_token: sealed })
    .onDuplicateKeyUpdate({ chat_access_token: sealed })
    .execute()
