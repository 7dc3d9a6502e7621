import type { Context } from '../context.ts'
import { type DeliveryOutcome, failure } from '../providers/outcome.ts'
import { applyRules, isPatient } from '../settings/preference-rules.ts'
import { readPreferences } from '../settings/preferences.sql.ts'
import type { DeliveryRow, NotificationRow } from '../tables.ts'
import { bitOf } from './receivers.sql.ts'
import { hasWaited, notificationsById, unclaimDeliveries } from './sql.ts'

/** What waits, for a digest or the end of silent hours, isn't tried. */
export type Outcomes = Map<DeliveryRow, DeliveryOutcome | 'waiting'>

/**
 * Applies the present preferences of the receivers to deliveries that waited for the end of silent hours.
 * @returns the outcomes of those that aren't sent now
 */
export async function applyPresentPreferences(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  claimed: readonly DeliveryRow[],
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map()
  const waitedDeliveries = claimed.filter(
    delivery => delivery.notification_id !== null && delivery.attempts === 1 && hasWaited(delivery),
  )
  if (waitedDeliveries.length === 0) return outcomes
  const ids = waitedDeliveries.flatMap(({ notification_id }) => notification_id ?? [])
  const messageById = new Map((await notificationsById(db, ids)).map(row => [row.id, toMessage(row)]))
  const preferencesByMember = await readPreferences(
    db,
    waitedDeliveries.flatMap(({ member_id }) => member_id ?? []),
  )
  for (const delivery of waitedDeliveries) {
    const message = messageById.get(delivery.notification_id ?? '')
    if (!message || !isPatient(message)) continue
    const allowedDelivery = applyRules(preferencesByMember.get(delivery.member_id ?? ''), message, clock.now())
    if (!allowedDelivery || (allowedDelivery.channels & bitOf(delivery.lane)) === 0)
      outcomes.set(delivery, failure(delivery.lane, 'The receiver no longer wants such messages', { isFinal: true }))
    else if (allowedDelivery.heldUntil) {
      await unclaimDeliveries(db, [delivery], allowedDelivery.heldUntil)
      outcomes.set(delivery, 'waiting')
    }
  }
  return outcomes
}

const toMessage = ({ type, category, channels, priority, data }: NotificationRow) => ({
  key: `${type}.${category}`,
  channels,
  priority,
  hasDeadline: data !== null && typeof JSON.parse(data).dueAt === 'string',
})
