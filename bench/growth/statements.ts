import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { type Step, scansIn, sortsIn } from '../../test/kit/plans.ts'

/** What a call asked of a database: rows read, and how each growing table was found. */
export type Plans = { rowsRead: number; keys: string[]; faults: string[] }

/** Sessions that begin after this can be listened to with `plansOf`; until then nothing is written. */
export const allowListening = (server: Connection): Promise<unknown> =>
  server.query("set global slow_query_log = 1, global long_query_time = 0, global log_output = 'NONE'")

type Logged = { text: string; rowsRead: number }

/** The statements that reach a schema while `run` runs, from the server's log. */
async function statementsOf(server: Connection, schema: string, run: () => Promise<unknown>): Promise<Logged[]> {
  await server.query('truncate table mysql.slow_log')
  await server.query("set global log_output = 'TABLE'")
  try {
    await run()
    // The server writes a statement down after it has answered.
    await sleep(100)
  } finally {
    await server.query("set global log_output = 'NONE'")
  }
  const [rows] = await server.query<RowDataPacket[]>(
    'select convert(sql_text using utf8mb4) as text, rows_examined as rowsRead from mysql.slow_log where db = ?',
    [schema],
  )
  return rows as Logged[]
}

/** A call may sort what it finds by an index, such as the workspaces of a member, but no more rows than this. */
const mostSorted = 1_000

/** The plans of the statements of a call over growing tables: to scan one, or to sort many of its rows, is a fault. */
export async function plansOf(
  server: Connection,
  schema: string,
  tables: readonly string[],
  run: () => Promise<unknown>,
): Promise<Plans> {
  const statements = (await statementsOf(server, schema, run)).filter(
    ({ text }) => /^\s*(select|with|update|delete)\b/i.test(text) && !/outbox|leases/.test(text),
  )
  const [keys, faults] = [new Set<string>(), new Set<string>()]
  await server.query(`use ${schema}`)
  for (const { text } of statements) {
    const tableByAlias = namesIn(text)
    const [steps] = await server.query<(Step & { rows: number } & RowDataPacket)[]>(`explain ${text}`)
    for (const step of steps) {
      const table = tableByAlias.get(step.table ?? '') ?? step.table ?? ''
      if (!tables.includes(table)) continue
      if (step.key) keys.add(`${table}.${step.key}`)
      if (scansIn([step]).length > 0) faults.add(`scan of ${table}: ${text}`)
      if (sortsIn([step]) && step.rows > mostSorted) faults.add(`sort of ${table}: ${text}`)
    }
  }
  return {
    rowsRead: statements.reduce((sum, one) => sum + Number(one.rowsRead), 0),
    keys: [...keys].toSorted(),
    faults: [...faults],
  }
}

/** Tables of a statement by the name that its plan uses. */
function namesIn(text: string): Map<string, string> {
  const tableMatches = text.matchAll(/\b(?:from|join|update)\s+`?(\w+)`?(?:\s+(?:as\s+)?`?(\w+)`?)?/gi)
  return new Map(
    [...tableMatches].flatMap(([, table = '', alias = table]) => [[alias, table] as const, [table, table] as const]),
  )
}
