import { WebSocket } from 'ws'
import { UserDeletedSchema, UserSessionsRevokedSchema } from '../../../gen/platform/events/v1/auth_pb.ts'
import { MemberAccessChangedSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { eventually } from '../kit.ts'
import type { World } from './live.ts'

/**
 * Waits until the first edge of a world receives the events that end sign-ins and change rights. Each is read by a
 * separate tail from the end of the stream on, so one published right after the start may precede the reading.
 */
export async function signalsAreOn({ open, emit, tokenOf, scout }: World): Promise<void> {
  const { userId, memberId } = scout
  const sessionId = newId()
  // In this order, a repeated signal doesn't affect the next one's socket.
  const signals = [
    () => {
      scout.isGone = true
      return emit(MemberAccessChangedSchema, { id: memberId, memberIds: [memberId] }, {})
    },
    () => emit(UserSessionsRevokedSchema, { id: userId, userId, sessionId }, {}),
    () => emit(UserDeletedSchema, { id: userId, userId, email: 'scout@hotel.example' }, {}),
  ]
  for (const [index, signal] of signals.entries()) {
    scout.isGone = false
    const claims = index === 1 ? { sessionId } : {}
    const { ws } = await open('member', scout, { headers: { authorization: `Bearer ${tokenOf(scout, 900, claims)}` } })
    await eventually(async () => {
      await signal()
      return ws.readyState === WebSocket.CLOSED
    })
  }
}
