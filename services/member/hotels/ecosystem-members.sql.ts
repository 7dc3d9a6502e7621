import type { Ecosystem } from '../../kernel/access/tenant.ts'
import type { Db, EcosystemMemberships, Trx } from '../tables.ts'

type Named = Pick<Ecosystem, 'ecosystemId'>

/** The ecosystem membership of a live member. */
export const findEcosystemMember = (db: Db, { ecosystemId }: Named, memberId: string) =>
  db
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .selectAll('e')
    .where('e.ecosystem_id', '=', ecosystemId)
    .where('e.member_id', '=', memberId)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst()

/**
 * Locks the owners of an ecosystem until the transaction ends.
 * @returns the ids of those who are live and active
 */
export async function lockOwners(trx: Trx, { ecosystemId }: Named): Promise<string[]> {
  const rows = await trx
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select('e.member_id')
    .where('e.ecosystem_id', '=', ecosystemId)
    .where('e.role', '=', 'owner')
    .where('e.status', '=', 'active')
    .where('e.is_active', '=', 1)
    .where('m.is_active', '=', 1)
    .where('m.deleted_at', 'is', null)
    .orderBy('e.member_id')
    .forUpdate()
    .execute()
  return rows.map(row => row.member_id)
}

export const updateEcosystemMember = (
  trx: Trx,
  { ecosystemId }: Named,
  memberId: string,
  set: Partial<{ role: EcosystemMemberships['role']; is_owner: number; permissions: string }>,
) =>
  trx
    .updateTable('ecosystem_memberships')
    .set(set)
    .where('ecosystem_id', '=', ecosystemId)
    .where('member_id', '=', memberId)
    .execute()
