import type { NextPart } from '../platform/growing-list.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from './controls.tsx'

/** Turns the pages of a list; nothing for a single page. */
export function Pager({
  page,
  totalPages,
  onPage,
}: {
  page: number
  totalPages: number
  onPage: (page: number) => void
}) {
  const t = useTexts('ui/pager')
  if (totalPages < 2) return null
  return (
    <nav class="pager" aria-label={t.pages}>
      <Button class="small" isDisabled={page <= 1} onClick={() => page > 1 && onPage(page - 1)}>
        {t.previous}
      </Button>
      <span>{fill(t.of, { page, total: totalPages })}</span>
      <Button class="small" isDisabled={page >= totalPages} onClick={() => page < totalPages && onPage(page + 1)}>
        {t.next}
      </Button>
    </nav>
  )
}

/** The button that loads more of a list; hidden once all rows are shown. */
export function ShowMore({ list: { hasMore, isLoadingMore, showMore } }: { list: NextPart }) {
  const t = useTexts('ui/pager')
  if (!hasMore) return null
  return (
    <p class="more">
      <Button isBusy={isLoadingMore} onClick={() => void showMore()}>
        {t.more}
      </Button>
    </p>
  )
}
