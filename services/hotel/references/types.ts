import { TypeService } from '../../../gen/platform/hotel/v1/types_pb.ts'
import { ConflictError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { exempt, inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { now } from '../rows.ts'
import type { HotelDb, TypeRow } from '../tables.ts'

const changeablePaths = new Set(['name', 'description', 'icon'])

/** Kinds of ecosystem; shared by all tenants. */
export const typeService = ({ db }: { db: HotelDb }): Rpc =>
  implement(TypeService, {
    async createType({ name, description = null, icon = null }) {
      const id = newId()
      await unlessTaken(db.insertInto('hotel_types').values({ id, name, description, icon }).execute())
      return { type: messageFields(await find(db, id)) }
    },

    async listTypes() {
      const rows = await db.selectFrom('hotel_types').selectAll().orderBy('name').orderBy('id').execute()
      return { data: rows.map(messageFields) }
    },

    async updateType({ id, updateMask, name, description, icon }) {
      const paths = updateMask?.paths ?? []
      const unknownPath = paths.find(path => !changeablePaths.has(path))
      if (unknownPath) throw invalid(unknownPath, 'cannot be changed', 'unknown_field')
      if (paths.includes('name') && name === undefined) throw invalid('name', 'cannot be cleared', 'required')
      await find(db, id)
      const columns = {
        ...(paths.includes('name') && name !== undefined && { name }),
        ...(paths.includes('description') && { description: description ?? null }),
        ...(paths.includes('icon') && { icon: icon ?? null }),
        updated_at: now,
      }
      if (paths.length > 0) await unlessTaken(db.updateTable('hotel_types').set(columns).where('id', '=', id).execute())
      return { type: messageFields(await find(db, id)) }
    },

    async deleteType({ id }) {
      await inTransaction(db, async trx => {
        const type = await trx
          .selectFrom('hotel_types')
          .select('id')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (!type) throw new NotFoundError('Type not found')
        const user = await exempt(trx, 'types are shared by all tenants')
          .selectFrom('hotels')
          .select('id')
          .where('type_id', '=', id)
          // A deleted hotel may be restored until it has ended.
          .where('ended_at', 'is', null)
          .limit(1)
          .executeTakeFirst()
        if (user) throw new ConflictError('The type is used by a hotel')
        await trx.deleteFrom('hotel_types').where('id', '=', id).execute()
      })
      return { message: 'Type deleted', id }
    },
  })

async function find(db: HotelDb, id: string): Promise<TypeRow> {
  const row = await db.selectFrom('hotel_types').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFoundError('Type not found')
  return row
}

async function unlessTaken(write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (isDuplicateKey(error, 'hotel_types_name')) throw new ConflictError('A type with this name already exists')
    throw error
  }
}
