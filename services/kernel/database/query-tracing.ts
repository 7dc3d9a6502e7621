import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { isTracing, recordSpan } from '../process/tracing.ts'

type Options = Parameters<DatabaseConnection['executeQuery']>[1]

/**
 * Creates spans for a connection's statements while tracing is on. Kysely's own log passes every statement through
 * three more promises, traced or not.
 */
export function traceStatements(connection: DatabaseConnection): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection)
  connection.executeQuery = (query, options) => (isTracing() ? executeTraced(query, options) : execute(query, options))

  async function executeTraced<Row>(query: CompiledQuery, options?: Options): Promise<QueryResult<Row>> {
    const startedAt = performance.now()
    try {
      const result = await execute<Row>(query, options)
      recordStatement(query, performance.now() - startedAt)
      return result
    } catch (error) {
      recordStatement(query, performance.now() - startedAt, error)
      throw error
    }
  }
}

/** The statement's text has placeholders only, so it holds no client input. */
function recordStatement(query: CompiledQuery, ms: number, error?: unknown): void {
  const text = query.sql.slice(0, 500)
  const name = /^\W*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
  recordSpan(name, ms, { 'db.system.name': 'mysql', 'db.query.text': text }, error)
}
