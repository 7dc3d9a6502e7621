import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import { type ProfileSchema, ProfileService } from '../../../gen/platform/member/v1/profiles_pb.ts'
import { ecosystemOfRecord, isPlatformCaller, openTenantsOf, settleRecord } from '../../kernel/access/access.ts'
import { ConflictError, GoneError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { type EventActor, systemActor } from '../../kernel/bus/events.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { audit, auditMember } from '../audit/record.ts'
import { type AuditChange, memberValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { type HotelMembership, hotelMembershipsOf, isActiveSomewhere } from '../hotel-memberships/sql.ts'
import { recheckAsker } from '../members/address.ts'
import { publishMemberUpdate } from '../members/announce.ts'
import { memberCreated } from '../members/create.ts'
import { cancelInvitationsOfMember } from '../onboarding/cancel.ts'
import {
  findAnyMember,
  findByEmail,
  findById,
  findByUser,
  insertMember,
  markRegistered,
  retryOnTakenEmail,
  updateMember,
} from '../people/sql.ts'
import { activeMemberships } from '../rights/access.sql.ts'
import { invalidateRights, toActor } from '../rights/announce.ts'
import { effectivePermissions } from '../rights/rules.ts'
import { chatTokenOf, setChatToken } from '../settings/sql.ts'
import type { Db, MembersTable, Trx } from '../tables.ts'
import { announceDeparture } from '../workspace-memberships/administrators.ts'
import { register } from '../workspace-memberships/join.ts'
import { liveMemberships, tenantOfMembership } from '../workspace-memberships/live.sql.ts'
import { type Viewer, viewerOf, viewMember } from '../workspace-memberships/view.ts'

type Profile = MessageInitShape<typeof ProfileSchema>

/** Member profiles, read by the authentication service. */
export const profileService = ({ db, bus, secretCipher, rights }: Context): Rpc => {
  const byEmail = async (email: string): Promise<Selectable<MembersTable>> => {
    const member = await findByEmail(db, email)
    if (!member) throw new NotFoundError('Member not found')
    return member
  }

  return implement(ProfileService, {
    async getLightProfile({ email, appType }) {
      const profile = await loadProfileOf(db, await byEmail(email), appType)
      const settings = await chatTokenOf(db, profile.id ?? '')
      const token = settings?.chat_access_token ? secretCipher.open(settings.chat_access_token) : undefined
      return { profile: { ...profile, ...(token ? { chatAccessToken: token } : {}) } }
    },

    async getProfileByEmail({ email }, context) {
      const profile = await loadProfileSeenBy(db, viewerOf(context), await byEmail(email))
      settleRecord(context, 'people see colleagues of workspaces in which they may view members')
      return { profile }
    },

    async getProfile({ email, userId, memberId, appType }) {
      if (!email && !userId && !memberId) throw invalid('email', 'or userId or memberId is required', 'required')
      const member = memberId
        ? await findById(db, memberId)
        : userId
          ? await findByUser(db, userId)
          : await findByEmail(db, email ?? '')
      return member ? { profile: await loadProfileOf(db, member, appType) } : {}
    },

    async markRegistered({ memberId }, context) {
      const hotelId = await openHotelOf(db, context, memberId)
      const member = await inTransaction(db, async trx => {
        const person = await findById(trx, memberId)
        if (!person) throw new NotFoundError('Member not found')
        const memberships = await liveMemberships(trx, [memberId])
        const home = hotelId ? memberships.find(one => one.ecosystem_id === hotelId) : memberships[0]
        if (home) await register(trx, tenantOfMembership(home, 'a workspace of the member that the call names'), person)
        else await markRegistered(trx, memberId)
        return (await findById(trx, memberId)) ?? person
      })
      return { message: 'Member registered', memberId, registeredAt: timestamp(member.registered_at) }
    },

    async linkUser({ userId, email }) {
      const member = await inTransaction(db, trx => link(trx, bus, userId, email))
      return { profile: await loadProfile(db, member.id) }
    },

    async updateUserProfile({ userId, updateMask, asker, ...set }, context) {
      const member = await findByUser(db, userId)
      if (!member) throw asker ? new GoneError('The member was deleted') : new NotFoundError('Member not found')
      const actor = asker ? await recheckAsker({ db, rights }, asker, member.id, context) : toActor(member)
      const paths = new Set(updateMask?.paths)
      const isNamed = (path: string) => paths.size === 0 || paths.has(path)
      const columns = {
        ...(isNamed('first_name') && set.firstName ? { first_name: set.firstName } : {}),
        ...(isNamed('last_name') && set.lastName ? { last_name: set.lastName } : {}),
        ...(paths.has('photo_url') || set.photoUrl ? { photo_url: set.photoUrl ?? null } : {}),
        ...(isNamed('email') && set.email ? { email: set.email, live_email: normalizeEmail(set.email) } : {}),
      }
      if (Object.keys(columns).length > 0)
        await inTransaction(db, async trx => {
          const memberships = await liveMemberships(trx, [member.id])
          if (columns.live_email !== undefined && columns.live_email !== member.live_email)
            await cancelInvitationsOfMember(trx, member.id, memberships, { actor, open: [] })
          await updateMember(trx, member.id, columns)
          const after = { ...member, ...columns }
          await auditMember(trx, memberships, memberUpdated(actor, member, after))
          await publishMemberUpdate(trx, bus, after, memberships, actor, toChanges(columns))
        }).catch(refuseTakenEmail)
      return { profile: await loadProfile(db, member.id) }
    },

    async ensurePlatformAdministrator({ email, firstName, lastName, userId }) {
      const ensure = async (trx: Trx) => {
        const existing = (await findByUser(trx, userId)) ?? (await findByEmail(trx, email))
        if (existing) {
          const rights = { is_super_admin: 1, is_active: 1 }
          await updateMember(trx, existing.id, { user_id: userId, ...rights })
          await audit(trx, undefined, memberUpdated(systemActor, existing, { ...existing, ...rights }))
          return { memberId: existing.id, created: false }
        }
        const grants = { userId, isSuperAdmin: true }
        const member = await insertMember(trx, { email, firstName, lastName, ...grants })
        await audit(trx, undefined, memberCreated(systemActor, member))
        return { memberId: member.id, created: true }
      }
      // Several processes create the platform administrator at the same moment.
      return retryOnTakenEmail(() => inTransaction(db, ensure))
    },

    async announceDeparture({ userId }) {
      return inTransaction(db, async trx => {
        const member = await findByUser(trx, userId)
        return { workspaceNames: member ? await announceDeparture(trx, member.id) : [] }
      })
    },

    async setChatAccessToken({ memberId, token }) {
      if (!(await findById(db, memberId))) throw new NotFoundError('Member not found')
      await inTransaction(db, trx => setChatToken(trx, memberId, token ? secretCipher.seal(token) : null))
      return {}
    },
  })
}

/**
 * Opens a hotel that a person administers and the member belongs to. NotFoundError where they share none, ForbiddenError
 * where they administer none. Undefined for services and platform administrators, to whom every member is open.
 */
async function openHotelOf(db: Db, context: HandlerContext, memberId: string): Promise<string | undefined> {
  if (isPlatformCaller(context)) {
    settleRecord(context, 'services and platform administrators')
    return undefined
  }
  const ecosystems = openTenantsOf(context).ecosystems
  const hotels = await hotelMembershipsOf(db, memberId)
  const sharedHotels = ecosystems.filter(one =>
    hotels.some(hotel => hotel.ecosystem_id === one.ecosystemId && hotel.status === 'active'),
  )
  const administered = sharedHotels.find(one => one.role !== 'member' || one.permissions.includes('manage_ecosystem'))
  return ecosystemOfRecord(context, (administered ?? sharedHotels[0])?.ecosystemId, 'Member').ecosystemId
}

const memberUpdated = (
  actor: EventActor,
  before: Selectable<MembersTable>,
  after: Selectable<MembersTable>,
): AuditChange => ({
  actor,
  action: 'member.updated',
  memberId: before.id,
  before: memberValues(before),
  after: memberValues(after),
})

/** Maps changed columns to the field names of the API. */
const toChanges = (columns: Partial<Pick<MembersTable, 'first_name' | 'last_name' | 'photo_url' | 'email'>>) => ({
  ...(columns.first_name === undefined ? {} : { firstName: columns.first_name }),
  ...(columns.last_name === undefined ? {} : { lastName: columns.last_name }),
  ...(columns.photo_url === undefined ? {} : { photo_url: columns.photo_url }),
  ...(columns.email === undefined ? {} : { email: columns.email }),
})

async function link(trx: Trx, bus: Bus, userId: string, email: string) {
  const linkedMember = await findByUser(trx, userId)
  if (linkedMember) return linkedMember
  const member = await findByEmail(trx, email)
  if (!member) throw new NotFoundError('Member not found')
  if (member.user_id) throw new ConflictError('The member belongs to another account')
  await updateMember(trx, member.id, { user_id: userId })
  invalidateRights(trx, bus, { memberIds: [member.id] })
  return member
}

function refuseTakenEmail(error: unknown): never {
  throw isDuplicateKey(error, 'members_live_email') ? new ConflictError('The e-mail is already in use') : error
}

/** The profile of a member, with the claims that tokens carry. */
export async function loadProfile(db: Db, memberId: string): Promise<Profile> {
  const member = await findAnyMember(db, memberId)
  if (!member) throw new NotFoundError('Member not found')
  return loadProfileOf(db, member)
}

/** The values that the profile's hotel sets for the member. */
type HotelValues = { hotelId: string | undefined; dashboardAccess: boolean; mobileAccess: boolean; isActive: boolean }

/** The profile of a loaded member. With an app type, hotels that admit the member to that app come first. */
async function loadProfileOf(db: Db, member: Selectable<MembersTable>, appType?: string): Promise<Profile> {
  const [memberships, hotels] = await Promise.all([activeMemberships(db, member.id), hotelMembershipsOf(db, member.id)])
  const order = sortHotels(hotels, appType)
  const rank = new Map(
    order.map((one, index) => [one.ecosystem_id, appType && admitsToApp(one, appType) ? index : order.length]),
  )
  const rankOf = (one: Workspace) => rank.get(one.ecosystem_id) ?? order.length
  const workspaces = memberships.toSorted((a, b) => rankOf(a) - rankOf(b))
  const [first] = order
  return toProfile(member, workspaces, {
    hotelId: first?.ecosystem_id ?? workspaces[0]?.ecosystem_id,
    dashboardAccess: member.is_super_admin === 1 || first?.dashboard_access === 1,
    mobileAccess: first?.mobile_access !== 0,
    isActive: isActiveSomewhere(member, hotels),
  })
}

type Workspace = Awaited<ReturnType<typeof activeMemberships>>[number]

const admitsToApp = (one: HotelMembership, appType: string | undefined): boolean =>
  appType === 'mobile' ? one.mobile_access === 1 : appType === 'dashboard' ? one.dashboard_access === 1 : true

/**
 * Orders the hotels of a member: those they work in that admit them to the app, the others they work in, the rest.
 */
function sortHotels(hotels: HotelMembership[], appType: string | undefined): HotelMembership[] {
  const isOpen = (one: HotelMembership) => one.is_active === 1 && Number(one.is_closed) === 0
  const rankOf = (one: HotelMembership) => (isOpen(one) ? (admitsToApp(one, appType) ? 0 : 1) : 2)
  return hotels.filter(one => one.status === 'active').toSorted((a, b) => rankOf(a) - rankOf(b))
}

function toProfile(member: Selectable<MembersTable>, workspaces: Workspace[], hotel: HotelValues): Profile {
  const [first] = workspaces
  const roleSlugs = JSON.parse(first?.role_slugs ?? '[]') as string[]
  return {
    id: member.id,
    firstname: member.first_name,
    lastname: member.last_name,
    picture: optional(member.photo_url),
    workspaces: workspaces.map(one => ({ id: one.workspace_id, name: one.name, role: one.workspace_role })),
    roles: [...new Set(workspaces.map(one => one.workspace_role))],
    permissions: first ? effectivePermissions(roleSlugs, JSON.parse(first.permission_slugs) as string[]) : [],
    deletedAt: timestamp(member.deleted_at),
    userId: optional(member.user_id),
    email: member.email,
    isSuperAdmin: member.is_super_admin === 1,
    isAdmin: workspaces.some(one => one.is_admin === 1),
    ...hotel,
    registeredAt: timestamp(member.registered_at),
  }
}

/**
 * The profile that a colleague sees: shared workspaces, and the values of their hotel. NotFoundError when none is
 * shared.
 */
async function loadProfileSeenBy(db: Db, viewer: Viewer, member: Selectable<MembersTable>): Promise<Profile> {
  if (viewer.isPlatform || viewer.memberId === member.id) return loadProfileOf(db, member)
  const [memberships, active] = await Promise.all([liveMemberships(db, [member.id]), activeMemberships(db, member.id)])
  const view = viewMember(viewer, member, memberships, 'view_members')
  const sharedMemberships = active.filter(one =>
    view.memberships.some(membership => membership.workspace_id === one.workspace_id),
  )
  if (sharedMemberships.length === 0) throw new NotFoundError('Member not found')
  const { hotelId, dashboardAccess, mobileAccess, isActive } = view
  return toProfile(member, sharedMemberships, { hotelId, dashboardAccess, mobileAccess, isActive })
}
