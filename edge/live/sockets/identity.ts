import type { MemberAccess } from '../../../services/kernel/access/rights.ts'
import type { AccessClaims } from '../../../services/kernel/access/tokens.ts'
import { ForbiddenError, UnauthorizedError } from '../../../services/kernel/base/errors.ts'
import { ecosystemRoom, memberRoom, workspaceRoom } from '../../../services/kernel/base/live.ts'
import { enterRooms, type RecoveryAnswer } from '../history/recovery.ts'
import type { Hub, LiveHost } from '../hub.ts'
import type { CurrentRights, Identity, VerifiedClaims } from '../people.ts'
import type { Connection } from './connection.ts'

/** Looks up current rights; undefined for a person who isn't an active member. */
export async function loadCurrentRights(host: LiveHost, claims: AccessClaims): Promise<CurrentRights | undefined> {
  if (claims.kind === 'administrator') return { access: undefined, isPlatform: true }
  const access = await host.rights.ofUser(claims.userId)
  return access && { access, isPlatform: access.isSuperAdmin }
}

async function loadRightsOfValidAccount(host: LiveHost, claims: AccessClaims): Promise<CurrentRights | undefined> {
  if (!(await host.accounts.isValid(claims))) throw new UnauthorizedError()
  return loadCurrentRights(host, claims)
}

/**
 * The person behind a token. Throws an UnauthorizedError for an invalid token or a client that has left, a
 * ForbiddenError for a person who is no active member.
 */
export async function identify(
  hub: Hub,
  token: string,
  isWaiting: () => boolean,
): Promise<{ identity: Identity; rights: CurrentRights }> {
  const claims = hub.host.tokens.verify(token)
  if (!claims) throw new UnauthorizedError()
  const newcomer: VerifiedClaims = { claims, isRevoked: false }
  hub.pendingHandshakes.add(newcomer)
  const rights = await hub.lookUps
    .execute(async () => {
      // Clients that gave up before their turn must not keep others waiting.
      if (!isWaiting()) throw new UnauthorizedError()
      return loadRightsOfValidAccount(hub.host, claims)
    })
    .finally(() => hub.pendingHandshakes.delete(newcomer))
  if (newcomer.isRevoked) throw new UnauthorizedError()
  if (!rights) throw new ForbiddenError('Workspace access denied')
  const memberId = rights.access?.memberId
  const personId = memberId ?? claims.userId
  const isInvisible = rights.access?.isInvisible ?? false
  return {
    identity: { token, claims, memberId, workspaceIds: workspacesOf(rights), isInvisible, personId },
    rights,
  }
}

/** Ids of a person's workspaces. */
export const workspacesOf = ({ access }: CurrentRights): string[] =>
  access?.workspaces.map(({ workspaceId }) => workspaceId) ?? []

/**
 * Gives the socket its identity and its own rooms.
 * @param offset the client's position in these rooms
 * @returns the ack's data about the rooms; undefined when the member has too many sockets and this one was closed
 */
export function admit(
  hub: Hub,
  connection: Connection,
  { identity, rights }: Awaited<ReturnType<typeof identify>>,
  offset?: string,
): RecoveryAnswer | undefined {
  const siblings = hub.socketsByPerson.get(identity.personId) ?? new Set<Connection>()
  if (siblings.size + hub.presence.countSocketsElsewhere(identity.personId) >= hub.limits.socketsPerMember) {
    connection.close('tooMany')
    return undefined
  }
  hub.socketsByPerson.set(identity.personId, siblings.add(connection))
  connection.identity = identity
  hub.authenticatedCount++
  hub.presence.personChanged(identity.personId)
  return joinOwnRooms(hub, connection, rights, offset)
}

/** Joins the automatic rooms that the socket has not been in yet. */
export function joinOwnRooms(hub: Hub, connection: Connection, rights: CurrentRights, offset?: string): RecoveryAnswer {
  const { access } = rights
  const rooms = access ? ownRooms(access, connection.port.services.has('notification')) : []
  const newRooms = rooms.filter(room => !connection.automaticRooms.has(room))
  for (const room of newRooms) connection.automaticRooms.add(room)
  return enterRooms(hub, connection, newRooms, { offset, rightsSince: hub.rightsSince.of(rights) })
}

function ownRooms(access: MemberAccess, withWorkspaces: boolean): string[] {
  const ecosystems = [...access.ecosystems, ...access.workspaces].map(({ ecosystemId }) => ecosystemRoom(ecosystemId))
  const workspaces = withWorkspaces ? access.workspaces.map(({ workspaceId }) => workspaceRoom(workspaceId)) : []
  return [...new Set([memberRoom(access.memberId), ...ecosystems, ...workspaces])]
}
