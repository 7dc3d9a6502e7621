import { createClient } from '@connectrpc/connect'
import { RoomLeftFrameSchema } from '../../gen/platform/live/v1/connection_pb.ts'
import {
  PageCreatedFrameSchema,
  PageDeletedFrameSchema,
  PageUpdatedFrameSchema,
} from '../../gen/platform/live/v1/server_pb.ts'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { toPlatformError } from '../../services/kernel/errors.ts'
import { leave } from './leave.ts'
import { frameOf, messageBytes, type RoomMessage } from './frames.ts'
import type { Hub, LiveHost } from './hub.ts'
import type { Identity } from './identity.ts'
import { enterRooms, placeOf } from './recovery.ts'
import { pageRoom } from './room-names.ts'

const timeoutMs = 5_000
const atOnce = 50

/** The workspace of a page that somebody may read; NotFoundError, as the news service says it, when not. */
export async function workspaceOfPage(host: LiveHost, token: string, id: string): Promise<string> {
  const client = createClient(PageService, host.transport(PageService))
  const options = { headers: { authorization: `Bearer ${token}` }, timeoutMs }
  return (await client.checkPageAccess({ id }, options)).workspaceId
}

/** Whether somebody is still allowed in the room of a page, as far as the news service says no; true for other rooms. */
export async function mayStay({ host }: Hub, { token }: Identity, room: string): Promise<boolean> {
  if (!room.startsWith(pageRoom(''))) return true
  const status = await workspaceOfPage(host, token, room.slice(pageRoom('').length)).then(
    () => 200,
    (error: unknown) => toPlatformError(error).info.status,
  )
  // A token that has run out since says nothing about the rights of its owner.
  return status !== 403 && status !== 404
}

/** The page that a frame takes from its readers: deleted, archived or a draft again. */
export function closedPage({ event, data }: Pick<RoomMessage, 'event' | 'data'>): string | undefined {
  const id = typeof data['id'] === 'string' ? data['id'] : undefined
  if (event === frameOf(PageDeletedFrameSchema).event) return id
  if (event !== frameOf(PageUpdatedFrameSchema).event) return undefined
  const { status = 'published' } = Object(data['changes']) as { status?: unknown }
  return status === 'published' ? undefined : id
}

/** The page that a frame shows to its readers: published, or brought back. @param text the frame's JSON without the closing brace */
export function openedPage(event: string, text: string): string | undefined {
  const isNew = event === frameOf(PageCreatedFrameSchema).event
  if (!isNew && event !== frameOf(PageUpdatedFrameSchema).event) return undefined
  const { data } = JSON.parse(`${text}}`) as { data: { id?: string; changes?: { status?: string } } }
  return isNew || data.changes?.status === 'published' ? data.id : undefined
}

/**
 * Takes those out of a page's room who may not read the page any more; its author and editors stay. Until it is known who
 * that is nobody is told anything: they then get what was said meanwhile.
 */
export async function recheckPage(hub: Hub, pageId: string): Promise<void> {
  const room = pageRoom(pageId)
  // Joins that are being decided are decided anew.
  hub.epoch++
  const { offset } = placeOf(hub)
  const inside = hub.ports.flatMap(({ rooms }) => [...rooms.in(room)])
  // Out of the room, and still named among its pages: whoever leaves meanwhile stays out.
  for (const connection of inside) connection.port.rooms.leave(room, connection)
  for (let from = 0; from < inside.length; from += atOnce)
    await Promise.all(
      inside.slice(from, from + atOnce).map(async connection => {
        const { identity } = connection
        // Who cannot be asked about does not stay: joining again is easy.
        const workspaceId = identity && (await workspaceOfPage(hub.host, identity.token, pageId).catch(() => undefined))
        if (!connection.isOpen() || connection.rooms.has(room) || !connection.pages?.has(room)) return
        if (workspaceId !== undefined) return void enterRooms(hub, connection, [room], { offset, rightsSince: 0 })
        leave(connection, [room])
        return hub.outgoing.add(connection, messageBytes(RoomLeftFrameSchema, { room, reason: 'No longer allowed' }))
      }),
    )
}
