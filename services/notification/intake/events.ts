import { Counter, type Registry } from 'prom-client'
import type { Language } from '../../kernel/base/language.ts'
import { memberRoom } from '../../kernel/base/live.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import { type BusMessage, PermanentFailure } from '../../kernel/bus/consume.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import type { Log } from '../../kernel/process/log.ts'
import { emailBit, pushBit, socketBit } from '../channels.ts'
import type { Context } from '../context.ts'
import type { Deliveries } from '../delivery/deliveries.ts'
import type { SocketCount } from '../delivery/hours.ts'
import { announce } from '../live/frames.ts'
import type { Unread } from '../live/unread.ts'
import { isEnd } from '../removals/effects.ts'
import { applyEffect } from '../removals/removals.ts'
import type { HotelChannels } from '../settings/hotels.ts'
import { applyRules, isCollected } from '../settings/preference-rules.ts'
import type { cachedPreferences } from '../settings/preferences.sql.ts'
import type { NotificationDb } from '../tables.ts'
import { slugOf } from '../texts/default-templates.ts'
import { mailColumn, mailValuesOf, textsFor } from '../texts/event-texts.ts'
import type { Templates } from '../texts/templates.sql.ts'
import type { EventArrival } from './arrival.ts'
import { subjectOf, upsertEnds } from './ended.sql.ts'
import { type IncomingEvent, readEnvelope } from './envelope.ts'
import { invitationMail, onboardingKey } from './invitation-mail.ts'
import { notificationId, notificationOf } from './notification.ts'
import { channelsByReceiver } from './receivers.sql.ts'
import type { NewReceiver } from './store.sql.ts'
import type { StoredEvent } from './store.ts'

/** Turns events into notifications, and sends notifications without an event. */
export type Intake = Context & {
  templates: Templates
  store(arrival: EventArrival | Promise<EventArrival>): Promise<StoredEvent>
  deliveries: Deliveries
  unread: Unread
  hotels: HotelChannels
  preferences: ReturnType<typeof cachedPreferences>
  /** Counts named receivers who are no active members of the workspace. */
  dropped(receivers: number): void
  /** Opens what the member service has sealed: the link of an invitation. */
  links: Cipher
  /** Seals waiting mails. */
  mails: Cipher
  sockets: SocketCount
  log: Log
}

/** Frames for rooms: the edge receives them from the bus directly, and nothing is stored. */
const relaySubject = 'platform.notification.socket'

/** Turns events of the bus into notifications, which are stored in the order of the calls. */
export function eventHandler(intake: Intake): (message: BusMessage) => Promise<void> {
  return async message => {
    if (message.subject === relaySubject) return
    const event = readEnvelope(message.body, field =>
      intake.log.warn({ field, subject: message.subject, eventId: message.id }, 'field of an event ignored'),
    )
    if (isForEditors(event)) return
    const preparedArrival = arrivalOf(intake, event, message)
    const storedEvent = await intake.store(preparedArrival.then(({ arrival }) => arrival))
    const { arrival, languageByMember } = await preparedArrival
    failpoint('notification-stored')
    await dispatch(intake, arrival, storedEvent, languageByMember)
    if (!storedEvent.isLate) await applyEffect(intake, event, storedEvent.notificationId)
  }
}

/** An event of the platform's own. The broker authorises subjects only, so the type must be that of the subject. */
function ownEvent({ body, subject }: BusMessage): IncomingEvent {
  const event = readEnvelope(body)
  if (!subject.endsWith(`.${event.key}`))
    throw new PermanentFailure(`Not an event: its type ${event.key} does not match its key`)
  return event
}

/** Applies events that notify nobody to earlier notifications, and to those that arrive late. */
export const removalHandler =
  (intake: Intake) =>
  async (message: BusMessage): Promise<void> => {
    const event = ownEvent(message)
    const endedId = subjectOf(event, message)?.endedId
    const { workspaceId } = event
    if (endedId)
      await upsertEnds(intake.db, [
        { workspace_id: workspaceId, entity_id: endedId, ended_at: event.occurredAt, told_at: message.storedAt },
      ])
    await applyEffect(intake, event, notificationId(message.storedAt, message.sequence))
  }

/** A change of a draft or archived page: the edge sends it to the room of the page, and no reader may see its texts. */
const isForEditors = ({ key, payload }: IncomingEvent): boolean =>
  key === 'page.updated' && payload['editorsOnly'] === true

/** The notification of an event, its receivers and their languages. */
async function arrivalOf(intake: Intake, event: IncomingEvent, message: BusMessage) {
  const { audience, templates } = intake
  const startedAt = Date.now()
  const slug = slugOf(event.key)
  const template = await templates.find(slug)
  if (!template) throw new PermanentFailure(`Template not found: ${slug}`)
  const workspace = event.workspaceId ? await audience.workspace(event.workspaceId) : undefined
  const eventWithNames = {
    ...event,
    workspaceName: event.workspaceName ?? workspace?.name,
    timeZone: workspace?.timeZone,
    ecosystemId: event.ecosystemId ?? workspace?.ecosystemId ?? null,
  }

  const addresseeIds = addressedMemberIds(event)
  const languageByMember = await audience.among(event.workspaceId, addresseeIds, startedAt)
  intake.dropped(addresseeIds.length - languageByMember.size)
  const allowedReceivers = await applyPreferences(intake, { ...eventWithNames, hasDeadline: hasDeadline(event) }, [
    ...languageByMember.keys(),
  ])
  const receivers = withoutOwnPush(allowedReceivers, event.actor.type === 'member' ? event.actor.id : null)
  const arrival: EventArrival = {
    eventId: message.id,
    notification: {
      ...notificationOf(eventWithNames, textsFor(template, eventWithNames), message),
      ...mailColumn(template, () => mailValuesOf(template, eventWithNames)),
    },
    receivers,
    sealedMail: event.key === onboardingKey ? await invitationMail(eventWithNames, intake) : null,
    subject: subjectOf(event, message),
  }
  return { arrival, languageByMember }
}

const arrivals: ReadonlySet<string> = new Set(['member.registered', 'workspace.member_joined'])

/** Whether people are asked for something by a time. */
const hasDeadline = ({ payload }: IncomingEvent): boolean => typeof payload['dueAt'] === 'string'

/**
 * The named receivers without the actor of a comment or reaction, and without the newcomer [R35]; none for
 * a page that they can't see any more [R54].
 */
function addressedMemberIds(event: IncomingEvent): readonly string[] {
  const { key, type, actor, receiverIds, payload } = event
  if (key === 'page.updated' && isEnd(event)) return []
  if (type === 'comment' || type === 'like') return receiverIds.filter(id => id !== actor.id)
  if (!arrivals.has(key)) return receiverIds
  const newcomer = payload['memberId'] ?? payload['id']
  return receiverIds.filter(id => id !== newcomer)
}

/**
 * Receivers with the channels that their preferences and the hotel's switches leave; members who want none are left
 * out.
 */
export async function applyPreferences(
  { preferences: loadPreferences, hotels, clock }: Pick<Intake, 'preferences' | 'hotels' | 'clock'>,
  event: Pick<IncomingEvent, 'key' | 'channels' | 'priority' | 'ecosystemId'> & { hasDeadline?: boolean },
  memberIds: readonly string[],
): Promise<readonly NewReceiver[]> {
  const preferences = await loadPreferences(memberIds)
  const openChannels = event.channels & (pushBit | emailBit) ? await hotels.channels(event.ecosystemId) : event.channels
  const now = clock.now()
  const receivers: NewReceiver[] = []
  for (const memberId of memberIds) {
    const memberPreferences = preferences.get(memberId)
    const allowedReceiver = applyRules(memberPreferences, event, now)
    if (!allowedReceiver) continue
    const collectedFlag = isCollected(memberPreferences, event) && { isCollected: true }
    receivers.push({
      memberId,
      ...allowedReceiver,
      channels: allowedReceiver.channels & openChannels,
      ...collectedFlag,
    })
  }
  return receivers
}

/** Receivers, the actor among them without push and mail. */
export function withoutOwnPush(receivers: readonly NewReceiver[], actorId: string | null): readonly NewReceiver[] {
  const actorReceiver = receivers.find(({ memberId }) => memberId === actorId)
  if (!actorReceiver || actorId === null || !(actorReceiver.channels & (pushBit | emailBit))) return receivers
  return receivers.map(receiver =>
    receiver === actorReceiver ? { memberId: actorId, channels: receiver.channels & ~(pushBit | emailBit) } : receiver,
  )
}

/** After the commit: publishes to sockets and wakes the workers for pushes and mails. */
export async function dispatch(
  { db, bus, deliveries, unread, sockets }: Pick<Intake, 'db' | 'bus' | 'deliveries' | 'unread' | 'sockets'>,
  { notification, receivers }: EventArrival,
  storedEvent: StoredEvent,
  languageByMember: ReadonlyMap<string, Language>,
): Promise<void> {
  if (storedEvent.hasDeliveries || !storedEvent.isFirst) deliveries.wake()
  const notified = storedEvent.isFirst
    ? storedEvent.addedReceivers
    : await receiversStoredBefore(db, storedEvent.notificationId, receivers)
  const rooms = roomsOf(notified, languageByMember)
  if (storedEvent.isFirst) sockets.add(rooms.fr.length + rooms.en.length)
  announce(
    bus,
    {
      id: storedEvent.notificationId,
      workspaceId: notification.workspace_id,
      type: notification.type,
      category: notification.category,
      texts: {
        fr: { title: notification.title, body: notification.body },
        en: { title: notification.title_en, body: notification.body_en },
      },
      data: notification.data === null ? null : JSON.parse(notification.data),
      createdAt: notification.created_at,
    },
    rooms,
  )
  const recountedReceivers = storedEvent.isFirst ? storedEvent.newcomers : notified
  unread.publishCounts(
    notification.workspace_id,
    recountedReceivers.map(receiver => receiver.memberId),
  )
}

/** Rooms of the socket receivers, by language. */
function roomsOf(
  notified: readonly NewReceiver[],
  languageByMember: ReadonlyMap<string, Language>,
): Record<Language, string[]> {
  const rooms: Record<Language, string[]> = { fr: [], en: [] }
  for (const { memberId, channels } of notified)
    if (channels & socketBit) rooms[languageByMember.get(memberId) ?? 'fr'].push(memberRoom(memberId))
  return rooms
}

/**
 * The previous process may have died between commit and dispatch, so a stored event is dispatched again. Receivers drop
 * duplicates.
 */
async function receiversStoredBefore(
  db: NotificationDb,
  notificationId: string,
  receivers: readonly NewReceiver[],
): Promise<NewReceiver[]> {
  if (receivers.length === 0) return []
  const memberIds = receivers.map(receiver => receiver.memberId)
  const channelsByMember = await channelsByReceiver(db, [notificationId], memberIds)
  return [...(channelsByMember.get(notificationId) ?? [])].map(([memberId, mask]) => ({ memberId, channels: mask }))
}

/** Counts named receivers who are no active members of the workspace: forged ids, or members who left. */
export function countDropped(registry: Registry): (receivers: number) => void {
  const counter = new Counter({
    name: 'notification_receivers_dropped_total',
    help: 'Receivers of events that are not active members of the workspace',
    registers: [registry],
  })
  return receivers => {
    if (receivers > 0) counter.inc(receivers)
  }
}
