import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Category, MustRead, PageSummary } from '../../../../gen/client/news.ts'
import { CategoryMark } from '../page/category.tsx'
import { useFrames, useReload } from '../platform/live.ts'
import {
  allRows,
  firstParts,
  inHundreds,
  type Load,
  shownPartCount,
  storeAnswer,
  useLoad,
  useShowMore,
  withoutBlanks,
} from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { useTitle } from '../ui/page.tsx'
import { ShowMore } from '../ui/table.tsx'
import { Aside, MustReads, useAside } from './aside.tsx'
import { NewsCard } from './card.tsx'

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
  const { q: search, category: categoryId, unread } = useQuery('q', 'category', 'unread')
  const filter = { search, categoryId, isUnread: unread === '1' }
  const categories = useLoad(`categories/${workspaceId}`, signal =>
    platform.news.listCategories({ workspaceId }, { signal }),
  )
  const hasAside = useAside()
  const feed = useFeed(workspaceId, memberId, filter)
  const { value } = feed.list
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
        <Loaded load={feed.list}>
          {({ pages }) =>
            pages.length === 0 ? (
              <Nothing isUnread={filter.isUnread} isNarrow={!!filter.search || !!filter.categoryId} />
            ) : (
              <ul class="news stack loose">
                {pages.map(page => (
                  <li key={page.id}>
                    <NewsCard page={page} isUnread={feed.isUnread(page.id)} isDuty={mustReadPageIds.has(page.id)} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
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
      <Empty icon="search" title={t.noResults} text={t.noMatchText}>
        <Button onClick={() => changeQuery({ q: '', category: '', unread: '' })}>{t.showAll}</Button>
      </Empty>
    )
  if (isUnread) return <Empty icon="check" title={t.allRead} text={t.allReadText} />
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

/** Filters of the news, kept in the address. */
function Filters({ filter, categories }: { filter: FeedFilter; categories: Category[] }) {
  const t = useTexts('feed/filters')
  const { categoryId, isUnread } = filter
  return (
    <div class="news-filters row tight">
      <div class="chips tight grow" role="group" aria-label={t.filters}>
        <Chip isOn={!categoryId && !isUnread} text={t.all} onPick={() => changeQuery({ category: '', unread: '' })} />
        <Chip isOn={isUnread} text={t.unread} onPick={() => changeQuery({ unread: isUnread ? '' : '1' })} />
        {categories.map(({ id, name, icon, color }) => (
          <Chip
            key={id}
            isOn={categoryId === id}
            text={name}
            onPick={() => changeQuery({ category: categoryId === id ? '' : id })}
          >
            <CategoryMark icon={icon} color={color} />
          </Chip>
        ))}
      </div>
      <Link to="/saved" class="icon-button" aria-label={t.saved} title={t.saved}>
        <Icon name="bookmark" />
      </Link>
    </div>
  )
}

type ChipProps = { isOn: boolean; text: string; onPick: () => void; children?: preact.ComponentChildren }

const Chip = ({ isOn, text, onPick, children }: ChipProps) => (
  <button type="button" class="chip inline-row" aria-pressed={isOn} onClick={onPick}>
    {children}
    <span dir="auto">{text}</span>
  </button>
)

/** Which pages of the news are shown. */
type FeedFilter = { search: string; categoryId: string; isUnread: boolean }

const isFiltered = ({ search, categoryId, isUnread }: FeedFilter): boolean =>
  search !== '' || categoryId !== '' || isUnread

type FeedList = {
  pages: PageSummary[]
  hasMore: boolean
  /** The pages that the person still has to acknowledge. */
  mustReads: MustRead[]
}

const perPage = 20

/** The newest pages, pinned ones first, with what the person hasn't read or acknowledged. */
async function loadFeed(
  workspaceId: string,
  filter: FeedFilter,
  count: number,
  signal: AbortSignal,
): Promise<FeedList> {
  const { search, categoryId, isUnread } = filter
  const query = {
    workspaceId,
    limit: perPage,
    status: 'published' as const,
    ...withoutBlanks({ search, categoryId, unread: isUnread }),
  }
  const [{ rows, hasMore }, pins, mustReads] = await Promise.all([
    firstParts(count, page => platform.news.listPages({ ...query, page }, { signal })),
    isFiltered(filter) ? undefined : platform.news.listPins({ workspaceId }, { signal }),
    allRows(page => platform.news.listMustReads({ workspaceId, page, limit: 100 }, { signal })),
  ])
  const pinnedPages = (pins?.data ?? []).flatMap(({ page }) => (page && page.status === 'published' ? [page] : []))
  const pages = [...pinnedPages, ...rows.filter(({ id }) => pinnedPages.every(page => page.id !== id))]
  return { pages, hasMore, mustReads }
}

/** Which of these pages the person has opened. */
async function loadReadIds(workspaceId: string, ids: string[], signal: AbortSignal): Promise<Set<string>> {
  const answers = await inHundreds(ids, pageId => platform.news.getViews({ workspaceId, pageId }, { signal }))
  return new Set(answers.flatMap(({ data }) => data.map(({ pageId }) => pageId)))
}

type PageFrame = { id: string; workspaceId: string }
type PublishedFrame = PageFrame & { actor: { id: string } | null }
type ChangeFrame = PageFrame & { title: string; changes?: { status?: string } }

/** The news of a workspace, kept up to date. */
function useFeed(workspaceId: string, memberId: string, filter: FeedFilter) {
  const key = `feed/${workspaceId}/${memberId}/${JSON.stringify(filter)}`
  const list: Load<FeedList> = useLoad(key, signal => loadFeed(workspaceId, filter, shownPartCount(key), signal))
  const { value, reload, change } = list
  useEffect(() => {
    if (value && !isFiltered(filter)) storeAnswer(key)
  }, [key, value])
  const shownIds = value?.pages.map(({ id }) => id) ?? []
  const readIdsKey = filter.isUnread || shownIds.length === 0 ? null : `read/${workspaceId}/${shownIds.join()}`
  const { value: readIds } = useLoad(readIdsKey, signal => loadReadIds(workspaceId, shownIds, signal))
  const [newIds, setNewIds] = useState<ReadonlySet<string>>(new Set())
  const reloadSoon = useReload(reload)
  // The tab is in the rooms of all the person's workspaces.
  const isHere = (page: PageFrame) => page.workspaceId === workspaceId
  useFrames('page.created', (page: PublishedFrame) => {
    if (!isHere(page)) return
    if (page.actor?.id === memberId) reloadSoon()
    else setNewIds(before => new Set([...before, page.id]))
  })
  const removePage = (id: string) => {
    setNewIds(before => new Set([...before].filter(one => one !== id)))
    change(now => ({ ...now, pages: now.pages.filter(page => page.id !== id) }))
  }
  useFrames('page.updated', (frame: ChangeFrame) => {
    if (!isHere(frame)) return
    const { id, title, changes } = frame
    if (changes?.status && changes.status !== 'published') return removePage(id)
    change(now => ({ ...now, pages: now.pages.map(page => (page.id === id ? { ...page, title } : page)) }))
    reloadSoon()
  })
  useFrames('page.deleted', (page: PageFrame) => isHere(page) && removePage(page.id))
  return {
    key,
    list,
    /** Whether the person hasn't opened a page; false until it is known. */
    isUnread: (id: string): boolean => filter.isUnread || readIds?.has(id) === false,
    /** Number of pages that were published since the list was loaded. */
    newCount: [...newIds].filter(id => !value?.pages.some(page => page.id === id)).length,
    async showNew() {
      const answeredIds = newIds
      await reload()
      setNewIds(now => new Set([...now].filter(id => !answeredIds.has(id))))
    },
    more: { hasMore: value?.hasMore ?? false, ...useShowMore(key, reload) },
  }
}
