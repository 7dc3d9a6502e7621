import type { RowDataPacket } from 'mysql2/promise'
import { ExportMemberDataResponseSchema } from '../../../gen/platform/member/v1/export_pb.ts'
import { NewsDataSchema } from '../../../gen/platform/news/v1/export_pb.ts'
import { NotificationDataSchema } from '../../../gen/platform/notification/v1/export_pb.ts'
import { testDatabase } from '../../../test/kit/database.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { testPool } from '../../../test/kit/sql.ts'

const test = suite('columns of the export of a member')

/**
 * For each table about members, the field of the export that shows its rows, and the columns that are no field there:
 * counted, copied or secret ones, those that only the platform uses, and those that are shown by another name or field.
 * A table that only repeats others names what it is derived from.
 */
const parts = {
  member: {
    message: ExportMemberDataResponseSchema,
    tables: {
      audit_entries: ['audit', 'actor_id actor_name actor_type credential_id new_values old_values position'],
      department_members: ['member', 'department_id joined_at role workspace_id'],
      ecosystem_memberships: [
        'member',
        'brought_member ecosystem_id ecosystem_type is_owner mobile_access permissions role status superior_id',
      ],
      members: [
        'member',
        'deleted_at departing_until former_user_id home_ecosystem_id live_email registered_at rested_at',
      ],
      member_activity: ['member', 'seen_at'],
      member_settings: ['settings', 'chat_access_token is_invisible preferences settings'],
      onboardings: ['invitations', 'email_key open_key token_digest'],
      team_members: ['member', 'joined_at role team_id workspace_id'],
      workspace_members: [
        'memberships',
        'is_veiled member_active revision search_text sort_first sort_last superior_id typed_email',
      ],
    },
  },
  news: {
    message: NewsDataSchema,
    tables: {
      acknowledgements: ['acknowledgements', 'created_at'],
      comment_likes: ['comment_likes', ''],
      comments: ['comments', 'is_edited like_count'],
      likes: ['reactions', 'id'],
      page_counters: 'pages',
      page_preferences: ['page_preferences', ''],
      page_revisions: ['revisions', 'changed_fields created_by_id credential_id medias'],
      page_texts: 'pages',
      page_viewers: 'views',
      page_views: ['views', 'id'],
      pages: [
        'pages',
        'category_id comment_count created_by_id enable_comments enable_likes enable_notifications ' +
          'event_ends_at event_starts_at is_must_read is_silent like_count parent_id pinned_until publish_failures ' +
          'publish_retry_at scheduled_at scheduled_by schedule_refusal timed_seconds timed_views ' +
          'updated_by_id version view_count',
      ],
      pins: 'the page that is pinned',
      poll_votes: ['poll_answers', ''],
    },
  },
  notification: {
    message: NotificationDataSchema,
    tables: {
      deliveries: ['deliveries', 'due_at idempotency_key lane news_since news_until sealed_mail subscription_id'],
      delivery_attempts: 'deliveries',
      digest_items: 'notifications that wait for a digest',
      digests: ['preferences', 'due_at frequency news_since'],
      member_counters: 'notifications',
      preferences: ['preferences', 'created_at updated_at'],
      receivers: ['notifications', 'delivered_channels is_dismissed is_read notification_id sent_channels status'],
      subscriptions: ['devices', 'auth device_token id p256dh session_id updated_at'],
    },
  },
} as const

for (const [service, { message, tables }] of Object.entries(parts))
  test(`every table of the ${service} service about members, and each of its columns, is in the export or named`, async () => {
    const database = await testDatabase(new URL(`../../${service}/migrations/`, import.meta.url))
    const pool = testPool(database.url)
    const [rows] = await pool.query<RowDataPacket[]>(
      `select table_name as name, column_name as \`column\` from information_schema.columns
         join information_schema.tables using (table_schema, table_name)
        where table_schema = database() and table_type = 'BASE TABLE' order by 1, 2`,
    )
    await pool.end()
    await database.drop()
    const columnsByTable = Map.groupBy(rows, row => String(row['name']))
    const unexportedColumns: Record<string, string> = {}
    const expectedColumns: Record<string, string> = {}
    for (const [name, columnRows] of columnsByTable) {
      const columns = columnRows.map(row => String(row['column']))
      if (!columns.some(column => ['member_id', 'email', 'created_by_id', 'author_id', 'pinned_by'].includes(column)))
        continue
      const entry = (tables as Record<string, string | readonly [string, string]>)[name]
      const entryMessage =
        typeof entry === 'object' ? message.fields.find(field => field.name === entry[0])?.message : undefined
      const fields = new Set(['member_id', ...(entryMessage?.fields ?? []).map(field => field.name)])
      unexportedColumns[name] =
        typeof entry === 'string' ? entry : columns.filter(column => !fields.has(column)).join(' ')
      expectedColumns[name] =
        typeof entry === 'object' ? entry[1] : (entry ?? 'missing: add the table and its rows to the export')
    }
    assert.equal(
      unexportedColumns,
      expectedColumns,
      'Export a new column, or name it in services/member/export/columns.test.ts.',
    )
    assert.equal(Object.keys(tables).toSorted(), Object.keys(unexportedColumns).toSorted())
  })

test.run()
