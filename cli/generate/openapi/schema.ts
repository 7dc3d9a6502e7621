/** A Schema Object of OpenAPI 3.0, or a reference to one. */
export type Schema = { [keyword: string]: unknown }

/** A reference to a component of the document. */
export const refTo = (kind: 'schemas' | 'responses' | 'headers', name: string): { $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
})

/** Removes keys without a value. */
export const withoutEmpty = (from: Schema): Schema =>
  Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined && value !== ''))

/** Id of any record in examples; readers replace it with a real one. */
export const exampleId = '66f2a1c09b3e4d5f60718293'
