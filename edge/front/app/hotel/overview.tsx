import { useRoles } from '../members/groups-of.ts'
import { useRoleName } from '../members/words.ts'
import { fileAddress } from '../platform/addresses.ts'
import { useHotel } from '../platform/hotel.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { Link } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, locale, numberOf, useTexts } from '../platform/texts.ts'
import { Bars, Facts, MailLink, PhoneLink, Tiles } from '../ui/facts.tsx'
import { Loading, Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { Card } from '../ui/page.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
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
  const { members, activity } = value?.people ?? {}
  const { pending = 0, suspended = 0 } = members ?? {}
  const [teamCount, departmentCount] = [value?.people.teams?.total ?? 0, value?.people.departments?.total ?? 0]
  const { pages, interactions, topPages = [], topCategories = [] } = value?.news ?? {}
  const [comments, drafts] = [interactions?.comments ?? 0, pages?.drafts ?? 0]
  return (
    <Section title={t.hotel} path="/hotel">
      <HotelCard />
      <Problem error={error} onRetry={() => void reload()} />
      {seesFigures && !value && !error && <Loading />}
      {value && (
        <>
          <Card title={t.people}>
            <Tiles
              label={t.people}
              tiles={[
                { name: t.active, value: members?.active ?? 0 },
                { name: t.activeToday, value: activity?.activeToday ?? 0 },
                { name: t.newThisMonth, value: activity?.newMembersThisMonth ?? 0 },
              ]}
            />
            <OtherCounts
              parts={[
                pending > 0 && fill(t.pending, { count: pending }),
                suspended > 0 && fill(t.suspended, { count: suspended }),
                teamCount > 0 && fill(t.teams, { count: teamCount }),
                departmentCount > 0 && fill(t.departments, { count: departmentCount }),
              ]}
            />
            <h3>{t.byRole}</h3>
            <Bars
              label={t.byRole}
              bars={byRole
                .toSorted(([, a], [, b]) => b - a)
                .map(([slug, count]) => ({ key: slug, name: roleName(slug), value: count }))}
            />
          </Card>
          <Card title={t.news}>
            <Tiles
              label={t.news}
              tiles={[
                { name: t.published, value: pages?.published ?? 0 },
                { name: t.views, value: interactions?.views ?? 0 },
                { name: t.reactions, value: interactions?.likes ?? 0 },
              ]}
            />
            <OtherCounts
              parts={[
                comments > 0 && fill(t.comments, { count: comments }),
                drafts > 0 && fill(t.drafts, { count: drafts }),
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
          </Card>
        </>
      )}
    </Section>
  )
}

/** What else there is, in one sentence without zeros. */
function OtherCounts({ parts }: { parts: (string | false)[] }) {
  const t = useTexts('hotel/overview')
  const list = parts.filter(part => part !== false)
  return list.length > 0 ? <p>{fill(t.rest, { list: new Intl.ListFormat(locale()).format(list) })}</p> : null
}

/** Name, picture and address of the hotel. */
function HotelCard() {
  const t = useTexts('hotel/hotel-card')
  const { workspace } = useMemberContext()
  const { value: hotel, error, reload } = useHotel()
  if (!hotel) return <Problem error={error} onRetry={() => void reload()} />
  const website = fileAddress(hotel.website)
  const logo = fileAddress(workspace.logo_url)
  const address = [hotel.address, hotel.city, hotel.country].filter(Boolean).join(', ')
  return (
    <section class="card hotel-card row wrap" aria-labelledby="hotel-name">
      {logo ? <img src={logo} alt="" /> : <Icon name="hotel" size={56} />}
      <div>
        <h2 id="hotel-name" dir="auto">
          {hotel.name}
        </h2>
        {hotel.type && <p class="hint">{hotel.type.name}</p>}
        <Facts
          facts={[
            [t.address, address],
            [t.phone, hotel.phone && <PhoneLink number={hotel.phone} />],
            [t.email, hotel.email && <MailLink address={hotel.email} />],
            [
              t.website,
              website && (
                <a href={website} rel="noopener noreferrer" target="_blank">
                  {hotel.website?.replace(/^https?:\/\//i, '')}
                </a>
              ),
            ],
          ]}
        />
      </div>
    </section>
  )
}
