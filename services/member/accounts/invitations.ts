import { InvitationService } from '../../../gen/platform/member/v1/invitations_pb.ts'
import { memberAsActor } from '../../kernel/access/callers.ts'
import type { Rights } from '../../kernel/access/rights.ts'
import { hasPermission, systemTenant, type Tenant, tenantOfMember } from '../../kernel/access/tenant.ts'
import { ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/rpc/host.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, totalOf, wholeOrPage } from '../../kernel/rpc/paging.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import { acceptInvitation } from '../onboarding/accept.ts'
import { cancelInvitation, checkReplaced } from '../onboarding/cancel.ts'
import { checkInvitee, invite, type Links, toInvitation } from '../onboarding/invite.ts'
import {
  countInvitations,
  findByToken,
  findDigest,
  listedInvitations,
  locateInvitation,
  lockInvitation,
} from '../onboarding/sql.ts'
import { findByUser } from '../people/sql.ts'
import { checkGrant } from '../rights/grants.ts'
import type { Db } from '../tables.ts'
import { loadProfile } from './profiles.ts'

type Needs = { db: Db; bus: Bus; links: Links; rights: Rights } & Pick<Runtime, 'client'>

/** Invitations for the authentication service, which signs users up with their tokens [D19]. */
export const invitationService = ({ db, bus, links, rights, client }: Needs): Rpc => {
  /** Finds a workspace into which the user may invite; without a workspaceId, the first such one. */
  async function inviterOf(userId: string, workspaceId: string | undefined) {
    const member = await rights.ofUser(userId)
    if (!member) throw new ForbiddenError('Workspace access denied')
    const own = member.workspaces
    const found = workspaceId
      ? own.find(one => one.workspaceId === workspaceId)
      : (own.find(one => one.permissions.includes('invite_members')) ?? own[0])
    const tenant = found ? tenantOfMember(found) : await tenantForAdministrator(member.isSuperAdmin, workspaceId)
    if (!member.isSuperAdmin && !hasPermission(tenant, 'invite_members')) throw new ForbiddenError('Permission denied')
    return { member, tenant }
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
    async getInvitationByToken({ token }) {
      const row = await findByToken(db, token)
      if (!row?.workspace_name) throw new NotFoundError('Invitation not found')
      return { invitation: toInvitation(row), workspaceName: row.workspace_name }
    },

    async acceptInvitationForUser({ token, ...taker }) {
      const { invitation, member } = await acceptInvitation({ db, bus, client }, token, taker)
      return { profile: await loadProfile(db, member.id), invitation: toInvitation(invitation) }
    },

    async inviteForUser({ userId, workspaceId, workspaceRole, email, firstName, lastName }) {
      const { member, tenant } = await inviterOf(userId, workspaceId)
      const former = await findDigest(db, tenant.workspaceId, email)
      await checkGrant(db, tenant, workspaceRole, [])
      await checkInvitee(db, tenant, { email, role: workspaceRole, permissions: [] })
      const canceller = { actor: memberAsActor(member), memberId: member.memberId }
      return inTransaction(db, async trx => {
        await checkReplaced(trx, tenant, email, canceller)
        const invitation = await invite(trx, links, tenant, canceller.actor, {
          email,
          firstName,
          lastName,
          invitedBy: member.memberId,
          role: workspaceRole,
          permissions: [],
          former,
        })
        const { created_at } = await lockInvitation(trx, tenant, invitation.id ?? '')
        return { invitation, workspaceId: tenant.workspaceId, createdAt: timestamp(created_at) }
      })
    },

    async cancelInvitationForUser({ userId, id }) {
      const located = await locateInvitation(db, id)
      if (!located) throw new NotFoundError('Invitation not found')
      const { tenant, member } = await inviterOf(userId, located.workspace_id).catch((error: unknown) => {
        throw error instanceof ForbiddenError ? new NotFoundError('Invitation not found') : error
      })
      if (located.invited_by !== member.memberId) throw new NotFoundError('Invitation not found')
      const canceller = { actor: memberAsActor(member), memberId: member.memberId }
      const invitation = await inTransaction(db, trx => cancelInvitation(trx, tenant, id, canceller))
      return { invitation: toInvitation(invitation) }
    },

    async listInvitationsForUser({ userId, status, ...request }) {
      const page = wholeOrPage(request)
      const sender = await findByUser(db, userId)
      if (!sender) return { meta: pageMeta(0, page) }
      const filter = { status, senderId: sender.id }
      const rows = await listedInvitations(db, 'all', filter, page)
      const total = await totalOf(rows, page, () => countInvitations(db, 'all', filter))
      return { data: rows.map(toInvitation), meta: pageMeta(total, page) }
    },
  })
}
