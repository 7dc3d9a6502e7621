import { reactionEmojis } from '../page/reactions.tsx'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, locale, numberOf, useTexts } from '../platform/texts.ts'
import { dayOf } from '../platform/times.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Select } from '../ui/controls.tsx'
import { Tiles } from '../ui/facts.tsx'
import { EmptyPage, Loading, Problem } from '../ui/feedback.tsx'
import { useTitle } from '../ui/title.ts'
import { type Bar, Chart } from './chart.tsx'
import { Readers } from './readers.tsx'

const periods = [7, 30, 90]
const kinds = Object.keys(reactionEmojis) as (keyof typeof reactionEmojis)[]

/** How a page is read: totals, days, reactions, and who must still read it. */
export function Figures({ id }: { id: string }) {
  const t = useTexts('figures/figures')
  const nameOfKind = useTexts('page/reactions').names
  const { may } = useMemberContext()
  const daysInAddress = Number(useQuery().get('days'))
  const days = periods.includes(daysInAddress) ? daysInAddress : 30
  const isOpen = may('view_analytics')
  useTitle(isOpen ? t.statistics : t.forbidden)
  const load = useLoad(isOpen ? `figures/${id}/${days}` : null, async signal => {
    const [page, figures, { data: comments }] = await Promise.all([
      platform.news.getPageHierarchy({ id }, { signal }),
      platform.news.getPageAnalytics({ id, days }, { signal }),
      platform.news.listComments({ pageId: id }, { signal }),
    ])
    return { title: page.breadcrumb.at(-1)?.title ?? '', figures, comments }
  })
  if (!isOpen) return <EmptyPage icon="chart" title={t.forbidden} />
  const { value } = load
  const breakdown = value?.figures.likes?.breakdown ?? {}
  const reactions = value?.figures.likes?.total ?? 0
  return (
    <div class="wide">
      <BackLink to={`/write/${id}`} text={t.back} />
      <header class="section-head">
        <h1 dir="auto">{value ? `${t.statistics} · ${value.title}` : t.statistics}</h1>
        <Select
          label={t.period}
          value={String(days)}
          onValue={value => changeQuery({ days: value })}
          choices={periods.map(count => ({ value: String(count), text: fill(t.days, { count }) }))}
        />
      </header>
      <Problem error={load.error} onRetry={() => void load.reload()} />
      {!value && load.isLoading && <Loading />}
      {value && (
        <>
          <Tiles
            label={t.statistics}
            tiles={[
              { name: t.views, value: value.figures.views?.total ?? 0 },
              { name: t.readers, value: value.figures.views?.unique ?? 0 },
              { name: t.reactions, value: reactions },
              { name: t.comments, value: value.figures.comments?.total ?? 0 },
              {
                name: t.time,
                value: fill(t.seconds, { count: Math.round(value.figures.engagement?.averageReadTime ?? 0) }),
              },
              { name: t.engagement, value: Math.round((value.figures.engagement?.rate ?? 0) * 100) / 100 },
            ]}
          />
          <section class="card">
            <Chart
              title={t.byDay}
              bars={byDay(days, new Map(value.figures.views?.byDay.map(({ date, count }) => [date, count])))}
              heads={[t.day, t.views]}
              showTable={t.table}
            />
          </section>
          <section class="card">
            <Chart
              title={t.commentsByDay}
              bars={byDay(days, countByDay(value.comments))}
              heads={[t.day, t.comments]}
              showTable={t.table}
            />
          </section>
          {reactions > 0 && (
            <section class="card">
              <h2>{t.kinds}</h2>
              <ul class="shares">
                {kinds
                  .filter(kind => breakdown[kind])
                  .map(kind => (
                    <li key={kind}>
                      <span>
                        {reactionEmojis[kind]} {nameOfKind[kind]}
                      </span>
                      <meter aria-label={nameOfKind[kind]} value={breakdown[kind] ?? 0} max={reactions} />
                      <span>{numberOf(breakdown[kind] ?? 0)}</span>
                    </li>
                  ))}
              </ul>
            </section>
          )}
          <Readers pageId={id} />
        </>
      )}
    </div>
  )
}

type Dated = { createdAt: string | null; isDeleted: boolean; replies: Dated[] }

/** Comments and replies by day of the browser's time zone. */
function countByDay(comments: Dated[], counts = new Map<string, number>()): Map<string, number> {
  for (const { createdAt, isDeleted, replies } of comments) {
    const day = dayOf(new Date(createdAt ?? 0))
    if (!isDeleted) counts.set(day, (counts.get(day) ?? 0) + 1)
    countByDay(replies, counts)
  }
  return counts
}

/** The last days, those without a count too. The platform's days may be ahead of the browser's. */
function byDay(days: number, counts: Map<string, number>): Bar[] {
  const format = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short' })
  const lastDay = [dayOf(new Date()), ...counts.keys()].toSorted().at(-1)
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(`${lastDay}T12:00`)
    day.setDate(day.getDate() - (days - 1 - index))
    return { text: format.format(day), value: counts.get(dayOf(day)) ?? 0 }
  })
}
