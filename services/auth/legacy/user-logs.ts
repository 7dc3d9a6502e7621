import type { Kysely } from 'kysely'
import { newId } from '../../kernel/base/ids.ts'
import { deleteOldRows } from '../../kernel/database/retention.ts'
import type { AuthTables } from '../tables.ts'

type Level = 'error' | 'warn' | 'info' | 'debug'

/** Writes a log record of the legacy version. It must contain no passwords or tokens. */
export const logUser = (
  db: Kysely<AuthTables>,
  record: { level: Level; message: string; userId?: string | undefined; meta?: object },
) =>
  db
    .insertInto('user_logs')
    .values({
      id: newId(),
      timestamp: new Date(),
      user_id: record.userId ?? null,
      level: record.level,
      message: record.message,
      meta: record.meta ? JSON.stringify(record.meta) : null,
    })
    .execute()

export const deleteOldLogs = (db: Kysely<AuthTables>, before: Date) =>
  deleteOldRows(db, 'user_logs', maxRows =>
    db.deleteFrom('user_logs').where('timestamp', '<', before).limit(maxRows).executeTakeFirst(),
  )
