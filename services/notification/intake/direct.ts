import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import type { SendNotificationRequest } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { actingMember, tenantOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Language } from '../../kernel/base/language.ts'
import { channelsOf, maskOf } from '../channels.ts'
import type { NotificationDb, NotificationRow } from '../tables.ts'
import { oneLine } from '../texts/rendering.ts'
import type { EventArrival } from './arrival.ts'
import { applyPreferences, dispatch, type Intake, withoutOwnPush } from './events.ts'
import { notificationId } from './notification.ts'
import type { NewReceiver } from './store.sql.ts'

const maxDataBytes = 65_536

/** Content of a notification that originates here. */
type Direct = {
  type: string
  category: string
  texts: Record<Language, { title: string; body: string }>
  data: object | null
  /** Columns for its mail, if a template rendered it. */
  mail?: { mail_values?: string }
  actorId: string | null
  channels: number
  priority: number
}

/** Stores a notification without an event and dispatches it. @returns its id */
export async function storeDirect(
  intake: Intake,
  tenant: Tenant,
  direct: Direct,
  receivers: readonly NewReceiver[],
  languageByMember: ReadonlyMap<string, Language>,
): Promise<string> {
  const now = intake.clock.now()
  const { workspaceId, ecosystemId } = tenant
  const { texts } = direct
  const id = notificationId(now)
  const arrival: EventArrival = {
    eventId: `direct:${newId()}`,
    notification: {
      id,
      workspace_id: workspaceId,
      ecosystem_id: ecosystemId || null,
      occurrence_id: id,
      type: direct.type,
      category: direct.category,
      title: texts.fr.title,
      body: texts.fr.body,
      title_en: texts.en.title,
      body_en: texts.en.body,
      data: direct.data && JSON.stringify(direct.data),
      ...direct.mail,
      actor_id: direct.actorId,
      actor_type: direct.actorId === null ? 'system' : 'member',
      entity_id: null,
      entity_type: null,
      channels: direct.channels,
      priority: direct.priority,
      created_at: now,
    },
    receivers,
    sealedMail: null,
  }
  await dispatch(intake, arrival, await intake.store(arrival), languageByMember)
  return id
}

/** Sends a message to members of the caller's workspace; the receivers' preferences apply. */
export async function sendDirect(intake: Intake, request: SendNotificationRequest, context: HandlerContext) {
  const tenant = tenantOf(context)
  const { audience, db } = intake
  const title = oneLine(request.title)
  const allMembers = await audience.activeMembers(tenant.workspaceId)
  const receiverIds = request.toAll ? [...allMembers.keys()] : [...new Set(request.receiverIds)]
  const members = receiverIds.filter(id => allMembers.has(id))
  if (members.length === 0)
    throw invalid('receiverIds', 'must name at least one active member of the workspace', 'receivers')
  // Every inbox lists it.
  if (request.data && Buffer.byteLength(JSON.stringify(request.data)) > maxDataBytes)
    throw invalid('data', 'must be at most 64 kB', 'max_bytes')
  const channels = maskOf(request.channels.length > 0 ? request.channels : ['socket', 'app'])
  const texts = { title, body: request.body }
  const direct: Direct = {
    type: 'message',
    category: 'direct',
    texts: { fr: texts, en: texts },
    data: request.data ?? null,
    actorId: actingMember(context)?.memberId ?? null,
    channels,
    priority: request.priority ?? 1,
  }
  const allowedReceivers = await applyPreferences(
    intake,
    { key: 'message.direct', channels, priority: direct.priority, ecosystemId: tenant.ecosystemId },
    members,
  )
  const receivers = withoutOwnPush(allowedReceivers, direct.actorId)
  const id = await storeDirect(intake, tenant, direct, receivers, allMembers)
  const reachedLater = receivers.filter(receiver => receiver.heldUntil).length
  return {
    notification: {
      ...notificationMessage(await notificationOfTenant(db, tenant, id)),
      reachedNow: receivers.length - reachedLater,
      reachedLater,
    },
  }
}

const notificationMessage = (n: NotificationRow) => ({
  id: n.id,
  type: n.type,
  category: n.category,
  workspaceId: n.workspace_id,
  ...(n.ecosystem_id === null ? {} : { ecosystemId: n.ecosystem_id }),
  title: n.title,
  body: n.body,
  ...(n.data === null ? {} : { data: JSON.parse(n.data) }),
  ...(n.actor_id === null ? {} : { actorId: n.actor_id }),
  actorType: n.actor_type,
  ...(n.entity_id === null ? {} : { entityId: n.entity_id }),
  ...(n.entity_type === null ? {} : { entityType: n.entity_type }),
  channels: channelsOf(n.channels),
  priority: n.priority,
  sentCount: n.sent_count,
  deliveredCount: n.delivered_count,
  readCount: n.read_count,
  failedCount: n.failed_count,
  receiverCount: n.receiver_count,
  createdAt: timestampFromDate(n.created_at),
  updatedAt: timestampFromDate(n.updated_at),
})

/** A notification of a workspace. */
const notificationOfTenant = (db: NotificationDb, tenant: Tenant, id: string): Promise<NotificationRow> =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
