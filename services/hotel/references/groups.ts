import type { MessageInitShape } from '@bufbuild/protobuf'
import { type GroupSchema, GroupService } from '../../../gen/platform/hotel/v1/groups_pb.ts'
import { invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { hotelsOf, now } from '../rows.ts'
import type { HotelDb, HotelGroupRow } from '../tables.ts'
import { countByGroup, deleteGroup, findGroup, hotelsOfGroup, listGroups } from './groups.sql.ts'

const changeablePaths = new Set(['name', 'description', 'logo_url'])

/** Groups of hotels. A group spans tenants, so each caller sees only their own hotels in it. */
export const groupService = ({ db }: { db: HotelDb }): Rpc =>
  implement(GroupService, {
    async createGroup({ name, description = null, logoUrl = null }) {
      const id = newId()
      await db.insertInto('hotel_groups').values({ id, name, description, logo_url: logoUrl }).execute()
      return { group: toGroup(await existing(db, id), 0) }
    },

    async listGroups(_request, context) {
      const visibleIds = hotelsOf(context)
      const [groups, counts] = await Promise.all([listGroups(db), countByGroup(db, visibleIds)])
      const visibleGroups = visibleIds === undefined ? groups : groups.filter(({ id }) => counts.has(id))
      return { data: visibleGroups.map(group => toGroup(group, counts.get(group.id) ?? 0)) }
    },

    async getGroup({ id }, context) {
      const visibleIds = hotelsOf(context)
      const [group, hotels] = await Promise.all([existing(db, id), hotelsOfGroup(db, id, visibleIds)])
      if (visibleIds !== undefined && hotels.length === 0) throw notFound()
      return { ...messageFields(group), hotels: hotels.map(messageFields) }
    },

    async updateGroup({ id, updateMask, name, description, logoUrl }) {
      const paths = updateMask?.paths ?? []
      const unknownPath = paths.find(path => !changeablePaths.has(path))
      if (unknownPath) throw invalid(unknownPath, 'cannot be changed', 'unknown_field')
      if (paths.includes('name') && name === undefined) throw invalid('name', 'cannot be cleared', 'required')
      await existing(db, id)
      const columns = {
        ...(paths.includes('name') && name !== undefined && { name }),
        ...(paths.includes('description') && { description: description ?? null }),
        ...(paths.includes('logo_url') && { logo_url: logoUrl ?? null }),
        updated_at: now,
      }
      if (paths.length > 0) await db.updateTable('hotel_groups').set(columns).where('id', '=', id).execute()
      const [group, counts] = await Promise.all([existing(db, id), countByGroup(db, undefined)])
      return { group: toGroup(group, counts.get(id) ?? 0) }
    },

    async deleteGroup({ id }) {
      if (!(await inTransaction(db, trx => deleteGroup(trx, id)))) throw notFound()
      return { message: 'Group deleted', id }
    },
  })

const notFound = () => new NotFoundError('Group not found')

async function existing(db: HotelDb, id: string): Promise<HotelGroupRow> {
  const row = await findGroup(db, id)
  if (!row) throw notFound()
  return row
}

const toGroup = (row: HotelGroupRow, hotelsCount: number): MessageInitShape<typeof GroupSchema> => ({
  ...messageFields(row),
  hotelsCount,
})
