import { hash } from 'node:crypto'
import { CompiledQuery, type Kysely, type QueryResult, type RawBuilder } from 'kysely'
import { numberOf } from './database.errors.ts'
import { repeated } from './database.ts'

/** The server's numbers of errors: there is none of that name, and there is one already. */
const [unknown, existing] = [1305, 1304]

/**
 * A transaction that is asked for so often that its turns between here and the server would be felt: a procedure in the
 * database does it in one, and no row stays locked while an answer travels. Its name holds a digest of its text, and it is
 * made where it is missing: processes of several versions get along, and neither migrations nor backups know of it. An
 * error rolls back and is thrown; what others in the way mean is as with `inTransaction`. The tenant guard does not see
 * it, so it is for tables that hold no tenant's data.
 * @param types the SQL type of each value, text with the collation of its column, which indexes of it need
 * @param body statements with the values under the names `given_…`, after `start transaction`; it says itself when to
 *   `commit` or `rollback`, and selects one row at the end
 * @returns calls it; `db` needs the rights CREATE ROUTINE and EXECUTE
 */
export function routine<Values extends object, Row>(
  name: string,
  types: { readonly [Name in keyof Values]-?: string },
  body: RawBuilder<unknown>,
): <T>(db: Kysely<T>, values: Values) => Promise<Row> {
  const names = Object.keys(types) as (keyof Values & string)[]
  let texts: { create: string; call: string } | undefined

  return (db, values) => {
    const { create, call } = (texts ??= textsOf(name, types, body.compile(db)))
    const given = names.map(one => values[one])
    return repeated(() =>
      db.connection().execute(async connection => {
        const ask = async () => rowOf<Row>(await connection.executeQuery(CompiledQuery.raw(call, given)))
        try {
          return await ask().catch(async error => {
            if (numberOf(error) !== unknown) throw error
            await connection.executeQuery(CompiledQuery.raw(create)).catch(unless(existing))
            return ask()
          })
        } catch (error) {
          // In MySQL a call that is killed leaves its transaction open, and the next one here would commit it.
          await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined)
          throw error
        }
      }),
    )
  }
}

function textsOf(name: string, types: object, { sql, parameters }: CompiledQuery): { create: string; call: string } {
  if (parameters.length > 0) throw new Error(`the procedure ${name} is given values by its text`)
  const given = Object.entries(types).map(([one, type]) => `in given_${one} ${type}`)
  // As whoever calls it: an account that made it and is gone since would else be missed.
  const text = `(${given.join(', ')}) sql security invoker
    begin
      declare exit handler for sqlexception begin rollback; resignal; end;
      start transaction;
      begin ${sql} end;
    end`
  const versioned = `${name}_${hash('sha256', text).slice(0, 12)}`
  return { create: `create procedure ${versioned}${text}`, call: `call ${versioned}(${given.map(() => '?').join()})` }
}

/** A procedure answers the rows that it selected, and then how it ended. */
function rowOf<Row>({ rows }: QueryResult<unknown>): Row {
  const [selected] = rows as (readonly Row[])[]
  const [row] = selected ?? []
  if (!row) throw new Error('a procedure selected nothing')
  return row
}

const unless = (number: number) => (error: unknown) => {
  if (numberOf(error) !== number) throw error
}
