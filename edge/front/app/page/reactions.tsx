import { useCallback, useState } from 'preact/hooks'
import type { ListLikesResponse, Page } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import { missedFrames, useFrames } from '../platform/live.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { useReloadOn } from '../platform/reload.ts'
import { platform } from '../platform/session.ts'
import { fill, numberOf, useTexts } from '../platform/texts.ts'
import { Dialog } from '../ui/dialogs.tsx'
import { Problem } from '../ui/feedback.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'

export const reactionEmojis = { like: '👍', love: '❤️', haha: '😂', wow: '😮', sad: '😢', angry: '😠' } as const
type Reaction = keyof typeof reactionEmojis
const kinds = Object.keys(reactionEmojis) as Reaction[]

/** The reactions to a page: one's own, how many of each kind, and whose. */
export function Reactions({ page }: { page: Load<Page> }) {
  const t = useTexts('page/reactions')
  const id = page.value?.id ?? ''
  const [isOpen, setOpen] = useState(false)
  const likes = useLoad(`likes/${id}`, signal =>
    platform.news.listLikes({ pageId: id, page: 1, limit: 100 }, { signal }),
  )
  const reloadSoon = useReloadOn(missedFrames, likes.reload)
  const reloadOnFrame = useCallback(({ pageId }: { pageId: string }) => pageId === id && reloadSoon(), [id, reloadSoon])
  useFrames('like.created', reloadOnFrame)
  useFrames('like.deleted', reloadOnFrame)
  const ownKind = page.value?.userInteractions?.reactionType ?? undefined
  const react = useAction(async (kind: Reaction) => {
    if (kind === ownKind) await platform.news.deleteLike({ pageId: id })
    else await platform.news.createLike({ body: { pageId: id, reactionType: kind } })
    page.change(current => withReaction(current, kind === ownKind ? null : kind))
    void likes.reload()
  })
  const total = likes.value?.total ?? page.value?.likeCount ?? 0
  return (
    <section class="reactions" aria-label={t.reactions}>
      <div class="reaction-buttons">
        {kinds.map(kind => (
          <button
            key={kind}
            type="button"
            aria-pressed={ownKind === kind}
            aria-label={t.names[kind]}
            title={t.names[kind]}
            onClick={() => void react.run(kind)}
          >
            <span aria-hidden="true">{reactionEmojis[kind]}</span>
            {(likes.value?.breakdown[kind] ?? 0) > 0 && <b>{numberOf(likes.value?.breakdown[kind] ?? 0)}</b>}
          </button>
        ))}
      </div>
      {total > 0 ? (
        <button type="button" class="link" onClick={() => setOpen(true)}>
          {fill(t.count, { count: total })}
        </button>
      ) : (
        <span class="hint">{t.first}</span>
      )}
      <Problem error={react.error} />
      {isOpen && likes.value && (
        <Dialog title={t.who} onClose={() => setOpen(false)}>
          <WhoReacted likes={likes.value} />
        </Dialog>
      )}
    </section>
  )
}

const withReaction = (page: Page, reactionType: Reaction | null): Page =>
  page.userInteractions
    ? { ...page, userInteractions: { ...page.userInteractions, reactionType, hasLiked: reactionType !== null } }
    : page

function WhoReacted({ likes }: { likes: ListLikesResponse }) {
  const t = useTexts('page/reactions')
  const nameOf = useNameOf()
  return (
    <>
      <ul class="people">
        {likes.members.map(({ member, reactionType }, index) => (
          <li key={member?.id ?? index}>
            <Avatar person={member} size={36} />
            <span dir="auto">{nameOf(member)}</span>
            <span role="img" aria-label={t.names[reactionType as Reaction]}>
              {reactionEmojis[reactionType as Reaction]}
            </span>
          </li>
        ))}
      </ul>
      {likes.total > likes.members.length && (
        <p class="hint">{fill(t.others, { count: likes.total - likes.members.length })}</p>
      )}
    </>
  )
}
