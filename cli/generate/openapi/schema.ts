/** A Schema Object of OpenAPI 3.1, which is a JSON Schema, or a reference to one. */
export type Schema = { [keyword: string]: unknown }

/** A reference to a component of the document. */
export const refTo = (kind: 'schemas' | 'responses' | 'headers', name: string): { $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
})

/** A schema that allows null, too. */
export function orNull({ description, $ref, ...rest }: Schema): Schema {
  if ($ref !== undefined) return withoutEmpty({ description, anyOf: [{ $ref }, { type: 'null' }] })
  const { type, enum: values } = rest
  return withoutEmpty({
    description,
    ...rest,
    type: type && [type, 'null'],
    enum: Array.isArray(values) ? [...(values as unknown[]), null] : undefined,
  })
}

/** The message that a schema refers to, also where it may be null. */
export function targetOf({ $ref, anyOf }: Schema): string | undefined {
  const [first] = (anyOf as Schema[] | undefined) ?? []
  return ($ref ?? first?.['$ref']) as string | undefined
}

export const isNullable = ({ type, anyOf }: Schema): boolean => anyOf !== undefined || Array.isArray(type)

/** The type of a schema, null aside. */
export const plainType = ({ type }: Schema): unknown => (Array.isArray(type) ? (type as unknown[])[0] : type)

/** Removes keys without a value. */
export const withoutEmpty = (from: Schema): Schema =>
  Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined && value !== ''))

/** Id of any record in examples; readers replace it with a real one. */
export const exampleId = '66f2a1c09b3e4d5f60718293'
