import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ProfileSchema } from '../../../../gen/platform/legacyauth/v1/profiles_pb.ts'
import type { Profile } from '../../../../gen/platform/member/v1/profiles_pb.ts'
import type { AccessClaims } from '../../../kernel/access/tokens.ts'
import type { UserRow } from '../../users/users.sql.ts'

/** An account with its member, under the names of the legacy token claims. */
export const profileMessage = (user: UserRow, member: Profile): MessageInitShape<typeof ProfileSchema> => ({
  id: user.id,
  email: user.email ?? '',
  memberId: member.id,
  firstname: member.firstname,
  lastname: member.lastname,
  picture: member.picture,
  hotelId: member.hotelId,
  ecosystemId: member.hotelId,
  workspaceId: member.workspaces[0]?.id,
  workspaces: member.workspaces.map(({ id, name, role }) => ({ id, name, role })),
  roles: member.roles,
  permissions: member.permissions,
  chatApiKey: member.chatAccessToken,
  isAdmin: user.is_admin === 1,
  isTmpPassword: user.is_tmp_password === 1,
  isFirstLogin: user.is_first_login === 1,
  isForced: user.is_forced === 1,
})

type Claims = Omit<AccessClaims, 'iat' | 'exp'>

/** Claims of a legacy access token. */
export function legacyClaims(user: UserRow, member: Profile, sessionId: string): Claims {
  const workspaceId = member.workspaces[0]?.id ?? null
  return {
    userId: user.id,
    email: user.email ?? '',
    isAdmin: user.is_admin === 1,
    ecosystemId: member.hotelId ?? null,
    hotelId: member.hotelId ?? null,
    memberId: member.id,
    chatApiKey: member.chatAccessToken ?? null,
    firstname: member.firstname,
    lastname: member.lastname,
    picture: member.picture ?? null,
    workspaceId,
    workspace_id: workspaceId,
    roles: member.roles,
    permissions: member.permissions,
    asAdminRole: false,
    kind: 'legacy',
    sessionId,
  }
}

/** Claims of a system administrator, who isn't a member: member claims are null. */
export const administratorClaims = (admin: { id: string; email: string }, sessionId: string): Claims => ({
  userId: admin.id,
  email: admin.email,
  isAdmin: true,
  ecosystemId: null,
  hotelId: null,
  memberId: null,
  chatApiKey: null,
  firstname: null,
  lastname: null,
  picture: null,
  workspaceId: null,
  workspace_id: null,
  roles: [],
  permissions: [],
  asAdminRole: true,
  kind: 'administrator',
  sessionId,
})
