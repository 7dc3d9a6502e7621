import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { type HotelMemberSchema, HotelMemberService } from '../../../gen/platform/member/v1/hotel_members_pb.ts'
import { ecosystemOf, isPlatformCaller } from '../../kernel/access/access.ts'
import { hasPermission } from '../../kernel/access/tenant.ts'
import { ForbiddenError } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, totalOf, wholeOrPage } from '../../kernel/rpc/paging.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import { audit } from '../audit/record.ts'
import { eraseInAudit } from '../audit/sql.ts'
import { membershipValues } from '../audit/values.ts'
import { liveMemberships } from '../memberships/live.sql.ts'
import { identityOf } from '../memberships/seen.ts'
import { findHotelWorkspace } from '../memberships/workspace.sql.ts'
import type { Links } from '../onboarding/invite.ts'
import { findByEmail } from '../people/sql.ts'
import type { Db } from '../tables.ts'
import { deactivate, reactivate } from './activity.ts'
import { addMember } from './add.ts'
import { bySystem } from './audit.ts'
import {
  countHotelMembers,
  type HotelMemberRow,
  hotelMemberIds,
  hotelMembers,
  hotelMembersAmong,
  hotelMembersInOrder,
  removeAdministrator,
} from './members.sql.ts'

/** Maximum of ids in one response. */
const mostIds = 1000

/** Members in one part of a list: even with the longest names, addresses and picture URLs they fit into one message. */
const atOnce = 500

/** Members of a hotel, for the hotel service. All calls are idempotent. */
export const hotelMemberService = ({ db, bus, links }: { db: Db; bus: Bus; links: Links }): Rpc => {
  const hotelOfList = async (hotelId: string) => ({
    hotelId,
    workspaceId: (await findHotelWorkspace(db, { ecosystemId: hotelId }))?.id ?? '',
  })

  return implement(HotelMemberService, {
    async addHotelMember(request, context) {
      return { member: toHotelMember(await addMember({ db, bus, links }, request, context)) }
    },

    async listHotelMembers(request, context) {
      const ecosystemId = readableHotel(context)
      const page = wholeOrPage(request)
      const rows = await hotelMembers(db, await hotelOfList(ecosystemId), request, page)
      const total = await totalOf(rows, page, () => countHotelMembers(db, ecosystemId, request))
      return { data: rows.map(toHotelMember), meta: pageMeta(total, page) }
    },

    async *readHotelMembers(request, context) {
      const hotelId = readableHotel(context)
      const hotel = await hotelOfList(hotelId)
      const ids = await hotelMembersInOrder(db, hotelId, request)
      const page = wholeOrPage({})
      const shownIds = ids.slice(0, page.limit)
      const meta = pageMeta(ids.length, page)
      for (let at = 0; at < shownIds.length; at += atOnce) {
        const rows = await hotelMembersAmong(db, hotel, shownIds.slice(at, at + atOnce))
        yield { data: rows.map(toHotelMember), ...(at + atOnce >= shownIds.length && { meta }) }
      }
      if (shownIds.length === 0) yield { meta }
    },

    async listHotelMemberIds({ hotelId, isActive, isAdmin, after, limit = mostIds }) {
      const rows = await hotelMemberIds(db, hotelId, { isActive, isAdmin, after, limit })
      const members = rows.map(row => ({
        id: row.id,
        userId: optional(row.user_id),
        isResting: Boolean(row.is_resting),
        isElsewhere: Boolean(row.is_elsewhere),
      }))
      return { members, ...(rows.length === limit && { next: members.at(-1)?.id }) }
    },

    async removeHotelAdministrator({ hotelId, email }) {
      const removed = await inTransaction(db, async trx => {
        const person = await findByEmail(trx, email)
        if (!person) return false
        const held = (await liveMemberships(trx, [person.id])).filter(one => one.ecosystem_id === hotelId)
        const removed = await removeAdministrator(trx, hotelId, person.id)
        if (!removed) return false
        for (const one of held)
          await audit(
            trx,
            { workspaceId: one.workspace_id },
            {
              ...bySystem(person.id),
              action: 'membership.removed',
              entity: 'membership',
              before: membershipValues(one),
            },
          )
        // Erases now, since erasure can't be requested for a record that no longer exists.
        if (removed === 'whole') await eraseInAudit(trx, person)
        return true
      })
      return { removed }
    },

    async deactivateHotelMembers({ hotelId, withoutIds, after, limit }) {
      const { people, next } = await deactivate({ db, bus }, { hotelId, after, limit })
      if (withoutIds) return { next }
      const userIds = people.map(one => one.user_id).filter(id => id !== null)
      return { memberIds: people.map(one => one.id), userIds, next }
    },

    async reactivateHotelMembers({ hotelId, withoutIds, after, limit }) {
      const { people, next } = await reactivate({ db, bus }, { hotelId, after, limit })
      return withoutIds ? { next } : { memberIds: people.map(one => one.id), next }
    },
  })
}

/** The hotel of the call, if the caller may read all of its members. */
function readableHotel(context: HandlerContext): string {
  const ecosystem = ecosystemOf(context)
  if (!isPlatformCaller(context) && !hasPermission(ecosystem, 'manage_ecosystem')) throw new ForbiddenError()
  return ecosystem.ecosystemId
}

function toHotelMember(row: HotelMemberRow): MessageInitShape<typeof HotelMemberSchema> {
  const { isVeiled, ...identity } = identityOf(row)
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
