import type { TrashedPage } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import { useGrowingList } from '../platform/growing-list.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, timeAgo, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loading, notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { ShowMore } from '../ui/pager.tsx'
import { useNameOf } from '../ui/people.tsx'

/** Deleted pages, which can be restored. */
export function Trash() {
  const t = useTexts('editor/trash')
  const nameOf = useNameOf()
  const workspaceId = useMemberContext().workspace.id
  const list = useGrowingList(`trash/${workspaceId}`, (page, signal) =>
    platform.news.listTrashedPages({ workspaceId, page, limit: 30 }, { signal }),
  )
  const { rows, error, reload } = list
  const restore = useAction(async ({ id, title }: TrashedPage) => {
    await platform.news.restorePage({ id })
    list.change(rows => rows.filter(one => one.id !== id))
    notify(fill(t.restored, { title }))
    void reload()
  })
  return (
    <>
      <Problem error={restore.error ?? error} onRetry={() => void reload()} />
      {!rows && !error && <Loading />}
      {rows?.length === 0 && <Empty icon="trash" title={t.none} />}
      <ul class="write-rows" aria-label={t.list}>
        {rows?.map(page => (
          <li class="write-row" key={page.id}>
            <span class="row-icon">
              <Icon name="trash" />
            </span>
            <div>
              <p class="row-title" dir="auto">
                {page.title}
              </p>
              <p class="row-facts">
                <span>{nameOf(page.createdBy)}</span>
                <span>{fill(t.deletedAt, { time: timeAgo(page.deleted_at ?? '') })}</span>
              </p>
            </div>
            <Button
              class="small"
              aria-label={fill(t.restoreOne, { title: page.title })}
              onClick={() => void restore.run(page)}
            >
              {t.restore}
            </Button>
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </>
  )
}
