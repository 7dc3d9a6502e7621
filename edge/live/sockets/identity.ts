import type { MemberAccess } from '../../../services/kernel/access/rights.ts'
import type { AccessClaims } from '../../../services/kernel/access/tokens.ts'
import { ForbiddenError, UnauthorizedError } from '../../../services/kernel/base/errors.ts'
import { type Answer, enterRooms } from '../history/recovery.ts'
import type { Hub, LiveHost } from '../hub.ts'
import type { Identity, Newcomer, Standing } from '../people.ts'
import { ecosystemRoom, memberRoom, workspaceRoom } from '../room-names.ts'
import type { Connection } from './connection.ts'

/** Looks up current rights; undefined for a person who isn't an active member. */
export async function standingOf(host: LiveHost, claims: AccessClaims): Promise<Standing | undefined> {
  if (claims.kind === 'administrator') return { access: undefined, isPlatform: true }
  const access = await host.rights.ofUser(claims.userId)
  return access && { access, isPlatform: access.isSuperAdmin }
}

async function admissible(host: LiveHost, claims: AccessClaims): Promise<Standing | undefined> {
  if (!(await host.accounts.isValid(claims))) throw new UnauthorizedError()
  return standingOf(host, claims)
}

/**
 * The person behind a token. Throws an UnauthorizedError for an invalid token, a ForbiddenError for a person who is no
 * active member.
 */
export async function identify(hub: Hub, token: string): Promise<{ identity: Identity; standing: Standing }> {
  const claims = hub.host.tokens.verify(token)
  if (!claims) throw new UnauthorizedError()
  const newcomer: Newcomer = { claims, isRevoked: false }
  hub.newcomers.add(newcomer)
  const standing = await admissible(hub.host, claims).finally(() => hub.newcomers.delete(newcomer))
  if (newcomer.isRevoked) throw new UnauthorizedError()
  if (!standing) throw new ForbiddenError('Workspace access denied')
  const memberId = standing.access?.memberId
  const owner = memberId ?? claims.userId
  const isInvisible = standing.access?.isInvisible ?? false
  return { identity: { token, claims, memberId, workspaceIds: workspacesOf(standing), isInvisible, owner }, standing }
}

/** Ids of a person's workspaces. */
export const workspacesOf = ({ access }: Standing): string[] =>
  access?.workspaces.map(({ workspaceId }) => workspaceId) ?? []

/**
 * Gives the socket its identity and its own rooms.
 * @param offset the client's position in these rooms
 * @returns the ack's data about the rooms; undefined when the member has too many sockets and this one was closed
 */
export function admit(
  hub: Hub,
  connection: Connection,
  { identity, standing }: Awaited<ReturnType<typeof identify>>,
  offset?: string,
): Answer | undefined {
  const siblings = hub.owners.get(identity.owner) ?? new Set<Connection>()
  if (siblings.size + hub.presence.elsewhere(identity.owner) >= hub.limits.socketsPerMember) {
    connection.close('tooMany')
    return undefined
  }
  hub.owners.set(identity.owner, siblings.add(connection))
  connection.identity = identity
  hub.identified++
  hub.presence.changed(identity.owner)
  return joinOwnRooms(hub, connection, standing, offset)
}

/** Joins the automatic rooms that the socket has not been in yet. */
export function joinOwnRooms(hub: Hub, connection: Connection, standing: Standing, offset?: string): Answer {
  const { access } = standing
  const rooms = access ? ownRooms(access, connection.port.services.has('notification')) : []
  const fresh = rooms.filter(room => !connection.given.has(room))
  for (const room of fresh) connection.given.add(room)
  return enterRooms(hub, connection, fresh, { offset, rightsSince: hub.rightsSince.of(standing) })
}

function ownRooms(access: MemberAccess, withWorkspaces: boolean): string[] {
  const ecosystems = [...access.ecosystems, ...access.workspaces].map(({ ecosystemId }) => ecosystemRoom(ecosystemId))
  const workspaces = withWorkspaces ? access.workspaces.map(({ workspaceId }) => workspaceRoom(workspaceId)) : []
  return [...new Set([memberRoom(access.memberId), ...ecosystems, ...workspaces])]
}
