import { createPool, type Pool, type PoolOptions, type RowDataPacket } from 'mysql2/promise'
import { databaseConnection } from '../../services/kernel/database/connection.ts'

/**
 * A test's connections to a service's database. Times are UTC both ways, as in the services, whatever the time zones of
 * the server and the machine. A transaction over several statements needs `connectionLimit: 1`.
 */
export function testPool(uri: string, options: PoolOptions = {}): Pool {
  const pool = createPool({ timezone: 'Z', ...options, ...databaseConnection(uri) })
  pool.on('connection', connection => void connection.query("set time_zone = '+00:00'"))
  return pool
}

/**
 * Whether a transaction of this database waits for a lock. Reads the InnoDB status, because
 * information_schema.innodb_trx stays stale while any client of the server reads it more often than every 100 ms.
 */
export async function waitsForLock(sql: Pick<Pool, 'query'>): Promise<boolean> {
  const [processes] = await sql.query<RowDataPacket[]>(
    'select id from information_schema.processlist where db = database()',
  )
  const connectionIds = new Set(processes.map(one => Number(one['id'])))
  const [status] = await sql.query<RowDataPacket[]>('show engine innodb status')
  const [, ...transactions] = String(status[0]?.['Status']).split('\n---TRANSACTION ')
  return transactions.some(
    text => text.includes('\nLOCK WAIT') && connectionIds.has(Number(/\n\w+ thread id (\d+),/.exec(text)?.[1])),
  )
}
