import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db } from '../tables.ts'

/** Sort key of the last row of a chunk. */
export type ExportCursor = { sort_last: string; sort_first: string; id: string }

/**
 * Up to `limit` members of a workspace after a cursor, by last name, first name and id. Each chunk is a separate
 * statement, so that a slow reader holds no connection and no snapshot.
 */
export function membersAfter(db: Db, tenant: Tenant, after: ExportCursor | undefined, limit: number) {
  let members = db
    .selectFrom('workspace_members as wm')
    .select('wm.member_id')
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.left_at', 'is', null)
  if (after) {
    const { sort_last, sort_first, id } = after
    members = members.where(({ and, eb, or }) => {
      const hasSameLastName = eb('wm.sort_last', '=', sort_last)
      const hasSameFirstName = eb('wm.sort_first', '=', sort_first)
      return or([
        eb('wm.sort_last', '>', sort_last),
        and([hasSameLastName, eb('wm.sort_first', '>', sort_first)]),
        and([hasSameLastName, hasSameFirstName, eb('wm.member_id', '>', id)]),
      ])
    })
  }
  const chunk = members.orderBy('wm.sort_last').orderBy('wm.sort_first').orderBy('wm.member_id').limit(limit)
  return db
    .selectFrom(chunk.as('chunk'))
    .modifyFront(sql`straight_join`)
    .innerJoin('workspace_members as wm', 'wm.member_id', 'chunk.member_id')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .select(['m.id', 'm.first_name', 'm.last_name', 'm.email', 'm.phone', 'm.photo_url'])
    .select(['wm.is_veiled', 'wm.sort_last', 'wm.sort_first', 'wm.typed_email', 'wm.member_active'])
    .select(['wm.workspace_role', 'wm.status', 'wm.permission_slugs', 'wm.joined_at'])
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .orderBy('wm.sort_last')
    .orderBy('wm.sort_first')
    .orderBy('wm.member_id')
    .execute()
}
