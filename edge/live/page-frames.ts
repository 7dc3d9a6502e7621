import {
  PageCreatedFrameSchema,
  PageDeletedFrameSchema,
  PageUpdatedFrameSchema,
} from '../../gen/platform/live/v1/server_pb.ts'
import { frameOf, type RoomMessage } from './frames.ts'

/** The page that a frame closes to readers: deleted, archived or a draft again. */
export function closedPage({ event, data }: Pick<RoomMessage, 'event' | 'data'>): string | undefined {
  const id = typeof data['id'] === 'string' ? data['id'] : undefined
  if (event === frameOf(PageDeletedFrameSchema).event) return id
  if (event !== frameOf(PageUpdatedFrameSchema).event) return undefined
  const { status = 'published' } = Object(data['changes']) as { status?: unknown }
  return status === 'published' ? undefined : id
}

/**
 * The page that a frame opens to readers: published, or restored.
 * @param text the frame's JSON
 */
export function openedPage(event: string, text: string): string | undefined {
  const isNew = event === frameOf(PageCreatedFrameSchema).event
  if (!isNew && event !== frameOf(PageUpdatedFrameSchema).event) return undefined
  const { data } = JSON.parse(text) as { data: { id?: string; changes?: { status?: string } } }
  return isNew || data.changes?.status === 'published' ? data.id : undefined
}
