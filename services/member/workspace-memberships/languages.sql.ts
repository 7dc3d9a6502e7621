import { sql } from 'kysely'
import type { Ecosystem } from '../../kernel/access/tenant.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import type { Db, Trx } from '../tables.ts'
import { findHotelWorkspace } from './workspace.sql.ts'

/** The language in the settings of a hotel's workspace; undefined when none is set. */
export async function hotelLanguage(db: Db, hotel: Pick<Ecosystem, 'ecosystemId'>): Promise<string | undefined> {
  const settings: unknown = JSON.parse((await findHotelWorkspace(db, hotel))?.settings ?? '{}')
  const language = typeof settings === 'object' && settings !== null && 'language' in settings && settings.language
  return typeof language === 'string' && /^[a-z]{2}(-[A-Z]{2})?$/.test(language) ? language : undefined
}

/** Sets the language of members who have none yet; a chosen language stays. */
export async function setMissingLanguage(trx: Trx, memberIds: string[], language: string | undefined): Promise<void> {
  if (language === undefined) return
  for (const ids of toChunks(memberIds)) {
    const settings = JSON.stringify({ language })
    const rows = ids.map(member_id => ({ member_id, settings, preferences: '{}', chat_access_token: null }))
    const isMissing = sql`json_extract(settings, '$.language') is null`
    await trx
      .insertInto('member_settings')
      .values(rows)
      .onDuplicateKeyUpdate({
        settings: sql<string>`if(${isMissing}, json_set(settings, '$.language', ${language}), settings)`,
      })
      .execute()
  }
}
