import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import { type ProfileSchema, ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { isPlatformCaller, personOf, settleRecord } from '../kernel/access.ts'
import type { Bus } from '../kernel/bus.ts'
import { inTransaction, isDuplicateKey } from '../kernel/database.ts'
import { ConflictError, invalid, NotFoundError } from '../kernel/errors.ts'
import { type EventActor, systemActor } from '../kernel/events.ts'
import { optional, timestamp } from '../kernel/fields.ts'
import { implement } from '../kernel/implement.ts'
import type { Cipher } from '../kernel/secrets.ts'
import type { Rpc } from '../kernel/server.ts'
import { systemTenant } from '../kernel/tenant.ts'
import { activeMemberships, closedEcosystems, ecosystemMemberships } from './access.sql.ts'
import { announceDeparture } from './administrators.ts'
import { forgetRights, memberActor } from './announce.ts'
import { audit, auditMember, type Change } from './audit.record.ts'
import { memberValues } from './audit.values.ts'
import { register } from './join.ts'
import { memberCreated } from './members.create.ts'
import { announceUpdate } from './members.announce.ts'
import { type LiveMembership, liveMemberships } from './memberships.live.sql.ts'
import {
  bringingMembers,
  findByEmail,
  findById,
  findByUser,
  insertMember,
  markRegistered,
  updateMember,
} from './members.sql.ts'
import { effectivePermissions } from './permissions.rules.ts'
import { findAnyMember, setChatToken, settingsOf } from './profiles.sql.ts'
import { type Db, normalisedEmail, type Trx } from './rows.ts'
import type { Members } from './tables.ts'

type Profile = MessageInitShape<typeof ProfileSchema>

/** Member profiles for the authentication services (document 1, "Member profile read by the authentication service"). */
export const profileService = ({ db, bus, box }: { db: Db; bus: Bus; box: Cipher }): Rpc => {
  const byEmail = async (email: string): Promise<Profile> => {
    const member = await findByEmail(db, email)
    if (!member) throw new NotFoundError('Member not found')
    return loadProfile(db, member.id)
  }

  return implement(ProfileService, {
    async getLightProfile({ email }) {
      const profile = await byEmail(email)
      const settings = await settingsOf(db, profile.id ?? '')
      const token = settings?.chat_access_token ? box.open(settings.chat_access_token) : undefined
      return { profile: { ...profile, ...(token ? { chatAccessToken: token } : {}) } }
    },

    async getProfileByEmail({ email }, context) {
      const member = await findByEmail(db, email)
      const profile = member && (await profileOf(db, member))
      if (!isPlatformCaller(context)) {
        const open = personOf(context)
          .workspaces.filter(one => one.permissions.includes('view_members'))
          .map(one => one.workspaceId)
        const shared = profile?.workspaces?.some(one => open.includes(one.id ?? ''))
        if (!shared && member?.id !== personOf(context).memberId) throw new NotFoundError('Member not found')
      }
      settleRecord(context, 'people see colleagues of workspaces in which they may view members')
      if (!profile) throw new NotFoundError('Member not found')
      return { profile }
    },

    async getProfile({ email, userId, memberId }) {
      if (!email && !userId && !memberId) throw invalid('email', 'or userId or memberId is required', 'required')
      const member = memberId
        ? await findById(db, memberId)
        : userId
          ? await findByUser(db, userId)
          : await findByEmail(db, email ?? '')
      return member ? { profile: await profileOf(db, member) } : {}
    },

    async markRegistered({ memberId }) {
      const member = await inTransaction(db, async trx => {
        const person = await findById(trx, memberId)
        if (!person) throw new NotFoundError('Member not found')
        const [home] = await liveMemberships(trx, [memberId])
        if (home) await register(trx, tenantOf(home), person)
        else await markRegistered(trx, memberId)
        return (await findById(trx, memberId)) ?? person
      })
      return { message: 'Member registered', memberId, registeredAt: timestamp(member.registered_at) }
    },

    async linkUser({ userId, email }) {
      const member = await inTransaction(db, trx => link(trx, bus, userId, email))
      return { profile: await loadProfile(db, member.id) }
    },

    async updateUserProfile({ userId, updateMask, ...set }) {
      const member = await findByUser(db, userId)
      if (!member) throw new NotFoundError('Member not found')
      const paths = new Set(updateMask?.paths)
      const named = (path: string) => paths.size === 0 || paths.has(path)
      const columns = {
        ...(named('first_name') && set.firstName ? { first_name: set.firstName } : {}),
        ...(named('last_name') && set.lastName ? { last_name: set.lastName } : {}),
        ...(paths.has('photo_url') || set.photoUrl ? { photo_url: set.photoUrl ?? null } : {}),
        ...(named('email') && set.email ? { email: set.email.trim(), live_email: normalisedEmail(set.email) } : {}),
      }
      if (Object.keys(columns).length > 0)
        await inTransaction(db, async trx => {
          await updateMember(trx, member.id, columns)
          const [actor, memberships] = [memberActor(member), await liveMemberships(trx, [member.id])]
          const after = { ...member, ...columns }
          await auditMember(trx, memberships, updated(actor, member, after))
          await announceUpdate(trx, bus, after, memberships, actor, changesIn(columns))
        }).catch(refuseTakenEmail)
      return { profile: await loadProfile(db, member.id) }
    },

    async ensurePlatformAdministrator({ email, firstName, lastName, userId }) {
      const ensure = async (trx: Trx) => {
        const existing = (await findByUser(trx, userId)) ?? (await findByEmail(trx, email))
        if (existing) {
          const rights = { is_super_admin: 1, dashboard_access: 1 }
          await updateMember(trx, existing.id, { user_id: userId, ...rights })
          await audit(trx, undefined, updated(systemActor, existing, { ...existing, ...rights }))
          return { memberId: existing.id, created: false }
        }
        const grants = { userId, isSuperAdmin: true, dashboardAccess: true }
        const member = await insertMember(trx, { email, firstName, lastName, ...grants })
        await audit(trx, undefined, memberCreated(systemActor, member))
        return { memberId: member.id, created: true }
      }
      // Several processes of a platform begin at once.
      return bringingMembers(() => inTransaction(db, ensure))
    },

    async announceDeparture({ userId }) {
      return inTransaction(db, async trx => {
        const member = await findByUser(trx, userId)
        return { workspaceNames: member ? await announceDeparture(trx, member.id) : [] }
      })
    },

    async setChatAccessToken({ memberId, token }) {
      if (!(await findById(db, memberId))) throw new NotFoundError('Member not found')
      await inTransaction(db, trx => setChatToken(trx, memberId, token ? box.seal(token) : null))
      return {}
    },
  })
}

const updated = (actor: EventActor, before: Selectable<Members>, after: Selectable<Members>): Change => ({
  actor,
  action: 'member.updated',
  entity: 'member',
  entityId: before.id,
  memberId: before.id,
  before: memberValues(before),
  after: memberValues(after),
})

const tenantOf = ({ workspace_id, ecosystem_id, workspace_name }: LiveMembership) => ({
  ...systemTenant(workspace_id, ecosystem_id, 'a workspace of the member that the call names'),
  workspaceName: workspace_name,
})

/** Changed columns under the names that clients know. */
const changesIn = (columns: Partial<Pick<Members, 'first_name' | 'last_name' | 'photo_url' | 'email'>>) => ({
  ...(columns.first_name === undefined ? {} : { firstName: columns.first_name }),
  ...(columns.last_name === undefined ? {} : { lastName: columns.last_name }),
  ...(columns.photo_url === undefined ? {} : { photo_url: columns.photo_url }),
  ...(columns.email === undefined ? {} : { email: columns.email }),
})

async function link(trx: Trx, bus: Bus, userId: string, email: string) {
  const linked = await findByUser(trx, userId)
  if (linked) return linked
  const member = await findByEmail(trx, email)
  if (!member) throw new NotFoundError('Member not found')
  if (member.user_id) throw new ConflictError('The member belongs to another account')
  await updateMember(trx, member.id, { user_id: userId })
  forgetRights(trx, bus, { memberIds: [member.id] })
  return member
}

function refuseTakenEmail(error: unknown): never {
  throw isDuplicateKey(error, 'members_live_email') ? new ConflictError('The address is taken') : error
}

/** The documented profile of a member, with what tokens are made of. */
export async function loadProfile(db: Db, memberId: string): Promise<Profile> {
  const member = await findAnyMember(db, memberId)
  if (!member) throw new NotFoundError('Member not found')
  return profileOf(db, member)
}

/** The profile of a member that was read already. */
async function profileOf(db: Db, member: Selectable<Members>): Promise<Profile> {
  const [workspaces, ecosystems, settings] = await Promise.all([
    activeMemberships(db, member.id),
    ecosystemMemberships(db, { memberId: member.id }),
    settingsOf(db, member.id),
  ])
  const first = workspaces[0]
  const hotelIds = ecosystems.map(one => one.ecosystem_id)
  const ofRole = JSON.parse(first?.role_slugs ?? '[]') as string[]
  return {
    id: member.id,
    firstname: member.first_name,
    lastname: member.last_name,
    picture: optional(member.photo_url),
    hotelId: (await firstOpen(db, hotelIds)) ?? first?.ecosystem_id,
    workspaces: workspaces.map(one => ({ id: one.workspace_id, name: one.name, role: one.workspace_role })),
    roles: [...new Set(workspaces.map(one => one.workspace_role))],
    permissions: first ? effectivePermissions(ofRole, JSON.parse(first.permission_slugs) as string[]) : [],
    deletedAt: timestamp(member.deleted_at),
    userId: optional(member.user_id),
    email: member.email,
    isSuperAdmin: member.is_super_admin === 1,
    isAdmin: workspaces.some(one => one.is_admin === 1),
    dashboardAccess: member.dashboard_access === 1,
    mobileAccess: settings ? settings.mobile_access === 1 : true,
    isActive: member.is_active === 1,
    registeredAt: timestamp(member.registered_at),
  }
}

/** The first of somebody's hotels (DECISIONS 9), of several the first that is not deleted. */
async function firstOpen(db: Db, hotelIds: string[]): Promise<string | undefined> {
  if (hotelIds.length < 2) return hotelIds[0]
  const closed = new Set((await closedEcosystems(db, hotelIds)).map(one => one.ecosystem_id))
  return hotelIds.find(id => !closed.has(id)) ?? hotelIds[0]
}
