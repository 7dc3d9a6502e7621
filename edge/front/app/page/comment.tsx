import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Comment as CommentData } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, fill, numberOf, timeAgo, useTexts } from '../platform/texts.ts'
import { Button, Form } from '../ui/controls.tsx'
import { Problem } from '../ui/feedback.tsx'
import { confirmAction } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'

/** What a reader may do with comments. */
export type CommentRights = { memberId: string; maySend: boolean; mayLike: boolean; mayModerate: boolean }

export type CommentActions = {
  reply: (parentId: string, text: string) => Promise<void>
  edit: (id: string, text: string) => Promise<void>
  remove: (id: string) => Promise<void>
  replaceComment: (id: string, change: (comment: CommentData) => CommentData) => void
}

type CommentProps = { comment: CommentData; rights: CommentRights; actions: CommentActions; depth: number }

/** A comment with its replies. */
export function Comment({ comment, rights, actions, depth }: CommentProps) {
  const t = useTexts('page/comment')
  const nameOf = useNameOf()
  const name = nameOf(comment.member)
  const createdAt = comment.createdAt ?? ''
  return (
    <li class={depth < 3 ? 'comment' : 'comment flat'}>
      <article class="row top" id={`comment-${comment.id}`} aria-label={comment.isDeleted ? t.deleted : name}>
        {comment.isDeleted ? (
          <p class="hint">{t.deleted}</p>
        ) : (
          <>
            <Avatar person={comment.member} size={36} />
            <div class="grow">
              <p class="comment-head">
                <strong dir="auto">{name}</strong>
                <time dateTime={createdAt} title={dateAndTimeOf(createdAt)}>
                  {timeAgo(createdAt)}
                </time>
                {comment.isEdited && <span class="hint">{t.edited}</span>}
              </p>
              <CommentText comment={comment} name={name} rights={rights} actions={actions} />
            </div>
          </>
        )}
      </article>
      {comment.replies.length > 0 && (
        <ul class="comments stack loose" aria-label={fill(t.replies, { name })}>
          {comment.replies.map(reply => (
            <Comment key={reply.id} comment={reply} rights={rights} actions={actions} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  )
}

type CommentTextProps = Omit<CommentProps, 'depth'> & { name: string }

/** A comment's text and what one may do with it. */
function CommentText({ comment, name, rights, actions }: CommentTextProps) {
  const t = useTexts('page/comment')
  const [openForm, setOpenForm] = useState<'reply' | 'edit' | undefined>(undefined)
  const { id, hasLiked, likeCount } = comment
  const isOwn = comment.member?.id === rights.memberId
  const close = () => setOpenForm(undefined)
  const like = useAction(async () => {
    const answer = hasLiked ? await platform.news.unlikeComment({ id }) : await platform.news.likeComment({ id })
    actions.replaceComment(id, one => ({ ...one, likeCount: answer.likeCount, hasLiked: answer.hasLiked }))
  })
  const remove = () =>
    confirmAction({ title: t.deleteTitle, text: t.deleteText, submit: t.delete, isDanger: true }, () =>
      actions.remove(id),
    )
  if (openForm === 'edit') {
    const save = async (text: string) => {
      await actions.edit(id, text)
      close()
    }
    return (
      <CommentForm
        label={t.editing}
        action={t.save}
        text={comment.content}
        isFocused={true}
        onSend={save}
        onCancel={close}
      />
    )
  }
  return (
    <>
      <p class="said" dir="auto">
        {comment.content}
      </p>
      <div class="comment-actions row wrap">
        {rights.mayLike && (
          <button type="button" aria-pressed={hasLiked} onClick={() => void like.run()}>
            <Icon name="heart" size={16} />
            {t.like}
          </button>
        )}
        {likeCount > 0 && (
          <span class="like-count soft" title={fill(t.likes, { count: likeCount })}>
            <span class="unseen">{fill(t.likes, { count: likeCount })}</span>
            <span aria-hidden="true">{numberOf(likeCount)}</span>
          </span>
        )}
        {rights.maySend && (
          <button type="button" onClick={() => setOpenForm('reply')}>
            {t.reply}
          </button>
        )}
        {isOwn && (
          <button type="button" onClick={() => setOpenForm('edit')}>
            {t.edit}
          </button>
        )}
        {(isOwn || rights.mayModerate) && (
          <button type="button" onClick={() => void remove()}>
            {t.delete}
          </button>
        )}
      </div>
      <Problem error={like.error} />
      {openForm === 'reply' && (
        <CommentForm
          label={fill(t.replyTo, { name })}
          action={t.reply}
          isFocused={true}
          onSend={async text => {
            await actions.reply(id, text)
            close()
          }}
          onCancel={close}
        />
      )}
    </>
  )
}

type CommentFormProps = {
  label: string
  action: string
  text?: string
  isFocused?: boolean
  onSend: (text: string) => Promise<void>
  onCancel?: () => void
}

/** A form that writes or edits a comment or reply. Keeps the text when sending fails. */
export function CommentForm({ label, action, text = '', isFocused = false, onSend, onCancel }: CommentFormProps) {
  const t = useTexts('page/comment')
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [value, setValue] = useState(text)
  useEffect(() => {
    if (isFocused) area.current?.focus()
  }, [])
  const send = useAction(async () => {
    await onSend(value.trim())
    setValue('')
  })
  return (
    <Form class="comment-form" onSubmit={() => void (value.trim() && send.run())}>
      <label class="unseen" for={id}>
        {label}
      </label>
      <textarea
        ref={area}
        id={id}
        dir="auto"
        rows={value.includes('\n') || value.length > 60 ? 4 : 2}
        maxLength={10_000}
        placeholder={label}
        value={value}
        onInput={event => setValue(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Escape' && value === text && !event.isComposing) onCancel?.()
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit()
        }}
      />
      <Problem error={send.error} statusTexts={{ 403: t.off }} />
      <div class="actions">
        <Button variant="main" class="small" type="submit" isBusy={send.isRunning} disabled={!value.trim()}>
          {action}
        </Button>
        {onCancel && (
          <Button variant="quiet" class="small" onClick={onCancel}>
            {t.cancel}
          </Button>
        )}
      </div>
    </Form>
  )
}
