import { useLayoutEffect } from 'preact/hooks'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loading, Problem } from '../ui/feedback.tsx'
import { ShowMore } from '../ui/pager.tsx'
import { useTitle } from '../ui/title.ts'
import { Aside, useAside } from './aside.tsx'
import { Card } from './card.tsx'
import { useFeed } from './feed-list.ts'
import { Filters } from './filters.tsx'
import { MustReads } from './must-reads.tsx'

/** The news of the workspace. */
export function Feed() {
  const t = useTexts('feed/feed')
  useTitle(t.news)
  return (
    <div class="wide feed">
      <h1 class="unseen">{t.news}</h1>
      <News />
    </div>
  )
}

function News() {
  const t = useTexts('feed/feed')
  const { memberId, workspace } = useMemberContext()
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
  const hasAside = useAside()
  const feed = useFeed(workspaceId, memberId, filter)
  const { value, error, reload } = feed.list
  useScrollPosition(feed.key, value !== undefined)
  const mustReadPageIds = new Set(value?.mustReads.map(({ pageId }) => pageId))
  const showNew = () => {
    scrollTo({ top: 0, behavior: 'smooth' })
    void feed.showNew()
  }
  return (
    <>
      <div>
        {value && !hasAside && <MustReads mustReads={value.mustReads} />}
        <Filters filter={filter} categories={categories.value?.data.filter(({ isActive }) => isActive) ?? []} />
        <div class="new-pages" role="status">
          {feed.newCount > 0 && (
            <Button variant="main" class="small" onClick={showNew}>
              {fill(t.newPages, { count: feed.newCount })}
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
              <Card page={page} isUnread={feed.isUnread(page.id)} isDuty={mustReadPageIds.has(page.id)} />
            </li>
          ))}
        </ul>
        <ShowMore list={feed.more} />
      </div>
      {value && hasAside && <Aside mustReads={value.mustReads} />}
    </>
  )
}

function Nothing({ isUnread, isNarrow }: { isUnread: boolean; isNarrow: boolean }) {
  const t = useTexts('feed/feed')
  const { may } = useMemberContext()
  if (isNarrow)
    return (
      <Empty icon="search" title={t.noResults}>
        <p>{t.noMatchText}</p>
        <Button onClick={() => changeQuery({ q: '', category: '', unread: '' })}>{t.showAll}</Button>
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
      {may('create_content') && (
        <Link to="/write/new" class="button main">
          {t.writeFirst}
        </Link>
      )}
    </Empty>
  )
}

/** How far a list was scrolled, by its key. */
const scrollByList = new Map<string, number>()

/** Returns to where a list was left, once it is shown. */
function useScrollPosition(key: string, isShown: boolean): void {
  useLayoutEffect(() => {
    if (!isShown) return
    const top = scrollByList.get(key)
    if (top !== undefined) scrollTo(0, top)
    const savePosition = () => void scrollByList.set(key, scrollY)
    addEventListener('scroll', savePosition, { passive: true })
    return () => removeEventListener('scroll', savePosition)
  }, [key, isShown])
}
