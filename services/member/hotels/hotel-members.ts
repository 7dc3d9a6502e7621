import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { type HotelMemberSchema, HotelMemberService } from '../../../gen/platform/member/v1/hotel_members_pb.ts'
import { ecosystemOf, isPlatformCaller } from '../../kernel/access/access.ts'
import { requirePermission } from '../../kernel/access/tenant.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, totalOf, wholeOrPage } from '../../kernel/rpc/paging.ts'
import { audit } from '../audit/record.ts'
import { eraseInAudit } from '../audit/sql.ts'
import { membershipValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { findByEmail } from '../people/sql.ts'
import { liveMemberships } from '../workspace-memberships/live.sql.ts'
import { toIdentity } from '../workspace-memberships/view.ts'
import { findHotelWorkspace } from '../workspace-memberships/workspace.sql.ts'
import { deactivateHotelMembers, reactivateHotelMembers } from './activity.ts'
import { addHotelMember } from './add.ts'
import { bySystem } from './audit.ts'
import {
  countHotelMembers,
  type HotelMemberRow,
  hotelMemberIds,
  hotelMembers,
  hotelMembersAmong,
  hotelMembersInOrder,
  removeHotelMembership,
} from './hotel-members.sql.ts'

/** Maximum of ids in one response. */
const maxIds = 1000

/** Members in one part of a list: even with the longest names, addresses and picture URLs they fit into one message. */
const membersPerPart = 500

/** Members of a hotel, for the hotel service. All calls are idempotent. */
export const hotelMemberService = (needs: Context): Rpc => {
  const { db } = needs
  const hotelOfList = async (hotelId: string) => ({
    hotelId,
    workspaceId: (await findHotelWorkspace(db, { ecosystemId: hotelId }))?.id ?? '',
  })

  return implement(HotelMemberService, {
    async addHotelMember(request, context) {
      return { member: toHotelMember(await addHotelMember(needs, request, context)) }
    },

    async listHotelMembers(request, context) {
      const ecosystemId = checkReadableHotel(context)
      const page = wholeOrPage(request)
      const rows = await hotelMembers(db, await hotelOfList(ecosystemId), request, page)
      const total = await totalOf(rows, page, () => countHotelMembers(db, ecosystemId, request))
      return { data: rows.map(toHotelMember), meta: pageMeta(total, page) }
    },

    async *readHotelMembers(request, context) {
      const hotelId = checkReadableHotel(context)
      const hotel = await hotelOfList(hotelId)
      const ids = await hotelMembersInOrder(db, hotelId, request)
      const page = wholeOrPage({})
      const shownIds = ids.slice(0, page.limit)
      const meta = pageMeta(ids.length, page)
      for (let start = 0; start < shownIds.length; start += membersPerPart) {
        const rows = await hotelMembersAmong(db, hotel, shownIds.slice(start, start + membersPerPart))
        yield { data: rows.map(toHotelMember), ...(start + membersPerPart >= shownIds.length && { meta }) }
      }
      if (shownIds.length === 0) yield { meta }
    },

    async listHotelMemberIds({ hotelId, isActive, isAdmin, after, limit = maxIds }) {
      const rows = await hotelMemberIds(db, hotelId, { isActive, isAdmin, after, limit })
      const members = rows.map(row => ({
        id: row.id,
        userId: optional(row.user_id),
        isResting: Boolean(row.is_resting),
        isElsewhere: Boolean(row.is_elsewhere),
      }))
      return { members, ...(rows.length === limit && { next: members.at(-1)?.id }) }
    },

    // Undoes a failed set-up. Members leave a hotel with their last workspace there, or with its deletion.
    async removeHotelMember({ hotelId, email }) {
      const isRemoved = await inTransaction(db, async trx => {
        const person = await findByEmail(trx, email)
        if (!person) return false
        const memberships = (await liveMemberships(trx, [person.id])).filter(one => one.ecosystem_id === hotelId)
        const outcome = await removeHotelMembership(trx, hotelId, person.id)
        if (!outcome) return false
        for (const one of memberships)
          await audit(
            trx,
            { workspaceId: one.workspace_id },
            {
              ...bySystem(person.id),
              action: 'membership.removed',
              before: membershipValues(one),
            },
          )
        // Erases now, since erasure can't be requested for a record that no longer exists.
        if (outcome === 'whole') await eraseInAudit(trx, person)
        return true
      })
      return { removed: isRemoved }
    },

    async deactivateHotelMembers({ withoutIds, ...request }) {
      const { people, next } = await deactivateHotelMembers(needs, request)
      if (withoutIds) return { next }
      const userIds = people.map(one => one.user_id).filter(id => id !== null)
      return { memberIds: people.map(one => one.id), userIds, next }
    },

    async reactivateHotelMembers({ hotelId, withoutIds, after, limit }) {
      const { people, next } = await reactivateHotelMembers(needs, { hotelId, after, limit })
      return withoutIds ? { next } : { memberIds: people.map(one => one.id), next }
    },
  })
}

/** The hotel of the call, if the caller may read all of its members. */
function checkReadableHotel(context: HandlerContext): string {
  const ecosystem = ecosystemOf(context)
  if (!isPlatformCaller(context)) requirePermission(ecosystem, 'manage_ecosystem')
  return ecosystem.ecosystemId
}

function toHotelMember(row: HotelMemberRow): MessageInitShape<typeof HotelMemberSchema> {
  const { isVeiled, ...identity } = toIdentity(row)
  return {
    id: row.id,
    userId: isVeiled ? undefined : optional(row.user_id),
    ...identity,
    hotelId: row.ecosystem_id,
    role: row.role,
    workspaceId: optional(row.workspace_id),
    workspaceRole: optional(row.workspace_role),
    isAdmin: row.is_admin === 1 || row.role !== 'member',
    dashboardAccess: row.dashboard_access === 1,
    isActive: row.hotel_active === 1 && (isVeiled || row.is_active === 1),
    createdAt: timestamp(isVeiled ? row.asked_at : row.created_at),
    updatedAt: timestamp(isVeiled ? row.asked_at : row.updated_at),
  }
}
