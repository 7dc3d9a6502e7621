import { sql } from 'kysely'
import type { AttemptRow, NotificationDb, NotificationTrx } from '../tables.ts'

/** Number of deliveries of one channel with one result. */
export type DeliveryCount = { channel: AttemptRow['channel']; status: AttemptRow['status']; deliveries: number }

const hourMs = 3_600_000

/** Start of the hour of a moment, or of an hour `hoursBack` hours earlier. */
export const hourOf = (moment: Date, hoursBack = 0): Date =>
  new Date((Math.floor(moment.getTime() / hourMs) - hoursBack) * hourMs)

/**
 * Adds to the counts of an hour. Call it last in a transaction, because it locks the rows; the row order is the same
 * for all writers.
 */
export async function countDeliveries(
  db: NotificationDb | NotificationTrx,
  countedAt: Date,
  counts: readonly DeliveryCount[],
): Promise<void> {
  if (counts.length === 0) return
  const hour = hourOf(countedAt)
  const rows = counts
    .toSorted((a, b) => (`${a.channel} ${a.status}` < `${b.channel} ${b.status}` ? -1 : 1))
    .map(({ channel, status, deliveries }) => sql`(${hour}, ${channel}, ${status}, ${deliveries})`)
  await sql`
    insert into delivery_hours (hour, channel, status, deliveries) values ${sql.join(rows)}
    on duplicate key update deliveries = deliveries + values(deliveries)
  `.execute(db)
}

/** Counts from an hour on, oldest first. */
export async function hoursSince(db: NotificationDb, from: Date) {
  const { rows } = await sql<DeliveryCount & { hour: Date }>`
    select hour, channel, status, deliveries from delivery_hours
    where hour >= ${from} order by hour, channel, status
  `.execute(db)
  return rows
}

/** Deletes counts older than a day. */
export async function deleteOldHours(db: NotificationDb, before: Date): Promise<void> {
  await sql`delete from delivery_hours where hour < ${before} limit 1000`.execute(db)
}
