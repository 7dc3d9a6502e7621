import { type Kysely, sql } from 'kysely'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import { type BusMessage, claimEvent, PermanentFailure, startConsumer } from '../../services/kernel/bus/consume.ts'
import { startRelay } from '../../services/kernel/bus/relay.ts'
import { closeDatabase, inTransaction, openDatabase } from '../../services/kernel/database/database.ts'
import { migrate } from '../../services/kernel/database/migrate.ts'
import { deleteExpired } from '../../services/kernel/database/retention.ts'
import { silentLog } from '../../services/kernel/process/log.ts'

/** The worker's environment. Crash tests start the worker as a separate process. */
export interface WorkerSettings {
  /** The last two need no bus. */
  WORKER: 'relay' | 'consumer' | 'migrate' | 'retention'
  DATABASE: string
  BUS?: string
  STREAM?: string
  /** Migrations to apply. */
  FOLDER?: string
  DURABLE?: string
  SUBJECT?: string
  FAILPOINT?: string
}

/** Delays for tests: the same sequence as in production in a fraction of its time. */
export const fast = { ackWait: 400, retryDelays: [20, 40, 80] }

/**
 * A handler that writes one row of `effects` per event, in the transaction of `once`, and does what the body asks:
 * `fail` (how often), `permanent`, `kill` the process, or take `ms`.
 */
export function effects(db: Kysely<unknown>, durable: string) {
  return async (message: BusMessage): Promise<void> => {
    const { fail = 0, permanent, kill, ms = 0 } = message.body as Record<string, number | undefined>
    await sql`insert into runs (event_id, attempt) values (${message.id}, ${message.attempt})`.execute(db)
    if (kill) die()
    if (permanent) throw new PermanentFailure('this can never work')
    if (message.attempt <= fail) throw new Error(`failure ${message.attempt}`)
    await new Promise(resolve => setTimeout(resolve, ms))
    await inTransaction(db, async trx => {
      if (!(await claimEvent(trx, durable, message.id))) return
      await sql`insert into effects (event_id) values (${message.id})`.execute(trx)
    })
  }
}

/** The tables that {@link effects} writes, without unique keys, so that a doubled effect shows. */
export async function effectTables(db: Kysely<unknown>): Promise<void> {
  await sql`create table runs (at int auto_increment primary key, event_id varchar(100), attempt int)`.execute(db)
  await sql`create table effects (at int auto_increment primary key, event_id varchar(100))`.execute(db)
}

const die = () => process.kill(process.pid, 'SIGKILL')

async function main(env: Partial<WorkerSettings>): Promise<void> {
  const { WORKER, DATABASE = '', BUS = '', STREAM = '', DURABLE = '', SUBJECT = '', FOLDER = '' } = env
  if (WORKER === 'migrate') return void (await migrate(DATABASE, new URL(FOLDER)))
  const db = openDatabase<unknown>(DATABASE)
  if (WORKER === 'retention') return deleteExpired(db, [{ table: 'log', days: 1, deleteBefore: async () => die() }])
  const bus = await connectBus({ url: BUS, stream: STREAM, name: 'worker' })
  const common = { bus, db, log: silentLog, ...fast }
  const handle = effects(db, DURABLE)
  const part =
    WORKER === 'relay'
      ? startRelay(db, bus, { log: silentLog })
      : startConsumer({ ...common, durable: DURABLE, subject: SUBJECT, handle })
  process.once('SIGTERM', async () => {
    await part.stop()
    await bus.close()
    await closeDatabase(db)
  })
}

if (import.meta.main) await main(process.env as Partial<WorkerSettings>)
