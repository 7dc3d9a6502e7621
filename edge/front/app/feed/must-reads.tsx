import { useState } from 'preact/hooks'
import type { MustRead } from '../../../../gen/client/news.ts'
import { Link } from '../platform/router.tsx'
import { dateOf, fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'

/**
 * The pages that the person still has to acknowledge, soonest due first.
 * @param isWhole lists them all, instead of the first on one line
 */
export function MustReads({ mustReads, isWhole = false }: { mustReads: MustRead[]; isWhole?: boolean }) {
  const t = useTexts('feed/must-reads')
  const [isUnfolded, unfold] = useState(false)
  if (mustReads.length === 0) return null
  const isList = isWhole || isUnfolded
  const listedDuties = isList ? mustReads : mustReads.slice(0, 1)
  return (
    <section class={isList ? 'must-reads' : 'must-reads line'} aria-labelledby="must-reads-title">
      <h2 id="must-reads-title">
        <Icon name="warning" />
        <span class={isList ? '' : 'unseen'}>{t.mustRead}</span>
      </h2>
      <ul>
        {listedDuties.map(({ pageId, title, dueAt }) => (
          <li key={pageId}>
            <Link to={`/pages/${pageId}`}>
              <strong dir="auto">{title}</strong>
              {dueAt && <Deadline deadline={dueAt} />}
            </Link>
          </li>
        ))}
      </ul>
      {mustReads.length > listedDuties.length && (
        <Button variant="quiet" class="small" onClick={() => unfold(true)}>
          {fill(t.all, { count: mustReads.length - listedDuties.length })}
        </Button>
      )}
    </section>
  )
}

function Deadline({ deadline }: { deadline: string }) {
  const t = useTexts('feed/must-reads')
  const isLate = Date.parse(deadline) < Date.now()
  return (
    <span class={isLate ? 'due late' : 'due'}>
      {isLate ? fill(t.overdue, { date: dateOf(deadline) }) : fill(t.due, { date: dateOf(deadline) })}
    </span>
  )
}
