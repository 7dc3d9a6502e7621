import type { Webhook, WebhookDelivery } from '../../../../gen/client/notification.ts'
import { Breakable } from '../../../front/app/ui/facts.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import { Badge, ConfirmedButton, ListPager, Nothing, TimeAgo, type Tone } from '../parts.tsx'
import { platform } from '../session.ts'
import { DataTable } from '../table.tsx'

/** The opened endpoint, and the page of its deliveries. */
export type WebhookChoice = { webhook: string; deliveries: string }

/** The endpoints of a workspace, and what was delivered to the opened one. */
export async function readWebhooks(workspaceId: string, { webhook, deliveries }: WebhookChoice) {
  const { data } = await platform.notification.listWebhooks({ workspaceId })
  const endpoint = data.find(({ id }) => id === webhook)
  if (!endpoint) return { data }
  const page = Number(deliveries) || 1
  return {
    data,
    endpoint,
    log: await platform.notification.listWebhookDeliveries({ id: endpoint.id, page, limit: 10 }),
  }
}

type WebhookListProps = Awaited<ReturnType<typeof readWebhooks>> & { choose: (choice: WebhookChoice) => void }

export const WebhookList = ({ data, endpoint, log, choose }: WebhookListProps) => (
  <>
    <DataTable
      label="Webhooks"
      columns={webhookColumns}
      rows={data}
      keyOf={one => one.id}
      onRow={({ id }) => choose({ webhook: id, deliveries: '' })}
      empty={<Nothing title="No webhooks" />}
    />
    {endpoint && log && (
      <>
        <h3>
          Deliveries to <Breakable text={endpoint.url} />
        </h3>
        <DataTable
          label="Deliveries"
          columns={deliveryColumns(endpoint)}
          rows={log.data}
          keyOf={one => one.id}
          empty={<Nothing title="No deliveries">They are kept for 30 days.</Nothing>}
        />
        <ListPager
          list="deliveries"
          meta={log.meta}
          go={page => choose({ webhook: endpoint.id, deliveries: String(page) })}
        />
      </>
    )}
  </>
)

const reasons: Record<NonNullable<Webhook['disabledReason']>, string> = {
  gone: 'answered 410',
  failing: 'failed for five days',
}

function WebhookState({ isEnabled, disabledReason, disabledAt, failingSince }: Webhook) {
  if (isEnabled && failingSince)
    return (
      <>
        <Badge text="failing" tone="warn" /> <TimeAgo moment={failingSince} />
      </>
    )
  if (isEnabled) return <Badge text="enabled" tone="good" />
  return (
    <>
      <Badge text="disabled" tone="bad" />
      {disabledReason && (
        <span class="hint">
          {reasons[disabledReason] ?? disabledReason}, <TimeAgo moment={disabledAt} />
        </span>
      )}
    </>
  )
}

const webhookColumns: TableColumn<Webhook>[] = [
  { name: 'Address', cell: one => <Breakable text={one.url} />, isWide: true },
  { name: 'Events', cell: one => one.eventTypes.join(', ') || 'all', isWide: true },
  { name: 'State', cell: one => <WebhookState {...one} /> },
  {
    name: 'Action',
    cell: one =>
      !one.isEnabled && (
        <div class="actions">
          <ConfirmedButton
            label={`Enable ${one.url}`}
            question={{
              title: 'Enable this webhook?',
              text: `${one.url} receives events from now on. What it missed is not sent.`,
              submit: 'Enable',
              report: 'Enabled the webhook.',
            }}
            act={() => platform.notification.updateWebhook({ id: one.id, body: { isEnabled: true } })}
          />
        </div>
      ),
  },
]

const tones: Record<WebhookDelivery['status'], Tone> = { pending: 'info', delivered: 'good', failed: 'bad' }

const deliveryColumns = (webhook: Webhook): TableColumn<WebhookDelivery>[] => [
  { name: 'Event', cell: one => one.eventType },
  { name: 'Created', cell: one => <TimeAgo moment={one.createdAt} /> },
  { name: 'Attempts', cell: one => one.attempts, isNumber: true },
  { name: 'State', cell: one => <Badge text={one.status} tone={tones[one.status] ?? 'quiet'} /> },
  {
    name: 'Answer',
    isWide: true,
    cell: one => (
      <>
        {one.error ?? one.responseStatus}
        <bdi class="hint">{one.responseBody}</bdi>
      </>
    ),
  },
  {
    name: 'Action',
    cell: one =>
      webhook.isEnabled &&
      one.attempts > 0 && (
        <div class="actions">
          <ConfirmedButton
            label={`Send again: ${one.eventType}`}
            question={{
              title: 'Send this delivery again?',
              text: `${webhook.url} receives the event once more, under the same id.`,
              submit: 'Send again',
              report: 'The delivery is sent again.',
            }}
            act={() => platform.notification.resendWebhookDelivery({ id: webhook.id, deliveryId: one.id, body: {} })}
          />
        </div>
      ),
  },
]
