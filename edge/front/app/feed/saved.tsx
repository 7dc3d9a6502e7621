import { useGrowingList } from '../platform/growing-list.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, goBack, Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loading, Problem } from '../ui/feedback.tsx'
import { ShowMore } from '../ui/pager.tsx'
import { useTitle } from '../ui/title.ts'
import { Toggle } from '../ui/toggle.tsx'
import { Card } from './card.tsx'

const kinds = ['isBookmarked', 'isFavorite', 'isFollowing'] as const
type Kind = (typeof kinds)[number]

/** The person's favorites and bookmarks. */
export function SavedPages() {
  const t = useTexts('feed/saved')
  const { workspace } = useMemberContext()
  const kindInAddress = useQuery().get('kind')
  const kind = kinds.find(one => one === kindInAddress) ?? 'isBookmarked'
  useTitle(t.title)
  return (
    <>
      <p class="page-top">
        <Button variant="quiet" class="small" icon="back" onClick={() => goBack('/')}>
          {t.back}
        </Button>
      </p>
      <h1>{t.title}</h1>
      <Toggle
        label={t.kinds}
        value={kind}
        choices={kinds.map(value => ({ value, text: t[value] }))}
        onValue={one => changeQuery({ kind: one })}
      />
      <SavedList kind={kind} workspaceId={workspace.id} />
    </>
  )
}

function SavedList({ kind, workspaceId }: { kind: Kind; workspaceId: string }) {
  const t = useTexts('feed/saved')
  const list = useGrowingList(`saved/${workspaceId}/${kind}`, async (page, signal) => {
    const query = { workspaceId, [kind]: true, limit: 20, page }
    const { data, meta } = await platform.news.listPagePreferences(query, { signal })
    return { data: data.flatMap(({ page }) => page ?? []), meta }
  })
  const { rows, error, reload } = list
  return (
    <>
      <Problem error={error} onRetry={() => void reload()} />
      {!rows && !error && <Loading />}
      {rows?.length === 0 && (
        <Empty icon="bookmark" title={t.none}>
          <p>{t.noneText}</p>
          <Link to="/" class="button main">
            {t.news}
          </Link>
        </Empty>
      )}
      <ul class="news">
        {rows?.map(page => (
          <li key={page.id}>
            <Card page={page} />
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </>
  )
}
