import type { Log } from '../kernel/log.ts'
import type { Cipher } from '../kernel/secrets.ts'
import type { Audience } from './audience.ts'
import {
  claimDeliveries,
  devicesById,
  nextDue,
  notificationsById,
  settleDeliveries,
  type Tried,
} from './deliveries.sql.ts'
import type { MailJob, PushJob, Sender } from './delivery-job.ts'
import { openMail } from './mail.ts'
import { failure, type Outcome } from './outcome.ts'
import type { Db, DeliveryRow, Lane } from './tables.ts'

/** The work that waits on the lanes. */
export type Deliveries = {
  /** Looks at once: something was stored. */
  wake(): void
  /** Waits for what is under way. */
  stop(): Promise<void>
}

export type DeliveryParts = {
  db: Db
  audience: Audience
  mails: Cipher
  log: Log
  senders: { onesignal: Sender<PushJob>; fcm: Sender<PushJob>; email: Sender<MailJob> }
  /** Waits before each retry, in ms; the length is the number of retries. */
  retryDelays: readonly number[]
}

const batch = 50
const pollMs = 1_000
/** Longer than any batch takes: three answers of a provider at their slowest. */
const leaseMs = 60_000

/**
 * Works off pushes and mails, a worker per provider, so that none waits for another's. A delivery is claimed for a
 * minute: when the process dies on it, another one takes it up.
 */
export function startDeliveries(parts: DeliveryParts): Deliveries {
  const lanes = (Object.keys(parts.senders) as Lane[]).map(lane => startLane(parts, lane))
  return {
    wake() {
      for (const lane of lanes) lane.wake()
    },
    async stop() {
      await Promise.all(lanes.map(lane => lane.stop()))
    },
  }
}

function startLane(parts: DeliveryParts, lane: Lane): Deliveries {
  const { db, log } = parts
  let stopped = false
  let woken = false
  let rouse = () => {}
  const wake = () => {
    woken = true
    rouse()
  }
  const pause = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
      if (woken || stopped) rouse()
    })

  const loop = async (): Promise<void> => {
    while (!stopped) {
      woken = false
      let wait = pollMs
      try {
        const claimed = await claimDeliveries(db, lane, batch, leaseMs)
        if (claimed.length > 0) {
          await settleDeliveries(db, await tryAll(parts, lane, claimed), new Date())
          continue
        }
        const due = await nextDue(db, lane)
        wait = Math.max(5, Math.min(pollMs, due ? due.getTime() - Date.now() : pollMs))
      } catch (error) {
        log.warn({ lane, err: error }, 'deliveries wait')
      }
      await pause(wait)
    }
  }
  const done = loop()
  return {
    wake,
    async stop() {
      stopped = true
      rouse()
      await done
    },
  }
}

async function tryAll(parts: DeliveryParts, lane: Lane, claimed: readonly DeliveryRow[]): Promise<Tried[]> {
  const outcomes = lane === 'email' ? await sendMails(parts, claimed) : await sendPushes(parts, lane, claimed)
  return claimed.map(delivery => {
    const outcome = outcomes.get(delivery) ?? failure(lane, 'There is nobody left to send to', { isFinal: true })
    if (!outcome.ok) parts.log.warn({ lane, delivery: delivery.id, code: outcome.code }, 'a delivery failed')
    const delay = parts.retryDelays[delivery.attempts - 1]
    const isOver = outcome.ok || outcome.isFinal || delay === undefined
    return { delivery, outcome, retryAt: isOver ? null : new Date(Date.now() + Math.max(delay, outcome.retryAfterMs)) }
  })
}

type Outcomes = ReadonlyMap<DeliveryRow, Outcome>

/** Pushes to devices that are still registered, for members who still live. */
async function sendPushes(
  { db, audience, senders }: DeliveryParts,
  lane: 'onesignal' | 'fcm',
  claimed: readonly DeliveryRow[],
): Promise<Outcomes> {
  const { notifications, people } = await around({ db, audience }, claimed)
  const devices = new Map(
    (
      await devicesById(
        db,
        claimed.flatMap(each => each.subscription_id ?? []),
      )
    ).map(row => [row.id, row]),
  )
  const jobs = claimed.flatMap(delivery => {
    const notification = notifications.get(delivery.notification_id ?? '')
    const device = devices.get(delivery.subscription_id ?? '')
    const person = people.get(delivery.member_id ?? '')
    return notification && person && device?.member_id === person.id ? [{ delivery, notification, device, person }] : []
  })
  return send(senders[lane], jobs, lane)
}

async function sendMails(parts: DeliveryParts, claimed: readonly DeliveryRow[]): Promise<Outcomes> {
  const { notifications, people } = await around(parts, claimed)
  const jobs = claimed.flatMap((delivery): MailJob[] => {
    if (delivery.sealed_mail !== null) {
      const mail = openMail(parts.mails, delivery.sealed_mail)
      return mail ? [{ delivery, content: { mail } }] : []
    }
    const notification = notifications.get(delivery.notification_id ?? '')
    const person = people.get(delivery.member_id ?? '')
    return notification && person ? [{ delivery, content: { notification, person } }] : []
  })
  return send(parts.senders.email, jobs, 'email')
}

async function around({ db, audience }: Pick<DeliveryParts, 'db' | 'audience'>, claimed: readonly DeliveryRow[]) {
  const notifications = await notificationsById(db, [...new Set(claimed.flatMap(each => each.notification_id ?? []))])
  const people = await audience.people(claimed.flatMap(each => each.member_id ?? []))
  return { notifications: new Map(notifications.map(row => [row.id, row])), people }
}

async function send<Job extends { delivery: DeliveryRow }>(
  sender: Sender<Job>,
  jobs: readonly Job[],
  lane: Lane,
): Promise<Outcomes> {
  const outcomes = await sender(jobs).catch(() => jobs.map(() => failure(lane, 'Internal error')))
  return new Map(jobs.map((job, i) => [job.delivery, outcomes[i] ?? failure(lane, 'Internal error')]))
}
