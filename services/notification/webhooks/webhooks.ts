import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { HandlerContext } from '@connectrpc/connect'
import type { Updateable } from 'kysely'
import { WebhookService } from '../../../gen/platform/notification/v1/webhooks_pb.ts'
import { eventActorOf, tenantOf, tenantOfRecord } from '../../kernel/access/access.ts'
import { requirePermission, type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields, timestamp } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Poller } from '../../kernel/base/poller.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { cursorPaging, cutToPage } from '../../kernel/rpc/cursor.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { cutList, pageMeta } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import type { NotificationTables, NotificationTrx, WebhookDeliveryRow, WebhookRow } from '../tables.ts'
import { type AddressRules, checkUrl } from './address.ts'
import { auditWebhook, webhookValues } from './audit.ts'
import * as deliveries from './deliveries.sql.ts'
import * as endpoints from './endpoints.sql.ts'
import { newDelivery, webhookTypes } from './intake.ts'

type Parts = Pick<Context, 'db' | 'clock'> & {
  secretCipher: Cipher
  rules: AddressRules
  webhookDeliveries: Pick<Poller, 'wake'>
}

/** A list of the largest bodies would exceed the size of an answer. */
const shownBodyLength = 4_000
const dayMs = 24 * 3_600_000
const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`
const notFound = () => new NotFoundError('Webhook not found')
const deliveryNotFound = () => new NotFoundError('Delivery not found')

/** Deliveries tell of members, so a caller must be allowed to see these, too. */
function seeingMembers(tenant: Tenant): Tenant {
  requirePermission(tenant, 'view_members')
  return tenant
}

/** The endpoints of a workspace, and what was delivered to them. */
export function webhookService({ db, clock, secretCipher, rules, webhookDeliveries }: Parts): Rpc {
  const openTenant = async (id: string, context: HandlerContext) =>
    seeingMembers(await tenantOfRecord(context, await endpoints.locateWebhook(db, id), 'Webhook'))

  /** Runs `work` on the locked endpoint. */
  async function withLocked<T>(
    id: string,
    context: HandlerContext,
    work: (trx: NotificationTrx, tenant: Tenant, webhook: WebhookRow) => Promise<T>,
  ): Promise<T> {
    const tenant = await openTenant(id, context)
    return inTransaction(db, async trx => {
      const webhook = await endpoints.lockWebhook(trx, tenant, id)
      if (!webhook) throw notFound()
      return work(trx, tenant, webhook)
    })
  }

  const change = (
    id: string,
    context: HandlerContext,
    action: 'updated' | 'secret_rotated',
    valuesFor: (webhook: WebhookRow) => Updateable<NotificationTables['webhooks']>,
  ): Promise<WebhookRow> =>
    withLocked(id, context, async (trx, tenant, webhook) => {
      const changes = Object.entries(valuesFor(webhook)).filter(
        ([column, value]) => webhook[column as keyof WebhookRow] !== value,
      )
      if (changes.length === 0) return webhook
      await endpoints.updateWebhook(trx, tenant, id, Object.fromEntries(changes))
      const changedWebhook = await endpoints.lockWebhook(trx, tenant, id)
      if (!changedWebhook) throw notFound()
      if (changedWebhook.is_enabled === 0) await deliveries.failWaiting(trx, id, 'endpoint_disabled')
      const actor = eventActorOf(context)
      const values =
        action === 'updated' ? { before: webhookValues(webhook), after: webhookValues(changedWebhook) } : {}
      await auditWebhook(trx, tenant, { id, actor, action, ...values })
      return changedWebhook
    })

  /** Enqueues a delivery to an enabled endpoint. */
  async function enqueue(
    id: string,
    context: HandlerContext,
    write: (trx: NotificationTrx, tenant: Tenant, webhook: WebhookRow) => Promise<string>,
  ) {
    const delivery = await withLocked(id, context, async (trx, tenant, webhook) => {
      if (webhook.is_enabled === 0) throw new ConflictError('The endpoint is disabled')
      return deliveries.findWebhookDelivery(trx, tenant, id, await write(trx, tenant, webhook))
    })
    webhookDeliveries.wake()
    return { delivery: delivery && deliveryMessage(delivery) }
  }

  return implement(WebhookService, {
    async createWebhook({ url, eventTypes, description }, context) {
      checkUrl(url, rules)
      checkTypes(eventTypes)
      const tenant = seeingMembers(tenantOf(context))
      const secret = newSecret()
      const webhook = {
        id: newId(),
        workspace_id: tenant.workspaceId,
        url,
        event_types: JSON.stringify(eventTypes),
        description: description ?? null,
        is_enabled: 1,
        secret: secretCipher.seal(secret),
        created_at: new Date(),
      }
      const row = await inTransaction(db, async trx => {
        await endpoints.insertWebhook(trx, webhook)
        // Counted after the insertion and with locks, so that simultaneous calls don't exceed the limit.
        const rows = await endpoints.webhooksOf(trx, tenant).forUpdate().execute()
        if (rows.length > endpoints.maxWebhooks)
          throw new ConflictError(`A workspace has at most ${endpoints.maxWebhooks} webhooks`)
        const actor = eventActorOf(context)
        await auditWebhook(trx, tenant, { id: webhook.id, actor, action: 'created', after: webhookValues(webhook) })
        return rows.find(({ id }) => id === webhook.id)
      })
      return { webhook: row && webhookMessage(row, secret) }
    },

    async listWebhooks(request, context) {
      const { data, meta } = cutList(
        await endpoints.webhooksOf(db, seeingMembers(tenantOf(context))).execute(),
        request,
      )
      return { data: data.map(row => webhookMessage(row)), meta, availableEventTypes: [...webhookTypes] }
    },

    async getWebhook({ id }, context) {
      await openTenant(id, context)
      const row = await endpoints.findWebhook(db, id)
      if (!row) throw notFound()
      return { webhook: webhookMessage(row) }
    },

    async updateWebhook({ id, updateMask, url, eventTypes, description, isEnabled }, context) {
      const paths = new Set(updateMask?.paths)
      if (paths.has('url') && url === undefined) throw invalid('url', 'cannot be cleared', 'required')
      if (paths.has('is_enabled') && isEnabled === undefined)
        throw invalid('isEnabled', 'cannot be cleared', 'required')
      if (url !== undefined) checkUrl(url, rules)
      checkTypes(eventTypes)
      const row = await change(id, context, 'updated', webhook => ({
        ...(url !== undefined && { url }),
        ...(paths.has('event_types') &&
          !isDeepStrictEqual(eventTypes, endpoints.typesOf(webhook)) && { event_types: JSON.stringify(eventTypes) }),
        ...(paths.has('description') && { description: description ?? null }),
        ...(isEnabled !== undefined && { is_enabled: isEnabled ? 1 : 0 }),
        ...(isEnabled && { disabled_reason: null, disabled_at: null }),
        ...(isFreshStart(webhook, url, isEnabled) && { failing_since: null }),
      }))
      return { webhook: webhookMessage(row) }
    },

    async deleteWebhook({ id }, context) {
      await withLocked(id, context, async (trx, tenant, webhook) => {
        await endpoints.deleteWebhook(trx, tenant, id)
        const actor = eventActorOf(context)
        await auditWebhook(trx, tenant, { id, actor, action: 'deleted', before: webhookValues(webhook) })
      })
      return { message: 'Webhook deleted', id }
    },

    async rotateWebhookSecret({ id }, context) {
      const secret = newSecret()
      const row = await change(id, context, 'secret_rotated', webhook => {
        const until = webhook.previous_secret_until
        if (until && until > clock.now()) throw new ConflictError('The secret was replaced in the last 24 hours')
        return {
          secret: secretCipher.seal(secret),
          previous_secret: webhook.secret,
          previous_secret_until: new Date(Date.now() + dayMs),
        }
      })
      return { webhook: webhookMessage(row, secret) }
    },

    testWebhook: ({ id }, context) =>
      enqueue(id, context, async (trx, { ecosystemId }, webhook) => {
        const [payload, now] = [{ id: newId() }, clock.now()]
        const event = { key: 'webhook.test', payload, ecosystemId, actor: eventActorOf(context), occurredAt: now }
        const delivery = newDelivery(webhook, payload.id, event, now)
        await deliveries.insertWebhookDeliveries(trx, [delivery])
        return delivery.id
      }),

    async listWebhookDeliveries({ id, status, ...request }, context) {
      const tenant = await openTenant(id, context)
      const page = cursorPaging(request, deliveries.newestFirst)
      const filter = { webhookId: id, status }
      const { rows, nextCursor } = cutToPage(await deliveries.webhookDeliveriesOf(db, tenant, filter, page), page)
      const total = await deliveries.countWebhookDeliveries(db, tenant, filter)
      return { data: rows.map(deliveryMessage), meta: pageMeta(total, page, nextCursor) }
    },

    resendWebhookDelivery: ({ id, deliveryId }, context) =>
      enqueue(id, context, async (trx, tenant) => {
        if (!(await deliveries.findWebhookDelivery(trx, tenant, id, deliveryId))) throw deliveryNotFound()
        await deliveries.requeueWebhookDelivery(trx, tenant, deliveryId, clock.now())
        await auditWebhook(trx, tenant, { id, actor: eventActorOf(context), action: 'resent', after: { deliveryId } })
        return deliveryId
      }),
  })
}

/** Failures of a former address, or from before an endpoint was enabled again, don't count. */
const isFreshStart = (webhook: WebhookRow, url: string | undefined, isEnabled: boolean | undefined): boolean =>
  (url !== undefined && url !== webhook.url) || (isEnabled === true && webhook.is_enabled === 0)

function checkTypes(types: readonly string[]): void {
  const index = types.findIndex(type => !webhookTypes.has(type))
  if (index >= 0) throw invalid(`eventTypes[${index}]`, 'is not an event type that webhooks carry', 'event_type')
}

const webhookMessage = (row: WebhookRow, secret?: string) => ({
  ...messageFields(row),
  eventTypes: endpoints.typesOf(row),
  // Only a new one, never the stored one.
  secret,
})

const deliveryMessage = (row: WebhookDeliveryRow) => ({
  ...messageFields(row),
  nextAttemptAt: timestamp(row.due_at),
  body: row.body.slice(0, shownBodyLength),
})
