import type { ComponentChildren } from 'preact'
import { useStore } from '../../../front/app/platform/store.ts'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import { Icon } from '../../../front/app/ui/icon.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import type { ConsoleStatus, ConsumerState, EventPage } from '../answers.ts'
import * as format from '../format.ts'
import { Badge, Figure, Nothing } from '../parts.tsx'
import { freshness, loadPart, type PartialAnswer, useRefreshed } from '../refresh.ts'
import { platform, readConsole } from '../session.ts'
import { DataTable } from '../table.tsx'
import { sumDeliveries } from './deliveries.tsx'
import { EventRows } from './events.tsx'

/** What the overview reads besides the status, under the names that its problems show. */
async function readOverview() {
  const [hotels, parkedSetups, runningSetups, sessions, statistics, events] = await Promise.all([
    loadPart(platform.hotel.listHotels({ limit: 1 })),
    loadPart(platform.hotel.listSetups({ status: 'parked', limit: 1 })),
    loadPart(platform.hotel.listSetups({ status: 'running', limit: 1 })),
    loadPart(platform.auth.listSessions({ isActive: true, limit: 1 })),
    loadPart(platform.notification.getDeliveryStatistics({ hours: 24 })),
    loadPart(readConsole<EventPage>('events', { limit: 7 })),
  ])
  const parts: Record<string, PartialAnswer<unknown>> = {
    hotels,
    'parked setups': parkedSetups,
    'running setups': runningSetups,
    sessions,
    deliveries: statistics,
    'latest events': events,
  }
  const total = ({ answer }: PartialAnswer<{ meta: { total: number } | null }>) => answer?.meta?.total
  return {
    hotels: total(hotels),
    parked: total(parkedSetups),
    running: total(runningSetups),
    sessions: total(sessions),
    statistics: statistics.answer,
    events: events.answer,
    missing: Object.keys(parts).filter(name => parts[name]?.error),
  }
}

type Readings = Awaited<ReturnType<typeof readOverview>>

/** One screen: problems, key figures, latest events, services and consumers. */
export function Overview() {
  const readings = useRefreshed('overview', 5_000, readOverview)
  const { status } = useStore(freshness)
  if (!readings || !status) return <Loading />
  const { bus, services } = status
  const { events } = readings
  return (
    <div class="stack">
      <Banner status={status} readings={readings} />
      <KeyFigures bus={bus} readings={readings} />
      <div class="columns">
        <Card title="Latest events" extra={<a href="#/events">All events</a>}>
          {events ? <EventRows label="Latest events" answer={events} /> : <Nothing title="Not available" />}
        </Card>
        <Card title="Services">
          <ul class="rows">
            {services.map(({ name, up }) => (
              <Health key={name} name={names[name] ?? name} isUp={up} />
            ))}
            <Health name="Message broker" isUp={bus.connected} />
          </ul>
        </Card>
      </div>
      <Card title="Consumers" hint="Durable consumers of the event stream, across all processes">
        <DataTable
          label="Consumers"
          columns={consumerColumns}
          rows={bus.consumers}
          empty={<Nothing title={bus.connected ? 'No consumers' : 'The message broker is disconnected'} />}
        />
      </Card>
    </div>
  )
}

const names: Record<string, string> = {
  auth: 'Authentication',
  member: 'Members',
  hotel: 'Hotels',
  media: 'Media',
  news: 'News',
  notification: 'Notifications',
  payment: 'Payments',
}

const Health = ({ name, isUp }: { name: string; isUp: boolean }) => (
  <li>
    <span>{name}</span>
    <Badge text={isUp ? 'up' : 'not responding'} tone={isUp ? 'good' : 'bad'} />
  </li>
)

/** More pending messages are a problem. */
const maxPending = 1_000

const consumerColumns: TableColumn<ConsumerState>[] = [
  { name: 'Consumer', cell: one => one.durable },
  {
    name: 'Pending',
    cell: one => <span class={one.waiting > maxPending ? 'tone-bad' : ''}>{format.short(one.waiting)}</span>,
    isNumber: true,
  },
  { name: 'In progress', cell: one => format.short(one.delivered), isNumber: true },
  { name: 'Redelivered', cell: one => format.short(one.redelivered), isNumber: true },
]

const countPending = ({ consumers }: ConsoleStatus['bus']): number =>
  consumers.reduce((sum, one) => sum + one.waiting, 0)

type Problem = { isBad: boolean; text: string; href?: string }

function problemsOf({ services, bus }: ConsoleStatus, { parked = 0, missing }: Readings): Problem[] {
  const downServices = services.filter(({ up }) => !up).map(({ name }) => names[name] ?? name)
  const pending = countPending(bus)
  const problems: (Problem | false)[] = [
    downServices.length > 0 && { isBad: true, text: `${downServices.join(', ')} not responding` },
    !bus.connected && { isBad: true, text: 'Message broker disconnected: events are queued in the databases' },
    parked > 0 && { isBad: false, text: format.plural(parked, 'parked setup'), href: '#/hotels?status=parked' },
    missing.length > 0 && { isBad: true, text: `Not available: ${missing.join(', ')}` },
    (bus.dead ?? 0) > 0 && { isBad: false, text: format.plural(bus.dead ?? 0, 'dead letter'), href: '#/dead-letters' },
    pending > maxPending && { isBad: false, text: `${format.short(pending)} pending messages` },
  ]
  return problems.filter(problem => problem !== false)
}

/** Everything that needs attention, or that nothing does. */
function Banner({ status, readings }: { status: ConsoleStatus; readings: Readings }) {
  const problems = problemsOf(status, readings)
  const tone = problems.some(({ isBad }) => isBad) ? 'bad' : problems.length > 0 ? 'warn' : 'good'
  const title = { good: 'All systems operational', warn: 'Needs attention', bad: 'Service disruption' }[tone]
  return (
    <section class={`card banner row wrap tone-${tone}`} aria-label="Platform status">
      <Icon name={tone === 'good' ? 'check' : 'warning'} />
      <h2>{title}</h2>
      <ul class="row wrap push">
        {problems.map(({ text, href }) => (
          <li key={text}>{href ? <a href={href}>{text}</a> : text}</li>
        ))}
      </ul>
    </section>
  )
}

function setupNote({ parked, running = 0 }: Readings): string {
  if (parked === undefined) return 'setups not available'
  if (parked > 0) return format.plural(parked, 'parked setup')
  return running > 0 ? format.plural(running, 'setup in progress', 'setups in progress') : 'no setup in progress'
}

function sentNote(sums: ReturnType<typeof sumDeliveries> | undefined): ComponentChildren {
  if (!sums) return 'not available'
  return sums.sent > 0
    ? `${format.percent(sums.accepted / sums.sent)} of mails and pushes accepted`
    : 'no mails or pushes'
}

function KeyFigures({ bus, readings }: { bus: ConsoleStatus['bus']; readings: Readings }) {
  const { hotels, parked = 0, sessions, statistics, events } = readings
  const sums = statistics && sumDeliveries(statistics, ['email', 'push'])
  const dead = bus.dead ?? 0
  return (
    <div class="figures fit">
      <Figure label="Events" value={format.short(events?.last)} note="published so far" href="#/events" />
      <Figure
        label="Pending"
        value={bus.connected ? format.short(countPending(bus)) : format.dash}
        note={dead > 0 ? format.plural(dead, 'dead letter') : 'no dead letters'}
        isWarning={dead > 0}
        href="#/dead-letters"
      />
      <Figure label="Sent, 24 hours" value={format.short(sums?.sent)} note={sentNote(sums)} href="#/deliveries" />
      <Figure
        label="Hotels"
        value={format.count(hotels)}
        note={setupNote(readings)}
        isWarning={parked > 0}
        href="#/hotels"
      />
      <Figure label="Active sessions" value={format.short(sessions)} note="signed in now" href="#/sessions" />
    </div>
  )
}
