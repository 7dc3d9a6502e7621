import { type CompiledQuery, Kysely, MysqlDialect, sql } from 'kysely'
import { dialectConfig } from '../../services/kernel/database/database.ts'
import { migrate } from '../../services/kernel/database/migrate.ts'
import { testDatabase } from './database.ts'
import { assert } from './kit.ts'

/** A step of a query plan: how one table is read. */
export type Step = {
  table: string | null
  type: string | null
  key: string | null
  rows: number | null
  Extra: string | null
}

/**
 * A connection that explains the statements of a call.
 * @param filled tables with rows, if only those may be read: the plan of a table without rows says nothing
 */
export function connectWithPlans<Tables>(url: string, filled?: ReadonlySet<string>) {
  let queries: CompiledQuery[] = []
  const db = new Kysely<Tables>({
    dialect: new MysqlDialect(dialectConfig(url)),
    log: ({ query }) => void queries.push(query),
  })
  return {
    db,
    /** The plans of the statements that `run` executes. */
    async plansOf(run: () => Promise<unknown>): Promise<Step[][]> {
      queries = []
      await run()
      const plans: Step[][] = []
      for (const { sql: text, parameters } of queries.filter(query => /^\s*(select|with)\b/.test(query.sql))) {
        for (const [, table = ''] of text.matchAll(/\b(?:from|join) `(\w+)`/g))
          assert.ok(filled?.has(table) !== false, table)
        const explained = { ...sql``.compile(db), sql: `explain format=traditional ${text}`, parameters }
        plans.push((await db.executeQuery<Step>(explained)).rows)
      }
      return plans
    },
  }
}

/** A database of one service, without the service, that explains the statements of a call. */
export async function databaseWithPlans<Tables>(migrations: URL) {
  const { url, drop } = await testDatabase(migrations)
  await migrate(url, migrations)
  const filled = new Set<string>()
  const { db, plansOf } = connectWithPlans<Tables>(url, filled)
  return {
    db,
    plansOf,
    /** Inserts rows, whose keys are columns. */
    async fill(table: string, count: number, rowOf: (i: number) => Record<string, unknown>): Promise<void> {
      const rows = Array.from({ length: count }, (_, i) => rowOf(i))
      const columns = Object.keys(rows[0] ?? {})
      for (let start = 0; start < count; start += 1_000) {
        const values = rows
          .slice(start, start + 1_000)
          .map(row => sql`(${sql.join(columns.map(column => row[column]))})`)
        await sql`
          insert into ${sql.table(table)} (${sql.join(columns.map(sql.ref))}) values ${sql.join(values)}
        `.execute(db)
      }
      await sql`analyze table ${sql.table(table)}`.execute(db)
      filled.add(table)
    },
    async end() {
      await db.destroy()
      await drop()
    },
  }
}

/** Tables that a plan reads whole, row by row or through an index. Intermediate results have no index. */
export const scansIn = (plan: readonly Step[]): string[] =>
  plan.flatMap(({ table, type }) =>
    table && !table.startsWith('<') && (type === 'ALL' || type === 'index') ? table : [],
  )

/** Whether a plan sorts rows or builds an intermediate table. */
export const sortsIn = (plan: readonly Step[]): boolean =>
  plan.some(({ Extra }) => /filesort|temporary/i.test(Extra ?? ''))
