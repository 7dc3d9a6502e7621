import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ProfileService } from '../../../../gen/platform/legacyauth/v1/profiles_pb.ts'
import { UnauthorizedError } from '../../../kernel/base/errors.ts'
import { implement } from '../../../kernel/rpc/implement.ts'
import { claimsOf } from '../../context.ts'
import { sessionById } from '../../sessions/sessions.sql.ts'
import { administratorById } from '../../users/administrators.sql.ts'
import { requireUser } from '../../users/signed-in.ts'
import { failure } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { loadMember, toAppType } from './app-sign-in.ts'
import { profileMessage } from './claims.ts'

/** Profile of the signed-in user. */
export const legacyProfileService = (parts: LegacyContext) =>
  implement(ProfileService, {
    async getProfile(_request, context) {
      const { user, sessionId } = await requireUser(parts, context)
      const session = sessionId ? await sessionById(parts.db, sessionId) : undefined
      const member = await loadMember(parts, user, toAppType(session?.app_type))
      if (!member) throw failure('MSG_602')
      return { profile: profileMessage(user, member) }
    },

    async getProfileAsAdmin(_request, context) {
      const claims = claimsOf(context)
      const { id, email, created_at, updated_at } =
        claims?.kind === 'administrator'
          ? await signedInAdministrator(parts, claims.userId, claims.sessionId)
          : (await requireUser(parts, context)).user
      return {
        admin: {
          id,
          email: email ?? '',
          isAdmin: true,
          createdAt: timestampFromDate(created_at),
          updatedAt: timestampFromDate(updated_at),
        },
      }
    },
  })

async function signedInAdministrator({ db }: LegacyContext, id: string, sessionId: string | null) {
  const admin = await administratorById(db, id)
  const session = sessionId ? await sessionById(db, sessionId) : undefined
  if (!admin || !session?.is_active) throw new UnauthorizedError()
  return admin
}
