import type { Connection, RowDataPacket } from 'mysql2/promise'

/** The measured hotel, which has 1,000 members at every number of rows. */
export type SeededHotel = {
  workspaceId: string
  hotelId: string
  /** The administrator who makes the calls. */
  memberId: string
  memberIds: string[]
}

/** Seconds between two rows of a table: 10⁷ rows are two years. */
const step = 6
const now = Math.floor(Date.now() / 1000)
const kinds = [
  'page',
  'comment',
  'like',
  'view',
  'notification',
  'delivery',
  'attempt',
  'event',
  'person',
  'other',
] as const
type Kind = (typeof kinds)[number]

/** Ids and times of bulk rows, whose number `n` is an SQL expression; the newest row is of now. */
export function bulk(rows: number) {
  const seconds = (n: string) => `(${now - rows * step} + (${n}) * ${step})`
  return {
    id: (kind: Kind, n = 'seq') =>
      `lower(concat(lpad(hex(${seconds(n)}), 8, '0'), '${kinds.indexOf(kind)}', lpad(hex(${n}), 15, '0')))`,
    timestamp: (n = 'seq') => `from_unixtime(${seconds(n)})`,
    /** The id of row `n`, as the database computes it. */
    idOf: (kind: Kind, n: number) =>
      (now - rows * step + n * step).toString(16) + kinds.indexOf(kind) + n.toString(16).padStart(15, '0'),
    timeOf: (n: number) => new Date((now - rows * step + n * step) * 1000),
    from: `from seq_1_to_${rows}`,
  }
}

/** Every tenth row of the history belongs to the measured hotel; the others, to one hotel per 1,000 rows. */
const hotelShare = 10
const workspaceOf = ({ workspaceId }: SeededHotel, rows: number, n: string) =>
  `if((${n}) mod ${hotelShare} = 0, '${workspaceId}', lpad(hex((${n}) mod ${Math.max(hotelShare, rows / 1_000)}), 24, 'f'))`

/** The statements that fill a table. */
export type Fill = { table: string; statements: string[] }

/** News: the pages, comments, reactions and views of all hotels grow, and so do those of the measured hotel. */
export function newsFills(rows: number, hotel: SeededHotel): Fill[] {
  const { id, timestamp, idOf, from } = bulk(rows)
  const workspace = (n = 'seq') => workspaceOf(hotel, rows, n)
  const author = `elt(1 + seq mod 20, ${hotel.memberIds
    .slice(0, 20)
    .map(one => `'${one}'`)
    .join()})`
  const [{ workspaceId }, pageId] = [hotel, idOf('page', rows)]
  // Twenty comments and reactions on every twentieth page.
  const [discussed, turn] = ['(1 + seq div 20 * 20)', 'seq mod 20']
  const body = `insert into page_bodies select id, workspace_id, '{"blocks":[]}' from pages where id >= '${idOf('page', rows - 1_000)}'`
  const counters = ['*', 'article'].map(
    type => `('${workspaceId}', '${type}', '*', '*', 'published', ${rows / hotelShare})`,
  )
  return [
    {
      table: 'pages',
      statements: [
        `insert into pages (id, workspace_id, title, excerpt, page_type, created_by_id, medias, status, published_at,
          view_count, like_count, comment_count, created_at, updated_at)
        select ${id('page')}, ${workspace()}, concat('Weekly news number ', seq),
          'The spa closes at nine tonight for maintenance.', 'article', ${author}, '[]', 'published', ${timestamp()},
          seq mod 977, seq mod 97, seq mod 31, ${timestamp()}, ${timestamp()} ${from}`,
        body,
        `insert into page_counters values ${counters.join()}`,
      ],
    },
    {
      table: 'comments',
      statements: [
        `insert into comments (id, workspace_id, page_id, member_id, content, created_at)
        select ${id('comment')}, ${workspace(discussed)}, ${id('page', discussed)}, ${author},
          'The spa was lovely, thanks to everybody who helped.', ${timestamp()} ${from}`,
        `insert into comments (id, workspace_id, page_id, member_id, content, created_at)
        select ${id('other')}, '${workspaceId}', '${pageId}', ${author}, 'Lovely', ${timestamp()} from seq_1_to_50`,
      ],
    },
    {
      table: 'likes',
      statements: [
        `insert into likes select ${id('like')}, ${workspace(discussed)}, ${id('page', discussed)},
          ${id('person', turn)}, 'like', ${timestamp()}, ${timestamp()} ${from}`,
      ],
    },
    {
      table: 'page_views',
      statements: [
        `insert into page_views (id, workspace_id, page_id, member_id, user_agent, created_at)
        select ${id('view')}, ${workspace()}, if(seq mod 1000 = 0, '${pageId}', ${id('page', '1 + seq * 7 mod 9973')}),
          ${author}, 'Mozilla/5.0', ${timestamp()} ${from}`,
      ],
    },
    {
      table: 'page_viewers',
      statements: [
        `insert into page_viewers select ${id('page', discussed)}, ${id('person', turn)}, ${workspace(discussed)} ${from}`,
      ],
    },
    {
      table: 'outbox',
      statements: [
        `insert into outbox (id, subject, body, created_at, published_at)
        select ${id('event')}, 'platform.notification.page.updated', repeat('{"a platform event":1}', 20),
          now(3), now(3) ${from}`,
      ],
    },
  ]
}

/** Notification: each notification has fifty receivers; the administrator is the receiver of every 500th row. */
export function notificationFills(rows: number, hotel: SeededHotel): Fill[] {
  const { id, timestamp, from } = bulk(rows)
  const notification = '(1 + seq div 50)'
  const workspace = (n: string) => workspaceOf(hotel, rows, `(${n}) - 1`)
  const member = `if(seq mod 500 = 0, '${hotel.memberId}', ${id('person', `1 + seq mod 50 + 50 * (seq div 50 mod ${Math.max(1, rows / 500)})`)})`
  const ownRows = rows / 500
  return [
    {
      table: 'notifications',
      statements: [
        `insert into notifications (id, workspace_id, occurrence_id, type, category, title, body, title_en, body_en,
          data, actor_type, entity_id, entity_type, channels, receiver_count, created_at)
        select ${id('notification')}, ${workspace('seq')}, ${id('event')}, 'page', 'created', 'Nouvelle actualité',
          'Le spa ferme à neuf heures', 'News', 'The spa closes at nine', '{"id":"x"}', 'member',
          ${id('page')}, 'page', 15, 50, ${timestamp()} from seq_1_to_${rows / 50 + 1}`,
      ],
    },
    {
      table: 'receivers',
      statements: [
        `insert into receivers (member_id, notification_id, workspace_id, type, status, channels, sent_channels, is_read)
        select ${member}, ${id('notification', notification)}, ${workspace(notification)}, 'page', 'sent', 15, 2,
          seq mod 1000 <> 0 ${from}`,
      ],
    },
    {
      table: 'member_counters',
      statements: [
        `insert into member_counters (member_id, workspace_id, type, lane, total, unread)
        select ${id('person', 'seq div 4')}, ${workspace('seq')}, elt(1 + seq mod 4, 'page', 'comment', 'like', 'message'),
          1, 50, 5 ${from}`,
        `insert into member_counters values ('${hotel.memberId}', '${hotel.workspaceId}', 'page', 1, ${ownRows}, ${ownRows / 2}, 0)`,
      ],
    },
    {
      table: 'deliveries',
      statements: [
        `insert into deliveries (id, notification_id, workspace_id, member_id, lane, idempotency_key, status, attempts,
          created_at)
        select ${id('delivery')}, ${id('notification', notification)}, ${workspace(notification)}, ${member},
          elt(1 + seq mod 2, 'fcm', 'email'), ${id('delivery')}, 'success', 1, ${timestamp()} ${from}`,
      ],
    },
    {
      table: 'delivery_attempts',
      statements: [
        `insert into delivery_attempts (id, delivery_id, notification_id, member_id, channel, status, provider, sent_at)
        select ${id('attempt')}, ${id('delivery')}, ${id('notification', notification)}, ${member}, 'push', 'success',
          'fcm', ${timestamp()} ${from}`,
      ],
    },
    {
      table: 'inbox',
      statements: [`insert into inbox select 'notification_queue', ${id('event')}, now(3) ${from}`],
    },
  ]
}

/**
 * Member: there are more hotels of 1,000 people each, and the measured hotel keeps its size. Its invitations and audit
 * log grow with those of the others.
 */
export function memberFills(rows: number, hotel: SeededHotel): Fill[] {
  const { id, timestamp, from } = bulk(rows)
  const workspace = workspaceOf(hotel, rows, 'seq')
  const idOfHotel = (prefix: string) => `lpad(hex(seq div 1000), 24, '${prefix}')`
  // Nobody is above the first of a hotel; ten people are below each.
  const superior = `if(seq mod 1000 = 0, null, ${id('person', 'seq div 1000 * 1000 + (seq mod 1000 - 1) div 10')})`
  const names = "concat('Number ', lpad(hex(seq mod 65536), 4, '0'))"
  const email = "concat('p', seq, '@growth.example')"
  return [
    {
      table: 'members',
      statements: [
        `insert into members (id, first_name, last_name, email, live_email)
        select ${id('person')}, 'Ana', ${names}, ${email}, ${email} ${from}`,
      ],
    },
    {
      table: 'workspaces',
      statements: [
        `insert into workspaces (id, name, ecosystem_id, is_default, members_count)
        select lpad(hex(seq), 24, 'f'), concat('Hotel ', seq), lpad(hex(seq), 24, 'e'), 1, 1000
        from seq_0_to_${rows / 1_000}`,
      ],
    },
    {
      table: 'workspace_members',
      statements: [
        `insert into workspace_members (workspace_id, member_id, permission_slugs, sort_last, sort_first, search_text,
          superior_id)
        select ${idOfHotel('f')}, ${id('person')}, '[]', ${names}, 'Ana', lower(concat('ana ', ${names}, '\\n', ${email})),
          ${superior} ${from}`,
      ],
    },
    {
      table: 'ecosystem_memberships',
      statements: [
        `insert into ecosystem_memberships (member_id, ecosystem_id, permissions, superior_id)
        select ${id('person')}, ${idOfHotel('e')}, '[]', ${superior} ${from}`,
      ],
    },
    {
      table: 'onboardings',
      statements: [
        `insert into onboardings (id, email, token_digest, workspace_id, ecosystem_id, permissions, status, expires_at,
          created_at)
        select ${id('other')}, ${email}, sha2(seq, 256), ${workspace}, ${idOfHotel('e')}, '[]', 'accepted', ${timestamp()}, ${timestamp()}
        ${from}`,
      ],
    },
    {
      table: 'audit_entries',
      statements: [
        `insert into audit_entries (id, workspace_id, actor_id, actor_name, actor_type, action, entity, entity_id,
          member_id, old_values, new_values, created_at)
        select ${id('event')}, ${workspace}, '${hotel.memberId}', 'Ada Chef', 'member', 'membership.updated',
          'membership', ${id('person')}, ${id('person')}, '{"workspaceRole":"viewer"}', '{"workspaceRole":"member"}',
          ${timestamp()} ${from}`,
      ],
    },
  ]
}

/** Tables that hold rows of the seeded hotel, and are therefore never emptied. */
const seededTables = new Set(['members', 'workspaces', 'workspace_members', 'ecosystem_memberships'])

export async function emptyTable(db: Connection, table: string): Promise<void> {
  if (!seededTables.has(table)) await db.query(`truncate table ${table}`)
}

export type FilledTable = { table: string; count: number; bytes: number; seconds: number }

/** Runs the statements of a table and measures them. */
export async function fillTable(db: Connection, { table, statements }: Fill): Promise<FilledTable> {
  const began = performance.now()
  // An emptyTable table then gets its indexes by sorting.
  await db.query('set unique_checks = 0, foreign_key_checks = 0')
  await emptyTable(db, table)
  for (const statement of statements) await db.query(statement)
  const seconds = (performance.now() - began) / 1000
  await db.query(`analyze table ${table}`)
  const [[row]] = await db.query<RowDataPacket[]>(
    `select data_length + index_length as bytes, (select count(*) from ${table}) as count
    from information_schema.tables where table_schema = database() and table_name = '${table}'`,
  )
  return { table, count: Number(row?.['count']), bytes: Number(row?.['bytes']), seconds }
}
