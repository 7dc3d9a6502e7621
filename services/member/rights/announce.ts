import { MemberAccessChangedSchema, MemberRoleUpdatedSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import { rightsChangedSubject } from '../../kernel/access/rights.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import { fullName } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type EventActor, type EventEnvelope, emit, emitAll, systemActor } from '../../kernel/bus/events.ts'
import { afterCommit } from '../../kernel/database/database.ts'
import type { Trx } from '../tables.ts'
import { membersOf } from './access.sql.ts'

/**
 * Whose rights changed, and where: in one workspace, or without one in the whole ecosystem. Without members, those of
 * all of its members.
 */
type AccessChange = { memberIds: string[]; workspaceId?: string; ecosystemId: string }

/** The envelope of an event in a workspace that sockets show. */
export const workspaceScope = (
  { workspaceId, ecosystemId, workspaceName }: Tenant,
  actor: EventActor,
  receiverIds: string[] = [],
): EventEnvelope => ({ workspaceId, ecosystemId, workspaceName, channels: ['socket'], actor, receiverIds })

/** With more members than this, the message addresses everyone. */
const maxNamedMembers = 1000

/**
 * Publishes a change of rights: an event for audit, and at commit a signal, so that caches and sockets of every process
 * follow at once.
 */
export async function publishAccessChange(trx: Trx, bus: Bus, change: AccessChange): Promise<void> {
  const { workspaceId, ecosystemId } = change
  // Sockets are rechecked by member; an empty list rechecks every tenant's.
  const areUnnamed = workspaceId !== undefined && change.memberIds.length === 0
  const affectedMemberIds = areUnnamed ? await membersOf(trx, workspaceId, maxNamedMembers + 1) : change.memberIds
  const memberIds = affectedMemberIds.length > maxNamedMembers ? [] : affectedMemberIds
  await emit(
    trx,
    MemberAccessChangedSchema,
    { id: change.memberIds[0] ?? workspaceId ?? ecosystemId, memberIds, workspaceId, ecosystemId },
    { workspaceId: workspaceId ?? '', ecosystemId, channels: ['socket'], actor: systemActor, receiverIds: memberIds },
  )
  invalidateRights(trx, bus, { memberIds, workspaceId })
}

/**
 * Evicts all cached rights of every process, at commit. The scope names whose sockets are checked again; without
 * members, all.
 */
export const invalidateRights = (
  trx: Trx,
  bus: Bus,
  scope: { memberIds: string[]; workspaceId?: string | undefined },
): void => afterCommit(trx, () => bus.publishCore(rightsChangedSubject, JSON.stringify(scope)))

/** A member as the actor of an event. */
export const toActor = (member: { id: string; first_name: string; last_name: string }): EventActor => ({
  id: member.id,
  name: fullName(member.first_name, member.last_name),
  type: 'member',
})

type Membership = Record<'member_id' | 'workspace_role', string> &
  Record<'is_admin' | 'is_veiled', number> & { permissions: string[] }

/** Publishes the present rights of each member who has accepted, as one event per member (the frame role:updated). */
export async function publishRights(
  trx: Trx,
  tenant: Tenant,
  memberships: Membership[],
  actor: EventActor,
): Promise<void> {
  const { workspaceId } = tenant
  const occurrenceId = newId()
  const acceptedMemberships = memberships.filter(one => one.is_veiled === 0)
  await emitAll(
    trx,
    MemberRoleUpdatedSchema,
    acceptedMemberships.map(({ member_id: memberId, workspace_role: workspaceRole, is_admin, permissions }) => ({
      payload: { id: memberId, memberId, workspaceId, workspaceRole, permissions, isAdmin: is_admin === 1 },
      envelope: { ...workspaceScope(tenant, actor, [memberId]), occurrenceId },
    })),
  )
}
