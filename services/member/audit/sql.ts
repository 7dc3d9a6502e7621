import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { currentRequestId, newId } from '../../kernel/base/ids.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { exempt } from '../../kernel/database/database.ts'
import { toChunks } from '../../kernel/database/parts.ts'
import { countRows } from '../../kernel/database/rows.ts'
import { type CursorPaging, followsCursor, type ListOrder, rowsToRead } from '../../kernel/rpc/cursor.ts'
import type { Db, Trx } from '../tables.ts'
import { loadEntryTotal } from './totals.sql.ts'
import { type AuditChange, type AuditEntity, personalValues } from './values.ts'

export async function insertEntries(trx: Trx, workspaceId: string | null, changes: AuditChange[]): Promise<void> {
  const rows = changes.map(({ actor, action, memberId, entityId = memberId, before, after }) => ({
    id: newId(),
    workspace_id: workspaceId,
    actor_id: actor.id,
    actor_name: actor.name.slice(0, 255),
    actor_type: actor.type,
    credential_id: actor.credentialId ?? null,
    action,
    entity: action.split('.')[0] as AuditEntity,
    entity_id: entityId ?? '',
    member_id: memberId ?? null,
    old_values: before ? JSON.stringify(before) : null,
    new_values: after ? JSON.stringify(after) : null,
    request_id: currentRequestId.getStore() ?? null,
  }))
  for (const part of toChunks(rows)) await trx.insertInto('audit_entries').values(part).execute()
}

export type AuditFilter = {
  memberId?: string | undefined
  actorId?: string | undefined
  entity?: string | undefined
  action?: string | undefined
  from?: Date | undefined
  until?: Date | undefined
  /** Without a tenant, these two select entries of all workspaces. */
  requestId?: string | undefined
  entityId?: string | undefined
}

/** Entries that match a filter; without a tenant, those that belong to no single workspace. */
function matchingEntries(db: Db, tenant: Tenant | undefined, filter: AuditFilter) {
  const isOverAll = filter.requestId !== undefined || filter.entityId !== undefined
  let query = tenant
    ? db.selectFrom('audit_entries').where('workspace_id', '=', tenant.workspaceId)
    : exempt(db, 'what belongs to no tenant, or is asked for by the platform')
        .selectFrom('audit_entries')
        .$if(!isOverAll, one => one.where('workspace_id', 'is', null))
  if (filter.requestId) query = query.where('request_id', '=', filter.requestId)
  if (filter.entityId) query = query.where('entity_id', '=', filter.entityId)
  if (filter.memberId) query = query.where('member_id', '=', filter.memberId)
  if (filter.actorId) query = query.where('actor_id', '=', filter.actorId)
  if (filter.entity) query = query.where('entity', '=', filter.entity as AuditEntity)
  if (filter.action) query = query.where('action', '=', filter.action)
  if (filter.from) query = query.where('created_at', '>=', filter.from)
  if (filter.until) query = query.where('created_at', '<', filter.until)
  return query
}

/** `position` is the order of insertion. */
export const newestFirst: ListOrder = { name: 'audit', columns: { created_at: 'time', position: 'number' } }

/** A page of the audit log, newest first. */
export const listEntriesPage = (db: Db, tenant: Tenant | undefined, filter: AuditFilter, page: CursorPaging) =>
  matchingEntries(db, tenant, filter)
    .selectAll()
    .where(followsCursor(page, 'audit_entries'))
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(rowsToRead(page))
    .offset(page.offset)
    .execute()

/** Number of matches. That of the whole log is kept; a filter's are counted, by an index where it names a person. */
export async function countEntries(db: Db, tenant: Tenant | undefined, filter: AuditFilter): Promise<number> {
  if (Object.values(filter).every(value => value === undefined)) return loadEntryTotal(db, tenant)
  return countRows(matchingEntries(db, tenant, filter))
}

/**
 * Ids of a person's invitations: those to their address, and closed ones to former addresses. Left out are invitations
 * to a live member who has the address of a deleted one by now.
 */
export async function invitationsOf(trx: Trx, { id, email }: { id: string; email: string }): Promise<string[]> {
  const allTenants = exempt(trx, 'the invitations of one person, wherever they came from')
  const toAddress = await allTenants
    .selectFrom('onboardings')
    .select('id')
    .where('email_key', '=', normalizeEmail(email))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members as m')
            .select('m.id')
            .where('m.live_email', '=', normalizeEmail(email))
            .where('m.id', '!=', id)
            .whereRef('m.created_at', '<=', 'onboardings.created_at'),
        ),
      ),
    )
    .execute()
  const recordedIds = await allTenants
    .selectFrom('audit_entries')
    .select('entity_id as id')
    .where('member_id', '=', id)
    .where('entity', '=', 'invitation')
    .execute()
  return [...new Set([...toAddress, ...recordedIds].map(one => one.id))]
}

/** Removes personal values from the entries about an erased person; action and time stay. */
export async function eraseInAudit(trx: Trx, { id, email }: { id: string; email: string }): Promise<void> {
  const allTenants = exempt(trx, 'erasure covers every tenant')
  const withoutPersonalValues = (column: 'old_values' | 'new_values') =>
    sql<string>`json_remove(${sql.ref(column)}, ${sql.join(personalValues.map(name => `$.${name}`))})`
  const values = { old_values: withoutPersonalValues('old_values'), new_values: withoutPersonalValues('new_values') }
  const invitations = await invitationsOf(trx, { id, email })
  await allTenants
    .updateTable('audit_entries')
    .set({ actor_name: 'Former member' })
    .where('actor_id', '=', id)
    .execute()
  await allTenants.updateTable('audit_entries').set(values).where('member_id', '=', id).execute()
  if (invitations.length === 0) return
  await allTenants
    .updateTable('audit_entries')
    .set(values)
    .where('entity', '=', 'invitation')
    .where('entity_id', 'in', invitations)
    .execute()
}
