import type { DescService } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { AccessService } from '../../gen/platform/access/v1/access_pb.ts'
import type { Asker } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import { InvitationService } from '../../gen/platform/member/v1/invitations_pb.ts'
import { type Profile, ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { ServiceUnavailableError, toRpcError, ValidationError } from '../kernel/base/errors.ts'
import type { Language } from '../kernel/base/language.ts'
import { type PageRequest, pagesOf } from '../kernel/rpc/paging.ts'

export type AppType = 'mobile' | 'dashboard'
type Names = { firstName?: string | undefined; lastName?: string | undefined }
export type NameChange = { first_name?: string; last_name?: string; photo_url?: string | null; email?: string }

type ClientOf = <S extends DescService>(service: S) => Client<S>

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (toRpcError(error).info.status === 404) return undefined
    throw error
  }
}

const ifActive = (profile: Profile | undefined): Profile | undefined => (profile?.isActive ? profile : undefined)

/** Rethrows the other service's errors with the field names of this one. */
const renameFields =
  (names: Record<string, string>) =>
  (thrown: unknown): never => {
    const { violations } = toRpcError(thrown).info
    if (violations.length === 0) throw thrown
    throw new ValidationError(violations.map(one => ({ ...one, path: names[one.path] ?? one.path })))
  }

const assertPresent = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the member service returned an empty response')
  return value
}

export type MemberClient = ReturnType<typeof memberClient>

/** Calls to the member service, through typed clients. */
export function memberClient(client: ClientOf) {
  const profiles = client(ProfileService)
  const invitations = client(InvitationService)
  const hotels = client(HotelMemberService)
  const access = client(AccessService)
  return {
    /**
     * The active member of a user; undefined without one. With an app type, in a hotel that admits them to the
     * app.
     */
    profileOfUser: async (userId: string, appType?: AppType) =>
      ifActive((await profiles.getProfile({ userId, appType })).profile),
    profileOfMember: async (memberId: string) => ifActive((await profiles.getProfile({ memberId })).profile),
    /** The live member with an e-mail, active or not. */
    memberWithAddress: async (email: string) => (await profiles.getProfile({ email })).profile,
    /** The active member with an e-mail, with their token for the chat provider. */
    lightProfile: async (email: string, appType?: AppType) =>
      ifActive((await orUndefined(profiles.getLightProfile({ email, appType })))?.profile),
    markRegistered: (memberId: string) => profiles.markRegistered({ memberId }),
    /** Links a user to the member with their e-mail. */
    linkUser: (userId: string, email: string) => profiles.linkUser({ userId, email }),
    /** Forwards changed names, picture or e-mail; for a user without a member they are stored here only. */
    async updateProfile(userId: string, change: NameChange) {
      const { first_name: firstName, last_name: lastName, photo_url, email } = change
      const updateMask = { paths: Object.keys(change) }
      const photoUrl = photo_url ?? undefined
      await orUndefined(profiles.updateUserProfile({ userId, updateMask, firstName, lastName, photoUrl, email }))
    },
    /** Gives the user's member an address that somebody else set. GoneError when the asker may no longer set it. */
    confirmAddress: (userId: string, email: string, asker: Asker) =>
      profiles.updateUserProfile({ userId, updateMask: { paths: ['email'] }, email, asker }),
    /** The invitation of a token, in any status, with what surrounds it. */
    async findInvitation(token: string) {
      const answer = await orUndefined(invitations.getInvitationByToken({ token }))
      return answer?.invitation && { ...answer, invitation: answer.invitation }
    },
    /**
     * Makes the user the invitation's member. A repeated call for the same user returns the same response.
     * @returns the active member; undefined for one whom a hotel or the platform switched off
     */
    async acceptInvitation(
      token: string,
      { id, ...person }: { id: string; email: string; language?: Language | undefined } & Names,
    ) {
      const answer = await invitations.acceptInvitationForUser({ token, userId: id, ...person })
      return ifActive(assertPresent(answer.profile))
    },
    async inviteForUser(
      userId: string,
      { role, ...person }: { email: string; role: string; workspaceId?: string | undefined } & Names,
    ) {
      const request = { userId, workspaceRole: role, ...person }
      const answer = await invitations.inviteForUser(request).catch(renameFields({ workspaceRole: 'role' }))
      return { ...answer, invitation: assertPresent(answer.invitation) }
    },
    /** A page of the invitations that the user sent. */
    sentInvitations: (userId: string, page: { status?: string | undefined } & PageRequest) =>
      invitations.listInvitationsForUser({ userId, ...page }),
    /** Cancels an invitation that the user sent. NotFoundError, ConflictError, GoneError. */
    cancelInvitation: (userId: string, id: string) => invitations.cancelInvitationForUser({ userId, id }),
    /**
     * Called last in the transaction that deletes an account.
     * @returns names of the workspaces that would lose their last administrator, which prevents the deletion
     */
    announceDeparture: async (userId: string) => (await profiles.announceDeparture({ userId })).workspaceNames,
    ensureAdministrator: ({ id, email }: { id: string; email: string }) =>
      profiles.ensurePlatformAdministrator({ email, firstName: 'Platform', lastName: 'Administrator', userId: id }),
    /** Refuses an unknown ecosystem or one whose hotel is deleted. @returns the entries that are no permissions */
    checkGrant: async (ecosystemId: string, permissions: string[]) =>
      (await access.checkGrant({ ecosystemId, permissions })).unknown,
    /** Users of an ecosystem, and whether they also belong to another one or administer the platform. */
    async usersOfEcosystem(hotelId: string) {
      const users = new Map<string, { isElsewhere: boolean }>()
      for await (const { members } of pagesOf(after => hotels.listHotelMemberIds({ hotelId, after })))
        for (const { userId, isElsewhere } of members) {
          // An older version that is still running doesn't send the field. Reading that as false would delete accounts.
          if (isElsewhere === undefined) throw new ServiceUnavailableError()
          if (userId) users.set(userId, { isElsewhere })
        }
      return users
    },
  }
}
