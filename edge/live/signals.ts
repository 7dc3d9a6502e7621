import type { DescMessage, MessageShape } from '@bufbuild/protobuf'
import { getOption } from '@bufbuild/protobuf'
import { UserDeletedSchema, UserSessionsRevokedSchema } from '../../gen/platform/events/v1/auth_pb.ts'
import { EnvelopeSchema } from '../../gen/platform/events/v1/envelope_pb.ts'
import { MemberAccessChangedSchema, MemberDeletedSchema } from '../../gen/platform/events/v1/member_pb.ts'
import { WorkspaceMemberLeftSchema } from '../../gen/platform/events/v1/workspace_pb.ts'
import { event as eventOption } from '../../gen/platform/options/v1/options_pb.ts'
import type { BusMessage } from '../../services/kernel/bus/message.ts'
import { parseMessage } from './feed.ts'
import type { Hub } from './hub.ts'
import { applyRightsChange } from './recheck.ts'
import type { CloseCause } from './sockets/connection.ts'

/** An event's effect on the sockets themselves, rather than on what they show. */
type Signal = { key: string; act(hub: Hub, payload: unknown): void }

const signal = <Desc extends DescMessage>(
  event: Desc,
  act: (hub: Hub, payload: MessageShape<Desc>) => void,
): Signal => ({
  key: getOption(event, eventOption).key,
  act: (hub, payload) => act(hub, parseMessage(event, payload)),
})

function closeUser(
  hub: Hub,
  userId: string,
  cause: CloseCause,
  matchesSession: (sessionId: string | null) => boolean,
): void {
  for (const connection of hub.connections) {
    const { claims } = connection.identity ?? {}
    if (claims?.userId === userId && matchesSession(claims.sessionId)) connection.close(cause)
  }
  for (const newcomer of hub.pendingHandshakes)
    if (newcomer.claims.userId === userId && matchesSession(newcomer.claims.sessionId)) newcomer.isRevoked = true
}

const signals: Signal[] = [
  signal(MemberAccessChangedSchema, (hub, { memberIds }) => applyRightsChange(hub, memberIds)),
  signal(WorkspaceMemberLeftSchema, (hub, { memberId }) => applyRightsChange(hub, [memberId])),
  signal(MemberDeletedSchema, (hub, { memberId }) => applyRightsChange(hub, [memberId])),
  signal(UserDeletedSchema, (hub, { userId }) => closeUser(hub, userId, 'unauthorized', () => true)),
  signal(UserSessionsRevokedSchema, (hub, { userId, sessionId, exceptSessionId }) =>
    closeUser(hub, userId, 'unauthorized', id =>
      sessionId ? id === sessionId : !exceptSessionId || id !== exceptSessionId,
    ),
  ),
]

const signalsByKey = new Map(signals.map(entry => [entry.key, entry]))

/** The bus subjects that are signals. */
export const signalSubjects: readonly string[] = [...signalsByKey.keys()]

/** Applies a signal event to the sockets of this process. */
export function applySignal(hub: Hub, message: Pick<BusMessage, 'subject' | 'body'>): void {
  const entry = signalsByKey.get(message.subject)
  if (entry) entry.act(hub, parseMessage(EnvelopeSchema, message.body).payload ?? {})
}
