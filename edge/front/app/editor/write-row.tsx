import type { PageSummary } from '../../../../gen/client/news.ts'
import { pictureOf } from '../page/media-kinds.ts'
import { Link } from '../platform/router.tsx'
import { dateAndTimeOf, fill, timeAgo, useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useNameOf } from '../ui/people.tsx'
import { categoryText } from './categories.tsx'
import { pageTypes } from './options.tsx'
import { useRights } from './rights.ts'
import { statusOf } from './save-state.tsx'

/** A page in the writers' list. */
export function WriteRow({ page }: { page: PageSummary }) {
  const t = useTexts('editor/write-row')
  const statusNames = useTexts('editor/save-state').statuses
  const typeNames = useTexts('editor/options').types
  const nameOf = useNameOf()
  const rights = useRights()
  const status = statusOf(page)
  const picture = pictureOf(page.medias)
  const type = pageTypes.find(one => one === page.pageType)
  const timeText =
    status === 'scheduled' && page.scheduledAt
      ? fill(t.scheduledAt, { time: dateAndTimeOf(page.scheduledAt) })
      : page.publishedAt
        ? fill(t.publishedAt, { time: timeAgo(page.publishedAt) })
        : fill(t.createdAt, { time: timeAgo(page.createdAt ?? '') })
  return (
    <li class="write-row">
      {picture ? (
        <img src={picture} alt="" loading="lazy" />
      ) : (
        <span class="row-icon">
          <Icon name={page.pageType === 'event' ? 'clock' : page.pageType === 'poll' ? 'chart' : 'file'} />
        </span>
      )}
      <div>
        <p class="row-title">
          <Link to={`/write/${page.id}`} class="cover">
            <span dir="auto">{page.title}</span>
          </Link>
        </p>
        <p class="row-facts">
          <span class={`tag ${status}`}>{statusNames[status]}</span>
          {page.isPinned && (
            <span class="tag">
              <Icon name="pin" size={14} /> {t.pinned}
            </span>
          )}
          {type && type !== 'article' && <span class="tag">{typeNames[type]}</span>}
          {page.category && <span dir="auto">{categoryText(page.category)}</span>}
          <span>{nameOf(page.createdBy)}</span>
          <span>{timeText}</span>
        </p>
      </div>
      {rights.analyse && status === 'published' && (
        <Link to={`/write/${page.id}/figures`} class="row-figures" title={fill(t.figures, { title: page.title })}>
          <Icon name="chart" />
          <span>
            {fill(t.views, { count: page.viewCount })}
            <span class="unseen">: {fill(t.figures, { title: page.title })}</span>
          </span>
        </Link>
      )}
    </li>
  )
}
