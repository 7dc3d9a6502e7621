import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Selectable } from 'kysely'
import {
  type AuditEntrySchema,
  AuditService,
  type ListPlatformAuditEntriesRequest,
} from '../../../gen/platform/member/v1/audit_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { messageFields, optional } from '../../kernel/base/fields.ts'
import { cursorPaging, cutToPage } from '../../kernel/rpc/cursor.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import type { AuditEntriesTable, Db } from '../tables.ts'
import { countEntries, listEntriesPage, newestFirst } from './sql.ts'

/** The audit log. `record.ts` appends to it; an erasure alone changes entries, AUDIT_KEPT_DAYS alone deletes them. */
export const auditService = ({ db }: Context): Rpc =>
  implement(AuditService, {
    listAuditEntries: (request, context) => listEntries(db, tenantOf(context), request),
    listPlatformAuditEntries: request => listEntries(db, undefined, request),
  })

/** The request of either list. */
type AuditRequest = Omit<ListPlatformAuditEntriesRequest, '$typeName'>

async function listEntries(
  db: Db,
  tenant: Tenant | undefined,
  { memberId, actorId, entity, action, from, until, ...request }: AuditRequest,
) {
  const page = cursorPaging(request, newestFirst)
  const period = { from: from && timestampDate(from), until: until && timestampDate(until) }
  const { requestId, entityId } = request
  const filter = { memberId, actorId, entity, action, ...period, requestId, entityId }
  const [entries, total] = await Promise.all([
    listEntriesPage(db, tenant, filter, page),
    countEntries(db, tenant, filter),
  ])
  const { rows, nextCursor } = cutToPage(entries, page)
  return { data: rows.map(toEntry), meta: pageMeta(total, page, nextCursor) }
}

/** Maps an entry to its response. */
export const toEntry = (row: Selectable<AuditEntriesTable>): MessageInitShape<typeof AuditEntrySchema> => ({
  ...messageFields(row),
  actor: {
    id: row.actor_id,
    name: row.actor_name,
    type: row.actor_type,
    credentialId: optional(row.credential_id),
  },
  ...(row.old_values ? { before: JSON.parse(row.old_values) as JsonObject } : {}),
  ...(row.new_values ? { after: JSON.parse(row.new_values) as JsonObject } : {}),
})
