import { useState } from 'preact/hooks'
import type { DeliveryAttempt, GetDeliveryStatisticsResponse } from '../../../../gen/client/notification.ts'
import { Toggle } from '../../../front/app/ui/controls.tsx'
import { Loading } from '../../../front/app/ui/feedback.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import * as format from '../format.ts'
import { Badge, Failure, Figure, Filter, ListPager, Nothing, type Tone } from '../parts.tsx'
import { useFilters } from '../place.ts'
import { useRefreshed } from '../refresh.ts'
import { platform, statusOf } from '../session.ts'
import { DataTable } from '../table.tsx'

export const channels = [
  ['email', 'E-mail'],
  ['push', 'Push'],
  ['socket', 'Socket'],
] as const

/** The counts of some channels: attempted, and taken by the provider; retries are attempts without a result yet. */
export function sumDeliveries({ data }: GetDeliveryStatisticsResponse, names: string[]) {
  const sum = (status: string) =>
    data
      .filter(one => names.includes(one.channel) && one.status === status)
      .reduce((total, one) => total + one.count, 0)
  const [accepted, failed] = [sum('success'), sum('failed')]
  return { sent: accepted + failed, accepted, failed, retries: sum('retry') }
}

/** Delivery results by channel, over a day, a week or a month; the tries of one notification. */
export function Deliveries() {
  const [filters, setFilters] = useFilters(['hours', 'notification'])
  const [page, setPage] = useState(1)
  const { notification } = filters
  const hours = filters.hours || '24'
  const answers = useRefreshed(JSON.stringify([hours, notification, page]), 30_000, async () => ({
    statistics: await platform.notification.getDeliveryStatistics({ hours: Number(hours) }),
    attempts: notification ? await readAttempts(notification, page) : undefined,
  }))
  if (!answers) return <Loading />
  return (
    <div class="stack">
      <div>
        <Toggle
          label="Span"
          value={hours}
          choices={{ '24': '24 hours', '168': '7 days', '744': '31 days' }}
          onValue={next => setFilters({ hours: next })}
        />
      </div>
      <div class="figures fit">
        {channels.map(([name, text]) => (
          <ChannelFigure key={name} text={text} name={name} statistics={answers.statistics} />
        ))}
      </div>
      <Card
        title="One notification"
        hint="Sent: attempted. Accepted: the provider took it. Delivered: the provider reported that it arrived."
        extra={
          <Filter
            label="Notification id"
            value={notification}
            placeholder="24 characters"
            onValue={next => {
              setPage(1)
              setFilters({ notification: next })
            }}
          />
        }
      >
        {answers.attempts && <Attempts answer={answers.attempts} go={setPage} />}
      </Card>
    </div>
  )
}

type ChannelFigureProps = { name: string; text: string; statistics: GetDeliveryStatisticsResponse }

function ChannelFigure({ name, text, statistics }: ChannelFigureProps) {
  const { sent, accepted, failed, retries } = sumDeliveries(statistics, [name])
  const results = `${format.percent(accepted / sent)} accepted · ${format.count(failed)} failed · ${format.plural(retries, 'retry', 'retries')}`
  return (
    <Figure
      label={`${text}, sent`}
      value={format.short(sent)}
      note={sent === 0 ? 'none sent' : name === 'socket' ? 'frames sent to members' : results}
      isWarning={sent > 0 && failed / sent > 0.05}
    />
  )
}

/** The tries of one notification, or why an id has none. */
const readAttempts = (notificationId: string, page: number) =>
  platform.notification.listDeliveries({ notificationId, page, limit: 20 }).catch((error: unknown) => {
    if (![400, 404].includes(statusOf(error))) throw error
    return { error }
  })

function Attempts({ answer, go }: { answer: Awaited<ReturnType<typeof readAttempts>>; go: (page: number) => void }) {
  if ('error' in answer) return <Failure error={answer.error} />
  if (!answer.meta?.total) return <Nothing title="No attempts">Nothing was sent by push or e-mail.</Nothing>
  return (
    <>
      <DataTable label="Attempts" columns={attemptColumns} rows={answer.data} />
      <ListPager list="attempts" meta={answer.meta} go={go} />
    </>
  )
}

const results: Record<DeliveryAttempt['status'], [text: string, tone: Tone]> = {
  success: ['accepted', 'good'],
  failed: ['failed', 'bad'],
  retry: ['to be retried', 'warn'],
}

function Result({ status }: Pick<DeliveryAttempt, 'status'>) {
  const [text, tone] = results[status] ?? [status, 'quiet' as const]
  return <Badge text={text} tone={tone} />
}

const attemptColumns: TableColumn<DeliveryAttempt>[] = [
  { name: 'Channel', cell: one => one.channel },
  { name: 'Sent', cell: one => format.time(one.sentAt) },
  { name: 'Attempt', cell: one => format.count(one.attemptNumber), isNumber: true },
  { name: 'Member', cell: one => <code>{one.memberId}</code>, isWide: true },
  { name: 'Provider', cell: one => one.provider ?? format.dash, isMinor: true },
  { name: 'Result', cell: one => <Result status={one.status} /> },
  { name: 'Delivered', cell: one => (one.deliveredAt ? format.time(one.deliveredAt) : 'not reported') },
  { name: 'Error', cell: one => one.error ?? '', isWide: true },
]
