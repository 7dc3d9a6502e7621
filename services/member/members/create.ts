import type { HandlerContext } from '@connectrpc/connect'
import type { CreateMemberRequest } from '../../../gen/platform/member/v1/members_pb.ts'
import { eventActorOf, tenantOf } from '../../kernel/access/access.ts'
import { ConflictError, invalid } from '../../kernel/base/errors.ts'
import { optional } from '../../kernel/base/fields.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import { type AuditChange, memberValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { defaultHotelValues, type HotelValueChange, joinHotel } from '../hotel-memberships/sql.ts'
import { callerOf } from '../onboarding/cancel.ts'
import { invite } from '../onboarding/invite.ts'
import { findByEmail, findById, insertMember, type MemberRow, retryOnTakenEmail } from '../people/sql.ts'
import { findDefaultRoleSlug } from '../rights/grants.sql.ts'
import { checkGrant } from '../rights/grants.ts'
import { grantOf } from '../workspace-memberships/join.sql.ts'
import { joinWorkspace } from '../workspace-memberships/join.ts'
import { liveMemberships } from '../workspace-memberships/live.sql.ts'
import { inviteKnownPerson, mustAccept } from '../workspace-memberships/pending.ts'
import { checkRegained } from '../workspace-memberships/ranks.ts'
import { isMember } from '../workspace-memberships/sql.ts'
import { viewerOf, viewMember } from '../workspace-memberships/view.ts'
import { lockForJoining } from '../workspace-memberships/workspace.sql.ts'
import { toMember } from './message.ts'

/** The audit entry of a new member. */
export const memberCreated = (actor: EventActor, person: MemberRow, hotel?: HotelValueChange): AuditChange => ({
  actor,
  action: 'member.created',
  memberId: person.id,
  after: memberValues(person, { ...defaultHotelValues, ...hotel }),
})

const emailTaken = () => new ConflictError('The workspace already has a member with this e-mail')

/**
 * Creates a member in a workspace. A person known to another hotel joins once they accept. A new person is also
 * invited to sign up under the address.
 */
export async function createMember({ db, bus, links }: Context, request: CreateMemberRequest, context: HandlerContext) {
  const tenant = tenantOf(context)
  const actor = eventActorOf(context)
  const role = request.workspaceRole ?? (await findDefaultRoleSlug(db, tenant))
  await checkGrant(db, tenant, role, [])
  const { superior, email, firstName, lastName, phone, photoUrl, dashboardAccess = false } = request
  if (superior && !(await isMember(db, tenant, superior)))
    throw invalid('superior', 'is not a member of the workspace', 'unknown_member')
  const newPerson = { email, firstName, lastName, phone, photoUrl, homeId: tenant.ecosystemId }
  const set = { superior_id: superior ?? null, dashboard_access: dashboardAccess ? 1 : 0 }
  const grant = grantOf(role)
  const id = await retryOnTakenEmail(() =>
    inTransaction(db, async trx => {
      await lockForJoining(trx, tenant)
      const existing = await findByEmail(trx, email)
      if (existing && (await isMember(trx, tenant, existing.id))) throw emailTaken()
      const isAsked = await mustAccept(trx, tenant.ecosystemId, existing)
      const person = existing ?? (await insertMember(trx, newPerson))
      if (!existing) await audit(trx, tenant, memberCreated(actor, person, set))
      const typedIdentity = { firstName, lastName, email }
      if (isAsked) await inviteKnownPerson(trx, tenant, person.id, grant, { typedIdentity, set }, actor)
      else {
        await checkRegained(trx, context, tenant.ecosystemId, person.id)
        await joinHotel(trx, tenant.ecosystemId, person.id, 'member', set)
        await joinWorkspace(trx, bus, tenant, person, grant, actor)
      }
      if (isAsked || !person.user_id) {
        await invite(trx, links, tenant, callerOf(context), {
          email,
          firstName: isAsked ? firstName : person.first_name,
          lastName: isAsked ? lastName : optional(person.last_name),
          role,
          permissions: [],
        })
      }
      return person.id
    }),
  )
  const member = await findById(db, id)
  const viewer = { ...viewerOf(context), claimed: tenant.workspaceId }
  // A platform administrator also gets what the workspace sees.
  const view = member && viewMember(viewer, member, await liveMemberships(db, [id], [tenant.workspaceId]))
  return view && toMember(view)
}
