import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type SessionSchema, SessionService } from '../../../gen/platform/auth/v1/sessions_pb.ts'
import { eventActorOf } from '../../kernel/access/access.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import { lifetimes } from '../config.ts'
import { type Context, claimsOf } from '../context.ts'
import { auditAccount, publishRevoked } from '../users/events.ts'
import { requireUser } from '../users/signed-in.ts'
import { userById } from '../users/users.sql.ts'
import {
  endSessions,
  insertSession,
  listLiveSessions,
  listSessions,
  loadEmails,
  ownerOf,
  type SessionRow,
  sessionById,
} from './sessions.sql.ts'

/** Sessions of both versions. */
export const sessionService = ({ db }: Context) =>
  implement(SessionService, {
    async listMySessions(_request, context) {
      const { user, sessionId } = await requireUser({ db }, context)
      const rows = await listLiveSessions(db, user.id, new Date())
      return { data: rows.map(row => sessionMessage(row, sessionId)) }
    },

    async endMySession({ id }, context) {
      const { user } = await requireUser({ db }, context)
      const row = await sessionById(db, id)
      if (row?.user_id !== user.id || !row.is_active) throw new NotFoundError('Session not found')
      await inTransaction(db, async trx => {
        await endSessions(trx, { sessionIds: [id] }, new Date())
        await publishRevoked(trx, user.id, { sessionId: id })
      })
      return { message: 'Session ended', id }
    },

    async endMyOtherSessions(_request, context) {
      const { user, sessionId } = await requireUser({ db }, context)
      const { sessions } = await inTransaction(db, async trx => {
        const counts = await endSessions(trx, { userIds: [user.id], except: sessionId }, new Date())
        await publishRevoked(trx, user.id, sessionId ? { exceptSessionId: sessionId } : {})
        return counts
      })
      return { message: 'Other sessions ended', ended: sessions }
    },

    async listSessions(request, context) {
      const page = paging(request)
      const { rows, total } = await listSessions(db, request, page)
      const emails = await loadEmails(db, rows)
      const current = claimsOf(context)?.sessionId ?? undefined
      const data = rows.map(row => ({ ...sessionMessage(row, current), email: emails.get(row.id) }))
      return { data, meta: pageMeta(total, page) }
    },

    async endSession({ id }, context) {
      const row = await sessionById(db, id)
      if (!row?.is_active) throw new NotFoundError('Session not found')
      await inTransaction(db, async trx => {
        await endSessions(trx, { sessionIds: [id] }, new Date())
        const owner = ownerOf(row)
        if (!owner) return
        await publishRevoked(trx, owner, { sessionId: id })
        const before = { session: id, device: row.device, os: row.os }
        await auditAccount(trx, eventActorOf(context), { userId: owner, action: 'session_ended', before })
      })
      return { message: 'Session ended', id }
    },

    async createSession({ memberId, userId, userAgent, ip, appType, isActive }) {
      const user = userId ? await userById(db, userId) : undefined
      const id = newId()
      const now = new Date()
      await insertSession(
        db,
        {
          id,
          user_id: user?.id ?? null,
          member_id: memberId,
          user_agent: userAgent ?? null,
          ip: ip ?? null,
          app_type: appType,
          is_active: isActive === false ? 0 : 1,
          expires_at: new Date(now.getTime() + lifetimes.refreshToken),
        },
        now,
      )
      const createdAt = timestampFromDate(now)
      return {
        id,
        memberId,
        userAgent,
        ip,
        appType,
        timestamp: createdAt,
        isActive: isActive !== false,
        lastActivity: createdAt,
        createdAt,
        updatedAt: createdAt,
      }
    },
  })

const sessionMessage = (row: SessionRow, currentId: string | undefined): MessageInitShape<typeof SessionSchema> => ({
  ...messageFields(row),
  deviceInfo: messageFields(row),
  isCurrent: row.id === currentId,
})
