import { newId } from '../../kernel/base/ids.ts'
import { claimEvent } from '../../kernel/bus/consume.ts'
import { inBatches } from '../../kernel/database/batches.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import { emailBit, pushBit, socketBit } from '../channels.ts'
import { type CountChange, countArrivals } from '../counters/sql.ts'
import { insertDeliveries, type NewDelivery } from '../delivery/sql.ts'
import { addItems, lockDigestMembers } from '../digests/sql.ts'
import { type Device, devicesOf } from '../settings/subscriptions.sql.ts'
import type { NotificationDb, NotificationTrx } from '../tables.ts'
import type { EventArrival } from './arrival.ts'
import { findLateArrivals, recordEnds } from './ended.sql.ts'
import { addChannels, channelsByReceiver, insertReceivers, type Newcomers } from './receivers.sql.ts'
import { replaceEarlier } from './replaced.sql.ts'
import {
  type CountedNotification,
  claimEvents,
  growNotifications,
  insertNotifications,
  loadNotifications,
  type NewNotification,
  type NewReceiver,
  occurrenceKey,
} from './store.sql.ts'

/** The result of storing an event. */
export type StoredEvent = {
  notificationId: string
  /** False when it had been stored before. */
  isFirst: boolean
  /** Whether it was ignored, because its subject has ended or, for an end, has been restored. */
  isLate: boolean
  /** The receivers with the channels that this event added. */
  addedReceivers: readonly NewReceiver[]
  /** The added receivers who did not have the notification. */
  newcomers: readonly NewReceiver[]
  /** Whether pushes or mails wait. */
  hasDeliveries: boolean
}

const maxBatch = 16

/**
 * Stores events in the order of the calls, in one transaction at a time: events that arrive while it runs share the
 * next one. A call keeps its place even if its event is still being prepared.
 */
export function storeInOrder(
  db: NotificationDb,
  consumer: string,
): (arrival: EventArrival | Promise<EventArrival>) => Promise<StoredEvent> {
  const store = inBatches(
    async (arrivals: Promise<EventArrival>[]) => storeArrivals(db, consumer, await Promise.all(arrivals)),
    // The next event is often of the same occurrence, and arrives while this one is prepared.
    { maxItems: maxBatch, gather: first => first },
  )
  return arrival => {
    const preparing = Promise.resolve(arrival)
    // The batch handles the failure, and then stores its events one by one.
    preparing.catch(() => undefined)
    return store('events', preparing)
  }
}

/** Rolls back a transaction that stored arrivals that are too late. */
class LateArrivals extends Error {
  readonly arrivals: ReadonlySet<EventArrival>
  constructor(arrivals: ReadonlySet<EventArrival>) {
    super('late arrivals')
    this.arrivals = arrivals
  }
}

/**
 * Stores events in one transaction: notifications, receivers, deliveries, counters; in the same order in all processes.
 * @param consumer name under which the inbox table records the events
 */
export async function storeArrivals(
  db: NotificationDb,
  consumer: string,
  arrivals: readonly EventArrival[],
): Promise<StoredEvent[]> {
  const lateArrivals = new Set<EventArrival>()
  for (;;)
    try {
      return await inTransaction(db, trx => storeExceptLate(lateArrivals, trx, consumer, arrivals))
    } catch (error) {
      if (!(error instanceof LateArrivals)) throw error
      for (const arrival of error.arrivals) lateArrivals.add(arrival)
    }
}

async function storeExceptLate(
  lateArrivals: ReadonlySet<EventArrival>,
  trx: NotificationTrx,
  consumer: string,
  arrivals: readonly EventArrival[],
): Promise<StoredEvent[]> {
  const newArrivals = await claimNewArrivals(trx, consumer, arrivals)
  await recordEnds(trx, newArrivals)
  const timelyArrivals = [...newArrivals].filter(arrival => !lateArrivals.has(arrival))
  const occurrences = [...Map.groupBy(timelyArrivals, keyOf).values()].map(joinArrivals)
  const areNew =
    occurrences.length === 0 ||
    (await insertNotifications(trx, occurrences.map(toCountedNotification).toSorted(byOccurrence)))
  // After the insertion: a removal is either found here, or waits for this transaction and then finds its rows.
  const newlyLate = await findLateArrivals(trx, timelyArrivals)
  if (newlyLate.size > 0) throw new LateArrivals(newlyLate)
  const withUnknownId = areNew ? arrivals.filter(arrival => !newArrivals.has(arrival)) : arrivals
  const storedNotifications = await loadNotifications(
    trx,
    withUnknownId.map(({ notification }) => notification),
  )
  const idOf = (occurrence: Pick<EventArrival, 'notification'>): string =>
    storedNotifications.get(keyOf(occurrence))?.id ?? occurrence.notification.id
  // Without its texts, a withdrawn notification takes no more receivers.
  const openOccurrences = occurrences.filter(occurrence => !storedNotifications.get(keyOf(occurrence))?.withdrawn_at)
  const plans = await plansOf(trx, openOccurrences, idOf)
  await writePlans(trx, plans)
  failpoint('notification-storing')
  const results = new Map(plans.flatMap(plan => [...resultsOf(plan)]))
  return arrivals.map(
    arrival =>
      results.get(arrival) ?? {
        notificationId: idOf(arrival),
        isFirst: newArrivals.has(arrival),
        // A redelivered event without a notification was too late when it was first delivered.
        isLate: lateArrivals.has(arrival) || (!newArrivals.has(arrival) && !storedNotifications.has(keyOf(arrival))),
        ...nothingAdded,
      },
  )
}

const nothingAdded = { addedReceivers: [], newcomers: [], hasDeliveries: false }

const keyOf = ({ notification }: Pick<EventArrival, 'notification'>): string => occurrenceKey(notification)

/** Events of one occurrence that are stored together: the texts are the first one's, the receivers those of all. */
type Occurrence = Pick<EventArrival, 'notification' | 'receivers' | 'sealedMail'> & {
  arrivals: readonly EventArrival[]
}

function joinArrivals(arrivals: readonly EventArrival[]): Occurrence {
  const [first, ...otherArrivals] = arrivals as [EventArrival, ...EventArrival[]]
  let { notification, receivers, sealedMail } = first
  for (const arrival of otherArrivals) {
    const { channels, priority } = arrival.notification
    notification = {
      ...notification,
      channels: notification.channels | channels,
      priority: Math.max(notification.priority, priority),
    }
    receivers = withChannelsOf(receivers, arrival.receivers)
    sealedMail ??= arrival.sealedMail
  }
  return { arrivals, notification, receivers, sealedMail }
}

/** All receivers, each once, with the channels of both lists. */
function withChannelsOf(receivers: readonly NewReceiver[], moreReceivers: readonly NewReceiver[]): NewReceiver[] {
  const byMember = new Map(receivers.map(receiver => [receiver.memberId, receiver]))
  for (const receiver of moreReceivers) {
    const earlierReceiver = byMember.get(receiver.memberId)
    const mailReceiver = earlierReceiver && earlierReceiver.channels & emailBit ? earlierReceiver : receiver
    byMember.set(receiver.memberId, { ...mailReceiver, channels: receiver.channels | (earlierReceiver?.channels ?? 0) })
  }
  return [...byMember.values()]
}

/** What each event of an occurrence added: a receiver counts for the first one that names them. */
function* resultsOf(plan: Plan): Generator<[EventArrival, StoredEvent]> {
  const base = { notificationId: plan.id, isFirst: true, isLate: false, hasDeliveries: plan.deliveries.length > 0 }
  const isNew = new Set(plan.newcomers.map(receiver => receiver.memberId))
  const remainingByMember = new Map(plan.addedReceivers.map(receiver => [receiver.memberId, receiver]))
  for (const arrival of plan.occurrence.arrivals) {
    const addedReceivers = arrival.receivers.flatMap(({ memberId }) => remainingByMember.get(memberId) ?? [])
    for (const { memberId } of addedReceivers) remainingByMember.delete(memberId)
    const newcomers = addedReceivers.filter(receiver => isNew.has(receiver.memberId))
    yield [arrival, { ...base, addedReceivers, newcomers }]
  }
}

/** What the occurrences add to those stored before. */
async function plansOf(
  trx: NotificationTrx,
  occurrences: readonly Occurrence[],
  idOf: (occurrence: Occurrence) => string,
) {
  const digestReceivers = occurrences.flatMap(({ receivers }) => receivers.filter(receiver => receiver.isCollected))
  const collectingMemberIds = await loadCollectingMembers(trx, digestReceivers)
  const mergedOccurrences = occurrences.filter(occurrence => idOf(occurrence) !== occurrence.notification.id)
  const members = mergedOccurrences.flatMap(({ receivers }) => receivers.map(receiver => receiver.memberId))
  const channelsByNotification = await channelsByReceiver(trx, mergedOccurrences.map(idOf), members)
  const additions = occurrences.map(occurrence =>
    additionOf(occurrence, idOf(occurrence), channelsByNotification.get(idOf(occurrence))),
  )
  const devices = await devicesFor(trx, additions)
  return additions.map((addition): Plan => ({ ...addition, ...deliveriesOf(addition, devices, collectingMemberIds) }))
}

/** Saves the statement when no receiver may collect digests. */
const loadCollectingMembers = async (
  trx: NotificationTrx,
  digestReceivers: readonly NewReceiver[],
): Promise<ReadonlySet<string>> =>
  digestReceivers.length === 0
    ? new Set()
    : lockDigestMembers(trx, [...new Set(digestReceivers.map(receiver => receiver.memberId))])

/** The new events. Nearly all are new, so one insert tries them together first. */
async function claimNewArrivals(
  trx: NotificationTrx,
  consumer: string,
  arrivals: readonly EventArrival[],
): Promise<Set<EventArrival>> {
  const eventIds = arrivals.map(arrival => arrival.eventId)
  if (arrivals.length > 1 && (await claimEvents(trx, consumer, eventIds))) return new Set(arrivals)
  const newArrivals = new Set<EventArrival>()
  for (const arrival of arrivals) if (await claimEvent(trx, consumer, arrival.eventId)) newArrivals.add(arrival)
  return newArrivals
}

/** The receivers whom an occurrence adds to its notification. */
type Addition = {
  occurrence: Occurrence
  id: string
  /** Whether an earlier event has stored the notification. */
  isMerged: boolean
  addedReceivers: readonly NewReceiver[]
  newcomers: readonly NewReceiver[]
}

type Plan = Addition & {
  deliveries: NewDelivery[]
  /** Members whose digest gets the notification. */
  digestMemberIds: string[]
}

/** @param storedChannels the channels of its receivers, if an earlier event has stored the notification */
function additionOf(
  occurrence: Occurrence,
  id: string,
  storedChannels: ReadonlyMap<string, number> | undefined,
): Addition {
  const { receivers } = occurrence
  if (!storedChannels) return { occurrence, id, isMerged: false, addedReceivers: receivers, newcomers: receivers }
  const newcomers = receivers.filter(({ memberId }) => !storedChannels.has(memberId))
  const changedReceivers = receivers
    .map(receiver => ({ ...receiver, channels: receiver.channels & ~(storedChannels.get(receiver.memberId) ?? 0) }))
    .filter(({ memberId, channels }) => channels > 0 || !storedChannels.has(memberId))
  return { occurrence, id, isMerged: true, addedReceivers: changedReceivers, newcomers }
}

/** The devices of added push receivers, by workspace. */
async function devicesFor(trx: NotificationTrx, additions: readonly Addition[]): Promise<Map<string, Device[]>> {
  const devices = new Map<string, Device[]>()
  for (const [workspaceId, workspaceAdditions] of Map.groupBy(
    additions,
    addition => addition.occurrence.notification.workspace_id,
  )) {
    const pushReceivers = workspaceAdditions.flatMap(({ addedReceivers }) =>
      addedReceivers.filter(receiver => receiver.channels & pushBit),
    )
    if (pushReceivers.length > 0)
      devices.set(
        workspaceId,
        await devicesOf(trx, workspaceId, [...new Set(pushReceivers.map(receiver => receiver.memberId))]),
      )
  }
  return devices
}

async function writePlans(trx: NotificationTrx, plans: readonly Plan[]): Promise<void> {
  const batch = plans.map(({ id, newcomers, occurrence: { notification } }) => ({
    notificationId: id,
    workspaceId: notification.workspace_id,
    type: notification.type,
    actorId: notification.actor_id,
    newcomers,
  }))
  await insertReceivers(trx, batch)
  const mergedPlans = plans.filter(plan => plan.isMerged)
  await addChannels(
    trx,
    mergedPlans.map(({ id, addedReceivers, newcomers }) => {
      const isNew = new Set(newcomers.map(receiver => receiver.memberId))
      return { notificationId: id, receivers: addedReceivers.filter(receiver => !isNew.has(receiver.memberId)) }
    }),
  )
  await insertDeliveries(
    trx,
    plans.flatMap(plan => plan.deliveries),
  )
  await addItems(
    trx,
    plans.flatMap(({ id, digestMemberIds }) => digestMemberIds.map(memberId => ({ memberId, notificationId: id }))),
  )
  await growNotifications(
    trx,
    mergedPlans.map(({ id, occurrence, addedReceivers, newcomers }) => {
      const sockets = addedReceivers.filter(receiver => receiver.channels & socketBit).length
      const { channels, priority, actor_id } = occurrence.notification
      const reads = readsIn(newcomers, actor_id)
      return { id, by: { channels, priority, receivers: newcomers.length, sockets, reads } }
    }),
  )
  await countArrivals(trx, arrivalsOf(batch))
  await replaceEarlier(
    trx,
    plans.filter(plan => !plan.isMerged).map(plan => plan.occurrence.notification),
  )
}

/** Whether the actor is among the receivers: people have read what they did themselves. */
const readsIn = (receivers: readonly NewReceiver[], actorId: string | null): 0 | 1 =>
  actorId !== null && receivers.some(({ memberId }) => memberId === actorId) ? 1 : 0

/** One count per member, workspace and type, for all events of the batch. */
function arrivalsOf(batch: readonly Newcomers[]): CountChange[] {
  const counts: CountChange[] = []
  for (const arrivalsOfKey of Map.groupBy(
    batch,
    notification => `${notification.workspaceId} ${notification.type}`,
  ).values()) {
    const [{ workspaceId, type } = { workspaceId: '', type: '' }] = arrivalsOfKey
    const totals = new Map<string, number>()
    for (const { newcomers } of arrivalsOfKey)
      for (const { memberId } of newcomers) totals.set(memberId, (totals.get(memberId) ?? 0) + 1)
    const readerIds = arrivalsOfKey
      .filter(notification => readsIn(notification.newcomers, notification.actorId))
      .map(notification => notification.actorId)
    for (const [memberId, total] of totals) {
      const unread = total - readerIds.filter(id => id === memberId).length
      counts.push({ memberId, workspaceId, type, total, unread, dismissed: 0 })
    }
  }
  return counts
}

/** The pushes and mails of an occurrence, and the members whose mail waits for their digest. */
function deliveriesOf(
  { occurrence, id, addedReceivers }: Addition,
  devices: ReadonlyMap<string, Device[]>,
  collectingMemberIds: ReadonlySet<string>,
): { deliveries: NewDelivery[]; digestMemberIds: string[] } {
  const { notification, sealedMail } = occurrence
  const base = {
    notification_id: id,
    workspace_id: notification.workspace_id,
    idempotency_key: null,
    subscription_id: null,
    sealed_mail: null,
  }
  const heldUntilByMember = new Map(
    addedReceivers
      .filter(receiver => receiver.channels & pushBit)
      .map(receiver => [receiver.memberId, receiver.heldUntil]),
  )
  const pushes = (devices.get(notification.workspace_id) ?? [])
    .filter(device => heldUntilByMember.has(device.memberId))
    .map(device => ({
      ...base,
      id: newId(),
      member_id: device.memberId,
      lane: device.lane,
      subscription_id: device.id,
      due_at: heldUntilByMember.get(device.memberId),
    }))
  const waitsForDigest = ({ memberId, isCollected }: NewReceiver): boolean =>
    isCollected === true && collectingMemberIds.has(memberId)
  const mailReceivers = addedReceivers.filter(receiver => receiver.channels & emailBit)
  const mailOf = (memberId: string | null) => ({ ...base, id: newId(), member_id: memberId, lane: 'email' as const })
  const mails = mailReceivers
    .filter(receiver => !waitsForDigest(receiver))
    .map(({ memberId, heldUntil }) => ({ ...mailOf(memberId), due_at: heldUntil }))
  const addressMails =
    sealedMail === null
      ? []
      : [{ ...mailOf(null), sealed_mail: sealedMail, idempotency_key: `event:${notification.occurrence_id}` }]
  const digestMemberIds = mailReceivers.filter(waitsForDigest).map(receiver => receiver.memberId)
  return { deliveries: [...pushes, ...mails, ...addressMails], digestMemberIds }
}

/** Counters of a new notification; socket receivers count as sent once stored. */
function toCountedNotification({ notification, receivers }: Occurrence): CountedNotification {
  const sockets = receivers.filter(receiver => receiver.channels & socketBit).length
  const readCount = readsIn(receivers, notification.actor_id)
  return {
    ...notification,
    receiver_count: receivers.length,
    socket_count: sockets,
    sent_count: sockets,
    delivered_count: readCount,
    read_count: readCount,
  }
}

const byOccurrence = (a: NewNotification, b: NewNotification): number => (occurrenceKey(a) < occurrenceKey(b) ? -1 : 1)
