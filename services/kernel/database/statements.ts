import type { CompiledQuery, Kysely } from 'kysely'

/** Stands in the text for a value that comes with each run. */
class Given {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that is asked so often that building its text each time costs as much as a third of running it. It is built
 * once for each shape and each set of named values, with stand-ins for the values: `build` decides by the shape alone. The
 * tenant guard checks the text when it is built.
 * @returns the statement with its values, for `executeQuery`
 */
export function statement<T, Values extends object, Row, Shape = undefined>(
  build: (db: Kysely<T>, values: Values, shape: Shape) => CompiledQuery<Row>,
): (db: Kysely<T>, values: Values, ...shape: Shape extends undefined ? [] : [Shape]) => CompiledQuery<Row> {
  const built = new Map<string, CompiledQuery<Row>>()
  return (db, values, ...[shape]) => {
    // A column that is given as undefined is left alone, as Kysely does it.
    const names = Object.keys(values).filter(name => values[name as keyof Values] !== undefined)
    const key = JSON.stringify([names, shape])
    let text = built.get(key)
    if (!text) {
      text = build(db, Object.fromEntries(names.map(name => [name, new Given(name)])) as Values, shape as Shape)
      built.set(key, text)
    }
    const parameters = text.parameters.map(one => (one instanceof Given ? values[one.name as keyof Values] : one))
    return { ...text, parameters }
  }
}

/** The first row that such a statement answers, undefined without one. */
export const firstOf = async <T, Row>(db: Kysely<T>, asked: CompiledQuery<Row>): Promise<Row | undefined> =>
  (await db.executeQuery(asked)).rows[0]
