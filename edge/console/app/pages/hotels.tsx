import { useState } from 'preact/hooks'
import type { HotelSummary, Setup } from '../../../../gen/client/hotel.ts'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import * as format from '../format.ts'
import { Badge, Card, ChangeButton, Choice, Filter, ListPager, Nothing, TimeAgo, type Tone } from '../parts.tsx'
import { useFilters } from '../place.ts'
import { useRefreshed } from '../refresh.ts'
import { kindOf, openRun, RunRow, StatusOf, stepsOf } from '../runs.tsx'
import { platform } from '../session.ts'
import { type DataColumn, DataTable } from '../table.tsx'
import { openHotelForm } from './hotel-form.tsx'

const statuses = ['running', 'parked', 'undoing', 'undone', 'completed'] as const
const openStatuses = ['parked', 'undoing', 'running'] as const
const maxOpenRuns = 8

type Filters = { search: string; status: string }
type ListPages = { hotels: number; runs: number }

async function readHotels({ search, status }: Filters, pages: ListPages) {
  const knownStatus = statuses.find(one => one === status)
  const [hotels, runs, ...open] = await Promise.all([
    platform.hotel.listHotels({ ...(search ? { search } : {}), page: pages.hotels, limit: 20 }),
    platform.hotel.listSetups({ ...(knownStatus ? { status: knownStatus } : {}), page: pages.runs, limit: 10 }),
    ...openStatuses.map(one => platform.hotel.listSetups({ status: one, limit: maxOpenRuns })),
  ])
  return {
    hotels,
    runs,
    openRuns: open.flatMap(({ data }) => data).slice(0, maxOpenRuns),
    openTotal: open.reduce((sum, { meta }) => sum + (meta?.total ?? 0), 0),
  }
}

/** Open runs, hotels, and the runs that set hotels up or deleted them. */
export function Hotels() {
  const [filters, setFilters] = useFilters(['search', 'status'])
  const [pages, setPages] = useState<ListPages>({ hotels: 1, runs: 1 })
  const lists = useRefreshed(JSON.stringify([filters, pages]), 10_000, () => readHotels(filters, pages))
  const change = (next: Partial<Filters>) => {
    setPages({ hotels: 1, runs: 1 })
    setFilters(next)
  }
  if (!lists) return <Loading />
  const { hotels, runs, openRuns, openTotal } = lists
  return (
    <div class="stack">
      {openRuns.length > 0 && (
        <Card title="In progress" hint="Parked runs wait for you: fix the cause, then resume">
          {openRuns.map(run => (
            <RunRow key={run.id} run={run} />
          ))}
          {openTotal > openRuns.length && <p class="hint">{format.count(openTotal - openRuns.length)} more below</p>}
        </Card>
      )}
      <Card
        title="Hotels"
        extra={
          <div class="filters">
            <Filter
              label="Search"
              value={filters.search}
              placeholder="name or id"
              onValue={search => change({ search })}
            />
            <ChangeButton variant="main" onClick={() => void openHotelForm()}>
              Create hotel
            </ChangeButton>
          </div>
        }
      >
        {hotels.data.length > 0 ? (
          <DataTable
            label="Hotels"
            columns={hotelColumns}
            rows={hotels.data}
            keyOf={one => one.id}
            href={one => `#/hotels/${one.id}`}
          />
        ) : filters.search ? (
          <Nothing title="No hotels">No name contains this text, and no hotel has it as its id.</Nothing>
        ) : (
          <Nothing title="No hotels yet">The first one that you create appears here.</Nothing>
        )}
        <ListPager of="hotels" meta={hotels.meta} go={page => setPages({ ...pages, hotels: page })} />
      </Card>
      <Card
        title="Setups and deletions"
        hint="Durable runs: each step is recorded before it runs, and undone if a later one fails"
        extra={
          <Choice
            label="Status"
            choices={[['', 'All'], ...statuses.map((one): [string, string] => [one, one])]}
            value={filters.status}
            onValue={status => change({ status })}
          />
        }
      >
        {runs.data.length > 0 ? (
          <DataTable label="Runs" columns={runColumns} rows={runs.data} keyOf={run => run.id} onRow={openRun} />
        ) : (
          <Nothing title="No runs">
            {filters.status ? 'Nothing matches the filter.' : 'A run appears when a hotel is set up.'}
          </Nothing>
        )}
        <ListPager of="runs" meta={runs.meta} go={page => setPages({ ...pages, runs: page })} />
      </Card>
    </div>
  )
}

const hotelColumns: DataColumn<HotelSummary>[] = [
  { head: 'Hotel', cell: one => one.name, isWide: true },
  { head: 'Location', cell: one => [one.city, one.country].filter(Boolean).join(', ') || format.dash, isWide: true },
  { head: 'Group', cell: one => one.group?.name ?? format.dash, isMinor: true, isWide: true },
  {
    head: 'Subscription',
    cell: one => <SubscriptionBadge state={subscriptionState(one)} />,
  },
  { head: 'Chat', cell: one => (one.chat_app_id ? <Badge text="ready" tone="good" /> : <Badge text="none" />) },
  { head: 'Access', cell: one => <HotelAccess isActive={one.isActive} /> },
]

/** The state of a hotel's subscription. On the platform a trial counts as active. */
export const subscriptionState = (hotel: Pick<HotelSummary, 'subscription_status' | 'trialEndsAt'>): string =>
  hotel.subscription_status === 'active' && hotel.trialEndsAt && Date.parse(hotel.trialEndsAt) > Date.now()
    ? 'trial'
    : (hotel.subscription_status ?? 'none')

const subscriptionTones: Record<string, Tone> = { active: 'good', trial: 'info', inactive: 'warn' }

export const SubscriptionBadge = ({ state }: { state: string }) => (
  <Badge text={state} tone={subscriptionTones[state] ?? 'quiet'} />
)

/** Whether a hotel's people can use it. */
export const HotelAccess = ({ isActive }: { isActive: boolean }) => (
  <Badge text={isActive ? 'open' : 'suspended'} tone={isActive ? 'good' : 'warn'} />
)

const runColumns: DataColumn<Setup>[] = [
  { head: 'Hotel', cell: run => run.hotelName, isWide: true },
  { head: 'Kind', cell: kindOf },
  { head: 'Status', cell: run => <StatusOf status={run.status} /> },
  { head: 'Progress', cell: stepsOf },
  { head: 'Updated', cell: run => <TimeAgo moment={run.updatedAt} /> },
]
