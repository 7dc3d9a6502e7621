import type { PageSummary } from '../../../../gen/client/news.ts'
import { pictureOf } from '../page/media-kinds.ts'
import { Link } from '../platform/router.tsx'
import { dateAndTimeOf, plural, texts, timeAgo, useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useNameOf } from '../ui/people.tsx'
import { categoryText } from './categories.tsx'
import { pageTypes, useTypeNames } from './options.tsx'
import { useRights } from './rights.ts'
import { statusOf, useStatusNames } from './save-state.tsx'

const words = texts({
  en: {
    pinned: 'Pinned',
    publishedAt: (time: string) => `published ${time}`,
    scheduledAt: (time: string) => `will be published ${time}`,
    createdAt: (time: string) => `created ${time}`,
    view: 'view',
    views: 'views',
    figures: (title: string) => `statistics of “${title}”`,
  },
  fr: {
    pinned: 'Épinglée',
    publishedAt: (time: string) => `publiée ${time}`,
    scheduledAt: (time: string) => `sera publiée : ${time}`,
    createdAt: (time: string) => `créée ${time}`,
    view: 'vue',
    views: 'vues',
    figures: (title: string) => `statistiques de « ${title} »`,
  },
})

/** A page in the writers' list. */
export function WriteRow({ page }: { page: PageSummary }) {
  const t = useTexts(words)
  const names = useStatusNames()
  const typeNames = useTypeNames()
  const nameOf = useNameOf()
  const rights = useRights()
  const status = statusOf(page)
  const picture = pictureOf(page.medias)
  const type = pageTypes.find(one => one === page.pageType)
  const when =
    status === 'scheduled' && page.scheduledAt
      ? t.scheduledAt(dateAndTimeOf(page.scheduledAt))
      : page.publishedAt
        ? t.publishedAt(timeAgo(page.publishedAt))
        : t.createdAt(timeAgo(page.createdAt ?? ''))
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
          <Link to={`/write/${page.id}`}>
            <span dir="auto">{page.title}</span>
          </Link>
        </p>
        <p class="row-facts">
          <span class={`tag ${status}`}>{names[status]}</span>
          {page.isPinned && (
            <span class="tag">
              <Icon name="pin" size={14} /> {t.pinned}
            </span>
          )}
          {type && type !== 'article' && <span class="tag">{typeNames[type]}</span>}
          {page.category && <span dir="auto">{categoryText(page.category)}</span>}
          <span>{nameOf(page.createdBy)}</span>
          <span>{when}</span>
        </p>
      </div>
      {rights.analyse && status === 'published' && (
        <Link to={`/write/${page.id}/figures`} class="row-figures" title={t.figures(page.title)}>
          <Icon name="chart" />
          <span>
            {plural(page.viewCount, t.view, t.views)}
            <span class="unseen">: {t.figures(page.title)}</span>
          </span>
        </Link>
      )}
    </li>
  )
}
