import { InvitationService } from '../../../gen/platform/member/v1/invitations_pb.ts'
import { memberAsActor } from '../../kernel/access/callers.ts'
import { requirePermission, systemTenant, type Tenant, tenantOfMember } from '../../kernel/access/tenant.ts'
import { ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { fullName } from '../../kernel/base/text.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, totalOf, wholeOrPage } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { acceptInvitation } from '../onboarding/accept.ts'
import { cancelInvitation } from '../onboarding/cancel.ts'
import { inviteChecked, toInvitation } from '../onboarding/invite.ts'
import { countInvitations, findByToken, listInvitations, locateInvitation } from '../onboarding/sql.ts'
import { findById, findByUser } from '../people/sql.ts'
import { loadProfile } from './profiles.ts'

/** Invitations for the authentication service, which signs users up with their tokens. */
export const invitationService = ({ db, bus, links, rights, client }: Context): Rpc => {
  /** Finds a workspace into which the user may invite; without a workspaceId, the first such one. */
  async function findInviter(userId: string, workspaceId: string | undefined) {
    const member = await rights.ofUser(userId)
    if (!member) throw new ForbiddenError('Workspace access denied')
    const workspaces = member.workspaces
    const workspace = workspaceId
      ? workspaces.find(one => one.workspaceId === workspaceId)
      : (workspaces.find(one => one.permissions.includes('invite_members')) ?? workspaces[0])
    const tenant = workspace
      ? tenantOfMember(workspace)
      : await tenantForAdministrator(member.isSuperAdmin, workspaceId)
    if (!member.isSuperAdmin) requirePermission(tenant, 'invite_members')
    return { caller: { actor: memberAsActor(member), memberId: member.memberId }, tenant }
  }

  /** Platform administrators may name any workspace. */
  async function tenantForAdministrator(isSuperAdmin: boolean, workspaceId: string | undefined): Promise<Tenant> {
    if (!isSuperAdmin) throw new ForbiddenError('Workspace access denied')
    if (!workspaceId) throw invalid('workspaceId', 'is required for callers without a workspace', 'required')
    const workspace = await rights.workspace(workspaceId)
    if (!workspace) throw new NotFoundError('Workspace not found')
    const tenant = systemTenant(workspaceId, workspace.ecosystemId, 'a platform administrator invites')
    return { ...tenant, workspaceName: workspace.workspaceName }
  }

  return implement(InvitationService, {
    async getInvitationByToken(request) {
      const { token, isMailed } = links.tokens.readToken(request.token)
      const row = await findByToken(db, token)
      if (!row?.workspace_name) throw new NotFoundError('Invitation not found')
      const inviter = row.invited_by ? await findById(db, row.invited_by) : undefined
      const inviterName = inviter && fullName(inviter.first_name, inviter.last_name)
      return { invitation: toInvitation(row), workspaceName: row.workspace_name, isMailed, inviterName }
    },

    async acceptInvitationForUser(request) {
      const { token, ...taker } = { ...request, ...links.tokens.readToken(request.token) }
      const { invitation, member } = await acceptInvitation({ db, bus, client }, token, taker)
      return { profile: await loadProfile(db, member.id), invitation: toInvitation(invitation) }
    },

    async inviteForUser({ userId, workspaceId, workspaceRole, email, firstName, lastName }) {
      const { caller, tenant } = await findInviter(userId, workspaceId)
      const request = { email, firstName, lastName, role: workspaceRole, permissions: [] }
      const { invitation, row } = await inviteChecked({ db, links }, tenant, caller, request)
      return { invitation, workspaceId: tenant.workspaceId, createdAt: timestamp(row.created_at) }
    },

    async cancelInvitationForUser({ userId, id }) {
      const invitationPlace = await locateInvitation(db, id)
      if (!invitationPlace) throw new NotFoundError('Invitation not found')
      const { tenant, caller } = await findInviter(userId, invitationPlace.workspace_id).catch((error: unknown) => {
        throw error instanceof ForbiddenError ? new NotFoundError('Invitation not found') : error
      })
      if (invitationPlace.invited_by !== caller.memberId) throw new NotFoundError('Invitation not found')
      const invitation = await inTransaction(db, trx => cancelInvitation(trx, tenant, id, caller))
      return { invitation: toInvitation(invitation) }
    },

    async listInvitationsForUser({ userId, status, ...request }) {
      const page = wholeOrPage(request)
      const sender = await findByUser(db, userId)
      if (!sender) return { meta: pageMeta(0, page) }
      const filter = { status, senderId: sender.id }
      const rows = await listInvitations(db, 'all', filter, page)
      const total = await totalOf(rows, page, () => countInvitations(db, 'all', filter))
      return { data: rows.map(toInvitation), meta: pageMeta(total, page) }
    },
  })
}
