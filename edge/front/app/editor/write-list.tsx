import type { TrashedPage } from '../../../../gen/client/news.ts'
import { useRights } from '../page/page-rights.ts'
import { useAction } from '../platform/action.ts'
import { useGrowingList, withoutBlanks } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, go, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, timeAgo, useTexts } from '../platform/texts.ts'
import { Button, Select, TextField } from '../ui/controls.tsx'
import { Empty, EmptyPage, Loaded, notify, Problem } from '../ui/feedback.tsx'
import { SubjectPage } from '../ui/page.tsx'
import { useNameOf } from '../ui/people.tsx'
import { ShowMore } from '../ui/table.tsx'
import { useTyped } from '../ui/typed.ts'
import { categoryText, useCategories } from './categories.tsx'
import { Row, WriteRow } from './write-row.tsx'

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
  const { status } = useQuery('status')
  const isTrash = status === 'trash' && rights.remove
  const view = views.find(one => one === status) ?? 'draft'
  const mayWrite = rights.create || rights.edit
  const tabs = rights.remove ? ([...views, 'trash'] as const) : views
  if (!mayWrite) return <EmptyPage icon="pen" title={t.forbidden} />
  return (
    <SubjectPage
      title={t.title}
      label={t.views}
      path={pathOf(isTrash ? 'trash' : view)}
      entries={tabs.map(one => ({ to: pathOf(one), text: t[one] }))}
      actions={
        rights.create && (
          <>
            <Button icon="copy" onClick={() => go('/write/templates')}>
              {t.templates}
            </Button>
            <Button variant="main" icon="plus" onClick={() => go('/write/new')}>
              {t.create}
            </Button>
          </>
        )
      }
    >
      {isTrash ? <Trash /> : <Pages key={view} view={view} />}
    </SubjectPage>
  )
}

function Pages({ view }: { view: View }) {
  const t = useTexts('editor/write-list')
  const workspaceId = useMemberContext().workspace.id
  const { category: categoryId, search } = useQuery('category', 'search')
  const categories = useCategories()
  const [typedText, setTypedText] = useTyped(search, text => changeQuery({ search: text }))
  const filter = { ...filters[view], ...withoutBlanks({ categoryId, search }) }
  const list = useGrowingList(`write/${workspaceId}/${JSON.stringify(filter)}`, (page, signal) =>
    platform.news.listPages({ ...filter, workspaceId, page, limit: 30 }, { signal }),
  )
  return (
    <>
      <search class="find fit">
        <TextField label={t.search} type="search" maxLength={500} value={typedText} onValue={setTypedText} />
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
      <Loaded load={list} empty={<Empty icon="pen" title={search || categoryId ? t.noneFound : t.none} />}>
        {rows => (
          <>
            <p class="hint" role="status">
              {fill(t.pages, { count: list.total })}
            </p>
            <ul class="write-rows rows box" aria-label={t.list}>
              {rows.map(page => (
                <WriteRow key={page.id} page={page} />
              ))}
            </ul>
            <ShowMore list={list} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** Deleted pages, which can be restored. */
function Trash() {
  const t = useTexts('editor/trash')
  const nameOf = useNameOf()
  const workspaceId = useMemberContext().workspace.id
  const list = useGrowingList(`trash/${workspaceId}`, (page, signal) =>
    platform.news.listTrashedPages({ workspaceId, page, limit: 30 }, { signal }),
  )
  const restore = useAction(async ({ id, title }: TrashedPage) => {
    await platform.news.restorePage({ id })
    list.change(rows => rows.filter(one => one.id !== id))
    notify(fill(t.restored, { title }))
    void list.reload()
  })
  return (
    <>
      <Problem error={restore.error} />
      <Loaded load={list} empty={<Empty icon="trash" title={t.none} />}>
        {rows => (
          <ul class="write-rows rows box" aria-label={t.list}>
            {rows.map(page => (
              <Row
                key={page.id}
                icon="trash"
                title={page.title}
                facts={
                  <>
                    <span>{nameOf(page.createdBy)}</span>
                    <span>{fill(t.deletedAt, { time: timeAgo(page.deleted_at ?? '') })}</span>
                  </>
                }
              >
                <Button
                  class="small"
                  aria-label={fill(t.restoreOne, { title: page.title })}
                  onClick={() => void restore.run(page)}
                >
                  {t.restore}
                </Button>
              </Row>
            ))}
          </ul>
        )}
      </Loaded>
      <ShowMore list={list} />
    </>
  )
}
