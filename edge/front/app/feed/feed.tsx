import { useHere } from '../platform/here.ts'
import { useLoad } from '../platform/load.ts'
import { Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { plural, texts, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loading, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { ShowMore } from '../ui/pager.tsx'
import { useTitle } from '../ui/title.ts'
import { Card } from './card.tsx'
import { useFeed } from './feed-list.ts'
import { useKeptPlace } from './feed-place.ts'
import { Filters } from './filters.tsx'
import { MustReads } from './must-reads.tsx'

const words = texts({
  en: {
    title: 'News',
    saved: 'Saved pages',
    fresh: (count: number) => plural(count, 'new page', 'new pages'),
    none: 'No news yet',
    noneText: 'As soon as your hotel publishes something, it appears here.',
    noMatch: 'No results',
    noMatchText: 'Try fewer or other words, or another category.',
    allRead: 'You have read everything',
    allReadText: 'New pages appear here as soon as they are published.',
  },
  fr: {
    title: 'Actualités',
    saved: 'Pages enregistrées',
    fresh: (count: number) => plural(count, 'nouvelle page', 'nouvelles pages'),
    none: 'Pas encore d’actualités',
    noneText: 'Dès que votre hôtel publie une page, elle apparaît ici.',
    noMatch: 'Aucun résultat',
    noMatchText: 'Essayez moins de mots, d’autres mots ou une autre catégorie.',
    allRead: 'Vous avez tout lu',
    allReadText: 'Les nouvelles pages apparaîtront ici dès leur publication.',
  },
})

/** The news of the workspace. */
export function Feed() {
  const t = useTexts(words)
  useTitle(t.title)
  return (
    <>
      <header class="feed-head">
        <h1>{t.title}</h1>
        <Link to="/saved" class="button small">
          <Icon name="bookmark" />
          <span>{t.saved}</span>
        </Link>
      </header>
      <News />
    </>
  )
}

function News() {
  const t = useTexts(words)
  const { memberId, workspace } = useHere()
  const { id: workspaceId } = workspace
  const query = useQuery()
  const filter = {
    search: query.get('q') ?? '',
    categoryId: query.get('category') ?? '',
    isUnread: query.get('unread') === '1',
  }
  const categories = useLoad(`categories/${workspaceId}`, signal =>
    platform.news.listCategories({ workspaceId }, { signal }),
  )
  const feed = useFeed(workspaceId, memberId, filter)
  const { value, error, reload } = feed.list
  useKeptPlace(feed.key, value !== undefined)
  const duties = new Set(value?.duties.map(({ pageId }) => pageId))
  const showFresh = () => {
    scrollTo({ top: 0, behavior: 'smooth' })
    void feed.showFresh()
  }
  return (
    <>
      {value && <MustReads duties={value.duties} />}
      <Filters filter={filter} categories={categories.value?.data.filter(({ isActive }) => isActive) ?? []} />
      <div class="fresh" role="status">
        {feed.freshCount > 0 && (
          <Button look="main" class="small" onClick={showFresh}>
            {t.fresh(feed.freshCount)}
          </Button>
        )}
      </div>
      {error !== undefined && <Problem error={error} onRetry={() => void reload()} />}
      {!value && !error && <Loading />}
      {value?.pages.length === 0 && (
        <Nothing isUnread={filter.isUnread} isNarrow={!!filter.search || !!filter.categoryId} />
      )}
      <ul class="news">
        {value?.pages.map(page => (
          <li key={page.id}>
            <Card page={page} isUnread={!value.read.has(page.id)} isDuty={duties.has(page.id)} />
          </li>
        ))}
      </ul>
      <ShowMore list={feed.more} />
    </>
  )
}

function Nothing({ isUnread, isNarrow }: { isUnread: boolean; isNarrow: boolean }) {
  const t = useTexts(words)
  if (isNarrow)
    return (
      <Empty icon="search" title={t.noMatch}>
        <p>{t.noMatchText}</p>
      </Empty>
    )
  if (isUnread)
    return (
      <Empty icon="check" title={t.allRead}>
        <p>{t.allReadText}</p>
      </Empty>
    )
  return (
    <Empty icon="home" title={t.none}>
      <p>{t.noneText}</p>
    </Empty>
  )
}
