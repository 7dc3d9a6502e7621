import { sql } from 'kysely'
import type { Receiver } from './store.sql.ts'
import type { Trx } from './tables.ts'

/** Who gets a notification that they have not got yet. */
export type Newcomers = { notificationId: string; type: string; newcomers: readonly Receiver[] }

/** Several notifications for exactly the same members. */
type Shared = { memberIds: string[]; notifications: [id: string, type: string, channels: number][] }

/** From here on naming the members once is cheaper than writing out every row. */
const many = 50
const chunk = 2_000

/**
 * Inserts the receivers of events that are stored together. Large audiences are mostly the same ones, so members are
 * named once for all their notifications: reading a row's text costs the server more than storing the row.
 */
export async function insertReceivers(trx: Trx, all: readonly Newcomers[]): Promise<void> {
  const shared = new Map<string, Shared>()
  const rows: (readonly [memberId: string, notificationId: string, type: string, channels: number])[] = []
  for (const { notificationId, type, newcomers } of all) {
    for (const [channels, receivers] of Map.groupBy(newcomers, receiver => receiver.channels)) {
      const memberIds = receivers.map(receiver => receiver.memberId)
      if (memberIds.length < many) rows.push(...memberIds.map(id => [id, notificationId, type, channels] as const))
      else addTo(shared, memberIds, [notificationId, type, channels])
    }
  }
  for (let start = 0; start < rows.length; start += chunk) {
    const values = sql.join(rows.slice(start, start + chunk).map(row => sql`(${sql.join(row)})`))
    await sql`insert into receivers (member_id, notification_id, type, channels) values ${values}`.execute(trx)
  }
  for (const { memberIds, notifications } of shared.values()) await insertShared(trx, memberIds, notifications)
}

function addTo(shared: Map<string, Shared>, memberIds: string[], notification: Shared['notifications'][0]): void {
  const key = memberIds.join()
  const held = shared.get(key)
  if (held) held.notifications.push(notification)
  else shared.set(key, { memberIds, notifications: [notification] })
}

const id = sql.raw('char(24) character set ascii')
const word = sql.raw('varchar(100) character set ascii')

/** Every member with every notification; members in the order of the key, so that neighbours are written one after the other. */
async function insertShared(trx: Trx, memberIds: string[], notifications: Shared['notifications']): Promise<void> {
  await sql`
    insert into receivers (member_id, notification_id, type, channels)
    select straight_join m.id, n.id, n.type, n.channels
    from json_table(${JSON.stringify(notifications)}, '$[*]' columns (
        id ${id} path '$[0]', type ${word} path '$[1]', channels int path '$[2]'
      )) n
    join json_table(${JSON.stringify(memberIds.toSorted())}, '$[*]' columns (id ${id} path '$')) m
  `.execute(trx)
}
