import type { TrashedPage } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import { useGrowingList } from '../platform/growing-list.ts'
import { useHere } from '../platform/here.ts'
import { platform } from '../platform/session.ts'
import { texts, timeAgo, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loading, notify, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { ShowMore } from '../ui/pager.tsx'
import { useNameOf } from '../ui/people.tsx'

const words = texts({
  en: {
    list: 'Deleted pages',
    none: 'The trash is empty',
    deletedAt: (time: string) => `deleted ${time}`,
    restore: 'Restore',
    restoreOne: (title: string) => `Restore “${title}”`,
    restored: (title: string) => `“${title}” was restored.`,
  },
  fr: {
    list: 'Pages supprimées',
    none: 'La corbeille est vide',
    deletedAt: (time: string) => `supprimée ${time}`,
    restore: 'Restaurer',
    restoreOne: (title: string) => `Restaurer « ${title} »`,
    restored: (title: string) => `« ${title} » est restaurée.`,
  },
})

/** Deleted pages, which can be restored. */
export function Trash() {
  const t = useTexts(words)
  const nameOf = useNameOf()
  const workspaceId = useHere().workspace.id
  const list = useGrowingList(`trash/${workspaceId}`, (page, signal) =>
    platform.news.listTrashedPages({ workspaceId, page, limit: 30 }, { signal }),
  )
  const { rows, error, reload } = list
  const restore = useAction(async ({ id, title }: TrashedPage) => {
    await platform.news.restorePage({ id })
    list.change(rows => rows.filter(one => one.id !== id))
    notify(t.restored(title))
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
                <span>{t.deletedAt(timeAgo(page.deleted_at ?? ''))}</span>
              </p>
            </div>
            <Button class="small" aria-label={t.restoreOne(page.title)} onClick={() => void restore.run(page)}>
              {t.restore}
            </Button>
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </>
  )
}
