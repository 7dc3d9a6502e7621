import { MemberRegisteredSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import { WorkspaceMemberJoinedSchema } from '../../../gen/platform/events/v1/workspace_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { optional } from '../../kernel/base/fields.ts'
import { fullName } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type EventActor, type EventEnvelope, emit } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import type { AuditChange } from '../audit/values.ts'
import { endRest } from '../hotel-memberships/rests.sql.ts'
import { markRegistered, updateMember } from '../people/sql.ts'
import { publishAccessChange, toActor, workspaceScope } from '../rights/announce.ts'
import type { Trx } from '../tables.ts'
import { type Grant, insertActiveMembership } from './join.sql.ts'
import { hotelLanguage, setMissingLanguage } from './languages.sql.ts'
import { findMembership, receiversOf } from './sql.ts'

type Person = { id: string; email: string; first_name: string; last_name: string; photo_url: string | null }

/**
 * Adds a member to a workspace and publishes the events.
 * @param by who adds them; the member themselves by default
 * @returns the envelope of their arrival; undefined when they had already joined
 */
export async function joinWorkspace(
  trx: Trx,
  bus: Bus,
  tenant: Tenant,
  person: Person,
  grant: Grant,
  by: EventActor = toActor(person),
): Promise<EventEnvelope | undefined> {
  const member = await insertActiveMembership(trx, tenant, person.id, grant)
  if (!member) return undefined
  await setMissingLanguage(trx, [person.id], await hotelLanguage(trx, tenant))
  if (member.is_active === 0) await reactivateOnJoin(trx, tenant, person.id, by)
  const scope = await arrivalScope(trx, tenant, person)
  await emit(trx, WorkspaceMemberJoinedSchema, joinedPayload(tenant, person, grant.role), scope)
  await audit(trx, tenant, membershipAdded(by, person.id, grant))
  await publishAccessChange(trx, bus, { ...tenant, memberIds: [person.id] })
  return scope
}

/** Payload of the frame that announces a new member. */
export const joinedPayload = ({ workspaceId }: Tenant, person: Person, workspaceRole: string) => ({
  id: workspaceId,
  workspaceId,
  memberId: person.id,
  memberName: fullName(person.first_name, person.last_name),
  firstName: person.first_name,
  lastName: person.last_name,
  photoUrl: optional(person.photo_url),
  workspaceRole,
})

/** Reactivates a member who has just joined and is locked since, if they rest with a deleted hotel. */
export async function reactivateOnJoin(trx: Trx, tenant: Tenant, memberId: string, by: EventActor): Promise<void> {
  if (!(await endRest(trx, memberId))) return
  await updateMember(trx, memberId, { is_active: 1 })
  await auditReactivation(trx, tenant, memberId, by)
}

/** Records that a member's rest has ended. */
export const auditReactivation = (trx: Trx, tenant: Tenant, memberId: string, actor: EventActor) =>
  audit(trx, tenant, {
    actor,
    action: 'member.reactivated',
    memberId,
    before: { isActive: false },
    after: { isActive: true },
  })

/** The audit entry of a new membership. */
export const membershipAdded = (actor: EventActor, memberId: string, { role, slugs, isAdmin }: Grant): AuditChange => ({
  actor,
  action: 'membership.added',
  memberId,
  after: { workspaceRole: role, permissionSlugs: slugs, isAdmin, status: 'active' },
})

/**
 * Marks a member registered and publishes it, once per member.
 * @param scope the envelope of their arrival, if they have just joined
 */
export async function register(trx: Trx, tenant: Tenant, person: Person, scope?: EventEnvelope): Promise<void> {
  if (!(await markRegistered(trx, person.id))) return
  const { id, email, first_name, last_name } = person
  const { workspaceId } = tenant
  const payload = { id, memberId: id, email, workspaceId, memberName: fullName(first_name, last_name) }
  await emit(trx, MemberRegisteredSchema, payload, scope ?? (await arrivalScope(trx, tenant, person)))
}

/**
 * The envelope of an arrival in a workspace. Two events report one: the addition and the registration. With the
 * same occurrence, colleagues are notified once.
 */
async function arrivalScope(trx: Trx, tenant: Tenant, person: Person): Promise<EventEnvelope> {
  const joinedAt = (await findMembership(trx, tenant, person.id))?.joined_at.getTime()
  const occurrence = joinedAt === undefined ? {} : { occurrenceId: `arrival:${person.id}:${joinedAt.toString(36)}` }
  return { ...workspaceScope(tenant, toActor(person), await receiversOf(trx, tenant)), ...occurrence }
}
