import { normalizeEmail } from '../../kernel/base/text.ts'
import { exempt } from '../../kernel/database/database.ts'
import { isExpired } from '../onboarding/sql.ts'
import type { Db } from '../tables.ts'

/** Maximum of audit entries in one export. */
const maxEntries = 10_000

const allTenants = (db: Db): Db => exempt(db, 'statements name the member, and the workspaces unless all are exported')

/** Invitations to an address, newest first. */
export function invitationsTo(db: Db, email: string, workspaceIds: string[] | undefined) {
  const query = allTenants(db)
    .selectFrom('onboardings')
    .selectAll()
    .select(isExpired)
    .where('email_key', '=', normalizeEmail(email))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  return workspaceIds ? query.where('workspace_id', 'in', workspaceIds) : query
}

/** Audit entries about a member or by them, newest first. */
export function auditEntriesAbout(db: Db, memberId: string, workspaceIds: string[] | undefined) {
  const query = allTenants(db)
    .selectFrom('audit_entries')
    .selectAll()
    .where(eb => eb.or([eb('member_id', '=', memberId), eb('actor_id', '=', memberId)]))
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(maxEntries)
  return (workspaceIds ? query.where('workspace_id', 'in', workspaceIds) : query).execute()
}

/** When a member was last seen. */
export async function lastSeenAt(db: Db, memberId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('member_activity')
    .select('seen_at')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row?.seen_at
}
