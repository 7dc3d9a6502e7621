import type { Page } from '../../../../gen/client/news.ts'
import { Link } from '../platform/router.tsx'
import { dateAndTimeOf, locale, timeAgo, useTexts } from '../platform/texts.ts'
import { personZone } from '../platform/zone.ts'
import { Icon } from '../ui/icon.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { CategoryTag } from './category.tsx'
import { MustReadTag } from './must-read.tsx'

/** Title, author and time of a page, and what it belongs to. */
export function PageHead({ page }: { page: Page }) {
  const t = useTexts('page/page-head')
  const nameOf = useNameOf()
  const publishedAt = page.publishedAt ?? page.createdAt ?? ''
  return (
    <header class="page-head">
      {page.parent && (
        <p class="part-of">
          {t.partOf}{' '}
          <Link to={`/pages/${page.parent.id}`}>
            <span dir="auto">{page.parent.title}</span>
          </Link>
        </p>
      )}
      <p class="tags">
        {page.isMustRead && !page.userInteractions?.hasAcknowledged && <MustReadTag />}
        {page.category && <CategoryTag category={page.category} />}
        {page.isPinned && (
          <span class="tag">
            <Icon name="pin" size={14} />
            {t.pinned}
          </span>
        )}
        {page.status === 'draft' && <span class="tag">{t.draft}</span>}
        {page.status === 'archived' && <span class="tag">{t.archived}</span>}
      </p>
      <h1 dir="auto">{page.title}</h1>
      {page.excerpt && (
        <p class="excerpt" dir="auto">
          {page.excerpt}
        </p>
      )}
      <div class="byline">
        <Avatar person={page.createdBy} size={40} />
        <div>
          <strong dir="auto">{nameOf(page.createdBy)}</strong>
          <time dateTime={publishedAt} title={dateAndTimeOf(publishedAt)}>
            {timeAgo(publishedAt)}
          </time>
        </div>
      </div>
    </header>
  )
}

/** When and where the event of a page takes place. */
export function EventFacts({ page }: { page: Pick<Page, 'eventStartsAt' | 'eventEndsAt' | 'eventLocation'> }) {
  const t = useTexts('page/page-head')
  const { eventStartsAt, eventEndsAt, eventLocation } = page
  if (!eventStartsAt && !eventLocation) return null
  const format = new Intl.DateTimeFormat(locale(), {
    timeZone: personZone(),
    dateStyle: 'full',
    timeStyle: 'short',
  })
  return (
    <dl class="event-facts">
      {eventStartsAt && (
        <div>
          <dt>
            <Icon name="calendar" />
            <span class="unseen">{t.when}</span>
          </dt>
          <dd>
            {eventEndsAt
              ? format.formatRange(new Date(eventStartsAt), new Date(eventEndsAt))
              : format.format(new Date(eventStartsAt))}
          </dd>
        </div>
      )}
      {eventLocation && (
        <div>
          <dt>
            <Icon name="place" />
            <span class="unseen">{t.where}</span>
          </dt>
          <dd dir="auto">{eventLocation}</dd>
        </div>
      )}
    </dl>
  )
}
