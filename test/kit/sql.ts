import { createPool, type Pool, type PoolOptions, type RowDataPacket } from 'mysql2/promise'
import { databaseConnection } from '../../services/kernel/database/connection.ts'

/**
 * What a test asks a service's database with: times are UTC both ways, as the services' own are, whatever the zone of
 * the server and of the machine. A transaction over several questions wants `connectionLimit: 1`.
 */
export function testPool(uri: string, options: PoolOptions = {}): Pool {
  const pool = createPool({ timezone: 'Z', ...options, ...databaseConnection(uri) })
  pool.on('connection', opened => void opened.query("set time_zone = '+00:00'"))
  return pool
}

/**
 * Whether a transaction of this database waits for a lock. The status is asked, since information_schema.innodb_trx
 * shows an old state for as long as anybody on the server looks at it more often than every 100 ms.
 */
export async function waitsForLock(sql: Pick<Pool, 'query'>): Promise<boolean> {
  const [processes] = await sql.query<RowDataPacket[]>(
    'select id from information_schema.processlist where db = database()',
  )
  const own = new Set(processes.map(one => Number(one['id'])))
  const [status] = await sql.query<RowDataPacket[]>('show engine innodb status')
  const [, ...transactions] = String(status[0]?.['Status']).split('\n---TRANSACTION ')
  return transactions.some(
    text => text.includes('\nLOCK WAIT') && own.has(Number(/\n\w+ thread id (\d+),/.exec(text)?.[1])),
  )
}
