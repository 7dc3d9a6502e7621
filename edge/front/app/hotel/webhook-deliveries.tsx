import type { WebhookDelivery } from '../../../../gen/client/notification.ts'
import { useAction } from '../platform/action.ts'
import { useLast, useLoad, withoutBlanks } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, pageNumber, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { Button, Toggle } from '../ui/controls.tsx'
import { Breakable } from '../ui/facts.tsx'
import { Empty, Loaded, notify, Problem } from '../ui/feedback.tsx'
import { Pager, Table, type TableColumn } from '../ui/table.tsx'
import { managesWebhooks, Section } from './section.tsx'
import { useEventName } from './webhooks.tsx'

/** What an endpoint was sent, and what it answered. */
export function WebhookDeliveries({ id }: { id: string }) {
  const t = useTexts('hotel/webhook-deliveries')
  const { may } = useMemberContext()
  const nameOf = useEventName()
  const query = useQuery('status', 'page')
  const status = (['pending', 'delivered', 'failed'] as const).find(one => one === query.status) ?? ''
  const page = pageNumber(query.page)
  const log = useLoad(managesWebhooks(may) ? `webhook-deliveries/${id}/${status}/${page}` : null, async signal => {
    const [webhook, deliveries] = await Promise.all([
      platform.notification.getWebhook({ id }, { signal }),
      platform.notification.listWebhookDeliveries({ id, page, limit: 20, ...withoutBlanks({ status }) }, { signal }),
    ])
    return { webhook, ...deliveries }
  })
  const list = useLast(log.value)
  const resend = useAction(async (delivery: WebhookDelivery) => {
    await platform.notification.resendWebhookDelivery({ id, deliveryId: delivery.id, body: {} })
    notify(t.resent)
    await log.reload()
  })
  const columns: TableColumn<WebhookDelivery>[] = [
    { name: t.event, cell: one => <span>{nameOf(one.eventType)}</span> },
    { name: t.time, cell: one => <span class="when">{one.createdAt && dateAndTimeOf(one.createdAt)}</span> },
    { name: t.attempts, isNumber: true, cell: one => <span>{one.attempts}</span> },
    {
      name: t.state,
      cell: one => (
        <span>
          <span class={`tag ${classByStatus[one.status] ?? ''}`}>{t.statuses[one.status] ?? one.status}</span>
          {one.nextAttemptAt && (
            <span class="hint">{fill(t.nextAttempt, { time: dateAndTimeOf(one.nextAttemptAt) })}</span>
          )}
        </span>
      ),
    },
    { name: t.answer, cell: one => <Answer delivery={one} /> },
    {
      name: t.actions,
      cell: one =>
        one.attempts > 0 && (
          <span class="actions">
            <Button class="small" onClick={() => void resend.run(one)}>
              {t.resend}
            </Button>
          </span>
        ),
    },
  ]
  return (
    <Section
      title={t.title}
      path="/hotel/webhooks"
      actions={
        <Button icon="redo" onClick={() => void log.reload()}>
          {t.refresh}
        </Button>
      }
    >
      <p class="hint">{list && <Breakable text={list.webhook.url} />}</p>
      <Toggle
        label={t.state}
        value={status}
        choices={{ '': t.all, ...t.statuses }}
        onValue={one => changeQuery({ status: one, page: '' })}
      />
      <Problem error={resend.error} statusTexts={{ 409: t.isOff }} />
      <Loaded load={{ ...log, value: list }} empty={<Empty icon="file" title={t.none} />}>
        {({ data }) => <Table label={t.title} columns={columns} rows={data} keyOf={one => one.id} />}
      </Loaded>
      <Pager meta={list?.meta} isLoading={log.isLoading} />
    </Section>
  )
}

const classByStatus: Record<WebhookDelivery['status'], string> = {
  pending: 'pending',
  delivered: 'strong',
  failed: 'suspended',
}

/** The status and text of the last answer, and why there is none or no further attempt. */
function Answer({ delivery: { responseStatus, responseBody, error, errorCode } }: { delivery: WebhookDelivery }) {
  const t = useTexts('hotel/webhook-deliveries')
  return (
    <span class="answer">
      {responseStatus && fill(t.answered, { status: String(responseStatus) })}{' '}
      {errorCode !== 'status' && ((errorCode && t.reasons[errorCode]) ?? error)}{' '}
      {errorCode === 'connection_failed' && `(${error})`}
      <bdi class="hint">{responseBody}</bdi>
    </span>
  )
}
