import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Paging } from '../../kernel/rpc/paging.ts'
import type { InvitationsTable, Tables } from '../tables.ts'

type Db = Kysely<Tables>
export type InvitationRow = Selectable<InvitationsTable>

/** Inserts or updates an invitation; a renewed one keeps its row. */
export async function saveInvitation(db: Db, row: Insertable<InvitationsTable>): Promise<InvitationRow> {
  const { id: _, onboarding_id, created_at: __, ...renewed } = row
  await db
    .insertInto('invitations')
    .values(row)
    .onDuplicateKeyUpdate({ ...renewed, is_used: 0, revoked_at: null })
    .execute()
  return db.selectFrom('invitations').selectAll().where('onboarding_id', '=', onboarding_id).executeTakeFirstOrThrow()
}

/** An invitation that this user sent. */
export const sentInvitation = (db: Db, userId: string, id: string): Promise<InvitationRow | undefined> =>
  db.selectFrom('invitations').selectAll().where('id', '=', id).where('invited_by', '=', userId).executeTakeFirst()

export const invitationUsed = (db: Db, onboardingId: string) =>
  db.updateTable('invitations').set({ is_used: 1 }).where('onboarding_id', '=', onboardingId).execute()

/** Marks invitations accepted that were accepted outside of this service's routes. */
export const invitationsJoined = (db: Db, email: string, workspaceId: string) =>
  db
    .updateTable('invitations')
    .set({ is_used: 1 })
    .where('email', '=', email)
    .where('workspace_id', '=', workspaceId)
    .where('is_used', '=', 0)
    .where('revoked_at', 'is', null)
    .execute()

export const revokeInvitation = (db: Db, id: string, now: Date) =>
  db.updateTable('invitations').set({ revoked_at: now }).where('id', '=', id).where('is_used', '=', 0).execute()

/** The invitations that a user sent, newest first: one page, or all; with their total. */
export async function listedInvitations(
  db: Db,
  { userId, status, now }: { userId: string; status: string | undefined; now: Date },
  page: Paging | undefined,
) {
  let query = db.selectFrom('invitations').where('invited_by', '=', userId)
  if (status === 'accepted') query = query.where('is_used', '=', 1)
  else if (status === 'revoked') query = query.where('is_used', '=', 0).where('revoked_at', 'is not', null)
  else if (status !== undefined)
    query = query
      .where('is_used', '=', 0)
      .where('revoked_at', 'is', null)
      .where('expires_at', status === 'expired' ? '<=' : '>', now)
  const all = query.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
  const rows = await (page ? all.limit(page.limit).offset(page.offset) : all).execute()
  if (!page) return { rows, total: rows.length }
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}
