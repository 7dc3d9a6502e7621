import type { CompiledQuery, Kysely } from 'kysely'

/*
 * Building the statement of a page read takes Kysely 0.15 ms of processor time; here it is built once
 * (`npm run bench -- news --quick`, page reads). The plain form builds it at each run: `.executeTakeFirst()` in place
 * of `statement` and `firstOf`.
 */

/** A placeholder for a value of each run. */
class Given {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A frequent statement whose text is built once per shape and set of named values. `build` must decide by the shape
 * alone: the values are placeholders. The tenant guard checks the text when it is built.
 * @returns the statement with its values, for `executeQuery`
 */
export function statement<T, Values extends object, Row, Shape = undefined>(
  build: (db: Kysely<T>, values: Values, shape: Shape) => CompiledQuery<Row>,
): (db: Kysely<T>, values: Values, ...shape: Shape extends undefined ? [] : [Shape]) => CompiledQuery<Row> {
  const built = new Map<string, CompiledQuery<Row>>()
  return (db, values, ...[shape]) => {
    // As in Kysely, an undefined column is left alone.
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

/** The first row of such a statement, or undefined. */
export const firstOf = async <T, Row>(db: Kysely<T>, asked: CompiledQuery<Row>): Promise<Row | undefined> =>
  (await db.executeQuery(asked)).rows[0]
