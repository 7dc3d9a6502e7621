import { useState } from 'preact/hooks'
import type { HotelSummary, Setup, SetupStep } from '../../../../gen/client/hotel.ts'
import { Facts } from '../../../front/app/ui/facts.tsx'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import { Icon } from '../../../front/app/ui/icon.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import * as format from '../format.ts'
import {
  Badge,
  ChangeButton,
  Choice,
  ConfirmedButton,
  Filter,
  ListPager,
  Nothing,
  openSheet,
  TimeAgo,
  type Tone,
} from '../parts.tsx'
import { useFilters } from '../place.ts'
import { useRefreshed } from '../refresh.ts'
import { platform } from '../session.ts'
import { DataTable } from '../table.tsx'
import { openHotelForm } from './hotel-actions.tsx'

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
          <div class="filters row wrap">
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
        <ListPager list="hotels" meta={hotels.meta} go={page => setPages({ ...pages, hotels: page })} />
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
        <DataTable
          label="Runs"
          columns={runColumns}
          rows={runs.data}
          keyOf={run => run.id}
          onRow={openRun}
          empty={
            <Nothing title="No runs">
              {filters.status ? 'Nothing matches the filter.' : 'A run appears when a hotel is set up.'}
            </Nothing>
          }
        />
        <ListPager list="runs" meta={runs.meta} go={page => setPages({ ...pages, runs: page })} />
      </Card>
    </div>
  )
}

const hotelColumns: TableColumn<HotelSummary>[] = [
  { name: 'Hotel', cell: one => one.name, isWide: true },
  { name: 'Location', cell: one => [one.city, one.country].filter(Boolean).join(', ') || format.dash, isWide: true },
  { name: 'Group', cell: one => one.group?.name ?? format.dash, isMinor: true, isWide: true },
  {
    name: 'Subscription',
    cell: one => <SubscriptionBadge state={subscriptionState(one)} />,
  },
  { name: 'Chat', cell: one => (one.chat_app_id ? <Badge text="ready" tone="good" /> : <Badge text="none" />) },
  { name: 'Access', cell: one => <HotelAccess isActive={one.isActive} /> },
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

const tones: Record<Setup['status'] | SetupStep['status'], Tone> = {
  pending: 'quiet',
  completed: 'good',
  running: 'info',
  undoing: 'warn',
  undone: 'quiet',
  parked: 'bad',
  done: 'good',
  started: 'info',
  failed: 'bad',
}
const kinds: Record<Setup['kind'], string> = {
  create: 'Setup',
  delete: 'Deletion',
  end: 'Final deletion',
  restore: 'Restore',
  suspend: 'Suspension',
  reopen: 'Reopening',
  rename: 'Rename',
  chat: 'Chat',
}

const kindOf = (run: Setup): string => kinds[run.kind] ?? run.kind
const StatusOf = ({ status }: { status: keyof typeof tones }) => <Badge text={status} tone={tones[status] ?? 'quiet'} />
const stepsOf = ({ steps }: Setup): string =>
  `${steps.filter(({ status }) => status === 'done').length} of ${steps.length} steps`

const runColumns: TableColumn<Setup>[] = [
  { name: 'Hotel', cell: run => run.hotelName, isWide: true },
  { name: 'Kind', cell: kindOf },
  { name: 'Status', cell: run => <StatusOf status={run.status} /> },
  { name: 'Progress', cell: stepsOf },
  { name: 'Updated', cell: run => <TimeAgo moment={run.updatedAt} /> },
]

const ResumeButton = ({ run }: { run: Setup }) =>
  run.status === 'parked' ? (
    <ConfirmedButton
      variant="main"
      label={`Resume the setup of ${run.hotelName}`}
      question={{
        title: `Resume ${run.hotelName}?`,
        text: 'The run continues at the step that failed. Fix the cause first; otherwise the run is parked again.',
        submit: 'Resume',
        report: `Resumed the run of ${run.hotelName}.`,
      }}
      act={() => platform.hotel.resumeSetup({ id: run.id })}
    />
  ) : null

/** One run: its kind, its progress and the result of each step. */
const RunRow = ({ run }: { run: Setup }) => (
  <article class="run" aria-label={`${kindOf(run)} of ${run.hotelName}`}>
    <header class="row wrap">
      <h3>
        <button type="button" class="link" onClick={() => openRun(run)}>
          {run.hotelName}
        </button>
      </h3>
      <StatusOf status={run.status} />
      <span class="hint">
        {kindOf(run)} · {stepsOf(run)} · <TimeAgo moment={run.updatedAt} />
      </span>
      <ResumeButton run={run} />
    </header>
    <ol class="steps row wrap">
      {run.steps.map(step => (
        <li key={step.position}>
          {step.name} <StatusOf status={step.status} />
        </li>
      ))}
    </ol>
    {run.error && (
      <p class="problem">
        <Icon name="warning" /> {run.error}
      </p>
    )}
  </article>
)

const durationOf = ({ startedAt, finishedAt }: SetupStep): number | undefined =>
  startedAt && finishedAt ? Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) : undefined

const stepColumns = (run: Setup): TableColumn<SetupStep>[] => [
  { name: 'Step', cell: step => `${step.position}. ${step.name}` },
  { name: 'Duration', cell: step => format.ms(durationOf(step)), isNumber: true },
  { name: 'Status', cell: step => <StatusOf status={step.status} /> },
  { name: `Started (${format.zone})`, cell: step => format.exactTime(step.startedAt) },
  { name: 'Attempts', cell: step => format.count(step.attempts), isNumber: true, isMinor: true },
  ...(run.steps.some(({ error }) => error)
    ? [{ name: 'Error', cell: (step: SetupStep) => step.error ?? '', isWide: true }]
    : []),
]

/** A run with its error and the times of its steps. */
export const RunDetails = ({ run }: { run: Setup }) => (
  <>
    <Facts
      facts={[
        ['Run', <code>{run.id}</code>],
        ['Kind', kindOf(run)],
        ['Status', <StatusOf status={run.status} />],
        ['Started', format.time(run.createdAt)],
        ['Updated', format.time(run.updatedAt)],
        ['Error', run.error],
      ]}
    />
    <ResumeButton run={run} />
    <DataTable
      label={`Steps of ${kindOf(run)}, ${format.time(run.createdAt)}`}
      columns={stepColumns(run)}
      rows={run.steps}
    />
  </>
)

const openRun = (run: Setup): void =>
  openSheet(run.hotelName, () => (
    <>
      <p>
        <a href={`#/hotels/${run.hotelId}`}>Page of this hotel</a>
      </p>
      <RunDetails run={run} />
    </>
  ))
