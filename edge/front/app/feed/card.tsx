import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { PageSummary } from '../../../../gen/client/news.ts'
import { CategoryTag, isColour } from '../page/category.tsx'
import { pictureOf, srcSetOf } from '../page/media-kinds.ts'
import { useFrames, useRoom } from '../platform/live.ts'
import { Link } from '../platform/router.tsx'
import { dateAndTimeOf, fill, numberOf, timeAgo, useTexts } from '../platform/texts.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'

type CardProps = { page: PageSummary; isUnread?: boolean; isDuty?: boolean }

/** A page in a list. */
export function Card({ page, isUnread = false, isDuty = false }: CardProps) {
  const t = useTexts('feed/card')
  const nameOf = useNameOf()
  const picture = pictureOf(page.medias)
  const publishedAt = page.publishedAt ?? page.createdAt ?? ''
  return (
    <article
      class={isUnread ? 'news-card unread' : 'news-card'}
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
        <p class="tags">
          {isUnread && <span class="tag new">{t.unread}</span>}
          {isDuty && (
            <span class="tag must">
              <Icon name="warning" size={14} />
              {t.mustRead}
            </span>
          )}
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
        <footer>
          <Avatar person={page.createdBy} size={28} />
          <span class="news-author" dir="auto">
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

const Tag = ({ icon, text }: { icon: IconName; text: string }) => (
  <span class="tag">
    <Icon name={icon} size={14} />
    {text}
  </span>
)

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
  const add = useCallback(
    (name: 'likes' | 'comments', by: number) =>
      setAdditions(before => {
        const counts = before.of === page ? before : { of: page, likes: 0, comments: 0 }
        return { ...counts, [name]: counts[name] + by }
      }),
    [page],
  )
  return (
    <span class="counts" ref={element}>
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
    <span title={text}>
      <Icon name={icon} size={16} />
      <span aria-hidden="true">{numberOf(count)}</span>
      <span class="unseen">{text}</span>
    </span>
  ) : null

type Frame = { pageId: string; replaced?: boolean; repeated?: boolean }

/** Adds the changes that frames report while the page's room is joined. */
function CountChanges({ pageId, add }: { pageId: string; add: (name: 'likes' | 'comments', by: number) => void }) {
  useRoom('joinPage', pageId)
  const countLike = (frame: Frame) => frame.pageId === pageId && !frame.replaced && !frame.repeated && add('likes', 1)
  const uncountLike = (frame: Frame) => frame.pageId === pageId && add('likes', -1)
  const countComment = (frame: Frame) => frame.pageId === pageId && add('comments', 1)
  const uncountComment = (frame: Frame) => frame.pageId === pageId && add('comments', -1)
  useFrames('like.created', useCallback(countLike, [pageId, add]))
  useFrames('like.deleted', useCallback(uncountLike, [pageId, add]))
  useFrames('comment.created', useCallback(countComment, [pageId, add]))
  useFrames('comment.deleted', useCallback(uncountComment, [pageId, add]))
  return null
}
