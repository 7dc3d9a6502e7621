import {
  MemberAdministrationRevokedSchema,
  MemberDeletedSchema,
  MemberDepartedSchema,
  MemberErasedSchema,
  MemberUpdatedSchema,
} from '../../../gen/platform/events/v1/member_pb.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { fullName } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type EventActor, emit, systemActor } from '../../kernel/bus/events.ts'
import { invalidateRights, publishAccessChange } from '../rights/announce.ts'
import type { Trx } from '../tables.ts'
import type { LiveMembership } from '../workspace-memberships/live.sql.ts'

type Person = { id: string; first_name: string; last_name: string; email: string }

/** The scope of an event about a member: one of their workspaces, or none when they have none. */
const scopeOf = (home: LiveMembership | undefined, actor: EventActor, receiverIds: string[]) => ({
  workspaceId: home?.workspace_id ?? '',
  ecosystemId: home?.ecosystem_id,
  workspaceName: home?.workspace_name,
  channels: ['socket' as const],
  actor,
  receiverIds,
})

/** Workspaces that the event may mention: those whose invitation the member has accepted. */
const acceptedMemberships = (memberships: LiveMembership[]): LiveMembership[] =>
  memberships.filter(one => one.is_veiled === 0)

/**
 * Publishes a change of a member under the API field names, and drops cached rights. Somebody who has accepted none of
 * these memberships isn't notified.
 */
export async function publishMemberUpdate(
  trx: Trx,
  bus: Bus,
  member: Person,
  memberships: LiveMembership[],
  actor: EventActor,
  changes: Record<string, string | boolean | null>,
): Promise<void> {
  const payload = {
    id: member.id,
    memberId: member.id,
    changes,
    memberName: fullName(member.first_name, member.last_name),
  }
  const [home] = acceptedMemberships(memberships)
  const receiverIds = memberships.length > 0 && !home ? [] : [member.id]
  await emit(trx, MemberUpdatedSchema, payload, scopeOf(home, actor, receiverIds))
  invalidateRights(trx, bus, { memberIds: [member.id] })
  for (const one of memberships) {
    const place = { workspaceId: one.workspace_id, ecosystemId: one.ecosystem_id }
    await publishAccessChange(trx, bus, { memberIds: [member.id], ...place })
  }
}

/** Publishes the deletion of a member. */
export async function publishMemberDeletion(
  trx: Trx,
  member: Person,
  memberships: LiveMembership[],
  actor: EventActor,
): Promise<void> {
  const { id, email, first_name, last_name } = member
  const payload = { id, memberId: id, email, memberName: fullName(first_name, last_name) }
  await emit(trx, MemberDeletedSchema, payload, scopeOf(acceptedMemberships(memberships)[0], actor, []))
}

/** Publishes the erasure of a member, on which other services end their accounts and devices. */
export const publishMemberErasure = (trx: Trx, id: string, userIds: string[]) =>
  emit(trx, MemberErasedSchema, { id, memberId: id, userIds }, scopeOf(undefined, systemActor, []))

/** Publishes that a deleted member belongs to no hotel any more, on which the sign-ins of the account end. */
export const publishDeparture = (trx: Trx, id: string, userId: string) =>
  emit(
    trx,
    MemberDepartedSchema,
    { id, memberId: id, userId, departedAt: timestamp(new Date()) },
    scopeOf(undefined, systemActor, []),
  )

/** Publishes that a member no longer administers the platform, on which the account loses its rights. */
export const publishRevokedAdministration = (trx: Trx, id: string, userId: string) =>
  emit(trx, MemberAdministrationRevokedSchema, { id, memberId: id, userId }, scopeOf(undefined, systemActor, []))
