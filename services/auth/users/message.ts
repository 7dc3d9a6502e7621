import type { MessageInitShape } from '@bufbuild/protobuf'
import type { UserSchema } from '../../../gen/platform/auth/v1/users_pb.ts'
import type { Profile } from '../../../gen/platform/member/v1/profiles_pb.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import type { UserRow } from './users.sql.ts'

/** An account as its owner sees it; a member's names and picture take precedence. */
export const userMessage = (row: UserRow, profile: Profile | undefined): MessageInitShape<typeof UserSchema> => ({
  ...messageFields(row),
  email: row.email ?? '',
  emailVerified: row.email_verified === 1,
  firstName: profile?.firstname ?? row.first_name ?? undefined,
  lastName: profile?.lastname ?? row.last_name ?? undefined,
  photoUrl: profile ? profile.picture : (row.photo_url ?? undefined),
  memberId: profile?.id,
  workspaceId: profile?.workspaces[0]?.id,
  roles: profile?.roles ?? [],
  permissions: profile?.permissions ?? [],
})
