import { type Selectable, sql } from 'kysely'
import { isId } from '../../kernel/base/ids.ts'
import type { BusMessage } from '../../kernel/bus/consume.ts'
import { header } from '../../kernel/bus/message.ts'
import { exempt } from '../../kernel/database/database.ts'
import { isEnd } from '../removals/effects.ts'
import type { NotificationDb, NotificationTables, NotificationTrx } from '../tables.ts'
import type { EventArrival, EventSubject } from './arrival.ts'
import { entitiesOfType, type IncomingEvent } from './envelope.ts'

/** Longer than any message waits: a week in its stream, a month as a dead letter. */
export const longestWaitDays = 60

/** The entities of an event, by its option; undefined for a type that only others emit. */
export function subjectOf(
  { key, payload, occurredAt }: Pick<IncomingEvent, 'key' | 'payload' | 'occurredAt'>,
  { headers }: Pick<BusMessage, 'headers'>,
): EventSubject | undefined {
  const entities = entitiesOfType(key)
  if (!entities) return undefined
  const { entity, isDeletion, needs } = entities
  const [ownId, ...otherIds] = [entity, ...needs].map(({ field }) => payload[field])
  const redrivenFrom = Number(headers[header.redrivenFrom])
  return {
    entityIds: [ownId, ...otherIds].filter((id): id is string => typeof id === 'string' && isId(id)),
    endedId: (isDeletion || isEnd({ key, payload })) && typeof ownId === 'string' && isId(ownId) ? ownId : null,
    occurredAt,
    redrivenFrom: redrivenFrom > 0 ? new Date(redrivenFrom) : undefined,
  }
}

/** Records the ends among the arrivals. */
export const recordEnds = (trx: NotificationTrx, arrivals: Iterable<EventArrival>): Promise<void> =>
  upsertEnds(
    trx,
    [...arrivals].flatMap(({ subject, notification: { workspace_id, created_at } }) =>
      subject?.endedId
        ? [{ workspace_id, entity_id: subject.endedId, ended_at: subject.occurredAt, told_at: created_at }]
        : [],
    ),
  )

/**
 * Finds the arrivals that are too late: they happened before an end, or reached the stream before it and are stored
 * after it. Events after a restoration aren't late. A redriven end is late, too, when its page has been restored since.
 */
export async function findLateArrivals(
  trx: NotificationTrx,
  arrivals: Iterable<EventArrival>,
): Promise<Set<EventArrival>> {
  const withEntities = [...arrivals].filter(({ subject }) => subject && subject.entityIds.length > 0)
  if (withEntities.length === 0) return new Set()
  const rows = await trx
    .selectFrom('ended_entities')
    .selectAll()
    .where('workspace_id', 'in', [...new Set(withEntities.map(({ notification }) => notification.workspace_id))])
    .where('entity_id', 'in', [...new Set(withEntities.flatMap(({ subject }) => subject?.entityIds ?? []))])
    .execute()
  const endsByEntity = new Map(rows.map(row => [`${row.workspace_id} ${row.entity_id}`, row]))
  const lateArrivals = withEntities.filter(arrival => isLate(arrival, endsByEntity))
  for (const arrival of withEntities) if (await isUndone(trx, arrival, withEntities)) lateArrivals.push(arrival)
  return new Set(lateArrivals)
}

type EntityEnd = { ended_at: Date; told_at: Date }

function isLate({ subject, notification }: EventArrival, endsByEntity: ReadonlyMap<string, EntityEnd>): boolean {
  if (!subject || subject.endedId !== null) return false
  return subject.entityIds.some(id => {
    const end = endsByEntity.get(`${notification.workspace_id} ${id}`)
    return end !== undefined && (subject.occurredAt <= end.ended_at || notification.created_at < end.told_at)
  })
}

/** Whether a redriven deletion has been undone since it was first published. */
async function isUndone(
  trx: NotificationTrx,
  { subject, notification }: EventArrival,
  batch: readonly EventArrival[],
): Promise<boolean> {
  const { endedId, redrivenFrom } = subject ?? {}
  if (!endedId || !redrivenFrom) return false
  const storedSince = await trx
    .selectFrom('notifications')
    .select(['category', 'data', 'entity_id', 'created_at'])
    .where('workspace_id', '=', notification.workspace_id)
    .where('created_at', '>', redrivenFrom)
    .where('entity_id', '=', endedId)
    .execute()
  const inBatch = batch
    .map(arrival => arrival.notification)
    .filter(row => row.workspace_id === notification.workspace_id)
  return [...storedSince, ...inBatch].some(
    row => row.entity_id === endedId && row.created_at > redrivenFrom && isReturn(row.category, row.data),
  )
}

/** Restoring a published page publishes an update to that status. */
const isReturn = (category: string, data: string | null): boolean =>
  category === 'updated' && data !== null && Object(JSON.parse(data).changes).status === 'published'

/** Stores ends for as long as a message can arrive late. */
export async function upsertEnds(
  trx: NotificationDb,
  rows: readonly Selectable<NotificationTables['ended_entities']>[],
): Promise<void> {
  if (rows.length === 0) return
  await trx
    .insertInto('ended_entities')
    .values(rows.toSorted((a, b) => (a.entity_id < b.entity_id ? -1 : 1)))
    .onDuplicateKeyUpdate({
      // The order matters: MySQL assigns left to right, and told_at compares ended_at before it changes.
      told_at: sql`if(values(ended_at) > ended_at, values(told_at), told_at)`,
      ended_at: sql`greatest(ended_at, values(ended_at))`,
    })
    .execute()
  await exempt(trx, 'what no message can still be late for, whatever the workspace')
    .deleteFrom('ended_entities')
    .where('told_at', '<', sql<Date>`utc_timestamp() - interval ${sql.lit(longestWaitDays)} day`)
    .limit(100)
    .execute()
}
