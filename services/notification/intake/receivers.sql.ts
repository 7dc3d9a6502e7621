import { sql } from 'kysely'
import { toChunks } from '../../kernel/database/parts.ts'
import type { NotificationDb, NotificationTrx } from '../tables.ts'
import type { NewReceiver } from './store.sql.ts'

/** Receivers who don't have a notification yet; its actor has read it. */
export type Newcomers = {
  notificationId: string
  workspaceId: string
  type: string
  actorId: string | null
  newcomers: readonly NewReceiver[]
}

/** Several notifications for exactly the same members. */
type SharedInsert = {
  memberIds: readonly string[]
  notifications: [id: string, workspaceId: string, type: string, channels: number, actorId: string | null][]
}

/** From this size on, naming the members once is cheaper than writing out every row. */
const minShared = 50

/**
 * Inserts the receivers of events that are stored together. Large audiences are mostly equal, so each is named once for
 * all its notifications: parsing a row's text costs the server more than storing it.
 */
export async function insertReceivers(trx: NotificationTrx, batch: readonly Newcomers[]): Promise<void> {
  const sharedByMembers = new Map<string, SharedInsert>()
  const rows: (readonly unknown[])[] = []
  for (const { notificationId: id, workspaceId, type, actorId, newcomers } of batch) {
    for (const { channels, memberIds, names } of groupsOf(newcomers)) {
      const sharedGroup = sharedByMembers.get(names)
      if (memberIds.length < minShared)
        rows.push(
          ...memberIds.map(memberId => [memberId, id, workspaceId, type, channels, ...readState(memberId === actorId)]),
        )
      else if (sharedGroup) sharedGroup.notifications.push([id, workspaceId, type, channels, actorId])
      else sharedByMembers.set(names, { memberIds, notifications: [[id, workspaceId, type, channels, actorId]] })
    }
  }
  for (const part of toChunks(rows, 2_000)) {
    const values = sql.join(part.map(row => sql`(${sql.join(row)})`))
    await sql`insert into receivers (${columns}) values ${values}`.execute(trx)
  }
  for (const { memberIds, notifications } of sharedByMembers.values()) await insertShared(trx, memberIds, notifications)
}

const columns = sql.raw('member_id, notification_id, workspace_id, type, channels, is_read, status, read_at')

const readState = (isRead: boolean) => (isRead ? [1, 'read', sql`utc_timestamp(3)`] : [0, 'pending', null])

/** Receivers by channels; `names` is equal for equal members. */
const groupsOf = (receivers: readonly NewReceiver[]) =>
  [...Map.groupBy(receivers, receiver => receiver.channels)].map(([channels, group]) => {
    const memberIds = group.map(receiver => receiver.memberId)
    return { channels, memberIds, names: memberIds.join() }
  })

const id = sql.raw('char(24) character set ascii')
const word = sql.raw('varchar(100) character set ascii')

/** Inserts every member with every notification, in key order, so that adjacent rows are written together. */
async function insertShared(
  trx: NotificationTrx,
  memberIds: readonly string[],
  notifications: SharedInsert['notifications'],
): Promise<void> {
  await sql`
    insert into receivers (${columns})
    select straight_join m.id, n.id, n.workspace_id, n.type, n.channels, m.id <=> n.actor_id,
      if(m.id <=> n.actor_id, 'read', 'pending'), if(m.id <=> n.actor_id, utc_timestamp(3), null)
    from json_table(${JSON.stringify(notifications)}, '$[*]' columns (
        id ${id} path '$[0]', workspace_id ${id} path '$[1]', type ${word} path '$[2]', channels int path '$[3]',
        actor_id ${id} path '$[4]'
      )) n
    join json_table(${JSON.stringify(memberIds.toSorted())}, '$[*]' columns (id ${id} path '$')) m
  `.execute(trx)
}

/** Channels by notification and member, for those who have it already. */
export async function channelsByReceiver(
  db: NotificationDb,
  notificationIds: readonly string[],
  memberIds: Iterable<string>,
): Promise<Map<string, Map<string, number>>> {
  const channelsByNotification = new Map(notificationIds.map(id => [id, new Map<string, number>()]))
  if (notificationIds.length === 0) return channelsByNotification
  for (const part of toChunks([...new Set(memberIds)])) {
    const rows = await db
      .selectFrom('receivers')
      .select(['notification_id', 'member_id', 'channels'])
      .where('notification_id', 'in', notificationIds)
      .where('member_id', 'in', part)
      .execute()
    for (const row of rows) channelsByNotification.get(row.notification_id)?.set(row.member_id, row.channels)
  }
  return channelsByNotification
}

/** Adds channels to receivers of earlier events of the occurrences; equal additions share a statement. */
export async function addChannels(
  trx: NotificationTrx,
  additions: readonly { notificationId: string; receivers: readonly NewReceiver[] }[],
): Promise<void> {
  const groups = additions.flatMap(({ notificationId, receivers }) =>
    groupsOf(receivers).map(group => ({ ...group, notificationId })),
  )
  for (const equalGroups of Map.groupBy(groups, ({ channels, names }) => `${channels} ${names}`).values()) {
    const [first] = equalGroups
    const ids = equalGroups.map(group => group.notificationId)
    for (const memberIds of toChunks(first?.memberIds ?? []))
      await trx
        .updateTable('receivers')
        .set({ channels: sql`channels | ${first?.channels}` })
        .where('notification_id', 'in', ids)
        .where('member_id', 'in', memberIds)
        .execute()
  }
}
