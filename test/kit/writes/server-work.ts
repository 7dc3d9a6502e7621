import { setTimeout as sleep } from 'node:timers/promises'
import { type RowDataPacket } from 'mysql2/promise'
import { connect } from 'nats'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import type { Platform } from '../platform/platform.ts'

/** What a platform had its database and broker do. */
export type ServerWork = {
  /** Statements in order, without those that begin and end transactions. */
  statements: string[]
  /** Commits, one for each writing statement outside a transaction included. */
  commits: number
  /** Bytes that the database wrote to its redo log. */
  logBytes: number
  /** Messages that passed the broker, acknowledgements included. */
  messages: number
}

export type WorkRecorder = {
  /** Everything done from the start of `act` until the platform is idle again. */
  record(act: () => Promise<unknown>): Promise<ServerWork>
  /** Everything that an idle platform does in some ms; `record` leaves out what it reads from then on: its polls. */
  recordIdle(ms: number): Promise<ServerWork>
  close(): Promise<void>
}

/** Longer than it takes from any step of an act to the next one. */
const idleMs = 600

const begins = /^(begin|start transaction)/i
const writes = /^\s*(insert|update|delete|replace)/i

/**
 * Records by the general log of the server, which must run for this platform alone, and by a subscription to every
 * subject of its broker.
 */
export async function recordServerWork({ bus }: Pick<Platform, 'bus'>): Promise<WorkRecorder> {
  const server = await connectDatabase(process.env['TEST_DATABASE_URL'] ?? '')
  const broker = await connect({ servers: bus.url })
  let messages = 0
  broker.subscribe('>', { callback: () => messages++ })
  const logBytes = async (): Promise<number> => {
    const [[row]] = await server.query<RowDataPacket[]>(`show global status like 'Innodb_os_log_written'`)
    return Number(row?.['Value'])
  }
  await server.query(`set global log_output = 'TABLE'`)
  const polls = new Set<string>()
  const record = async (act: () => Promise<unknown>): Promise<ServerWork> => {
    await server.query('set global general_log = 0')
    await server.query('truncate table mysql.general_log')
    const [bytesBefore, messagesBefore] = [await logBytes(), messages]
    await server.query('set global general_log = 1')
    await act()
    await sleep(idleMs)
    await server.query('set global general_log = 0')
    const work = { logBytes: (await logBytes()) - bytesBefore, messages: messages - messagesBefore }
    const [rows] = await server.query<RowDataPacket[]>(
      `select thread_id as thread, convert(argument using utf8mb4) as text from mysql.general_log
       where command_type in ('Query', 'Execute') and thread_id <> connection_id()`,
    )
    const logged = rows.map(row => ({ thread: Number(row['thread']), text: String(row['text']) }))
    return { ...work, ...statementsIn(logged.filter(({ text }) => !polls.has(withoutValues(text)))) }
  }
  return {
    record,
    async recordIdle(ms) {
      const work = await record(() => sleep(ms))
      for (const text of work.statements) if (!writes.test(text)) polls.add(withoutValues(text))
      return work
    },
    async close() {
      await broker.close()
      await server.end()
    },
  }
}

/** A statement without what it was called with. */
export const withoutValues = (text: string): string => oneLine(text).replace(/'[^']*'|\d+/g, '?')
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function statementsIn(rows: readonly { thread: number; text: string }[]): Pick<ServerWork, 'statements' | 'commits'> {
  const statements: string[] = []
  const inTransaction = new Set<number>()
  let commits = 0
  for (const { thread, text } of rows) {
    if (begins.test(text)) inTransaction.add(thread)
    else if (/^(commit|rollback)/i.test(text)) {
      inTransaction.delete(thread)
      if (/^commit/i.test(text)) commits++
    } else if (!/^set /i.test(text)) {
      statements.push(oneLine(text))
      if (writes.test(text) && !inTransaction.has(thread)) commits++
    }
  }
  return { statements, commits }
}
