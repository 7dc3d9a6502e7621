import type { JsonObject } from '@bufbuild/protobuf'
import { AuditRecordedSchema } from '../../../gen/platform/events/v1/audit_pb.ts'
import { auditScope, type EventActor, emit } from '../../kernel/bus/events.ts'
import type { NotificationTrx, WebhookRow } from '../tables.ts'
import { typesOf } from './endpoints.sql.ts'

type WebhookAudit = {
  id: string
  actor: EventActor
  action: 'created' | 'updated' | 'deleted' | 'secret_rotated' | 'disabled' | 'resent'
  before?: JsonObject
  after?: JsonObject
}

/** Records a change of an endpoint in the audit log of its workspace, once the transaction commits. */
export const auditWebhook = (
  trx: NotificationTrx,
  { workspaceId, ecosystemId }: { workspaceId: string; ecosystemId?: string | undefined },
  { id, action, actor, before, after }: WebhookAudit,
) =>
  emit(
    trx,
    AuditRecordedSchema,
    { id, action: `webhook.${action}`, ...(before ? { before } : {}), ...(after ? { after } : {}) },
    { ...auditScope(actor, ecosystemId), workspaceId },
  )

/** Recorded fields of an endpoint. Queries of addresses may hold tokens, so they are left out. */
export function webhookValues(row: Pick<WebhookRow, 'url' | 'event_types' | 'description' | 'is_enabled'>): JsonObject {
  const { host, pathname } = new URL(row.url)
  return {
    address: `${host}${pathname}`,
    eventTypes: typesOf(row),
    description: row.description,
    isEnabled: row.is_enabled === 1,
  }
}
