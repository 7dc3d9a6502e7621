import type { RowDataPacket } from 'mysql2/promise'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'

/** Tables that change by themselves: last activity, handled events, stored idempotent answers, leases. */
const bookkeeping = /^(member_activity|inbox|idempotency_keys|leases|kernel_.*|migrations?)$/

/**
 * The content of a database by table: a checksum of each, and for the outbox the number of events written. Two results
 * are equal when nothing was written in between.
 */
export async function checksumsOf(url: string): Promise<Record<string, string>> {
  const sql = await connectDatabase(url)
  try {
    const [rows] = await sql.query<RowDataPacket[]>("show full tables where table_type = 'BASE TABLE'")
    const tables = rows.map(row => String(Object.values(row)[0])).filter(name => !bookkeeping.test(name))
    const checksums = await Promise.all(
      tables.map(async name => {
        const text = name === 'outbox' ? 'select max(position) as n from outbox' : `checksum table \`${name}\``
        const [[row]] = await sql.query<RowDataPacket[]>(text)
        return [name, String(row?.['n'] ?? row?.['Checksum'] ?? '')] as const
      }),
    )
    return Object.fromEntries(checksums)
  } finally {
    await sql.end()
  }
}
