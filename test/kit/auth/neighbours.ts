import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AccessService, type GetAccessResponseSchema } from '../../../gen/platform/access/v1/access_pb.ts'
import { HotelMemberService } from '../../../gen/platform/member/v1/hotel_members_pb.ts'
import { InvitationService } from '../../../gen/platform/member/v1/invitations_pb.ts'
import { type ProfileSchema, ProfileService } from '../../../gen/platform/member/v1/profiles_pb.ts'
import { MailService, type SendMailRequest } from '../../../gen/platform/notification/v1/mail_pb.ts'
import {
  ConflictError,
  ForbiddenError,
  GoneError,
  NotFoundError,
  ServiceUnavailableError,
} from '../../../services/kernel/base/errors.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { newToken } from '../../../services/kernel/base/secrets.ts'
import { implement } from '../../../services/kernel/rpc/implement.ts'
import { partly } from '../partly.ts'

type Member = MessageInitShape<typeof ProfileSchema> & { access?: MessageInitShape<typeof GetAccessResponseSchema> }
export type Pending = {
  id: string
  email: string
  token: string
  workspaceId: string
  ecosystemId?: string
  workspaceRole?: string
  status?: string
  expiresAt?: Timestamp
  acceptedBy?: string
  /** User id of the sender. */
  invitedBy?: string
}

/** The neighbouring services, answering over their wire protocol from the test's data. */
export type AuthNeighbours = {
  members: Member[]
  invitations: Pending[]
  mails: SendMailRequest[]
  /** Mails that it refused. */
  refused: SendMailRequest[]
  /** While set, every call of that service is refused as unavailable. */
  outages: { member: boolean; mail: boolean }
  /** Called before and after an acceptance is written. */
  onAccept: { before(): void | Promise<void>; after(): void | Promise<void> }
  updates: { userId: string; paths: string[]; email: string | undefined }[]
}

export const newNeighbours = (): AuthNeighbours => ({
  members: [],
  invitations: [],
  mails: [],
  refused: [],
  outages: { member: false, mail: false },
  onAccept: { before: () => undefined, after: () => undefined },
  updates: [],
})

const refuseDuringOutage = ({ outages }: AuthNeighbours): void => {
  if (outages.member) throw new ServiceUnavailableError()
}

function memberOf(next: AuthNeighbours, isMatch: (member: Member) => boolean): Member {
  refuseDuringOutage(next)
  const member = next.members.find(isMatch)
  if (!member) throw new NotFoundError('Member not found')
  return member
}

/** Stands in for the member service. */
export const memberStandIns = (next: AuthNeighbours) => [
  accessStandIn(next),
  profileStandIn(next),
  invitationStandIn(next),
  hotelStandIn(next),
]

const accessStandIn = (next: AuthNeighbours) =>
  implement(AccessService, {
    async getAccess({ userId }) {
      const member = memberOf(next, one => one.userId === userId)
      const { id = '', email = '', isSuperAdmin = false } = member
      return { memberId: id, userId, email, isSuperAdmin, ...member.access }
    },
    checkGrant: async ({ permissions = [] }) => ({ unknown: permissions.filter(slug => slug.startsWith('unknown')) }),
    getWorkspaceTenant: async ({ workspaceId: id }) => ({ workspaceId: id, workspaceName: 'Hotel', ecosystemId: id }),
  })

const profileStandIn = (next: AuthNeighbours) =>
  partly(ProfileService, {
    async getProfile({ userId, memberId, email }) {
      refuseDuringOutage(next)
      const profile = next.members.find(one =>
        email ? one.email === email : userId ? one.userId === userId : one.id === memberId,
      )
      // Only the light profile has the chat token.
      return profile ? { profile: { ...profile, chatAccessToken: undefined } } : {}
    },
    announceDeparture: async () => ({ workspaceNames: [] }),
    getLightProfile: async ({ email }) => ({ profile: memberOf(next, one => one.email === email) }),
    async updateUserProfile({ userId, updateMask, firstName, lastName, photoUrl, email }) {
      const member = memberOf(next, one => one.userId === userId)
      const paths = updateMask?.paths ?? []
      next.updates.push({ userId, paths, email })
      if (paths.includes('first_name')) Object.assign(member, { firstname: firstName })
      if (paths.includes('last_name')) Object.assign(member, { lastname: lastName })
      if (paths.includes('photo_url')) Object.assign(member, { picture: photoUrl })
      return { profile: member }
    },
    async markRegistered({ memberId }) {
      Object.assign(
        memberOf(next, one => one.id === memberId),
        { registeredAt: timestampFromDate(new Date()) },
      )
      return { memberId }
    },
    async linkUser({ userId, email }) {
      const profile = memberOf(next, one => one.email === email)
      if (profile.userId && profile.userId !== userId) throw new ConflictError()
      Object.assign(profile, { userId })
      return { profile }
    },
    async ensurePlatformAdministrator({ userId, email }) {
      refuseDuringOutage(next)
      const existingMember = next.members.find(one => one.userId === userId)
      const member = existingMember ?? { id: newId(), userId, email, isActive: true }
      if (!existingMember) next.members.push(member)
      member.isSuperAdmin = true
      return { memberId: member.id ?? '', created: !existingMember }
    },
  })

const invitationStandIn = (next: AuthNeighbours) =>
  implement(InvitationService, {
    async getInvitationByToken({ token }) {
      refuseDuringOutage(next)
      const invitation = next.invitations.find(one => one.token === token)
      if (!invitation) throw new NotFoundError('Invitation not found')
      return { invitation, workspaceName: 'Hotel' }
    },
    async acceptInvitationForUser({ token, userId, email, firstName, lastName }) {
      refuseDuringOutage(next)
      await next.onAccept.before()
      const invitation = next.invitations.find(one => one.token === token)
      if (!invitation) throw new NotFoundError('Invitation not found')
      if (invitation.email !== email) throw new ForbiddenError()
      if (invitation.acceptedBy && invitation.acceptedBy !== userId) throw new ConflictError()
      const { workspaceId = '', workspaceRole = '' } = invitation
      Object.assign(invitation, { acceptedBy: userId, status: 'accepted' })
      let profile = next.members.find(one => one.userId === userId)
      if (!profile) {
        profile = { id: newId(), userId, email, isActive: true, mobileAccess: true }
        next.members.push(profile)
      }
      Object.assign(profile, { firstname: firstName ?? 'Ada', lastname: lastName ?? 'Byron' })
      Object.assign(profile, { workspaces: [{ id: workspaceId, name: 'Hotel', role: workspaceRole }] })
      Object.assign(profile, { roles: [workspaceRole], permissions: ['view_members'] })
      await next.onAccept.after()
      return { profile, invitation }
    },
    async inviteForUser({ userId, email, workspaceId, workspaceRole }) {
      refuseDuringOutage(next)
      const expiresAt = timestampFromDate(new Date(Date.now() + 7 * 864e5))
      const open = next.invitations.find(one => one.email === email && one.workspaceId === workspaceId)
      const invitation = open ?? { id: newId(), email, token: '', workspaceId: workspaceId ?? '' }
      if (!open) next.invitations.push(invitation)
      Object.assign(invitation, { token: newToken(), status: 'pending', workspaceRole, expiresAt, invitedBy: userId })
      return { invitation: { ...invitation, email, expiresAt }, workspaceId: workspaceId ?? '' }
    },
    async cancelInvitationForUser({ id }) {
      refuseDuringOutage(next)
      const invitation = next.invitations.find(one => one.id === id)
      if (!invitation) throw new NotFoundError('Invitation not found')
      if (invitation.status === 'expired') throw new GoneError()
      if (invitation.status !== 'pending') throw new ConflictError()
      Object.assign(invitation, { status: 'cancelled' })
      return { invitation }
    },
    async listInvitationsForUser({ userId }) {
      refuseDuringOutage(next)
      return { data: next.invitations.filter(one => one.invitedBy === userId) }
    },
  })

const hotelStandIn = (next: AuthNeighbours) =>
  partly(HotelMemberService, {
    // One per page, to exercise the paging of longer lists.
    async listHotelMemberIds({ hotelId, after }) {
      refuseDuringOutage(next)
      const hotelMembers = next.members
        .filter(one => one.hotelId === hotelId)
        .map(({ id = '', userId, isSuperAdmin = false, access }) => {
          const places = [...(access?.workspaces ?? []), ...(access?.ecosystems ?? [])]
          const isElsewhere = isSuperAdmin || places.some(({ ecosystemId }) => ecosystemId !== hotelId)
          return { id, userId, isElsewhere }
        })
      const start = hotelMembers.findIndex(({ id }) => id === after) + 1
      return {
        members: hotelMembers.slice(start, start + 1),
        ...(start + 1 < hotelMembers.length && { next: hotelMembers[start]?.id }),
      }
    },
  })

/** Stands in for the notification service. */
export const mailStandIn = (next: AuthNeighbours) =>
  implement(MailService, {
    async sendMail(request) {
      if (next.outages.mail) {
        next.refused.push(request)
        throw new ServiceUnavailableError()
      }
      next.mails.push(request)
      return { id: newId(), queued: true }
    },
  })
