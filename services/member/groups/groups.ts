import type { Tenant } from '../../kernel/access/tenant.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import type { Values } from '../audit/values.ts'
import { identityOf } from '../memberships/seen.ts'
import type { Trx } from '../tables.ts'

type Kind = 'team' | 'department'
type Group = { kind: Kind; id: string; actor: EventActor }

/** Records the creation, change or deletion of a team or department; the missing side tells which. */
export async function auditGroup(
  trx: Trx,
  tenant: Tenant,
  { kind, id, actor }: Group,
  before: Values | undefined,
  after: Values | undefined,
): Promise<void> {
  const verb = before ? (after ? 'updated' : 'deleted') : 'created'
  await audit(trx, tenant, { actor, action: `${kind}.${verb}`, entity: kind, entityId: id, before, after })
}

/** Records a change of a team or department membership; a missing role means not a member. */
export async function auditPlace(
  trx: Trx,
  tenant: Tenant,
  { kind, id, actor }: Group,
  memberId: string,
  before: string | undefined,
  after: string | undefined,
): Promise<void> {
  if (before === after) return
  const verb = before ? (after ? 'member_changed' : 'member_removed') : 'member_added'
  const values = (role: string | undefined): Values | undefined => (role ? { role } : undefined)
  await audit(trx, tenant, {
    actor,
    action: `${kind}.${verb}`,
    entity: kind,
    entityId: id,
    memberId,
    before: values(before),
    after: values(after),
  })
}

type GroupRow = Parameters<typeof identityOf>[0] & { id: string; role: string }

/** A member of a team or a department. */
export function toGroupMember(row: GroupRow) {
  const { firstName, lastName, email, photoUrl } = identityOf(row)
  return { id: row.id, firstName, lastName, email, photoUrl, role: row.role }
}
