import type { Ecosystem } from '../../kernel/access/tenant.ts'
import type { Db, EcosystemMemberships, Trx } from '../tables.ts'

type EcosystemId = Pick<Ecosystem, 'ecosystemId'>

/** The ecosystem membership of a live member. */
export const findEcosystemMember = (db: Db, { ecosystemId }: EcosystemId, memberId: string) =>
  db
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .selectAll('e')
    .where('e.ecosystem_id', '=', ecosystemId)
    .where('e.member_id', '=', memberId)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst()

export const updateEcosystemMember = (
  trx: Trx,
  { ecosystemId }: EcosystemId,
  memberId: string,
  set: Partial<{ role: EcosystemMemberships['role']; is_owner: number; permissions: string }>,
) =>
  trx
    .updateTable('ecosystem_memberships')
    .set(set)
    .where('ecosystem_id', '=', ecosystemId)
    .where('member_id', '=', memberId)
    .execute()
