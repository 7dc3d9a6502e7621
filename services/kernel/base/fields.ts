import type { Timestamp } from '@bufbuild/protobuf/wkt'

/** A nullable column as an optional field of a message. */
export const optional = <T>(value: T | null): T | undefined => value ?? undefined

/**
 * A database time as a message field; null and undefined stay absent. A literal is cheaper than `create`, and lists,
 * the most frequent answers, are full of times.
 */
export function timestamp(date: Date): Timestamp
export function timestamp(date: Date | null | undefined): Timestamp | undefined
export function timestamp(date: Date | null | undefined): Timestamp | undefined {
  if (!date) return undefined
  const ms = date.getTime()
  const seconds = Math.floor(ms / 1000)
  return { $typeName: 'google.protobuf.Timestamp', seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1e6 }
}

/** Most levels in a tree of records, whose messages nest alike. */
export const deepestLevel = 100

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name
type FieldValue<Value> = Value extends Date ? Timestamp : Value extends null ? undefined : Value
type MessageFields<Row> = {
  [Name in keyof Row & string as CamelCase<Name>]: Name extends `is_${string}` ? boolean : FieldValue<Row[Name]>
}

const camelNames = new Map<string, string>()

/** The local name of a field or column. */
export function toCamelCase(name: string): string {
  const camelName = camelNames.get(name) ?? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  camelNames.set(name, camelName)
  return camelName
}

/**
 * The columns of a row as the fields of a message: in camel case, times as timestamps, `is_…` as booleans, null as
 * absent. The message takes the fields that it has; a column that holds a field in another form is set after these.
 */
export function messageFields<Row extends object>(row: Row): MessageFields<Row> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row) as [string, unknown][])
    fields[toCamelCase(name)] = name.startsWith('is_')
      ? Number(value) === 1
      : value instanceof Date
        ? timestamp(value)
        : (value ?? undefined)
  return fields as MessageFields<Row>
}
