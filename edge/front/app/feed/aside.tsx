import { useEffect, useState } from 'preact/hooks'
import type { MustRead } from '../../../../gen/client/news.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { Link } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateOf, fill, locale, timeAgo, useTexts } from '../platform/texts.ts'
import { personZone } from '../platform/zone.ts'
import { Button } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'

const wideWindow = matchMedia('(min-width: 75rem)')

/** Whether there is room for a column beside the news. */
export function useAside(): boolean {
  const [isWide, setWide] = useState(wideWindow.matches)
  useEffect(() => {
    const follow = () => setWide(wideWindow.matches)
    wideWindow.addEventListener('change', follow)
    return () => wideWindow.removeEventListener('change', follow)
  }, [])
  return isWide
}

/** Beside the news in a wide window: what is to be confirmed, what comes, and who is new. */
export function Aside({ mustReads }: { mustReads: MustRead[] }) {
  const { may } = useMemberContext()
  return (
    <aside class="feed-aside">
      <MustReads mustReads={mustReads} isWhole />
      <Events />
      {may('view_members') && <NewColleagues />}
    </aside>
  )
}

const maxRows = 4

function Events() {
  const t = useTexts('feed/aside')
  const { workspace } = useMemberContext()
  const { value } = useLoad(`events/${workspace.id}`, async signal => {
    const query = { workspaceId: workspace.id, pageType: 'event', status: 'published', limit: 50 } as const
    return (await platform.news.listPages(query, { signal })).data
  })
  const events = (value ?? [])
    .flatMap(({ id, title, eventStartsAt }) =>
      eventStartsAt ? [{ id, title, startsAt: new Date(eventStartsAt) }] : [],
    )
    .filter(({ startsAt }) => startsAt.getTime() > Date.now())
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
  if (events.length === 0) return null
  const part = (date: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), { timeZone: personZone(), ...options }).format(date)
  return (
    <section aria-labelledby="events">
      <h2 id="events">{t.events}</h2>
      <ul class="aside-list">
        {events.slice(0, maxRows).map(({ id, title, startsAt }) => (
          <li key={id} class="row anchor lights">
            <span class="day" aria-hidden="true">
              <b>{part(startsAt, { day: 'numeric' })}</b>
              {part(startsAt, { month: 'short' })}
            </span>
            <span>
              <Link to={`/pages/${id}`} class="cover">
                <bdi>{title}</bdi>
              </Link>
              <span class="hint">{part(startsAt, { weekday: 'long', hour: 'numeric', minute: '2-digit' })}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const newForDays = 30
/** The list of members is by name: who is new is only known of one that comes whole. */
const wholeList = 100

function NewColleagues() {
  const t = useTexts('feed/aside')
  const nameOf = useNameOf()
  const { workspace, memberId } = useMemberContext()
  const { value } = useLoad(`new-colleagues/${workspace.id}`, async signal => {
    const query = { id: workspace.id, status: 'active', limit: wholeList } as const
    const { data, meta } = await platform.member.listWorkspaceMembers(query, { signal })
    return (meta?.totalPages ?? 1) > 1 ? [] : data
  })
  const since = new Date(Date.now() - newForDays * 24 * 3_600_000).toISOString()
  const newPeople = (value ?? [])
    .flatMap(person => (person.joinedAt && person.joinedAt > since ? [{ ...person, joinedAt: person.joinedAt }] : []))
    .filter(person => person.memberId !== memberId)
    .toSorted((a, b) => b.joinedAt.localeCompare(a.joinedAt))
  if (newPeople.length === 0) return null
  return (
    <section aria-labelledby="new-colleagues">
      <h2 id="new-colleagues">{t.newColleagues}</h2>
      <ul class="aside-list">
        {newPeople.slice(0, maxRows).map(person => (
          <li key={person.memberId} class="row anchor lights">
            <Avatar person={person} size={36} />
            <span>
              <Link to={`/members/${person.memberId}`} class="cover">
                <bdi>{nameOf(person)}</bdi>
              </Link>
              <span class="hint">{timeAgo(person.joinedAt)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * The pages that the person still has to acknowledge, soonest due first.
 * @param isWhole lists them all, instead of the first on one line
 */
export function MustReads({ mustReads, isWhole = false }: { mustReads: MustRead[]; isWhole?: boolean }) {
  const t = useTexts('feed/aside')
  const [isUnfolded, unfold] = useState(false)
  if (mustReads.length === 0) return null
  const isList = isWhole || isUnfolded
  const listedDuties = isList ? mustReads : mustReads.slice(0, 1)
  return (
    <section class={isList ? 'must-reads' : 'must-reads line row tight'} aria-labelledby="must-reads-title">
      <h2 id="must-reads-title" class="row tight">
        <Icon name="warning" />
        <span class={isList ? '' : 'unseen'}>{t.mustRead}</span>
      </h2>
      <ul class="grow">
        {listedDuties.map(({ pageId, title, dueAt }) => (
          <li key={pageId}>
            <Link to={`/pages/${pageId}`}>
              <strong class={isList ? '' : 'cut'} dir="auto">
                {title}
              </strong>
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
  const t = useTexts('feed/aside')
  const isLate = Date.parse(deadline) < Date.now()
  return (
    <span class={isLate ? 'due soft late' : 'due soft'}>
      {isLate ? fill(t.overdue, { date: dateOf(deadline) }) : fill(t.due, { date: dateOf(deadline) })}
    </span>
  )
}
