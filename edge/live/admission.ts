import {
  ForbiddenError,
  NotFoundError,
  type RpcError,
  ServiceUnavailableError,
  TooManyRequestsError,
} from '../../services/kernel/base/errors.ts'
import { enterRooms, type RecoveryAnswer } from './history/recovery.ts'
import type { Hub } from './hub.ts'
import { workspaceOfPage } from './page-rooms.ts'
import type { CurrentRights, Identity } from './people.ts'
import type { Connection } from './sockets/connection.ts'
import { loadCurrentRights } from './sockets/identity.ts'

/** Whether a person belongs to an ecosystem, by a membership of it or of one of its workspaces. */
export const belongsTo = ({ access, isPlatform }: CurrentRights, ecosystemId: string): boolean =>
  isPlatform ||
  access?.ecosystems.some(ecosystem => ecosystem.ecosystemId === ecosystemId) === true ||
  access?.workspaces.some(workspace => workspace.ecosystemId === ecosystemId) === true

/**
 * Whether the current rights allow a room.
 * @param pages workspaces of page rooms: whether a page may be read is the news service's decision
 */
export function allowsRoom(
  rights: CurrentRights,
  memberId: string | undefined,
  room: string,
  pages: ReadonlyMap<string, string> | undefined,
): boolean {
  const { access, isPlatform } = rights
  const [kind, id = ''] = room.split(':')
  const inWorkspace = (workspaceId: string | undefined): boolean =>
    isPlatform || access?.workspaces.some(workspace => workspace.workspaceId === workspaceId) === true
  if (kind === 'member') return id === memberId
  if (kind === 'workspace') return inWorkspace(id)
  if (kind === 'hotel' || kind === 'ecosystem') return belongsTo(rights, id)
  return kind === 'page' && pages?.has(room) === true && inWorkspace(pages.get(room))
}

/**
 * Puts the socket into those of the rooms that it may join. If it may join none, throws: ForbiddenError for another
 * tenant's, NotFoundError for a page that the caller can't read.
 * @param offset the client's position: missed frames of these rooms are sent first
 */
export async function joinRooms(
  hub: Hub,
  connection: Connection,
  identity: Identity,
  rooms: string[],
  offset?: string,
): Promise<RecoveryAnswer> {
  const newRoomCount = rooms.filter(room => !connection.rooms.has(room)).length
  if (connection.rooms.size + newRoomCount > hub.limits.roomsPerSocket) throw new TooManyRequestsError('Too many rooms')
  await hub.history.settled(offset)
  // Rights that change during the check invalidate its result.
  for (let round = 0; round < 5; round++) {
    const { epoch } = hub
    const { pages, rights, refusals } = await checkRooms(hub, identity, rooms)
    if (epoch !== hub.epoch) continue
    if (!connection.isOpen()) return { rooms: [] }
    for (const [room, workspaceId] of pages) (connection.pages ??= new Map()).set(room, workspaceId)
    const allowedRooms = rooms.filter(room => !refusals.has(room))
    const answer = enterRooms(hub, connection, allowedRooms, { offset, rightsSince: hub.rightsSince.of(rights) })
    return { ...answer, refused: [...refusals.keys()] }
  }
  throw new ServiceUnavailableError()
}

async function checkRooms({ host }: Hub, identity: Identity, rooms: string[]) {
  const rights = await loadCurrentRights(host, identity.claims)
  if (!rights) throw new ForbiddenError('Workspace access denied')
  const pages = new Map<string, string>()
  const refusals = new Map<string, RpcError>()
  for (const room of rooms) {
    const [kind, id = ''] = room.split(':')
    if (kind === 'page') pages.set(room, await workspaceOfPage(host, identity.token, id))
    const isAllowed = allowsRoom(rights, identity.memberId, room, pages)
    // A platform administrator may join any workspace that exists.
    const isMember = rights.access?.workspaces.some(({ workspaceId }) => workspaceId === id)
    if (!isAllowed) refusals.set(room, refusalFor(kind))
    else if (kind === 'workspace' && !isMember && !(await host.rights.workspace(id)))
      refusals.set(room, new NotFoundError('Workspace not found'))
  }
  const [first] = refusals.values()
  if (first && refusals.size === rooms.length) throw first
  return { pages, rights, refusals }
}

function refusalFor(kind: string | undefined) {
  if (kind === 'workspace') return new ForbiddenError('Workspace access denied')
  if (kind === 'hotel') return new ForbiddenError('Ecosystem access denied')
  return kind === 'page' ? new NotFoundError('Page not found') : new ForbiddenError()
}
