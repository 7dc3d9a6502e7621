import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { type HotelMemberSchema, HotelMemberService } from '../../../gen/platform/member/v1/hotel_members_pb.ts'
import { ecosystemOf, isPlatformCaller } from '../../kernel/access/access.ts'
import { holds, systemTenant, type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, totalOf, wholeOrPage } from '../../kernel/rpc/paging.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import { audit } from '../audit/record.ts'
import { eraseInAudit } from '../audit/sql.ts'
import { membershipValues } from '../audit/values.ts'
import { membershipAwaited, mustBeAsked } from '../memberships/ask.ts'
import { awaitMember } from '../memberships/join.sql.ts'
import { liveMemberships } from '../memberships/live.sql.ts'
import { identityOf } from '../memberships/seen.ts'
import { findHotelWorkspace, lockWorkspace } from '../memberships/workspace.sql.ts'
import type { Links } from '../onboarding/invite.ts'
import { askIntoHotel, hotelOf, joinHotel, setInHotel } from '../people/hotels.sql.ts'
import { bringingMembers, findByEmail, insertMember } from '../people/sql.ts'
import type { Db, Trx } from '../tables.ts'
import { deactivate, reactivate } from './activity.ts'
import { auditHotelMember, bySystem } from './audit.ts'
import { letIn } from './let-in.ts'
import {
  countHotelMembers,
  type HotelMemberRow,
  hotelMember,
  hotelMemberIds,
  hotelMembers,
  hotelMembersAmong,
  hotelMembersInOrder,
  noteBrought,
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
    async addHotelMember({ hotelId, email, firstName, lastName, dashboardAccess = false, isAdmin = false }) {
      const add = async (trx: Trx) => {
        const { tenant, announced } = await workspaceOf(trx, hotelId)
        const existing = await findByEmail(trx, email)
        const isAsked = await mustBeAsked(trx, hotelId, existing)
        const person = existing ?? (await insertMember(trx, { email, firstName, lastName, homeId: hotelId }))
        const before = existing && { person: existing, hotel: await hotelOf(trx, hotelId, existing.id) }
        const role = isAdmin ? 'owner' : 'member'
        const grant = { role: isAdmin ? 'admin' : 'member', slugs: [], isAdmin }
        if (isAsked) await askIntoHotel(trx, hotelId, person.id, role, { firstName, lastName, email })
        else await joinHotel(trx, hotelId, person.id, role)
        if (dashboardAccess) await setInHotel(trx, hotelId, person.id, { dashboard_access: 1 })
        if (!existing) await noteBrought(trx, hotelId, person.id)
        const isAwaited = await awaitMember(trx, tenant, person.id, grant)
        const awaited = isAwaited ? grant : undefined
        if (!isAsked) await auditHotelMember(trx, tenant, before, person.id, awaited)
        else if (awaited) await audit(trx, tenant, membershipAwaited(systemActor, person.id, awaited))
        // Until the hotel is open, members are not notified; opened.ts admits them then.
        if (announced) await letIn(trx, { bus, links }, tenant, person.id)
        return hotelMember(trx, { hotelId, workspaceId: tenant.workspaceId }, person.id)
      }
      return { member: toHotelMember(await bringingMembers(() => inTransaction(db, add))) }
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
      const whole = ids.slice(0, page.limit)
      const meta = pageMeta(ids.length, page)
      for (let at = 0; at < whole.length; at += atOnce) {
        const rows = await hotelMembersAmong(db, hotel, whole.slice(at, at + atOnce))
        yield { data: rows.map(toHotelMember), ...(at + atOnce >= whole.length && { meta }) }
      }
      if (whole.length === 0) yield { meta }
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
  if (!isPlatformCaller(context) && !holds(ecosystem, 'manage_ecosystem')) throw new ForbiddenError()
  return ecosystem.ecosystemId
}

async function workspaceOf(trx: Trx, hotelId: string): Promise<{ tenant: Tenant; announced: boolean }> {
  const workspace = await findHotelWorkspace(trx, { ecosystemId: hotelId })
  if (!workspace) throw new ConflictError('The hotel has no workspace yet')
  const tenant = systemTenant(workspace.id, hotelId, 'the hotel service sets up a hotel')
  // The lock makes a member who is added while the hotel opens visible to one of the two.
  const { announced_at } = await lockWorkspace(trx, tenant)
  return { tenant: { ...tenant, workspaceName: workspace.name }, announced: announced_at !== null }
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
