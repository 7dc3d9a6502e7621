import { WorkspaceMemberLeftSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type EventActor, emit } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import { membershipValues } from '../audit/values.ts'
import { publishAccessChange } from '../rights/announce.ts'
import type { Trx } from '../tables.ts'
import { cancelInvitationOf } from './invitations.sql.ts'
import { publishCancelledInvitations } from './invitations.ts'
import { endMembership } from './join.sql.ts'
import { leaveHotelAfterLastWorkspace, leaveGroups } from './leave.sql.ts'
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
      receiverIds: await receiversOf(trx, tenant),
    },
  )
  await publishAccessChange(trx, bus, { memberIds: [person.id], workspaceId, ecosystemId })
  return true
}
