import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import {
  type EcosystemMemberSchema,
  EcosystemMemberService,
} from '../../../gen/platform/member/v1/ecosystem_members_pb.ts'
import { ecosystemOf, eventActorOf } from '../../kernel/access/access.ts'
import { ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import {
  findHotelMembership,
  type HotelValueChange,
  lockHotelMembership,
  updateHotelMembership,
} from '../hotel-memberships/sql.ts'
import { publishAccessChange } from '../rights/announce.ts'
import { checkSlugs } from '../rights/grants.ts'
import { settablePaths } from '../rights/unchanged.ts'
import type { EcosystemMembershipsTable } from '../tables.ts'
import { refuseLastOwner } from '../workspace-memberships/administrators.ts'
import { auditRights } from '../workspace-memberships/hotel-rights.ts'
import { hotelRankOf, hotelRanks, isHotelRole } from '../workspace-memberships/ranks.ts'

type Row = Selectable<EcosystemMembershipsTable>

/** Rights in a whole ecosystem. Callers grant only what they hold. */
export const ecosystemMemberService = ({ db, bus }: Context): Rpc =>
  implement(EcosystemMemberService, {
    async getEcosystemMember({ memberId }, context) {
      const row = await findHotelMembership(db, ecosystemOf(context).ecosystemId, memberId)
      if (!row) throw new NotFoundError('Member not found')
      return { membership: toEcosystemMember(row) }
    },

    async updateEcosystemMember(request, context) {
      const { memberId, updateMask, role, permissions } = request
      const ecosystem = ecosystemOf(context)
      const sentPaths = new Set(updateMask?.paths)
      if (sentPaths.has('role') && !role) throw invalid('role', 'cannot be cleared', 'required')
      const row = await inTransaction(db, async trx => {
        const before = await lockHotelMembership(trx, ecosystem.ecosystemId, memberId)
        if (!before) throw new NotFoundError('Member not found')
        const rank = hotelRankOf(context, ecosystem.ecosystemId)
        const paths = await settablePaths(sentPaths, request, toEcosystemMember(before), async () => {
          if (hotelRanks[before.role] > rank) throw new ForbiddenError('Permission denied')
        })
        const set: HotelValueChange = {}
        if (paths.has('permissions')) {
          const presentSlugs = JSON.parse(before.permissions) as string[]
          await checkSlugs(trx, ecosystem, permissions, undefined, presentSlugs, 'ecosystem')
          set.permissions = JSON.stringify([...new Set(permissions)])
        }
        if (isHotelRole(role) && paths.has('role') && role !== before.role) {
          if (hotelRanks[role] > rank) throw new ForbiddenError('Permission denied')
          if (before.role === 'owner') await refuseLastOwner(trx, before.ecosystem_id, memberId)
          Object.assign(set, { role, is_owner: role === 'owner' ? 1 : 0 })
        }
        if (Object.keys(set).length === 0) return before
        await updateHotelMembership(trx, ecosystem.ecosystemId, memberId, set)
        await auditRights(trx, eventActorOf(context), before, { ...before, ...set })
        await publishAccessChange(trx, bus, { memberIds: [memberId], ecosystemId: before.ecosystem_id })
        return (await findHotelMembership(trx, ecosystem.ecosystemId, memberId)) ?? before
      })
      return { membership: toEcosystemMember(row) }
    },
  })

const toEcosystemMember = (row: Row): MessageInitShape<typeof EcosystemMemberSchema> => ({
  ...messageFields(row),
  permissions: JSON.parse(row.permissions) as string[],
})
