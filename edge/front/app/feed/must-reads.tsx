import { useState } from 'preact/hooks'
import type { MustRead } from '../../../../gen/client/news.ts'
import { Link } from '../platform/router.tsx'
import { dateOf, fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'

const initialCount = 3

/** The pages that the person still has to acknowledge, soonest due first. */
export function MustReads({ mustReads }: { mustReads: MustRead[] }) {
  const t = useTexts('feed/must-reads')
  const [isWhole, setWhole] = useState(false)
  if (mustReads.length === 0) return null
  const listedDuties = isWhole ? mustReads : mustReads.slice(0, initialCount)
  return (
    <section class="must-reads" aria-labelledby="must-reads-title">
      <h2 id="must-reads-title">
        <Icon name="warning" />
        {t.mustRead}
      </h2>
      <ul>
        {listedDuties.map(({ pageId, title, dueAt }) => (
          <li key={pageId}>
            <Link to={`/pages/${pageId}`}>
              <strong dir="auto">{title}</strong>
              {dueAt && <Deadline deadline={dueAt} />}
              <Icon name="next" />
            </Link>
          </li>
        ))}
      </ul>
      {mustReads.length > listedDuties.length && (
        <Button variant="quiet" class="small" onClick={() => setWhole(true)}>
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
