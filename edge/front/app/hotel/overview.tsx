import { useRoles } from '../members/roles-of.ts'
import { useRoleName } from '../members/words.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { Link } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, numberOf, useTexts } from '../platform/texts.ts'
import { Tiles } from '../ui/facts.tsx'
import { Loading, Problem } from '../ui/feedback.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { Bars } from './figures.tsx'
import { HotelCard } from './hotel-card.tsx'
import { Section } from './section.tsx'

type TopPage = { id: string; title: string; views: number; engagement: number }

/** The hotel at a glance, and the figures of its people and news. */
export function Overview() {
  const t = useTexts('hotel/overview')
  const { workspace, may } = useMemberContext()
  const seesFigures = may('view_analytics')
  const roleName = useRoleName(useRoles().value)
  const { value, error, reload } = useLoad(seesFigures ? `figures/${workspace.id}` : null, async signal => {
    const [people, news] = await Promise.all([
      platform.member.getWorkspaceAnalytics({ id: workspace.id }, { signal }),
      platform.news.getWorkspaceAnalytics({ workspaceId: workspace.id }, { signal }),
    ])
    return { people, news }
  })
  const columns: TableColumn<TopPage>[] = [
    { name: t.page, cell: one => <Link to={`/pages/${one.id}`}>{one.title}</Link> },
    { name: t.views, cell: one => numberOf(one.views), isNumber: true },
    { name: t.engagement, cell: one => numberOf(Math.round(one.engagement * 100) / 100), isNumber: true },
  ]
  const byRole = Object.entries(value?.people.members?.byRole ?? {})
  const { members, teams, departments, activity } = value?.people ?? {}
  const { pages, interactions, topPages = [], topCategories = [] } = value?.news ?? {}
  return (
    <Section title={t.hotel} path="/hotel">
      <HotelCard />
      <Problem error={error} onRetry={() => void reload()} />
      {seesFigures && !value && !error && <Loading />}
      {value && (
        <>
          <section class="card" aria-labelledby="people">
            <h2 id="people">{t.people}</h2>
            <Tiles
              label={t.people}
              tiles={[
                { name: t.members, value: members?.total ?? 0 },
                { name: t.active, value: members?.active ?? 0 },
                { name: t.pending, value: members?.pending ?? 0 },
                { name: t.suspended, value: members?.suspended ?? 0 },
                { name: t.newThisMonth, value: activity?.newMembersThisMonth ?? 0 },
                { name: t.activeToday, value: activity?.activeToday ?? 0 },
                {
                  name: t.teams,
                  value: teams?.total ?? 0,
                  ...(teams?.total ? { hint: fill(t.teamsHint, { size: teams.averageSize }) } : {}),
                },
                { name: t.departments, value: departments?.total ?? 0 },
              ]}
            />
            <h3>{t.byRole}</h3>
            <Bars
              label={t.byRole}
              bars={byRole
                .toSorted(([, a], [, b]) => b - a)
                .map(([slug, count]) => ({ key: slug, name: roleName(slug), value: count }))}
            />
          </section>
          <section class="card" aria-labelledby="news">
            <h2 id="news">{t.news}</h2>
            <Tiles
              label={t.news}
              tiles={[
                { name: t.published, value: pages?.published ?? 0 },
                { name: t.drafts, value: pages?.drafts ?? 0 },
                { name: t.views, value: interactions?.views ?? 0 },
                { name: t.reactions, value: interactions?.likes ?? 0 },
                { name: t.comments, value: interactions?.comments ?? 0 },
              ]}
            />
            {topPages.length > 0 && (
              <>
                <h3>{t.topPages}</h3>
                <Table label={t.topPages} columns={columns} rows={topPages} keyOf={one => one.id} />
              </>
            )}
            {topCategories.length > 0 && (
              <>
                <h3>{t.categories}</h3>
                <Bars
                  label={t.categories}
                  bars={topCategories.map(one => ({ key: one.id, name: one.name, value: one.pageCount }))}
                />
              </>
            )}
          </section>
        </>
      )}
    </Section>
  )
}
