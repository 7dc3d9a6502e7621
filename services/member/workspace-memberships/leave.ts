import { WorkspaceMemberLeftSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { fullName } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type EventActor, emit } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import { membershipValues } from '../audit/values.ts'
import { publishAccessChange, workspaceScope } from '../rights/announce.ts'
import type { Trx } from '../tables.ts'
import { cancelInvitationOf } from './invitations.sql.ts'
import { publishCancelledInvitations } from './invitations.ts'
import { endMembership } from './join.sql.ts'
import { leaveGroups, leaveHotelAfterLastWorkspace } from './leave.sql.ts'
import { findMembership, receiversOf } from './sql.ts'

type Person = { id: string; first_name: string; last_name: string }

/**
 * Ends a membership with its teams, departments and open invitation, and publishes it. The last membership in an
 * ecosystem ends the ecosystem membership too.
 * @returns whether there was a membership
 */
export async function leaveWorkspace(
  trx: Trx,
  bus: Bus,
  tenant: Tenant,
  person: Person,
  actor: EventActor,
): Promise<boolean> {
  const membership = await findMembership(trx, tenant, person.id)
  if (!membership || !(await endMembership(trx, tenant, person.id))) return false
  await leaveGroups(trx, tenant, person.id)
  await leaveHotelAfterLastWorkspace(trx, tenant.ecosystemId, person.id)
  const { id: memberId } = person
  await publishCancelledInvitations(trx, tenant, await cancelInvitationOf(trx, tenant, memberId), { actor, memberId })
  await audit(trx, tenant, { actor, action: 'membership.removed', memberId, before: membershipValues(membership) })
  const { workspaceId } = tenant
  const payload = { id: workspaceId, workspaceId, memberId, memberName: fullName(person.first_name, person.last_name) }
  const scope = workspaceScope(tenant, actor, await receiversOf(trx, tenant))
  await emit(trx, WorkspaceMemberLeftSchema, payload, scope)
  await publishAccessChange(trx, bus, { ...tenant, memberIds: [memberId] })
  return true
}
