import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageSummary } from '../../../../gen/client/news.ts'
import { CategoryTag, isColour } from '../page/category.tsx'
import { pictureOf } from '../page/medias.tsx'
import { srcSetOf } from '../page/pictures.ts'
import { useFrames, useRoom } from '../platform/live.ts'
import { Link } from '../platform/router.tsx'
import { dateAndTimeOf, fill, numberOf, timeAgo, useTexts } from '../platform/texts.ts'
import { Tag } from '../ui/facts.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'

type CardProps = { page: PageSummary; isUnread?: boolean; isDuty?: boolean }

/** A page in a list. */
export function NewsCard({ page, isUnread = false, isDuty = false }: CardProps) {
  const t = useTexts('feed/card')
  const nameOf = useNameOf()
  const picture = pictureOf(page.medias)
  const publishedAt = page.publishedAt ?? page.createdAt ?? ''
  return (
    <article
      class={isUnread ? 'news-card box unread' : 'news-card box'}
      style={isColour(page.category?.color) ? { '--category': page.category.color } : {}}
    >
      {picture && (
        <img
          class="news-picture"
          src={picture}
          srcSet={srcSetOf(picture)}
          sizes="(min-width: 40rem) 13rem, 100vw"
          alt=""
          loading="lazy"
        />
      )}
      <div class="news-text">
        <p class="tags row wrap">
          {isUnread && <span class="tag new">{t.unread}</span>}
          {isDuty && <Tag icon="warning" kind="must" text={t.mustRead} />}
          {page.category && <CategoryTag category={page.category} />}
          {page.pageType === 'event' && <Tag icon="calendar" text={t.event} />}
          {page.pageType === 'poll' && <Tag icon="chart" text={t.poll} />}
          {page.isPinned && <Tag icon="pin" text={t.pinned} />}
        </p>
        <h2 dir="auto">
          <Link to={`/pages/${page.id}`} class="cover">
            {page.title}
          </Link>
        </h2>
        {page.excerpt && (
          <p class="news-excerpt" dir="auto">
            {page.excerpt}
          </p>
        )}
        <footer class="row wrap soft">
          <Avatar person={page.createdBy} size={28} />
          <span class="news-author cut" dir="auto">
            {nameOf(page.createdBy)}
          </span>
          <time dateTime={publishedAt} title={dateAndTimeOf(publishedAt)}>
            {timeAgo(publishedAt)}
          </time>
          <Counts page={page} />
        </footer>
      </div>
    </article>
  )
}

/** How long a card must be in view before its page's room is joined, in ms, so that scrolling past joins nothing. */
const pauseMs = 700

/** The counts of a page, which follow what others do while the card is in view. */
function Counts({ page }: { page: PageSummary }) {
  const t = useTexts('feed/card')
  const element = useRef<HTMLSpanElement>(null)
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer)
      if (entry?.isIntersecting) timer = setTimeout(() => setInView(true), pauseMs)
      else setInView(false)
    })
    if (element.current) observer.observe(element.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [])
  const [additions, setAdditions] = useState({ of: page, likes: 0, comments: 0 })
  const { likes, comments } = additions.of === page ? additions : { likes: 0, comments: 0 }
  const add: AddToCount = (name, by) =>
    setAdditions(before => {
      const counts = before.of === page ? before : { of: page, likes: 0, comments: 0 }
      return { ...counts, [name]: counts[name] + by }
    })
  return (
    <span class="counts loose push" ref={element}>
      {isInView && <CountChanges pageId={page.id} add={add} />}
      <Count icon="heart" count={page.likeCount + likes} text={fill(t.reactions, { count: page.likeCount + likes })} />
      <Count
        icon="comment"
        count={page.commentCount + comments}
        text={fill(t.comments, { count: page.commentCount + comments })}
      />
      <Count icon="eye" count={page.viewCount} text={fill(t.views, { count: page.viewCount })} />
    </span>
  )
}

const Count = ({ icon, count, text }: { icon: IconName; count: number; text: string }) =>
  count > 0 ? (
    <span class="inline-row" title={text}>
      <Icon name={icon} size={16} />
      <span aria-hidden="true">{numberOf(count)}</span>
      <span class="unseen">{text}</span>
    </span>
  ) : null

type AddToCount = (name: 'likes' | 'comments', by: number) => void
type Frame = { pageId: string; replaced?: boolean; repeated?: boolean }

/** Adds the changes that frames report while the page's room is joined. */
function CountChanges({ pageId, add }: { pageId: string; add: AddToCount }) {
  useRoom('joinPage', pageId)
  const isHere = (frame: Frame) => frame.pageId === pageId && !frame.replaced && !frame.repeated
  useFrames('like.created', (frame: Frame) => isHere(frame) && add('likes', 1))
  useFrames('like.deleted', (frame: Frame) => isHere(frame) && add('likes', -1))
  useFrames('comment.created', (frame: Frame) => isHere(frame) && add('comments', 1))
  useFrames('comment.deleted', (frame: Frame) => isHere(frame) && add('comments', -1))
  return null
}
