import { CompiledQuery, type Kysely } from 'kysely'
import { repeated } from './database.ts'

/** What the server said of one write. */
export type Outcome = {
  /** Rows that it matched, whether or not they were changed by it. */
  affectedRows: number
  /** What the statement gave to last_insert_id(), else 0. */
  insertId: number | string
}

/**
 * Makes writes in one transaction with two questions to the server: all of them at once, then the commit. Each statement
 * by itself costs both sides a turn, and the rows it locks stay locked through all the turns that follow. What the
 * others in the way mean is as with `inTransaction`.
 * @param db opened with `severalStatements`
 * @param isGood reads what the writes did, in their order; when it says no, or throws, nothing is kept
 * @returns what `isGood` said
 */
export const writeTogether = <T>(
  db: Kysely<T>,
  writes: readonly CompiledQuery[],
  isGood: (outcomes: readonly Outcome[]) => boolean,
): Promise<boolean> =>
  repeated(() =>
    db.connection().execute(async connection => {
      const run = (text: string, parameters: unknown[] = []) =>
        connection.executeQuery<Outcome>(CompiledQuery.raw(text, parameters))
      try {
        const text = ['begin', ...writes.map(({ sql }) => sql)].join(';')
        const { rows } = await run(
          text,
          writes.flatMap(({ parameters }) => parameters),
        )
        const good = isGood(rows.slice(1))
        await run(good ? 'commit' : 'rollback')
        return good
      } catch (error) {
        // A connection that is lost has rolled back by itself, and its pool lets go of it.
        await run('rollback').catch(() => undefined)
        throw error
      }
    }),
  )
