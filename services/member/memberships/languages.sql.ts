import { sql } from 'kysely'
import type { Ecosystem } from '../../kernel/access/tenant.ts'
import { type Db, inParts, type Trx } from '../rows.ts'
import { findHotelWorkspace } from './workspace.sql.ts'

/** The language of a hotel's settings, as its workspace has it; undefined where none was chosen. */
export async function hotelLanguage(db: Db, hotel: Pick<Ecosystem, 'ecosystemId'>): Promise<string | undefined> {
  const settings: unknown = JSON.parse((await findHotelWorkspace(db, hotel))?.settings ?? '{}')
  const language = typeof settings === 'object' && settings !== null && 'language' in settings && settings.language
  return typeof language === 'string' && /^[a-z]{2}(-[A-Z]{2})?$/.test(language) ? language : undefined
}

/** Gives members a language who have not had one yet: what somebody chose stays. */
export async function giveLanguage(trx: Trx, memberIds: string[], language: string | undefined): Promise<void> {
  if (language === undefined) return
  for (const ids of inParts(memberIds)) {
    const rows = ids.map(member_id => ({ member_id, settings: '{}', preferences: '{}', chat_access_token: null }))
    await trx.insertInto('member_settings').ignore().values(rows).execute()
    await trx
      .updateTable('member_settings')
      .set({ settings: sql<string>`json_set(settings, '$.language', ${language})` })
      .where('member_id', 'in', ids)
      .where(sql`json_extract(settings, '$.language')`, 'is', null)
      .execute()
  }
}
