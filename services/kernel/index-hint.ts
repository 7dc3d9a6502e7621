import type { CompiledQuery } from 'kysely'

/**
 * Names the index by which a table is read, where the planner of MySQL or that of MariaDB would choose a worse one.
 * @param from the table as the statement first mentions it: 'from `hotels` as `h`'
 * @param index undefined leaves the choice to the server
 */
export const byIndex = <Row>(query: CompiledQuery<Row>, from: string, index: string | undefined): CompiledQuery<Row> =>
  index ? { ...query, sql: query.sql.replace(from, `$& force index (${index})`) } : query
