import { WebSocket } from 'ws'
import { UserDeletedSchema, UserSessionsRevokedSchema } from '../../../gen/platform/events/v1/auth_pb.ts'
import { MemberAccessChangedSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { eventually } from '../kit.ts'
import type { LiveWorld } from './live.ts'

/**
 * Waits until the first edge of a world receives the events that end sign-ins and change rights. Each is read by a
 * separate tail from the end of the stream on, so one published right after the start may precede the reading. Every
 * event has its own scout: a repeated one can't affect the socket that waits for the next.
 */
export async function signalsAreOn({ open, emit, tokenOf, scouts }: LiveWorld): Promise<void> {
  const { leaver, revoked, deleted } = scouts
  const sessionId = newId()
  await Promise.all([
    closedBy(leaver, {}, () => {
      leaver.isGone = true
      return emit(MemberAccessChangedSchema, { id: leaver.memberId, memberIds: [leaver.memberId] }, {})
    }),
    closedBy(revoked, { sessionId }, () =>
      emit(UserSessionsRevokedSchema, { id: revoked.userId, userId: revoked.userId, sessionId }, {}),
    ),
    closedBy(deleted, {}, () =>
      emit(UserDeletedSchema, { id: deleted.userId, userId: deleted.userId, email: 'scout@hotel.example' }, {}),
    ),
  ])

  async function closedBy(scout: typeof leaver, claims: { sessionId?: string }, signal: () => Promise<void>) {
    const { ws } = await open('member', scout, { headers: { authorization: `Bearer ${tokenOf(scout, 900, claims)}` } })
    await eventually(async () => {
      await signal()
      return ws.readyState === WebSocket.CLOSED
    })
  }
}
