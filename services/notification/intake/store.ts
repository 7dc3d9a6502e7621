import { failpoint } from '../../kernel/base/failpoint.ts'
import { newId } from '../../kernel/base/ids.ts'
import { once } from '../../kernel/bus/consume.ts'
import { inBatches } from '../../kernel/database/batches.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { email, push, socket } from '../channels.ts'
import { insertDeliveries, type NewDelivery } from '../delivery/sql.ts'
import { collectItems, collectingMembers } from '../digests/sql.ts'
import type { Device } from '../settings/subscriptions.sql.ts'
import type { Db, Trx } from '../tables.ts'
import { lateOnes, type Subject } from './ended.sql.ts'
import { addChannels, channelsByReceiver, insertReceivers, type Newcomers } from './receivers.sql.ts'
import {
  type Counted,
  type CountedNotification,
  countArrivals,
  growNotifications,
  insertNotifications,
  type NewNotification,
  notificationIds,
  occurrenceKey,
  onceAll,
  type Receiver,
} from './store.sql.ts'

/** An event ready to be stored: rendered, its receivers filtered. */
export type Arrival = {
  /** Message id: an event is stored once, however often it is delivered. */
  eventId: string
  notification: NewNotification
  receivers: readonly Receiver[]
  devices: Device[]
  /** An encrypted mail to an address without a member. */
  sealedMail: string | null
  /** The page or comment that it is about, if any. */
  subject?: Subject | undefined
}

/** The result of storing an event. */
export type Stored = {
  notificationId: string
  /** False when it had been stored before. */
  isFirst: boolean
  /** The receivers with the channels that this event added. */
  added: readonly Receiver[]
  /** Whether pushes or mails wait. */
  hasDeliveries: boolean
}

const mostAtOnce = 16

/** Stores events that arrive together in one transaction, in up to `lanes` transactions at a time. */
export function storeInLanes(db: Db, consumer: string, lanes: number): (arrival: Arrival) => Promise<Stored> {
  const store = inBatches((arrivals: Arrival[], lane: number) => storeArrivals(db, consumer, arrivals, lane), {
    most: mostAtOnce,
  })
  let next = 0
  return arrival => store((next++ % lanes) + 1, arrival)
}

/**
 * Stores events in one transaction: notifications, receivers, deliveries, counters; in the same order in all processes.
 * @param consumer name under which the inbox table records the events
 * @param lane whose counters grow; two calls with the same lane wait for each other
 */
export const storeArrivals = (db: Db, consumer: string, arrivals: readonly Arrival[], lane = 1): Promise<Stored[]> =>
  inTransaction(db, async trx => {
    const stored = new Map<Arrival, Stored>()
    for (const round of roundsOf(arrivals)) await storeRound(trx, consumer, round, lane, stored)
    failpoint('notification-storing')
    return arrivals.flatMap(arrival => stored.get(arrival) ?? [])
  })

/** Events of one occurrence go to different rounds, because the second adds to what the first has stored. */
function roundsOf(arrivals: readonly Arrival[]): Arrival[][] {
  const rounds: Arrival[][] = []
  for (const same of Map.groupBy(arrivals, ({ notification }) => occurrenceKey(notification)).values())
    for (const [i, arrival] of same.entries()) (rounds[i] ??= []).push(arrival)
  return rounds
}

async function storeRound(
  trx: Trx,
  consumer: string,
  arrivals: readonly Arrival[],
  lane: number,
  stored: Map<Arrival, Stored>,
): Promise<void> {
  const fresh = await firstSeen(trx, consumer, arrivals)
  const late = await lateOnes(trx, fresh)
  const rows = arrivals.map(({ notification }) => notification)
  const inOrder = [...fresh].filter(arrival => !late.has(arrival))
  if (inOrder.length > 0) await insertNotifications(trx, inOrder.map(withCounts).toSorted(byOccurrence))
  const ids = await notificationIds(trx, rows)
  const idOf = ({ notification }: Arrival): string => ids.get(occurrenceKey(notification)) ?? notification.id

  const wishing = arrivals.flatMap(({ receivers }) => receivers.filter(each => each.isCollected))
  const collecting = await collectingOf(trx, wishing)
  const merged = inOrder.filter(arrival => idOf(arrival) !== arrival.notification.id)
  const members = merged.flatMap(({ receivers }) => receivers.map(each => each.memberId))
  const held = await channelsByReceiver(trx, merged.map(idOf), members)
  const plans = arrivals.map(arrival => {
    const id = idOf(arrival)
    if (!fresh.has(arrival) || late.has(arrival)) return nothingFor(arrival, id, fresh.has(arrival))
    return planFor(arrival, id, held.get(id), collecting)
  })
  await write(trx, plans, lane)
  for (const { arrival, id, isFirst, added, deliveries } of plans)
    stored.set(arrival, { notificationId: id, isFirst, added, hasDeliveries: deliveries.length > 0 })
}

/** Usually nobody gets digests, and no statement is needed to know it. */
const collectingOf = async (trx: Trx, wishing: readonly Receiver[]): Promise<ReadonlySet<string>> =>
  wishing.length === 0 ? new Set() : collectingMembers(trx, [...new Set(wishing.map(each => each.memberId))])

/** The events not stored before. That is nearly always all, so one statement tries all before each is tried alone. */
async function firstSeen(trx: Trx, consumer: string, arrivals: readonly Arrival[]): Promise<Set<Arrival>> {
  const eventIds = arrivals.map(arrival => arrival.eventId)
  if (arrivals.length > 1 && (await onceAll(trx, consumer, eventIds))) return new Set(arrivals)
  const fresh = new Set<Arrival>()
  for (const arrival of arrivals) if (await once(trx, consumer, arrival.eventId)) fresh.add(arrival)
  return fresh
}

type Plan = {
  arrival: Arrival
  id: string
  isFirst: boolean
  added: readonly Receiver[]
  isMerged: boolean
  newcomers: readonly Receiver[]
  deliveries: NewDelivery[]
  /** Members whose digest gets the notification. */
  collected: string[]
}

const nothingFor = (arrival: Arrival, id: string, isFirst: boolean): Plan => ({
  arrival,
  id,
  isFirst,
  added: [],
  isMerged: false,
  newcomers: [],
  deliveries: [],
  collected: [],
})

/**
 * What an event adds to its occurrence.
 * @param held the channels of its receivers, if an earlier event has stored the occurrence
 */
function planFor(
  arrival: Arrival,
  id: string,
  held: ReadonlyMap<string, number> | undefined,
  collecting: ReadonlySet<string>,
): Plan {
  const { receivers } = arrival
  const plan = { arrival, id, isFirst: true, isMerged: held !== undefined }
  if (!held)
    return { ...plan, added: receivers, newcomers: receivers, ...deliveriesOf(arrival, id, receivers, collecting) }
  const newcomers = receivers.filter(({ memberId }) => !held.has(memberId))
  const added = receivers
    .map(receiver => ({ ...receiver, channels: receiver.channels & ~(held.get(receiver.memberId) ?? 0) }))
    .filter(({ memberId, channels }) => channels > 0 || !held.has(memberId))
  return { ...plan, added, newcomers, ...deliveriesOf(arrival, id, added, collecting) }
}

async function write(trx: Trx, everything: readonly Plan[], lane: number): Promise<void> {
  const plans = everything.filter(plan => plan.isFirst)
  const all = plans.map(({ id, newcomers, arrival: { notification } }) => ({
    notificationId: id,
    workspaceId: notification.workspace_id,
    type: notification.type,
    newcomers,
  }))
  await insertReceivers(trx, all)
  const merged = plans.filter(plan => plan.isMerged)
  await addChannels(
    trx,
    merged.map(({ id, added, newcomers }) => {
      const isNew = new Set(newcomers.map(receiver => receiver.memberId))
      return { notificationId: id, receivers: added.filter(receiver => !isNew.has(receiver.memberId)) }
    }),
  )
  await insertDeliveries(
    trx,
    plans.flatMap(plan => plan.deliveries),
  )
  await collectItems(
    trx,
    plans.flatMap(({ id, collected }) => collected.map(memberId => ({ memberId, notificationId: id }))),
  )
  await growNotifications(
    trx,
    merged.map(({ id, arrival, added, newcomers }) => {
      const sockets = added.filter(receiver => receiver.channels & socket).length
      const { channels, priority } = arrival.notification
      return { id, by: { channels, priority, receivers: newcomers.length, sockets } }
    }),
  )
  await countArrivals(trx, lane, arrivalsOf(all))
}

/** One count per member, workspace and type, for all events of the batch. */
function arrivalsOf(all: readonly Newcomers[]): Counted[] {
  const counted: Counted[] = []
  for (const same of Map.groupBy(all, each => `${each.workspaceId} ${each.type}`).values()) {
    const [{ workspaceId, type } = { workspaceId: '', type: '' }] = same
    const counts = new Map<string, number>()
    for (const [newcomers, events] of Map.groupBy(same, each => each.newcomers))
      for (const { memberId } of newcomers) counts.set(memberId, (counts.get(memberId) ?? 0) + events.length)
    for (const [memberId, by] of counts) counted.push({ memberId, workspaceId, type, by })
  }
  return counted
}

/** The pushes and mails of an event, and the members whose mail waits for their digest. */
function deliveriesOf(
  arrival: Arrival,
  id: string,
  added: readonly Receiver[],
  collecting: ReadonlySet<string>,
): { deliveries: NewDelivery[]; collected: string[] } {
  const { notification, devices, sealedMail, eventId } = arrival
  const base = {
    notification_id: id,
    workspace_id: notification.workspace_id,
    idempotency_key: null,
  }
  const pushed = new Set(added.filter(each => each.channels & push).map(each => each.memberId))
  const pushes = devices
    .filter(device => pushed.has(device.memberId))
    .map(device => ({
      ...base,
      id: newId(),
      member_id: device.memberId,
      lane: device.lane,
      subscription_id: device.id,
      sealed_mail: null,
    }))
  const mailed = added.filter(each => each.channels & email)
  const waits = ({ memberId, isCollected }: Receiver): boolean => isCollected === true && collecting.has(memberId)
  const collected = mailed.filter(waits).map(each => each.memberId)
  const mails = mailed
    .filter(each => !waits(each))
    .map(each => ({
      ...base,
      id: newId(),
      member_id: each.memberId,
      lane: 'email' as const,
      subscription_id: null,
      sealed_mail: null,
    }))
  if (sealedMail === null) return { deliveries: [...pushes, ...mails], collected }
  const toAddress = {
    ...base,
    id: newId(),
    member_id: null,
    lane: 'email' as const,
    subscription_id: null,
    sealed_mail: sealedMail,
    idempotency_key: `event:${notification.occurrence_id || eventId}`,
  }
  return { deliveries: [...pushes, ...mails, toAddress], collected }
}

/** Counters of a new notification; socket receivers count as sent once stored. */
function withCounts({ notification, receivers }: Arrival): CountedNotification {
  const sockets = receivers.filter(receiver => receiver.channels & socket).length
  return {
    ...notification,
    receiver_count: receivers.length,
    socket_count: sockets,
    sent_count: sockets,
  }
}

const byOccurrence = (a: NewNotification, b: NewNotification): number => (occurrenceKey(a) < occurrenceKey(b) ? -1 : 1)
