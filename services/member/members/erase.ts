import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import type { EraseMemberRequest } from '../../../gen/platform/member/v1/members_pb.ts'
import {
  eventActorOf,
  isPlatformCaller,
  openTenantsOf,
  settleRecord,
  tenantOfRecord,
} from '../../kernel/access/access.ts'
import { ForbiddenError, toRpcError } from '../../kernel/base/errors.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import { auditMember } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { findAnyMember } from '../people/sql.ts'
import { invalidateRights } from '../rights/announce.ts'
import type { Db, MembersTable } from '../tables.ts'
import { reachMember } from '../workspace-memberships/reach.ts'
import { membershipsOf } from '../workspace-memberships/sql.ts'
import { eraseLiveMember } from './delete.ts'
import { erase } from './erasure.ts'

/**
 * How long the response waits for the accounts to end, in ms. After that their end is queued
 * (services/auth/accounts/erasure.ts).
 */
const erasureTimeoutMs = 2_000

/** Erases a live or deleted member with their account. Members who erase themselves confirm their identity. */
export async function eraseMember(needs: Context, request: EraseMemberRequest, context: HandlerContext): Promise<void> {
  const { client, log } = needs
  const userIds = await eraseLiveOrDeleted(needs, request, context)
  failpoint('member-erased')
  if (userIds.length === 0) return
  await client(AccountService)
    .eraseUsers({ userIds }, { timeoutMs: erasureTimeoutMs })
    .catch((error: unknown) => {
      log.warn(
        { status: toRpcError(error).info.status },
        'account erasure queued; the authentication service did not confirm it in time',
      )
    })
}

async function eraseLiveOrDeleted(needs: Context, { id, password }: EraseMemberRequest, context: HandlerContext) {
  const { db, client } = needs
  const deletedMember = await findDeleted(db, id)
  if (deletedMember) return eraseDeleted(needs, deletedMember, context)
  const reach = await reachMember(db, context, id, 'remove_members')
  if (reach.isSelf) await client(AccountService).checkPassword({ userId: reach.member.user_id ?? '', password })
  return eraseLiveMember(needs, reach, context)
}

/** A member who is deleted but not yet erased. */
async function findDeleted(db: Db, id: string): Promise<Selectable<MembersTable> | undefined> {
  const member = await findAnyMember(db, id)
  return member?.deleted_at && !member.email.endsWith('@erased.invalid') ? member : undefined
}

/**
 * Erases the remains of a deleted member. Allowed to platform administrators, and to holders of `remove_members` in
 * every workspace of the member; memberships that they never accepted don't count.
 */
async function eraseDeleted(
  { db, bus }: Context,
  member: Selectable<MembersTable>,
  context: HandlerContext,
): Promise<string[]> {
  const memberships = (await membershipsOf(db, member.id, undefined)).filter(one => one.is_veiled === 0)
  if (isPlatformCaller(context)) settleRecord(context, 'platform administrators reach everybody')
  else {
    const openWorkspaces = openTenantsOf(context).workspaces
    const sharedWorkspaces = openWorkspaces.filter(one =>
      memberships.some(membership => membership.workspace_id === one.workspaceId),
    )
    const openWorkspaceIds = new Set(
      sharedWorkspaces.filter(one => one.permissions.includes('remove_members')).map(one => one.workspaceId),
    )
    await tenantOfRecord(context, [...openWorkspaceIds][0] ?? sharedWorkspaces[0]?.workspaceId, 'Member')
    if (!memberships.every(membership => openWorkspaceIds.has(membership.workspace_id)))
      throw new ForbiddenError('Permission denied')
  }
  return inTransaction(db, async trx => {
    await auditMember(trx, memberships, {
      actor: eventActorOf(context),
      action: 'member.erased',
      memberId: member.id,
    })
    // Drops the names that other services have cached.
    invalidateRights(trx, bus, { memberIds: [member.id] })
    return erase(trx, member)
  })
}
