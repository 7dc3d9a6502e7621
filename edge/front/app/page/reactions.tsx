import type { ListLikesResponse, Page } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import { useFrames, useReload } from '../platform/live.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { fill, numberOf, useTexts } from '../platform/texts.ts'
import { Dialog, openDialog } from '../ui/dialogs.tsx'
import { Problem } from '../ui/feedback.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'

export const reactionEmojis = { like: '👍', love: '❤️', haha: '😂', wow: '😮', sad: '😢', angry: '😠' } as const
type Reaction = keyof typeof reactionEmojis
const kinds = Object.keys(reactionEmojis) as Reaction[]

/** The reactions to a page: one's own, how many of each kind, and whose. */
export function Reactions({ page }: { page: Load<Page> }) {
  const t = useTexts('page/reactions')
  const id = page.value?.id ?? ''
  const likes = useLoad(`likes/${id}`, signal =>
    platform.news.listLikes({ pageId: id, page: 1, limit: 100 }, { signal }),
  )
  const reloadSoon = useReload(likes.reload)
  const reloadOnFrame = ({ pageId }: { pageId: string }) => pageId === id && reloadSoon()
  useFrames('like.created', reloadOnFrame)
  useFrames('like.deleted', reloadOnFrame)
  const ownKind = page.value?.userInteractions?.reactionType ?? undefined
  const react = useAction(async (kind: Reaction) => {
    if (kind === ownKind) await platform.news.deleteLike({ pageId: id })
    else await platform.news.createLike({ body: { pageId: id, reactionType: kind } })
    page.change(current => withReaction(current, kind === ownKind ? null : kind))
    void likes.reload()
  })
  const showWho = () => {
    const { value } = likes
    if (value) openDialog(close => <WhoReacted likes={value} onClose={close} />)
  }
  const total = likes.value?.total ?? page.value?.likeCount ?? 0
  return (
    <section class="reactions" aria-label={t.reactions}>
      <div class="reaction-buttons">
        {kinds.map(kind => (
          <button
            key={kind}
            type="button"
            class="lights"
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
        <button type="button" class="link soft" onClick={showWho}>
          {fill(t.count, { count: total })}
        </button>
      ) : (
        <span class="hint">{t.first}</span>
      )}
      <Problem error={react.error} />
    </section>
  )
}

const withReaction = (page: Page, reactionType: Reaction | null): Page =>
  page.userInteractions
    ? { ...page, userInteractions: { ...page.userInteractions, reactionType, hasLiked: reactionType !== null } }
    : page

function WhoReacted({ likes, onClose }: { likes: ListLikesResponse; onClose: () => void }) {
  const t = useTexts('page/reactions')
  const nameOf = useNameOf()
  return (
    <Dialog title={t.who} onClose={onClose}>
      <ul class="people stack">
        {likes.members.map(({ member, reactionType }, index) => (
          <li key={member?.id ?? index} class="row">
            <Avatar person={member} size={36} />
            <span dir="auto">{nameOf(member)}</span>
            <span class="push" role="img" aria-label={t.names[reactionType]}>
              {reactionEmojis[reactionType]}
            </span>
          </li>
        ))}
      </ul>
      {likes.total > likes.members.length && (
        <p class="hint">{fill(t.others, { count: likes.total - likes.members.length })}</p>
      )}
    </Dialog>
  )
}
