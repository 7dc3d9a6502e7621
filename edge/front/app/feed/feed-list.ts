import { useCallback, useState } from 'preact/hooks'
import type { MustRead, PageSummary } from '../../../../gen/client/news.ts'
import { allRows, firstParts, shownPartCount, useShowMore } from '../platform/growing-list.ts'
import { missedFrames, useFrames } from '../platform/live.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { useReloadOn } from '../platform/reload.ts'
import { platform } from '../platform/session.ts'

/** Which pages of the news are shown. */
export type FeedFilter = { search: string; categoryId: string; isUnread: boolean }

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
  { search, categoryId, isUnread }: FeedFilter,
  count: number,
  signal: AbortSignal,
): Promise<FeedList> {
  const isFiltered = search !== '' || categoryId !== '' || isUnread
  const query = {
    workspaceId,
    limit: perPage,
    status: 'published' as const,
    ...(search ? { search } : {}),
    ...(categoryId ? { categoryId } : {}),
    ...(isUnread ? { unread: true } : {}),
  }
  const [{ rows, hasMore }, pins, mustReads] = await Promise.all([
    firstParts(count, page => platform.news.listPages({ ...query, page }, { signal })),
    isFiltered ? undefined : platform.news.listPins({ workspaceId }, { signal }),
    allRows(page => platform.news.listMustReads({ workspaceId, page, limit: 100 }, { signal })),
  ])
  const pinnedPages = (pins?.data ?? []).flatMap(({ page }) => (page && page.status === 'published' ? [page] : []))
  const pages = [...pinnedPages, ...rows.filter(({ id }) => pinnedPages.every(page => page.id !== id))]
  return { pages, hasMore, mustReads }
}

/** Which of these pages the person has opened. */
async function loadReadIds(workspaceId: string, ids: string[], signal: AbortSignal): Promise<Set<string>> {
  const parts = Array.from({ length: Math.ceil(ids.length / 100) }, (_, index) =>
    ids.slice(index * 100, index * 100 + 100),
  )
  const answers = await Promise.all(
    parts.map(pageIds => platform.news.getViews({ workspaceId, pageId: pageIds }, { signal })),
  )
  return new Set(answers.flatMap(({ data }) => data.map(({ pageId }) => pageId)))
}

type PageFrame = { id: string; workspaceId: string }
type PublishedFrame = PageFrame & { actor: { id: string } | null }
type ChangeFrame = PageFrame & { title: string; changes?: { status?: string } }

/** The news of a workspace, kept up to date. */
export function useFeed(workspaceId: string, memberId: string, filter: FeedFilter) {
  const key = `feed/${workspaceId}/${JSON.stringify(filter)}`
  const list: Load<FeedList> = useLoad(key, signal => loadFeed(workspaceId, filter, shownPartCount(key), signal))
  const { reload, change } = list
  const shownIds = list.value?.pages.map(({ id }) => id) ?? []
  const readIdsKey = filter.isUnread || shownIds.length === 0 ? null : `read/${workspaceId}/${shownIds.join()}`
  const { value: readIds } = useLoad(readIdsKey, signal => loadReadIds(workspaceId, shownIds, signal))
  const [newIds, setNewIds] = useState<ReadonlySet<string>>(new Set())
  const reloadSoon = useReloadOn(missedFrames, reload)
  // The tab is in the rooms of all the person's workspaces.
  const isHere = useCallback((page: PageFrame) => page.workspaceId === workspaceId, [workspaceId])
  useFrames(
    'page.created',
    useCallback(
      (page: PublishedFrame) => {
        if (!isHere(page)) return
        if (page.actor?.id === memberId) reloadSoon()
        else setNewIds(before => new Set([...before, page.id]))
      },
      [isHere, memberId, reloadSoon],
    ),
  )
  const removePage = useCallback(
    (id: string) => {
      setNewIds(before => new Set([...before].filter(one => one !== id)))
      change(now => ({ ...now, pages: now.pages.filter(page => page.id !== id) }))
    },
    [change],
  )
  useFrames(
    'page.updated',
    useCallback(
      (updated: ChangeFrame) => {
        if (!isHere(updated)) return
        const { id, title, changes } = updated
        if (changes?.status && changes.status !== 'published') return removePage(id)
        change(now => ({ ...now, pages: now.pages.map(page => (page.id === id ? { ...page, title } : page)) }))
        reloadSoon()
      },
      [isHere, change, removePage, reloadSoon],
    ),
  )
  useFrames(
    'page.deleted',
    useCallback((page: PageFrame) => isHere(page) && removePage(page.id), [isHere, removePage]),
  )
  return {
    key,
    list,
    /** Whether the person hasn't opened a page; false until it is known. */
    isUnread: (id: string): boolean => filter.isUnread || readIds?.has(id) === false,
    /** Number of pages that were published since the list was loaded. */
    newCount: [...newIds].filter(id => !list.value?.pages.some(page => page.id === id)).length,
    async showNew() {
      const answeredIds = newIds
      await reload()
      setNewIds(now => new Set([...now].filter(id => !answeredIds.has(id))))
    },
    more: { hasMore: list.value?.hasMore ?? false, ...useShowMore(key, reload) },
  }
}
