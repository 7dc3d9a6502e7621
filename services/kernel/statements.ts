import type { CompiledQuery, Kysely } from 'kysely'

/** Stands in the text for a value that comes with each run. */
class Given {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that is asked so often that building its text each time would be felt: sign-ins spend more on that than on
 * anything else but the hash. It is built once for each set of names that values come under, with stand-ins for the
 * values, so `build` must not look at them; lists of an `in` are none. The tenant guard, which judges what a statement says
 * and not its values, looks at it then, through the database that it was first asked of.
 * @returns the statement with its values, for `executeQuery`
 */
export function statement<T, Values extends object, Row>(
  build: (db: Kysely<T>, values: Values) => CompiledQuery<Row>,
): (db: Kysely<T>, values: Values) => CompiledQuery<Row> {
  const built = new Map<string, CompiledQuery<Row>>()
  return (db, values) => {
    // A column that is given as undefined is left alone, as Kysely does it.
    const names = Object.keys(values).filter(name => values[name as keyof Values] !== undefined)
    const key = names.join()
    let text = built.get(key)
    if (!text) {
      text = build(db, Object.fromEntries(names.map(name => [name, new Given(name)])) as Values)
      built.set(key, text)
    }
    const parameters = text.parameters.map(one => (one instanceof Given ? values[one.name as keyof Values] : one))
    return { ...text, parameters }
  }
}

/** The first row that such a statement answers, undefined without one. */
export const firstOf = async <T, Row>(db: Kysely<T>, asked: CompiledQuery<Row>): Promise<Row | undefined> =>
  (await db.executeQuery(asked)).rows[0]
