import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { OnboardingService } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { isPlatformCaller, openTenantsOf, tenantOf, tenantOfRecord } from '../../kernel/access/access.ts'
import { actorKey, claimsOfActor } from '../../kernel/access/actor.ts'
import type { OpenTenants } from '../../kernel/access/rights.ts'
import { ConflictError, ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { likePattern, pageMeta, totalOf, wholeOrPage } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { checkGrant } from '../rights/grants.ts'
import { acceptInvitation } from './accept.ts'
import { callerOf, cancelInvitation } from './cancel.ts'
import { invite, inviteChecked, toInvitation } from './invite.ts'
import { countInvitations, listInvitations, locateInvitation, lockInvitation } from './sql.ts'

/** Invitations (`/onboarding`). */
export const onboardingService = ({ db, bus, links, client }: Context): Rpc =>
  implement(OnboardingService, {
    async invite(request, context) {
      const tenant = tenantOf(context)
      if (request.ecosystemId && request.ecosystemId !== tenant.ecosystemId)
        throw invalid('ecosystemId', 'is not the ecosystem of the workspace', 'mismatch')
      const { invitation } = await inviteChecked({ db, links }, tenant, callerOf(context), {
        email: request.email,
        firstName: request.firstName,
        lastName: request.lastName,
        role: request.workspaceRole ?? 'member',
        permissions: [...new Set(request.permissions)],
        data: request.invitationData,
      })
      return { invitation }
    },

    async listInvitations(request, context) {
      const workspaces = isPlatformCaller(context)
        ? request.workspaceId && [request.workspaceId]
        : invitableWorkspaces(openTenantsOf(context), request.workspaceId)
      const page = wholeOrPage(request)
      const filter = { status: request.status, pattern: request.search ? likePattern(request.search) : undefined }
      const rows = await listInvitations(db, workspaces || 'all', filter, page)
      const total = await totalOf(rows, page, () => countInvitations(db, workspaces || 'all', filter))
      return { data: rows.map(row => toInvitation(row)), meta: pageMeta(total, page) }
    },

    async acceptInvitation(request, context) {
      const { token } = links.tokens.readToken(request.token)
      const claims = claimsOfActor(context.values.get(actorKey))
      // Claims keep the address that the account had when the token was issued.
      const acceptor = claims ? await client(AccountService).getAccountState({ userId: claims.userId }) : {}
      const { invitation, member } = await acceptInvitation({ db, bus, client }, token, acceptor)
      return {
        id: invitation.id,
        status: 'accepted',
        memberId: member.id,
        workspaceId: invitation.workspace_id,
        ecosystemId: invitation.ecosystem_id,
        workspaceRole: invitation.workspace_role,
        permissions: JSON.parse(invitation.permissions) as string[],
        acceptedAt: timestamp(invitation.accepted_at),
      }
    },

    async cancelInvitation({ id }, context) {
      const invitationPlace = await locateInvitation(db, id)
      const tenant = await tenantOfRecord(context, invitationPlace?.workspace_id, 'Invitation')
      await inTransaction(db, trx => cancelInvitation(trx, tenant, id, callerOf(context)))
      return { message: 'Invitation cancelled', id }
    },

    async resendInvitation({ id }, context) {
      const invitationPlace = await locateInvitation(db, id)
      const tenant = await tenantOfRecord(context, invitationPlace?.workspace_id, 'Invitation')
      // The person who renews it grants it from now on.
      const { invitation } = await inTransaction(db, async trx => {
        const row = await lockInvitation(trx, tenant, id)
        const permissions = JSON.parse(row.permissions) as string[]
        if (row.status !== 'pending') throw new ConflictError(`The invitation is ${row.status}`)
        await checkGrant(trx, tenant, row.workspace_role, permissions)
        return invite(trx, links, tenant, callerOf(context), {
          email: row.email,
          firstName: optional(row.first_name),
          lastName: optional(row.last_name),
          role: row.workspace_role,
          permissions,
          data: row.invitation_data ? (JSON.parse(row.invitation_data) as object) : undefined,
          expectedTokenDigest: invitationPlace?.token_digest ?? null,
        })
      })
      return { invitation }
    },
  })

/** Workspaces into which the caller may invite: all of theirs, or the named one. */
function invitableWorkspaces({ workspaces }: OpenTenants, workspaceId: string | undefined): string[] {
  if (workspaceId && !workspaces.some(one => one.workspaceId === workspaceId))
    throw new ForbiddenError('Workspace access denied')
  const openIds = workspaces.filter(one => one.permissions.includes('invite_members')).map(one => one.workspaceId)
  const ids = workspaceId ? openIds.filter(id => id === workspaceId) : openIds
  if (ids.length === 0) throw new ForbiddenError('Permission denied')
  return ids
}
