import type { Page } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import type { Load } from '../platform/load.ts'
import { offerPushes } from '../platform/push/push.ts'
import { Link } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, locale, timeAgo, useTexts } from '../platform/texts.ts'
import { personZone } from '../platform/zone.ts'
import { Button } from '../ui/controls.tsx'
import { Tag } from '../ui/facts.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { CategoryTag } from './category.tsx'

/** Title, author and time of a page, and what it belongs to. */
export function PageHead({ page }: { page: Page }) {
  const t = useTexts('page/page-head')
  const nameOf = useNameOf()
  const publishedAt = page.publishedAt ?? page.createdAt ?? ''
  return (
    <header class="page-head">
      {page.parent && (
        <p class="soft">
          {t.partOf}{' '}
          <Link to={`/pages/${page.parent.id}`}>
            <span dir="auto">{page.parent.title}</span>
          </Link>
        </p>
      )}
      <p class="tags row wrap">
        {page.isMustRead && !page.userInteractions?.hasAcknowledged && (
          <Tag icon="warning" kind="must" text={t.mustRead} />
        )}
        {page.category && <CategoryTag category={page.category} />}
        {page.isPinned && <Tag icon="pin" text={t.pinned} />}
        {page.status === 'draft' && <span class="tag">{t.draft}</span>}
        {page.status === 'archived' && <span class="tag">{t.archived}</span>}
      </p>
      <h1 dir="auto">{page.title}</h1>
      {page.excerpt && (
        <p class="excerpt" dir="auto">
          {page.excerpt}
        </p>
      )}
      <div class="byline row">
        <Avatar person={page.createdBy} size={40} />
        <div>
          <strong dir="auto">{nameOf(page.createdBy)}</strong>
          <time class="soft" dateTime={publishedAt} title={dateAndTimeOf(publishedAt)}>
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
    <dl class="event-facts stack">
      {eventStartsAt && (
        <div class="row top">
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
        <div class="row top">
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

/** The button at the end of a page that everyone has to acknowledge, or a note once it is acknowledged. */
export function Acknowledgement({ page }: { page: Load<Page> }) {
  const t = useTexts('page/must-read')
  const acknowledge = useAction(async () => {
    if (!page.value) return
    await platform.news.acknowledgePage({ pageId: page.value.id })
    page.change(({ userInteractions, ...rest }) => ({
      ...rest,
      userInteractions: userInteractions && { ...userInteractions, hasAcknowledged: true },
    }))
    notify(t.thanks)
    offerPushes()
  })
  if (page.value?.userInteractions?.hasAcknowledged)
    return (
      <p class="note acknowledged">
        <Icon name="check" />
        {t.done}
      </p>
    )
  return (
    <section class="acknowledge row wrap spread loose" aria-label={t.mustRead}>
      <div>
        <strong>{t.mustRead}</strong>
        <p>{t.text}</p>
      </div>
      <Button variant="main" icon="check" action={acknowledge}>
        {t.act}
      </Button>
      <Problem error={acknowledge.error} />
    </section>
  )
}
