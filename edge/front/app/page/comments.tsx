import { useCallback } from 'preact/hooks'
import type { Comment as CommentData, Page } from '../../../../gen/client/news.ts'
import { missedFrames, useFrames } from '../platform/live.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { useReloadOn } from '../platform/reload.ts'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Problem } from '../ui/feedback.tsx'
import { Comment, type CommentActions, type CommentRights } from './comment.tsx'
import { CommentForm } from './comment-form.tsx'
import { addComment, changeComment, removeComment } from './comment-tree.ts'

type CommentFrame = Pick<CommentData, 'id' | 'pageId' | 'content' | 'parentId' | 'member' | 'createdAt'>

/** The comments of a page, updated live. */
export function Comments({ page }: { page: Page }) {
  const t = useTexts('page/comments')
  const { may, memberId } = useMemberContext()
  const { id, workspaceId } = page
  const comments = useLoad(`comments/${id}`, signal => platform.news.listComments({ pageId: id }, { signal }))
  const { change, reload } = comments
  useReloadOn(missedFrames, reload)
  useFrames(
    'comment.created',
    useCallback(
      (frame: CommentFrame) => frame.pageId === id && change(list => addComment(list, newComment(workspaceId, frame))),
      [id, workspaceId, change],
    ),
  )
  useFrames(
    'comment.deleted',
    useCallback(
      (frame: { id: string; pageId: string }) => frame.pageId === id && change(list => removeComment(list, frame.id)),
      [id, change],
    ),
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
      {list?.data.length === 0 && page.enableComments && <p class="hint">{t.none}</p>}
      <ul class="comments">
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
