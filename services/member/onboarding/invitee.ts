import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { checkAddable } from '../memberships/ask.ts'
import { findMembership } from '../memberships/sql.ts'
import { findByEmail } from '../people/sql.ts'
import type { Db } from '../tables.ts'

type Wanted = { email: string; role: string; permissions: string[] }

/**
 * Refuses to invite a member who has joined. A member without an account may be invited again, but only with the rights
 * of their membership: an invitation never changes existing rights.
 */
export async function checkInvitee(db: Db, tenant: Tenant, { email, role, permissions }: Wanted): Promise<void> {
  const member = await findByEmail(db, email)
  checkAddable(member)
  const membership = member && (await findMembership(db, tenant, member.id))
  if (!membership || membership.left_at !== null) return
  if (membership.status === 'suspended' || (member.user_id && membership.status !== 'pending'))
    throw new ConflictError('This person is already a member of the workspace')
  const slugs = new Set(JSON.parse(membership.permission_slugs) as string[])
  const isSame = role === membership.workspace_role && new Set(permissions).size === slugs.size
  if (!isSame || !permissions.every(slug => slugs.has(slug)))
    throw new ConflictError(
      `This person is already a member, as ${membership.workspace_role}: change the membership, or invite them in that role`,
    )
}
