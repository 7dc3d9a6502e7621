import { MemberDepartedSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import { WorkspaceMemberLeftSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type EventActor, emit, systemActor } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import { invitationCancelled, membershipValues } from '../audit/values.ts'
import { hotelsOf } from '../people/hotels.sql.ts'
import { announceAccess } from '../rights/announce.ts'
import type { Trx } from '../tables.ts'
import { cancelInvitationOf } from './invitations.sql.ts'
import { leaveWorkspace } from './join.sql.ts'
import { leaveEcosystemWithout, leaveGroups } from './leave.sql.ts'
import { liveMemberships } from './live.sql.ts'
import { findMembership, receiversIn } from './sql.ts'

type Person = { id: string; first_name: string; last_name: string }

/**
 * Ends a membership with its teams, departments and open invitation, and publishes it. The last membership in an
 * ecosystem ends the ecosystem membership too.
 * @returns whether there was a membership
 */
export async function leave(trx: Trx, bus: Bus, tenant: Tenant, person: Person, actor: EventActor): Promise<boolean> {
  const membership = await findMembership(trx, tenant, person.id)
  if (!membership || !(await leaveWorkspace(trx, tenant, person.id))) return false
  await leaveGroups(trx, tenant, person.id)
  await leaveEcosystemWithout(trx, tenant.ecosystemId, person.id)
  const { id: memberId } = person
  for (const { id: entityId } of await cancelInvitationOf(trx, tenant, memberId))
    await audit(trx, tenant, { ...invitationCancelled(actor, entityId), memberId })
  const before = membershipValues(membership)
  await audit(trx, tenant, {
    actor,
    action: 'membership.removed',
    entity: 'membership',
    entityId: memberId,
    memberId,
    before,
  })
  const { workspaceId, ecosystemId, workspaceName } = tenant
  await emit(
    trx,
    WorkspaceMemberLeftSchema,
    { id: workspaceId, workspaceId, memberId: person.id, memberName: `${person.first_name} ${person.last_name}` },
    {
      workspaceId,
      ecosystemId,
      workspaceName,
      channels: ['socket'],
      actor,
      receiverIds: await receiversIn(trx, tenant),
    },
  )
  await announceAccess(trx, bus, { memberIds: [person.id], workspaceId, ecosystemId })
  return true
}

/** Publishes that a member with an account belongs to no hotel any more, on which their sign-ins end [R61]. */
export async function announceDeparted(trx: Trx, member: { id: string; user_id: string | null } | undefined) {
  if (!member?.user_id) return
  const { id, user_id } = member
  const isIn = (await liveMemberships(trx, [id])).some(one => one.is_veiled === 0)
  if (isIn || (await hotelsOf(trx, id)).some(one => one.status === 'active')) return
  const payload = { id, memberId: id, userId: user_id, departedAt: timestamp(new Date()) }
  await emit(trx, MemberDepartedSchema, payload, { workspaceId: '', channels: [], actor: systemActor, receiverIds: [] })
}
