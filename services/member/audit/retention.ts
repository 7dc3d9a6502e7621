import { sql } from 'kysely'
import { inTransaction } from '../../kernel/database/database.ts'
import { deleteOldRows, type RetentionRule } from '../../kernel/database/retention.ts'
import type { Db } from '../tables.ts'

/** Retention of the audit log. Recounts the stored totals of the affected workspaces. */
export const auditRetention = (db: Db, days: number): RetentionRule => ({
  table: 'audit_entries',
  days,
  deleteBefore: before =>
    deleteOldRows(db, 'audit_entries', maxRows =>
      inTransaction(db, async trx => {
        const { rows } = await sql<{ position: number; workspace_id: string | null }>`
          select position, workspace_id from audit_entries force index (audit_entries_age)
          where created_at < ${before} order by created_at, position limit ${maxRows} for update
        `.execute(trx)
        if (rows.length === 0) return { numDeletedRows: 0n }
        const workspaces = [...new Set(rows.map(row => row.workspace_id ?? ''))].toSorted()
        await sql`delete from audit_totals where workspace_id in (${sql.join(workspaces)})`.execute(trx)
        const positions = rows.map(row => row.position)
        return sql`delete from audit_entries where position in (${sql.join(positions)})`.execute(trx)
      }),
    ),
})
