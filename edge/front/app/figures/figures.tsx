import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { reactionEmojis } from '../page/reactions.tsx'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, locale, numberOf, useTexts } from '../platform/texts.ts'
import { dayOf } from '../platform/times.ts'
import { Select } from '../ui/controls.tsx'
import { Bars, Tiles } from '../ui/facts.tsx'
import { EmptyPage, Loaded } from '../ui/feedback.tsx'
import { BackLink, Card, useTitle } from '../ui/page.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { Readers } from './readers.tsx'

const periods = [7, 30, 90]
const kinds = Object.keys(reactionEmojis) as (keyof typeof reactionEmojis)[]

/** How a page is read: totals, days, reactions, and who must still read it. */
export function Figures({ id }: { id: string }) {
  const t = useTexts('figures/figures')
  const nameOfKind = useTexts('page/reactions').names
  const { may } = useMemberContext()
  const query = useQuery('days')
  const days = periods.find(one => String(one) === query.days) ?? 30
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
      <header class="section-head row wrap spread">
        <h1 dir="auto">{value ? `${t.statistics} · ${value.title}` : t.statistics}</h1>
        <Select
          label={t.period}
          value={String(days)}
          onValue={value => changeQuery({ days: value })}
          choices={periods.map(count => ({ value: String(count), text: fill(t.days, { count }) }))}
        />
      </header>
      <Loaded load={load}>
        {({ figures, comments }) => (
          <>
            <Tiles
              label={t.statistics}
              tiles={[
                { name: t.views, value: figures.views?.total ?? 0 },
                { name: t.readers, value: figures.views?.unique ?? 0 },
                { name: t.reactions, value: reactions },
                { name: t.comments, value: figures.comments?.total ?? 0 },
                {
                  name: t.time,
                  value: fill(t.seconds, { count: Math.round(figures.engagement?.averageReadTime ?? 0) }),
                },
                { name: t.engagement, value: Math.round((figures.engagement?.rate ?? 0) * 100) / 100 },
              ]}
            />
            <section class="card">
              <Chart
                title={t.byDay}
                bars={byDay(days, new Map(figures.views?.byDay.map(({ date, count }) => [date, count])))}
                heads={[t.day, t.views]}
                showTable={t.table}
              />
            </section>
            <section class="card">
              <Chart
                title={t.commentsByDay}
                bars={byDay(days, countByDay(comments))}
                heads={[t.day, t.comments]}
                showTable={t.table}
              />
            </section>
            {reactions > 0 && (
              <Card title={t.kinds}>
                <Bars
                  label={t.kinds}
                  max={reactions}
                  bars={kinds.flatMap(kind => {
                    const count = breakdown[kind]
                    return count ? { key: kind, name: `${reactionEmojis[kind]} ${nameOfKind[kind]}`, value: count } : []
                  })}
                />
              </Card>
            )}
            <Readers pageId={id} />
          </>
        )}
      </Loaded>
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

type Bar = { text: string; value: number }

type ChartProps = {
  title: string
  bars: Bar[]
  /** Column headings of the table. */
  heads: [string, string]
  showTable: string
}

const height = 200
const margin = { top: 12, right: 8, bottom: 26, left: 40 }

/** Values by day as bars, with a table of the same values for screen readers. */
function Chart({ title, bars, heads, showTable }: ChartProps) {
  const figure = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    // Drawn at its width, so that its texts have the size of the others.
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(200, entry.contentRect.width)))
    if (figure.current) observer.observe(figure.current)
    return () => observer.disconnect()
  }, [])
  const columns: TableColumn<Bar>[] = [
    { name: heads[0], cell: ({ text }) => text },
    { name: heads[1], cell: ({ value }) => numberOf(value), isNumber: true },
  ]
  const ticks = ticksTo(Math.max(1, ...bars.map(({ value }) => value)))
  const maxTick = ticks.at(-1) ?? 1
  const base = height - margin.bottom
  const barWidth = (width - margin.left - margin.right) / Math.max(1, bars.length)
  const y = (value: number) => base - (value / maxTick) * (base - margin.top)
  const labelInterval = Math.max(1, Math.ceil(bars.length / (width / 90)))
  return (
    <figure class="chart" ref={figure}>
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} height={height} aria-hidden="true">
        {ticks.map(value => (
          <g key={value}>
            <line class="grid" x1={margin.left} x2={width - margin.right} y1={y(value)} y2={y(value)} />
            <text x={margin.left - 8} y={y(value) + 4} text-anchor="end">
              {numberOf(value)}
            </text>
          </g>
        ))}
        {bars.map(({ text, value }, index) => {
          const x = margin.left + index * barWidth
          return (
            <g key={text}>
              {value > 0 && (
                <rect x={x + barWidth * 0.15} y={y(value)} width={barWidth * 0.7} height={base - y(value)} rx={2}>
                  <title>{`${text}: ${numberOf(value)}`}</title>
                </rect>
              )}
              {index % labelInterval === 0 && (
                <text x={x + barWidth / 2} y={base + 18} text-anchor="middle">
                  {text}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <details>
        <summary>{showTable}</summary>
        <Table label={title} columns={columns} rows={bars} keyOf={({ text }) => text} />
      </details>
    </figure>
  )
}

/** Up to five round values from 0 to at least the largest one. */
function ticksTo(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest / 4)))
  const step = [1, 2, 5, 10].map(one => one * power).find(one => one * 4 >= largest) ?? 1
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, index) => index * step)
}
