import { type Selectable, sql, type Updateable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { digest } from '../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { exempt, isDuplicateKey } from '../../kernel/database/database.ts'
import { countRows } from '../../kernel/database/rows.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import { lockRoles } from '../rights/grants.sql.ts'
import type { Db, OnboardingStatus, OnboardingsTable, Trx } from '../tables.ts'

export type InvitationRow = Selectable<OnboardingsTable>

/** Days until an invitation expires. */
const validDays = 7
const expiry = sql<Date>`current_timestamp(3) + interval ${sql.lit(validDays)} day`

export type NewInvitation = {
  email: string
  firstName?: string | undefined
  lastName?: string | undefined
  token: string
  invitedBy: string | null
  role: string
  permissions: string[]
  data?: object | undefined
  /**
   * The digest of the open invitation that the caller saw, null for none: fails if another request renewed the
   * invitation meanwhile. Absent to replace any.
   */
  expectedTokenDigest?: string | null
}

/**
 * Opens an invitation, or renews the open one of the same person and workspace with a new token, new grants and a new
 * expiry. With `keepOpen` an open one stays. ConflictError when another request was first.
 * @returns the invitation; undefined when an open one was kept
 */
export async function upsertInvitation(
  trx: Trx,
  tenant: Tenant,
  invitation: NewInvitation,
  { keepOpen = false } = {},
): Promise<InvitationRow | undefined> {
  await lockRoles(trx, tenant, [invitation.role])
  const { set, row } = columnsOf(tenant, invitation)
  const { expectedTokenDigest } = invitation
  const insert = trx.insertInto('onboardings').values(row)
  if (expectedTokenDigest) await renew(trx, row, set, expectedTokenDigest)
  else if (expectedTokenDigest === null) await insert.execute().catch(refuseConcurrent)
  else {
    const write = keepOpen ? insert.ignore() : insert.onDuplicateKeyUpdate(set)
    const { numInsertedOrUpdatedRows } = await write.executeTakeFirst()
    if (keepOpen && !numInsertedOrUpdatedRows) return undefined
  }
  return trx
    .selectFrom('onboardings')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('open_key', '=', row.open_key)
    .executeTakeFirst()
}

const concurrentInvitation = () => new ConflictError('This person is being invited by another request')

const refuseConcurrent = (error: unknown): never => {
  throw isDuplicateKey(error) ? concurrentInvitation() : error
}

type InvitationColumns = ReturnType<typeof columnsOf>

async function renew(
  trx: Trx,
  { workspace_id, open_key }: InvitationColumns['row'],
  set: InvitationColumns['set'],
  expectedTokenDigest: string,
) {
  const { numUpdatedRows } = await trx
    .updateTable('onboardings')
    .set(set)
    .where('workspace_id', '=', workspace_id)
    .where('open_key', '=', open_key)
    .where('token_digest', '=', expectedTokenDigest)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw concurrentInvitation()
}

/** The digest of the open invitation of a person, expired or not; null without one. */
export async function findInvitationDigest(db: Db, workspaceId: string, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('onboardings')
    .select('token_digest')
    .where('workspace_id', '=', workspaceId)
    .where('open_key', '=', openKey(workspaceId, email))
    .executeTakeFirst()
  return row?.token_digest ?? null
}

/**
 * Opens or renews the invitations of many people of a workspace, each listed once.
 * @returns the invitations, unordered
 */
export async function upsertInvitations(
  trx: Trx,
  tenant: Tenant,
  invitations: NewInvitation[],
): Promise<InvitationRow[]> {
  await lockRoles(
    trx,
    tenant,
    invitations.map(one => one.role),
  )
  const columns = invitations.map(one => columnsOf(tenant, one))
  const renewedColumns = Object.keys(columns[0]?.set ?? {}).map(name => [name, sql`values(${sql.ref(name)})`])
  await trx
    .insertInto('onboardings')
    .values(columns.map(({ row }) => row))
    .onDuplicateKeyUpdate(Object.fromEntries(renewedColumns))
    .execute()
  return trx
    .selectFrom('onboardings')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where(
      'open_key',
      'in',
      columns.map(({ row }) => row.open_key),
    )
    .execute()
}

const openKey = (workspaceId: string, email: string): string => `${workspaceId} ${normalizeEmail(email)}`

/** The row of an invitation, and the columns that a renewal overwrites. */
function columnsOf(tenant: Tenant, invitation: NewInvitation) {
  const set = {
    first_name: invitation.firstName ?? null,
    last_name: invitation.lastName ?? null,
    token_digest: digest(invitation.token),
    invited_by: invitation.invitedBy,
    workspace_role: invitation.role,
    permissions: JSON.stringify(invitation.permissions),
    invitation_data: invitation.data ? JSON.stringify(invitation.data) : null,
    expires_at: expiry,
    refusal: null,
  }
  const row = {
    ...set,
    id: newId(),
    email: normalizeEmail(invitation.email),
    workspace_id: tenant.workspaceId,
    ecosystem_id: tenant.ecosystemId,
    status: 'pending' as const,
    accepted_at: null,
    open_key: openKey(tenant.workspaceId, invitation.email),
  }
  return { set, row }
}

/** Whether an invitation has expired, by the database's clock. */
export const isExpired = sql<number>`expires_at <= current_timestamp(3)`.as('is_expired')

/** Sets columns of a locked invitation. */
export const writeInvitation = (trx: Trx, { workspace_id, id }: InvitationRow, set: Updateable<OnboardingsTable>) =>
  trx.updateTable('onboardings').set(set).where('workspace_id', '=', workspace_id).where('id', '=', id).execute()

/** The invitation of a token, with its workspace, the database's time and whether it has expired by then. */
const byToken = (db: Db, token: string) =>
  exempt(db, 'the token is the credential of somebody who has no tenant yet')
    .selectFrom('onboardings as o')
    .leftJoin('workspaces as w', join => join.onRef('w.id', '=', 'o.workspace_id').on('w.deleted_at', 'is', null))
    .selectAll('o')
    .select([
      'w.name as workspace_name',
      'w.closed_at',
      'w.is_active',
      sql<Date>`current_timestamp(3)`.as('now'),
      isExpired,
    ])
    .where('o.token_digest', '=', digest(token))

export const findByToken = (db: Db, token: string) => byToken(db, token).executeTakeFirst()

/** The invitation of a token and its workspace, both locked until the transaction ends. */
export const lockByToken = (trx: Trx, token: string) => byToken(trx, token).forUpdate().executeTakeFirst()

/** Tenant of an invitation: the first query of a call that names it by id. */
export const locateInvitation = (db: Db, id: string) =>
  exempt(db, 'locates the tenant of a record')
    .selectFrom('onboardings')
    .select(['id', 'workspace_id', 'invited_by', 'token_digest'])
    .where('id', '=', id)
    .executeTakeFirst()

export const lockInvitation = (trx: Trx, tenant: Tenant, id: string) =>
  trx
    .selectFrom('onboardings')
    .selectAll()
    .select(isExpired)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()

/** The open invitations of these people, one each at most. Expired ones are left out. */
export async function findOpenInvitations(
  trx: Trx,
  { workspaceId }: Tenant,
  emails: string[],
): Promise<InvitationRow[]> {
  if (emails.length === 0) return []
  return trx
    .selectFrom('onboardings')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(
      'open_key',
      'in',
      emails.map(email => openKey(workspaceId, email)),
    )
    .where('expires_at', '>', sql<Date>`current_timestamp(3)`)
    .execute()
}

/** The senders of a person's open invitations to a hotel; null for services and platform administrators. */
export async function findSenderIds(trx: Trx, ecosystemId: string, email: string): Promise<(string | null)[]> {
  const invitations = await exempt(trx, 'the hotel is named')
    .selectFrom('onboardings')
    .select('invited_by')
    .distinct()
    .where('ecosystem_id', '=', ecosystemId)
    .where('email_key', '=', normalizeEmail(email))
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`current_timestamp(3)`)
    .execute()
  return invitations.map(one => one.invited_by)
}

/** The column's own collation is case-sensitive. */
const caselessEmail = sql<string>`email collate utf8mb4_unicode_ci`

type InvitationFilter = { status?: string | undefined; pattern?: string | undefined; senderId?: string }

/** Invitations, newest first. */
export function listInvitations(
  db: Db,
  workspaceIds: string[] | 'all',
  filter: InvitationFilter,
  { limit, offset }: Paging,
) {
  const query = matchingInvitations(db, workspaceIds, filter)
    .selectAll()
    .select(isExpired)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  return query.limit(limit).offset(offset).execute()
}

export const countInvitations = (db: Db, workspaceIds: string[] | 'all', filter: InvitationFilter): Promise<number> =>
  countRows(matchingInvitations(db, workspaceIds, filter))

/**
 * Invitations of these workspaces, or of all for a platform administrator or the sender that the filter names. Those of
 * deleted workspaces and hotels are left out, for a sender also those of suspended hotels. A pending one that has
 * expired is listed as expired.
 */
function matchingInvitations(db: Db, workspaceIds: string[] | 'all', filter: InvitationFilter) {
  let query =
    workspaceIds === 'all'
      ? exempt(db, 'platform administrators see every tenant, and senders their own invitations').selectFrom(
          'onboardings',
        )
      : db.selectFrom('onboardings').where('workspace_id', 'in', workspaceIds)
  query = query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('workspaces as w')
        .select('w.id')
        .whereRef('w.id', '=', 'onboardings.workspace_id')
        .where('w.deleted_at', 'is', null)
        .where('w.is_hotel_deleted', '=', 0)
        .$if(filter.senderId !== undefined, one => one.where('w.closed_at', 'is', null)),
    ),
  )
  if (filter.status === 'expired')
    query = query.where(eb =>
      eb.or([
        eb('status', '=', 'expired'),
        eb.and([eb('status', '=', 'pending'), eb('expires_at', '<=', sql<Date>`current_timestamp(3)`)]),
      ]),
    )
  else if (filter.status) query = query.where('status', '=', filter.status as OnboardingStatus)
  if (filter.status === 'pending') query = query.where('expires_at', '>', sql<Date>`current_timestamp(3)`)
  if (filter.senderId) query = query.where('invited_by', '=', filter.senderId)
  if (filter.pattern) {
    const { pattern } = filter
    query = query.where(eb =>
      eb.or([eb(caselessEmail, 'like', pattern), eb('first_name', 'like', pattern), eb('last_name', 'like', pattern)]),
    )
  }
  return query
}
