import type { DescService } from '@bufbuild/protobuf'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { AccessService } from '../../gen/platform/access/v1/access_pb.ts'
import type { Asker } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import {
  type GetInvitationByTokenResponse,
  InvitationService,
  type ListInvitationsForUserResponse,
} from '../../gen/platform/member/v1/invitations_pb.ts'
import type { SentInvitation } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { type Profile as ProfileMessage, ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { ServiceUnavailableError, toPlatformError, ValidationError } from '../kernel/base/errors.ts'
import type { Language } from '../kernel/base/language.ts'
import { type Asked, pagesOf } from '../kernel/rpc/paging.ts'

/** A member, as tokens and profiles need it; rights are those of the first active workspace. */
export type Profile = {
  memberId: string
  firstName: string
  lastName: string
  email: string
  photoUrl: string | undefined
  hotelId: string | undefined
  workspaces: { id: string; name: string; role: string }[]
  roles: string[]
  permissions: string[]
  chatAccessToken: string | undefined
  isSuperAdmin: boolean
  isAdmin: boolean
  dashboardAccess: boolean
  mobileAccess: boolean
  isActive: boolean
  isRegistered: boolean
  userId: string | undefined
}

export type AppType = 'mobile' | 'dashboard'
type Names = { firstName?: string | undefined; lastName?: string | undefined }
export type NameChange = { first_name?: string; last_name?: string; photo_url?: string | null; email?: string }

/** Calls to the member service. */
export type Members = {
  /**
   * The active member of a user; undefined without one. With an app type, in a hotel that admits them to the
   * app.
   */
  ofUser(userId: string, appType?: AppType): Promise<Profile | undefined>
  ofMember(memberId: string): Promise<Profile | undefined>
  /** The active member with an e-mail, with their token for the chat provider. */
  light(email: string, appType?: AppType): Promise<Profile | undefined>
  markRegistered(memberId: string): Promise<void>
  /** Links a user to the member with their e-mail. */
  link(userId: string, email: string): Promise<Profile>
  /** Forwards changed names, picture or e-mail; for a user without a member they are stored here only. */
  update(userId: string, change: NameChange): Promise<void>
  /** Gives the user's member an address that somebody else set. GoneError when the asker may no longer set it. */
  confirmAddress(userId: string, email: string, asker: Asker): Promise<void>
  invitation(token: string): Promise<NonNullable<GetInvitationByTokenResponse['invitation']> | undefined>
  /** Makes the user the invitation's member. A repeated call for the same user returns the same response. */
  accept(token: string, user: { id: string; email: string; language?: Language | undefined } & Names): Promise<Profile>
  invite(
    userId: string,
    invitation: { email: string; role: string; workspaceId?: string | undefined } & Names,
  ): Promise<{ invitation: SentInvitation; workspaceId: string; createdAt: Timestamp | undefined }>
  /** A page of the invitations that the user sent. */
  sentInvitations(
    userId: string,
    page: { status?: string | undefined } & Asked,
  ): Promise<ListInvitationsForUserResponse>
  /** Cancels an invitation that the user sent. NotFoundError, ConflictError, GoneError. */
  cancel(userId: string, invitationId: string): Promise<void>
  /**
   * Called last in the transaction that deletes an account.
   * @returns names of the workspaces that would lose their last administrator, which prevents the deletion
   */
  announceDeparture(userId: string): Promise<string[]>
  ensureAdministrator(user: { id: string; email: string }): Promise<void>
  /** Refuses an unknown ecosystem or one whose hotel is deleted. @returns the entries that are no permissions */
  checkGrant(ecosystemId: string, permissions: string[]): Promise<string[]>
  /** Users of an ecosystem, and whether they also belong to another one or administer the platform. */
  usersOfEcosystem(ecosystemId: string): Promise<Map<string, { isElsewhere: boolean }>>
}

type ClientOf = <S extends DescService>(service: S) => Client<S>

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (toPlatformError(error).info.status === 404) return undefined
    throw error
  }
}

const profileOf = (message: ProfileMessage | undefined): Profile | undefined =>
  message?.isActive
    ? {
        memberId: message.id,
        firstName: message.firstname,
        lastName: message.lastname,
        email: message.email,
        photoUrl: message.picture,
        hotelId: message.hotelId,
        workspaces: message.workspaces,
        roles: message.roles,
        permissions: message.permissions,
        chatAccessToken: message.chatAccessToken,
        isSuperAdmin: message.isSuperAdmin,
        isAdmin: message.isAdmin,
        dashboardAccess: message.dashboardAccess,
        mobileAccess: message.mobileAccess,
        isActive: message.isActive,
        isRegistered: message.registeredAt !== undefined,
        userId: message.userId,
      }
    : undefined

/** Rethrows the other service's errors with the field names of this one. */
const naming =
  (names: Record<string, string>) =>
  (thrown: unknown): never => {
    const { violations } = toPlatformError(thrown).info
    if (violations.length === 0) throw thrown
    throw new ValidationError(violations.map(one => ({ ...one, path: names[one.path] ?? one.path })))
  }

const needed = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the member service returned an empty response')
  return value
}

/** The member service, through typed clients. */
export function membersBehind(client: ClientOf): Members {
  const profiles = client(ProfileService)
  const invitations = client(InvitationService)
  const hotels = client(HotelMemberService)
  const access = client(AccessService)
  return {
    ofUser: async (userId, appType) => profileOf((await profiles.getProfile({ userId, appType })).profile),
    ofMember: async memberId => profileOf((await profiles.getProfile({ memberId })).profile),
    light: async (email, appType) =>
      profileOf((await orUndefined(profiles.getLightProfile({ email, appType })))?.profile),
    async markRegistered(memberId) {
      await profiles.markRegistered({ memberId })
    },
    link: async (userId, email) => needed(profileOf((await profiles.linkUser({ userId, email })).profile)),
    async update(userId, change) {
      const { first_name: firstName, last_name: lastName, photo_url, email } = change
      const updateMask = { paths: Object.keys(change) }
      const photoUrl = photo_url ?? undefined
      await orUndefined(profiles.updateUserProfile({ userId, updateMask, firstName, lastName, photoUrl, email }))
    },
    async confirmAddress(userId, email, asker) {
      await profiles.updateUserProfile({ userId, updateMask: { paths: ['email'] }, email, asker })
    },
    invitation: async token => (await orUndefined(invitations.getInvitationByToken({ token })))?.invitation,
    async accept(token, { id, ...person }) {
      const answer = await invitations.acceptInvitationForUser({ token, userId: id, ...person })
      return needed(profileOf(answer.profile))
    },
    async invite(userId, { email, role, workspaceId, firstName, lastName }) {
      const request = { userId, email, workspaceRole: role, workspaceId, firstName, lastName }
      const answer = await invitations.inviteForUser(request).catch(naming({ workspaceRole: 'role' }))
      const { workspaceId: of, createdAt } = answer
      return { invitation: needed(answer.invitation), workspaceId: of, createdAt }
    },
    sentInvitations: (userId, page) => invitations.listInvitationsForUser({ userId, ...page }),
    async cancel(userId, id) {
      await invitations.cancelInvitationForUser({ userId, id })
    },
    announceDeparture: async userId => (await profiles.announceDeparture({ userId })).workspaceNames,
    async ensureAdministrator({ id, email }) {
      await profiles.ensurePlatformAdministrator({
        email,
        firstName: 'Platform',
        lastName: 'Administrator',
        userId: id,
      })
    },
    checkGrant: async (ecosystemId, permissions) => (await access.checkGrant({ ecosystemId, permissions })).unknown,
    async usersOfEcosystem(ecosystemId) {
      const found = new Map<string, { isElsewhere: boolean }>()
      for await (const { members } of pagesOf(after => hotels.listHotelMemberIds({ hotelId: ecosystemId, after })))
        for (const { userId, isElsewhere } of members) {
          // An older version that is still running doesn't send the field. Reading that as false would delete accounts.
          if (isElsewhere === undefined) throw new ServiceUnavailableError()
          if (userId) found.set(userId, { isElsewhere })
        }
      return found
    },
  }
}
