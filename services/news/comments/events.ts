import { CommentDeletedSchema } from '../../../gen/platform/events/v1/comment_pb.ts'
import type { Author } from '../../../gen/platform/news/v1/pages_pb.ts'
import { emit } from '../../kernel/bus/events.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { type Occasion, inParts } from '../pages/events.ts'
import type { CommentRow, PageRow, Trx } from '../tables.ts'

/** Who hears of a comment: first on sockets, then, when the page wants it, its author on push and socket. */
export function commentAudience(
  page: Pick<PageRow, 'status' | 'created_by_id' | 'enable_notifications'>,
  commenter: string,
  audience: readonly string[],
  deaf: ReadonlySet<string>,
): { socket: string[]; push: string[] } {
  const hearing = audience.filter(id => !deaf.has(id))
  const author = hearing.filter(id => id === page.created_by_id)
  return {
    // A page that only its author and editors see is not for everybody.
    socket: (page.status === 'published' ? hearing : author).filter(id => id !== commenter),
    // Also of their own comment, which the notification service leaves out (R35).
    push: page.enable_notifications === 1 ? author : [],
  }
}

/** What tells of a comment (document 3, "Graduated notification"; DECISIONS 32, 33). */
export function commentCreated(
  page: PageRow,
  comment: CommentRow,
  author: Author,
  about: Omit<Occasion, 'receiverIds'>,
  audience: { socket: string[]; push: string[] },
) {
  const { id, firstName = '', lastName = '', photoUrl } = author
  const payload = {
    id: comment.id,
    pageId: page.id,
    title: page.title,
    content: comment.content,
    parentId: comment.parent_id ?? undefined,
    member: { id, firstName, lastName, photoUrl },
    createdAt: timestamp(comment.created_at),
  }
  const occurrenceId = newId()
  const told = inParts({ ...about, receiverIds: audience.socket }, ['socket'], occurrenceId)
  if (audience.push.length > 0)
    told.push({ ...about, channels: ['push', 'socket'], occurrenceId, receiverIds: audience.push })
  return told.map(around => ({ payload, around }))
}

/** Tells the room of the page that a comment is gone; nobody is notified of it (DECISIONS 93). */
export async function emitCommentDeleted(
  trx: Trx,
  page: PageRow,
  comment: CommentRow,
  about: Omit<Occasion, 'receiverIds'>,
): Promise<void> {
  const payload = {
    id: comment.id,
    pageId: page.id,
    title: page.title,
    parentId: comment.parent_id ?? undefined,
  }
  await emit(trx, CommentDeletedSchema, payload, { ...about, channels: ['socket'], receiverIds: [] })
}
