import { NotFoundError } from '../../kernel/base/errors.ts'
import type { HotelDb } from '../tables.ts'

/** The rows that a hotel refers to; undefined or null for none. */
type References = {
  groupId?: string | null | undefined
  typeId?: string | null | undefined
  settingId?: string | null | undefined
}

/**
 * NotFoundError when a named group, type or profile doesn't exist. In a transaction the rows are locked, so that
 * none is deleted before the hotel that refers to it is written.
 */
export async function requireReferences(db: HotelDb, { groupId, typeId, settingId }: References): Promise<void> {
  const isLocking = db.isTransaction
  if (groupId) {
    const group = await db
      .selectFrom('hotel_groups')
      .select('id')
      .where('id', '=', groupId)
      .where('deleted_at', 'is', null)
      .$if(isLocking, query => query.forUpdate())
      .executeTakeFirst()
    if (!group) throw new NotFoundError('Group not found')
  }
  if (typeId) {
    const type = await db
      .selectFrom('hotel_types')
      .select('id')
      .where('id', '=', typeId)
      .$if(isLocking, query => query.forUpdate())
      .executeTakeFirst()
    if (!type) throw new NotFoundError('Type not found')
  }
  if (settingId) {
    const setting = await db
      .selectFrom('hotel_settings')
      .select('id')
      .where('id', '=', settingId)
      .$if(isLocking, query => query.forUpdate())
      .executeTakeFirst()
    if (!setting) throw new NotFoundError('Setting not found')
  }
}
