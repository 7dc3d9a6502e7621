import type { Comment as CommentData, ListCommentsResponse, Page } from '../../../../gen/client/news.ts'
import { useFrames, useReload } from '../platform/live.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Problem } from '../ui/feedback.tsx'
import { Comment, type CommentActions, CommentForm, type CommentRights } from './comment.tsx'

type CommentFrame = Pick<CommentData, 'id' | 'pageId' | 'content' | 'parentId' | 'member' | 'createdAt'>

/** The comments of a page, updated live. */
export function Comments({ page }: { page: Page }) {
  const t = useTexts('page/comments')
  const { may, memberId } = useMemberContext()
  const { id, workspaceId } = page
  const comments = useLoad(`comments/${id}`, signal => platform.news.listComments({ pageId: id }, { signal }))
  const { change, reload } = comments
  useReload(reload)
  useFrames(
    'comment.created',
    (frame: CommentFrame) => frame.pageId === id && change(list => addComment(list, newComment(workspaceId, frame))),
  )
  useFrames(
    'comment.deleted',
    (frame: { id: string; pageId: string }) => frame.pageId === id && change(list => removeComment(list, frame.id)),
  )
  const send = async (content: string, parentId: string | null) => {
    const comment = await platform.news.createComment({ body: { pageId: id, content, parentId } })
    change(list => addComment(list, comment))
  }
  const replaceComment: CommentActions['replaceComment'] = (commentId, next) =>
    change(list => ({ ...list, data: changeComment(list.data, commentId, next) }))
  const actions: CommentActions = {
    replaceComment,
    reply: (parentId, text) => send(text, parentId),
    async edit(commentId, content) {
      const after = await platform.news.updateComment({ id: commentId, body: { content } })
      replaceComment(commentId, ({ replies }) => ({ ...after, replies }))
    },
    async remove(commentId) {
      await platform.news.deleteComment({ id: commentId })
      change(list => removeComment(list, commentId))
    },
  }
  const rights: CommentRights = {
    memberId,
    maySend: page.enableComments,
    mayLike: page.enableLikes,
    mayModerate: may('moderate_comments'),
  }
  const list = comments.value
  if (!page.enableComments && list?.total === 0) return <p class="hint">{t.off}</p>
  return (
    <section class="comment-section" aria-labelledby="comments-title">
      <h2 id="comments-title">{fill(t.title, { count: list?.total ?? page.commentCount })}</h2>
      {page.enableComments ? (
        <CommentForm label={t.write} action={t.send} onSend={text => send(text, null)} />
      ) : (
        <p class="hint">{t.off}</p>
      )}
      {comments.error !== undefined && <Problem error={comments.error} onRetry={() => void reload()} />}
      <ul class="comments stack loose">
        {list?.data.map(comment => (
          <Comment key={comment.id} comment={comment} rights={rights} actions={actions} depth={0} />
        ))}
      </ul>
    </section>
  )
}

const newComment = (workspaceId: string, frame: CommentFrame): CommentData => ({
  ...frame,
  workspaceId,
  memberId: frame.member?.id ?? null,
  parentId: frame.parentId ?? null,
  likeCount: 0,
  replies: [],
  isEdited: false,
  editedAt: null,
  hasLiked: false,
  isDeleted: false,
})

/** The comment with this id, at any depth. */
function findComment(comments: CommentData[], id: string): CommentData | undefined {
  for (const comment of comments) {
    const match = comment.id === id ? comment : findComment(comment.replies, id)
    if (match) return match
  }
  return undefined
}

/** The same trees with one comment changed. */
const changeComment = (
  comments: CommentData[],
  id: string,
  change: (comment: CommentData) => CommentData,
): CommentData[] =>
  comments.map(comment =>
    comment.id === id ? change(comment) : { ...comment, replies: changeComment(comment.replies, id, change) },
  )

/** Adds a comment where it belongs, unless it is there. The list is oldest first. */
function addComment(list: ListCommentsResponse, comment: CommentData): ListCommentsResponse {
  if (findComment(list.data, comment.id)) return list
  const total = list.total + 1
  const { parentId } = comment
  if (parentId === null) return { ...list, total, data: [...list.data, comment] }
  const data = changeComment(list.data, parentId, parent => ({ ...parent, replies: [...parent.replies, comment] }))
  return { ...list, total, data }
}

const noMember = { id: null, firstName: null, lastName: null, photo_url: null }

/** Removes a comment; one with replies keeps its place without its text. */
function removeComment(list: ListCommentsResponse, id: string): ListCommentsResponse {
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
const withoutEmptyDeleted = (comments: CommentData[]): CommentData[] =>
  comments
    .map(comment => ({ ...comment, replies: withoutEmptyDeleted(comment.replies) }))
    .filter(comment => !comment.isDeleted || comment.replies.length > 0)
