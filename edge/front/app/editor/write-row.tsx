import type { ComponentChildren } from 'preact'
import type { PageSummary } from '../../../../gen/client/news.ts'
import { pictureOf } from '../page/medias.tsx'
import { useRights } from '../page/page-rights.ts'
import { Link } from '../platform/router.tsx'
import { dateAndTimeOf, fill, timeAgo, useTexts } from '../platform/texts.ts'
import { Tag } from '../ui/facts.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useNameOf } from '../ui/people.tsx'
import { categoryText } from './categories.tsx'
import { statusOf } from './save-state.tsx'

type RowProps = {
  /** In place of a picture. */
  icon?: IconName
  picture?: ComponentChildren
  title: ComponentChildren
  facts: ComponentChildren
  children?: ComponentChildren
}

/** A row of the writers' lists: a picture or icon, the title with its facts, and actions. */
export const Row = ({ icon = 'file', picture, title, facts, children }: RowProps) => (
  <li class="write-row">
    {picture || (
      <span class="row-icon">
        <Icon name={icon} />
      </span>
    )}
    <div class="grow">
      <p class="row-title" dir="auto">
        {title}
      </p>
      <p class="row-facts row wrap soft">{facts}</p>
    </div>
    {children}
  </li>
)

/** A page in the writers' list. */
export function WriteRow({ page }: { page: PageSummary }) {
  const t = useTexts('editor/write-row')
  const statusNames = useTexts('editor/save-state').statuses
  const typeNames = useTexts('editor/options').types
  const nameOf = useNameOf()
  const rights = useRights()
  const status = statusOf(page)
  const picture = pictureOf(page.medias)
  const timeText =
    status === 'scheduled' && page.scheduledAt
      ? fill(t.scheduledAt, { time: dateAndTimeOf(page.scheduledAt) })
      : page.publishedAt
        ? fill(t.publishedAt, { time: timeAgo(page.publishedAt) })
        : fill(t.createdAt, { time: timeAgo(page.createdAt ?? '') })
  return (
    <Row
      icon={page.pageType === 'event' ? 'clock' : page.pageType === 'poll' ? 'chart' : 'file'}
      picture={picture && <img src={picture} alt="" loading="lazy" />}
      title={
        <Link to={`/write/${page.id}`} class="cover">
          {page.title}
        </Link>
      }
      facts={
        <>
          <span class={`tag ${status}`}>{statusNames[status]}</span>
          {page.isPinned && <Tag icon="pin" text={t.pinned} />}
          {page.pageType !== 'article' && <span class="tag">{typeNames[page.pageType] ?? page.pageType}</span>}
          {page.category && <span dir="auto">{categoryText(page.category)}</span>}
          <span>{nameOf(page.createdBy)}</span>
          <span>{timeText}</span>
        </>
      }
    >
      {rights.analyse && status === 'published' && (
        <Link
          to={`/write/${page.id}/figures`}
          class="row-figures inline-row"
          title={fill(t.figures, { title: page.title })}
        >
          <Icon name="chart" />
          <span>
            {fill(t.views, { count: page.viewCount })}
            <span class="unseen">: {fill(t.figures, { title: page.title })}</span>
          </span>
        </Link>
      )}
    </Row>
  )
}
