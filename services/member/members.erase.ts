import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import { eventActorOf, isPlatformCaller, openTenantsOf, settleRecord, tenantOfRecord } from '../kernel/access.ts'
import { inTransaction } from '../kernel/database.ts'
import { ForbiddenError } from '../kernel/errors.ts'
import { auditMember } from './audit.record.ts'
import { forgetInAudit } from './audit.sql.ts'
import { membershipsOf } from './export.data.sql.ts'
import { anonymise } from './members.delete.sql.ts'
import { findAnyMember } from './profiles.sql.ts'
import type { Db } from './rows.ts'
import type { Members } from './tables.ts'

/** A member who was deleted and is not erased yet. */
export async function findDeleted(db: Db, id: string): Promise<Selectable<Members> | undefined> {
  const member = await findAnyMember(db, id)
  return member?.deleted_at && !member.email.endsWith('@erased.invalid') ? member : undefined
}

/**
 * Erases somebody who was deleted before: what deletion keeps of them goes, too. For platform administrators, and for
 * those who may remove members in every workspace that the person was in.
 */
export async function eraseDeleted(db: Db, member: Selectable<Members>, context: HandlerContext): Promise<void> {
  const memberships = await membershipsOf(db, member.id, undefined)
  if (isPlatformCaller(context)) settleRecord(context, 'platform administrators reach everybody')
  else {
    const own = openTenantsOf(context).workspaces
    const shared = own.filter(one => memberships.some(past => past.workspace_id === one.workspaceId))
    const open = new Set(shared.filter(one => one.permissions.includes('remove_members')).map(one => one.workspaceId))
    await tenantOfRecord(context, [...open][0] ?? shared[0]?.workspaceId, 'Member')
    if (!memberships.every(past => open.has(past.workspace_id))) throw new ForbiddenError('Permission denied')
  }
  await inTransaction(db, async trx => {
    await auditMember(trx, memberships, {
      actor: eventActorOf(context),
      action: 'member.erased',
      entity: 'member',
      entityId: member.id,
      memberId: member.id,
    })
    await forgetInAudit(trx, member)
    await anonymise(trx, member)
  })
}
