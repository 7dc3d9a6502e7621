import { useGrowingList } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, goBack, Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, Toggle } from '../ui/controls.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { useTitle } from '../ui/page.tsx'
import { ShowMore } from '../ui/table.tsx'
import { NewsCard } from './card.tsx'

const kinds = ['isBookmarked', 'isFavorite', 'isFollowing'] as const
type Kind = (typeof kinds)[number]

/** The person's favorites and bookmarks. */
export function SavedPages() {
  const t = useTexts('feed/saved')
  const { workspace } = useMemberContext()
  const query = useQuery('kind')
  const kind = kinds.find(one => one === query.kind) ?? 'isBookmarked'
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
        choices={{ isBookmarked: t.isBookmarked, isFavorite: t.isFavorite, isFollowing: t.isFollowing }}
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
  return (
    <>
      <Loaded
        load={list}
        empty={
          <Empty icon="bookmark" title={t.none} text={t.noneText}>
            <Link to="/" class="button main">
              {t.news}
            </Link>
          </Empty>
        }
      >
        {rows => (
          <ul class="news stack loose">
            {rows.map(page => (
              <li key={page.id}>
                <NewsCard page={page} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <ShowMore list={list} />
    </>
  )
}
