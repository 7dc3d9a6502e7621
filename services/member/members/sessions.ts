import { SessionService as AuthSessions } from '../../../gen/platform/auth/v1/sessions_pb.ts'
import { SessionService } from '../../../gen/platform/member/v1/sessions_pb.ts'
import { isPlatformCaller, maybePerson, settleRecord } from '../../kernel/access/access.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { findById } from '../people/sql.ts'

/** Sessions under their documented routes; the authentication service keeps them. */
export const sessionService = ({ db, client }: Context): Rpc =>
  implement(SessionService, {
    async createSession({ memberId, userAgent, ip, appType, isActive }, context) {
      if (!isPlatformCaller(context) && maybePerson(context)?.memberId !== memberId)
        throw new NotFoundError('Member not found')
      settleRecord(context, 'people record their own sessions, services and platform administrators any')
      const member = await findById(db, memberId)
      if (!member) throw new NotFoundError('Member not found')
      const { $typeName: _, ...session } = await client(AuthSessions).createSession({
        memberId,
        appType,
        ...(member.user_id === null ? {} : { userId: member.user_id }),
        ...(userAgent === undefined ? {} : { userAgent }),
        ...(ip === undefined ? {} : { ip }),
        ...(isActive === undefined ? {} : { isActive }),
      })
      return { session }
    },
  })
