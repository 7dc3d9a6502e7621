import { useGrowingList } from '../platform/growing-list.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, go, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, Select, TextField } from '../ui/controls.tsx'
import { Empty, EmptyPage, Loading, Problem } from '../ui/feedback.tsx'
import { ShowMore } from '../ui/pager.tsx'
import { SectionNav } from '../ui/section-nav.tsx'
import { useTitle } from '../ui/title.ts'
import { useTyped } from '../ui/typed.ts'
import { categoryText, useCategories } from './categories.tsx'
import { useRights } from './rights.ts'
import { Trash } from './trash.tsx'
import { WriteRow } from './write-row.tsx'

const views = ['draft', 'scheduled', 'published', 'archived', 'all'] as const
type View = (typeof views)[number]

const pathOf = (view: View | 'trash'): string => (view === 'draft' ? '/write' : `/write?status=${view}`)

/** The query of each view of the list. */
const filters = {
  draft: { status: 'draft', sortBy: 'createdAt' },
  scheduled: { scheduled: true },
  published: { status: 'published', sortBy: 'publishedAt' },
  archived: { status: 'archived', sortBy: 'createdAt' },
  all: { sortBy: 'createdAt' },
} as const

/** All pages that a writer may open, by status. */
export function WriteList() {
  const t = useTexts('editor/write-list')
  const rights = useRights()
  const query = useQuery()
  const statusInAddress = query.get('status') ?? 'draft'
  const isTrash = statusInAddress === 'trash' && rights.remove
  const view = views.find(one => one === statusInAddress) ?? 'draft'
  const mayWrite = rights.create || rights.edit
  useTitle(mayWrite ? t.title : t.forbidden)
  const tabs = rights.remove ? ([...views, 'trash'] as const) : views
  if (!mayWrite) return <EmptyPage icon="pen" title={t.forbidden} />
  return (
    <div class="wide">
      <header class="section-head">
        <h1>{t.title}</h1>
        <div class="actions">
          {rights.create && (
            <>
              <Button icon="copy" onClick={() => go('/write/templates')}>
                {t.templates}
              </Button>
              <Button variant="main" icon="plus" onClick={() => go('/write/new')}>
                {t.create}
              </Button>
            </>
          )}
        </div>
      </header>
      <SectionNav
        label={t.views}
        path={pathOf(isTrash ? 'trash' : view)}
        entries={tabs.map(one => ({ to: pathOf(one), text: t[one] }))}
      />
      {isTrash ? <Trash /> : <Pages key={view} view={view} />}
    </div>
  )
}

function Pages({ view }: { view: View }) {
  const t = useTexts('editor/write-list')
  const workspaceId = useMemberContext().workspace.id
  const query = useQuery()
  const categories = useCategories()
  const categoryId = query.get('category') ?? ''
  const search = query.get('search') ?? ''
  const [typed, setTyped] = useTyped(search, text => changeQuery({ search: text }))
  const filter = { ...filters[view], ...(categoryId ? { categoryId } : {}), ...(search ? { search } : {}) }
  const list = useGrowingList(`write/${workspaceId}/${JSON.stringify(filter)}`, (page, signal) =>
    platform.news.listPages({ ...filter, workspaceId, page, limit: 30 }, { signal }),
  )
  const { rows, total, error } = list
  return (
    <>
      <search class="write-filters">
        <TextField label={t.search} type="search" maxLength={500} value={typed} onValue={setTyped} />
        <Select
          label={t.category}
          value={categoryId}
          onValue={category => changeQuery({ category })}
          choices={[
            { value: '', text: t.everywhere },
            ...(categories.value?.data ?? []).map(one => ({ value: one.id, text: categoryText(one) })),
          ]}
        />
      </search>
      <Problem error={error} onRetry={() => void list.reload()} />
      {!rows && !error && <Loading />}
      {rows?.length === 0 && <Empty icon="pen" title={search || categoryId ? t.noneFound : t.none} />}
      {rows && rows.length > 0 && (
        <>
          <p class="hint" role="status">
            {fill(t.pages, { count: total })}
          </p>
          <ul class="write-rows" aria-label={t.list}>
            {rows.map(page => (
              <WriteRow key={page.id} page={page} />
            ))}
          </ul>
          <ShowMore list={list} />
        </>
      )}
    </>
  )
}
