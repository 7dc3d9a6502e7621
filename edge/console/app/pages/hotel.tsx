import type { GetHotelResponse } from '../../../../gen/client/hotel.ts'
import type { ListAuditEntriesResponse as AuditPage, HotelMember } from '../../../../gen/client/member.ts'
import type { ChannelAnalytics } from '../../../../gen/client/notification.ts'
import type { Subscription } from '../../../../gen/client/payment.ts'
import { Breakable, Facts } from '../../../front/app/ui/facts.tsx'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import type { EventPage } from '../answers.ts'
import * as format from '../format.ts'
import { Activity, Badge, Figure, Nothing, PartCard, TimeAgo } from '../parts.tsx'
import { useFilters, useRecordName } from '../place.ts'
import { loadPart, type PartialAnswer, useRefreshed } from '../refresh.ts'
import { platform, readConsole } from '../session.ts'
import { DataTable } from '../table.tsx'
import { AuditTable } from './audit.tsx'
import { channels } from './deliveries.tsx'
import { EventRows } from './events.tsx'
import { HotelActions, RestoreButton } from './hotel-actions.tsx'
import { readWebhooks, type WebhookChoice, WebhookList } from './hotel-webhooks.tsx'
import { HotelAccess, RunDetails, SubscriptionBadge, subscriptionState } from './hotels.tsx'

async function readHotel(id: string, choice: WebhookChoice) {
  const hotel = await loadPart(platform.hotel.getHotel({ id }))
  const { workspace, payment_customer_id: customer } = hotel.answer ?? {}
  /** Without the hotel, its workspace and customer are unknown, not missing. */
  const ofHotel = async <Answer,>(
    key: string | null | undefined,
    ask: (key: string) => Promise<Answer>,
  ): Promise<PartialAnswer<Answer>> => (hotel.error ? { error: hotel.error } : key ? loadPart(ask(key)) : {})
  const [runs, people, administrators, subscription, analytics, webhooks, events, entries] = await Promise.all([
    loadPart(platform.hotel.listSetups({ hotelId: id, limit: 5 })),
    loadPart(platform.member.listHotelMembers({ id, limit: 1 })),
    loadPart(platform.member.listHotelMembers({ id, isAdmin: true, limit: 20 })),
    ofHotel(customer, key => platform.payment.getSubscription({ customer_id: key })),
    ofHotel(workspace, key => platform.notification.getNotificationAnalytics({ workspaceId: key, period: '7d' })),
    ofHotel(workspace, key => readWebhooks(key, choice)),
    loadPart(readConsole<EventPage>('events', { about: [id, workspace ?? []].flat(), limit: 10 })),
    loadPart<AuditPage>(
      workspace
        ? platform.member.listAuditEntries({ workspaceId: workspace, limit: 10 })
        : platform.member.listPlatformAuditEntries({ entityId: id, limit: 10 }),
    ),
  ])
  return { hotel, runs, people, administrators, subscription, analytics, webhooks, events, entries }
}

type Readings = Awaited<ReturnType<typeof readHotel>>

/** One hotel: people, subscription, set-up, notifications, webhooks, events and audit. */
export function Hotel({ id }: { id: string }) {
  const [choice, choose] = useFilters(['webhook', 'deliveries'])
  const readings = useRefreshed(JSON.stringify([id, choice]), 15_000, () => readHotel(id, choice))
  useRecordName(readings?.hotel.answer?.name ?? readings?.runs.answer?.data[0]?.hotelName ?? 'Hotel')
  if (!readings) return <Loading />
  const { hotel, runs, administrators, subscription, analytics, webhooks, events, entries } = readings
  return (
    <div class="stack">
      <p>
        <a href="#/hotels">All hotels</a>
      </p>
      <HotelFigures {...readings} />
      <div class="columns even">
        <PartCard
          title="Hotel"
          extra={hotel.answer && <HotelActions hotel={hotel.answer} subscription={subscription.answer} />}
          part={hotel}
          show={one => <HotelFacts hotel={one} />}
          missingText={<MissingHotel id={id} runs={runs} />}
        />
        <PartCard
          title="Subscription"
          hint="Of the payment provider’s customer"
          part={subscription}
          show={one => <SubscriptionFacts subscription={one} state={hotel.answer && subscriptionState(hotel.answer)} />}
          missingText={<Nothing title="No subscription" />}
        />
        <PartCard
          title="Administrators"
          hint="Of the hotel or its workspace"
          part={administrators}
          show={({ data, meta }) => (
            <>
              <DataTable
                label="Administrators"
                columns={administratorColumns}
                rows={data}
                empty={<Nothing title="No administrators" />}
              />
              <Remainder total={meta?.total} count={data.length} />
            </>
          )}
          missingText={<Nothing title="No administrators" />}
        />
        <PartCard
          title="Notifications, 7 days"
          hint="In the hotel’s workspace, by receiver"
          part={analytics}
          show={({ byChannel, read }) => (
            <>
              <DataTable label="Notifications by channel" columns={channelColumns(byChannel)} rows={[...channels]} />
              <p class="hint">{format.count(read)} read. Accepted: taken by the provider, which reports no delivery.</p>
            </>
          )}
          missingText={<Nothing title="No workspace" />}
        />
      </div>
      <PartCard
        title="Setup"
        hint="Runs of this hotel, newest first, with the time of each step"
        part={runs}
        show={({ data }) => (
          <>
            {data.length === 0 && <Nothing title="No runs">Runs are kept for some months.</Nothing>}
            {data.map(run => (
              <div class="run" key={run.id}>
                <RunDetails run={run} />
              </div>
            ))}
          </>
        )}
      />
      <PartCard
        title="Webhooks"
        hint="The hotel’s own systems that receive its events; a row opens what was delivered"
        part={webhooks}
        show={answer => <WebhookList {...answer} choose={choose} />}
        missingText={<Nothing title="No workspace" />}
      />
      <PartCard
        title="Latest events"
        extra={<a href={`#/events?about=${id}`}>All events of this hotel</a>}
        part={events}
        show={answer => <EventRows label="Events of this hotel" answer={answer} />}
      />
      <PartCard
        title="Audit"
        hint="Changes of the hotel, and of rights in its workspace"
        part={entries}
        show={({ data }) => (
          <>
            <AuditTable entries={data} emptyText="Nothing has changed yet." />
            {hotel.answer && data.length > 0 && <a href={`#/audit?hotel=${id}`}>All entries</a>}
          </>
        )}
      />
    </div>
  )
}

const Remainder = ({ total = 0, count }: { total: number | undefined; count: number }) =>
  total > count ? <p class="hint">{format.count(total - count)} more</p> : null

const HotelFacts = ({ hotel }: { hotel: GetHotelResponse }) => (
  <Facts
    facts={[
      ['Id', <code>{hotel.id}</code>],
      ['Workspace', hotel.workspace && <code>{hotel.workspace}</code>],
      ['Access', <HotelAccess isActive={hotel.isActive} />],
      ['Address', [hotel.address, hotel.city, hotel.country].filter(Boolean).join(', ')],
      ['Group', hotel.group?.name],
      ['Type', hotel.type?.name],
      ['Phone', hotel.phone],
      ['E-mail', hotel.email && <Breakable text={hotel.email} />],
      ['Website', hotel.website],
      ['Time zone', hotel.settings?.timezone],
      ['Currency', hotel.settings?.currency],
      ['Chat', hotel.chat_app_id ? <code>{hotel.chat_app_id}</code> : 'none'],
    ]}
  />
)

const noteOf = ({ error }: PartialAnswer<unknown>, note: string): string => (error ? 'not available' : note)

function HotelFigures({ hotel, people, administrators, subscription, analytics, runs }: Readings) {
  const status = hotel.answer ? subscriptionState(hotel.answer) : hotel.error ? format.dash : 'none'
  const run = runs.answer?.data[0]
  const { email, push } = analytics.answer?.byChannel ?? {}
  const sentCount = (email?.sent ?? 0) + (push?.sent ?? 0)
  const acceptedCount = (email?.delivered ?? 0) + (push?.delivered ?? 0)
  return (
    <div class="figures fit">
      <Figure
        label="Members"
        value={format.count(people.answer?.meta?.total)}
        note={noteOf(administrators, format.plural(administrators.answer?.meta?.total ?? 0, 'administrator'))}
      />
      <Figure
        label="Subscription"
        value={status}
        note={noteOf(subscription, subscription.answer ? `plan ${subscription.answer.plan}` : '')}
        isWarning={status === 'inactive'}
      />
      <Figure
        label="Last run"
        value={run?.status ?? format.dash}
        note={run ? <TimeAgo moment={run.updatedAt} /> : noteOf(runs, '')}
        isWarning={run?.status === 'parked'}
      />
      <Figure
        label="Sent, 7 days"
        value={analytics.error ? format.dash : format.short(sentCount)}
        note={noteOf(
          analytics,
          sentCount > 0
            ? `${format.percent(acceptedCount / sentCount)} of mails and pushes accepted`
            : 'no mails or pushes',
        )}
      />
    </div>
  )
}

const administratorColumns: TableColumn<HotelMember>[] = [
  { name: 'Name', cell: one => [one.firstName, one.lastName].filter(Boolean).join(' ') || format.dash, isWide: true },
  { name: 'E-mail', cell: one => <Breakable text={one.email} />, isWide: true },
  { name: 'Role', cell: one => one.role },
  {
    name: 'State',
    cell: one => (one.userId ? <Activity isActive={one.isActive} /> : <Badge text="not signed up" />),
  },
]

/** A hotel that isn't there: one that was deleted can be restored. */
function MissingHotel({ id, runs }: { id: string; runs: Readings['runs'] }) {
  const last = runs.answer?.data.find(({ kind }) => kind === 'delete' || kind === 'restore')
  if (last?.kind !== 'delete') return <Nothing title="Not found">It was deleted, or its setup isn’t complete.</Nothing>
  return (
    <Nothing title="Deleted">
      <p>
        It was deleted <TimeAgo moment={last.createdAt} />. Within the grace period it can be restored.
      </p>
      <RestoreButton id={id} name={last.hotelName} />
    </Nothing>
  )
}

type SubscriptionFactsProps = { subscription: Subscription; state: string | undefined }

const SubscriptionFacts = ({ subscription: one, state = one.status }: SubscriptionFactsProps) => (
  <Facts
    facts={[
      ['Status', <SubscriptionBadge state={state} />],
      ['At the provider', one.status !== state && one.status],
      ['Plan', one.plan],
      ['Id', <code>{one.id}</code>],
      ['Customer', <code>{one.customer_id}</code>],
      ['Trial ends', one.trialEndsAt && format.time(one.trialEndsAt)],
      ['Period ends', one.currentPeriodEndsAt && format.time(one.currentPeriodEndsAt)],
      ['Cancelled', one.cancelledAt && format.time(one.cancelledAt)],
      ['At its end', one.cancelAtPeriodEnd && 'ends with the period'],
      ['Since', format.time(one.createdAt)],
    ]}
  />
)

const channelColumns = (counts: ChannelAnalytics | null): TableColumn<(typeof channels)[number]>[] => [
  { name: 'Channel', cell: ([, text]) => text },
  { name: 'Sent', cell: ([name]) => format.count(counts?.[name]?.sent), isNumber: true },
  {
    name: 'Accepted',
    cell: ([name]) => (name === 'socket' ? format.dash : format.count(counts?.[name]?.delivered)),
    isNumber: true,
  },
]
