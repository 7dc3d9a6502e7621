import type { Comment } from '../../../gen/platform/news/v1/comments_pb.ts'
import type { Author } from '../../../gen/platform/news/v1/pages_pb.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import type { CommentRow } from '../tables.ts'

/** Nesting levels in a response; deeper replies are listed side by side at this level and name their parent. */
export const deepestReply = 40

const noAuthor: Author = { $typeName: 'platform.news.v1.Author' }

/** A comment message without replies. A deleted comment shows neither its text nor its author. */
export function commentOf(row: CommentRow, author: Author | undefined, hasLiked: boolean): Comment {
  const isDeleted = row.deleted_at !== null
  return {
    $typeName: 'platform.news.v1.Comment',
    id: row.id,
    content: isDeleted ? '' : row.content,
    pageId: row.page_id,
    member: isDeleted ? noAuthor : author,
    likeCount: isDeleted ? 0 : row.like_count,
    replies: [],
    createdAt: timestamp(row.created_at),
    parentId: row.parent_id ?? undefined,
    isEdited: !isDeleted && row.is_edited === 1,
    editedAt: isDeleted ? undefined : timestamp(row.edited_at),
    hasLiked: !isDeleted && hasLiked,
    isDeleted,
    memberId: isDeleted ? undefined : row.member_id,
    workspaceId: row.workspace_id,
  }
}

/** Limits of the comments in one answer, which must fit into a message. */
const [maxShown, maxBytes] = [10_000, 6_000_000]
/** What a comment has beside its text and its author. */
const overheadBytes = 300

/** The position of a comment in the tree, and the size of its text. */
export type OutlineRow = Pick<CommentRow, 'id' | 'parent_id' | 'member_id' | 'deleted_at'> & { bytes: number }

function shapeOf(outline: OutlineRow[]) {
  const visibleIds = keptOf(outline)
  const repliesTo = Map.groupBy(
    outline.filter(place => visibleIds.has(place.id)),
    place => place.parent_id,
  )
  return { repliesTo, top: repliesTo.get(null) ?? [] }
}

/** Number of top-level comments that are shown. */
export const topCount = (outline: OutlineRow[]): number => shapeOf(outline).top.length

/**
 * Ids of the top-level comments of a page of the list, with their replies, as many as an answer holds: the latest levels
 * are left out first. A deleted comment is shown while it has a live reply.
 */
export function shownOf(
  outline: OutlineRow[],
  { offset, limit }: Paging,
  bytesOf: (row: OutlineRow) => number,
): string[] {
  const { repliesTo, top } = shapeOf(outline)
  const shownIds = top.slice(offset, offset + limit).map(place => place.id)
  // `shown` grows during the loop, so replies of replies follow.
  for (const id of shownIds) for (const reply of repliesTo.get(id) ?? []) shownIds.push(reply.id)
  const rowById = new Map(outline.map(row => [row.id, row]))
  let bytes = 0
  const isFull = (id: string, index: number): boolean => {
    const row = rowById.get(id)
    bytes += overheadBytes + (row ? bytesOf(row) : 0)
    return bytes > maxBytes || index === maxShown
  }
  const end = shownIds.findIndex(isFull)
  return end < 0 ? shownIds : shownIds.slice(0, end)
}

/** The size of an author in an answer, which every comment repeats. */
export const bytesOfAuthor = ({ firstName = '', lastName = '', photoUrl = '' }: Partial<Author> = {}): number =>
  Buffer.byteLength(`${firstName}${lastName}${photoUrl}`)

/** Builds the comment trees of one page, oldest first. The parent of each row must be among the rows. */
export function commentTrees(
  rows: CommentRow[],
  authors: ReadonlyMap<string, Author>,
  liked: ReadonlySet<string>,
): Comment[] {
  const repliesTo = Map.groupBy(rows, row => row.parent_id)
  const trees: Comment[] = []
  const pendingRows = (repliesTo.get(null) ?? []).map(row => ({ row, siblings: trees, level: 1 }))
  for (const { row, siblings, level } of pendingRows) {
    const comment = commentOf(row, authors.get(row.member_id), liked.has(row.id))
    siblings.push(comment)
    const repliesPlace = level < deepestReply ? { siblings: comment.replies, level: level + 1 } : { siblings, level }
    for (const reply of repliesTo.get(row.id) ?? []) pendingRows.push({ row: reply, ...repliesPlace })
  }
  return trees
}

/** Ids of the live comments and all their ancestors. */
function keptOf(rows: OutlineRow[]): Set<string> {
  const parents = new Map(rows.map(row => [row.id, row.parent_id]))
  const visibleIds = new Set<string>()
  for (const row of rows) {
    if (row.deleted_at !== null) continue
    for (let id: string | null = row.id; id !== null && !visibleIds.has(id); id = parents.get(id) ?? null)
      visibleIds.add(id)
  }
  return visibleIds
}
