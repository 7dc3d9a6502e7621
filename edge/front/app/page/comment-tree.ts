import type { Comment, ListCommentsResponse } from '../../../../gen/client/news.ts'

/** The comment with this id, at any depth. */
function findComment(comments: Comment[], id: string): Comment | undefined {
  for (const comment of comments) {
    const match = comment.id === id ? comment : findComment(comment.replies, id)
    if (match) return match
  }
  return undefined
}

/** The same trees with one comment changed. */
export const changeComment = (comments: Comment[], id: string, change: (comment: Comment) => Comment): Comment[] =>
  comments.map(comment =>
    comment.id === id ? change(comment) : { ...comment, replies: changeComment(comment.replies, id, change) },
  )

/** Adds a comment where it belongs, unless it is there. The list is oldest first. */
export function addComment(list: ListCommentsResponse, comment: Comment): ListCommentsResponse {
  if (findComment(list.data, comment.id)) return list
  const total = list.total + 1
  const { parentId } = comment
  if (parentId === null) return { ...list, total, data: [...list.data, comment] }
  const data = changeComment(list.data, parentId, parent => ({ ...parent, replies: [...parent.replies, comment] }))
  return { ...list, total, data }
}

const noMember = { id: null, firstName: null, lastName: null, photo_url: null }

/** Removes a comment; one with replies keeps its place without its text. */
export function removeComment(list: ListCommentsResponse, id: string): ListCommentsResponse {
  const comment = findComment(list.data, id)
  if (!comment || comment.isDeleted) return list
  const treesWithEmptied = changeComment(list.data, id, one => ({
    ...one,
    content: '',
    memberId: null,
    member: noMember,
    isDeleted: true,
  }))
  return { ...list, total: Math.max(0, list.total - 1), data: withoutEmptyDeleted(treesWithEmptied) }
}

/** Deleted comments without live replies are not shown. */
const withoutEmptyDeleted = (comments: Comment[]): Comment[] =>
  comments
    .map(comment => ({ ...comment, replies: withoutEmptyDeleted(comment.replies) }))
    .filter(comment => !comment.isDeleted || comment.replies.length > 0)
